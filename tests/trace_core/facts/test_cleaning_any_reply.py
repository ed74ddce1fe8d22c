import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from label_examples import DOCUMENT, KEY_LISTS, RESPONSE, cleaned, entry, notes, tidy

from trace_core.facts.cleaning import clean
from trace_core.facts.labels import SPECIAL_KEYS
from trace_core.facts.sentences import letters

fewer = settings(max_examples=settings().max_examples // 4)  # whole replies and records take long to draw

SUPPORTS = "sentence_support_information"

# Notes


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


@pytest.mark.parametrize(
    "reply",
    [
        {"all_relevant_sentence_keys": [RANGES]},
        {"all_relevant_sentence_keys": ["0a-0all"] * 20_000},
        {"sentence_support_information": [NAMES | {"fully_supported": True, "explanation": "x" * 100_000}] * 20},
    ],
    ids=["200 kB of ranges in one", "as many apart", "20 entries of 1,000 names"],
)
@pytest.mark.timeout(60)
def test_a_reply_made_to_be_slow_is_read_to_its_end(reply):
    assert clean(reply, THOUSAND, [key[1:] for key in THOUSAND]).labels
