"""Signs: counts of a record that its diagnosis and findings use.

Retrieval is judged by shares of chunks: |R| ÷ 20 says nothing, a perfect answer to a one-fact question has 0.05.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.labels import SPECIAL_KEYS, Labels, Status
from trace_core.facts.records import Record
from trace_core.facts.refusal import is_refusal, opens_by_declining
from trace_core.metrics import Columns
from trace_core.metrics.base import Values

SIGNS = (
    "refusal",
    "unanswerable",
    "noise_sensitivity",
    "contradicted",
    "chunks",
    "relevant_chunks",
    "first_relevant",
    "missed",
)
"""What is counted for one record in addition to the counts of the scores."""
Mask = NDArray[np.bool_]
Quantities = Mapping[str, Values]
"""What a condition may name → one value per record; an unknown value is NaN and meets no condition."""


def signs_of(record: Record) -> tuple[float | None, ...]:
    """The record's `SIGNS`, in that order; `None` means unknown."""
    labels, sentences = record.labels or Labels(), record.sentences()
    noise = noise_sensitivity(labels, sentences.response_keys())
    entries, relevant = labels.sentence_support_information, labels.all_relevant_sentence_keys
    contradicted = None if entries is None else float(sum(entry.contradicted for entry in entries))
    refusal = float(declines(record))
    unanswerable = float(not record.golden.expected_documents) if record.golden else None
    keys = set(relevant or [])
    ranks = [rank for rank, one in enumerate(sentences.documents, 1) if any(s.key in keys for s in one)]
    first, number = float(ranks[0]) if ranks else None, None if relevant is None else float(len(ranks))
    chunks = float(len(sentences.documents))
    return refusal, unanswerable, noise, contradicted, chunks, number, first, missed_count(record)


def missed_count(record: Record) -> float | None:
    """How many relevant sentences the answer leaves out; the expected number, where the labeler knows probabilities and
    no person has corrected its lists. `None` if a list is absent.
    """
    labels = record.labels
    if labels is None or labels.all_relevant_sentence_keys is None or labels.all_utilized_sentence_keys is None:
        return None
    left = set(labels.all_relevant_sentence_keys).difference(labels.all_utilized_sentence_keys)
    left.intersection_update(record.sentences().document_keys())
    if labels.probabilities is None or record.overrides:
        return float(len(left))
    relevant, utilized = labels.probabilities.relevant, labels.probabilities.utilized
    return sum(relevant.get(key, 1.0) * (1 - utilized.get(key, 0.0)) for key in left)


def declines(record: Record) -> bool:
    """Whether the answer opens by declining, and no sentence that does not itself decline fails: what such a one claims
    is then what matters.
    """
    if record.response is None:
        return False
    texts = {s.key: s.text for s in record.response.sentences}
    if not opens_by_declining(texts.values()):
        return False
    statuses = record.labels.statuses(texts) if record.labels else {}
    return all(is_refusal(texts[key]) for key, s in statuses.items() if s in (Status.UNSUPPORTED, Status.PARTIALLY))


def noise_sensitivity(labels: Labels, response_keys: Sequence[str]) -> float | None:
    """Share of response sentences supported only by irrelevant sentences, in [0, 1]; `None` without the labels for it.

    Neither unsupported sentences (hallucinations) nor those with special support (no document) count.
    """
    listed, entries = labels.all_relevant_sentence_keys, labels.sentence_support_information
    if listed is None or entries is None or not response_keys:
        return None
    fine = {*listed, *SPECIAL_KEYS}
    noisy = sum(bool(s.supporting_sentence_keys) and fine.isdisjoint(s.supporting_sentence_keys) for s in entries)
    return noisy / len(response_keys)


def quantities(
    counts: Columns, scores: Mapping[str, Values], signs: Quantities, convention: str, failed_generation: Mask
) -> Quantities:
    """Everything that a condition may name, one value per record.

    `relevance` is the share of chunks with anything relevant, `relevant_text` that of sentences, `retrieved` the larger
    of the first and the score, `used` |U| ÷ |R|, `missed` the relevant sentences that are left out, `covered` the
    completeness, in expectation where the labeler doubts what is left out. Without labels only the score is known, and
    under `trace` it is not a share.
    """
    labeled, relevant = ~np.isnan(counts.sentences), scores["context_relevance"]
    left = np.where(np.isnan(signs["missed"]), counts.relevant - counts.both, signs["missed"])
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(signs["chunks"] > 0, signs["relevant_chunks"] / signs["chunks"], np.nan)
        expected = np.where(counts.relevant > 0, 1 - left / counts.relevant, 1.0)
        used = np.where(counts.relevant > 0, np.minimum(1.0, counts.utilized / counts.relevant), 0.0)
    used = np.where(np.isnan(counts.relevant + counts.utilized), np.nan, used)
    given = relevant if convention != "trace" else np.full_like(relevant, np.nan)
    idle = signs["chunks"] - signs["relevant_chunks"]
    lacking = sum(np.isnan(scores[name]) for name in ("context_relevance", "completeness", "adherence"))
    if convention == "graded":  # a share of the labeled sentences says nothing of the others
        lacking = lacking + ((counts.unlabeled > 0) & (scores["adherence"] == 1))
    of_text = np.where(labeled, counts.relevant / np.where(counts.sentences > 0, counts.sentences, np.nan), relevant)
    return {
        **scores,
        **signs,
        "unanswerable": (signs["unanswerable"] == 1).astype(float),  # only a golden question tells
        "answerable": (signs["unanswerable"] == 0).astype(float),
        "failed_generation": failed_generation.astype(float),
        "nothing_relevant": (np.where(labeled, counts.relevant, relevant) == 0).astype(float),
        "lacking": np.asarray(lacking, dtype=float),
        "relevance": np.where(labeled, share, given),
        "relevant_text": of_text,
        "retrieved": np.where(labeled, np.fmax(share, relevant), relevant),
        "used": np.where(labeled, used, scores["context_utilization"]),
        "missed": np.where(labeled, left, np.inf),
        "covered": np.where(left < counts.relevant - counts.both, expected, scores["completeness"]),
        "idle_chunks": np.where(labeled, idle, np.inf),
    }
