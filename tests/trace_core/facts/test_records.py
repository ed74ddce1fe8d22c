import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from metric_examples import labels

from trace_core.facts.labels import Labels
from trace_core.facts.records import Document, Failure, Record, Response, Retrieval, Sentences, Truth
from trace_core.metrics import score


def written(record):
    """The record as UTF-8 JSON, read back."""
    line = json.dumps(record.to_dict(), allow_nan=False, ensure_ascii=False).encode("utf-8")
    return Record.model_validate(json.loads(line))


def full():
    record = Record(
        id="r1#2",
        source_id="r1",
        created_at="2024-01-01T00:00:00+00:00",
        question="What is it?",
        documents=[Document(id="d", rank=1, retrieval_score=0.75, title="T", text="It is. It was.")],
        response=Response(text="It is. Or not.", citations=["d"], generator="extractive"),
        labels=labels("0a", "", "a+0a"),
        raw_reply={"all_relevant_sentence_keys": ["0a."]},
        cleaning=["all_relevant_sentence_keys: '0a.' read as 0a"],
        overrides=[{"field": "all_relevant_sentence_keys", "key": "0a", "by": "human"}],
        ground_truth=Truth(scores={"adherence": 1.0, "completeness": None}),
        retrieval=Retrieval(collection="c", top_k=5, confidence=0.75),
        usage={"tokens": 12},
        seconds={"label": 0.5},
        error=Failure(step="label", message="no answer"),
    )
    record.scores = score(record.labels, record.sentences())
    return record


# Round trip and strict JSON


def test_a_record_comes_back_from_its_json_as_it_was():
    assert written(full()) == full()


def test_fields_that_a_later_version_adds_are_ignored():
    shown = full().to_dict() | {"added_later": 1}
    assert Record.model_validate(shown) == full()


texts = st.text(st.characters(exclude_categories=()), max_size=30)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
records = st.builds(
    Record,
    id=texts,
    source_id=st.none() | texts,
    question=texts,
    documents=st.lists(
        st.builds(Document, id=texts, rank=st.integers(1, 9), retrieval_score=st.none() | st.floats(), text=texts),
        max_size=2,
    ),
    response=st.none() | st.builds(Response, text=texts, citations=st.lists(texts, max_size=2)),
    labels=st.none() | st.builds(Labels, relevance_explanation=st.none() | texts),
    raw_reply=json_values,
    cleaning=st.lists(texts, max_size=2),
    overrides=st.lists(st.dictionaries(texts, json_values, max_size=2), max_size=2),
    error=st.none() | st.builds(Failure, step=texts, message=texts),
)


@given(records)
def test_any_record_comes_back_from_its_json_as_it_was(record):
    assert written(record) == record


# What no database can store

BAD, GOOD = "a\ud800b\udfffc\0", "a\ufffdb\ufffdc\ufffd"


def test_they_are_replaced_in_every_text_of_a_record():
    record = Record(
        id="1",
        question="?",
        documents=[Document(id=BAD, rank=1, title=BAD, text=BAD)],
        response=Response(text=BAD, citations=[BAD], generator=BAD),
        labels=Labels(relevance_explanation=BAD, labeler_version=BAD),
        raw_reply={BAD: [BAD, {"x": BAD}]},
        cleaning=[BAD],
        overrides=[{"why": BAD}],
        error=Failure(step="label", message=BAD, hint=BAD),
    )
    assert "\\ud" not in json.dumps(record.to_dict())
    assert record.documents[0].text == record.response.text == record.error.message == GOOD
    assert record.raw_reply == {GOOD: [GOOD, {"x": GOOD}]}


def test_offsets_stay_true_where_a_surrogate_was_replaced():
    record = Record(id="1", question="?", documents=[Document(id="d", rank=1, text="One \ud800. Two.")])
    sentences = record.documents[0].sentences
    assert [record.documents[0].text[s.start : s.end].strip() for s in sentences] == ["One \ufffd.", "Two."]


# Numbers that JSON does not have


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_null(number):
    documents = [Document(id="d", rank=1, retrieval_score=number, text="")]
    record = Record(id="1", question="?", documents=documents, raw_reply={"p": [number]})
    assert record.documents[0].retrieval_score is None
    assert record.raw_reply == {"p": [None]}


def test_a_reply_nested_too_deep_to_be_written_is_cut_off():
    deep = json.loads("[" * 900 + "]" * 900)
    record = Record(id="1", question="?", raw_reply=deep)
    assert written(record) == record
    assert record.raw_reply[0][0][0]


# Sentences


def test_document_keys_number_the_documents():
    sentences = Sentences.split(["It is. It was.", "", "It will be."], "Yes. No.")
    assert sentences.document_keys() == ["0a", "0b", "2a"]
    assert sentences.response_keys() == ["a", "b"]
