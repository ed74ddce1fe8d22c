"""A judge's reply becomes clean labels: what each field says, and what is unknown."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_examples import DOCUMENT, KEY_LISTS, RESPONSE, cleaned, entry, notes, relevant, supports, tidy, unsupported

from trace_core.facts.cleaning import clean, read_truth
from trace_core.facts.labels import SPECIAL_KEYS, Labels, Status
from trace_core.facts.sentences import letters

# Tidy labels


def test_tidy_labels_stay_as_they_are():
    found = cleaned(tidy()).labels.model_dump()
    assert {name: found[name] for name in tidy()} == tidy()


def test_the_labels_say_who_made_them():
    labels = clean(tidy(), DOCUMENT, RESPONSE, labeler="gpt", version="judge-1").labels
    assert (labels.labeler, labels.labeler_version) == ("gpt", "judge-1")


def test_entries_come_in_the_order_of_the_response():
    assert list(supports(entry("c"), entry("a"))) == ["a", "c"]


# Lists that are absent, empty or no lists


@pytest.mark.parametrize("field", [*KEY_LISTS, "sentence_support_information"])
def test_an_absent_list_is_none_an_empty_one_empty_any_other_value_noted(field):
    assert [getattr(cleaned(raw).labels, field) for raw in ({}, {field: None}, {field: []})] == [None, None, []]
    assert getattr(cleaned({field: 1.5}).labels, field) is None
    assert notes({field: 1.5}) == [f"{field}: 1.5 is not a list: missing"]


def test_a_string_in_place_of_a_list_is_read_as_keys():
    raw = {"all_relevant_sentence_keys": "0a, 0b"}
    assert cleaned(raw).labels.all_relevant_sentence_keys == ["0a", "0b"]
    assert notes(raw) == ["all_relevant_sentence_keys: '0a, 0b' read as 0a, 0b"]


def test_a_key_with_its_sentence_behind_it_is_that_key_and_no_more_is_read():
    raw = {"all_relevant_sentence_keys": ["0a: It holds 0b and 1c, and more.", "[0c]: so", "0d"]}
    assert cleaned(raw).labels.all_relevant_sentence_keys == ["0a", "0c", "0d"]
    assert "'0a: It holds 0b and 1c, and more.' read as 0a" in notes(raw)[0]
    assert relevant("As for 0a: it is so") is relevant("no: 0a") is None


@pytest.mark.parametrize("reply", [None, [], "text", 3, [entry("a")]])
def test_a_reply_that_is_no_object_has_no_labels_and_says_so(reply):
    assert cleaned(reply).labels == Labels()
    assert "is not an object" in cleaned(reply).notes[0]


# Support


@pytest.mark.parametrize("special", sorted(SPECIAL_KEYS))
def test_a_special_key_is_support_without_a_document_sentence(special):
    assert supports(entry("a", [special])) == {"a": (True, [special])}
    assert supports(entry("a", [f" {special.upper()}. "])) == {"a": (True, [special])}


NULLS = {
    "a document's support is named": (True, ["0a"], [entry("a", ["0a"], None)]),
    "a general statement is named": (True, ["general"], [entry("a", ["general"], None)]),
    "no support is named": (False, [], [entry("a", [], None)]),
    "what is named cannot be read": (None, [], [entry("a", ["9z"], None)]),
    "of two entries one can be read": (True, ["0a"], [entry("a", ["the manual"], None), entry("a", ["0a"], None)]),
    "an absent word": (True, ["0a"], [{"response_sentence_key": "a", "supporting_sentence_keys": ["0a"]}]),
}


@pytest.mark.parametrize(("fully", "keys", "entries"), NULLS.values(), ids=NULLS)
def test_null_is_what_the_support_that_is_named_makes_of_it(fully, keys, entries):
    assert supports(*entries) == {"a": (fully, keys)}


def test_null_is_supported_unless_the_row_lists_it_as_unsupported_or_unlabeled():
    lists = {"unsupported_response_sentence_keys": ["b."], "unlabeled_response_sentence_keys": ["c"]}
    assert supports(*(entry(key, [], None) for key in "ab"), entry("c", ["0a"], None), **lists) == {
        "a": (True, []),
        "b": (False, []),
        "c": (None, ["0a"]),
    }


@pytest.mark.parametrize("listed", [[], ["a"], ["b"]])
@pytest.mark.parametrize("word", [True, False])
def test_true_and_false_stand_whatever_the_row_lists(word, listed):
    found = supports(entry("a", [], word), unsupported_response_sentence_keys=listed)
    assert found == {"a": (word, [])}


@pytest.mark.parametrize("junk", ["maybe", "n/a", "null", "", 0.5, 2, [], {}, [True], {"value": True}])
def test_what_is_not_understood_leaves_the_sentence_unlabeled_and_is_noted(junk):
    found, said = cleaned({"sentence_support_information": [entry("a", ["0a"], junk), entry("b", [], junk)]})
    assert found.statuses("ab") == {"a": "unlabeled", "b": "unlabeled"}
    assert found.unlabeled_response_sentence_keys == ["a", "b"]
    assert [note for note in said if "is not understood" in note]


def test_a_field_under_another_name_is_no_missing_one():
    misspelt = {"response_sentence_key": "a", "supporting_sentence_keys": ["0a"], "fully_suported": False}
    damaged = entry("a", ["0a"], True) | {"fully_supported#": False}
    assert supports(misspelt) == supports(damaged) == {"a": (None, ["0a"])}


def test_of_a_reply_that_is_not_whole_a_null_means_nothing():
    raw = {"sentence_support_information": [entry("a", ["0a"], None), entry("b", [], False)]}
    assert clean(raw, DOCUMENT, RESPONSE, whole=False).labels.statuses("ab") == {"a": "unlabeled", "b": "unsupported"}


def test_two_entries_for_one_sentence_are_joined():
    assert supports(entry("a", ["0a", "0b"]), entry("a.", ["0b", "1a"])) == {"a": (True, ["0a", "0b", "1a"])}


@pytest.mark.parametrize(
    ("words", "joined"),
    [((True, False), False), ((True, True, False), False), ((False, "maybe"), False), ((True, "maybe"), None)],
)
def test_joined_entries_are_supported_only_if_all_say_so(words, joined):
    assert supports(*(entry("a", ["0a"], word) for word in words)) == {"a": (joined, ["0a"])}


# Statuses


@pytest.mark.parametrize(
    ("support", "fully", "listed", "status"),
    [
        ([], True, None, Status.FULLY),
        (["0a"], False, None, Status.PARTIALLY),
        (["general"], False, None, Status.PARTIALLY),
        ([], False, [], Status.PARTIALLY),  # the row lists others
        ([], False, None, Status.UNSUPPORTED),
        ([], False, ["a"], Status.UNSUPPORTED),
    ],
)
def test_a_status_follows_from_the_word_the_support_and_the_rows_list(support, fully, listed, status):
    raw = {"sentence_support_information": [entry("a", support, fully)], "unsupported_response_sentence_keys": listed}
    found = cleaned(raw).labels.statuses(["b", "a"])
    assert list(found.items()) == [("b", Status.UNLABELED), ("a", status)]


# The judge's own word


@pytest.mark.parametrize(
    ("word", "entries"),
    [
        (False, [entry("a"), entry("b"), entry("c")]),
        (True, [entry("a"), entry("b"), entry("c", ["0a"], False)]),
        (True, [entry("a", [], False)]),
    ],
)
def test_a_word_that_contradicts_the_sentences_is_noted(word, entries):
    raw = {"overall_supported": word, "sentence_support_information": entries}
    assert notes(raw) == [f"overall_supported: {str(word).lower()}, but the sentences say otherwise"]


@pytest.mark.parametrize("word", [True, False])
@pytest.mark.parametrize("entries", [None, [], [entry("a"), entry("b")]])
def test_a_word_is_contradicted_only_by_a_known_adherence(word, entries):
    assert notes({"overall_supported": word, "sentence_support_information": entries}) == []


# Estimates that come with labels


def test_probabilities_and_expected_scores_are_kept():
    raw = {
        "probabilities": {"relevant": {"0a": 0.9}, "unsupported": {"b": 1}},
        "expected": {"context_relevance": 0.25, "adherence": None, "other": 1},
    }
    found = cleaned(raw).labels
    assert (found.probabilities.relevant, found.probabilities.unsupported) == ({"0a": 0.9}, {"b": 1.0})
    assert (found.expected.context_relevance, found.expected.adherence) == (0.25, None)


@pytest.mark.parametrize("junk", [-0.1, 1.1, float("nan"), "0.5", True, []])
def test_an_estimate_with_what_is_no_number_from_0_to_1_is_missing_and_noted(junk):
    raw = {"probabilities": {"relevant": {"0a": junk, "0b": 0.5}}, "expected": {"adherence": junk}}
    found = cleaned(raw).labels
    if not (isinstance(junk, float) and math.isnan(junk)):  # which is null in an expected score
        assert (found.expected, len(notes(raw))) == (None, 2)
    assert found.probabilities is None


# Keys: marks come off, lists and ranges are taken apart, nothing else is read


READ = {
    "0a": ["0a.", ".0a", "0A. ", "\t0a\n", "[0a]", "'0a'", '"0a".'],
    "0a 1b": ["0a, 1b", "0a,1b", "0a and 1b", "0a, and 1b", "0A., 1b.", "0a,, 1b,"],
    "0b 0c 0d": ["0b-0d", "0b – 0d", "0b—0d", "0B Through 0D.", "0b to 0d", "0d-0b"],
    "2f 0e 0f 1a 1b 1d": ["2f, 0e through 1b and 1d"],
}


@pytest.mark.parametrize(("untidy", "keys"), [(untidy, keys) for keys, texts in READ.items() for untidy in texts])
def test_marks_and_capitals_come_off_and_lists_and_ranges_are_taken_apart(untidy, keys):
    assert relevant(untidy) == keys.split()


def test_a_range_goes_past_z():
    assert unsupported("y-ab", response=[letters(j) for j in range(30)]) == ["y", "z", "aa", "ab"]


@pytest.mark.parametrize(
    "words", ["0a-", "0x-1b", "0b-d", "0a; 1b", "0a 1b", "sentence 0a", "all", {"key": "0a"}, ["0a"], 7]
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


# A word for true or false

WORDS = {
    True: [True, 1, 1.0, "Fully supported by 0a", "fully grounded"],
    False: [False, 0, "not supported", "Partially supported", "fully unsupported", "fully not supported"],
    None: [None, 2, 0.5, [], "", "not applicable", "not clear", "not sure", "fully unclear", "fully contradicted"],
}
WORDS[True] += "yes Yes. true full fully supported 1 **true** fully_supported FullySupported".split()
WORDS[False] += "no No. false 0 not NOT_SUPPORTED NotSupported unsupported unverified partial partly".split()
WORDS[None] += "N/A maybe unclear unknown notable".split()
WORDS[None] += ["nothing contradicts it", "mostly supported", "supported, but not all"]


@pytest.mark.parametrize(("word", "says"), [(word, says) for says, words in WORDS.items() for word in words])
def test_a_word_says_yes_or_no_or_neither(word, says):
    assert read_truth(word) is says


# Notes

SUPPORTS = "sentence_support_information"


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        ({"all_relevant_sentence_keys": ["0a-0c"]}, "all_relevant_sentence_keys: '0a-0c' read as 0a, 0b, 0c"),
        ({"all_relevant_sentence_keys": ["0a", "."]}, "all_relevant_sentence_keys: '.' names no key: dropped"),
        ({SUPPORTS: [entry("A.")]}, "response_sentence_key: 'A.' read as a"),
        ({SUPPORTS: [entry("a", ["0A"])]}, "supporting_sentence_keys: '0A' read as 0a"),
        ({SUPPORTS: [entry("a"), entry("a")]}, f"{SUPPORTS}: 2 entries for a: joined"),
        ({SUPPORTS: [5]}, f"{SUPPORTS}: 5 is not an entry: dropped"),
        ({SUPPORTS: [entry("a", ["0a"], None)]}, "fully_supported: null for a, read as true"),
        ({SUPPORTS: [entry("a", [], "yes")]}, "fully_supported: 'yes' read as true"),
        ({"overall_supported": "partly"}, "overall_supported: 'partly' read as false"),
    ],
)
def test_every_change_is_noted(raw, note):
    assert notes(raw) == [note]


def test_every_change_to_one_string_is_noted():
    field = "all_utilized_sentence_keys"
    assert notes({field: ["0a, 0B., 0a, 9z"]}) == [
        f"{field}: '0a, 0B., 0a, 9z' read as 0a, 0b, 0a",
        f"{field}: '9z' is not a key here: dropped",
        f"{field}: 0a named twice: kept once",
    ]


def test_a_long_range_is_one_short_note_and_a_long_key_quoted_shortly():
    assert all(len(note) < 200 for note in notes({"all_relevant_sentence_keys": ["x" * 100_000, "0a " * 5000]}))
    many = [letters(j) for j in range(5000)]
    (note,) = notes({"unsupported_response_sentence_keys": ["a-gjh"]}, response=many)
    assert "5000 in all" in note
    assert len(note) < 250


# Whatever a judge may say

fewer = settings(max_examples=settings().max_examples // 4)  # whole replies and records take long to draw
texts = st.text(st.characters(exclude_categories=())) | st.sampled_from(
    ["0a", "0A.", "1b, 1c", "0a through 1c", "a", "b.", "a-c", "c and a", "general", "true", "zz", "\ud800"]
)
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
keys = st.lists(texts | st.sampled_from(DOCUMENT + RESPONSE), max_size=6)
entries = st.lists(
    json_values
    | st.fixed_dictionaries(
        {},
        optional={
            "response_sentence_key": texts | keys | json_values,
            "supporting_sentence_keys": keys | json_values,
            "fully_supported": st.none() | st.booleans() | json_values,
            "explanation": texts | json_values,
        },
    ),
    max_size=5,
)
numbers = st.dictionaries(st.sampled_from([*DOCUMENT, *RESPONSE, "adherence"]), st.floats(0, 1), max_size=3)
replies = st.fixed_dictionaries(
    {},
    optional={
        "relevance_explanation": texts | json_values,
        "overall_supported_explanation": texts | json_values,
        "overall_supported": st.booleans() | json_values,
        "sentence_support_information": entries | json_values,
        "probabilities": st.dictionaries(st.sampled_from(["relevant", "unsupported"]), numbers) | json_values,
        "expected": numbers | json_values,
        **dict.fromkeys(KEY_LISTS, keys | json_values),
    },
)


@fewer
@given(replies | json_values)
def test_cleaned_labels_name_only_keys_that_exist_and_each_once(reply):
    labels = cleaned(reply).labels
    support = labels.sentence_support_information or []
    for found, known in [
        (labels.all_relevant_sentence_keys or [], DOCUMENT),
        (labels.all_utilized_sentence_keys or [], DOCUMENT),
        (labels.unsupported_response_sentence_keys or [], RESPONSE),
        ([s.response_sentence_key for s in support], RESPONSE),
        *((s.supporting_sentence_keys, [*DOCUMENT, *SPECIAL_KEYS]) for s in support),
    ]:
        assert set(found) <= set(known)
        assert len(found) == len(set(found))


@fewer
@given(replies)
def test_cleaning_cleaned_labels_changes_nothing(reply):
    once = cleaned(reply).labels
    again = cleaned(once.model_dump())
    assert again.labels == once
    kept_apart = ("no entry for", "say otherwise", "cannot be known")  # these tell of what is, not of a change
    assert [note for note in again.notes if not any(words in note for words in kept_apart)] == []


@fewer
@given(replies)
def test_cleaned_labels_and_notes_are_strict_json(reply):
    labels, said = cleaned(reply)
    json.dumps([labels.model_dump(), said], allow_nan=False, ensure_ascii=False).encode("utf-8")


def test_a_reply_nested_as_deep_as_json_allows_does_not_raise():
    deep = json.loads("[" * 900 + "]" * 900)
    for field in [*tidy(), "probabilities", "expected", "unsupported_response_sentence_keys"]:
        cleaned({field: deep})
        cleaned({field: [deep]})
    cleaned({"sentence_support_information": [entry(deep, [deep], deep, explanation=deep)]})


THOUSAND = [f"0{letters(j)}" for j in range(1000)]
RANGES = ", ".join(f"0{letters(n % 900)}-0all" for n in range(20_000))
NAMES = {"response_sentence_key": [k[1:] for k in THOUSAND], "supporting_sentence_keys": THOUSAND}


SLOW = {
    "200 kB of ranges in one": {"all_relevant_sentence_keys": [RANGES]},
    "as many apart": {"all_relevant_sentence_keys": ["0a-0all"] * 20_000},
    "20 entries of 1,000 names": {SUPPORTS: [NAMES | {"fully_supported": True, "explanation": "x" * 100_000}] * 20},
}


@pytest.mark.parametrize("reply", SLOW.values(), ids=SLOW)
@pytest.mark.timeout(60)
def test_a_reply_made_to_be_slow_is_read_to_its_end(reply):
    assert clean(reply, THOUSAND, [key[1:] for key in THOUSAND]).labels
