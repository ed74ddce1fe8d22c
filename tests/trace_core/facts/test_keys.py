"""Keys as judges write them: marks come off, lists and ranges are taken apart, nothing else is read."""

import pytest
from label_examples import KEY_LISTS, cleaned, entry, relevant, supports, unsupported

from trace_core.facts.sentences import letters


@pytest.mark.parametrize("untidy", ["0a.", ".0a", "0A. ", "\t0a\n", "[0a]", "'0a'", '"0a".'])
def test_dots_spaces_brackets_quotes_and_capitals_come_off(untidy):
    assert relevant(untidy) == ["0a"]


@pytest.mark.parametrize("several", ["0a, 1b", "0a,1b", "0a and 1b", "0a, and 1b", "0A., 1b.", "0a,, 1b,"])
def test_several_keys_in_one_string_are_taken_apart(several):
    assert relevant(several) == ["0a", "1b"]


@pytest.mark.parametrize("span", ["0b-0d", "0b – 0d", "0b—0d", "0B Through 0D.", "0b to 0d", "0d-0b"])
def test_a_range_of_document_keys_is_opened(span):
    assert relevant(span) == ["0b", "0c", "0d"]


def test_a_range_crosses_documents_and_stands_among_other_keys():
    assert relevant("2f, 0e through 1b and 1d") == ["2f", "0e", "0f", "1a", "1b", "1d"]


def test_a_range_goes_past_z():
    assert unsupported("y-ab", response=[letters(j) for j in range(30)]) == ["y", "z", "aa", "ab"]


@pytest.mark.parametrize(
    "words",
    ["0a-", "0x-1b", "0b-d", "0a; 1b", "0a 1b", "sentence 0a", "0a: it says so", "all", {"key": "0a"}, ["0a"], 7],
)
def test_what_is_not_a_key_or_a_range_of_two_keys_is_dropped_and_noted(words):
    found, notes = cleaned({"all_relevant_sentence_keys": ["0b", words]})
    assert found.all_relevant_sentence_keys == ["0b"]
    assert notes[0].endswith("is not a key here: dropped")


@pytest.mark.parametrize("field", KEY_LISTS)
@pytest.mark.parametrize("listed", [["the first document"], ["9z"], ["general"], [None], "all of them"])
def test_a_list_in_which_nothing_can_be_read_is_unknown_not_empty(field, listed):
    labels, notes = cleaned({field: listed})
    assert getattr(labels, field) is None
    assert f"{field}: nothing in it can be read: missing" in notes


def test_a_key_that_exists_is_taken_as_it_is_however_odd():
    assert relevant("S1 and S2", "Doc.1", document=["S1 and S2", "Doc.1"]) == ["S1 and S2", "Doc.1"]


def test_keys_are_cleaned_in_all_five_fields():
    untidy = ["0A.", "0a", "1b, 1c", "9z"]
    labels = cleaned({"all_relevant_sentence_keys": untidy, "all_utilized_sentence_keys": untidy}).labels
    assert labels.all_relevant_sentence_keys == labels.all_utilized_sentence_keys == ["0a", "1b", "1c"]
    assert unsupported("A.", "a", "b and c", "z") == ["a", "b", "c"]
    assert supports(entry(" A. ", untidy)) == {"a": (True, ["0a", "1b", "1c"])}


@pytest.mark.parametrize("key", ["a, b", "a-b", ["a", "b"]])
def test_an_entry_for_several_response_sentences_is_an_entry_for_each(key):
    assert supports(entry(key, ["0a"])) == {"a": (True, ["0a"]), "b": (True, ["0a"])}


@pytest.mark.parametrize("key", ["z", "", None, 0, ["z"], {}])
def test_an_entry_for_no_response_sentence_is_dropped(key):
    assert supports(entry(key)) == {}
