"""A table with a row for each retrieved document → one row per question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from trace_core.datasets.cells import has_a_sentence
from trace_core.datasets.joins.scattered import Closed, Group, are_sorted, askings, gathered, key_of, stand_apart
from trace_core.datasets.names import ALIASES, plain_name
from trace_core.datasets.shapes import text_of
from trace_core.datasets.words import (
    asks,
    holds_documents,
    may_name_files,
    names_a_question,
    names_a_text,
    names_rank,
    role_of,
    words_of,
)

Cells = Mapping[str, Any]
_SPAN, _POSITION = "context_span_id", "document_position"
_COUNTS = frozenset("id no nr num number index idx n".split())
"""Words that, beside one for a document, may name such a column: `passage_id`."""
_OF_ONE = _COUNTS | frozenset(
    "score relevance relevant is distance similarity retrieval search vector rerank bm title url link page file "
    "name".split()
)
"""Words of a column about one document, beside those of ranks and of documents."""
_OF_A_RUN = frozenset("system model retriever setup run config pipeline experiment variant method strategy".split())
"""Words of a column that tells runs apart."""
_IDS = frozenset(("id", *ALIASES["id"]))


class Merge(NamedTuple):
    """The columns whose values tell one question from the next, and those of the documents or of their ranks.

    `blank`: the former are empty in the rows that continue a question, or they are repeated and `answers` are empty.
    `apart`: the rows of a question have others between them, so that all rows are read before the first is given.
    """

    same: tuple[str, ...]
    documents: str
    rank: str = ""
    blank: bool = False
    answers: tuple[str, ...] = ()
    apart: bool = False


def merge_of(columns: Sequence[str], sample: Sequence[Cells]) -> Merge | None:
    """How the rows of each question become one, where every retrieved document has its own row; else `None`."""
    plain = {plain_name(column): column for column in columns}
    if _SPAN in plain and _POSITION in plain:  # Phoenix
        return Merge((plain[_SPAN],), plain.get("reference", ""))
    asked = tuple(column for column in columns if asks(column))
    if not asked:
        return None
    ranks = list(filter(names_rank, columns))
    rank = ranks[0] if len(ranks) == 1 else ""
    answers = tuple(column for column in columns if role_of(column) in ("answer", "response", "reference_answer"))
    for merge in (Merge(asked, "", rank, blank=True), Merge(asked, "", rank, blank=True, answers=answers)):
        if told := _continued(columns, merge, sample):
            return merge._replace(documents=told)
    for column in columns:
        if _may_count(column) and _is_rank(column, asked, sample):
            return Merge(asked, "", column)
    return _repeated(columns, asked, sample)


def _continued(columns: Sequence[str], merge: Merge, sample: Sequence[Cells]) -> str:
    """The only column of documents, where rows without a question or answer of their own have one; else empty."""
    found = _documents(columns, sample)
    if not found or not sample or _is_blank(sample[0], merge.same) or not sample[0].get(found):
        return ""
    answers = [column for column in columns if role_of(column) in ("answer", "response", "reference_answer")]
    more = [row for one, row in pairwise(sample) if _continues(one, row, merge)]
    return found if more and all(row.get(found) and _is_blank(row, answers) for row in more) else ""


def _documents(columns: Sequence[str], sample: Sequence[Cells]) -> str:
    """The only column of documents, not of names of files; empty where there is none, or more."""
    held = filter(holds_documents, columns)
    found = [c for c in held if not may_name_files(c) or all(_is_text(row[c]) for row in sample if row.get(c))]
    return found[0] if len(found) == 1 else ""


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and has_a_sentence(value)


def _is_document(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, dict) and text_of(value) is not None)


def _continues(one: Cells, other: Cells, merge: Merge) -> bool:
    """Whether a row only adds a document to the one above."""
    if not merge.answers:
        return _is_blank(other, merge.same)
    return _are_same(one, other, merge.same) and _is_blank(other, merge.answers)


def _is_blank(row: Cells, columns: Sequence[str]) -> bool:
    return all(column in row and row[column] in (None, "") for column in columns)


def _are_same(one: Cells, other: Cells, columns: Sequence[str]) -> bool:
    return all(name in other and one.get(name) == other[name] for name in columns)


def _may_count(column: str) -> bool:
    """Whether the column may count documents, by its name: `rank`, `passage_id`."""
    return names_rank(column) or (names_a_text(column) and not _COUNTS.isdisjoint(words_of(column)))


def _is_rank(column: str, asked: Sequence[str], sample: Sequence[Cells]) -> bool:
    """Whether the column counts the rows of each question from 0 or 1, and some question has two."""
    several, place, before = False, None, None
    for row in sample:
        said, now = [row.get(name) for name in asked], _place(row.get(column))
        follows = said == before and place is not None and now == place + 1
        if not follows and now not in (0, 1):
            return False
        several, place, before = several or follows, now, said
    return several


def _place(value: Any) -> int | None:
    """The number in a cell, which may stand in brackets: `[1]`."""
    try:
        return int(value.strip(" []()#.") if isinstance(value, str) else value)
    except (TypeError, ValueError):
        return None


def _repeated(columns: Sequence[str], asked: Sequence[str], sample: Sequence[Cells]) -> Merge | None:
    """How rows merge that share a question and differ in nothing but their document, where an id, a rank or a score
    tells so; else `None`.
    """
    documents = _documents(columns, sample)
    ids = [column for column in columns if plain_name(column) in _IDS or _is_question_id(column)]
    ranks = [column for column in columns if names_rank(column)]
    if not documents or not all(_is_document(row.get(documents)) for row in sample):
        return None
    rest = [c for c in columns if c in (*asked, *ids) or not (c == documents or _is_of_one(c))]
    same = [c for c in rest if c in (*asked, *ids) or not _OF_A_RUN.isdisjoint(words_of(c))]
    rank = ranks[0] if len(ranks) == 1 else ""
    known = [row for row in sample if all(row.get(column) for column in ids)]
    groups = _several(known, same, documents)
    answers = [c for c in rest if c not in same and any(row.get(c) in (None, "") for row in sample)] if ranks else []
    rest = [c for c in rest if c not in answers]
    alike = (len({key_of(row, rest) for row in rows}) == 1 and _are_one(rows, answers) for rows in groups)
    whole = all(alike) and all(len(rows) > 1 for rows in groups)
    ones = [c for c in columns if c not in rest and c != documents and c not in answers]
    if groups and whole and (ids or _are_ranked(groups, rank) or any(_falls(groups, column) for column in ones)):
        apart = stand_apart(known, rest)
        return Merge(tuple(rest), documents, rank if apart else "", apart=apart)
    # sorted by rank or score, the first rows may all be of different questions
    by_place = (ids or ranks) and any(are_sorted([row.get(column) for row in sample]) for column in ones)
    return Merge(tuple(rest), documents, rank, apart=True) if not groups and by_place else None


def _are_one(rows: Sequence[Cells], columns: Sequence[str]) -> bool:
    """Whether no column has two values in the rows, which may leave it empty."""
    return all(len({repr(v) for row in rows if (v := row.get(column)) not in (None, "")}) < 2 for column in columns)


def _several(sample: Sequence[Cells], same: Sequence[str], documents: str) -> list[Group]:
    """The rows of each question with several documents, for each time that it was asked."""
    found: dict[Any, list[Cells]] = {}
    for row in sample:
        found.setdefault(key_of(row, same), []).append(row)
    many = [group for group in found.values() if len({key_of(row, [documents]) for row in group}) > 1]
    return [rows for group in many for rows in askings(group, documents)]


def _falls(groups: Sequence[Sequence[Cells]], score: str) -> bool:
    """Whether the column has a number in each row that falls within each of several groups."""
    each = [[row.get(score) for row in rows] for rows in groups]
    return len(each) > 1 and all(are_sorted([*values, "-inf"]) and len(set(values)) == len(values) for values in each)


def _are_ranked(groups: Sequence[Sequence[Cells]], rank: str) -> bool:
    """Whether the rows of each group have all ranks from 0 or 1."""
    each = [sorted(_place(row.get(rank)) or 0 for row in group) for group in groups]
    return all(ranks in (list(range(len(ranks))), list(range(1, len(ranks) + 1))) for ranks in each)


def _is_question_id(column: str) -> bool:
    """Whether the column is an id of questions, by its words: `id_pregunta`."""
    words = set(words_of(column))
    return "id" in words and len(words) > 1 and all(word == "id" or names_a_question(word) for word in words)


def _is_of_one(column: str) -> bool:
    """Whether the column is about one document, by its words: `doc_id`, `similarity`, not `faithfulness_score`."""
    return names_rank(column) or all(word in _OF_ONE or names_a_text(word) for word in words_of(column))


def one_a_question(rows: Iterable[tuple[int, Any]], merge: Merge, name: str = "") -> Iterator[tuple[int, Any]]:
    """Merge the rows of one question into one row with all its documents; `name` is what errors call the file.

    The rows stand next to each other, if the merge does not tell otherwise.
    """
    closed = Closed(merge.same, merge.documents) if merge.documents and not (merge.blank or merge.apart) else None
    for number, group in gathered(rows, merge.same, merge.documents) if merge.apart else _consecutive(rows, merge):
        if not isinstance(group, Group):
            yield number, group
        else:
            wrong = closed.error(group, name, number) if closed else None
            yield number, wrong or _merged(group, merge)


def _consecutive(rows: Iterable[tuple[int, Any]], merge: Merge) -> Iterator[tuple[int, Any]]:
    """The groups of consecutive rows of one question, each with the number of its first row."""
    group, first = Group(), 0
    for number, row in rows:
        if not isinstance(row, dict):
            yield number, row
            continue
        if group and not _follows(group[-1], row, merge):
            yield first, group
            group = Group()
        first = first if group else number
        group.append(row)
    if group:
        yield first, group


def _follows(one: Cells, other: Cells, merge: Merge) -> bool:
    if merge.blank:
        return _continues(one, other, merge)
    place = _place(one.get(merge.rank))
    counts = not merge.rank or (place is not None and _place(other.get(merge.rank)) == place + 1)
    return counts and _are_same(one, other, merge.same)


def _merged(group: Sequence[Cells], merge: Merge) -> dict[str, Any]:
    """One row: what all rows of the group share, and a list of what they do not."""
    if merge.blank:
        ranks = [_place(row.get(merge.rank)) for row in group]
        ranked = merge.rank and None not in ranks
        group = sorted(group, key=lambda row: _place(row.get(merge.rank)) or 0) if ranked else group
        said = (row for row in group if not _is_blank(row, merge.answers or merge.same))
        return {**next(said, group[0]), merge.documents: [row.get(merge.documents) for row in group]}
    if merge.apart and None not in (ranks := [_place(row.get(merge.rank)) for row in group]):
        group = sorted(group, key=lambda row: _place(row.get(merge.rank)) or 0)
    if not merge.rank and plain_name(merge.documents) == "reference":
        kept = {key: group[0][key] for key in group[0] if plain_name(key) not in (_POSITION, "reference")}
        return {**kept, "documents": [row.get(merge.documents) for row in group]}
    return {key: _shared(key, [row.get(key) for row in group]) for key in group[0]}


def _shared(key: str, values: list[Any]) -> Any:
    """The value of all rows; of those that have one, if it is no document; else the list of them."""
    said = values if holds_documents(key) else [value for value in values if value not in (None, "")] or values
    return said[0] if all(value == said[0] for value in said) else values
