"""A judge that replies with RAGBench's own labels scores as those labels do, from prompt over HTTP to scores."""

import json
from collections import defaultdict
from itertools import islice
from pathlib import Path
from threading import Lock

import pytest
from judge_server import completion, judge_server

from trace_core.datasets import read_whole
from trace_core.datasets.rows import LABEL_FIELDS
from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.cleaning import clean
from trace_core.labeling import GptLabeler
from trace_core.metrics import CONVENTIONS, score
from trace_core.pipeline import label_all
from trace_core.runs.files.row_records import to_record, unique_ids

FOLDER = Path(__file__).resolve().parents[4] / "shared" / "data" / "ragbench"
FIRST = 25
ABSENT = pytest.param(None, marks=pytest.mark.skip(reason=f"RAGBench's rows are not in {FOLDER}"))


def judged(row):
    """The judge's reply for the row; a judge gives no list of unsupported sentences."""
    extra = row.model_extra or {}
    return {name: extra.get(name) for name in LABEL_FIELDS if name != "unsupported_response_sentence_keys"}


def material(record):
    """A key that tells one record's prompt from another's."""
    keyed = [[[s.key, s.text] for s in document.sentences] for document in record.documents]
    response = [[s.key, s.text] for s in record.sentences().response]
    return json.dumps({"documents": keyed, "question": record.question, "response": response}, sort_keys=True)


def differing(row, record):
    sentences = record.sentences()
    expected = clean(judged(row), sentences.document_keys(), sentences.response_keys()).labels
    return [c for c in CONVENTIONS if rescore(record, c).scores != score(expected, sentences, c)]


@pytest.mark.parametrize(
    "file", sorted(FOLDER.glob("*.jsonl")) or [ABSENT], ids=lambda file: getattr(file, "stem", "absent")
)
def test_replayed_labels_score_as_the_rows_do_and_a_row_costs_one_call_or_two(file):
    rows = list(islice(read_whole(file).items, FIRST))
    records = [to_record(row, name, with_labels=False) for row, name in zip(rows, unique_ids(rows), strict=True)]
    replies = defaultdict(list)
    for row, record in zip(rows, records, strict=True):
        replies[material(record)].append(judged(row))
    lock = Lock()

    def reply(asked):
        labelings = replies[json.dumps(asked.material, sort_keys=True)]
        with lock:  # identical texts have two labelings, in row order; asked again, a judge says the same
            return completion(labelings.pop(0) if len(labelings) > 1 else labelings[0])

    alike = any(len(labelings) > 1 for labelings in replies.values())
    with judge_server(reply) as server:
        llm = server.llm()
        labeled = list(label_all(records, GptLabeler(llm), 1 if alike else 8))
    assert len(labeled) == FIRST
    assert [record.id for record in labeled if record.error] == []
    assert {record.id: d for row, record in zip(rows, labeled, strict=True) if (d := differing(row, record))} == {}
    assert FIRST <= server.calls <= FIRST + 1  # asked once more for the missing entries of a row
