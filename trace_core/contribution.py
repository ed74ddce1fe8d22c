"""Document contribution: what would the generator have answered from each document alone?

Each retrieved document goes to the same answerer alone; the quality of that answer is the document's label.
The labels in the retriever's order give MAP, MRR, nDCG and P@k. Source: seed 002, after eRAG
(arXiv:2404.13781). This costs one answer per document, which `cost` estimates in advance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from trace_core.answering import Answer, Answerer
from trace_core.errors import BudgetSpent, CostlyError, InputError, TraceError
from trace_core.facts.labels import SPECIAL_KEYS, Labels
from trace_core.facts.records import Document, Record
from trace_core.facts.refusal import opens_by_declining
from trace_core.facts.sentences import response_sentences
from trace_core.llm import estimate_tokens
from trace_core.metrics.overlap import exact_match, token_f1
from trace_core.summary.intervals import mean_interval

USEFUL_FROM = 0.5
"""A document whose own answer scores at least this counts as relevant for MAP, MRR and P@k."""
HARMFUL_BELOW = 0.2
"""A document that is used, but alone leads to an answer scoring below this, is harmful."""
_NOT_ASKED = None
_REFUSED = "The {} declines to answer, so what a document contributes to it is undefined. Give a reference answer."
_SCALE = 1_000
"""Scale of labels: the ranking measures take integers, and time grows with the largest, so three digits are kept."""


def rouge_l(answer: str, truth: str) -> float:
    """ROUGE-L's F over lower-case words of any script, in [0, 1]."""
    return float(_rouge().score(truth, answer)["rougeL"].fmeasure)


class _Words:
    """A tokenizer for any script; the package's own handles only ASCII."""

    def tokenize(self, text: str) -> list[str]:
        return re.findall(r"\w+", text.lower())


@lru_cache(maxsize=1)
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer  # importing it takes more than a second

    return RougeScorer(["rougeL"], tokenizer=_Words())


def _exact(answer: str, truth: str) -> float:
    return float(exact_match(answer, truth))


@dataclass(frozen=True, slots=True)
class Downstream:
    """A measure of an answer against a reference, in [0, 1]."""

    name: str
    label: str
    compute: Callable[[str, str], float]


DOWNSTREAM: Mapping[str, Downstream] = {
    d.name: d
    for d in (
        Downstream("token_f1", "Token F1", token_f1),
        Downstream("rouge_l", "ROUGE-L", rouge_l),
        Downstream("exact_match", "Exact match", _exact),
    )
}


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a contribution test: the number of answers, and the approximate prompt tokens if paid."""

    calls: int
    prompt_tokens: int


def cost(records: Iterable[Record]) -> Cost:
    """The cost, known in advance: one answer for each document of each record."""
    prompts = [estimate_tokens(d.text) + estimate_tokens(r.question) for r in records for d in r.documents]
    return Cost(len(prompts), sum(prompts))


@dataclass(frozen=True, slots=True)
class Part:
    """One document's contribution to the answer.

    `label` is its downstream score by the chosen measure, and `scores` has all measures; both are empty with an
    `error`. `relevant` and `utilized` are shares of its sentences by the record's labels, in [0, 1], and
    `supports` says whether a response sentence rests on it; each is `None` if the labels do not say.
    """

    rank: int
    id: str
    title: str | None
    answer: str
    refused: bool
    label: float | None
    scores: Mapping[str, float]
    relevant: float | None
    utilized: float | None
    supports: bool | None
    redundant: bool = False
    harmful: bool = False
    never_used: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Contribution:
    """The parts in the retriever's order, and the ranking measures over their labels.

    `against` is `reference` or, without one, `response`: then the label says how far a document alone
    leads to the same answer, not to a correct one. `full` is the score of the whole context's answer
    against the reference, 0 if it declines. `measures` (MAP and MRR of one record are its AP and RR) are
    `None` if a document could not be labeled or there is none.
    """

    record_id: str
    measure: str
    against: str
    full: float | None
    parts: list[Part]
    measures: Mapping[str, float] | None
    notes: list[str]
    usage: Mapping[str, float]

    @property
    def labels(self) -> dict[str, float]:
        """Document id → label, as in the query log; the best label if an id repeats."""
        best: dict[str, float] = {}
        for part in self.parts:
            if part.label is not None:
                best[part.id] = max(part.label, best.get(part.id, 0.0))
        return best

    def by_label(self) -> list[Part]:
        """The parts by contribution, highest first, then by rank; unlabeled ones come last."""
        return sorted(self.parts, key=lambda part: (part.label is None, -(part.label or 0.0), part.rank))

    @property
    def complete(self) -> bool:
        """Whether every document could be measured."""
        return not any(part.error for part in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """The contribution as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> Contribution:
        """The inverse of `to_dict`."""
        return cls(**{**kept, "parts": [Part(**part) for part in kept["parts"]]})


