"""What an entry says where its word on support is missing, and what several entries for one sentence say together."""

import pytest
from label_examples import cleaned, entry, supports

# Entries with other fields, and several entries for one sentence


@pytest.mark.parametrize(
    "extra",
    [
        {"confidence": 0.9},
        {"confidence": "high"},
        {"notes": "Not to be found elsewhere."},
        {"index": 1},
        {"text": "x"},
        {"supporting_text": "It holds."},
    ],
    ids=repr,
)
def test_a_missing_word_on_support_is_a_null_whatever_other_field_there_is(extra):
    given = {"response_sentence_key": "a", "supporting_sentence_keys": ["0a"], **extra}
    assert supports(given) == {"a": (True, ["0a"])}
    assert supports(given | {"supporting_sentence_keys": []}) == {"a": (False, [])}


@pytest.mark.parametrize(
    "extra",
    [
        {"fully_suported": False},
        {"fullySupported": True},
        {"supported": False},
        {"is_supported": "no"},
        {"support": "none"},
        {"fully": 1},
        {"verdict": "refuted"},
        {"status": "unclear"},
        {"hallucinated": True},
        {"backed": "no"},
    ],
    ids=repr,
)
def test_a_word_on_support_under_another_name_is_no_missing_one(extra):
    given = {"response_sentence_key": "a", "supporting_sentence_keys": ["0a"], **extra}
    assert supports(given) == {"a": (None, ["0a"])}


@pytest.mark.parametrize(
    ("entries", "fully"),
    [
        ([([], None), (["0a"], None)], True),
        ([(["0a"], None), ([], None)], True),
        ([([], None), ([], None)], False),
        ([([], None), (["0a"], True)], True),
        ([(["0a"], None), ([], False)], False),
        ([(["0a"], None), ([], "maybe")], None),
        ([(["the manual"], None), (["0a"], None)], True),
        ([(["the manual"], None), ([], None)], None),
    ],
)
def test_supports_are_joined_before_the_rule_for_null_is_applied_once(entries, fully):
    raw = {"sentence_support_information": [entry("a", *said) for said in entries]}
    labels, notes = cleaned(raw)
    assert labels.sentence_support_information[0].fully_supported is fully
    assert len([note for note in notes if "null for a" in note]) == 1


def test_a_contradiction_holds_however_many_entries_there_are():
    found = cleaned(
        {
            "sentence_support_information": [
                entry("a", ["0a"], None),
                entry("a", [], None, contradicting_sentence_keys=["0b"]),
            ]
        }
    ).labels.sentence_support_information[0]
    assert found.contradicted
