"""What a person said of a record and has not saved: the record as it would be, and what would be saved."""

import pytest
from review_examples import record, said

from trace_core.review import draft


@pytest.mark.parametrize("change", [("relevant", "0a", True), ("supported", "a", "fully"), ("supporting", "a", ["0a"])])
def test_what_the_labels_say_already_is_no_change(change):
    assert draft(record(), [change], "Ann").changes == []


def test_changes_are_taken_in_their_order():
    changes = [("supported", "b", "unsupported"), ("supporting", "b", ["1a"])]
    made = draft(record(), changes, "Ann")
    entry = made.record.labels.sentence_support_information[1]
    assert (entry.supporting_sentence_keys, entry.fully_supported) == (["1a"], False)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("relevant", "9z", True), "'9z' is not a sentence"),
        (("supported", "b", "partially"), "cannot be partially supported"),
    ],
)
def test_what_does_not_fit_is_left_out_and_said(change, why):
    made = draft(record(), [change, ("relevant", "1a", True)], "Ann")
    assert made.changes == [("relevant", "1a", True)]
    assert [why in str(error) for error in made.errors] == [True]


def test_alone_it_is_what_that_person_would_see_and_differs_from_the_labeler():
    bobs = said(record(), "relevant", "1a", True, author="Bob")
    again = draft(bobs, [("relevant", "1a", True)], "Ann")
    assert again.changes == []  # the effective labels say so
    alone = draft(bobs, [("relevant", "1a", True)], "Ann", alone=True)
    assert alone.changes == [("relevant", "1a", True)]
    assert alone.record.scores.context_relevance == 3 / 4
    assert draft(bobs, [], "Ann", alone=True).record.scores.context_relevance == 2 / 4
