"""The guide: the sources' worked examples as data, and what follows when people edit them.

If a source prints a number that differs from its formula, `slip` says so and the formula applies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from trace_core.facts.cleaning import clean
from trace_core.facts.records import Document, Record, Response, Scores, with_sentences
from trace_core.facts.sentences import letters
from trace_core.metrics import CONVENTIONS, DERIVED, METRICS, RELEVANCE_DIVISOR, Counts, band, combine, count, score


@dataclass(frozen=True, slots=True)
class Said:
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
    support: Mapping[str, Said] = field(default_factory=dict)
    overall_supported: bool | None = None


@dataclass(frozen=True, slots=True)
class Preset:
    """A worked example: a draft, or four scores if the source gives no more."""

    name: str
    title: str
    slip: str = ""
    draft: Draft | None = None
    four: tuple[float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One value under one convention, with its formula, and a `reason` if it is undefined."""

    value: float | None
    shown: str
    formula: str
    filled: str
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
    made = Record(id=name, question=draft.question, documents=documents, response=Response(text=draft.response))
    sentences = with_sentences(made).sentences()
    made.raw_reply = _reply(draft)
    cleaned = clean(made.raw_reply, sentences.document_keys(), sentences.response_keys(), labeler=labeler)
    made.labels, made.cleaning = cleaned.labels, cleaned.notes
    return made


def _reply(draft: Draft) -> dict[str, Any]:
    """The labels in the judge's JSON; a sentence without a label has no entry."""
    entries = [
        {
            "response_sentence_key": key,
            "supporting_sentence_keys": _keys(said.keys),
            "fully_supported": said.fully,
        }
        for key, said in draft.support.items()
        if said.fully is not None
    ]
    return {
        "all_relevant_sentence_keys": _keys(draft.relevant),
        "overall_supported": draft.overall_supported,
        "sentence_support_information": entries,
        "all_utilized_sentence_keys": _keys(draft.utilized),
    }


def _keys(typed: str) -> list[str]:
    return [part.strip() for part in typed.split(",") if part.strip()]


def side_by_side(record: Record, relevance_divisor: float = RELEVANCE_DIVISOR) -> list[Row]:
    """Every metric and every number computed from them, under all conventions."""
    sentences = record.sentences()
    counted = count(record.labels, sentences) if record.labels else None
    scores = {name: score(record.labels, sentences, name, relevance_divisor=relevance_divisor) for name in CONVENTIONS}
    metrics = [
        Row(name, metric.label, {c: _metric_cell(name, s, counted, relevance_divisor) for c, s in scores.items()})
        for name, metric in METRICS.items()
    ]
    derived = [Row(n, d.label, {c: _derived_cell(n, s) for c, s in scores.items()}) for n, d in DERIVED.items()]
    return metrics + derived


def _metric_cell(name: str, scores: Scores, counted: Counts | None, divisor: float) -> Cell:
    formula, value = METRICS[name].formulas[scores.convention], getattr(scores, name)
    text = formula.text.format(divisor=f"{divisor:g}")
    if value is None or counted is None:
        return Cell(None, "undefined", text, "", scores.undefined[name])
    return Cell(value, f"{value:.2f}", text, formula.filled(counted, divisor))


def _derived_cell(name: str, scores: Scores) -> Cell:
    four = [getattr(scores, metric) for metric in METRICS]
    if None in four:
        lacking = ", ".join(METRICS[n].label for n in scores.undefined)
        return Cell(None, "undefined", DERIVED[name].formula, "", f"{lacking} is undefined")
    return combined(four)[name]


def combined(four: Sequence[float]) -> dict[str, Cell]:
    """Average, balance and consistency of four metrics, each in [0, 1], with the numbers filled in."""
    average, rmse, consistency = (float(v[0]) for v in combine(np.array(four, dtype=np.float64).reshape(4, 1)))
    squares = " + ".join(f"{_number(abs(value - average))}²" for value in four)
    filled = {
        "average": (average, f"({' + '.join(map(_number, four))}) ÷ 4"),
        "rmse_aggregation": (rmse, f"√(({squares}) ÷ 4) = √{rmse**2:.6f}"),
        "consistency_score": (consistency, f"1 − {_thousandths(rmse)}"),
    }
    words = {"rmse_aggregation": band(rmse).shown}
    return {
        name: Cell(value, _thousandths(value), DERIVED[name].formula, text, band=words.get(name, ""))
        for name, (value, text) in filled.items()
    }


def _thousandths(value: float) -> str:
    """The value to three decimals; a mean of 0.84749999999999992 counts as 0.8475, hence 0.848."""
    return f"{round(value, 12):.3f}"


def _number(value: float) -> str:
    return f"{round(value, 4):g}"


def _numbered(*sizes: int) -> tuple[str, ...]:
    """Documents with the given numbers of sentences, for sources that give counts and keys but no texts."""
    return tuple(
        " ".join(f"Sentence {i}{letters(j)} stands here." for j in range(size)) for i, size in enumerate(sizes)
    )


_NO_ANSWER = "The source gives no answer here."
_WHAT_IS_ML = "What is machine learning?"
_COUNTED = Draft(
    question=_WHAT_IS_ML,
    documents=_numbered(10, 10, 10),
    response=_NO_ANSWER,
    relevant="0a, 0b, 1a, 1c, 2a, 2b, 2c, 2d, 2e, 2f, 2g, 2h",
    utilized="0a, 0b, 1c, 2a, 2b, 2c, 2d, 2e",
)

PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        Preset(
            "All four metrics at once",
            "the visual guide to TRACE, the complete walkthrough",
            "The source prints a balance of 0.437 and a consistency of 0.563; its formula gives 0.333 and 0.667.",
            Draft(
                question="What makes machine learning different from traditional programming?",
                documents=(
                    "Machine learning is a subset of AI. It learns patterns from data. "
                    "Traditional programming requires explicit instructions.",
                    "ML algorithms improve through experience. They adapt to new data. "
                    "Rule-based systems are rigid and hard to maintain.",
                ),
                response="Machine learning differs because it learns from data rather than requiring explicit "
                "instructions. ML algorithms improve over time. It's the future of all computing.",
                relevant="0b, 0c, 1a, 1b",
                utilized="0b, 0c, 1a",
                support={"a": Said(True, "0b, 0c"), "b": Said(True, "1a"), "c": Said(False)},
            ),
        ),
        Preset(
            "From sentences to scores",
            "the visual guide to TRACE, step by step",
            draft=Draft(
                question=_WHAT_IS_ML,
                documents=("ML is AI. It learns from data. Algorithms improve through time.",),
                response="Machine learning is AI that learns from data. Deep learning uses neural networks. "
                "It's powerful for images.",
                relevant="0a, 0b",
                utilized="0a, 0b",
                support={"a": Said(True), "b": Said(True), "c": Said(False)},
            ),
        ),
        Preset(
            "Counting relevant sentences",
            "GPT_METRICS_CALCULATION.md, sections 1 and 2, 12 of 30 relevant, 8 used",
            "The source prints a context relevance of 12/30 = 0.40; its own code divides by 20 and gives 0.60 "
            "(0.40 is the RAGBench convention).",
            _COUNTED,
        ),
        Preset(
            "What the answer left out",
            "GPT_METRICS_CALCULATION.md, section 3, 4 of 7 covered",
            draft=Draft(
                question=_WHAT_IS_ML,
                documents=_numbered(2, 3, 2, 1),
                response=_NO_ANSWER,
                relevant="0a, 0b, 1a, 1c, 2a, 2b, 3a",
                utilized="0a, 0b, 1c, 2a",
            ),
        ),
        Preset(
            "Nothing relevant",
            "GPT_METRICS_CALCULATION.md, nothing relevant, nothing used",
            "The source says that relevance 0 always makes completeness 0; its own code gives 1 if nothing is "
            "utilized.",
            Draft(
                question=_WHAT_IS_ML,
                documents=_numbered(3, 2),
                response=_NO_ANSWER,
                relevant="",
                utilized="",
                support={"a": Said(False)},
            ),
        ),
        Preset(
            "A judge that contradicts itself",
            "GPT_METRICS_CALCULATION.md, the labels as JSON",
            draft=Draft(
                question=_WHAT_IS_ML,
                documents=(
                    "Machine learning is AI. It learns from data.",
                    "Neural networks are models. They mimic brains.",
                ),
                response="Machine learning uses neural networks. They learn patterns.",
                relevant="0a, 0b, 1a",
                utilized="0a, 1a, 1b",
                support={"a": Said(True, "0a, 1a"), "b": Said(False, "1b")},
                overall_supported=True,
            ),
        ),
        Preset(
            "Utilization above relevance",
            "GPT_METRICS_CALCULATION.md, the complete example",
            "The source says that completeness ≤ utilization ≤ relevance holds always; its own example has "
            "1.00, 1.00 and 0.20.",
            Draft(
                question=_WHAT_IS_ML,
                documents=(
                    "Machine learning is a subset of AI. It learns patterns from data. "
                    "Algorithms improve through experience.",
                    "Deep learning uses neural networks. It's popular in computer vision.",
                    "Supervised learning needs labeled data. Unsupervised learning finds patterns.",
                ),
                response="Machine learning is a field of AI that learns from data. Deep learning uses neural "
                "networks. It's powerful for image recognition.",
                relevant="0a, 0b, 1a, 1b",
                utilized="0a, 0b, 1a, 1b",
                support={"a": Said(True, "0a, 0b"), "b": Said(True, "1a"), "c": Said(False, "1b")},
            ),
        ),
        Preset(
            "Balanced scores",
            "TRACE_RMSE_AGGREGATION.md, example 1, balanced scores",
            "The source prints a mean square of 0.000488; its formula gives 0.000469 (its RMSE of 0.022 stands).",
            four=(0.85, 0.82, 0.88, 0.84),
        ),
        Preset(
            "Scores apart",
            "TRACE_RMSE_AGGREGATION.md, example 2, scores apart",
            "The source prints an RMSE of 0.154 and calls it concerning; its formula gives 0.170, in the band good.",
            four=(0.95, 0.50, 0.85, 0.70),
        ),
        Preset(
            "Scores at target",
            "TRACE_RMSE_AGGREGATION.md, use case 3, the target",
            "The source prints an RMSE of 0.019; its formula gives 0.018.",
            four=(0.87, 0.85, 0.85, 0.82),
        ),
    )
}
