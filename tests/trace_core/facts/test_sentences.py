"""What a sentence is, what it is called, and where it stands in its text."""

import json
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.facts.sentences import Sentence, document_sentences, letters, locate, response_sentences, spans

GOLDEN = json.loads(Path(__file__).with_name("golden_sentences.json").read_text(encoding="utf-8"))
RAGBENCH = Path(__file__).parents[4] / "shared" / "data" / "ragbench"  # beside the repository

LINES = ["# Head", "a   b", "Title: x", "2 l. It", "\n", "\r\n", "\n\n"]
LINES += "|a|b| |---| ``` ~~~ *** === a,b,c ** _ <p> </p> </b>".split()
MARKERS = ["1. ", "- ", "• ", "a) ", "(ii) ", "1.", "-", "12) "]
WORDS = ["J. R.", *"He they e.g. U.S. Dr. etc. 3.14 http://a.b/c?d it's Wham! [1]".split()]
FOREIGN = ["z. B.", "im 19. Jahrhundert", "und der die das", "א ב", *"你好 他道 。” 「 」 ؟ e\u0301 İ".split()]
ODDITIES = list("\x00\x1c\x85\u00a0\u2028\u200f\u3000\ufeff\ud800\udfff🙂")
PUNCTUATION = st.text(" \n\t.!?…,:;'\"“”‘’«»()[]{}-*•|#`~0aA。！？」", max_size=40)
FRAGMENTS = st.lists(
    st.sampled_from([*LINES, *MARKERS, *WORDS, *FOREIGN, *ODDITIES, " ", "  ", ". ", "! ", "? "]), max_size=30
).map("".join)
ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=60)  # lone surrogates too
PLACES = {
    "a list marker with nothing after it joins what came before": ["Open the lid.\n\n2."],
    "a paragraph after a list is not part of its last item": ["- milk\n", "- eggs\n", "Mix both well."],
    "a wrapped line does not end a sentence": ["The old man walked slowly\nto the sea. ", "It was far."],
    "lines of their own are sentences": ["It is hot\n", "It cools slowly\n", "It was built in Denmark"],
    "a mark of a source may end a sentence": ["It is hot [1] ", "It cools. [2] ", "It is new.² (Source: a.html)"],
    "a paragraph in capitals is no heading": ["THE SELLER IS NOT LIABLE FOR ANY\nDAMAGE. ", "THE BUYER IS."],
    "an apostrophe closes no quotation": ["Use Enter ‘n Go first. ", "Press OK. ", "The car’s key is new."],
    "a tag that closes goes with its sentence": ["<p>A.</p>", "<p>B.</p>"],
    "so do two, and none opens the next": ["<ul><li>The tank is big.</li>", "<li>It is steel.</li></ul>"],
    "a tag alone is a sentence": ["</p>"],
}
"""What a cut is about → the sentences of a text, each with the space after it."""


def texts(sentences: list[Sentence]) -> list[str]:
    return [sentence.text for sentence in sentences]


def split(text: str) -> list[str]:
    return texts(response_sentences(text))


def assert_tiles(text: str) -> None:
    found = spans(text)
    if not text.strip():
        assert found == []
        return
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(left[1] == right[0] for left, right in pairwise(found))
    assert all(text[start:end].strip() for start, end in found)


def ragbench_rows() -> Iterator[tuple[str, dict[str, Any]]]:
    files = sorted(RAGBENCH.glob("*.jsonl"))
    if not files:
        pytest.skip(f"no RAGBench files in {RAGBENCH}")
    for file in files:
        with file.open(encoding="utf-8") as lines:
            yield from ((file.stem, json.loads(line)) for line in lines)


