"""English and other languages are told apart well enough to say that the packaged models read English."""

import pytest

from trace_core.facts.language import is_foreign

ENGLISH = [
    "Descaling removes limescale from both boilers, and the orange lamp tells you when it is due.",
    "Press Menu. Hold Steam 3 seconds. Error E07: pump blocked. Tank 1.8 litres, 15 bar, 230 V.",
    "Café Müller in São Paulo was founded by José García, and it is still run by the family of Zoë Håkansson.",
    "Patients with de novo lupus nephritis in the intention-to-treat group had a better response than the others.",
    "def main(): return sum(x for x in values if x is not None)",
    *("Yes.", "How much?", "Who?", ""),
]
OTHERS = {
    "German": "Die Entkalkung entfernt Kalk aus beiden Kesseln, und die orange Lampe zeigt an, wann sie fällig ist.",
    "Spanish": "La descalcificación elimina la cal de las dos calderas, y la luz naranja indica cuándo toca hacerla.",
    "Turkish": "Kireç çözme her iki kazandaki kireci giderir ve turuncu lamba bunun ne zaman gerektiğini gösterir.",
    "Russian": "Очистка удаляет накипь из обоих котлов, а оранжевая лампа показывает, когда она нужна.",
    "Chinese": "除垢可清除两个锅炉中的水垢,橙色指示灯会提示何时需要除垢。",
    "Japanese": "除石灰は両方のボイラーから石灰を取り除き、オレンジ色のランプが時期を知らせます。",
}


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_english_with_names_numbers_and_terms_of_others(text):
    assert not is_foreign([text])


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_another_language_is_noticed_alone_and_beside_english_documents(text):
    assert is_foreign([text])
    assert is_foreign([ENGLISH[0]], [text])
    assert not is_foreign([ENGLISH[0]], ["It is due when the lamp says so."])


@pytest.mark.parametrize("text", ["Der Ofen ist heiß.", "Il coûte 80 euros.", "Cuesta 80 euros.", "三个星期", "Печь"])
def test_a_short_text_in_another_language_is_noticed(text):
    assert is_foreign(["The kiln is hot."], [text])


@pytest.mark.parametrize("name", ["Paris", "Coq au vin", "Anna Berg and Carl Dahl", "80 euros", "Aurora"])
def test_a_name_that_the_documents_have_is_in_no_other_language(name):
    assert not is_foreign([f"It is said that {name} is the one that they chose."], [name])


@pytest.mark.parametrize("text", ["\ud800", "\x00", "🙂\n", "x" * 5000])
def test_no_text_raises(text):
    is_foreign([text])
