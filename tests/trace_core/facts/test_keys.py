"""Keys as judges write them: marks come off, lists and ranges are taken apart, nothing else is read."""

import pytest
from label_examples import cleaned, entry, relevant, supports, unsupported

from trace_core.facts.sentences import letters


@pytest.mark.parametrize(
    "untidy", ["0a.", ".0a", "0a...", " 0a ", "0A", "0A. ", "\t0a\n", "[0a]", "{0a}", "(0a)", "'0a'", '"0a".']
)
def test_dots_spaces_brackets_quotes_and_capitals_come_off(untidy):
    assert relevant(untidy) == ["0a"]


@pytest.mark.parametrize(
    "several",
    [
        "0a, 1b",
        "0a,1b",
        "0a and 1b",
        "0a, and 1b",
        "0a., 1b.",
        "0A AND 1B",
        "0a,, 1b,",
        "0a,\n1b",
    ],
)
def test_several_keys_in_one_string_are_taken_apart(several):
    assert relevant(several) == ["0a", "1b"]


@pytest.mark.parametrize(
    "span",
    [
        "0b-0d",
        "0b - 0d",
        "0b–0d",
        "0b—0d",
        "0b through 0d",
        "0b to 0d",
        "0B Through 0D.",
    ],
)
def test_a_range_of_document_keys_is_opened(span):
    assert relevant(span) == ["0b", "0c", "0d"]


def test_a_range_of_response_keys_is_opened():
    twenty_six = [letters(j) for j in range(26)]
    assert unsupported("i through v", response=twenty_six) == list("ijklmnopqrstuv")


def test_a_range_crosses_documents():
    assert relevant("0e through 1b") == ["0e", "0f", "1a", "1b"]


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


def test_a_range_may_be_reversed():
    assert relevant("1b-0e") == ["0e", "0f", "1a", "1b"]


def test_a_range_stands_among_other_keys():
    assert relevant("2f, 0a-0c and 1a") == ["2f", "0a", "0b", "0c", "1a"]


@pytest.mark.parametrize("keys", [("0a", "0a"), ("0a", "0a."), ("0a, 0a",), ("0a", "0a-0b", "0b")])
def test_a_key_named_twice_is_kept_once(keys):
    assert sorted(set(relevant(*keys)) - {"0b"}) == ["0a"]
    assert len(relevant(*keys)) == len(set(relevant(*keys)))


@pytest.mark.parametrize(
    "unknown",
    ["9a", "a", "0", "", ".", "none", "general", "0" * 9000 + "a"],
)
def test_an_unknown_key_is_dropped(unknown):
    assert relevant("0b", unknown) == ["0b"]


@pytest.mark.parametrize("listed", [["the first document"], ["none"], ["9z"], ["general"], [7], [None], "all of them"])
def test_a_list_in_which_nothing_can_be_read_is_unknown_not_empty(listed):
    labels, notes = cleaned({"all_relevant_sentence_keys": listed})
    assert labels.all_relevant_sentence_keys is None
    assert notes[-1] == "all_relevant_sentence_keys: nothing in it can be read: missing"


def test_prose_holds_no_keys_though_it_has_words_that_are_keys():
    assert unsupported("c is a sentence", response=[letters(j) for j in range(300)]) is None


def test_a_key_that_exists_is_taken_as_it_is_however_odd():
    assert relevant("S1 and S2", "Doc.1", document=["S1 and S2", "Doc.1"]) == ["S1 and S2", "Doc.1"]


@pytest.mark.parametrize("field", ["all_relevant_sentence_keys", "all_utilized_sentence_keys"])
def test_document_keys_are_cleaned_in_this_field(field):
    labels = cleaned({field: ["0A.", "0a", "1b, 1c", "9z"]}).labels
    assert getattr(labels, field) == ["0a", "1b", "1c"]


def test_response_keys_are_cleaned_in_the_list_of_unsupported_sentences():
    assert unsupported("A.", "a", "b and c", "z") == ["a", "b", "c"]


def test_supporting_keys_are_cleaned():
    assert supports(entry("a", ["0A.", "0a", "1b, 1c", "9z"])) == {"a": (True, ["0a", "1b", "1c"])}


@pytest.mark.parametrize("key", ["a.", "A", " a "])
def test_response_sentence_keys_are_cleaned(key):
    assert list(supports(entry(key))) == ["a"]


@pytest.mark.parametrize("key", ["a, b", "a-b", ["a", "b"]])
def test_an_entry_for_several_response_sentences_is_an_entry_for_each(key):
    assert supports(entry(key, ["0a"])) == {"a": (True, ["0a"]), "b": (True, ["0a"])}


@pytest.mark.parametrize("key", ["z", "", None, 0, ["z"], {}])
def test_an_entry_for_no_response_sentence_is_dropped(key):
    assert supports(entry(key)) == {}
