"""Texts in every usual encoding are read as they were written, and what is unclear is refused."""

import json

import pytest

from trace_core.datasets import read_dataset
from trace_core.datasets.text.encodings import encoding_of
from trace_core.errors import InputError

TEXTS = {
    "Polish": (
        "cp1250 iso8859_2 cp852",
        "Ile kosztuje wymiana karty miejskiej?|"
        "Wymiana zniszczonej karty kosztuje 15 zł. Pierwsza karta jest bezpłatna.|Wymiana kosztuje 15 zł.",
        "Czy można przewozić rower w autobusie?|Rower wolno przewozić poza godzinami szczytu.|Tak, zawsze.",
    ),
    "Czech": (
        "cp1250 iso8859_2 cp852",
        "Kdy se otevírá knihovna?|Knihovna se otevírá v devět hodin. V neděli je zavřeno.|V devět hodin.",
        "Kolik stojí průkaz?|Průkaz stojí sto korun na rok.|Sto korun.",
    ),
    "Czech, only letters that Windows-1252 has": (
        "cp1250",
        "Kde je lékárna?|Lékárna je v prvním patře. Otevírá ráno.|V prvním patře.",
        "Jak se platí?|Platí se kartou i hotově.|Kartou.",
    ),
    "Hungarian": (
        "cp1250 iso8859_2",
        "Mikor nyit a könyvtár?|A könyvtár kilenc órakor nyit. Vasárnap zárva van.|Kilenc órakor.",
        "Mennyibe kerül a belépő?|A belépő ezer forintba kerül.|Ezer forint.",
    ),
    "Romanian": (
        "cp1250",
        "Când se deschide biblioteca?|Biblioteca se deschide la ora nouă. Duminica este închisă.|La ora nouă.",
        "Cât costă permisul?|Permisul costă o sută de lei pe an.|O sută de lei.",
    ),
    "Croatian": (
        "cp1250",
        "Kada se otvara knjižnica?|Knjižnica se otvara u devet sati. Nedjeljom je zatvorena.|U devet sati.",
        "Koliko košta iskaznica?|Članska iskaznica košta deset eura godišnje.|Deset eura.",
    ),
    "Slovak": (
        "cp1250",
        "Kedy sa otvára knižnica?|Knižnica sa otvára o deviatej hodine. V nedeľu je zatvorené.|O deviatej.",
        "Koľko stojí preukaz?|Preukaz stojí desať eur na rok.|Desať eur.",
    ),
    "Slovene": (
        "cp1250",
        "Kdaj se odpre knjižnica?|Knjižnica se odpre ob devetih. Ob nedeljah je zaprta.|Ob devetih.",
        "Koliko stane izkaznica?|Članska izkaznica stane deset evrov na leto.|Deset evrov.",
    ),
    "German": (
        "cp1252 iso8859_15 mac_roman cp850",
        "Wann ist die Kantine geöffnet?|"
        "Die Kantine öffnet werktags um 11:15 Uhr. Freitags schließt die Küche früher.|Um 11:15 Uhr.",
        "Was kostet ein Schlüssel?|Die Sperrung kostet 35 Euro.|35 Euro.",
    ),
    "French": (
        "cp1252 mac_roman",
        "Combien de jours de télétravail sont autorisés ?|"
        "L’accord prévoit deux jours de télétravail par semaine. Le cœur de la journée reste libre.|Deux jours.",
        "La mutuelle couvre-t-elle les lunettes ?|La mutuelle rembourse 150 € tous les deux ans à chaque salarié.|Oui.",
    ),
    "Spanish": (
        "cp1252 utf-16-le",
        "¿Cómo cambio la contraseña?|La contraseña se cambia en el menú Seguridad.|En el menú.",
        "¿Por qué parpadea la luz?|El técnico llama antes.|No sé.",
    ),
    "Portuguese": (
        "cp1252",
        "Quando abre a biblioteca?|A biblioteca abre às nove horas. Não abre aos domingos.|Às nove.",
        "Quanto custa o cartão?|O cartão custa dez euros por ano; as inscrições são gratuitas.|Dez euros.",
    ),
    "Italian": (
        "cp1252",
        "Quando apre la biblioteca?|La biblioteca apre alle nove. La domenica è chiusa perché è festa.|Alle nove.",
        "Quanto costa la tessera?|La tessera costa dieci euro; più tardi sarà gratuita.|Dieci.",
    ),
    "Swedish": (
        "cp1252",
        "När öppnar biblioteket?|Biblioteket öppnar klockan nio. På söndagar är det stängt.|Klockan nio.",
        "Vad kostar ett kort?|Ett kort kostar tio euro per år.|Tio.",
    ),
    "Danish": (
        "cp1252",
        "Hvornår åbner biblioteket?|Biblioteket åbner klokken ni. Om søndagen er der lukket.|Klokken ni.",
        "Hvad koster et kort?|Kortet koster ti euro om året.|Ti.",
    ),
    "Dutch": (
        "cp1252",
        "Wanneer gaat de bibliotheek open?|"
        "De bibliotheek gaat om negen uur open. Op zondag is ze gesloten; één keer per maand niet.|Om negen uur.",
        "Wat kost een pas?|Een pas kost € 10 per jaar. Vergeet uw coördinaten niet.|Tien euro.",
    ),
    "Finnish": (
        "cp1252",
        "Milloin kirjasto aukeaa?|Kirjasto aukeaa yhdeksältä. Sunnuntaisin se on kiinni.|Yhdeksältä.",
        "Paljonko kortti maksaa?|Kortti maksaa kymmenen euroa vuodessa. Lisätietoja tiskiltä.|Kymmenen.",
    ),
    "Icelandic": (
        "cp1252",
        "Hvenær opnar bókasafnið?|Bókasafnið opnar klukkan níu. Það er lokað á sunnudögum.|Klukkan níu.",
        "Hvað kostar kortið?|Kortið kostar þúsund krónur.|Þúsund.",
    ),
    "Catalan": (
        "cp1252",
        "Quan obre la biblioteca?|La biblioteca obre a les nou. El diumenge és tancada; també l'1 de maig.|A les nou.",
        "Què costa el carnet?|El carnet costa deu euros; això inclou l'inscripció.|Deu.",
    ),
    "English with a foreign word": (
        "cp1252",
        "When does the café open?|The café opens at 9 – on Sundays it’s closed. “Naïve” visitors wait.|At nine.",
        "What is the price?|It is £4 per person at 20 °C.|£4",
    ),
    "English with signs": (
        "cp1252",
        "When does it open?|It opens at nine; the fee is £4.|At nine.",
        "Is it warm?|It’s 20°C or so.|Yes.",
    ),
    "Russian": (
        "cp1251 koi8_r cp866",
        "Когда открывается библиотека?|Библиотека открывается в девять часов. В воскресенье она закрыта.|В девять.",
        "Сколько стоит билет?|Билет стоит сто рублей.|Сто рублей.",
    ),
    "Ukrainian": (
        "cp1251",
        "Коли відкривається бібліотека?|Бібліотека відкривається о дев'ятій. У неділю вона зачинена.|О дев'ятій.",
        "Скільки коштує квиток?|Квиток коштує сто гривень на рік.|Сто.",
    ),
    "Greek": (
        "cp1253",
        "Πότε ανοίγει η βιβλιοθήκη;|Η βιβλιοθήκη ανοίγει στις εννέα. Την Κυριακή είναι κλειστή.|Στις εννέα.",
        "Πόσο κοστίζει η κάρτα;|Η κάρτα κοστίζει δέκα ευρώ.|Δέκα.",
    ),
    "Turkish": (
        "cp1254",
        "Kütüphane ne zaman açılıyor?|Kütüphane saat dokuzda açılır. Pazar günü kapalıdır.|Dokuzda.",
        "Kart ücreti ne kadar?|Kart yıllık on liradır, öğrenciler için ücretsizdir.|On lira.",
    ),
    "Lithuanian": (
        "cp1257",
        "Kada atidaroma biblioteka?|Biblioteka atidaroma devintą valandą. Sekmadienį ji uždaryta.|Devintą.",
        "Kiek kainuoja kortelė?|Kortelė kainuoja dešimt eurų per metus.|Dešimt.",
    ),
    "Japanese": (
        "cp932 euc_jp utf-16-le utf-16-be",
        "会議室の予約は何日前までできますか？|会議室は三十日前から予約できます。当日の予約は受付で行います。|三十日前から。",
        "制服は自宅で洗えますか？|制服は家庭用洗濯機で洗えます。|はい。",
    ),
    "Chinese": (
        "gb18030 utf-16-le gbk",
        "图书馆几点开门？|图书馆早上九点开门，星期日不开放。|九点。",
        "办一张卡要多少钱？|办卡需要十元，学生免费。|十元。",
    ),
    "Chinese, traditional": (
        "big5",
        "圖書館幾點開門？|圖書館早上九點開門，星期日不開放。|九點。",
        "辦一張卡要多少錢？|辦卡需要十元，學生免費。|十元。",
    ),
    "Korean": (
        "cp949",
        "도서관은 언제 여나요?|도서관은 아홉 시에 문을 엽니다. 일요일에는 닫습니다.|아홉 시에.",
        "회원증은 얼마인가요?|회원증은 만 원입니다.|만 원.",
    ),
}
"""Language → its encodings, and rows of question, document and answer."""
SHORT = {
    "Jak zgłosić awarię windy?|Awarię windy zgłasza się pod numerem 112.|Pod numerem 112.": "cp1250",
    "Czy sklep jest otwarty w święta?|W święta sklep jest zamknięty.|Nie.": "cp1250",
    "Jak nahlásím poruchu výtahu?|Poruchu výtahu hlaste na čísle 112.|Na čísle 112.": "cp1250",
    "Je obchod otevřen o svátcích?|O svátcích je obchod zavřený.|Ne.": "cp1250",
    "Co je v balení?|V balení je kabel.|Kabel a návod.": "cp1250",
    "Nyitva van az üzlet ünnepnapokon?|Ünnepnapokon az üzlet zárva tart, kivéve a reggeli órákban.|Nem.": "cp1250",
    "Mi a jelszó hossza?|A jelszó nyolc betűből áll.|Nyolc betű.": "cp1250",
    "Cum raportez o defecţiune la lift?|Defecţiunile se raportează la numărul 112.|La 112.": "cp1250",
    "Este deschis magazinul în zilele de sărbătoare?|Magazinul este închis.|Nu.": "cp1250",
    "Kako prijaviti kvar dizala?|Kvar dizala prijavite na broj 112.|Na broj 112.": "cp1250",
    "Može li pas u hotel?|Pas može u hotel uz doplatu od 10 eura, ali ne u restoran. Vlasnik čisti sobu.|Da.": "cp1250",
    "Wie melde ich eine Störung des Aufzugs?|Störungen werden unter 112 gemeldet.|Unter 112.": "cp1252",
    "Hat der Laden an Feiertagen auf?|An Feiertagen ist der Laden zu. Ausnahme: Bäcker.|Nein.": "cp1252",
    "Wer ist Geschäftsführer?|Herr Müller führt die GmbH.|Müller.": "cp1252",
    "Comment signaler une panne d'ascenseur ?|Signalez la panne au numéro 112, même la nuit.|Au 112.": "cp1252",
    "Où est la pharmacie ?|Elle est près de l'hôtel à côté du café.|Près de l'hôtel.": "cp1252",
    "Le chien est-il admis ?|Les chiens sont admis, sauf à la piscine.|Oui.": "cp1252",
    "¿Cómo aviso de una avería?|Llame al 112 en caso de avería.|Al 112.": "cp1252",
    "¿Abren en festivos?|La tienda cierra los días festivos, salvo en año nuevo.|No.": "cp1252",
    "¿Dónde está el baño?|El baño está junto a la cocina.|Junto a la cocina.": "cp1252",
    "Como comunico uma avaria?|Ligue para o 112 se o elevador não funciona.|Para o 112.": "cp1252",
    "A loja abre aos feriados?|A loja está fechada. A exceção é o pão.|Não.": "cp1252",
    "Come segnalo un guasto?|Il guasto si segnala al 112; l'ascensore è fermo.|Al 112.": "cp1252",
    "Qual è il prezzo?|Il prezzo è di 5 €.|5 €": "cp1252",
    "Perché la luce lampeggia?|La luce lampeggia perché manca l'acqua.|Manca l'acqua.": "cp1252",
    "Hur anmäler jag ett fel?|Fel på hissen anmäls på 112.|På 112.": "cp1252",
    "Är butiken öppen?|Butiken är stängd på helger.|Nej.": "cp1252",
    "Hvordan melder jeg en fejl?|Fejl på elevatoren meldes på 112.|På 112.": "cp1252",
    "Er butikken åben?|Butikken er lukket på søndage.|Nej, kun lørdag.": "cp1252",
    "Miten ilmoitan viasta?|"
    "Viasta ilmoitetaan numeroon 112. Hätätilanteessa myös vastaanottoon.|Numeroon 112.": "cp1252",
    "Onko kauppa auki?|Kauppa on kiinni pyhinä.|Ei.": "cp1252",
    "Hoe meld ik een storing?|Een storing meldt u via 112, ook voor één lift.|Via 112.": "cp1252",
    "Wat is de prijs?|De prijs is € 5 per stuk.|€ 5": "cp1252",
    "Who is the CEO?|José García is the CEO of the firm.|José García.": "cp1252",
    "What does it cost?|It costs £5 – or €6.|£5": "cp1252",
    "How warm?|Up to 20°C.|20°C": "cp1252",
    "What's the résumé policy?|A résumé is needed.|Yes — one.": "cp1252",
    "Who wrote it?|Søren Kierkegård wrote the book.|Søren.": "cp1252",
    "How big is ½?|It’s 0.5 – a half.|0.5": "cp1252",
    "Как сообщить о поломке?|О поломке лифта сообщите по номеру 112.|По номеру 112.": "cp1251",
    "Открыт ли магазин?|В праздники магазин закрыт.|Нет.": "cp1251",
    "保証期間は何年ですか。|保証期間は二年です。|二年です。": "cp932",
    "返品できますか?|未開封なら返品できます。|はい": "cp932",
    "料金は？|一泊八千円です。|八千円": "cp932",
    "保修期是几年？|保修期为两年。|两年。": "gb18030",
    "可以退货吗？|未拆封的商品可以退货。|可以。": "gb18030",
    "怎么充电？|请使用原装充电器。|原装充电器": "gb18030",
    "保固期是幾年？|保固期為兩年。|兩年。": "big5",
    "可以退貨嗎？|未拆封的商品可以退貨。|可以。": "big5",
    "보증 기간은 몇 년인가요?|보증 기간은 2년입니다.|2년입니다.": "cp949",
    "반품할 수 있나요?|개봉하지 않은 제품은 반품할 수 있습니다.|네.": "cp949",
    "Πώς δηλώνω μια βλάβη;|Η βλάβη δηλώνεται στο 112.|Στο 112.": "cp1253",
    "Arızayı nasıl bildiririm?|Arıza 112 numarasına bildirilir.|112'ye.": "cp1254",
    "Dükkan açık mı?|Dükkan bayramda kapalıdır.|Hayır.": "cp1254",
}
"""Single rows: two or three sentences must do."""
CASES = [(language, encoding) for language, (encodings, *_) in TEXTS.items() for encoding in encodings.split()]


