"""A run as a file: `trace-run/1`, JSON lines, a table, RAGBench rows, query log lines, or an HTML report. Records are
written one at a time, so that a long run needs little memory. The same run gives the same bytes."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any, TextIO

from trace_core.datasets.rows import MADE_BY, SCORED_BY, TRUTH, Item
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError
from trace_core.facts.records import EXPECTED, Record, Scores
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
    """The format of that name. Raises `InputError` for an unknown one."""
    if kind not in FORMATS:
        raise InputError(f"There is no format {kind!r}.", f"Formats are {', '.join(FORMATS)}.")
    return FORMATS[kind]


def _json(run: RunExport, out: TextIO) -> None:
    """One record a line, for a reader that never holds them all."""
    head = {"schema": SCHEMA, "run": run.run, "counts": run.counts, "summary": run.summary()}
    parts = "".join(f'"{name}": {json.dumps(value, allow_nan=False)},\n' for name, value in head.items())
    out.write(f'{{{parts}"records": [')
    before = "\n"
    for record in run.records():
        out.write(before + _record_text(run, record))
        before = ",\n"
    out.write("\n]}\n")


def _record_text(_: RunExport, record: Record) -> str:
    try:
        return record.model_dump_json()
    except ValueError:  # a raw reply may contain values that JSON cannot represent: replaced by `to_dict`
        return json.dumps(record.to_dict(), allow_nan=False)


def _lines(text: Callable[[RunExport, Record], str]) -> Callable[[RunExport, TextIO], None]:
    return lambda run, out: out.writelines(text(run, record) + "\n" for record in run.records())


def _objects(line: Callable[[RunExport, Record], dict[str, Any]]) -> Callable[[RunExport, TextIO], None]:
    return _lines(lambda run, record: json.dumps(line(run, record), allow_nan=False))


def _log(run: RunExport, out: TextIO) -> None:
    contributions = run.contributions()
    _objects(lambda _, record: log_line(record, contributions.get(record.id)))(run, out)


def _row_expectations(record: Record) -> dict[str, Any]:
    """What the record's row expects that its golden question cannot hold."""
    return {name: record.fields[name] for name in EXPECTED if name in record.fields}


def _ragbench_row(_: RunExport, record: Record) -> dict[str, Any]:
    """A row, with its other fields, that reads back as the same question, documents, response, labels and ground truth.
    Released scores stay in their columns; others are those of its labels, marked, or they would come back as truth."""
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
    fields = record.fields | to_row(row, record, scores) | golden | _row_expectations(record)
    truth = record.ground_truth
    if truth and truth.labels is None and truth.convention == "ragbench" and MADE_BY not in fields:
        del fields[SCORED_BY]
        return fields | released_scores(truth.scores)
    return fields | ({TRUTH: truth.model_dump(mode="json")} if truth else {})


def table_row(record: Record, divisor: float = RELEVANCE_DIVISOR) -> dict[str, Any]:
    """One record as the columns of the table; `None` means an empty cell."""
    scores, verdict, retrieval = record.scores, record.verdict, record.retrieval
    golden = (record.golden.model_dump() if record.golden else {}) | _row_expectations(record)
    convention, true = _true_scores(record, divisor)
    undefined = "; ".join(f"{name}: {reason}" for name, reason in scores.undefined.items()) if scores else None
    return {
        "id": record.id,
        "source_id": record.source_id,
        "question": record.question,
        "response": record.response.text if record.response else None,
        "documents": len(record.documents),
        "generation_model_name": record.generation_model_name,
        "labeler": record.labels.labeler if record.labels else None,
        **{name: getattr(scores, name, None) for name in Scores.model_fields},
        "undefined": undefined,
        "verdict": verdict and verdict.status,
        "confidence": verdict and verdict.confidence,
        "findings": "; ".join(finding.title for finding in record.findings),
        **{f"true_{name}": true.get(name) for name in METRICS},
        "true_convention": convention,
        "retrieval_confidence": retrieval and retrieval.confidence,
        **{name: _field_text(golden.get(name)) for name in EXPECTED},
        "reference_covered": record.reference and record.reference.covered,
        "answer_backed": record.reference and record.reference.backed,
        **{name: golden.get(name) for name in DOCUMENT_SCORES},
        "tokens": record.usage.get("total_tokens"),
        "seconds": sum(record.seconds.values()) if record.seconds else None,
        "cleaning": _field_text(record.cleaning or None),
        "error": record.error and record.error.message,
    }


def _true_scores(record: Record, divisor: float) -> tuple[str | None, Mapping[str, float | None]]:
    """The ground truth, under the convention of the scores beside it where its labels allow that, else as given."""
    truth, scores = record.ground_truth, record.scores
    if truth is None:
        return None, {}
    if truth.labels is None or scores is None:
        return truth.convention, truth.scores
    return scores.convention, truth_scores(truth, record.sentences(), Scoring(scores.convention, divisor))


def _csv(run: RunExport, out: TextIO) -> None:
    """The records are read once: the rows wait in a file until all of their fields' names are known."""
    columns = dict.fromkeys(TABLE)
    with TemporaryFile("w+", encoding="utf-8") as rows:
        for record in run.records():
            fields = {name: value for name, value in record.fields.items() if name not in EXPECTED}
            row = {_field_column(name): _cell(_field_text(value)) for name, value in fields.items()}
            row |= {name: _cell(value) for name, value in table_row(record, run.scoring.divisor).items()}
            columns |= dict.fromkeys(row)
            rows.write(json.dumps(row) + "\n")
        rows.seek(0)
        writer = csv.DictWriter(out, columns, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(map(json.loads, rows))


def _field_column(name: str) -> str:
    clash = name in TABLE or name.startswith(_OF_ROW) or not name.strip()
    return f"{_OF_ROW}{name}" if clash else str(_cell(name))


def _field_text(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _cell(value: Any) -> Any:
    """A value in which no spreadsheet finds a formula: a text that looks like one begins with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


TABLE = tuple(table_row(Record(id="", question="")))
"""The columns of the table, which is for reading: an import takes `json`, `jsonl` or `ragbench`."""
_OF_ROW = "row."
"""Before the name of a row's field that would be taken for a column of the table."""
_FORMULA = re.compile(r"['\s\x00-\x1f\u200b-\u200f\ufeff]*[=+\-@＝＋－＠﹦﹢﹣﹫]|[\t\r\n]")


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
        Format("jsonl", "Records (JSONL)", "jsonl", _NDJSON, _lines(_record_text)),
        Format("ragbench", "RAGBench rows (JSONL)", "ragbench.jsonl", _NDJSON, _objects(_ragbench_row)),
        Format("log", "Query log (JSONL)", "log.jsonl", _NDJSON, _log),
        Format("openinference", "Evaluations for OpenInference (OTLP)", "otlp.jsonl", _NDJSON, _objects(openinference)),
        Format("langfuse", "Scores for Langfuse (ingestion)", "langfuse.jsonl", _NDJSON, _objects(langfuse)),
        Format("junit", "Test results (JUnit XML)", "junit.xml", "application/xml", write_junit),
        Format("summary", "Summary (Markdown)", "summary.md", "text/markdown", write_summary),
    )
}
"""The formats that `export` writes. This is the only place to add one."""
