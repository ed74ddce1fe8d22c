"""A run as a file: `trace-run/1`, JSON lines, a table, RAGBench rows, query log lines, or an HTML report.

Records are written one at a time, so that a long run needs little memory. The same run gives the same bytes.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from trace_core.datasets.rows import MADE_BY, OURS, SCORED_BY, Item
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError
from trace_core.facts.records import EXPECTED, Record
from trace_core.metrics import METRICS, RELEVANCE_DIVISOR, Scoring
from trace_core.metrics.truth import truth_scores
from trace_core.runs.files.evaluations import langfuse, openinference
from trace_core.runs.files.exported import DOCUMENT_SCORES, RunExport
from trace_core.runs.files.pipeline import write_junit, write_summary
from trace_core.runs.files.report import write_report
from trace_core.runs.files.row_records import released_scores, to_row
from trace_core.runs.files.schema import SCHEMA
from trace_core.store.query_log import log_line


def export(run: RunExport, kind: str, out: TextIO) -> None:
    """Write the run in one of `FORMATS`. Raises `InputError` for another name."""
    format_of(kind).write(run, out)


def format_of(kind: str) -> Format:
    """The format with that name. Raises `InputError` for an unknown one."""
    if kind not in FORMATS:
        raise InputError(f"There is no format {kind!r}.", f"Formats are {', '.join(FORMATS)}.")
    return FORMATS[kind]


def _json_text(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def _json(run: RunExport, out: TextIO) -> None:
    """One record a line, for a reader that never holds them all."""
    head = {"schema": SCHEMA, "run": run.run, "counts": run.counts, "summary": run.summary()}
    out.write("{" + "".join(f'"{name}": {_json_text(value)},\n' for name, value in head.items()) + '"records": [')
    before = "\n"
    for record in run.records():
        out.write(before + _json_text(record.to_dict()))
        before = ",\n"
    out.write("\n]}\n")


def _lines(line: Callable[[RunExport, Record], dict[str, Any]]) -> Callable[[RunExport, TextIO], None]:
    return lambda run, out: out.writelines(_json_text(line(run, record)) + "\n" for record in run.records())


def _log(run: RunExport, out: TextIO) -> None:
    contributions = run.contributions()
    _lines(lambda _, record: log_line(record, contributions.get(record.id)))(run, out)


def _expected(record: Record) -> dict[str, Any]:
    """What the record's row expects that its golden question cannot hold."""
    return {name: record.fields[name] for name in EXPECTED if name in record.fields}


def _ragbench_row(_: RunExport, record: Record) -> dict[str, Any]:
    """A row, with its other fields, that reads back as the same question, documents, response, labels and ground truth.

    Released scores that are the ground truth of recorded labels stay in their columns. In every other row these
    columns have the scores of its labels, and a mark says so: unmarked, they would come back as ground truth.
    """
    row = Item(
        id=record.source_id or record.id,
        question=record.question,
        document_ids=[document.id for document in record.documents],
        document_titles=[document.title or document.id for document in record.documents],
        generation_model_name=record.generation_model_name,
    )
    own = record.scores if record.labels is None else None
    scores = own if own and own.convention == "ragbench" else rescore(record, "ragbench").scores
    assert scores is not None  # noqa: S101  # `rescore` always sets them
    golden = record.golden.model_dump(include={*EXPECTED}) if record.golden else {}
    fields, truth = record.fields | to_row(row, record, scores) | golden | _expected(record), record.ground_truth
    if truth and truth.labels is None and truth.convention == "ragbench" and MADE_BY not in fields:
        return fields | released_scores(truth.scores)
    fields[SCORED_BY] = OURS
    return fields | ({"ground_truth": truth.model_dump(mode="json")} if truth else {})


TABLE = (
    "id",
    "source_id",
    "question",
    "response",
    "documents",
    "generation_model_name",
    "labeler",
    "convention",
    *METRICS,
    "average",
    "rmse_aggregation",
    "consistency_score",
    "undefined",
    "overall_supported",
    "fully_supported_sentences",
    "partially_supported_sentences",
    "unsupported_sentences",
    "unlabeled_sentences",
    "verdict",
    "confidence",
    "findings",
    *(f"true_{name}" for name in METRICS),
    "true_convention",
    "retrieval_confidence",
    *EXPECTED,
    "reference_covered",
    "answer_backed",
    *DOCUMENT_SCORES,
    "tokens",
    "seconds",
    "cleaning",
    "error",
)
"""The columns of the table, which is for reading: an import takes `json`, `jsonl` or `ragbench`."""
_OF_ROW = "row."
"""Before the name of a row's field that would be taken for a column of the table."""
_FORMULA = re.compile(r"['\s\x00-\x1f\u200b-\u200f\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n]")