def expected(rows):
    cells = [row.split("|") for row in rows]
    return [(asked, [document], answer) for asked, document, answer in cells]


def table(rows):
    lines = (",".join(f'"{cell}"' for cell in row.split("|")) for row in rows)
    return "\n".join(["question,context,answer", *lines, ""])


def json_lines(rows):
    made = (dict(zip(("question", "context", "answer"), row.split("|"), strict=True)) for row in rows)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in made)


def read(path):
    return [(item.question, item.documents, item.response) for item in read_dataset(path).items]


@pytest.mark.parametrize(("language", "encoding"), CASES)
def test_a_table_and_json_lines_are_read_in_their_encoding(tmp_path, language, encoding):
    _, *rows = TEXTS[language]
    for name, write in (("rows.csv", table), ("rows.jsonl", json_lines), ("long.jsonl", lambda r: json_lines(r) * 99)):
        path = tmp_path / name
        path.write_bytes(write(rows).encode(encoding))
        assert read(path)[:2] == expected(rows), name


@pytest.mark.parametrize(("row", "encoding"), SHORT.items())
def test_one_row_is_enough(tmp_path, row, encoding):
    path = tmp_path / "rows.csv"
    path.write_bytes(table([row]).encode(encoding))
    assert read(path) == expected([row])


