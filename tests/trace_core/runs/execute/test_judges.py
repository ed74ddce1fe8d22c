"""Runs of sixty rows on judges that do what judges do: each ends in time, every row kept, each failure named."""

import json
import time

import pytest
from judge_server import MODEL, Answer, completion, judge_server, redirected
from run_examples import reply_to, row

from trace_core.facts.records import Sentences
from trace_core.labeling import GptLabeler
from trace_core.llm import Limits, Llm
from trace_core.runs.execute.engine import Engine
from trace_core.runs.execute.worker import Worker
from trace_core.settings import Settings
from trace_core.store.database import Database
from trace_core.store.store import Store

ROWS, SILENCE = 60, 3.0
LABELS = json.dumps(reply_to(Sentences.split(row(1)["documents"], row(1)["response"])))
DRAFT = LABELS.replace("true", "false")


def dripping(asked):
    """Every third row: a byte now and then."""
    drips = int(asked.material["question"].strip("What is?")) % 3 == 0
    return Answer(completion(LABELS).body, drip=0.1 if drips else 0)


def one_word_missing(asked):
    """The judge never says anything of the last sentence."""
    reply = json.loads(LABELS)
    return completion(reply | {"sentence_support_information": reply["sentence_support_information"][:-1]})


JUDGES = {
    "dripping": (dripping, 20, "did not finish its reply within 6 s"),
    "redirecting": (lambda asked: redirected("http://127.0.0.1:9/v1/chat/completions"), 60, "sends elsewhere (307)"),
    "thinking": (lambda asked: completion(f"<think>{DRAFT}</think>\n{LABELS}"), 0, ""),
    "only thinking": (lambda asked: completion(f"<think>{DRAFT}</think>"), 60, "The judge gave no labels."),
    "reply in what it thought": (lambda asked: completion("", reasoning=LABELS), 0, ""),
    "one sentence left out": (one_word_missing, 0, ""),
}


@pytest.fixture
def run_on(tmp_path):
    """Run sixty rows on a judge: the store's run and records, and how long it took."""
    database = Database(f"sqlite:///{tmp_path / 'trace.sqlite'}")
    store = Store(database)

    def run_on(url):
        llm = Llm(MODEL, "sk-test-0123456789", base_url=url, shown=url, timeout=SILENCE, limits=Limits(concurrency=16))
        settings = Settings(TRACE_DATA_DIR=tmp_path, _env_file=None)
        worker = Worker({}, GptLabeler(llm))
        engine = Engine(store, settings, worker_of=lambda config: worker, concurrency=16)
        dataset = store.datasets.add_dataset("sixty", [(f"q{n}", row(n)) for n in range(1, ROWS + 1)])
        run, start = engine.create(dataset, "sixty"), time.monotonic()
        engine.start(run)
        assert engine.wait(run, 60)
        seconds = time.monotonic() - start
        engine.close()
        llm.close()
        return store.runs.load_run(run), list(store.runs.records(run)), seconds

    yield run_on
    database.close()


@pytest.mark.parametrize("name", JUDGES)
def test_a_run_ends_in_time_with_every_row_and_each_failure_named(run_on, name):
    reply, failures, why = JUDGES[name]
    with judge_server(reply) as server:
        run, records, seconds = run_on(server.url)
    assert run.status == "done"
    assert [record.id for record in records] == [f"q{n}" for n in range(1, ROWS + 1)]
    failed = [record for record in records if record.error]
    assert run.counts["failed"] == len(failed) == failures
    assert all(why in record.error.message for record in failed)
    assert all(record.scores.adherence is None for record in failed)
    assert seconds < 45  # twenty rows that drip, sixteen at a time, six seconds each


def test_a_draft_never_stands_for_the_reply(run_on):
    with judge_server(JUDGES["thinking"][0]) as server:
        _, records, _ = run_on(server.url)
    assert {record.scores.adherence for record in records} == {1}


def test_a_run_says_how_many_rows_have_no_adherence_and_why(run_on):
    with judge_server(one_word_missing) as server:
        run, records, _ = run_on(server.url)
    assert run.counts["undefined"] == ROWS
    assert {record.scores.undefined["adherence"] for record in records} == {"unlabeled"}
    assert all(record.usage["calls"] == 2 for record in records)  # asked again, once
    assert all("no entry for b: unlabeled" in " ".join(record.cleaning) for record in records)


def test_the_servers_own_query_comes_with_every_request(run_on):
    with judge_server(lambda asked: completion(LABELS)) as server:
        run, _, _ = run_on(f"{server.url}/chat/completions?api-version=2024-10-21")
        assert {asked.path for asked in server.asked} == {"/v1/chat/completions?api-version=2024-10-21"}
    assert run.counts["scored"] == ROWS
