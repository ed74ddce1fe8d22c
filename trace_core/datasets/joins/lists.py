"""Lists in one JSON file that name each other's ids: questions, passages, answers → whole rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from trace_core.datasets import shapes
from trace_core.datasets.cells import has_a_sentence
from trace_core.datasets.names import ALIASES, PREDICTED, plain_name
from trace_core.datasets.words import asks, holds_documents, is_text_key, names_expected_ids, names_rank, role_of
from trace_core.errors import InputError

Fields = dict[str, Any]
_PLURALS = ("questions", "queries", "prompts")
_PARTS = frozenset((*PREDICTED, *(n for field in ("response", "reference_answer") for n in (field, *ALIASES[field]))))
_RETRIEVED = "retrieved"
"""The name of a table of ranked texts whose title tells nothing."""
_DIGITS = 9
"""More than a rank has."""
_GRADES = ("relevance", "rel", "score", "label", "grade")


class _Table(NamedTuple):
    """A list of objects, or an object of values by id, under its name in the file."""

    name: str
    rows: list[Fields]

    def ids(self) -> list[str]:
        """The columns whose values are ids, no two alike."""
        columns = dict.fromkeys(key for row in self.rows for key in row)
        return [key for key in columns if all(_is_id(row.get(key)) for row in self.rows) and self._differ(key)]

    def _differ(self, key: str) -> bool:
        return len({str(row[key]) for row in self.rows}) == len(self.rows)


def joined_lists(whole: Any, name: str) -> list[Any] | None:
    """A row per question, with the texts and answers of the lists beside it; `None` unless lists name others' ids.

    In place of a row that names an id which no list has, and of an answer to no question, is an `InputError`.
    """
    tables = list(_tables(whole)) if isinstance(whole, Mapping) else []
    asking = [table for table in tables if any(map(asks, table.rows[0]))]
    if len(tables) < 2 or len(asking) != 1:
        return None
    errors: list[InputError] = []
    rows, joined = list(asking[0].rows), False
    texts = [table for table in tables if table is not asking[0] and _are_texts(table)]
    for table in tables:
        if table is asking[0]:
            continue
        made, lost = _with_fields(rows, table, name) if table not in texts else (None, [])
        rows = made or _with_several(rows, table, texts) or rows
        joined, errors = joined or made is not None or any(table.name in row for row in rows), [*errors, *lost]
    for table in texts:
        if (resolved := _with_texts(rows, table)) is not None:
            rows, joined = resolved, True
    return [*(_whole(row, name, number) for number, row in enumerate(rows, start=1)), *errors] if joined else None


def joined_tables(tables: Mapping[str, list[Fields]], name: str) -> list[Any] | None:
    """As `joined_lists`, for a file's tables by their titles that share a column with the only one of questions."""
    filled = {title: rows for title, rows in tables.items() if rows}
    asking = [rows[0].keys() for rows in filled.values() if any(map(asks, rows[0]))]
    if len(asking) != 1:
        return None
    kin = {title: rows for title, rows in filled.items() if not asking[0].isdisjoint(rows[0])}
    untold = [title for title, rows in kin.items() if _are_ranked(rows) and role_of(title) is None]
    if len(untold) == 1 and not names_expected_ids(untold[0]):
        kin[_RETRIEVED] = kin.pop(untold[0])
    return joined_lists(kin, name)


def _are_ranked(rows: list[Fields]) -> bool:
    """Whether the rows are texts with their ranks, as a retriever gives them."""
    return any(map(names_rank, rows[0])) and all(shapes.text_of(row) is not None for row in rows)


def _tables(whole: Mapping[str, Any]) -> Iterator[_Table]:
    for name, held in whole.items():
        if isinstance(held, list) and held and all(isinstance(one, dict) for one in held):
            yield _Table(name, _spoken(name, held))
        elif isinstance(held, dict) and len(held) > 1:
            values = [_ranked(value) for value in held.values()]
            kinds = {type(value) for value in values}
            if kinds == {dict}:
                yield _Table(name, [{"id": key, **value} for key, value in zip(held, values, strict=True)])
            elif kinds in ({str}, {list}):
                column = _column(name, kinds)
                yield _Table(name, [{"id": key, column: value} for key, value in zip(held, values, strict=True)])


def _spoken(name: str, rows: list[Fields]) -> list[Fields]:
    """The rows with their only text under the list's name, if that tells what it is: `preguntas: [{texto: …}]`."""
    single = "question" if asks(name) or plain_name(name) in _PLURALS else _column(name, {str})
    texts = [key for key in rows[0] if is_text_key(key)]
    parts = [key for key in rows[0] if asks(key) or (_is_part(key) and single != "question")]  # answers stand beside
    if len(texts) != 1 or parts or not (single == "question" or _is_part(single)):
        return rows
    return [{single if key == texts[0] else key: held for key, held in row.items()} for row in rows]


def _ranked(value: Any) -> Any:
    """The ids of an object with a score for each id, the best first, without those that score nothing."""
    if not isinstance(value, dict) or not value or not all(isinstance(score, int | float) for score in value.values()):
        return value
    return [key for key in sorted(value, key=lambda key: -value[key]) if value[key] > 0]


def _column(name: str, kinds: set[type]) -> str:
    """The column of an object's values, which are texts or lists by id."""
    single = name.removesuffix("s")
    if _is_part(single):
        return single
    if kinds == {list} or _is_part(name):
        return name
    return "question" if plain_name(name) in _PLURALS else "text"


