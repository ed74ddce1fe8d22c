"""The columns of a file, their cells in a sample of rows, and what each field is read from so far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.cells import ends_a_sentence, has_a_sentence
from trace_core.datasets.guessing.fitting import TESTS, are_models, cites, is_decision, is_evidence, is_truth, mostly
from trace_core.datasets.names import HOLDERS, KNOWN, plain_name
from trace_core.datasets.rows import SCORE_FIELDS
from trace_core.datasets.words import (
    Role,
    is_text_key,
    may_be_texts,
    may_name_a_bot,
    may_name_a_model,
    may_name_files,
    role_of,
)

Rows = Sequence[Mapping[str, Any]]


class Columns:
    """What is known of a file's columns, and which of them the fields have taken."""

    def __init__(
        self, columns: Sequence[str], paths: Sequence[str], groups: Mapping[str, tuple[str, ...]], sample: Rows
    ) -> None:
        self.columns, self.paths, self.groups, self.sample = columns, paths, groups, sample
        self.named: dict[str, str] = {}
        for column in [*columns, *paths]:
            self.named.setdefault(plain_name(column), column)
        self.fields: dict[str, str] = {}
        self.notes: list[str] = []
        self.more: dict[str, tuple[str, ...]] = {}

    def has(self, *names: str) -> bool:
        """Whether there are columns of all these names."""
        return all(name in self.named for name in names)

    def take(self, field: str, names: Iterable[str]) -> bool:
        """Take the first of the names that is a free column with fitting values; an empty column comes last."""
        columns = [self.named[name] for name in names if name in self.named]
        for column in sorted(columns, key=lambda c: (self.is_null(c), field == "documents" and self.says_little(c))):
            if column not in self.fields.values() and self.fits(field, column):
                self.fields[field] = column
                return True
        return False

    def fits(self, field: str, column: str) -> bool:
        """Whether the field may be read from the column, by its cells."""
        test = None if field == column == "question" else TESTS.get(field)
        values = self.values(column)
        if field == "documents" and self.says_little(column) and self._others_say_more(column):
            return False
        if field == "reference_answer" and values and all(shapes.is_id(v) or shapes.names_a_file(v) for v in values):
            return False
        if field == "reference_answer" and values and all(map(is_decision, values)):
            return False
        if field == "documents" and may_name_files(column) and not mostly(shapes.are_sentences, values):
            return False
        if field in SCORE_FIELDS.values() and not mostly(is_truth, values):
            return False
        return test is None or not values or any(test(value) for value in values)

    def values(self, column: str) -> list[Any]:
        """The cells of the column that are not null."""
        return [value for row in self.sample if (value := row.get(column)) is not None]

    def says_little(self, column: str) -> bool:
        """Whether no cell of texts has a sentence: `phone`, `Premium customer, call of 3 March`."""
        values = [value for value in self.values(column) if value != ""]
        return bool(values) and all(isinstance(v, str) and v[:1] not in "[{" and not has_a_sentence(v) for v in values)

    def _others_say_more(self, column: str) -> bool:
        """Whether another column, which its name does not rule out, has sentences that may be documents."""
        names = [c for c in self.columns if c != column and (role_of(c) == "documents" or may_be_texts(c))]
        return any(self.are_sentences(plain_name(c), object) for c in names)

    def is_null(self, column: str) -> bool:
        """Whether the column is empty in every row."""
        return bool(self.sample) and all(row.get(column) in (None, "") for row in self.sample)

    def are_sentences(self, name: str, kind: Any) -> bool:
        """Whether there is such a column, and its cells hold documents, mostly with sentences."""
        values = [value for row in self.sample if (value := row.get(self.named.get(name, "")))]
        held = bool(values) and all(isinstance(value, kind) for value in values)
        return held and mostly(shapes.are_sentences, values)

    def holds(self, name: str, kind: type) -> bool:
        """Whether there is such a column, and it holds only such values."""
        values = self.values(self.named.get(name, ""))
        return bool(values) and all(isinstance(value, kind) for value in values)

    def lists(self, column: str) -> bool:
        """Whether a column of answers contains lists: these are then alternative right answers."""
        lists = [value for row in self.sample if isinstance(value := row.get(column), list)]
        return any(len(value) > 1 or not shapes.is_response(value) for value in lists)

    def lists_facts(self, column: str) -> bool:
        """Whether the column lists the facts that right answers rest on."""
        values = self.values(column)
        return bool(values) and all(map(is_evidence, values))

    def spoken(self, role: Role, fits: Callable[[str], bool] = lambda _: True) -> list[str]:
        """The only column that no tool names, and whose words speak of that part; none where there are several."""
        found = self.speaking(role, fits)
        return found if len(found) == 1 else []

    def speaking(self, role: Role, fits: Callable[[str], bool] = lambda _: True) -> list[str]:
        """The columns that no tool names, and whose words speak of that part."""
        taken = {*self.fields.values(), *chain.from_iterable(self.groups.values())}
        free = [name for name, c in self.named.items() if role_of(c) == role and c not in taken and is_new(name, c)]
        found = [name for name in free if not self.is_null(self.named[name]) and self._says(name) and fits(name)]
        return self.outermost(found)

    def outermost(self, names: Sequence[str]) -> list[str]:
        """The names without those of parts of others: `pred`, not `pred.answer`; `answer.text`, not `answer.reason`."""
        starts = tuple(f"{self.named[name]}." for name in names)
        whole = [name for name in names if not self.named[name].startswith(starts)]
        texts = [name for name in whole if is_text_key(self.named[name])]
        told = {_holder(self.named[name]) for name in texts} - {""}
        return [name for name in whole if name in texts or _holder(self.named[name]) not in told]

    def _says(self, name: str) -> bool:
        """Whether the column holds more than grades and numbers, and not the names of bots."""
        values = self.values(self.named[name])
        if may_name_a_bot(self.named[name]):
            return mostly(ends_a_sentence, values)
        if may_name_a_model(self.named[name]) and are_models(values):
            return False
        return not values or not all(shapes.is_grade(value) or isinstance(value, int | float) for value in values)

    def citing(self, names: Iterable[str]) -> list[str]:
        """The only one of the columns whose texts cite documents, if most of them do."""
        found = [name for name in names if any(map(cites, self.values(self.named.get(name, ""))))]
        return found if len(found) == 1 and mostly(cites, self.values(self.named[found[0]])) else []

    def unclear(self, names: Sequence[str]) -> None:
        """Note that several columns may hold the answer."""
        columns = [self.named[name] for name in names]
        said = f"Several columns may hold the answer ({', '.join(columns)}): none of them is read."
        self.notes.append(f"{said} Say which: response={columns[0]}.")


def _holder(column: str) -> str:
    """What a path leads into, as in a table that was made of objects: `answer` of `answer.text`."""
    return column.rpartition(".")[0]


def is_new(name: str, column: str) -> bool:
    """Whether no tool uses the name, neither as a column nor within a holder such as `outputs`."""
    return name not in KNOWN and (column.count(".") != 1 or plain_name(column.partition(".")[0]) not in HOLDERS)
