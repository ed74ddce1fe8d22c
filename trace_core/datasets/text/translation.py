"""Words in the headings of tables, in English: `Odpowiedź wzorcowa` → reference answer, `検索結果` → documents."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from unicodedata import combining, normalize

_WORDS: Mapping[str, str] = {
    "question": "سؤال السؤال سوال پرسش שאלה שאלות השאלה pertanyaan soalan "
    "pytani* zapytani* otazk* dotaz* kérdés* întrebar* soru sorusu kysymy* ερώτησ* spørgsmål* spørsmål* "
    "вопрос* запрос* питанн* запит* pitanj* upit* vprašanj* küsimus* jautājum* klausim* 質問 問い合わせ "
    "問合せ 問い 问题 問題 提问 提問 查询 查詢 質問文 検索クエリ クエリ 검색어 질문 문의",
    "answer": "إجابة الإجابة جواب الجواب پاسخ תשובה תשובת תשובות התשובה jawaban jawapan "
    "odpowied* odpověď* odpověd* odpoveď* odpoved* válasz* răspuns* cevap cevabı yanıt yanıtı vastau* "
    "απάντησ* svaret ответ* відповід* odgovor* vastus* atbild* atsakym* 回答 答え 解答 応答 返答 答案 "
    "答复 答覆 回复 回覆 回應 답변 응답 대답",
    "reference answer": "正解 正答 정답 模範解答",
    "expected documents": "正解文書 正解ドキュメント 正解コンテキスト",
    "correct": "صحيحة الصحيحة الصحيح المتوقعة المتوقع النموذجية المرجعية صحیح درست נכונה נכון הנכונה צפויה benar "
    "diharapkan seharusnya certa certo certas certos goede "
    "popraw* prawidł* właściw* wzorcow* oczekiwan* správn* očekávan* očakávan* vzorov* referenčn* "
    "helyes* elvárt* várt corect* așteptat* aşteptat* doğru* beklenen* oikea* odotettu* σωστ* "
    "αναμενόμεν* rigtig* riktig* forvente* förvänta* rätt korrekt* richtig* erwartet* правильн* верн* "
    "ожидаем* эталон* очікуван* točan* točn* očekivan* corrett* corret* juist* 期待 模範 正しい 正确 正確 标准 "
    "標準 期望 参考 參考 올바른 기대 모범",
    "reference": "referenci* referênci* référence* riferiment* referenti* referens* referanse* эталонн*",
    "system": "النظام المنظومة המערכת "
    "systems systemet systemu systému systém rendszer* sistem sistemul* sistemin järjestelm* σύστημα* "
    "систем* sustav* システム 系统 系統 시스템",
    "bot": "البوت الروبوت الآلي הבוט בוט "
    "bota botul* botin botn robô robôs бота бот ботом chatbota chatbotu chatbotul* chatbotin чатбот* ボット 机器人 "
    "機器人 챗봇",
    "model": "النموذج המודל modelu modelul* modelin mallin модел* モデル 模型 모델",
    "assistant": "المساعد העוזר asisten "
    "asystent* asistent* asszisztens* asistan* avustaj* ассистент* помощник* помічник* アシスタント "
    "助手 어시스턴트",
    "generated": "wygenerow* vygenerov* generált* generat generată üretilen* сгенерир* згенер* genere* 生成 생성",
    "document": "مقطع المقطع السياق سياق مستند المستند קטע הקטע מסמך המסמך הקשר ההקשר dokumen kutipan konteks "
    "fragment* dokument* úryv* pasáž* szövegrész* kontext* kontekst* belge* parça* bağlam* katkelm* "
    "konteksti* έγγραφ* απόσπασμ* документ* фрагмент* контекст* utdrag* uddrag* afsnit* odlom* trecho* 文書 "
    "ドキュメント コンテキスト 抜粋 根拠 資料 文脈 文档 文檔 文件 上下文 片段 段落 资料 문서 컨텍스트 "
    "근거 문맥",
    "documents": "مقاطع المقاطع المستندات الوثائق קטעים הקטעים מסמכים המסמכים "
    "documenti documenten treffer "
    "fragmenty fragmentów dokumenty dokumentów dokumentů úryvky pasáže konteksty szövegrészek "
    "dokumentumok belgeler parçalar документы документи документов фрагменты фрагментов фрагменти "
    "dokumenter dokumentit katkelmat trechos odlomci έγγραφα αποσπάσματα 検索結果 检索结果 檢索結果 "
    "검색결과 검색 检索 檢索 wyszukiwan* vyhledáv* pretraživ*",
    "paragraphs": "stycken alineas párrafos paragraphes paragrafi parágrafos absätze akapity odstavce",
    "paragraph": "stycke* párrafo paragraphe paragrafo parágrafo absatz akapit* odstav*",
    "retrieved": "المسترجعة المسترجع שנמצאו שאוחזרו ditemukan "
    "getiril* alınan bulunan hämtad* hämtat hentet hentede opgehaald* pobran* vyhledan* recuperad* "
    "récupéré* abgerufen*",
    "score": "similitud similarité somiglianza similaridade ähnlichkeit podobieństw* gelijkenis benzerlik likhet "
    "skóre puntuación pertinence pertinencia relevanz trafność",
    "rank": "orden ordre ordine ordem reihenfolge kolejność pořadí volgorde sıra sırası rækkefølge ordning порядок",
    "found": "gefunden* trouvé* encontrad* trovat* znalezion* nalezen* найден* знайден* hittad* fundet fundne "
    "funnet funne gevonden",
    "text": "txt metn* tekst* texto* texte* testo testi textul szöveg* текст* metin* κείμεν* "
    "本文 テキスト 文本 텍스트 본문",
    "content": "inhalt* contenu* contenido* contenut* conteúdo* inhoud* innehåll* indhold* innhold* treść treści "
    "obsah* 内容 內容 내용",
    "sources": "źródła źródeł zdroje zdrojů források surse kaynaklar lähteet kilder källor источники источников "
    "джерела",
    "source": "źródł* zdroj* forrás* sursa surse kaynak* lähde* lähte* πηγ* источник* джерел* kilde* källa* "
    "källor* izvor* bron bronnen 出典 来源 來源 出处 출처",
    "question type": "fragetyp fragentyp frageart fragenart vraagtype vraagsoort frågetyp spørsmålstype spørgsmålstype "
    "質問タイプ 质问类型 问题类型 問題類型 질문유형",
    "type": "tipo typ typen type soort tür türü tip tipi tipus típus* tyyppi тип тип* τύπος art slag",
    "category": "الفئة التصنيف קטגוריה נושא "
    "categor* kategor* thema themen thème* tema temas temat* téma* onderwerp* rubrik rubriek rubrique* "
    "rubrica rubryk* área* bereich sujet* argomento ambito ámbito* oblast* konu konusu aihe* aihealue "
    "ämne* emne* категор* тема тематика рубрика κατηγορί* θέμα topic topics theme themes カテゴリー "
    "カテゴリ 分類 区分 分类 类别 類別 主题 主題 분류 카테고리 주제",
    "comment": "kommentar* komentarz* komentář* megjegyzés* commentaire* comentari* comentári* commento opmerking* "
    "kommentti* комментар* примечан* коментар* uwag* poznámk* anmerkung* bemerkung* observaci* "
    "observaç* remarque* yorum* コメント 問題点 備考 所見 备注 備註 评论 評論 비고 의견",
    "rating": "bewertung* ocen* hodnoc* értékel* évaluation* valoraci* avaliaç* valutazion* beoordeling* "
    "bedömning* vurdering* arviointi* оценк* оцінк* puan* 評価 評點 評分 评分 評点 点数 평가 점수",
    "date": "datum dátum fecha dato päiväys дата 日付 日期 날짜",
    "time": "zeit antwortzeit temps tiempo tempo tijd czas čas idő время latence* latencia* latenz* 時間 时间 "
    "시간 日時",
    "author": "prüfer* bearbeiter* auteur* autor* tester* testeur* probador* sprawdzaj* 担当者 担当 回答者 評価者 "
    "负责人 담당자",
    "id": "番号 编号 編號 번호 číslo numer",
    "user": "ユーザー 用户 用戶 사용자 顧客 고객",
}
"""English → words of other languages; `*` stands for any ending."""
_SPACELESS = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"


def unaccented(text: str) -> str:
    """The text without accents; Korean syllables stay whole."""
    parts = normalize("NFKD", text.replace("ß", "ss"))
    return normalize("NFC", "".join(c for c in parts if not combining(c)))


def _entries() -> Iterator[tuple[str, str]]:
    for english, words in _WORDS.items():
        yield from ((unaccented(word).lower(), english) for word in words.split())


_WHOLE = {word: english for word, english in _entries() if not word.endswith("*")}
_STEMS = {word[:-1]: english for word, english in _entries() if word.endswith("*")}
_LONGEST, _SHORTEST = max(map(len, _STEMS)), min(map(len, _STEMS))
_WITHIN = re.compile("|".join(sorted((w for w in _WHOLE if re.match(f"[{_SPACELESS}]", w)), key=len, reverse=True)))
"""Words of languages without spaces."""
BOUNDARY = f"(?<=[a-zA-Z])(?=[{_SPACELESS}])|(?<=[{_SPACELESS}])(?=[a-zA-Z])"
"""Where a Latin word meets one of a language without spaces, as a regular expression."""


@lru_cache(maxsize=10_000)  # files repeat their names in every row
def english(word: str) -> tuple[str, ...]:
    """The English words for a lower-case word without accents; the word itself where none is known."""
    if word in _WHOLE:
        return tuple(_WHOLE[word].split())
    for length in range(min(len(word), _LONGEST), _SHORTEST - 1, -1):
        if meaning := _STEMS.get(word[:length]):
            return tuple(meaning.split())
    found = [part for each in _WITHIN.findall(word) for part in _WHOLE[each].split()]
    return tuple(found) or (word,)