def contribute(
    record: Record,
    answerer: Answerer,
    *,
    reference: str | None = None,
    measure: str = "token_f1",
    useful_from: float = USEFUL_FROM,
    harmful_below: float = HARMFUL_BELOW,
    on_document: Callable[[int], None] = lambda done: None,
) -> Contribution:
    """Get an answer from each document alone and score it against the reference, or else the response.

    If that declines to answer, nothing is defined and nothing is asked, because a document that also leads to a
    refusal would seem to contribute. If an answer fails, its document has the reason in `error`. `on_document`
    is called with the number done and may raise to stop. Raises `InputError` for an unknown measure or without
    anything to compare with, and `BudgetSpent`.
    """
    if measure not in DOWNSTREAM:
        raise InputError(f"There is no measure {measure!r}.", f"Use one of: {', '.join(DOWNSTREAM)}.", field="measure")
    response = record.response.text if record.response else ""
    truth = reference if reference and reference.strip() else response
    if not truth.strip():
        raise InputError("There is neither a reference answer nor a response.", "Give one of them.", field="reference")
    against, downstream = "response" if truth is response else "reference", DOWNSTREAM[measure]
    labels, refused = record.labels, _refuses(truth)
    parts, usage = [], {"calls": 0.0}
    for i, document in enumerate(record.documents):
        answer = _NOT_ASKED if refused else _alone(answerer, record.question, document)
        _add(usage, answer)
        parts.append(_part(i, document, answer, truth, measure, labels))
        on_document(i + 1)
    parts = _judged(parts, useful_from, harmful_below)
    return Contribution(
        record_id=record.id,
        measure=measure,
        against=against,
        full=None if refused or against == "response" or not record.response else _full(response, truth, downstream),
        parts=parts,
        measures=ranking([part.label for part in parts], useful_from),
        notes=[_REFUSED.format(against)] if refused else _notes(record, answerer, against, parts),
        usage=usage,
    )


def _alone(answerer: Answerer, question: str, document: Document) -> Answer | TraceError:
    """The answer from one document, or its error; an exhausted budget is raised, not blamed on the document."""
    try:
        return answerer.answer(question, [document.model_copy(update={"rank": 1})])
    except BudgetSpent:
        raise
    except TraceError as error:
        return error


def _full(response: str, truth: str, downstream: Downstream) -> float:
    """The score of the whole context's answer; a refusal has 0, as a document's own has."""
    return 0.0 if _refuses(response) else downstream.compute(response, truth)


def _refuses(text: str) -> bool:
    return opens_by_declining(sentence.text for sentence in response_sentences(text))


def _add(usage: dict[str, float], answer: Answer | TraceError | None) -> None:
    if answer is None:
        return
    more = answer.usage if isinstance(answer, Answer | CostlyError) else {}
    for name, value in ({"calls": 1.0} | dict(more)).items():
        usage[name] = usage.get(name, 0.0) + value


def _part(
    i: int, document: Document, answer: Answer | TraceError | None, truth: str, measure: str, labels: Labels | None
) -> Part:
    text = answer.text if isinstance(answer, Answer) else ""
    refused = isinstance(answer, Answer) and answer.refused
    scores = {} if not isinstance(answer, Answer) else {name: d.compute(text, truth) for name, d in DOWNSTREAM.items()}
    if refused:  # words that a refusal shares with the reference say nothing
        scores = dict.fromkeys(scores, 0.0)
    return Part(
        rank=i + 1,
        id=document.id,
        title=document.title,
        answer=text,
        refused=refused,
        label=scores.get(measure),
        scores=scores,
        relevant=_share(document, labels.all_relevant_sentence_keys if labels else None),
        utilized=_share(document, labels.all_utilized_sentence_keys if labels else None),
        supports=_supports(document, labels),
        error=str(answer) if isinstance(answer, TraceError) else "",
    )


def _share(document: Document, keys: Sequence[str] | None) -> float | None:
    if keys is None or not document.sentences:
        return None
    return sum(sentence.key in keys for sentence in document.sentences) / len(document.sentences)


def _supports(document: Document, labels: Labels | None) -> bool | None:
    if labels is None or labels.sentence_support_information is None:
        return None
    named = {key for s in labels.sentence_support_information for key in s.supporting_sentence_keys} - SPECIAL_KEYS
    return any(sentence.key in named for sentence in document.sentences)


def _judged(parts: Sequence[Part], useful_from: float, harmful_below: float) -> list[Part]:
    """The parts, marked as redundant, harmful or never used."""
    best, judged = 0.0, []
    for part in parts:
        used = None if part.utilized is None and part.supports is None else bool(part.utilized or part.supports)
        label = part.label
        useful = label is not None and label >= useful_from
        harmful = label is not None and label < harmful_below and not part.refused and used is True
        judged.append(
            replace(part, redundant=useful and best >= (label or 0.0), harmful=harmful, never_used=used is False)
        )
        best = max(best, label or 0.0)
    return judged


