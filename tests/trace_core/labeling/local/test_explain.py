"""The words that clash, and what is said of them."""

import pytest

from trace_core.labeling.local.explain import clash, contradiction, no_support, support


@pytest.mark.parametrize(
    ("theirs", "ours", "words"),
    [
        ("The tank holds 18 litres.", "The tank holds 24 litres.", ("24", "18")),
        ("It holds 12 litres of oil.", "It holds 12 gallons of oil.", ("gallons", "litres")),
        ("It is open on Mondays.", "It is open on Fridays.", ("Fridays", "Mondays")),
        ("The letter was sold to Maria Lopez.", "The letter was sold to Anna Lopez.", ("Anna", "Maria")),
        ("The warranty is not valid abroad.", "The warranty is valid abroad.", ("", "not")),
        ("Dogs are allowed.", "Dogs are not allowed.", ("not", "")),
    ],
)
def test_a_number_a_unit_a_date_a_name_and_a_negation_clash(theirs, ours, words):
    assert clash(ours, theirs) == words


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("The tank is big.", "It is big."),
        ("The path ends at the lake.", "The trail ends at the lake."),
        ("It is open in the morning.", "It is open on the morning."),
        ("It lasts three weeks.", "It lasts 3 weeks."),
        ("The lid is red.", "The lid is red and made by Ada Lovelace in 1912."),
    ],
)
def test_a_pronoun_a_synonym_a_small_word_and_an_addition_do_not(theirs, ours):
    assert clash(ours, theirs) is None


def test_reasons_are_short_and_list_keys_as_a_person_would():
    assert support(["0b"]) == "0b says so."
    assert support(["0a", "0b", "1c"]) == "0a, 0b and 1c say so together."
    assert contradiction(("18", "24"), "0c") == "0c says otherwise: 18 ≠ 24."
    assert contradiction(("", "not"), "0c") == "0c says otherwise, with “not”."
    assert contradiction(("not", ""), "0c") == "0c says otherwise, without “not”."
    assert no_support("The lid is red.", "0a") == "Nothing says it; the nearest sentence is 0a: “The lid is red.”"


def test_a_long_quotation_is_cut():
    quotation = no_support("word " * 100, "0a").partition("“")[2].removesuffix("”")
    assert quotation.endswith("word…")
    assert len(quotation) <= 140
