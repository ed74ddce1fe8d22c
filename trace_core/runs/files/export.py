"""A run as a file: `trace-run/1`, JSON lines, a table, RAGBench rows, query log lines, or an HTML report.

Records are written one at a time, so that a long run needs little memory. The same run gives the same bytes.
"""

from __future__ import annotations

import csv
import json
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from trace_core.contribution import Contribution
from trace_core.datasets.rows import MADE_BY, OURS, SCORED_BY, Row, released_scores, to_row
from trace_core.diagnosis.faults import examine
from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError
from trace_core.facts.records import EXPECTED, Record, Truth
from trace_core.metrics import METRICS, RELEVANCE_DIVISOR
from trace_core.metrics.truth import truth_scores
from trace_core.runs.files.exported import DOCUMENT_SCORES, Exported
from trace_core.runs.files.schema import SCHEMA
from trace_core.runs.files.writer import write_run
from trace_core.store.query_log import log_line

if TYPE_CHECKING:
    from trace_core.store.measurements import Measurement


def export(run: Exported, kind: str, out: TextIO) -> None:
    """Write the run in one of `FORMATS`. Raises `InputError` for another name."""
    format_of(kind).write(run, out)


def format_of(kind: str) -> Format:
    """The format with that name. Raises `InputError` for an unknown one."""
    if kind not in FORMATS:
        raise InputError(f"There is no format {kind!r}.", f"Formats are {', '.join(FORMATS)}.")
    return FORMATS[kind]


def _json(run: Exported, out: TextIO) -> None:
    head = {"schema": SCHEMA, "run": run.run, "counts": run.counts, "summary": run.summary()}
    write_run(out, head, (record.to_dict() for record in run.records()))


def _jsonl(run: Exported, out: TextIO) -> None:
    for record in run.records():
        _line(out, record.to_dict())


def _log(run: Exported, out: TextIO) -> None:
    measured = run.measured()
    for record in run.records():
        kept = measured.get(record.id)
        _line(out, log_line(record, _contributions(kept, record) if kept else None))


def _expected(record: Record) -> dict[str, Any]:
    """What the record's row expects that its golden question cannot hold."""
    return {name: record.fields[name] for name in EXPECTED if name in record.fields}


def _contributions(kept: Measurement, record: Record) -> dict[str, float]:
    """Document id → contribution; empty where the record has changed since the measurement."""
    from trace_core.store.measurements import basis

    return Contribution.from_dict(kept.body).labels if kept.basis == basis(record) else {}


def _ragbench(run: Exported, out: TextIO) -> None:
    """Rows under RAGBench's field names, with the rows' other fields; scores use its convention, as `label` writes
    them.
    """
    for record in run.records():
        _line(out, record.fields | ragbench_row(record) | _expected(record))


def _line(out: TextIO, value: Any) -> None:
    out.write(_json_text(value) + "\n")


