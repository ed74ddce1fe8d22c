"""A run's budget is one budget, however often the run is stopped, killed and resumed."""

import json
import signal
import sqlite3
import threading
import time
from contextlib import closing
from dataclasses import replace

import pytest
from judge_server import MODEL, completion, judge_server, refused, tokens
from killable import Killable
from run_examples import Counting, reply_to, row
from waiting import until

from trace_core.facts.records import Sentences
from trace_core.labeling import GptLabeler
from trace_core.llm import ReplyCache, llm_from
from trace_core.runs.execute.engine import Engine
from trace_core.runs.execute.worker import Worker
from trace_core.settings import Settings
from trace_core.store.store import Store, open_store

LABELS = json.dumps(reply_to(Sentences.split(row(1)["documents"], row(1)["response"])))
ROWS = 40
PRICES = {"models": {MODEL: {"input": 10_000, "output": 0}}}
"""A reply of 100 prompt tokens costs 1."""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "prices.json").write_text(json.dumps(PRICES), encoding="utf-8")
    return tmp_path


def engine_on(store, folder, server, **more):
    return Engine(store, settings_of(folder, server.url), **more)


def settings_of(folder, url):
    judge = {"OPENAI_BASE_URL": url, "TRACE_MODEL": MODEL, "TRACE_LABELER": "gpt"}
    return Settings(TRACE_DATA_DIR=folder, TRACE_CONCURRENCY=4, _env_file=None, **judge)


def run_over(engine, rows, budget=None):
    dataset = engine.store.datasets.add_dataset("rows", [(f"q{n}", row(n)) for n in range(1, rows + 1)])
    return engine.create(dataset, "rows", budget=budget)


def resumed(engine, run):
    engine.start(run)
    assert engine.wait(run, 60)
    return engine.store.runs.load_run(run)


def test_resuming_a_run_gives_it_no_new_budget_where_the_server_counts_nothing(store, folder):
    with judge_server(lambda asked: completion(LABELS, usage=False)) as server:
        engine = engine_on(Store(store.database), folder, server)
        run = run_over(engine, ROWS, budget=40.0)
        calls = []
        for _ in range(4):
            ended = resumed(engine, run)
            calls.append(server.calls)
        engine.close()
    assert 0 < calls[0] == calls[-1] < ROWS
    assert (ended.status, ended.usage["calls"]) == ("stopped", calls[0])
    assert 0 < ended.usage["estimated_cost"] <= 40


def work(say, url, run, folder, server):
    engine = Engine(open_store(url), settings_of(folder, server))
    say("begins")
    engine.start(run)
    engine.wait(run)


@pytest.mark.process
def test_what_a_killed_process_paid_for_counts_once(folder):
    """It is killed while the database takes no records: each reply came, none is stored."""
    go = threading.Event()

    def reply(asked):
        go.wait(60)
        return completion(LABELS, usage=tokens(100, 0))

    cache, path = ReplyCache(folder / "replies.sqlite"), folder / "trace.sqlite"
    with judge_server(reply) as server:
        engine = engine_on(open_store(f"sqlite:///{path}"), folder, server)
        run = run_over(engine, 4)
        process = Killable(work, f"sqlite:///{path}", run, folder, server.url)
        until(lambda: server.calls)
        with closing(sqlite3.connect(path, isolation_level=None)) as locked:
            locked.execute("BEGIN IMMEDIATE")
            go.set()
            until(lambda: cache.charges(run)[0] == 4 and replies(folder) == 4)
            process.end(signal.SIGKILL)
        engine.recover()
        ended = resumed(engine, run)
        again = resumed(engine, run)
        engine.close()
        assert server.calls == 4
    cache.close()
    assert (ended.status, ended.counts["scored"]) == ("done", 4)
    assert (ended.usage["calls"], ended.usage["cost"]) == (4, pytest.approx(4.0))
    assert again.usage == ended.usage


def replies(folder):
    """How many replies are in the cache: each is noted as paid for just before."""
    with closing(sqlite3.connect(folder / "replies.sqlite")) as connection:
        return connection.execute("SELECT count(*) FROM replies").fetchone()[0]


def test_a_stop_ends_a_wait_and_what_waited_is_done_when_the_run_is_resumed(store, folder):
    with judge_server(lambda asked: refused(503, headers={"Retry-After": "100"})) as server:
        engine = engine_on(Store(store.database), folder, server)
        run = run_over(engine, 4)
        engine.start(run)
        until(lambda: server.calls)
        time.sleep(0.3)
        start = time.monotonic()
        engine.stop(run)
        assert engine.wait(run, 30)
        assert time.monotonic() - start < 5
        stopped = engine.store.runs.load_run(run)
        server.reply = lambda asked: completion(LABELS)
        ended = resumed(engine, run)
        engine.close()
    assert (stopped.status, stopped.reason, stopped.counts["pending"]) == ("stopped", "You stopped this run.", 4)
    assert (ended.status, ended.counts["scored"]) == ("done", 4)


def test_stopping_a_run_leaves_the_clients_other_work_alone(store, folder):
    with judge_server(lambda asked: completion(LABELS)) as server:
        shared = llm_from(settings_of(folder, server.url))
        own = shared.for_run("r", None)
        worker = Worker({}, GptLabeler(own), llm=own)
        engine = engine_on(Store(store.database), folder, server, worker_of=lambda config: worker)
        run = run_over(engine, ROWS)
        engine.start(run)
        engine.stop(run)
        assert engine.wait(run, 60)
        engine.close()
        assert shared.text([{"role": "user", "content": "?"}], purpose="p").text == LABELS
        shared.close()


def test_calls_that_a_killed_process_made_count_without_a_price_too(store, folder):
    cache = ReplyCache(folder / "replies.sqlite")
    with judge_server(lambda asked: completion(LABELS)) as server:
        engine = engine_on(Store(store.database), folder, server)
        run = run_over(engine, 2)
        cache.charge(run, 3, 0.0)
        ended = resumed(engine, run)
        engine.close()
    cache.close()
    assert ended.usage["calls"] == 2 + 3


class Costly(Counting):
    """A labeler that is paid for elsewhere, as on a cluster: only its records say what it cost."""

    def label(self, question, sentences, progress=None):
        return replace(super().label(question, sentences, progress), usage={"calls": 1, "cost": 1.0})


def test_what_the_records_cost_is_within_the_budget_wherever_they_were_made(store, folder):
    with judge_server(lambda asked: completion(LABELS)) as server:
        engine = engine_on(Store(store.database), folder, server, worker_of=lambda config: Worker(config, Costly()))
        run = run_over(engine, ROWS, budget=9.0)
        ended = resumed(engine, run)
        engine.close()
    assert (ended.status, 5 <= ended.usage["cost"] <= 9) == ("stopped", True)
    assert "The budget of 9 is used up" in ended.reason
