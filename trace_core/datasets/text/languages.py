"""How likely a text is what its bytes mean: the letters and the common words of the languages of each encoding."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple


class Language(NamedTuple):
    """A language's letters beside a to z (or its common characters), lower case, and its common words.

    `loans`: letters of borrowed words. `scripts`: the first and last of its characters, where it has thousands;
    `common` then holds characters.
    """

    letters: frozenset[str]
    common: frozenset[str]
    scripts: tuple[tuple[str, str], ...] = ()
    loans: frozenset[str] = frozenset()


def _alphabetic(letters: str, words: str) -> Language:
    return Language(frozenset(letters), frozenset(words.split()))


_GERMAN = _alphabetic(
    "äöüß",
    "der die das und ist ein eine einen im in den dem des von zu mit auf für nicht wie was wann wo wer kann man es "
    "wird werden sich bei nach um aus auch sind ich sie wir bis nur oder als muss darf am zum zur gibt kostet vor "
    "hat haben war ihr ihre sein seine dass wenn aber noch schon alle mehr durch über unter einer eines diese",
)
_FRENCH = _alphabetic(
    "àâæçéèêëîïôœùûüÿ’",
    "le la les un une des de du et est en que qui dans pour sur par pas ne au aux avec ce cette il elle on nous vous "
    "à se sont ou où comment combien quel quelle quels quand tous oui non deux leur sa son être peut a ont "
    "cela si plus mais même leurs ses mon votre vos",
)
_SPANISH = _alphabetic(
    "áéíóúüñ",
    "el la los las un una de del y en que es se por para con no al lo su cómo como qué cuánto cuándo dónde cuál sí más "
    "está son puede desde hasta antes dos o mi hay tarda "
    "si pero también este esta sin sobre todos cada ser tiene hace entre",
)
_PORTUGUESE = _alphabetic(
    "áâãàçéêíóôõúü",
    "o a os as um uma de do da dos das e em no na nos nas que é se por para com não ao à às como qual quanto quando "
    "onde mais são está pode até seu sua ou "
    "mas também este esta sem sobre todos cada ser tem entre pelo pela",
)
_ITALIAN = _alphabetic(
    "àèéìíîòóùú’",
    "il lo la i gli le un una di del della dei delle e è in che si per con non al alla alle da come quanto quando dove "
    "quale più sono può nel nella fino o ogni due perché dal dai "
    "dalla sul sulla sì no ha hanno essere questo questa lo ma anche dopo prima entro",
)
_DUTCH = _alphabetic(
    "ëéïèöüêáóí’",
    "de het een en is van in op te dat die voor met niet aan er om ook als bij naar uit wat wie waar wanneer hoe kan "
    "mag moet wordt worden zijn uw u ik na per ja nee",
)
_SWEDISH = _alphabetic(
    "åäöé",
    "och att det i en ett som är på av för med den till inte om de har kan vad när var hur ska från vid per man du jag "
    "ja nej efter utan",
)
_DANISH = _alphabetic(
    "æøåé",
    "og i at det er en et til på for som med den de ikke der af om har kan hva hvad hvor når hvordan skal fra ved man "
    "jeg du ja nei nej må etter efter per",
)
_FINNISH = _alphabetic(
    "äöå",
    "ja on ei se että mitä milloin missä kuka miten voi ovat tai joka kun mutta vain myös jos mikä kuinka paljonko saa "
    "pitää ole sen kello",
)
_ICELANDIC = _alphabetic(
    "áðéíóúýþæö",
    "og að er í á það sem ekki við um en til af fyrir með var hvað hvenær hvar hvernig hver má frá eftir klukkan",
)
_CATALAN = _alphabetic(
    "àçèéíïòóúü·’",
    "el la els les un una de del dels i és en que es per amb no al com quan quant on què quin més són pot fins o també "
    "seu seva a",
)
_ENGLISH = Language(
    frozenset("’"),
    frozenset(
        (
            "the of and to a in is it for on that with as are at be this by from or not can what how when where who "
            "why which does do if you your i we must may will no yes an after before until only per "
            "was were has have had they them their there here then than about into over up out all more one two also so"
        ).split()
    ),
    loans=frozenset("éèêëàâáäåçñïîíöôóøüúæœß"),
)
_POLISH = _alphabetic(
    "ąćęłńóśźż",
    "i w we z ze na do się nie jest to że o od po za dla jak co czy kto gdzie kiedy ile który można są lub oraz przez "
    "przed po tak przy tylko może być jaki jaka jakie",
)
_CZECH = _alphabetic(
    "áčďéěíňóřšťúůýž",
    "a v ve na se je z ze do s si že to o od po za pro jak co kdo kde kdy kolik který která jsou nebo při před ano ne "
    "není může lze být by jen i k podle",
)
_SLOVAK = _alphabetic(
    "áäčďéíĺľňóôŕšťúýž",
    "a v vo na sa je z zo do s si že to o od po za pre ako čo kto kde kedy koľko ktorý ktorá sú alebo pri pred áno nie "
    "môže byť len aj k podľa",
)
_HUNGARIAN = _alphabetic(
    "áéíóöőúüű",
    "a az és hogy nem van egy is meg ha mi ki hol mikor hogyan mennyi mennyibe melyik kell lehet csak vagy után előtt "
    "el be igen kerül között mit",
)
_ROMANIAN = _alphabetic(
    "ăâîșțşţ",
    "de la în și şi a al ale o un este pe cu nu se din care ce cum când unde cât sunt pentru sau mai fi poate până "
    "după da lei",
)
_SOUTH_SLAVIC = _alphabetic(
    "čćđšž",
    "u i je na se za da od do po s sa o ne su kako što gdje kada koliko tko ko koji ili nije može samo iz pri ob v kdo "
    "kaj kje kdaj in so ni kako pred prije",
)
_RUSSIAN = _alphabetic(
    "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "и в во на не что с со по за как это он она они у к о из для до от или где когда сколько кто какой можно нет да "
    "если только при после",
)
_UKRAINIAN = _alphabetic(
    "абвгґдеєжзиіїйклмнопрстуфхцчшщьюяў",
    "і й в у на не що з зі по за як це він вона вони до о із для від або де коли скільки хто який можна ні так якщо "
    "тільки при після та",
)
_BULGARIAN = _alphabetic(
    "абвгдежзийклмнопрстуфхцчшщъьюяѝ",
    "и в във на не че с със по за как това той тя те до от или къде кога колко кой може да ще се са е след само при",
)
_SERBIAN = _alphabetic(
    "абвгдђежзијклљмнњопрстћуфхцчџшѓќѕ",
    "и у на не што с са по за како то он она до од или где када колико ко који може да се су је после само при из",
)
_GREEK = _alphabetic(
    "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",
    "και το τα η ο οι του της των την τον στο στη στην στις στον σε με για από να δεν είναι που πώς πότε πού πόσο "
    "πόσες ποιος θα ή αν μετά πριν κάθε",
)
_TURKISH = _alphabetic(
    "çğıiöşüâî",
    "ve bir bu da de ile için ne mi mı mu mü kadar nasıl nerede zaman hangi kaç var yok değil evet hayır sonra önce en "
    "olarak gün saat",
)
_LITHUANIAN = _alphabetic(
    "ąčęėįšųūž",
    "ir yra į iš su per kad ne kaip kur kada kiek kas ar tai po už nuo iki taip gali bet arba metus tik",
)
_LATVIAN = _alphabetic(
    "āčēģīķļņšūž",
    "un ir no ar par uz ka ne kā kur kad cik kas vai tas pēc līdz pie jā nē var bet jeb gadā tikai",
)
_ESTONIAN = _alphabetic(
    "äõöüšž",
    "ja on ei see et mis kus millal kes kuidas kui palju või ka ning mida saab võib pärast enne kell jah aastas",
)
_HEBREW = _alphabetic(
    "אבגדהוזחטיךכלםמןנסעףפץצקרשת",
    "של את על לא זה כל עם מה מתי איפה כמה איך מי האם יש אין או גם אם כי הוא היא לפני אחרי רק כן",
)
_ARABIC = _alphabetic(
    "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژگکی",
    "في من على إلى عن ما متى أين كم كيف هل هو هي هذا هذه أن لا أو مع بعد قبل كل نعم در از به با که این است را",
)
_KANA, _IDEOGRAPHS = ("\u3041", "\u30fe"), ("\u4e00", "\u9fff")
_JAPANESE = Language(
    frozenset("々〆"), frozenset("のはをにがでとたてすまるいしれなかもでさりらっきだくんスントー"), (_KANA, _IDEOGRAPHS)
)
_CHINESE = Language(
    frozenset(),
    frozenset(
        "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年下工也能方多后行需什么几如何请"
        "内点日月天员学费元开放您你好与或及其"
    ),
    (_IDEOGRAPHS,),
)
_TRADITIONAL = Language(
    frozenset(),
    frozenset(
        "的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年下工也能方多後行需什麼幾如何請"
        "內點日月天員學費元開放您你好與或及其"
    ),
    (_IDEOGRAPHS,),
)
_KOREAN = Language(
    frozenset(),
    frozenset("이는을의에다가은하지고를로한도서기니있어으나요에시까인해습합일수원할입언제무엇"),
    (("\uac00", "\ud7a3"),),
)
_WESTERN = (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _PORTUGUESE, _ITALIAN, _DUTCH, _SWEDISH, _DANISH, _FINNISH,
            _ICELANDIC, _CATALAN)  # fmt: skip
_CENTRAL = (_POLISH, _CZECH, _SLOVAK, _HUNGARIAN, _ROMANIAN, _SOUTH_SLAVIC)
_CYRILLIC = (_RUSSIAN, _UKRAINIAN, _BULGARIAN, _SERBIAN)

ENCODINGS: Mapping[str, tuple[Language, ...]] = {
    "cp1252": _WESTERN, "iso8859_15": _WESTERN, "mac_roman": _WESTERN, "cp850": _WESTERN, "cp1250": _CENTRAL,
    "iso8859_2": _CENTRAL, "cp852": _CENTRAL, "cp1251": _CYRILLIC, "koi8_u": _CYRILLIC, "cp866": _CYRILLIC,
    "cp1253": (_GREEK,), "cp1254": (_TURKISH,), "cp1255": (_HEBREW,), "cp1256": (_ARABIC,),
    "cp1257": (_LITHUANIAN, _LATVIAN, _ESTONIAN), "cp932": (_JAPANESE,), "euc_jp": (_JAPANESE,),
    "gb18030": (_CHINESE,), "big5": (_TRADITIONAL,), "cp949": (_KOREAN,),
}  # fmt: skip
"""The encodings that are told apart, and the languages that are written in each."""
RARE = frozenset("iso8859_15 iso8859_2 mac_roman cp850 cp852 cp866 koi8_u".split())
"""Those of old systems."""
NARROW = frozenset("cp1250 cp1251 cp1252 cp1253 cp1254 cp1257 iso8859_2 iso8859_15 koi8_u".split())
"""Those whose texts look like UTF-8 only by a rare chance."""

_WORD = re.compile(r"[^\W\d_]{1,40}")
_PLAIN = frozenset("\u00a0“”„‘’‚«»‹›–—…€£°§©®™•·¿¡½¼¾²³±×µ‰†′″№ªº、。，．・：；？！（）「」『』【】〜～ー％＋−○×△")
"""Signs that stand in texts of any language."""
_CAPITALS = "À-ÖØ-ÞĀĂĄĆČĎĐĒĘĚĢĪĮĹĽŁŃŇŌŐŒŔŘŚŞŠŢŤŪŮŰŸŹŻŽ"
_STRANGE = re.compile(
    "(?<=[^\\W\\d_])[¡-©«-¯±-´¶-¹»-¿×÷‚ƒ„†‡ˆ‰˜‹›€™•“”„«»–—](?=[a-zß-öø-ÿ])"
    f"|(?<=[a-zß-öø-ÿ])[{_CAPITALS}]|[ß-öø-ÿ](?=[A-Z])|(?<=[A-Z])[{_CAPITALS}](?=[a-z])|(?<=[.!?,;:)])[ß-öø-ÿ](?![^\\W\\d_])"
    f"|[{_CAPITALS}](?=[A-Z][a-z])|(?<=[A-Za-z])[¼½¾]"
    "|(?<=[a-z])[‰ƒˆ˜£¿¡„‚§¶]|(?<=[a-z])[–—“”‘’]{2}(?=[a-z])|‚‚|\\d[ \u00a0]?[¡¿]|[À-ÖØ-öø-ſ](?=\\d)"
    "|(?<=[a-zA-Z])[\u0370-\u06ff]|[\u0370-\u06ff](?=[a-zA-Z])"
    "|(?<=[a-zA-Z])[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff61-\uff9f](?=[a-z])"
)
"""What a wrong decoding leaves within a word: a sign, a capital, a digit, or a letter of another script."""
_APOSTROPHE = re.compile("(?<=[a-z])’(?=[a-z])")
_NEVER = re.compile("[\x80-\x9f\ufffd\ue000-\uf8ff]")
"""Control characters, bytes that stand for nothing, and characters that nobody defines."""
_GUEST = 0.2
"""What a letter of another language counts: a name in a text."""
_LOAN = 0.85
"""What a letter of a borrowed word counts."""
_LEAST = 0.02
"""What a text counts without any common word."""
_FOREIGN, _SHARE, _FIRST_FOREIGN = 3, 0.3, "\u0370"
"""What it costs that less than this share of the words are in the script of a language that is not Latin."""
_FEW = 5
"""Added to the number of words, so that one common word in a short text is no proof."""


class Likelihood(NamedTuple):
    """How well a text fits a language: the score's logarithm to base 2, the share of characters that fit, and about
    the share of common words.
    """

    score: float
    fit: float
    said: float


def likelihood(text: str, languages: tuple[Language, ...]) -> Likelihood:
    """The text under the likeliest of the languages: a character that does not fit halves its score."""
    low = text.lower()
    signs = Counter(c for c in low if not c.isascii() and c not in _PLAIN)
    words = Counter(_WORD.findall(low))
    wrong = sum(1 for _ in _STRANGE.finditer(text)) + _FEW * sum(1 for _ in _NEVER.finditer(text))
    signs["’"] = sum(1 for _ in _APOSTROPHE.finditer(low))
    guests: frozenset[str] = frozenset().union(*(language.letters | language.loans for language in languages))
    return max(_fitting(language, guests, signs, words, wrong) for language in languages)


def _fitting(
    language: Language, guests: frozenset[str], signs: Counter[str], words: Counter[str], wrong: int
) -> Likelihood:
    weights = sum(number * _weight(c, language, guests) for c, number in signs.items())
    misfits = signs.total() - weights + wrong + _FOREIGN * _is_rare(language, words)
    if language.scripts:
        wide = sum(number for c, number in signs.items() if _is_wide(c, language))
        said = sum(number for c, number in signs.items() if c in language.common) / (wide + _FEW)
    else:
        said = sum(number for word, number in words.items() if word in language.common) / (words.total() + _FEW)
    return Likelihood(math.log2(_LEAST + said) - misfits, (weights + 1) / (signs.total() + wrong + 1), said)


def _is_rare(language: Language, words: Counter[str]) -> bool:
    """Whether few words of the text are in the language's script, if that is not Latin."""
    if min(language.letters - {"’"}, default="") < _FIRST_FOREIGN:
        return False
    own = sum(number for word, number in words.items() if word[0] >= _FIRST_FOREIGN)
    return own < _SHARE * words.total()


def _weight(character: str, language: Language, guests: frozenset[str]) -> float:
    if character in language.letters or _is_wide(character, language):
        return 1
    if character in language.loans:
        return _LOAN
    return _GUEST if character in guests else 0


def _is_wide(character: str, language: Language) -> bool:
    return any(first <= character <= last for first, last in language.scripts)
