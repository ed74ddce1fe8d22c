"""Reading a run file. One in `write_run`'s layout, one record per line, is never in memory as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NoReturn, TypeVar

from pydantic import ValidationError

from trace_core.datasets.files import MAX_LINE, MAX_TEXT
from trace_core.diagnosis.rescoring import relevance_divisor, rescore, settled
from trace_core.errors import InputError, counted
from trace_core.facts.corrections import check, corrected
from trace_core.facts.labels import SPECIAL_KEYS, Labels
from trace_core.facts.records import Record
from trace_core.metrics import METRICS
from trace_core.runs.files.schema import SCHEMA, RunHead, RunInfo, record_reader

T = TypeVar("T")
SHARES = (*METRICS, "average", "rmse_aggregation", "consistency_score")
"""The scores of a record that are numbers from 0 to 1."""
MAX_WHOLE = 300_000_000
"""The largest file in another layout, in bytes: it has to be read whole."""
_RECORD_FIELDS = {
    "id",
    "question",
    "documents",
    "response",
    "labels",
    "scores",
    "ground_truth",
    "cleaning",
    "overrides",
}
"""By these fields of its first line, a file of lines is known as an export of records."""
_START, _RECORDS, _END = b'{"schema": "', b'"records": [', b"]}"


@dataclass(frozen=True, slots=True)
class RunSource:
    """An open run file: its run, and its records one at a time.

    `block` is the file's `run`, unchanged.
    """

    name: str
    head: RunHead
    block: dict[str, Any]
    path: Path
    whole: list[Any] | None = None

    @property
    def info(self) -> RunInfo:
        """The description of its run."""
        return self.head.run

    def records(self) -> Iterator[Record]:
        """The records in order. Raises `InputError` at the first wrong one, or where the file ends early."""
        config = self.block["config"]
        read = (read_scored(text, self.name, number, config) for number, text in enumerate(self.texts(), start=1))
        return self.each_once((record.id, record) for record in read)

    def each_once(self, found: Iterable[tuple[str, T]]) -> Iterator[T]:
        """The second parts of (id, part) pairs. Raises `InputError` where an id is repeated, or records are missing."""
        seen: set[str] = set()
        for number, (record_id, made) in enumerate(found, start=1):
            if record_id in seen:
                message = f"The id {record_id[:60]!r} is there twice."
                raise InputError(message, file=self.name, row=number, field="id")
            seen.add(record_id)
            yield made
        counts = self.head.counts
        if not counts.total - counts.pending <= len(seen) <= counts.total:
            raise InputError(
                f"{len(seen)} records where `counts` says {counts.total}.", "The file was cut or edited.",
                file=self.name, field="records",
            )  # fmt: skip

    def texts(self) -> Iterator[bytes]:
        """The records as JSON text. Raises `InputError` where the file ends early."""
        if self.whole is not None:
            yield from (json.dumps(record).encode() for record in self.whole)
            return
        with self.path.open("rb") as file:
            _head_lines(file)
            yield from _record_lines(file, self.name)


def open_run(path: Path, name: str = "") -> RunSource:
    """Open a run file and check all but its records.

    Raises `InputError` if it is not a run file, has another version, or has a field of the wrong type.
    """
    name = name or str(path)
    if not path.is_file():
        raise InputError("There is no such file.", file=name)
    try:
        with path.open("rb") as file:
            head = _head_lines(file)
        if head is not None:
            return _source(_strict(head, name), name, path)
        if path.stat().st_size > MAX_WHOLE:
            raise InputError(
                f"A run file of more than {MAX_WHOLE // 1_000_000} MB must hold one record a line.",
                "`export --format json` writes it so.", file=name,
            )  # fmt: skip
        whole = _strict(path.read_bytes(), name)
    except OSError as error:
        raise InputError(f"It cannot be read ({error.strerror or type(error).__name__}).", file=name) from None
    if isinstance(whole, dict) and not isinstance(whole.get("records"), list):
        _check_version(whole, name)
        raise InputError("A list was expected.", file=name, field="records")
    records = whole.pop("records") if isinstance(whole, dict) else None
    return _source(whole, name, path, records)


def looks_like_a_run(path: Path) -> bool:
    """Whether the file starts like a run file of any version, in our layout or another."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return False
    with path.open("rb") as file:
        start = file.read(2000).lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith(b"{") and b'"schema"' in start and b"trace-run/" in start


