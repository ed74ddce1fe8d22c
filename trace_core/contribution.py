"""Document contribution: what would the generator have answered from each document alone? Each retrieved document goes
to the same answerer alone; the quality of that answer is the document's label. The labels in the retriever's order give
MAP, MRR, nDCG and P@k. Source: seed 002, after eRAG (arXiv:2404.13781)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import zip_longest
from types import SimpleNamespace
from typing import Any, NamedTuple

from trace_core.answering import Answerer
from trace_core.errors import BudgetSpent, CostlyError, InputError, TraceError
from trace_core.evidence.reference import states
from trace_core.facts.labels import SPECIAL_KEYS, Labels
from trace_core.facts.records import Record
from trace_core.facts.refusal import opens_by_declining
from trace_core.facts.sentences import response_sentences
from trace_core.llm import estimate_tokens
from trace_core.metrics.overlap import exact_match, token_f1
from trace_core.summary.aggregation import mean_summary

USEFUL_FROM = 0.5  # a document whose own answer scores at least this counts as relevant for MAP, MRR and P@k
HARMFUL_BELOW = 0.2  # a document that is used, but alone leads to an answer scoring below this, is harmful
_REFUSAL = "The {} declines to answer, so what a document contributes to it is undefined. Give a reference answer."
EXACT = "exact_match"
_SCALE = 1_000
"""Scale of labels: the ranking measures take integers, and time grows with the largest, so three digits are kept."""


def rouge_l(answer: str, truth: str) -> float:
    """ROUGE-L's F over lower-case words of any script, in [0, 1]."""
    return float(_rouge().score(truth, answer)["rougeL"].fmeasure)


@cache
def _rouge() -> Any:
    from rouge_score.rouge_scorer import RougeScorer  # importing it takes more than a second

    words = re.compile(r"\w+")  # the package's own tokenizer handles only ASCII
    return RougeScorer(["rougeL"], tokenizer=SimpleNamespace(tokenize=lambda text: words.findall(text.lower())))


class Downstream(NamedTuple):
    """A measure of an answer against a reference, in [0, 1]."""

    label: str
    compute: Callable[[str, str], float]


DOWNSTREAM: Mapping[str, Downstream] = {
    "token_f1": Downstream("Token F1", token_f1),
    "rouge_l": Downstream("ROUGE-L", rouge_l),
    EXACT: Downstream("Exact match", lambda answer, truth: float(exact_match(answer, truth))),
}


class ContributionCost(NamedTuple):
    """One answer for each document of each record, and their approximate prompt tokens if paid."""

    calls: int
    prompt_tokens: int


def contribution_cost(records: Iterable[Record]) -> ContributionCost:
    """The cost, known in advance."""
    prompts = [estimate_tokens(d.text) + estimate_tokens(r.question) for r in records for d in r.documents]
    return ContributionCost(len(prompts), sum(prompts))


