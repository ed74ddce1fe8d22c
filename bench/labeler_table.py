"""The leave-one-subset-out tables of the local labeler, in Markdown; `train_labeler.py` prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from fits import balance, fit_logistic
from numpy.typing import NDArray
from ragbench import SUBJECTS, Kept, records
from train_labeler import Asked, ByHand, Row, Written, apply, joined, relevant_model, unsupported_model

from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Record
from trace_core.labeling.local.labeler import VERSION, LocalLabeler
from trace_core.labeling.local.weights import Model, Weights
from trace_core.pipeline import label_all
from trace_core.summary.calibration import interval, measured, paired_difference, rmse
from trace_core.summary.intervals import too_few
from trace_core.summary.peers import FIGURES
from trace_core.summary.trust import sentence_agreement, sentence_counts

Array = NDArray[np.float64]
PLAIN_DOCUMENT = ("question cos", "answer cos", "question cover", "answer cover")
PLAIN_RESPONSE = ("cos", "cos second", "cover best", "cover all", "cos question", "cover question")
"""The features of the plain regression: cosines and overlap of rare words."""
FOLDS = 5
BARS = (0.3, 0.4, 0.5, 0.6, 0.7)


def table(folder: Path, held: Mapping[str, Weights], rows: Sequence[Row], hand: ByHand, kept: Kept) -> str:
    """All measurements, on subjects that were held out from the weights."""
    labeled = {name: _labeled(folder, name, LocalLabeler(kept, kept, held[name])) for name in SUBJECTS}
    said = {name: _columns(found) for name, found in labeled.items()}
    plain = {name: _plain(rows, name, [r.id for r in labeled[name]]) for name in SUBJECTS}
    return "\n\n".join(
        [_figures(said, plain), _sentences(labeled), _written(rows, hand.written), _asked(rows, hand.asked)]
    )


def _labeled(folder: Path, name: str, labeler: LocalLabeler) -> list[Record]:
    unlabeled = [r.model_copy(update={"labels": None}) for r in records(folder / f"{name}_validation.jsonl")]
    return list(label_all(unlabeled, labeler))


def _columns(found: Sequence[Record]) -> dict[str, tuple[Array, Array]]:
    m = measured(found)
    return {metric: m.pair(metric) for metric, _ in FIGURES.values()}


def _plain(rows: Sequence[Row], name: str, ids: list[str]) -> dict[str, Array]:
    """The plain regression trained without the subject: mean and maximum probability of a record."""
    seen = [r for r in rows if r.subject != name]
    models: dict[str, Model] = {}
    for kind, columns, side in (
        ("relevant", PLAIN_DOCUMENT, "documents"),
        ("utilized", PLAIN_DOCUMENT, "documents"),
        ("judged", PLAIN_RESPONSE, "answers"),
    ):
        values = {n: v for n, v in joined([getattr(r, side) for r in seen]).items() if n in columns}
        truth = np.concatenate([getattr(r, "unsupported" if kind == "judged" else kind) for r in seen])
        weights = balance(r.subject for r in seen for _ in next(iter(getattr(r, side).values())))
        models[kind] = fit_logistic(values, truth, weights, 1.0)
    own = {r.record.id: r for r in rows if r.subject == name and r.file.endswith("_validation")}
    chosen = [own[i] for i in ids]
    p = apply(models, chosen)
    scores = np.stack([r.scores for r in seen])
    weights = balance(r.subject for r in seen)
    return {
        "context_relevance": np.array([v.mean() for v in p["relevant"]]),
        "context_utilization": np.array([v.mean() for v in p["utilized"]]),
        "completeness": np.full(len(ids), np.average(scores[:, 2], weights=weights)),
        "adherence": np.array([1 - v.max() for v in p["judged"]]),
    }


def _figures(said: Mapping[str, Any], plain: Mapping[str, Any]) -> str:
    lines = [
        f"| subset | n | figure | plain regression | {VERSION} | difference |",
        "| --- | ---: | --- | ---: | ---: | ---: |",
    ]
    for name in SUBJECTS:
        for figure, (metric, statistic) in FIGURES.items():
            ours, truth = said[name][metric]
            theirs = plain[name][metric]
            difference = paired_difference(statistic, ours, theirs, truth)
            cells = (_cell(statistic(v, truth), interval(statistic, v, truth)) for v in (theirs, ours))
            lines.append(f"| {name} | {len(truth)} | {figure} | {' | '.join(cells)} | {_signed(difference)} |")
    for figure, (metric, statistic) in FIGURES.items():
        columns = [(said[n][metric][0], plain[n][metric], said[n][metric][1]) for n in SUBJECTS]
        means = [np.mean([statistic(c[k], c[2]) for c in columns]) for k in (1, 0)]
        low, high = _mean_difference(columns, statistic)
        lines.append(
            f"| **mean of five** | | {figure} | {means[0]:.3f} | **{means[1]:.3f}** | "
            f"{means[1] - means[0]:+.3f} ({low:+.3f}, {high:+.3f}) |"
        )
    return "\n".join(lines)


def _mean_difference(columns: Sequence[tuple[Array, Array, Array]], statistic: Any) -> tuple[float, float]:
    """95 % interval of the mean difference over subsets, combined from the distances to each subset's interval ends."""
    each = [paired_difference(statistic, *column) for column in columns]
    known = [one for one in each if one["interval"]]
    value = np.mean([one["value"] for one in each])
    arms = [np.sqrt(sum((one["interval"][end] - one["value"]) ** 2 for one in known)) / len(known) for end in (0, 1)]
    return float(value - arms[0]), float(value + arms[1])