def record_lines(path: Path, name: str = "") -> Iterator[Record | InputError] | None:
    """The records of a JSONL export, with the error of each wrong line in its place; `None` for any other file.

    The second record with one id gets `id#2`.
    """
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return None
    with path.open("rb") as file:
        try:
            first = json.loads(file.readline(MAX_LINE))
        except (ValueError, RecursionError):
            return None
    known = isinstance(first, dict) and first.keys() >= _RECORD_FIELDS
    return _each_line(path, name or str(path)) if known else None


def _each_line(path: Path, name: str) -> Iterator[Record | InputError]:
    taken: dict[str, int] = {}
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), start=1):
            if not line.strip():
                continue
            try:
                record = read_record(line, name, number)
            except InputError as error:
                yield error
                continue
            own = record.id
            while own in taken:
                taken[record.id] += 1
                own = f"{record.id}#{taken[record.id]}"
            taken[own] = 1
            yield record if own == record.id else record.model_copy(update={"id": own})


def _head_lines(file: IO[bytes]) -> bytes | None:
    """Everything before the records, as JSON text; `None` in another layout."""
    first = file.readline(MAX_LINE)
    if not first.startswith(_START):
        return None
    lines = [first]
    while line := file.readline(MAX_LINE):
        if line.rstrip() == _RECORDS:
            return b"".join(lines).rstrip().rstrip(b",") + b"}"
        lines.append(line)
        if len(lines) > 4:
            return None
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
    """Parse JSON without NaN. Raises `InputError`."""

    def refuse(word: str) -> NoReturn:
        raise ValueError(f"{word} is no JSON; null is")

    try:
        return json.loads(text.decode("utf-8-sig"), parse_constant=refuse)
    except UnicodeDecodeError:
        raise InputError("This is not UTF-8 text.", file=name, row=row) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"This is not strict JSON ({str(error)[:100]}).", file=name, row=row) from None


def _check_version(whole: Any, name: str) -> None:
    if not isinstance(whole, dict) or "schema" not in whole:
        raise InputError(f'This is no run file: an object with "schema": "{SCHEMA}" was expected.', file=name)
    if whole["schema"] != SCHEMA:
        raise InputError(
            f"Run files of schema {str(whole['schema'])[:60]!r} are not read; {SCHEMA!r} is.",
            "A newer version of this program may read it.", file=name, field="schema",
        )  # fmt: skip


def _source(whole: Any, name: str, path: Path, records: list[Any] | None = None) -> RunSource:
    _check_version(whole, name)
    try:
        head = RunHead.model_validate(whole)
    except ValidationError as error:
        raise _named(error, name) from None
    return RunSource(name, head, whole["run"], path, records)


def read_record(text: bytes, name: str, number: int) -> Record:
    """The `number`-th record of the file `name`. Raises `InputError` naming the wrong field."""
    if b"NaN" in text or b"Infinity" in text:
        _strict(text, name, number)
    try:
        record: Record = record_reader().validate_json(text, strict=True)
    except ValidationError as error:
        raise _named(error, name, number) from None
    _check(record, len(text), name, number)
    try:
        _check_keys(record)
        made = corrected(record)
        if made.overrides:
            check(made)
        return settled(made)
    except InputError as error:
        raise InputError(error.message, error.hint, file=name, row=number, field=error.field) from None


def bound_to(record: Record) -> str | None:
    """The convention of scores that no labels allow to compute anew."""
    scores = record.scores
    if scores is None or record.labels or all(getattr(scores, name) is None for name in METRICS):
        return None
    return scores.convention


def with_convention(record: Record, convention: str) -> Record:
    """The record; where it has neither labels nor a single score, its reasons stand under that convention."""
    scores = record.scores
    if scores is None or record.labels or scores.convention == convention or bound_to(record):
        return record
    return record.model_copy(update={"scores": scores.model_copy(update={"convention": convention})})


