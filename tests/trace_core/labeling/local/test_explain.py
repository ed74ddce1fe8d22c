"""The words that differ, and what is said of them."""

import pytest

from trace_core.labeling.local.explain import contradicted, difference, excerpt, listed


@pytest.mark.parametrize(
    ("theirs", "ours", "found"),
    [
        ("The museum is closed on Mondays.", "The museum is open on Mondays.", ("closed", "open")),
        ("Take it before breakfast.", "Take it after breakfast.", ("before", "after")),
        ("It holds 12 litres of oil.", "It holds 12 gallons of oil.", ("litres", "gallons")),
        ("Maria Lopez founded it.", "Anna Lopez founded it.", ("Maria", "Anna")),
        ("The warranty is not valid abroad.", "The warranty is valid abroad.", ("not", "")),
        ("Dogs are allowed.", "Dogs are not allowed.", ("", "not")),
        ("Only members may vote.", "Members may vote.", ("Only", "")),
        ("It lasts three weeks.", "It lasts 3 weeks.", None),
        ("The tank is red.", "Penguins live in Antarctica and eat fish.", None),
        ("", "", None),
    ],
)
def test_the_words_that_differ(theirs, ours, found):
    assert difference(theirs, ours) == found


def test_a_contradiction_is_told_in_the_words_that_differ():
    assert contradicted("It is closed on Mondays.", "It is open on Mondays.", "0c") == (
        "The local model finds no support for it: 0c says “closed”, the answer says “open”."
    )
    assert contradicted("It is not valid abroad.", "It is valid abroad.", "0a") == (
        "The local model finds no support for it: 0a says “not”, the answer leaves it out."
    )
    assert contradicted("Dogs are allowed.", "Dogs are not allowed.", "1b") == (
        "The local model finds no support for it: 1b does not say “not”."
    )


def test_where_much_differs_the_document_is_quoted():
    assert contradicted("Anna sold the house to Peter.", "It was Peter who parted with his home.", "0a") == (
        "The local model finds no support for it, and finds it against 0a: “Anna sold the house to Peter.”"
    )


def test_a_long_quotation_is_cut():
    assert excerpt("word " * 100).endswith("word…")
    assert len(excerpt("word " * 100)) <= 140


def test_keys_are_listed_as_a_person_would():
    assert [listed(keys) for keys in (["0a"], ["0a", "0b"], ["0a", "0b", "1c"])] == ["0a", "0a and 0b", "0a, 0b and 1c"]
