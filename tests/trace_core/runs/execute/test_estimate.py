import json

import pytest
from run_examples import row

from trace_core.runs.execute.estimate import estimate
from trace_core.settings import Settings

JUDGED = {"labeler": "gpt", "answerer": "gpt", "top_k": 3}


ROWS = [row(n) for n in range(300)]


@pytest.fixture
def settings(tmp_path):
    """One token in costs 1, one out 10."""
    prices = {"currency": "EUR", "models": {"m": {"input": 1_000_000, "output": 10_000_000}}}
    (tmp_path / "prices.json").write_text(json.dumps(prices), encoding="utf-8")

    def made(**more):
        return Settings(TRACE_DATA_DIR=tmp_path, TRACE_CONCURRENCY=4, _env_file=None, **({"TRACE_MODEL": "m"} | more))

    return made


def test_a_local_run_makes_no_calls_and_costs_nothing(settings):
    found = estimate(ROWS[:10], 10, {"labeler": "local", "answerer": "extractive"}, settings())
    assert (found.calls, found.prompt_tokens, found.cost, found.to_label) == (0, 0, 0.0, 10)


def test_a_judge_is_called_once_a_row(settings):
    found = estimate(ROWS[:10], 10, JUDGED, settings())
    assert (found.calls, found.to_answer, found.to_retrieve) == (10, 0, 0)
    # two response sentences and three of documents: 300 + 80·2 + 2·3 a row
    assert found.completion_tokens == 4660
    assert (found.cost, found.currency) == (found.prompt_tokens + 10 * 4660, "EUR")


def test_the_first_rows_stand_for_all_and_that_is_said(settings):
    few, many = (estimate(ROWS, total, JUDGED, settings()) for total in (200, 1000))
    assert (many.calls, many.prompt_tokens) == (1000, 5 * few.prompt_tokens)
    assert any("first 200 rows stand for all 1000" in words for words in many.assumptions)


def test_an_unknown_price_is_no_price_of_0(settings):
    found = estimate(ROWS[:10], 10, JUDGED, settings(TRACE_MODEL="other"))
    assert found.cost is None
    assert any("prices.json" in words for words in found.assumptions)


@pytest.mark.parametrize(
    ("limits", "each", "seconds"),
    [
        ({}, None, 10.0),  # 10 calls of 4 s, 4 at once
        ({}, 2.0, 5.0),  # 10 records of 2 s, 4 at once
        ({"TRACE_REQUESTS_PER_MINUTE": 5}, 2.0, 120.0),
    ],
)
def test_time_comes_from_earlier_runs_concurrency_and_limits(settings, limits, each, seconds):
    assert estimate(ROWS[:10], 10, JUDGED, settings(**limits), seconds_each=each).seconds == seconds


def test_a_row_with_labels_takes_little_and_a_pace_is_said_in_milliseconds(settings):
    assert estimate(ROWS, 1000, {"labeler": "recorded"}, settings()).seconds == 10.0
    said = estimate(ROWS[:10], 10, {"labeler": "local"}, settings(), seconds_each=0.0042).assumptions
    assert said == ["An earlier run took 4.2 ms a record."]


def test_records_of_the_local_labeler_take_turns_at_the_processors(settings, monkeypatch):
    monkeypatch.setenv("TRACE_THREADS", "2")
    assert estimate(ROWS[:10], 10, {"labeler": "local"}, settings(), seconds_each=2.0).seconds == 10.0
