"""A judge that left a sentence of the answer open is asked for it again, and for it alone."""

import pytest
from judge_server import MODEL, completion, judge_server

from trace_core.errors import InputError
from trace_core.labeling import GptLabeler
from trace_core.llm import Llm, ReplyCache
from trace_core.pipeline import evaluate
from trace_core.runs.execute.ask_again import ask_again, judged, without_adherence
from trace_core.store.corrections import CorrectionStore


def entry(key, fully=True):
    return {"response_sentence_key": key, "supporting_sentence_keys": ["0a"], "fully_supported": fully}


def labels(*keys):
    support = {"sentence_support_information": [entry(key) for key in keys]}
    return {"all_relevant_sentence_keys": ["0a"], "all_utilized_sentence_keys": ["0a"]} | support


def only_a(asked):
    return completion({"sentence_support_information": []} if asked.is_repair else labels("a"))


@pytest.fixture
def server():
    with judge_server(only_a) as started:
        yield started


def judge_of(server, model=MODEL, **more):
    return GptLabeler(Llm(model, "sk-test-0123456789", base_url=server.url, shown=server.url, **more))


@pytest.fixture
def judge(server, tmp_path):
    return judge_of(server, cache=ReplyCache(tmp_path / "replies.sqlite"))


@pytest.fixture
def run(store, judge):
    """One record of which b is open."""
    record = evaluate("Do cats purr?", ["Cats purr. Dogs bark."], "Cats purr. Dogs bark.", labeler=judge)
    assert record.scores.undefined["adherence"] == "unlabeled"
    run = store.create_run("a run", {"labeler": "gpt", "convention": "trace"}, total=1)
    store.save_records(run, [record.model_copy(update={"id": "q1"})])
    return run


def lost(store, run):
    columns = store.columns(run)
    return columns.id[without_adherence(columns.score()) & judged(columns)].tolist()


def test_the_missing_sentence_is_judged_and_the_others_stay(store, run, judge, server):
    server.reply = lambda asked: completion({"sentence_support_information": [entry("b"), entry("a", False)]})
    assert lost(store, run) == ["q1"]
    before = server.calls
    assert (list(ask_again(store, run, ["q1"], judge)), server.calls) == ([""], before + 1)
    assert "sentences of the response are supported: b." in server.asked[-1].body["messages"][-1]["content"]
    record = store.load_record(run, "q1")
    assert record.scores.adherence == 1.0
    assert record.raw_reply["first"]["read_as"]["all_relevant_sentence_keys"] == ["0a"]
    assert "b judged when asked again" in record.cleaning[-1]
    assert lost(store, run) == []
    assert store.load_run(run).usage["calls"] == 1


def test_corrections_stay(store, run, judge, server):
    server.reply = lambda asked: completion({"sentence_support_information": [entry("b")]})
    people = CorrectionStore(store.database)
    people.add(run, "q1", author="Ann", sentence_key="a", field="supported", value="unsupported")
    list(ask_again(store, run, ["q1"], judge))
    record = store.load_record(run, "q1")
    assert record.scores.adherence == 0.0
    assert [s.fully_supported for s in record.labels.sentence_support_information] == [False, True]
    assert [s.fully_supported for s in record.labeler_labels.sentence_support_information] == [True, True]


def test_a_reply_that_was_kept_is_not_read_twice(store, run, judge, server):
    """The same question again is another asking: the judge may say it now."""
    before = server.calls
    for _ in range(2):
        [left] = ask_again(store, run, ["q1"], judge)
        assert left.startswith("Record q1, sentences b: ")
    assert server.calls == before + 2
    assert lost(store, run) == ["q1"]


def test_another_judge_does_not_fill_a_record(store, run, server):
    with pytest.raises(InputError, match="was labeled by gpt-test"):
        list(ask_again(store, run, ["q1"], judge_of(server, "gpt-other")))
