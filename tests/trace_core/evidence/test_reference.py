"""An answer beside its reference answer: shares of rare words both ways, and the words that each lacks."""

from math import log

import pytest

from trace_core.evidence.reference import compare_to_reference, reference_view, states
from trace_core.facts.records import Document, Golden, Record, Response

DOCUMENTS = ["The gate opens at dawn.", "The gate closes at dusk.", "The gate is red."]


def asked(answer, *references, question="When does the gate close?"):
    """A record with these reference answers."""
    documents = [Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(DOCUMENTS)]
    response = None if answer is None else Response(text=answer)
    fields = {"reference_answer": list(references)} if len(references) > 1 else {}
    golden = Golden(reference_answer=references[0]) if references else None
    return Record(id="1", question=question, documents=documents, response=response, golden=golden, fields=fields)


def test_a_short_reference_is_covered_by_a_right_answer_of_any_length():
    found = compare_to_reference(asked("The red gate closes every evening at dusk, whatever the weather.", "At dusk."))
    assert found.covered == 1
    assert 0 < found.backed < 0.5


def test_a_wrong_answer_that_shares_common_words_covers_little():
    found = compare_to_reference(asked("The gate closes at noon.", "The gate closes at dusk."))
    assert found.covered == pytest.approx(log(2.4) / log(7.2))  # gate 6/5, close 6/3, dusk 6/2: of 4 texts
    assert found.backed == pytest.approx(log(2.4) / log(14.4))  # noon, in none of them: 6/1


def test_a_negation_is_a_word_of_its_own():
    assert compare_to_reference(asked("Dogs are allowed.", "Dogs are not allowed.")).covered < 1
    assert compare_to_reference(asked("Dogs aren't allowed.", "Dogs are not allowed.")).covered == 1


@pytest.mark.parametrize(
    ("answer", "reference", "covered"),
    [
        ("I cannot answer that from the context.", "No, it is closed on Mondays.", 0),
        ("I cannot answer that. It is closed on Mondays.", "Closed on Mondays.", 1),
        ("The documents do not say.", "The documents do not say.", 1),
        *(("No.", "No.", 1), ("Yes.", "No.", 0), ("", "No.", None)),
    ],
)
def test_a_sentence_that_declines_and_one_small_word_cover_only_their_like(answer, reference, covered):
    assert compare_to_reference(asked(answer, reference)).covered == covered


@pytest.mark.parametrize(
    ("text", "reference", "stated"),
    [
        ("The gate closes at dusk.", "At dusk.", True),
        ("The gate does not close at dusk.", "At dusk.", False),
        ("The gate closes at noon.", "At dusk.", False),
        ("It was built in 1950 by Maria Lopez for the city.", "Maria Lopez built it for the city in 1950.", False),
    ],
)
def test_only_a_short_reference_is_stated_by_its_words(text, reference, stated):
    assert states(text, reference) is stated


def test_of_several_references_the_nearest_counts():
    found = compare_to_reference(asked("At dusk.", "In the evening.", "At dusk."))
    assert (found.answer, found.covered, found.backed) == ("At dusk.", 1, 1)


def test_without_a_reference_nothing_is_compared_without_an_answer_no_share():
    assert compare_to_reference(asked("At dusk.")) is None
    assert compare_to_reference(asked(None, "At dusk.")).covered is None


def test_the_view_marks_what_the_answer_lacks_and_gives_both_shares():
    seen = reference_view(asked("The gate closes at noon.", "The gate closes at dusk in winter."))
    assert [text for text, differs in seen["pieces"] if differs] == ["dusk in winter"]
    assert seen["words"].startswith("The answer covers 23% of it")
    assert seen["words"].endswith("33% of the answer is in it.")