def _sentences(labeled: Mapping[str, list[Record]]) -> str:
    lines = [
        "| subset | sentences | κ | precision | recall | completeness RMSE of labels |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for name, found in labeled.items():
        scored = [rescore(r, "ragbench").scores for r in found]
        pairs = [(s, r.ground_truth.scores) for s, r in zip(scored, found, strict=True) if s and r.ground_truth]
        both = [(s.completeness, t["completeness"]) for s, t in pairs if s.completeness is not None]
        of_labels = rmse(*(np.array(v, dtype=float) for v in zip(*both, strict=True)))
        for kind, figures in (
            sentence_agreement(np.array([sentence_counts(r) for r in found], dtype=float)) or {}
        ).items():
            cells = " | ".join(
                "-" if figures[k] is None else f"{figures[k]:.2f}" for k in ("kappa", "precision", "recall")
            )
            lines.append(f"| {name} | {kind} | {cells} | {of_labels:.3f} |")
    return "\n".join(lines)


def _written(rows: Sequence[Row], written: Sequence[Written]) -> str:
    """Sentences about passages, with a fifth of the passages held out at a time: the share called unsupported."""
    fold = {passage: i % FOLDS for i, passage in enumerate(dict.fromkeys(w.passage for w in written))}
    doubt = np.zeros(len(written))
    for k in range(FOLDS):
        inside = np.array([fold[w.passage] == k for w in written])
        model = unsupported_model(rows, [w for w, i in zip(written, inside, strict=True) if not i])
        columns = {n: np.array([w.columns[n] for w in written])[inside] for n in model.columns}
        doubt[inside] = model.probability(columns)
    kinds = np.array([w.kind for w in written])
    lines = ["| sentence | n | doubt ≥ " + " | ".join(f"{t:.2f}" for t in BARS) + " |", "| --- |" + " ---: |" * 6]
    for kind in dict.fromkeys(kinds.tolist()):
        shares = " | ".join(f"{np.mean(doubt[kinds == kind] >= t):.0%}" for t in BARS)
        lines.append(f"| {kind} | {np.sum(kinds == kind)} | {shares} |")
    return "\n".join(lines)


def _asked(rows: Sequence[Row], asked: Sequence[Asked]) -> str:
    """Questions about chunks, with a fifth of the chunks held out at a time: precision and recall of "relevant"."""
    fold = {chunk: i % FOLDS for i, chunk in enumerate(dict.fromkeys(a.chunk for a in asked))}
    said: dict[int, Array] = {}
    for k in range(FOLDS):
        model = relevant_model(rows, [a for a in asked if fold[a.chunk] != k])
        said |= {i: model.probability(a.columns) for i, a in enumerate(asked) if fold[a.chunk] == k}
    p, truth = np.concatenate([said[i] for i in range(len(asked))]), np.concatenate([a.relevant for a in asked]) > 0
    lines = [f"| {bar:.2f} | {np.mean(truth[p >= bar]):.2f} | {np.mean(p[truth] >= bar):.2f} |" for bar in BARS]
    head = [f"| {len(asked)} questions, relevant from | precision | recall |", "| --- | ---: | ---: |"]
    return "\n".join([*head, *lines])


def _cell(value: float | None, span: tuple[float, float] | None) -> str:
    shown = f" ({span[0]:.3f}, {span[1]:.3f})" if span else " (too few)"
    return "-" if value is None else f"{value:.3f}{shown}"


def _signed(difference: Mapping[str, Any]) -> str:
    low, high = difference["interval"] or (None, None)
    return f"{difference['value']:+.3f} " + (too_few(difference["n"]) if low is None else f"({low:+.3f}, {high:+.3f})")