def _is_part(column: str) -> bool:
    return plain_name(column) in _PARTS or role_of(column) in ("answer", "response", "reference_answer")


def _are_texts(table: _Table) -> bool:
    """Whether the table's rows are texts with ids, and no answers."""
    texts = all(shapes.text_of(row) is not None for row in table.rows)
    return texts and not any(map(_is_part, table.rows[0])) and bool(table.ids())


def _is_id(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) <= 200


def _with_fields(rows: list[Fields], table: _Table, name: str) -> tuple[list[Fields] | None, list[InputError]]:
    """The rows with the fields of the table's rows that have their ids, and an error for each other row of the table;
    `None` where no ids agree.
    """
    theirs = (
        table.ids() if any(_is_part(key) or holds_documents(key) or key == table.name for key in table.rows[0]) else []
    )
    for key in _Table("", rows).ids():
        ids = {str(row[key]) for row in rows}
        for other in sorted(theirs, key=lambda column: column != key):
            found = {str(row[other]): row for row in table.rows}
            if 2 * len(found.keys() & ids) >= len(found):
                lost = [
                    InputError(f"{one!r} of {table.name} is no question's.", file=name) for one in found.keys() - ids
                ]
                return [{**_beside(found.get(str(row[key]), {}), other, row, table.name), **row} for row in rows], lost
    return None, []


def _beside(found: Fields, key: str, row: Fields, name: str) -> Fields:
    """The fields beside the id; those that the row has, too, under the list's name, and the ids in a list of those
    that should be found.
    """
    fields = {field: held for field, held in found.items() if field != key}
    if names_expected_ids(name):
        fields = {field if _is_part(field) else f"{name}_{field}": held for field, held in fields.items()}
    return {f"{name}.{field}" if field in row else field: held for field, held in fields.items()}


def _with_several(rows: list[Fields], table: _Table, texts: Sequence[_Table]) -> list[Fields] | None:
    """The rows with the list's passages of each question, or with their ids, where it has a row for each passage."""
    known = {str(row[key]) for one in texts for key in one.ids() for row in one.rows}
    for key in _Table("", rows).ids():
        ids = {str(row[key]) for row in rows}
        for other in table.rows[0]:
            if not all(_is_id(row.get(other)) and str(row[other]) in ids for row in table.rows):
                continue
            held: dict[str, list[Any]] = {}
            for row in sorted(table.rows, key=_rank):
                one = _passage(row, other, known)
                held.setdefault(str(row[other]), []).extend([] if one is None else [one])
            if any(held.values()):
                return [{**row, table.name: held.get(str(row[key]), [])} for row in rows]
    return None


def _rank(row: Mapping[str, Any]) -> float:
    rank = next((held for key, held in row.items() if names_rank(key)), None)
    if isinstance(rank, str) and rank.isdecimal() and len(rank) < _DIGITS:
        return int(rank)
    return rank if isinstance(rank, int | float) else 0


def _passage(row: Fields, key: str, known: set[str]) -> Any:
    """The text of a passage, or its id; nothing for one that is graded as irrelevant."""
    if any(row.get(grade) == 0 for grade in _GRADES):
        return None
    if shapes.text_of(row) is not None:
        return {name: held for name, held in row.items() if name != key}
    named = (held for name, held in row.items() if name != key and _is_id(held) and str(held) in known)
    texts = (held for name, held in row.items() if holds_documents(name) and isinstance(held, str))
    return next(named, None) or next(filter(has_a_sentence, texts), None)


def _with_texts(rows: list[Fields], table: _Table) -> list[Fields] | None:
    """The rows with the texts whose ids they list; `None` where no column, or more than one, lists them."""
    for key in table.ids():
        texts = {str(row[key]): row for row in table.rows}
        columns = dict.fromkeys(column for row in rows for column, held in row.items() if _lists(held, texts))
        wanted = [column for column in columns if names_expected_ids(column)]
        found = [column for column in columns if column not in wanted]
        if columns and len(wanted) < 2 and len(found) < 2:
            return [_resolved(row, found, wanted, texts) for row in rows]
    return None


def _lists(held: Any, texts: Mapping[str, Any]) -> bool:
    """Whether the value lists ids of the texts."""
    return isinstance(held, list) and bool(held) and all(map(_is_id, held)) and any(str(one) in texts for one in held)


def _resolved(row: Fields, found: Sequence[str], wanted: Sequence[str], texts: Mapping[str, Fields]) -> Fields:
    made = dict(row)
    for column in found:
        ids = _ids(made.pop(column, None))
        made = {key: held for key, held in made.items() if not holds_documents(key)}
        made |= {
            "documents": [shapes.text_of(texts[one]) if one in texts else None for one in ids],
            "document_ids": ids,
        }
    for column in wanted:
        made["expected_documents"] = _ids(made.pop(column, None))
    return made


def _ids(held: Any) -> list[str]:
    """The ids in a list, or the only one."""
    return [str(one) for one in (held if isinstance(held, list) else [held]) if _is_id(one)]


def _whole(row: Fields, name: str, number: int) -> Fields | InputError:
    texts, ids = row.get("documents"), row.get("document_ids")
    if not isinstance(texts, list) or not isinstance(ids, list) or None not in texts:
        return row
    message = f"No list has the text of {ids[texts.index(None)]!r}."
    return InputError(message, "Add it to the file.", file=name, row=number, field="documents")
