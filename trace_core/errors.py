"""All errors, as one tree. Each says what happened and what to do, in words for the person who sees it."""

from collections.abc import Mapping, Sequence
from typing import Any


class TraceError(Exception):
    """What happened (`message`) and what to do about it (`hint`, may be empty)."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class InputError(TraceError):
    """Bad input, and where: `file` is a path or a name, `row` counts from 1, `field` is the input's own field name."""

    def __init__(
        self, message: str, hint: str = "", *, file: str = "", row: int | None = None, field: str = ""
    ) -> None:
        super().__init__(message, hint)
        self.file, self.row, self.field = file, row, field

    def __str__(self) -> str:
        place = [self.file] if self.file else []
        place += [f"row {self.row}"] if self.row is not None else []
        place += [f"field {self.field}"] if self.field else []
        return f"{', '.join(place)}: {super().__str__()}" if place else super().__str__()


class SettingsError(TraceError):
    """A setting that cannot be used."""


class RetrievalError(TraceError):
    """Qdrant could not do what was asked."""


class QdrantUnreachable(RetrievalError):
    """The server did not answer, or refused."""


class UnknownCollection(RetrievalError):
    """No collection of that name."""


class ModelError(TraceError):
    """The embedding model is absent, broken, or not the one that was expected."""


class CostlyError(TraceError):
    """A model was asked and returned nothing usable; `usage` is the cost and `raw` its reply, if known."""

    def __init__(
        self, message: str, hint: str = "", *, usage: Mapping[str, float] | None = None, raw: Any = None
    ) -> None:
        super().__init__(message, hint)
        self.usage, self.raw = dict(usage or {}), raw


class LabelingError(CostlyError):
    """The labeler failed; the record keeps everything made before that."""


class LlmError(CostlyError):
    """The language model's server gave no reply."""


class BudgetSpent(LlmError):
    """Another call would cost more than was allowed."""


class StoreError(TraceError):
    """The database could not be read or written."""


class UnknownRun(StoreError):
    """No run, data set or record of that id."""


class RunTaken(StoreError):
    """Another process is working on the run, or took it over."""


def cut(text: str, most: int) -> str:
    """The text, cut to `most` characters if it is longer; the last one is then an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def counted(n: int, noun: str) -> str:
    """The number with its noun: “1 record”, “1,200 records”."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def amount(value: float, sign: str = "") -> str:
    """Three significant digits, whole from 100; `sign` "+" for a difference."""
    return f"{value:{sign},.0f}" if abs(value) >= 100 else f"{value:{sign}.3g}"


def enumerate_words(words: Sequence[str]) -> str:
    """The words with commas, and "and" before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
