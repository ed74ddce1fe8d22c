"""English and other languages are told apart well enough to say that the packaged models read English."""

import pytest

from trace_core.facts.language import is_english, is_foreign

ENGLISH = [
    "Descaling removes limescale from both boilers, and the orange lamp tells you when it is due.",
    "Press Menu. Hold Steam 3 seconds. Error E07: pump blocked. Tank 1.8 litres, 15 bar, 230 V.",
    "Café Müller in São Paulo was founded by José García, and it is still run by the family of Zoë Håkansson.",
    "Patients with de novo lupus nephritis in the intention-to-treat group had a better response than the others.",
    "def main(): return sum(x for x in values if x is not None)",
    "Yes.",
    "",
]
OTHERS = {
    "German": "Die Entkalkung entfernt Kalk aus beiden Kesseln, und die orange Lampe zeigt an, wann sie fällig ist.",
    "French": "Le détartrage élimine le calcaire des deux chaudières, et le voyant orange indique quand il est dû.",
    "Spanish": "La descalcificación elimina la cal de las dos calderas, y la luz naranja indica cuándo toca hacerla.",
    "Italian": "La decalcificazione rimuove il calcare dalle due caldaie e la spia arancione indica quando serve.",
    "Polish": "Odkamienianie usuwa kamień z obu kotłów, a pomarańczowa lampka pokazuje, kiedy trzeba je wykonać.",
    "Turkish": "Kireç çözme her iki kazandaki kireci giderir ve turuncu lamba bunun ne zaman gerektiğini gösterir.",
    "Russian": "Очистка удаляет накипь из обоих котлов, а оранжевая лампа показывает, когда она нужна.",
    "Greek": "Η αφαλάτωση αφαιρεί τα άλατα από τους δύο λέβητες και η πορτοκαλί λυχνία δείχνει πότε χρειάζεται.",
    "Arabic": "تزيل عملية إزالة الترسبات الكلس من الغلايتين، ويشير المصباح البرتقالي إلى موعدها.",
    "Hindi": "डीस्केलिंग दोनों बॉयलरों से चूना हटाती है और नारंगी लैंप बताता है कि यह कब करना है।",
    "Chinese": "除垢可清除两个锅炉中的水垢,橙色指示灯会提示何时需要除垢。",
    "Japanese": "除石灰は両方のボイラーから石灰を取り除き、オレンジ色のランプが時期を知らせます。",
}


@pytest.mark.parametrize("text", ENGLISH)
def test_english_is_english_with_names_numbers_and_terms_of_others(text):
    assert is_english(text)


@pytest.mark.parametrize("language", OTHERS)
def test_another_language_is_noticed(language):
    assert not is_english(OTHERS[language])


def test_an_answer_in_another_language_is_noticed_beside_english_documents():
    assert is_foreign([ENGLISH[0]], [OTHERS["German"]])
    assert not is_foreign([ENGLISH[0]], ["It is due when the lamp says so."])
