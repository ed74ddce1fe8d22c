"""Reading a run file. One as `export` writes it, one record per line, is never in memory as a whole."""

import json
import mmap
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError
from pydantic_core import from_json

from trace_core.datasets.files import MAX_LINE, MAX_TEXT
from trace_core.diagnosis.rescoring import without_error
from trace_core.errors import InputError, counted
from trace_core.facts.corrections import check, with_corrections
from trace_core.facts.labels import SPECIAL_KEYS, Labels
from trace_core.facts.records import Record, record_reader
from trace_core.facts.strict import misfit_error
from trace_core.runs.files.schema import SCHEMA, RunHead

MAX_WHOLE = 300_000_000
"""The largest file in another layout, in bytes: it has to be read whole."""
_RECORD_FIELDS = {"id", "question", "documents", "response", "labels", "scores", "ground_truth", "cleaning"}
"""By these fields of its first line, a file of lines is known as an export of records."""
_START, _RECORDS, _END = b'{"schema": "', b'"records": [', b"]}"
_RUN_FILE = re.compile(rb'"schema"\s*:\s*"trace-run/')


@dataclass(frozen=True, slots=True)
class RunSource:
    """An open run file: its run, and its records one at a time. `block` is the file's `run`, unchanged."""

    name: str
    head: RunHead
    block: dict[str, Any]
    path: Path
    whole: list[Any] | None = None

    def records(self) -> Iterator[Record]:
        """The records in order. Raises `InputError` at the first wrong one, or where the file ends early."""
        ids: set[str] = set()
        convention = self.head.run.config.convention
        for number, text in enumerate(self._texts(), start=1):
            record = read_record(text, self.name, number)
            if record.scores and record.scores.convention != convention:
                message = f"Its scores are under {record.scores.convention[:60]!r}, the run is under {convention!r}."
                hint = "Keep only records under one convention, and name it in run.config.convention."
                raise InputError(message, hint, file=self.name, row=number, field="scores.convention")
            if record.id in ids:
                message = f"The id {record.id[:60]!r} is there twice."
                raise InputError(message, file=self.name, row=number, field="id")
            ids.add(record.id)
            yield record
        counts = self.head.counts
        if not counts.total - counts.pending <= len(ids) <= counts.total:
            message = f"{len(ids)} records where `counts` says {counts.total}."
            raise InputError(message, "The file was cut or edited.", file=self.name, field="records")

    def _texts(self) -> Iterator[bytes]:
        if self.whole is not None:
            yield from (json.dumps(record).encode() for record in self.whole)
            return
        with self.path.open("rb") as file:
            _head_lines(file)
            yield from _record_lines(file, self.name)


def open_run(path: Path, name: str = "") -> RunSource:
    """Open a run file and check all but its records. Raises `InputError` if it is not a run file, has another version,
    or has a field of the wrong type."""
    name = name or str(path)
    try:
        with path.open("rb") as file:
            head = _head_lines(file)
        if head is None and path.stat().st_size > MAX_WHOLE:
            message = f"A run file of more than {MAX_WHOLE // 1_000_000} MB must have one record a line."
            raise InputError(message, "`export --format json` writes it so.", file=name)
        whole = _strict(path.read_bytes() if head is None else head, name)
    except OSError as error:
        raise InputError(f"It cannot be read ({error.strerror or type(error).__name__}).", file=name) from None
    if not isinstance(whole, dict) or "schema" not in whole:
        raise InputError(f'An object with "schema": "{SCHEMA}" was expected: this is not a run file.', file=name)
    if whole["schema"] != SCHEMA:
        message = f"Run files of schema {str(whole['schema'])[:60]!r} are not read; {SCHEMA!r} is."
        raise InputError(message, "A newer version of this program may read it.", file=name, field="schema")
    records = whole.get("records") if head is None else None
    if head is None and not isinstance(records, list):
        raise InputError("A list was expected.", file=name, field="records")
    try:
        return RunSource(name, RunHead.model_validate(whole), whole["run"], path, records)
    except ValidationError as error:
        raise _in_file(misfit_error(error), name) from None


def looks_like_a_run(path: Path) -> bool:
    """Whether a JSON file names the schema of a run file, of whatever version."""
    if path.suffix.lower() != ".json" or not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return _RUN_FILE.search(content) is not None


@dataclass(frozen=True, slots=True)
class RecordLines:
    """The records of a JSONL export, read anew each time, with the error of each wrong line in its place."""

    path: Path

    def __iter__(self) -> Iterator[Record | InputError]:
        with self.path.open("rb") as file:
            for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=1):
                if line.strip():
                    try:
                        yield read_record(line, str(self.path), number)
                    except InputError as error:
                        yield error