def read_scored(text: bytes, name: str, number: int, config: Mapping[str, Any]) -> Record:
    """As `read_record`, for a record of a run with that `config`; scores from labels are under its convention.

    Raises `InputError` also for scores under another one without labels, which cannot be computed anew.
    """
    record, convention = read_record(text, name, number), config["convention"]
    if record.scores is None or record.scores.convention == convention:
        return record
    said = bound_to(record)
    if said is None and record.labels is None:
        return with_convention(record, convention)
    if said is None:
        return rescore(record, convention, relevance_divisor(config))
    message = f"Its scores are under {str(said)[:60]!r}, the run is under {convention!r}, and there are no labels."
    hint = "Keep only records under one convention, and name it in run.config.convention."
    raise InputError(message, hint, file=name, row=number, field="scores.convention")


def _check(record: Record, length: int, name: str, number: int) -> None:
    """Check what the schema does not: texts of a sane length, scores from 0 to 1."""
    if "\0" in record.id:  # no database stores it, and a replacement might be another record's id
        raise InputError("An id cannot hold the character NUL.", "Give the record another id.",
                         file=name, row=number, field="id")  # fmt: skip
    if length > MAX_TEXT:
        texts = {"question": record.question, "response.text": record.response.text if record.response else ""}
        texts |= {f"documents.{i}.text": document.text for i, document in enumerate(record.documents)}
        for field, text in texts.items():
            if len(text) > MAX_TEXT:
                message = f"A text of {len(text):,} characters; at most {MAX_TEXT:,} are read."
                raise InputError(message, file=name, row=number, field=field)
    check_scores(record, name, number)


def check_scores(record: Record, name: str = "", number: int | None = None) -> None:
    """Raises `InputError` for a score, also of ground truth or a golden question, outside 0 to 1, naming its field."""
    scores, golden, truth = record.scores, record.golden, record.ground_truth
    given = {f"scores.{metric}": getattr(scores, metric) for metric in SHARES} if scores else {}
    given |= (
        {f"golden.{share}": getattr(golden, share) for share in ("document_recall", "document_precision")}
        if golden
        else {}
    )
    given |= {f"ground_truth.scores.{metric}": truth.scores.get(metric) for metric in SHARES} if truth else {}
    for field, value in given.items():
        if value is not None and not 0 <= value <= 1:
            raise InputError(f"{value:g} lies outside 0 to 1.", file=name, row=number, field=field)


def _check_keys(record: Record) -> None:
    """Check that labels refer only to the record's sentences, as labels cleaned from a reply do."""
    sentences = record.sentences()
    document, response = set(sentences.document_keys()), set(sentences.response_keys())
    truth = record.ground_truth.labels if record.ground_truth else None
    given = {"labels": record.labels, "uncorrected": record.uncorrected, "ground_truth.labels": truth}
    for field, labels in given.items():
        for name, keys, of_response in _named_keys(labels) if labels else ():
            known = response if of_response else document
            if known and (strange := [key for key in keys or () if key not in known and key not in SPECIAL_KEYS]):
                hint = "Use its keys, or take it out."
                raise InputError(f"{strange[0]!r} is no sentence of this record.", hint, field=f"{field}.{name}")


def _named_keys(labels: Labels) -> Iterator[tuple[str, Sequence[str] | None, bool]]:
    """The lists of keys in the labels: field, keys, and whether the keys are the response's."""
    yield "all_relevant_sentence_keys", labels.all_relevant_sentence_keys, False
    yield "all_utilized_sentence_keys", labels.all_utilized_sentence_keys, False
    yield "unsupported_response_sentence_keys", labels.unsupported_response_sentence_keys, True
    entries, field = labels.sentence_support_information or [], "sentence_support_information"
    yield f"{field}.response_sentence_key", [entry.response_sentence_key for entry in entries], True
    for name in ("supporting_sentence_keys", "contradicting_sentence_keys"):
        yield f"{field}.{name}", [key for entry in entries for key in getattr(entry, name)], False


def _named(error: ValidationError, name: str, row: int | None = None) -> InputError:
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    return InputError(f"{first['msg']}.", file=name, row=row, field=field)
