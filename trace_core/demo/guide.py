"""The guide: the sources' worked examples as data, and what follows when people edit them. If a source prints a number
that differs from its formula, `slip` says so and the formula applies."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from pydantic import TypeAdapter

from trace_core.facts.cleaning import clean
from trace_core.facts.records import Document, Record, Response, Scores
from trace_core.metrics import CONVENTIONS, DERIVED, LABELS, METRICS, Counts, Scoring, band, combine, count, score


@dataclass(frozen=True, slots=True)
class SentenceLabel:
    """The label of one response sentence. `fully` is `None` if it has none; keys are as typed."""

    fully: bool | None = None
    keys: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """Texts and labels as typed by a person; keys are separated by commas."""

    question: str
    documents: tuple[str, ...]
    response: str
    relevant: str
    utilized: str
    support: Mapping[str, SentenceLabel] = field(default_factory=dict)
    overall_supported: bool | None = None


@dataclass(frozen=True, slots=True)
class Preset:
    """A worked example; without a draft it is only what a source prints wrongly."""

    name: str
    title: str
    slip: str = ""
    draft: Draft | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One value under one convention, with its formula filled in, and a `reason` if it is undefined."""

    value: float | None
    text: str
    formula: str
    reason: str = ""
    band: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One metric, or one number computed from the four, under every convention (name → cell)."""

    name: str
    label: str
    cells: Mapping[str, Cell]


def record(draft: Draft, *, labeler: str = "recorded", name: str = "guide") -> Record:
    """The draft as a record: split into keyed sentences, with its labels read like any judge's reply."""
    documents = [Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(draft.documents)]
    example = Record(id=name, question=draft.question, documents=documents, response=Response(text=draft.response))
    sentences = example.sentences()
    # The labels in the judge's JSON; a sentence without a label has no entry.
    entries = [
        {"response_sentence_key": key, "supporting_sentence_keys": _keys(of.keys), "fully_supported": of.fully}
        for key, of in draft.support.items()
        if of.fully is not None
    ]
    example.raw_reply = {
        "all_relevant_sentence_keys": _keys(draft.relevant),
        "overall_supported": draft.overall_supported,
        "sentence_support_information": entries,
        "all_utilized_sentence_keys": _keys(draft.utilized),
    }
    result = clean(example.raw_reply, sentences.document_keys(), sentences.response_keys(), labeler=labeler)
    example.labels, example.cleaning = result.labels, result.notes
    return example


def _keys(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def side_by_side(record: Record, divisor: float) -> list[Row]:
    """Every metric and every number computed from them, under all conventions."""
    sentences = record.sentences()
    counts = count(record.labels, sentences) if record.labels else None
    scores = {name: score(record.labels, sentences, Scoring(name, divisor)) for name in CONVENTIONS}
    cells = {name: _cells(one, counts, divisor) for name, one in scores.items()}
    return [Row(name, label, {c: cells[c][name] for c in cells}) for name, label in LABELS.items()]


def _cells(scores: Scores, counts: Counts | None, divisor: float) -> dict[str, Cell]:
    """The four metrics, and average, balance and consistency, under one convention, with the numbers filled in."""
    cells: dict[str, Cell] = {}
    for name, metric in METRICS.items():
        value = getattr(scores, name)
        if value is None or counts is None:
            cells[name] = Cell(None, "undefined", "", scores.undefined[name])
        else:
            cells[name] = Cell(value, f"{value:.2f}", metric.formulas[scores.convention].example(counts, divisor))
    if None in (four := [getattr(scores, name) for name in METRICS]):
        lacking = ", ".join(METRICS[name].label for name in scores.undefined)
        return cells | dict.fromkeys(DERIVED, Cell(None, "undefined", "", f"{lacking} is undefined"))
    average, rmse, consistency = (float(v[0]) for v in combine(np.array(four, dtype=np.float64).reshape(4, 1)))
    squares = " + ".join(f"{_number(abs(value - average))}²" for value in four)
    formula = f"√(({squares}) ÷ 4) = √{rmse**2:.6f}"
    return cells | {
        "average": Cell(average, _thousandths(average), f"({' + '.join(map(_number, four))}) ÷ 4"),
        "rmse_aggregation": Cell(rmse, _thousandths(rmse), formula, band=band(rmse).title),
        "consistency_score": Cell(consistency, _thousandths(consistency), f"1 − {_thousandths(rmse)}"),
    }


def _thousandths(value: float) -> str:
    """The value to three decimals; a mean of 0.84749999999999992 counts as 0.8475, hence 0.848."""
    return f"{round(value, 12):.3f}"


def _number(value: float) -> str:
    return f"{round(value, 4):g}"


_LINES = (Path(__file__).parent / "guide.jsonl").read_text(encoding="utf-8").splitlines()
PRESETS: Mapping[str, Preset] = {one.name: one for one in map(TypeAdapter(Preset).validate_json, _LINES)}
"""The sources' worked examples, by name."""