def relabeled(found: Contribution, record: Record) -> Contribution:
    """The same answers with the record's current labels, which people may have corrected; asks nothing."""
    labels = record.labels
    parts = [
        replace(
            part,
            relevant=_share(document, labels.all_relevant_sentence_keys if labels else None),
            utilized=_share(document, labels.all_utilized_sentence_keys if labels else None),
            supports=_supports(document, labels),
        )
        for part, document in zip(found.parts, record.documents, strict=True)
    ]
    return replace(found, parts=_judged(parts, USEFUL_FROM, HARMFUL_BELOW))


def ranking(labels: Sequence[float | None], useful_from: float = USEFUL_FROM) -> dict[str, float] | None:
    """`map, mrr, ndcg, p@1, p@3, p@5, p@k` of one ranking of k labels in [0, 1], best rank first.

    nDCG uses the labels as gains; for the others, a label of at least `useful_from` is relevant. `None` without
    labels or if one is missing.
    """
    if not labels or any(label is None for label in labels):
        return None
    from ir_measures import AP, RR, P, calc_aggregate, nDCG

    level, k = max(1, round(useful_from * _SCALE)), len(labels)
    measures = {"map": AP(rel=level), "mrr": RR(rel=level), "ndcg": nDCG}
    measures |= {f"p@{n}": P(rel=level) @ n for n in (1, 3, 5) if n <= k}
    measures["p@k"] = P(rel=level) @ k
    gains = {"q": {str(i): round((label or 0.0) * _SCALE) for i, label in enumerate(labels)}}
    order = {"q": {str(i): float(k - i) for i in range(k)}}
    found = calc_aggregate(set(measures.values()), gains, order)
    return {name: float(found[measure]) for name, measure in measures.items()}


def _notes(record: Record, answerer: Answerer, against: str, parts: Sequence[Part]) -> list[str]:
    notes = []
    if against == "response":
        notes.append("Without a reference answer, each document is measured against the full-context response.")
    generator = record.response.generator if record.response else None
    if generator and generator != answerer.name:
        notes.append(f"The response was made by {generator}, the answers from single documents by {answerer.name}.")
    if failed := [part for part in parts if part.error]:
        notes.append(f"{len(failed)} of {len(parts)} documents have no label, so there is no ranking measure.")
    return notes


def contribute_all(
    records: Iterable[Record], answerer: Answerer, references: Mapping[str, str] | None = None, **options: Any
) -> Iterator[Contribution]:
    """One contribution per record, in order; `references` is by record id. Unmeasurable records are left out."""
    for record in records:
        reference = (references or {}).get(record.id)
        if record.documents and (reference or (record.response and record.response.text.strip())):
            yield contribute(record, answerer, reference=reference, **options)


@dataclass(frozen=True, slots=True)
class RankLevel:
    """All documents at one rank: mean label over `labeled` ones, 95 % interval, mean relevant and utilized shares."""

    rank: int
    documents: int
    label: float | None
    interval: tuple[float, float] | None
    labeled: int
    relevant: float | None
    utilized: float | None


def by_rank(found: Sequence[Contribution]) -> list[RankLevel]:
    """Contribution by rank over a run: do contributing documents rank first, and are they relevant and used?"""
    deepest = max((len(contribution.parts) for contribution in found), default=0)
    return [_level(rank, [c.parts[rank - 1] for c in found if len(c.parts) >= rank]) for rank in range(1, deepest + 1)]


def _level(rank: int, parts: Sequence[Part]) -> RankLevel:
    labels = np.array([part.label for part in parts if part.label is not None], dtype=np.float64)
    return RankLevel(
        rank=rank,
        documents=len(parts),
        label=_mean(labels),
        interval=mean_interval(labels),
        labeled=len(labels),
        relevant=_mean([part.relevant for part in parts]),
        utilized=_mean([part.utilized for part in parts]),
    )


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def over_run(found: Sequence[Contribution]) -> dict[str, Any]:
    """Each ranking measure's mean over a run with its interval, and the number of documents with each mark.

    `measures {name: {mean, interval, scored}}` cover the records that have them (`scored` of `records`).
    """
    measured = [c.measures for c in found if c.measures is not None]
    names = dict.fromkeys(name for measures in measured for name in measures)
    columns = {n: np.array([m[n] for m in measured if n in m], dtype=np.float64) for n in names}
    parts = [part for contribution in found for part in contribution.parts]
    return {
        "records": len(found),
        "scored": len(measured),
        "measures": {
            n: {"mean": float(v.mean()), "interval": mean_interval(v), "scored": len(v)} for n, v in columns.items()
        },
        "documents": len(parts),
        "failed": sum(bool(part.error) for part in parts),
        **{tag: sum(getattr(part, tag) for part in parts) for tag in ("redundant", "harmful", "never_used")},
    }
