"""Sentences of other languages than English: what ends one depends on the language of the text."""

import pytest

from trace_core.facts.sentences import response_sentences

CASES = {
    "German": [
        ["Das Gerät läuft z. B. mit Wasser und nicht mit Öl.", "Dr. Meier prüft es, wenn die Lampe blinkt."],
        ["Die Pumpe ist von Firma Meier und nicht neu.", "Sie wird am 3. Oktober geprüft."],
        ["Siehe Abb. 4 und Nr. 12 auf der nächsten Seite.", "Das ist die Regel, d. h. sie gilt immer."],
    ],
    "French": [
        ["M. Dupont est dans la salle et Mme Durand est absente.", "Il ne pleut pas."],
        ["Voir p. ex. la fig. 3 et l’art. 5 dans le chap. Deux.", "Le prix est de 3 € pour une boîte."],
        ["Elle est dans le jardin avec les enfants.", "Que fait-elle ?", "Elle lit."],
    ],
    "Spanish": [
        ["El Sr. García llegó con la Sra. López a las ocho.", "No se sabe por qué."],
        ["No se puede abrir la tapa.", "¿Dónde está el filtro?", "Está en la caja."],
    ],
    "Italian": [["Il sig. Rossi è arrivato con il dott. Bianchi.", "La caldaia non è calda."]],
    "Portuguese": [["O Sr. Silva não está em casa com a Dra. Costa.", "A bomba é da loja, mais uma vez."]],
    "Chinese": [["水很热。", "火很大！", "你要去吗？", "我不去。"], ["他说：「我们走吧！」", "然后大家都离开了。"]],
    "Japanese": [["これは水です。", "それは火ですか？", "はい、そうです。"]],
}


def text_of(language, sentences):
    return ("" if language in ("Chinese", "Japanese") else " ").join(sentences)


@pytest.mark.parametrize(("language", "sentences"), [(name, case) for name, cases in CASES.items() for case in cases])
def test_a_text_is_cut_as_its_language_has_it(language, sentences):
    assert [s.text for s in response_sentences(text_of(language, sentences))] == sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("See the works of M. Voltaire.", 1),
        ("The pump of el Sr. García and la Sra. López is in the box. It is from the shop.", 2),
        ("Coq au vin and pot-au-feu are dishes of the north. They are not from Paris.", 2),
        ("Is it over?¿Or not?", 1),
    ],
)
def test_english_that_quotes_another_language_is_cut_as_before(text, sentences):
    assert len(response_sentences(text)) == sentences