class TestKeys:
    @pytest.mark.parametrize(
        ("number", "name"), [(0, "a"), (25, "z"), (26, "aa"), (51, "az"), (52, "ba"), (701, "zz"), (702, "aaa")]
    )
    def test_letters_count_in_bijective_base_26(self, number: int, name: str) -> None:
        assert letters(number) == name

    def test_no_two_numbers_share_letters(self) -> None:
        assert len({letters(number) for number in range(20_000)}) == 20_000

    def test_a_document_sentence_is_keyed_by_document_and_letters(self) -> None:
        expected = [Sentence("3a", "It rained.", 0, 12), Sentence("3b", "It stopped.", 12, 24)]
        assert document_sentences(3, " It rained.\nIt stopped. ") == expected


class TestSpans:
    def test_the_golden_list_is_right_but_for_one_in_fifty(self) -> None:
        wrong = [case for case in GOLDEN if split(case["text"]) != case["sentences"]]
        for case in wrong:
            print(f"{case['kind']}: expected {case['sentences']}\n   got {split(case['text'])}")
        assert len(wrong) <= len(GOLDEN) / 50

    @given(st.one_of(ANY_TEXT, PUNCTUATION, FRAGMENTS))
    def test_tile_every_text(self, text: str) -> None:
        assert_tiles(text)

    def test_tile_the_texts_of_ragbench(self, pytestconfig: pytest.Config) -> None:
        step = 1 if pytestconfig.getoption("long") else 6
        for _, row in islice(ragbench_rows(), 0, None, step):
            for text in [*row["documents"], row["response"]]:
                assert_tiles(text)

    @pytest.mark.parametrize("text", ["", " ", "\n\n\t", "\u3000\u2028\x1c"])
    def test_of_whitespace_there_are_none(self, text: str) -> None:
        assert spans(text) == []

    @pytest.mark.parametrize("text", ["1.", " - ", "a)", "•", "...", "---\n***", "?! ?!", "\x00", "\ud800"])
    def test_a_text_without_a_word_is_one_sentence(self, text: str) -> None:
        assert spans(text) == [(0, len(text))]

    @pytest.mark.parametrize("marker", ["1.", "12)", "-", "*", "•", "a)", "(iv)"])
    def test_a_list_marker_joins_its_item(self, marker: str) -> None:
        assert split(f"{marker} Open the lid. It clicks.") == [f"{marker} Open the lid.", "It clicks."]
        assert split(f"{marker}\n\nOpen the lid.") == [f"{marker}\n\nOpen the lid."]

    @pytest.mark.parametrize("case", PLACES)
    def test_a_cut_has_its_place(self, case: str) -> None:
        assert split("".join(PLACES[case])) == [sentence.strip() for sentence in PLACES[case]]

    def test_a_short_text_is_cut_by_the_rules_of_its_record(self) -> None:
        german = "Er kam am 3. März. Sie kam nicht."
        assert texts(response_sentences(german, "de")) == ["Er kam am 3. März.", "Sie kam nicht."]

    @pytest.mark.parametrize(
        "sentences",
        [
            ["**The tank holds 2 litres.**", "It is made of steel."],
            ["__Do you know it?__", "_Yes, I do._", "Good."],
            ["It is.", "**Open it.**", "~~Then go.~~", "***Now!***", "Stay."],
            ["- **Open it.**", "Then go."],
            ["**Step 1.** Open the lid.", "**Dr.** Smith came.", "**2.** Close it.", "It is *approx.* there."],
            ["<b>The tank is big.</b>", "It is made of steel."],
            ["The tank holds 2 l.", "It is 3 m.", "The sun has 5 500 °C.", "They use 5 V.", "A lamp glows."],
            ["Add approx. 2 l. water.", "Ca. 2 l. of it.", "See fig. 2 a. Smith says so."],
            ["A tag </p> is here.", "The tag `</p>` too."],
        ],
    )
    def test_marks_and_tags_that_close_go_with_their_sentence(self, sentences: list[str]) -> None:
        assert split(" ".join(sentences)) == sentences

    def test_a_sentence_longer_than_any_window_stays_whole(self) -> None:
        long = "It lists " + "very, " * 2_000 + "many things."
        assert split(f"It is short. {long} It ends.") == ["It is short.", long, "It ends."]

    def test_windows_leave_no_trace(self) -> None:
        sentence = "Dr. Smith paid $3.50 to J. R. Jones at 5 p.m. on Monday."
        assert split(" ".join([sentence] * 500)) == [sentence] * 500

    @pytest.mark.parametrize(
        "unit", ["no end ", "\n.", "x", "1. ", "“A. ", "你好。", "(a.", "ab.Ab", "- a\n", "*a。", "a.</b>", "2 l. It "]
    )
    def test_it_ends_for_a_hundred_kilobytes_of_anything(self, unit: str) -> None:
        assert_tiles(unit * (100_000 // len(unit)))

    def test_a_no_break_space_in_german_is_harmless(self) -> None:
        assert split("Das ist Herr J.\u00a0Müller und das ist R.\u2028Meier. Er ist da.")[-1] == "Er ist da."


class TestLocate:
    def test_gives_the_sentences_back_as_they_came(self) -> None:
        expected = [Sentence("0a", "One.", 0, 4), Sentence("0c", " Two. ", 5, 9)]
        assert locate("One. Two.", [("0a", "One."), ("0c", " Two. ")]) == expected

    def test_ignores_whitespace_on_both_sides(self) -> None:
        text = "A long\n  line.\tNext one ."
        found = locate(text, [("a", "A long line."), ("b", "Next\u00a0one.")])
        assert [(s.start, s.end) for s in found] == [(0, 14), (15, 25)]

    def test_a_miss_leaves_the_later_ones_alone(self) -> None:
        found = locate("One. Two.", [("a", "One."), ("b", "None such."), ("c", ""), ("d", " \n"), ("e", "Two.")])
        assert [(s.start, s.end) for s in found] == [(0, 4), (None, None), (None, None), (None, None), (5, 9)]

    def test_a_sentence_out_of_order_is_found_and_leaves_the_later_ones_alone(self) -> None:
        text = "It rained. It stopped. We left. No."
        found = locate(text, [("a", "It rained."), ("b", "No."), ("c", "It stopped."), ("d", "We left."), ("e", "No.")])
        assert [s.start for s in found] == [0, 32, 11, 23, 32]

    def test_offsets_count_code_points(self) -> None:
        assert [s.start for s in locate("é🙂. Oui.", [("a", "é🙂."), ("b", "Oui.")])] == [0, 4]

    @given(st.one_of(ANY_TEXT, FRAGMENTS))
    def test_finds_our_own_sentences(self, text: str) -> None:
        ours = document_sentences(0, text)
        found = locate(text, [(s.key, s.text) for s in ours])
        assert [text[s.start : s.end] for s in found] == texts(ours)

    def test_finds_every_sentence_of_ragbench(self) -> None:
        for name, row in ragbench_rows():
            documents = zip(row["documents"], row["documents_sentences"], strict=True)
            for text, keyed in [*documents, (row["response"], row["response_sentences"])]:
                for sentence in locate(text, [(key, sentence) for key, sentence in keyed]):
                    assert sentence.start is not None, (name, row["id"], sentence.key)
                    found = text[sentence.start : sentence.end]
                    assert "".join(found.split()) == "".join(sentence.text.split())


@pytest.mark.timeout(60)
def test_a_search_for_sentences_that_are_nowhere_gives_up():
    text = "a b c d e f g h. " * 60_000
    found = locate(text, [("0a", "a b c"), *((str(n), f"a b c d e f g {n}") for n in range(20_000))])
    assert (found[0].start, found[0].end) == (0, 5)
    assert {(one.start, one.end) for one in found[1:]} == {(None, None)}


# Other languages than English: what ends a sentence depends on the language of the text

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


@pytest.mark.parametrize(("language", "sentences"), [(name, case) for name, cases in CASES.items() for case in cases])
def test_a_text_is_cut_as_its_language_has_it(language, sentences):
    assert split(("" if language in ("Chinese", "Japanese") else " ").join(sentences)) == sentences


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