def _json_text(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


def ragbench_row(record: Record) -> dict[str, Any]:
    """A record → a row that reads back as the same question, documents, response, labels and ground truth.

    Released scores that are the ground truth of recorded labels stay in their columns. In every other row these
    columns have the scores of its labels, and a mark says so: unmarked, they would come back as ground truth.
    """
    row = Row(
        id=record.source_id or record.id,
        question=record.question,
        document_ids=[document.id for document in record.documents],
        document_titles=[document.title or document.id for document in record.documents],
        generation_model_name=record.generation_model_name,
    )
    given = record.scores if record.labels is None else None
    scores = given if given and given.convention == "ragbench" else rescore(record, "ragbench").scores
    assert scores is not None  # noqa: S101  # `rescore` always sets them
    golden = record.golden.model_dump(include={*EXPECTED}) if record.golden else {}
    made = to_row(row, record, scores) | golden
    truth = record.ground_truth
    if truth and truth.labels is None and truth.convention == "ragbench" and MADE_BY not in made:
        return made | released_scores(truth.scores)
    made[SCORED_BY] = OURS
    return made | ({"ground_truth": truth.model_dump(mode="json")} if truth else {})


TABLE = (
    "id", "source_id", "question", "response", "documents", "generation_model_name", "labeler", "convention",
    *METRICS, "average", "rmse_aggregation", "consistency_score", "undefined", "overall_supported",
    "fully_supported_sentences", "partially_supported_sentences", "unsupported_sentences", "unlabeled_sentences",
    "diagnosis", "findings", *(f"true_{name}" for name in METRICS), "true_convention", "retrieval_confidence",
    *EXPECTED, *DOCUMENT_SCORES, "tokens", "seconds", "cleaning", "error",
)  # fmt: skip
"""The columns of the table, which is for reading: an import takes `json`, `jsonl` or `ragbench`."""
OF_ROW = "row."
"""Before the name of a row's field that would be taken for a column of the table."""
_FORMULA = tuple("=+-@\t\r\n＝＋－＠﹦﹢﹣﹫")
_UNSEEN = ("Cc", "Cf", "Zs", "Zl", "Zp")
"""Unicode categories that a spreadsheet may skip: control and format characters, white space."""


def _csv(run: Exported, out: TextIO) -> None:
    """The table's columns, and those of the rows' other fields."""
    fields = dict.fromkeys(name for record in run.records() for name in record.fields if name not in EXPECTED)
    named = {name: field_column(name) for name in fields}
    writer = csv.DictWriter(out, (*TABLE, *named.values()), lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    for record in run.records():
        row = {named[name]: field_text(value) for name, value in record.fields.items() if name in named}
        row |= table_row(record, run.divisor)
        writer.writerow({name: cell(value) for name, value in row.items()})


def field_column(name: str) -> str:
    """The column of a row's field, with a prefix where its name is empty or the table's own."""
    taken = name in TABLE or name.startswith(OF_ROW) or not name.strip()
    return f"{OF_ROW}{name}" if taken else str(cell(name))


def field_text(value: Any) -> Any:
    """A field's value in a cell: lists and objects as JSON."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def cell(value: Any) -> Any:
    """A value in which no spreadsheet finds a formula: a text that looks like one begins with an apostrophe."""
    return f"'{value}" if isinstance(value, str) and _is_formula(value.lstrip("'")) else value


def _is_formula(text: str) -> bool:
    """Whether a spreadsheet may compute the text, whatever invisible characters come before the sign."""
    seen = next((c for c in text if unicodedata.category(c) not in _UNSEEN), "")
    return text.startswith(_FORMULA) or seen.startswith(_FORMULA)


def table_row(record: Record, divisor: float = RELEVANCE_DIVISOR) -> dict[str, Any]:
    """One record as the table's columns; `None` means an empty cell."""
    scores, truth = record.scores, record.ground_truth
    row: dict[str, Any] = dict.fromkeys(TABLE)
    row |= {
        "id": record.id, "source_id": record.source_id, "question": record.question,
        "response": record.response.text if record.response else None, "documents": len(record.documents),
        "generation_model_name": record.generation_model_name,
        "labeler": record.labels.labeler if record.labels else None,
        "findings": "; ".join(finding.name for finding in record.findings),
        "retrieval_confidence": record.retrieval.confidence if record.retrieval else None,
        "tokens": record.usage.get("total_tokens"), "seconds": sum(record.seconds.values()) if record.seconds else None,
        "cleaning": json.dumps(record.cleaning, ensure_ascii=False) if record.cleaning else None,
        "error": record.error.message if record.error else None,
    }  # fmt: skip
    if scores:
        row |= {name: value for name, value in scores.model_dump().items() if name in row}
        row["undefined"] = "; ".join(f"{name}: {reason}" for name, reason in scores.undefined.items())
        row["diagnosis"] = None if record.error else examine(record, scores).diagnosis.name
    if record.golden:
        row |= record.golden.model_dump()
        row["expected_documents"] = json.dumps(record.golden.expected_documents, ensure_ascii=False)
    row |= {name: field_text(value) for name, value in _expected(record).items()}
    if truth:
        true, convention = _truth(record, truth, divisor)
        row |= {f"true_{name}": true.get(name) for name in METRICS} | {"true_convention": convention}
    return row


def _truth(record: Record, truth: Truth, divisor: float) -> tuple[Mapping[str, float | None], str]:
    """The truth under the convention of the scores beside it where its labels allow that; else as given."""
    if truth.labels is None or record.scores is None:
        return truth.scores, truth.convention
    convention = record.scores.convention
    return truth_scores(truth, record.sentences(), convention, divisor), convention


def _html(run: Exported, out: TextIO) -> None:
    from trace_core.runs.files.report import write_report

    write_report(run, out)


def _openinference(run: Exported, out: TextIO) -> None:
    from trace_core.runs.files.evaluations import write_openinference

    write_openinference(run, out)


def _langfuse(run: Exported, out: TextIO) -> None:
    from trace_core.runs.files.evaluations import write_langfuse

    write_langfuse(run, out)


def _junit(run: Exported, out: TextIO) -> None:
    from trace_core.runs.files.pipeline import write_junit

    write_junit(run, out)


def _summary(run: Exported, out: TextIO) -> None:
    from trace_core.runs.files.pipeline import write_summary

    write_summary(run, out)


@dataclass(frozen=True, slots=True)
class Format:
    """A file format for runs: its name in commands, and its label, file suffix and MIME type on the page."""

    name: str
    label: str
    suffix: str
    media_type: str
    write: Callable[[Exported, TextIO], None]


_LINES = "application/x-ndjson"
FORMATS: Mapping[str, Format] = {
    form.name: form
    for form in (
        Format("json", "Run file (trace-run/1)", "json", "application/json", _json),
        Format("html", "Report (one HTML file)", "html", "text/html", _html),
        Format("csv", "Table (CSV)", "csv", "text/csv", _csv),
        Format("jsonl", "Records (JSONL)", "jsonl", _LINES, _jsonl),
        Format("ragbench", "RAGBench rows (JSONL)", "ragbench.jsonl", _LINES, _ragbench),
        Format("log", "Query log (JSONL)", "log.jsonl", _LINES, _log),
        Format("openinference", "Evaluations for OpenInference (OTLP)", "otlp.jsonl", _LINES, _openinference),
        Format("langfuse", "Scores for Langfuse (ingestion)", "langfuse.jsonl", _LINES, _langfuse),
        Format("junit", "Test results (JUnit XML)", "junit.xml", "application/xml", _junit),
        Format("summary", "Summary (Markdown)", "summary.md", "text/markdown", _summary),
    )
}
"""The formats that `export` writes. This is the only place to add one."""