def _csv(run: RunExport, out: TextIO) -> None:
    fields = dict.fromkeys(name for record in run.records() for name in record.fields if name not in EXPECTED)
    named = {name: _field_column(name) for name in fields}
    writer = csv.DictWriter(out, (*TABLE, *named.values()), lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    for record in run.records():
        row = {named[name]: _field_text(value) for name, value in record.fields.items() if name in named}
        row |= table_row(record, run.scoring.divisor)
        writer.writerow({name: _cell(value) for name, value in row.items()})


def _field_column(name: str) -> str:
    taken = name in TABLE or name.startswith(_OF_ROW) or not name.strip()
    return f"{_OF_ROW}{name}" if taken else str(_cell(name))


def _field_text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _cell(value: Any) -> Any:
    """A value in which no spreadsheet finds a formula: a text that looks like one begins with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def table_row(record: Record, divisor: float = RELEVANCE_DIVISOR) -> dict[str, Any]:
    """One record as the table's columns; `None` means an empty cell."""
    scores, truth = record.scores, record.ground_truth
    row: dict[str, Any] = dict.fromkeys(TABLE)
    row |= {
        "id": record.id,
        "source_id": record.source_id,
        "question": record.question,
        "response": record.response.text if record.response else None,
        "documents": len(record.documents),
        "generation_model_name": record.generation_model_name,
        "labeler": record.labels.labeler if record.labels else None,
        "findings": "; ".join(finding.title for finding in record.findings),
        "retrieval_confidence": record.retrieval.confidence if record.retrieval else None,
        "tokens": record.usage.get("total_tokens"),
        "seconds": sum(record.seconds.values()) if record.seconds else None,
        "cleaning": _field_text(record.cleaning or None),
        "error": record.error.message if record.error else None,
        "verdict": record.verdict.status if record.verdict else None,
        "confidence": record.verdict.confidence if record.verdict else None,
    }
    if scores:
        row |= {name: value for name, value in scores if name in row}
        row["undefined"] = "; ".join(f"{name}: {reason}" for name, reason in scores.undefined.items())
    golden = record.golden.model_dump() if record.golden else {}
    row |= {name: _field_text(value) for name, value in (golden | _expected(record)).items()}
    if record.reference:
        row |= {"reference_covered": record.reference.covered, "answer_backed": record.reference.backed}
    if truth:
        # under the convention of the scores beside it where its labels allow that, else as given
        same = truth.labels is not None and scores is not None
        convention = scores.convention if same and scores else truth.convention
        true = truth_scores(truth, record.sentences(), Scoring(convention, divisor)) if same else truth.scores
        row |= {f"true_{name}": true.get(name) for name in METRICS} | {"true_convention": convention}
    return row


@dataclass(frozen=True, slots=True)
class Format:
    """A file format for runs: its name in commands, and its label, file suffix and MIME type on the page."""

    name: str
    label: str
    suffix: str
    media_type: str
    write: Callable[[RunExport, TextIO], None]


_NDJSON = "application/x-ndjson"
FORMATS: Mapping[str, Format] = {
    form.name: form
    for form in (
        Format("json", "Run file (trace-run/1)", "json", "application/json", _json),
        Format("html", "Report (one HTML file)", "html", "text/html", write_report),
        Format("csv", "Table (CSV)", "csv", "text/csv", _csv),
        Format("jsonl", "Records (JSONL)", "jsonl", _NDJSON, _lines(lambda _, record: record.to_dict())),
        Format("ragbench", "RAGBench rows (JSONL)", "ragbench.jsonl", _NDJSON, _lines(_ragbench_row)),
        Format("log", "Query log (JSONL)", "log.jsonl", _NDJSON, _log),
        Format("openinference", "Evaluations for OpenInference (OTLP)", "otlp.jsonl", _NDJSON, _lines(openinference)),
        Format("langfuse", "Scores for Langfuse (ingestion)", "langfuse.jsonl", _NDJSON, _lines(langfuse)),
        Format("junit", "Test results (JUnit XML)", "junit.xml", "application/xml", write_junit),
        Format("summary", "Summary (Markdown)", "summary.md", "text/markdown", write_summary),
    )
}
"""The formats that `export` writes. This is the only place to add one."""