@pytest.mark.parametrize("row", ["Xyzzy?|Plugh Ñóñ.|Ñóñ.", "A?|\u0161\u017e.|\u0161."])
def test_letters_without_words_that_tell_their_language_are_refused_or_right(tmp_path, row):
    for encoding in ("cp1252", "cp1250"):
        path = tmp_path / "rows.csv"
        try:
            path.write_bytes(table([row]).encode(encoding))
            found = read(path)
        except (UnicodeEncodeError, InputError):
            continue
        assert found == expected([row])


def test_a_utf_8_file_with_a_row_of_another_encoding_stays_utf_8(tmp_path):
    good, bad = '{"question": "Où est-ce ?", "answer": "À Évry."}\n', '{"question": "Où ?", "answer": "Là."}\n'
    path = tmp_path / "rows.jsonl"
    for times in (1, 50):
        path.write_bytes(good.encode() * times + bad.encode("cp1252"))
        assert encoding_of(path, "rows") == "utf-8"
        found = read_dataset(path)
        assert len(found.items) == times
        assert [error.row for error in found.errors] == [times + 1]


def test_characters_after_the_first_part_of_a_long_file_count(tmp_path):
    _, *rows = TEXTS["Czech"]
    plain = '{"question": "Who?", "context": "Nobody.", "answer": "No."}\n' * 20_000
    path = tmp_path / "rows.jsonl"
    path.write_bytes((plain + json_lines(rows)).encode("cp1250"))
    assert read(path)[-2:] == expected(rows)


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_known_by_its_null_bytes(tmp_path, encoding, mark):
    path = tmp_path / "rows.csv"
    path.write_bytes((mark + table(TEXTS["Japanese"][1:])).encode(encoding))
    assert read(path) == expected(TEXTS["Japanese"][1:])


