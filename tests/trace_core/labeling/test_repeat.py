"""Asking twice: what changes from one labeling to the next."""

import pytest
from judge_server import MODEL, completion, judge_server, refused, then

from trace_core.errors import InputError
from trace_core.facts.labels import Labels, Support
from trace_core.facts.records import Document, Record, Response, Sentences
from trace_core.labeling import GptLabeler
from trace_core.labeling.repeat import flips, label_n
from trace_core.llm import Llm, ReplyCache


def reply(relevant, utilized, **supported):
    """The judge's JSON; `a=True` says that sentence a is supported."""
    return {
        "relevance_explanation": "",
        "all_relevant_sentence_keys": relevant,
        "overall_supported_explanation": "",
        "overall_supported": all(supported.values()),
        "sentence_support_information": [
            {"response_sentence_key": key, "explanation": "", "supporting_sentence_keys": [], "fully_supported": fully}
            for key, fully in supported.items()
        ],
        "all_utilized_sentence_keys": utilized,
    }


@pytest.fixture
def record():
    return Record(
        id="1",
        question="?",
        documents=[Document(id="d", rank=1, text="One is red. Two is blue.")],
        response=Response(text="One is red. Two is green."),
    )


def asking(server, cache=None):
    return GptLabeler(Llm(MODEL, "sk-test-0123456789", base_url=server.url, shown=server.url, cache=cache))


def test_two_labelings_flip_where_they_disagree(record):
    answers = (
        completion(reply(["0a"], ["0a"], a=True, b=True)),
        completion(reply(["0a", "0b"], ["0a"], a=True, b=False)),
    )
    with judge_server(then(*answers)) as server:
        twice = label_n(record, asking(server))
    assert twice.flips == {
        "relevant": {"0a": 0, "0b": 1},
        "utilized": {"0a": 0, "0b": 0},
        "supported": {"a": 0, "b": 1},
    }
    assert (twice.rate("relevant"), twice.rate("utilized"), twice.rate("supported")) == (1 / 2, 0, 1 / 2)
    assert [one.labeler for one in twice.labels] == ["gpt", "gpt"]
    assert server.calls == 2


def test_of_three_labelings_every_pair_counts(record):
    answers = [completion(reply(["0a"] if n == 0 else [], [], a=True, b=True)) for n in range(3)]
    with judge_server(then(*answers)) as server:
        assert label_n(record, asking(server), 3).flips["relevant"] == {"0a": 2 / 3, "0b": 0}


def test_the_record_stays_as_it_is(record):
    before = record.model_copy(deep=True)
    with judge_server(lambda asked: completion(reply([], [], a=True, b=True))) as server:
        label_n(record, asking(server))
    assert record == before


def test_each_asking_is_kept_apart_and_asked_once(record, tmp_path):
    answers = completion(reply(["0a"], [], a=True, b=True)), completion(reply([], [], a=True, b=True))
    with judge_server(then(*answers)) as server:
        first = label_n(record, asking(server, ReplyCache(tmp_path / "r.sqlite")))
        again = label_n(record, asking(server, ReplyCache(tmp_path / "r.sqlite")))
    assert server.calls == 2
    assert again.flips == first.flips
    assert again.flips["relevant"]["0a"] == 1


def test_a_labeling_that_fails_is_counted_and_flips_nothing(record):
    with judge_server(then(completion(reply(["0a"], [], a=True, b=True)), refused(401))) as server:
        twice = label_n(record, asking(server))
    assert len(twice.labels) == 1
    assert "does not accept the key" in twice.failures[0]
    assert twice.rate("relevant") is None


def test_what_a_labeling_does_not_say_is_no_flip():
    support = Support(response_sentence_key="a", fully_supported=True)
    known = Labels(all_relevant_sentence_keys=["0a"], sentence_support_information=[support])
    silent = Labels(all_relevant_sentence_keys=None, sentence_support_information=[])
    sentences = Sentences.split(["One."], "One. Two.")
    found = flips([known, silent, known], sentences)
    assert found == {"relevant": {"0a": 0}, "utilized": {}, "supported": {"a": 0}}


def test_once_is_not_enough(record):
    with judge_server(lambda asked: refused(500)) as server, pytest.raises(InputError, match="at least twice"):
        label_n(record, asking(server), 1)
