"""The counts that every formula uses: labels and sentences in, fourteen numbers out."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Sentences

Number = TypeVar("Number")
ABSENT = math.nan


class _Counts(NamedTuple, Generic[Number]):
    """Counts of one record (`float`) or of many (one array per field). NaN: the list is absent."""

    sentences: Number
    relevant: Number
    utilized: Number
    both: Number
    tokens: Number
    relevant_tokens: Number
    utilized_tokens: Number
    both_tokens: Number
    response_sentences: Number
    fully: Number
    partially: Number
    unsupported: Number
    unlabeled: Number
    listed_unsupported: Number


Counts = _Counts[float]
Columns = _Counts[NDArray[np.float64]]


def columns(counts: Iterable[Counts]) -> Columns:
    """One float column per field from the counts of records; length = number of records."""
    return _Counts(*np.array(list(counts), dtype=np.float64).reshape(-1, len(_Counts._fields)).T)


def count(labels: Labels, sentences: Sentences) -> Counts:
    """Counts of labels: N, |R|, |U|, |R∩U|, their tokens, and the statuses. Unknown keys and repeats do not count, so
    every share stays in [0, 1]. Without support information the statuses are absent, unless there is no sentence to
    support. A sentence that a document contradicts is listed as unsupported."""
    sizes, response = sentences.sizes, sentences.response_keys()
    relevant = _existing(labels.all_relevant_sentence_keys, sizes)
    utilized = _existing(labels.all_utilized_sentence_keys, sizes)
    entries, failing = labels.sentence_support_information, labels.unsupported_response_sentence_keys
    if failing is not None:
        contradictions = [one.response_sentence_key for one in entries or [] if one.contradicted]
        failing = _existing([*failing, *contradictions], response)
    of_sentences = list(labels.statuses(response).values())
    statuses = [ABSENT if entries is None and response else of_sentences.count(status) for status in Status]
    return Counts._make((*_context_counts(relevant, utilized, sizes), len(response), *statuses, _length(failing)))


def _existing(keys: Iterable[str] | None, existing: Collection[str]) -> list[str] | None:
    return None if keys is None else [key for key in dict.fromkeys(keys) if key in existing]


def _length(keys: Sequence[str] | None) -> float:
    return ABSENT if keys is None else len(keys)


def _context_counts(relevant: list[str] | None, utilized: list[str] | None, sizes: Mapping[str, int]) -> list[float]:
    """N, |R|, |U|, |R∩U|, and the tokens of each."""
    both = None if relevant is None or utilized is None else list(set(relevant) & set(utilized))
    lists = (relevant, utilized, both)
    tokens = (ABSENT if keys is None else sum(sizes.get(key, 0) for key in keys) for keys in lists)
    return [len(sizes), *map(_length, lists), sum(sizes.values()), *tokens]


def count_raw(row: Mapping[str, Any], sentences: Sentences) -> Counts:
    """Counts of a row's lists as given, with duplicates and unknown keys. On RAGBench rows, convention `ragbench` then
    gives the released scores: an answer without sentences is adherent there, so their number is absent here."""
    entries = row.get("sentence_support_information")
    total = len(sentences.response)
    if entries is None:
        statuses: tuple[float, ...] = (total or ABSENT, *[ABSENT if total else 0.0] * 4)
    else:
        failing = [entry for entry in entries if not entry.get("fully_supported")]
        partly = sum(bool(entry.get("supporting_sentence_keys")) for entry in failing)
        missing, fully = max(0, total - len(entries)), len(entries) - len(failing)
        statuses = (len(entries) + missing or ABSENT, fully, partly, len(failing) - partly, missing)
    relevant, utilized = row.get("all_relevant_sentence_keys"), row.get("all_utilized_sentence_keys")
    unsupported = row.get("unsupported_response_sentence_keys")
    return Counts._make((*_context_counts(relevant, utilized, sentences.sizes), *statuses, _length(unsupported)))
