"""Runs of sixty rows on judges that do what judges do: each ends in time, every row kept, each failure named."""

import json
import time

import pytest
from judge_server import MODEL, Answer, completion, judge_server, priced, refused, tokens
from run_examples import reply_to, row

from trace_core.facts.records import Sentences
from trace_core.labeling import GptLabeler
from trace_core.llm import Limits, Llm, Price
from trace_core.runs.execute.engine import Engine
from trace_core.runs.execute.worker import Worker
from trace_core.settings import Settings
from trace_core.store.store import Store

ROWS, SILENCE = 60, 6.0
LABELS = json.dumps(reply_to(Sentences.split(row(1)["documents"], row(1)["response"])))


def dripping(asked):
    """Every tenth row: a byte now and then."""
    drips = int(asked.material["question"].strip("What is?")) % 10 == 0
    return Answer(completion(LABELS).body, drip=0.1 if drips else 0)


@pytest.fixture
def run_on(store, tmp_path):
    """Run sixty rows on a judge: the store's run and records, and how long it took."""

    def run_on(url, resumed=None, budget=None, **more):
        limits = Limits(concurrency=16, budget=budget, seconds=SILENCE)
        prices = priced(Price(input=10_000, output=0))
        llm = Llm(MODEL, "sk-test-0123456789", base_url=url, limits=limits, prices=prices)
        settings = Settings(TRACE_DATA_DIR=tmp_path, TRACE_CONCURRENCY=16, _env_file=None)
        worker = Worker({}, GptLabeler(llm), llm=llm)
        engine = Engine(Store(store.database), settings, worker_of=lambda config: worker)
        rows = [] if resumed else [(f"q{n}", row(n, **more)) for n in range(1, ROWS + 1)]
        run = resumed or engine.create(engine.store.datasets.add_dataset("sixty", rows), "sixty")
        start = time.monotonic()
        engine.start(run)
        assert engine.wait(run, 60)
        seconds = time.monotonic() - start
        engine.close()
        llm.close()
        return store.load_run(run), list(store.records(run)), seconds

    return run_on


def test_a_run_ends_in_time_with_every_row_and_each_failure_named(run_on):
    with judge_server(dripping) as server:
        run, records, seconds = run_on(server.url)
    assert [record.id for record in records] == [f"q{n}" for n in range(1, ROWS + 1)]
    failed = [record for record in records if record.error]
    assert (run.status, run.counts["failed"], len(failed)) == ("done", 6, 6)
    assert all("did not finish within 6 s" in record.error.message for record in failed)
    assert all(record.scores.adherence is None for record in failed)
    assert seconds < 45  # six rows that drip at once; each would take more than a minute


def test_a_fault_of_every_row_stops_the_run_after_ten_and_resuming_it_does_all(run_on):
    with judge_server(lambda asked: refused(401, "Incorrect API key provided")) as server:
        run, records, _ = run_on(server.url)
        assert len({asked.material["question"] for asked in server.asked}) == 10
        assert (run.status, run.counts["pending"], run.counts["failed"]) == ("stopped", ROWS - 10, 10)
        assert all("Incorrect API key provided" in record.raw_reply for record in records)
        assert run.reason.startswith(f"Stopped after 10 of {ROWS}: ")
        assert "does not accept the key (401)." in run.reason
        server.reply = lambda asked: completion(LABELS)
        run, records, _ = run_on(server.url, run.id)
    assert (run.status, run.reason, run.counts["scored"], len(records)) == ("done", "", ROWS, ROWS)


def test_what_ten_failures_cost_is_charged_and_their_replies_are_kept(run_on):
    with judge_server(lambda asked: completion("I would rather not.", usage=tokens(100, 0))) as server:
        run, records, _ = run_on(server.url)
        assert server.calls == 20
    assert [record.raw_reply for record in records] == [{"said": ["I would rather not."] * 2}] * 10
    assert (run.usage["calls"], run.usage["cost"]) == (20, pytest.approx(20.0))
    assert "the reply is kept" in run.reason


def test_ten_failures_of_different_kinds_are_each_their_rows_own(run_on):
    def differing(asked):
        return refused(418, f"no {asked.number % 2}") if asked.number <= 10 else completion(LABELS)

    with judge_server(differing) as server:
        run, _, _ = run_on(server.url)
    assert (run.status, run.counts["failed"], run.counts["scored"]) == ("done", 10, ROWS - 10)


def test_a_run_says_of_how_many_prompts_the_server_read_only_a_part(run_on):
    with judge_server(lambda asked: completion(LABELS, usage=tokens(512, 9))) as server:
        run, _, _ = run_on(server.url, documents=["The tank holds two litres of water. " * 100])
    assert run.usage["cut_prompts"] == ROWS
    assert f"read only a part of the prompt of {ROWS} records" in run.reason


def test_rows_that_the_budget_does_not_allow_stay_open(run_on):
    with judge_server(lambda asked: completion(LABELS)) as server:
        run, records, _ = run_on(server.url, budget=30.0)  # each reply costs 1
        assert 0 < len(records) == server.calls < ROWS
    assert (run.status, run.counts["failed"]) == ("stopped", 0)
    assert "The budget of 30 does not allow another call" in run.reason
