"""RAGBench's own labels replayed as a judge's replies: end to end, from the prompt over HTTP to scores.

The result must equal `score` on the same rows without their list of unsupported sentences: a judge gives no
such list.
"""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

from judge_server import MODEL, Asked, completion, judge_server

from trace_core.datasets import read_rows, to_record, unique_ids
from trace_core.datasets.rows import LABEL_FIELDS, Row
from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.cleaning import clean
from trace_core.facts.records import Record
from trace_core.labeling import GptLabeler
from trace_core.llm import Llm
from trace_core.metrics import CONVENTIONS, score
from trace_core.pipeline import label_all

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "ragbench"
WORKERS = 8


class Replayed(NamedTuple):
    """`differing` lists row and convention; `failed` lists the rows with an error."""

    rows: int
    calls: int
    prompt_characters: int
    differing: list[tuple[str, str]]
    failed: list[str]


def judged(row: Row) -> dict[str, Any]:
    """The judge's reply for the row."""
    extra = row.model_extra or {}
    return {name: extra.get(name) for name in LABEL_FIELDS if name != "unsupported_response_sentence_keys"}


def material(record: Record) -> str:
    """A key that distinguishes one record's prompt from another's."""
    keyed = [[[s.key, s.text] for s in document.sentences] for document in record.documents]
    response = [[s.key, s.text] for s in record.sentences().response]
    return json.dumps({"documents": keyed, "question": record.question, "response": response}, sort_keys=True)


def replay(file: Path, first: int | None = None) -> Replayed:
    """Label the file's rows (or the first `first` of them) with their own labels, over HTTP."""
    good, bad = read_rows(file)
    assert bad == []
    rows = list(islice(good, first))
    named = list(zip(rows, unique_ids(rows), strict=True))
    said: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row, record_id in named:
        said[material(to_record(row, record_id, with_labels=False))].append(judged(row))
    lock = Lock()

    def reply(asked: Asked) -> Any:
        with lock:  # identical texts have two labelings, in row order
            return completion(said[json.dumps(asked.material, sort_keys=True)].pop(0))

    alike = any(len(labelings) > 1 for labelings in said.values())
    with judge_server(reply) as server:
        llm = Llm(MODEL, "sk-test-0123456789", base_url=server.url, shown=server.url)
        records = (to_record(row, record_id, with_labels=False) for row, record_id in named)
        labeled = list(label_all(records, GptLabeler(llm), 1 if alike else WORKERS))
        llm.close()
        sent = sum(len(message["content"]) for asked in server.asked for message in asked.body["messages"])
        return Replayed(
            rows=len(rows),
            calls=server.calls,
            prompt_characters=sent,
            differing=[pair for row, record in zip(rows, labeled, strict=True) for pair in _differing(row, record)],
            failed=[record.id for record in labeled if record.error],
        )


def _differing(row: Row, record: Record) -> list[tuple[str, str]]:
    sentences = record.sentences()
    expected = clean(judged(row), sentences.document_keys(), sentences.response_keys()).labels
    return [
        (record.id, convention)
        for convention in CONVENTIONS
        if rescore(record, convention).scores != score(expected, sentences, convention)
    ]