@dataclass(frozen=True, slots=True)
class DocumentContribution:
    """One document's contribution: `label` by the chosen measure, `scores` by all, none with an `error`. By the labels,
    or `None`: `relevant` and `utilized`, shares of its sentences; `supports`: a response sentence rests on it."""

    rank: int
    id: str
    title: str | None
    answer: str
    refused: bool
    label: float | None
    scores: Mapping[str, float]
    relevant: float | None = None
    utilized: float | None = None
    supports: bool | None = None
    redundant: bool = False
    harmful: bool = False
    never_used: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class Contribution:
    """The parts in the retriever's order, and the ranking measures over their labels. Without a reference they are
    measured `against` the `response`: how far a document alone leads to the same answer, not to a correct one. `full`
    is the score of the whole context's answer against the reference, 0 if it declines. `measures` are `None` if a
    document could not be labeled or there is none."""

    record_id: str
    measure: str
    against: str
    full: float | None
    parts: list[DocumentContribution]
    measures: Mapping[str, float] | None
    notes: list[str]
    usage: Mapping[str, float]

    @property
    def support(self) -> float | None:
        """The share of the documents with the highest contribution (including ties) that the answer rests on. `None` if
        no document contributes, one has no label, the labels do not name support, or the answer rests on no document at
        all (a hallucination or a refusal, which have faults of their own)."""
        parts = self.parts
        if any(part.label is None or part.supports is None for part in parts) or not any(p.supports for p in parts):
            return None
        most = max((part.label or 0.0 for part in parts), default=0.0)
        best = [part for part in parts if part.label == most]
        return sum(bool(part.supports) for part in best) / len(best) if most > 0 else None

    @property
    def labels(self) -> dict[str, float]:
        """Document id → label, as in the query log; the best label if an id repeats."""
        labels = [(part.label, part.id) for part in self.parts if part.label is not None]
        return {document: label for label, document in sorted(labels)}

    @property
    def complete(self) -> bool:
        """Whether every document could be measured."""
        return not any(part.error for part in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """The contribution as JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, body: Mapping[str, Any]) -> Contribution:
        """The inverse of `to_dict`."""
        return cls(**{**body, "parts": [DocumentContribution(**part) for part in body["parts"]]})


def contribute(
    record: Record,
    answerer: Answerer,
    *,
    reference: str | None = None,
    measure: str = "token_f1",
    on_document: Callable[[int], object] = lambda n: None,
) -> Contribution:
    """Get an answer from each document alone and score it against the reference, or else the response. If that declines
    to answer, nothing is defined and nothing is asked. `on_document` is called with the number done and may raise to
    stop. Raises `InputError` for an unknown measure or nothing to compare with, and `BudgetSpent`."""
    if measure not in DOWNSTREAM:
        raise InputError(f"There is no measure {measure!r}.", f"Use one of: {', '.join(DOWNSTREAM)}.", field="measure")
    response = record.response.text if record.response else ""
    truth = reference if reference and reference.strip() else response
    if not truth.strip():
        raise InputError("There is neither a reference answer nor a response.", "Give one of them.", field="reference")
    against, declines = "response" if truth is response else "reference", _declines(truth)
    parts, usage, full = [], Counter[str](calls=0), None
    for i, document in enumerate(record.documents):
        part = DocumentContribution(i + 1, document.id, document.title, answer="", refused=False, label=None, scores={})
        if not declines:
            usage["calls"] += 1
            try:
                answer = answerer.answer(record.question, [document.model_copy(update={"rank": 1})])
            except BudgetSpent:
                raise  # it is no error of the document
            except TraceError as error:
                part = replace(part, error=str(error))
                usage.update(error.usage if isinstance(error, CostlyError) else {})
            else:
                # Words that a refusal shares with the reference say nothing.
                each = {name: 0.0 if answer.declines else _score(name, answer.text, truth) for name in DOWNSTREAM}
                part = replace(part, answer=answer.text, refused=answer.declines, label=each[measure], scores=each)
                usage.update(answer.usage)
        parts.append(part)
        on_document(i + 1)
    if record.response and against == "reference" and not declines:
        full = 0.0 if _declines(response) else _score(measure, response, truth)
    notes = [_REFUSAL.format(against)] if declines else _notes(record, answerer, against, parts)
    measures = ranking([part.label for part in parts])
    return with_labels_of(Contribution(record.id, measure, against, full, parts, measures, notes, dict(usage)), record)


def _declines(text: str) -> bool:
    return opens_by_declining(sentence.text for sentence in response_sentences(text))


def _score(measure: str, answer: str, truth: str) -> float:
    """A short reference that is there whole is fully reached, however much more the answer says."""
    return 1.0 if measure != EXACT and states(answer, truth) else DOWNSTREAM[measure].compute(answer, truth)


def with_labels_of(contribution: Contribution, record: Record) -> Contribution:
    """The same answers beside the record's current labels, which people may have corrected; asks nothing."""
    labels = record.labels or Labels()
    entries = labels.sentence_support_information
    support = None if entries is None else {key for s in entries for key in s.supporting_sentence_keys} - SPECIAL_KEYS
    best, parts = 0.0, []
    for part, document in zip(contribution.parts, record.documents, strict=True):
        keys = [sentence.key for sentence in document.sentences]
        utilized = _share(keys, labels.all_utilized_sentence_keys)
        supports = None if support is None else not support.isdisjoint(keys)
        used = None if utilized is None and supports is None else bool(utilized or supports)
        score = part.label or 0.0
        parts.append(
            replace(
                part,
                relevant=_share(keys, labels.all_relevant_sentence_keys),
                utilized=utilized,
                supports=supports,
                redundant=best >= score >= USEFUL_FROM,
                never_used=used is False,
                harmful=part.label is not None and score < HARMFUL_BELOW and not part.refused and used is True,
            )
        )
        best = max(best, score)
    return replace(contribution, parts=parts)


def _share(keys: Sequence[str], members: Sequence[str] | None) -> float | None:
    return None if members is None or not keys else sum(key in members for key in keys) / len(keys)


def ranking(labels: Sequence[float | None]) -> dict[str, float] | None:
    """`map, mrr, ndcg, p@1, p@3, p@5, p@k` of a ranking of k labels, best rank first; `None` if one is missing. nDCG
    uses the labels as gains; for the others, a label of at least `USEFUL_FROM` is relevant."""
    if not labels or any(label is None for label in labels):
        return None
    from ir_measures import AP, RR, P, calc_aggregate, nDCG

    level, k = round(USEFUL_FROM * _SCALE), len(labels)
    measures = {"map": AP(rel=level), "mrr": RR(rel=level), "ndcg": nDCG}
    measures |= {f"p@{n}": P(rel=level) @ n for n in (1, 3, 5) if n <= k}
    measures["p@k"] = P(rel=level) @ k
    gains = {"q": {str(i): round((label or 0.0) * _SCALE) for i, label in enumerate(labels)}}
    values = calc_aggregate(set(measures.values()), gains, {"q": {str(i): float(k - i) for i in range(k)}})
    return {name: float(values[measure]) for name, measure in measures.items()}


def _notes(record: Record, answerer: Answerer, against: str, parts: Sequence[DocumentContribution]) -> list[str]:
    notes = []
    if against == "response":
        notes.append("Without a reference answer, each document is measured against the full-context response.")
    generator = record.response.generator if record.response else None
    if generator and generator != answerer.name:
        notes.append(f"The response was made by {generator}, the answers from single documents by {answerer.name}.")
    if errors := [part for part in parts if part.error]:
        notes.append(f"{len(errors)} of {len(parts)} documents have no label, so there is no ranking measure.")
    return notes


def measurable(record: Record, reference: str | None) -> bool:
    """Whether there are documents, and anything to compare an answer from them with."""
    return bool(record.documents and (reference or (record.response and record.response.text.strip())))


def contribute_all(
    records: Iterable[Record], answerer: Answerer, references: Mapping[str, str] | None = None, **options: Any
) -> Iterator[Contribution]:
    """One contribution per record, in order; `references` is by record id. Unmeasurable records are left out."""
    for record in records:
        reference = (references or {}).get(record.id)
        if measurable(record, reference):
            yield contribute(record, answerer, reference=reference, **options)


class RankLevel(NamedTuple):
    """All documents at one rank: mean label over `labeled` ones, 95 % interval, mean relevant and utilized shares."""

    rank: int
    documents: int
    label: float | None
    interval: tuple[float, float] | None
    labeled: int
    relevant: float | None
    utilized: float | None


def by_rank(contributions: Sequence[Contribution]) -> list[RankLevel]:
    """Contribution by rank over a run: do contributing documents rank first, and are they relevant and used?"""
    levels = []
    for rank, parts in enumerate(zip_longest(*(contribution.parts for contribution in contributions)), start=1):
        label, relevant, utilized = (
            mean_summary([getattr(part, name) for part in parts if part]) for name in ("label", "relevant", "utilized")
        )
        shares = label["mean"], label["interval"], label["scored"], relevant["mean"], utilized["mean"]
        levels.append(RankLevel(rank, sum(part is not None for part in parts), *shares))
    return levels


def contribution_summary(contributions: Sequence[Contribution]) -> dict[str, Any]:
    """Each ranking measure's mean over the `scored` records with its interval, and the number of documents per mark."""
    rankings = [c.measures for c in contributions if c.measures is not None]
    names = dict.fromkeys(name for measures in rankings for name in measures)
    parts = [part for contribution in contributions for part in contribution.parts]
    return {
        "records": len(contributions),
        "scored": len(rankings),
        "measures": {name: mean_summary([m.get(name) for m in rankings]) for name in names},
        "documents": len(parts),
        "failed": sum(bool(part.error) for part in parts),
        **{tag: sum(getattr(part, tag) for part in parts) for tag in ("redundant", "harmful", "never_used")},
    }
