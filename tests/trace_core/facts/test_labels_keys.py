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
        "0a; 1b",
        "0a & 1b",
        "0a 1b",
        "0a,, 1b,",
        "0a,\n1b",
    ],
)
def test_several_keys_in_one_string_are_taken_apart(several):
    assert relevant(several) == ["0a", "1b"]


def test_three_keys_in_one_string_are_taken_apart():
    assert relevant("0a, 0b, and 1c") == ["0a", "0b", "1c"]


@pytest.mark.parametrize(
    "span",
    [
        "0b-0d",
        "0b - 0d",
        "0b–0d",
        "0b—0d",
        "0b through 0d",
        "0b thru 0d",
        "0b to 0d",
        "0B Through 0D.",
        "0b-d",
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


def test_a_range_stops_at_the_last_key_there_is():
    assert unsupported("b through z") == ["b", "c"]


@pytest.mark.parametrize(
    ("span", "read"),
    [("0d-0b", ["0b", "0c", "0d"]), ("1b-0e", ["0e", "0f", "1a", "1b"]), ("0x-1b", ["1a", "1b"]), ("9a-9c", [])],
)
def test_a_range_may_be_reversed_or_end_outside(span, read):
    assert relevant(span) == read


def test_a_range_without_an_end_is_not_known():
    assert relevant("0a-") is None


def test_a_range_among_other_keys_is_opened():
    assert relevant("2f, 0a-0c and 1a") == ["2f", "0a", "0b", "0c", "1a"]


@pytest.mark.parametrize("keys", [("0a", "0a"), ("0a", "0a."), ("0a, 0a",), ("0a", "0a-0b", "0b")])
def test_a_key_named_twice_is_kept_once(keys):
    assert sorted(set(relevant(*keys)) - {"0b"}) == ["0a"]
    assert len(relevant(*keys)) == len(set(relevant(*keys)))


@pytest.mark.parametrize(
    "unknown",
    ["9a", "0z", "a", "0", "", ".", "none", "N/A", "general", "0a" * 5000, "0" * 9000 + "a"],
)
def test_an_unknown_key_is_dropped(unknown):
    assert relevant("0b", unknown) == ["0b"]


def test_prose_holds_no_keys_though_it_has_words_that_are_keys():
    assert unsupported("c is a sentence", response=[letters(j) for j in range(300)]) is None


def test_a_response_key_may_spell_a_word():
    many = [letters(j) for j in range(1100)]
    assert {"and", "as", "to", "or", "i"} <= set(many)
    assert unsupported("and", response=many) == ["and"]
    assert unsupported("AND.", "to", "as", response=many) == ["and", "to", "as"]
    assert unsupported("anc, and, ane", response=many) == ["anc", "and", "ane"]
    assert unsupported("anc and and", response=many) == ["anc", "and"]
    assert unsupported("tn to tp", response=many) == ["tn", "to", "tp"]


def test_and_is_no_key_where_the_response_is_short():
    assert unsupported("and") is None


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
