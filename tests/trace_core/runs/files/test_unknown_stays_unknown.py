"""What a judge left open is open in the row that is written, and in the record that is read from it."""

import json

import pytest
from run_examples import support

from trace_core.datasets import Item
from trace_core.facts.cleaning import clean
from trace_core.facts.records import Document, Record, Response
from trace_core.metrics import CONVENTIONS, score
from trace_core.runs.files.row_records import to_record, to_row

DOCUMENT, ANSWER = "The tank holds 2 litres. The lid is red.", "The tank holds 2 litres. The lid is red."
FIRST = support("a")


def record(*entries):
    """A record labeled by a reply with these entries; the answer has two sentences, a and b."""
    documents = [Document(id="0", rank=1, text=DOCUMENT)]
    made = Record(id="1", question="How much?", documents=documents, response=Response(text=ANSWER))
    lists = {name: ["0a"] for name in ("all_relevant_sentence_keys", "all_utilized_sentence_keys")}
    raw = lists | {"sentence_support_information": list(entries)}
    sentences = made.sentences()
    cleaned = clean(raw, sentences.document_keys(), sentences.response_keys())
    made.labels, made.cleaning = cleaned.labels, cleaned.notes
    return made


def row_of(made):
    row = Item(question=made.question, documents=[DOCUMENT], response=ANSWER)
    return to_row(row, made, score(made.labels, made.sentences(), "ragbench"))


def read_back(made):
    """The record that is read from the row that was written, as JSON text."""
    return to_record(Item.model_validate(json.loads(json.dumps(row_of(made)))), "1")


OPEN = {"no entry": [], "a word that is not understood": [support("b", ["0b"], "hard to say")]}


@pytest.mark.parametrize("second", OPEN.values(), ids=OPEN)
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
    row = row_of(record(FIRST))
    assert row["unsupported_response_sentence_keys"] is None
    assert row["undefined"] == {"adherence": "unlabeled"}
    assert any("no entry for b" in note for note in row["cleaning"])
