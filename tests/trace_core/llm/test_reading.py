"""The object in a model's text, whatever stands around it and wherever it ends."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.errors import SettingsError
from trace_core.llm.reading import find_object
from trace_core.llm.usage import Prices, read_prices

FIELDS = ("why", "keys", "entries", "last")
WHOLE = {"why": 'a } and { and "q"', "keys": ["0a", "0b"], "entries": [{"k": "a"}, {"k": "b"}], "last": True}
TEXT = json.dumps(WHOLE)


@pytest.mark.parametrize(
    ("before", "after"),
    [("", ""), ("Sure: ", " Bye {x}"), ("```json\n", "\n```"), ('<think>{} {"a": 1}</think> ', ""), ("{x} ", " }")],
)
def test_the_object_with_the_wanted_fields_is_found(before, after):
    assert find_object(before + TEXT + after, FIELDS) == WHOLE


def test_an_object_that_breaks_off_is_none_and_no_draft_replaces_it():
    for end in range(2, len(TEXT)):
        assert find_object(TEXT[:end], FIELDS) is None
        assert find_object(f"Draft: {TEXT} Final: {TEXT[:end]}", FIELDS) is None


def test_an_object_with_two_values_for_one_field_is_none():
    assert find_object('{"why": "a", "why": "b"}', FIELDS) is None
    data = find_object('{"why": "a", "entries": [{"k": "a", "k": "b"}, {"k": "c", "k": "c"}]}', FIELDS)
    assert data["entries"] == [[("k", "a"), ("k", "b")], {"k": "c"}]


@given(st.text())
def test_no_text_is_too_odd(text):
    find_object(text, FIELDS)


@pytest.mark.parametrize("text", ["{" * 5000, '{"why": ' + "[" * 100_000, "[1, 2]", "null", "", '{"a": NaN}'])
def test_no_nesting_is_too_deep(text):
    assert "why" not in (find_object(text, FIELDS) or {})


# Prices: data that a person can edit


def test_the_packaged_prices_know_the_default_model(tmp_path):
    price = read_prices(tmp_path).of("gpt-5.4-mini")
    assert price is not None
    assert price.of(1_000_000, 1_000_000) == price.input + price.output


def test_a_dated_name_has_the_price_of_its_model():
    prices = Prices.model_validate({"models": {"m": {"input": 1, "output": 2}}})
    assert prices.of("m-2026-03-17") == prices.of("m")
    assert prices.of("m-mini") is None


def test_prices_in_the_data_folder_replace_the_packaged_ones(tmp_path):
    own = {"currency": "EUR", "models": {"mine": {"input": 3, "output": 4, "context_tokens": 8000}}}
    (tmp_path / "prices.json").write_text(json.dumps(own), encoding="utf-8")
    prices = read_prices(tmp_path)
    assert prices.currency == "EUR"
    assert prices.of("mine").context_tokens == 8000
    assert prices.of("gpt-5.4-mini") is None


@pytest.mark.parametrize(
    ("text", "said"), [("{", "Invalid JSON"), ('{"models": {"m": {"input": -1, "output": 1}}}', "models.m.input")]
)
def test_prices_that_cannot_be_used_are_an_error_that_names_the_place(tmp_path, text, said):
    (tmp_path / "prices.json").write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"prices\.json") as caught:
        read_prices(tmp_path)
    assert said in str(caught.value)