def record_lines(path: Path) -> RecordLines | None:
    """The records of a JSONL export; `None` for any other file."""
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return None
    with path.open("rb") as file:
        try:
            first = json.loads(file.readline(MAX_LINE))
        except (ValueError, RecursionError):
            return None
    is_export = isinstance(first, dict) and first.keys() >= _RECORD_FIELDS
    return RecordLines(path) if is_export else None


def _head_lines(file: IO[bytes]) -> bytes | None:
    """Everything before the records, as JSON text; `None` in another layout."""
    lines = [file.readline(MAX_LINE)]
    while lines[0].startswith(_START) and len(lines) < 6 and (line := file.readline(MAX_LINE)):
        if line.rstrip() == _RECORDS:
            return b"".join(lines).rstrip().rstrip(b",") + b"}"
        lines.append(line)
    return None


def _record_lines(file: IO[bytes], name: str) -> Iterator[bytes]:
    number = 0
    while line := file.readline(MAX_LINE):
        text = line.strip()
        if text == _END:
            if file.read(100).strip():
                raise InputError("Something follows the records.", file=name, field="records")
            return
        number += 1
        if len(line) == MAX_LINE and not line.endswith(b"\n"):
            raise InputError(f"A record of more than {MAX_LINE // 1_000_000} MB.", file=name, row=number)
        yield text.removesuffix(b",")
    raise InputError(f"The file ends early, after {counted(number, 'record')}.", "Copy or export it again.", file=name)


def _strict(text: bytes, name: str, row: int | None = None) -> Any:
    """Parse UTF-8 JSON without NaN. Raises `InputError`."""
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError as error:
        raise InputError(f"This is not strict JSON in UTF-8 ({str(error)[:100]}).", file=name, row=row) from None


def read_record(text: bytes, name: str, number: int) -> Record:
    """The `number`-th record of the file `name`. Raises `InputError` naming the wrong field."""
    if b"NaN" in text or b"Infinity" in text:
        _strict(text, name, number)
    try:
        record: Record = record_reader().validate_json(text, strict=True)
    except ValidationError as error:
        raise _in_file(misfit_error(error), name, number) from None
    try:
        _check(record, len(text))
        record = with_corrections(record)
        if record.overrides:
            check(record)
        return without_error(record)
    except InputError as error:
        raise _in_file(error, name, number) from None


def _check(record: Record, length: int) -> None:
    """Check what the schema does not: texts of a sane length, and labels of the record's own sentences."""
    if "\0" in record.id:  # no database stores it, and a replacement might be another record's id
        raise InputError("An id cannot contain the character NUL.", "Give the record another id.", field="id")
    if length > MAX_TEXT:
        texts = {"question": record.question, "response.text": record.response.text if record.response else ""}
        texts |= {f"documents.{i}.text": document.text for i, document in enumerate(record.documents)}
        for field, text in texts.items():
            if len(text) > MAX_TEXT:
                message = f"A text of {len(text):,} characters; at most {MAX_TEXT:,} are read."
                raise InputError(message, field=field)
    truth, sentences = record.ground_truth.labels if record.ground_truth else None, record.sentences()
    documents, response = {*sentences.document_keys()}, {*sentences.response_keys()}
    labels_of = {"labels": record.labels, "uncorrected": record.uncorrected, "ground_truth.labels": truth}
    for where, labels in labels_of.items():
        for field, keys, possible in _named_keys(labels, documents, response) if labels else ():
            # Labels without sentences may have any keys.
            for key in keys.difference(possible, SPECIAL_KEYS) if possible else ():
                message = f"{key!r} is not a sentence of this record."
                raise InputError(message, "Use its keys, or take it out.", field=f"{where}.{field}")


def _named_keys(labels: Labels, documents: set[str], response: set[str]) -> Iterator[tuple[str, set[str], set[str]]]:
    """Each field with keys of sentences, the keys in it, and those that it may have."""
    entries, support = labels.sentence_support_information or [], "sentence_support_information"
    yield "all_relevant_sentence_keys", {*(labels.all_relevant_sentence_keys or ())}, documents
    yield "all_utilized_sentence_keys", {*(labels.all_utilized_sentence_keys or ())}, documents
    yield "unsupported_response_sentence_keys", {*(labels.unsupported_response_sentence_keys or ())}, response
    yield f"{support}.response_sentence_key", {entry.response_sentence_key for entry in entries}, response
    for field in ("supporting_sentence_keys", "contradicting_sentence_keys"):
        yield f"{support}.{field}", {key for entry in entries for key in getattr(entry, field)}, documents


def _in_file(error: InputError, name: str, row: int | None = None) -> InputError:
    error.file, error.row = name, row
    return error
