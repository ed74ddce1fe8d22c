"""Which column holds the documents, and which one those that should have been found."""

from __future__ import annotations

from itertools import chain

from trace_core.datasets import shapes
from trace_core.datasets.cells import are_listed, has_a_sentence
from trace_core.datasets.guessing.columns import Columns, is_new
from trace_core.datasets.guessing.fitting import is_names
from trace_core.datasets.headings import numbered
from trace_core.datasets.names import ALIASES, CONTAINERS, plain_name
from trace_core.datasets.words import may_be_found, may_be_texts, names_expected


def take_documents(known: Columns) -> None:
    """Take the column or the columns of retrieved documents."""
    names = ["documents", *ALIASES["documents"]]
    if known.has("retrieval_context") or _is_span_table(known):
        names.remove("context")  # DeepEval's `context` is what should have been retrieved
    for holder in (*CONTAINERS["response"], *CONTAINERS["question"]):
        names += [f"{holder}_{name}" for name in ("documents", *ALIASES["documents"])]
    if _is_span_table(known):
        names.insert(0, "reference")
    if known.take("documents", names):
        return
    for star, columns in known.groups.items():
        if any(known.fits("documents", column) for column in columns):
            known.fields["documents"] = star
            return
    likely = [name for name in ("results", "retrieval") if known.are_sentences(name, list | dict)]
    likely += [name for name in ("record_json", "calls") if known.are_sentences(name, object)]  # TruLens
    if not known.take("documents", likely):
        _unnamed_documents(known)


def _unnamed_documents(known: Columns) -> None:
    """Documents by the words of their column's name, else the only column that can be lists of texts, else the
    only columns of texts that differ in a number.
    """
    spoken = known.spoken("documents", lambda name: known.are_sentences(name, object))
    free = [name for name, column in known.named.items() if is_new(name, column) and may_be_texts(column)]
    lists = [name for name in free if known.are_sentences(name, list) or _lists_what_was_found(known, name)]
    if known.take("documents", spoken or (lists if len(lists) == 1 else [])):
        return
    alike = numbered(known.columns, may_be_texts)
    fitting = {
        star: columns
        for star, columns in alike.items()
        if len(columns) > 1 and all(known.are_sentences(plain_name(column), str) for column in columns)
    }
    if len(fitting) == 1:
        known.more.update(fitting)
        known.fields["documents"] = next(iter(fitting))


def _lists_what_was_found(known: Columns, name: str) -> bool:
    """Whether the column's name speaks of finding, and each of its texts is a list."""
    return may_be_found(known.named[name]) and are_listed(known.values(known.named[name]))


def _is_span_table(known: Columns) -> bool:
    """Whether it is a Phoenix table, where the `reference` is the retrieved document."""
    return known.has("reference") and (known.has("context_span_id") or known.has("context_trace_id"))


def take_expected_documents(known: Columns) -> None:
    """The documents that should be found, by the words of a name: the only such column with names as cells."""
    told = [c for c in (*known.columns, *known.paths) if names_expected(c) or known.lists_facts(c)]
    free = [c for c in told if c not in known.fields.values()]
    short = [c for c in free if known.values(c) and all(map(is_names, known.values(c))) and not _tells(known, c)]
    if len(short) == 1:
        known.fields.setdefault("expected_documents", short[0])


def _tells(known: Columns, column: str) -> bool:
    """Whether there is a sentence among the names in a column."""
    named = chain.from_iterable(map(shapes.names, known.values(column)))
    return not known.lists_facts(column) and any(isinstance(one, str) and has_a_sentence(one) for one in named)
