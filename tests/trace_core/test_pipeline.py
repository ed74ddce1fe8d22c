import signal
import threading
import time

import pytest

from trace_core import demo, library
from trace_core.answering import Answer, Extractive
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError, LabelingError, ModelError, RetrievalError, SettingsError, UnknownCollection
from trace_core.facts.records import Record
from trace_core.labeling import Reply, make_labeler
from trace_core.metrics import CONVENTIONS, METRICS
from trace_core.pipeline import Pipeline, Search, ask_collection, evaluate, in_order, label, pipeline_from
from trace_core.settings import Settings
from trace_core.summary.aggregation import count_columns
from trace_core.summary.columns import columns_of

QUESTION = "How many litres does the water tank hold?"


@pytest.fixture
def pipeline(collections):
    demo.load_collections(collections)
    return pipeline_from(Settings(_env_file=None), collections, labeler="local", answerer="extractive")


class Judge:
    """A labeler that says what it was told to say, or fails; it counts its calls."""

    name, version = "gpt", "test-1"

    def __init__(self, said):
        self.said, self.calls = said, 0

    def label(self, question, sentences, progress=None):
        self.calls += 1
        if isinstance(self.said, Exception):
            raise self.said
        return Reply(self.said, usage={"total": 12})


SAID = {
    "all_relevant_sentence_keys": ["0a.", "9z"],
    "all_utilized_sentence_keys": ["0a"],
    "sentence_support_information": [
        {"response_sentence_key": "a", "supporting_sentence_keys": ["0a"], "fully_supported": True}
    ],
}


# Ask


def test_a_question_becomes_a_scored_record(pipeline):
    record = library.ask(pipeline, f"  {QUESTION}\n", "espresso-manual", top_k=4)
    assert record.error is None
    assert record.question == QUESTION
    assert [document.rank for document in record.documents] == [1, 2, 3, 4]
    assert record.documents[3].sentences[0].key == "3a"
    assert record.documents[0].id.startswith("water-tank")
    assert record.response.generator == "extractive"
    assert set(record.response.citations) <= {document.id for document in record.documents}
    assert record.retrieval.confidence == record.documents[0].retrieval_score
    assert record.retrieval.action in ("correct", "ambiguous")
    assert record.labels.labeler == "local"
    assert record.scores.adherence == 1
    assert record.scores.convention == "trace"
    assert set(record.seconds) == {"retrieve", "answer", "label"}


def test_each_step_is_told_with_what_there_is_of_the_record(pipeline):
    told = []

    def step(name, record):
        told.append((name, bool(record.documents), record.response is not None, record.labels is not None))

    ask_collection(pipeline, QUESTION, Search("espresso-manual"), on_step=step)
    assert told == [
        ("retrieve", False, False, False),
        ("answer", True, False, False),
        ("label", True, True, False),
        ("score", True, True, True),
    ]


def test_what_the_documents_do_not_hold_is_refused(pipeline):
    record = ask_collection(pipeline, "Who won the football world cup in 1954?", Search("espresso-manual"))
    assert record.retrieval.action == "incorrect"
    assert "declined" in [finding.name for finding in record.findings]
    assert record.response.citations == []


def test_an_empty_question_is_an_error_that_names_the_field(pipeline):
    with pytest.raises(InputError, match="empty") as caught:
        ask_collection(pipeline, " \n\t", Search("espresso-manual"))
    assert caught.value.field == "question"


def test_nothing_can_be_asked_of_what_is_not_there_or_empty(pipeline, collections):
    collections.create("empty", 384)
    with pytest.raises(UnknownCollection):
        ask_collection(pipeline, QUESTION, Search("no"))
    with pytest.raises(RetrievalError, match="is empty"):
        ask_collection(pipeline, QUESTION, Search("empty"))


# What fails keeps what was made before


def test_a_labeler_that_fails_leaves_documents_answer_and_its_reason(collections, model):
    demo.load_collections(collections)
    failing = Pipeline(collections, Extractive(model), Judge(LabelingError("The judge is silent.", "Try again.")))
    record = ask_collection(failing, QUESTION, Search("espresso-manual", 2))
    assert (record.error.step, record.error.message, record.error.hint) == (
        "label",
        "The judge is silent.",
        "Try again.",
    )
    assert len(record.documents) == 2
    assert "litres" in record.response.text
    assert record.response.sentences
    assert record.labels is None
    assert record.scores.undefined == dict.fromkeys(METRICS, "failed: The judge is silent.")
    assert all(getattr(record.scores, name) is None for name in METRICS)


