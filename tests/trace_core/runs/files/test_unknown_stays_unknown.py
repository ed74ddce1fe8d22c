"""What a judge left open is open in the row that is written, and in the record that is read from it."""

import json

import pytest

from trace_core.datasets import Item
from trace_core.facts.cleaning import clean
from trace_core.facts.records import Document, Record, Response
from trace_core.metrics import CONVENTIONS, score
from trace_core.runs.files.row_records import to_record, to_row

DOCUMENT, ANSWER = "The tank holds 2 litres. The lid is red.", "The tank holds 2 litres. The lid is red."
FIRST = {"response_sentence_key": "a", "supporting_sentence_keys": ["0a"], "fully_supported": True}


def record(*entries):
    """A record labeled by a reply with these entries; the answer has two sentences, a and b."""
    made = Record(
        id="1",
        question="How much?",
        documents=[Document(id="0", rank=1, text=DOCUMENT)],
        response=Response(text=ANSWER),
    )
    raw = {
        "all_relevant_sentence_keys": ["0a"],
        "all_utilized_sentence_keys": ["0a"],
        "sentence_support_information": list(entries),
    }
    sentences = made.sentences()
    cleaned = clean(raw, sentences.document_keys(), sentences.response_keys())
    made.labels, made.cleaning = cleaned.labels, cleaned.notes
    return made


def read_back(made):
    """The record that is read from the row that was written, as JSON text."""
    row = Item(question=made.question, documents=[DOCUMENT], response=ANSWER)
    scored = score(made.labels, made.sentences(), "ragbench")
    return to_record(Item.model_validate(json.loads(json.dumps(to_row(row, made, scored)))), "1")


@pytest.mark.parametrize(
    "second",
    [[], [{"response_sentence_key": "b", "supporting_sentence_keys": ["0b"], "fully_supported": "hard to say"}]],
    ids=["no entry", "a word that is not understood"],
)
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_a_sentence_that_the_judge_left_open_stays_open(second, convention):
    given = record(FIRST, *second)
    again = read_back(given)
    keys = given.sentences().response_keys()
    assert again.labels.statuses(keys) == given.labels.statuses(keys) == {"a": "fully", "b": "unlabeled"}
    scored = score(again.labels, again.sentences(), convention)
    assert scored.adherence == score(given.labels, given.sentences(), convention).adherence
    assert scored.adherence == (1.0 if convention == "graded" else None)


def test_why_it_is_open_is_in_the_row():
    given = record(FIRST)
    row = to_row(
        Item(question="How much?", documents=[DOCUMENT], response=ANSWER),
        given,
        score(given.labels, given.sentences(), "ragbench"),
    )
    assert row["unsupported_response_sentence_keys"] is None
    assert row["undefined"] == {"adherence": "unlabeled"}
    assert any("no entry for b" in note for note in row["cleaning"])