def test_a_null_byte_spoils_one_row(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes((json_lines(TEXTS["German"][1:]) + '{"question": "a\0b"}\n').encode())
    found = read_dataset(path)
    assert (len(found.items), [error.row for error in found.errors]) == (2, [3])


WIDE = 'question,answer\n"Wie groß 𝄞?",Groß.\n'


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl", ".json", ".md", ".txt"])
@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32"])
def test_a_file_of_wide_characters_that_is_cut_off_is_refused_with_the_reason(tmp_path, encoding, suffix):
    path = tmp_path / f"rows{suffix}"
    path.write_bytes(WIDE.encode(encoding)[:-1])
    with pytest.raises(InputError, match=r"rows\.\w+: This is UTF-(16|32) text that ends within a character"):
        read_dataset(path)


@pytest.mark.parametrize("where", [-2, -40])
def test_half_a_pair_of_surrogates_is_refused_with_the_reason(tmp_path, where):
    path = tmp_path / "rows.csv"
    text = WIDE.encode("utf-16-le")
    path.write_bytes(text[:where] + b"\x00\xd8" + (text[where:] if where < -2 else b""))
    with pytest.raises(InputError, match=r"rows\.csv: This is UTF-16 text (that ends within|with bytes that are no)"):
        read_dataset(path)