def test_an_answerer_that_fails_leaves_the_documents_and_its_reason(collections):
    class Silent:
        name = "silent"

        def answer(self, question, documents) -> Answer:
            raise ModelError("There is no generator.")

    demo.load_collections(collections)
    judge = Judge(SAID)
    record = ask_collection(Pipeline(collections, Silent(), judge), QUESTION, Search("espresso-manual", 2))
    assert (record.error.step, record.error.message) == ("answer", "There is no generator.")
    assert len(record.documents) == 2
    assert record.response is None
    assert judge.calls == 0
    assert record.scores.undefined["adherence"] == "failed: There is no generator."


def test_a_second_try_that_works_clears_the_error():
    record = evaluate("?", ["One."], "One.", labeler=Judge(LabelingError("no")))
    assert record.error
    label(record, Judge(SAID))
    assert record.error is None
    assert rescore(record, "trace").scores.adherence == 1


# Evaluate


def test_texts_become_a_labeled_and_scored_record():
    record = evaluate("What?", ["One. Two.", "Three."], "One.", labeler=Judge(SAID))
    assert [(d.id, d.rank, d.text) for d in record.documents] == [("0", 1, "One. Two."), ("1", 2, "Three.")]
    assert [s.key for d in record.documents for s in d.sentences] == ["0a", "0b", "1a"]
    assert record.labels.all_relevant_sentence_keys == ["0a"]
    assert (record.labels.labeler, record.labels.labeler_version) == ("gpt", "test-1")
    assert record.raw_reply == SAID
    assert any("9z" in note for note in record.cleaning)
    assert record.usage == {"total": 12}
    assert record.scores.context_relevance == 1 / 20


def test_more_sentences_than_can_be_labeled_in_time_are_given_to_no_labeler():
    record = evaluate("What?", ["It is so. " * 1_000], "It is not. " * 1_001, labeler=Judge(AssertionError("asked")))
    assert (record.error.step, record.labels) == ("label", None)
    assert "have 2,001 sentences; at most 2,000 are labeled at once" in record.error.message
    assert record.scores.undefined.keys() == METRICS.keys()


def test_documents_of_other_records_get_the_keys_of_their_place():
    a = evaluate("What is it?", ["It is blue. It is old."], "It is blue.")
    b = evaluate("What is it?", ["It is far. It is red."], "It is red.")
    found = evaluate("What colour is it?", [a.documents[0], b.documents[0]], "It is red.", convention="ragbench")
    assert found.sentences().document_keys() == ["0a", "0b", "1a", "1b"]
    texts = evaluate("What colour is it?", ["It is blue. It is old.", "It is far. It is red."], "It is red.")
    assert found.labels == texts.labels
    assert a.sentences().document_keys() == b.sentences().document_keys() == ["0a", "0b"]  # theirs are as they were


@pytest.mark.parametrize(("name", "wrong", "there"), [("labeler", "oracle", "local"), ("convention", "best", "trace")])
def test_an_unknown_labeler_or_convention_is_an_error_that_names_those_there_are(name, wrong, there):
    with pytest.raises(SettingsError, match=f"'{wrong}'.*{there}"):
        evaluate("?", ["One."], "One.", **{name: wrong})


# Rescore


def test_every_convention_is_shown_without_asking_the_labeler_again():
    judge = Judge(SAID)
    record = evaluate("?", ["One red. Two.", "Three."], "One.", labeler=judge)
    found = {name: rescore(record, name).scores.context_relevance for name in CONVENTIONS}
    assert found == {"trace": 1 / 20, "ragbench": 1 / 3, "graded": 1 / 3, "token": 2 / 4}
    assert judge.calls == 1


def test_a_record_without_labels_is_undefined_with_the_reason():
    scores = rescore(Record(id="1", question="?"), "graded").scores
    assert scores.undefined == dict.fromkeys(METRICS, "not labeled")
    assert scores.convention == "graded"


def test_a_record_survives_its_json(model):
    record = evaluate("?", ["One \ud800."], "One.", labeler=make_labeler("local", model))
    assert Record.model_validate(record.to_dict()) == record


def test_a_failed_generation_is_neither_labeled_nor_scored():
    record = evaluate("How high is the dam?", "The dam is 40 m high.", "nan")
    assert record.labels is None
    assert record.error is None
    assert (record.scores.adherence, record.scores.average) == (None, None)
    assert record.scores.undefined["adherence"].startswith("failed generation: ")
    assert count_columns(columns_of([record]).score())["failed_generations"] == 1


def test_a_signal_that_interrupts_no_wait_is_heard_before_the_work_has_ended():
    """As one that comes when the main thread is about to wait: here it comes to the thread that works."""
    heard, in_time = threading.Event(), []

    def work(_):
        time.sleep(0.5)  # the main thread waits meanwhile
        signal.pthread_kill(threading.get_ident(), signal.SIGUSR1)
        in_time.append(heard.wait(20))

    before = signal.signal(signal.SIGUSR1, lambda *_: heard.set())
    try:
        list(in_order(work, [1], 1))
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert in_time == [True]
