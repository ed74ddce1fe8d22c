"""Signs: what is counted of a record for its diagnosis, and which of its sentences decide. Retrieval is judged by
shares of chunks: |R| ÷ 20 says nothing, a perfect answer to a one-fact question has 0.05."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.corrections import active, read_corrections
from trace_core.facts.labels import SPECIAL_KEYS, Labels, Probabilities, Status, author_of
from trace_core.facts.records import Record
from trace_core.facts.refusal import is_refusal, opens_by_declining
from trace_core.facts.words import content
from trace_core.metrics import Columns
from trace_core.metrics.base import Values

SIGNS = tuple(
    "refusal denial grounded certified unanswerable document_recall several noise_sensitivity contradicted chunks"
    " relevant_chunks first_relevant doubt nearness left_out".split()
)
"""What is counted for one record in addition to the counts of the scores (see `signs_of`)."""
SEVERAL = ("global", "thematic", "multi-hop", "several")
"""Categories of golden questions that no single document answers."""
FAILING = (Status.UNSUPPORTED, Status.PARTIALLY)
Mask = NDArray[np.bool_]
Quantities = Mapping[str, Values]
"""What a condition may name → one value per record; an unknown value is NaN and meets no condition."""


def signs_of(record: Record) -> tuple[float | None, ...]:
    """The record's `SIGNS`, in that order; `None` means unknown. `refusal`: the answer declines and claims nothing
    besides; `denial`: it claims something, and what fails of it only declines; `grounded`: how many claims a document
    fully supports; `certified`: the labels can tell whether declining is right. `doubt` and `nearness` are the
    probabilities, unsupported and relevant, of the sentences that decide; `left_out` is the expected number of relevant
    sentences left out."""
    labels, sentences, golden = record.labels or Labels(), record.sentences(), record.golden
    entries, relevant = labels.sentence_support_information, labels.all_relevant_sentence_keys
    refusal, denial = declines(record)
    claims = [e for e in entries or [] if e.fully_supported and not {*e.supporting_sentence_keys} <= SPECIAL_KEYS]
    keys = set(relevant or [])
    ranks = [rank for rank, one in enumerate(sentences.documents, 1) if any(s.key in keys for s in one)]
    chances, omissions = labels.probabilities or Probabilities(), left_out(record) if labels.probabilities else []
    return (
        float(refusal),
        float(denial),
        None if entries is None else float(len(claims)),
        float(is_certified(record)),
        None if golden is None else float(not golden.expected_documents),
        None if golden is None else golden.document_recall,
        None if golden is None else float((golden.category or "").casefold() in SEVERAL),
        noise_sensitivity(labels, sentences.response_keys()),
        None if entries is None else float(sum(entry.contradicted for entry in entries)),
        float(len(sentences.documents)),
        None if relevant is None else float(len(ranks)),
        float(ranks[0]) if ranks else None,
        _deciding(chances.unsupported, failing(record)),
        _deciding(chances.relevant, omissions),
        sum(chances.relevant.get(k, 1.0) * (1 - chances.utilized.get(k, 0.0)) for k in omissions)
        if labels.probabilities
        else None,
    )


def _deciding(chances: Mapping[str, float], keys: Sequence[str]) -> float | None:
    """The probability of the first key; without keys the greatest there is."""
    return chances.get(keys[0]) if keys else max(chances.values(), default=None)


def is_certified(record: Record) -> bool:
    """Whether a judge made the labels or gave the scores, or a person looked at what decides if declining is right."""
    own = record.labeler_labels
    if own is None or author_of(own.labeler).certifies:
        return True
    fields = ("relevant", "supported", "reviewed")
    return bool(record.overrides) and any(event.field in fields for event in active(read_corrections(record)))


def declines(record: Record) -> tuple[bool, bool]:
    """Whether the answer declines and claims nothing besides; and whether it claims something, but only its declining
    sentences fail. What rests on nothing relevant ("They are about bicycles.") is no claim here. Where nothing is
    relevant, an answer that no sentence of the documents but all of them support says that they lack it, in whatever
    words. Without labels, an answer that opens by declining declines."""
    texts, labels = {s.key: s.text for s in record.sentences().response}, record.labels
    if labels is None or labels.sentence_support_information is None:
        return opens_by_declining(texts.values()), False
    declining = {key for key, text in texts.items() if is_refusal(text)}
    faults = {key for key, status in labels.statuses(texts).items() if status in FAILING}
    relevant, entries = labels.all_relevant_sentence_keys, labels.sentence_support_information
    rest = {e.response_sentence_key for e in entries if not set(relevant or ()).isdisjoint(e.supporting_sentence_keys)}
    by = {key for e in entries for key in e.supporting_sentence_keys}
    lacking = relevant == [] and not faults and "supported_without_sentence" in by and by <= SPECIAL_KEYS
    whole = lacking or (bool(declining) and faults | rest <= declining)
    return whole, not whole and bool(faults) and faults <= declining


def failing(record: Record) -> list[str]:
    """The answer sentences that fail: contradicted ones before the others, each time the most doubtful first."""
    labels, keys = record.labels or Labels(), record.sentences().response_keys()
    chances = labels.probabilities.unsupported if labels.probabilities else {}
    against = {key for key, entry in labels.entries.items() if entry.contradicted}
    doubt = {Status.UNSUPPORTED: 1.0, Status.PARTIALLY: 0.5}
    doubts = {key: chances.get(key, doubt[status]) for key, status in labels.statuses(keys).items() if status in doubt}
    return sorted(doubts, key=lambda key: (key not in against, -doubts[key]))


def left_out(record: Record) -> list[str]:
    """The relevant sentences that the answer does not use; empty if a list is absent. First those with words of the
    question that neither the answer nor what it uses has: of its other part; and each time the most relevant first."""
    labels, texts = record.labels or Labels(), record.sentences().texts
    relevant, used = labels.all_relevant_sentence_keys, labels.all_utilized_sentence_keys
    left = [] if relevant is None or used is None else [key for key in texts if key in relevant and key not in used]
    if not left:
        return []
    answer = [texts.get(key, "") for key in used or ()] + [record.response.text if record.response else ""]
    open_part = content(record.question) - content(" ".join(answer))
    chances = labels.probabilities.relevant if labels.probabilities else {}
    return sorted(left, key=lambda key: (open_part.isdisjoint(content(texts[key])), -chances.get(key, 1.0)))


def noise_sensitivity(labels: Labels, response_keys: Sequence[str]) -> float | None:
    """Share of response sentences supported only by irrelevant sentences, in [0, 1]; `None` without the labels for it.
    Neither unsupported sentences (hallucinations) nor those with special support (no document) count."""
    relevant, entries = labels.all_relevant_sentence_keys, labels.sentence_support_information
    if relevant is None or entries is None or not response_keys:
        return None
    fine = {*relevant, *SPECIAL_KEYS}
    noisy = sum(bool(s.supporting_sentence_keys) and fine.isdisjoint(s.supporting_sentence_keys) for s in entries)
    return noisy / len(response_keys)


def quantities(
    counts: Columns, scores: Mapping[str, Values], signs: Quantities, convention: str, failed_generation: Mask
) -> Quantities:
    """Everything that a condition may name, one value per record. `relevance` is the share of chunks with anything
    relevant, `relevant_text` that of sentences, `retrieved` the larger of the first and the score, `used` |U| ÷ |R|,
    `missed` the relevant sentences that are left out, `covered` their complement in expectation, `utilization` the
    score where it has a target. Without labels only the score is known, and under `trace` it is not a share."""
    has_counts, relevant = ~np.isnan(counts.sentences), scores["context_relevance"]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(signs["chunks"] > 0, signs["relevant_chunks"] / signs["chunks"], np.nan)
        used = np.where(counts.relevant > 0, np.minimum(1.0, counts.utilized / counts.relevant), 0.0)
    used = np.where(np.isnan(counts.relevant + counts.utilized), np.nan, used)
    unknown, utilization = np.full_like(relevant, np.nan), scores["context_utilization"]
    idle = signs["chunks"] - signs["relevant_chunks"]
    lacking = sum(np.isnan(scores[name]) for name in ("context_relevance", "completeness", "adherence"))
    if convention == "graded":  # a share of the labeled sentences says nothing of the others
        lacking = lacking + ((counts.unlabeled > 0) & (scores["adherence"] == 1))
    of_text = np.where(has_counts, counts.relevant / np.where(counts.sentences > 0, counts.sentences, np.nan), relevant)
    return {
        **scores,
        **signs,
        "unanswerable": (signs["unanswerable"] == 1).astype(float),  # only a golden question tells
        "answerable": (signs["unanswerable"] == 0).astype(float),
        "grounded": np.nan_to_num(signs["grounded"]),
        "contradicted": np.nan_to_num(signs["contradicted"]),
        "failed_generation": failed_generation.astype(float),
        "nothing_relevant": (np.where(has_counts, counts.relevant, relevant) == 0).astype(float),
        "lacking": np.asarray(lacking, dtype=float),
        "relevance": np.where(has_counts, share, unknown if convention == "trace" else relevant),
        "relevant_text": of_text,
        "retrieved": np.where(has_counts, np.fmax(share, relevant), relevant),
        "used": np.where(has_counts, used, utilization),
        "utilization": utilization if convention == "trace" else unknown,
        "covered": 1 - signs["left_out"] / np.where(counts.relevant > 0, counts.relevant, np.nan),
        "missed": np.where(has_counts, counts.relevant - counts.both, np.inf),
        "idle_chunks": np.where(has_counts, idle, np.inf),
    }
