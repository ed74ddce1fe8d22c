"""Whether a cell's value fits a field, whatever its column is called."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.names import plain_name
from trace_core.datasets.notations import value_of
from trace_core.errors import InputError
from trace_core.metrics import METRICS

MOSTLY = 0.6
"""The share of cells that must end with a question mark, or hold sentences, in a column that its name does not tell."""


def mostly(test: Callable[[Any], bool], values: Sequence[Any]) -> bool:
    """Whether most of the values pass the test."""
    return sum(map(test, values)) >= MOSTLY * len(values)


def is_share(value: Any) -> bool:
    """Whether the cell is empty or a number between 0 and 1."""
    try:
        return value in (None, "") or 0 <= float(value) <= 1
    except (TypeError, ValueError):
        return False


def is_truth(value: Any) -> bool:
    """Whether the cell is a share, or says whether something is true."""
    return is_share(value) or str(value).strip().lower() in ("true", "false", "nan")


def _is_object(value: Any) -> bool:
    try:
        return isinstance(value_of(value), dict)
    except InputError:
        return False


def _is_scores(value: Any) -> bool:
    return _is_object(value) and any(plain_name(name) in METRICS for name in value_of(value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str | int | float)


def is_names(value: Any) -> bool:
    """Whether the cell holds names or ids."""
    found = shapes.names(value)
    return isinstance(found, list) and all(isinstance(name, str | int) for name in found)


def is_evidence(value: Any) -> bool:
    """Whether the cell lists facts that people found in documents, as MultiHop-RAG does: the answer is theirs, too."""
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) and "fact" in one for one in value)


_MODEL = re.compile(r"[A-Za-z][\w./:@]{0,60}[-.:\d][\w./:@-]{0,60}")


def are_models(values: Sequence[Any]) -> bool:
    """Whether the cells name models: `gpt-4o`, `llama3`; or are one and the same word."""
    texts = [value.strip() for value in values if isinstance(value, str)]
    same = len({*texts}) == 1 and len(texts[0].split()) == 1
    return same or (bool(texts) and all(map(_MODEL.fullmatch, texts)))


_DECISIONS = frozenset("accept accepted reject rejected ignore ignored pass passed fail failed".split())


def is_decision(value: Any) -> bool:
    """Whether the cell accepts or rejects an answer, in one word."""
    return isinstance(value, str) and value.strip().casefold() in _DECISIONS


_YES_OR_NO = frozenset(
    "yes no ja nein nee oui non sí si sì sim não tak nie ano ne igen nem evet hayır nej kyllä ei да нет так ні "
    "はい いいえ 是 否 예 아니요 richtig falsch correcto incorrecto vrai faux".split()
)


def is_yes_or_no(value: Any) -> bool:
    """Whether the cell says yes or no, or whether something is right, in one word."""
    return isinstance(value, str) and value.strip(" .!").casefold() in _YES_OR_NO


_CITATION = re.compile(r"\[\d{1,3}\]")


def cites(value: Any) -> bool:
    """Whether a text cites documents by their numbers: `At nine [1].`"""
    return isinstance(value, str) and bool(_CITATION.search(value))


TESTS: Mapping[str, Callable[[Any], bool]] = {
    "question": shapes.is_question,
    "documents": shapes.is_documents,
    "response": shapes.is_response,
    "reference_answer": shapes.is_reference,
    "expected_documents": is_names,
    "metrics": _is_scores,
    "ground_truth_scores": _is_object,
    "category": _is_text,
    "generation_model_name": _is_text,
}
