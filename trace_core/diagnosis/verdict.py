"""The verdict: a record's diagnosis in words, with the sentences it rests on, and who says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from trace_core.diagnosis.faults import Fault, Thresholds, examine
from trace_core.diagnosis.signs import declines
from trace_core.errors import counted
from trace_core.facts.corrections import Correction, active
from trace_core.facts.failed_generation import EMPTY, ERROR, PLACEHOLDER, TOOL_CALL
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, Scores

NEAR = 0.2
"""The probability from which a sentence not labeled relevant is worth naming."""
EVEN = 0.5
"""An estimate contradicts the labels if they are on opposite sides of this value."""
LONGEST_QUOTE = 160
MOST_KEYS = 6
LEAVES_OUT = " The answer leaves out "
AUTHORS = {
    "local": "the local model",
    "gpt": "the language model",
    "human": "a reviewer",
    "recorded": "the file's labeler",
}
"""Labeler → who it is in a sentence; another labeler goes by its name."""
_FAILED = {EMPTY: "empty", PLACEHOLDER: "a placeholder", ERROR: "the text of an error", TOOL_CALL: "the call of a tool"}


def author_of(labels: Labels) -> str:
    """Who made the labels, as a sentence names them."""
    return AUTHORS.get(labels.labeler, labels.labeler)


def corrections_of(record: Record) -> dict[str, Correction]:
    """Sentence key → the last correction of it that was not taken back."""
    events = active([Correction.model_validate(event) for event in record.overrides])
    return {event.sentence_key: event for event in events if event.field != "reviewed" and event.sentence_key}


class Verdict(NamedTuple):
    """A sentence or two for people; `tone` is good, warn, bad, neutral or unknown, `diagnosis` is a fault's name."""

    tone: str
    text: str
    diagnosis: str


def verdict(record: Record, scores: Scores, thresholds: Thresholds | None = None) -> Verdict:
    """What to think of the answer, in the words of who labeled it."""
    fault = examine(record, scores, thresholds).diagnosis
    if record.error:
        return Verdict("unknown", f"Not scored: {record.error.message}", "unlabeled")
    if record.response and (why := record.failed_generation):
        text = record.response.text.strip()
        quote = f", {_quoted(text)}" if text else ""
        return Verdict(fault.tone, f"The pipeline failed: the answer is {_FAILED[why]}{quote}.", fault.name)
    if record.labels is None:
        return _of_scores(scores, fault)
    evidence = _Evidence(record, record.labels, scores)
    quotable = {"unsupported": evidence.failing, "incomplete": evidence.missed, "refused": evidence.relevant}
    if not quotable.get(fault.name, True):  # scores counted before cleaning may lack supporting labels
        return _of_scores(scores, fault)
    if doubt := _doubt(evidence, fault.name):
        return Verdict("warn", doubt, fault.name)
    invented = fault.name == "nothing_relevant" and (evidence.against or evidence.failing)
    text = _WORDS[fault.name](evidence)
    return Verdict("bad" if invented else fault.tone, text[:1].upper() + text[1:], fault.name)


class _Evidence:
    """The parts of the labels that a verdict quotes, with keys in text order."""

    def __init__(self, record: Record, labels: Labels, scores: Scores) -> None:
        self.labels, self.scores, self.declines = labels, scores, declines(record)
        sentences = record.sentences()
        self.answer = {s.key: s.text for s in sentences.response}
        self.documents = {s.key: s.text for document in sentences.documents for s in document}
        self.chunks = [{s.key for s in document} for document in sentences.documents]
        self.entries = {s.response_sentence_key: s for s in labels.sentence_support_information or []}
        self.statuses = labels.statuses(self.answer)
        relevant, used = set(labels.all_relevant_sentence_keys or []), labels.all_utilized_sentence_keys
        self.relevant = [k for k in self.documents if k in relevant]
        self.missed = [] if used is None else [k for k in self.relevant if k not in used]
        self.against = [k for k in self.answer if k in self.entries and self.entries[k].contradicted]
        self.failing = self._failing()
        self.labeler = author_of(record.labeler_labels or labels)
        self.people = {key: event.author for key, event in corrections_of(record).items()}

    def _failing(self) -> list[str]:
        """Answer sentences that fail under the scores' convention, worst first."""
        if self.scores.adherence is None or self.scores.adherence >= 1:
            return []
        listed = self.labels.unsupported_response_sentence_keys
        worst = [k for k, s in self.statuses.items() if s is Status.UNSUPPORTED]
        if self.scores.convention == "ragbench":
            return [k for k in self.answer if k in listed] if listed else worst
        return worst + [k for k, s in self.statuses.items() if s is Status.PARTIALLY]

    def who(self, *keys: str) -> str:
        """Who says so: the person who corrected one of these labels last, else the labeler."""
        people = [self.people[key] for key in keys if key in self.people]
        return people[-1] if people else self.labeler

    def probable(self, kind: str, keys: Sequence[str]) -> tuple[str, float] | None:
        """The most probable of these keys, by the labeler's probabilities of that kind; `None` without any."""
        known: Mapping[str, float] = getattr(self.labels.probabilities, kind) if self.labels.probabilities else {}
        return max(((k, known[k]) for k in keys if k in known), key=lambda one: one[::-1], default=None)

    def quote(self, key: str) -> str:
        """The key and its quoted sentence: `0b, “…”`."""
        return f"{key}, {_quoted(self.documents.get(key) or self.answer.get(key, ''))}"

    def partly(self) -> str:
        """The first sentence that is not fully supported, where the convention counts the answer as grounded."""
        key = next((k for k, s in self.statuses.items() if s in (Status.PARTIALLY, Status.UNSUPPORTED)), None)
        text = _unsupported_by(self, key) if key else ""
        return f" {text[:1].upper()}{text[1:]}." if text else ""


def _nothing_found(e: _Evidence) -> str:
    if not e.documents:
        return "nothing was retrieved"
    where = f"{counted(len(e.documents), 'sentence')} of {counted(len(e.chunks), 'document')}"
    return f"{e.who(*e.documents)} finds nothing relevant in the {where}"


def _nearest(e: _Evidence) -> str:
    near = e.probable("relevant", list(e.documents))
    return f" The nearest is {e.quote(near[0])}." if near and near[1] >= NEAR else ""


def _declined(e: _Evidence) -> str:
    if e.relevant:
        return "the question has no answer in the collection, and the answer declines, as it should."
    does = "declines, as it should" if e.declines else "makes no unsupported claim"
    return f"{_nothing_found(e)}, and the answer {does}.{_nearest(e)}"


def _nothing_relevant(e: _Evidence) -> str:
    if e.against:
        return f"{_nothing_found(e)}. {_contradicted(e)}"
    if e.failing:
        more = f"Nothing supports sentence {e.quote(e.failing[0])}."
    elif e.declines:
        more = "The answer declines, although the collection contains documents that answer."
    elif e.scores.adherence is None:
        more = "Whether the answer is supported is not known."
    else:
        more = "The answer does not bear on the question, or is general knowledge."
    return f"{_nothing_found(e)}. {more}{_nearest(e)}"


def _refused(e: _Evidence) -> str:
    key = (e.missed or e.relevant)[0]
    return f"The answer declines, although {e.who(key)} finds {_relevant(e)}: {e.quote(key)}."


def _relevant(e: _Evidence) -> str:
    return counted(len(e.relevant), "relevant sentence")


def _contradicted(e: _Evidence) -> str:
    first, *others = e.against
    theirs = e.entries[first].contradicting_sentence_keys[0]
    ours = f"{e.who(first)} finds that sentence {e.quote(first)}{_also(others)}"
    return f"Contradicted: {ours}, contradicts {e.quote(theirs)}."


def _unsupported(e: _Evidence) -> str:
    first, *others = e.failing
    return f"Not grounded: {_unsupported_by(e, first)}{_also(others)}.{_left_out(e, LEAVES_OUT)}"


def _unsupported_by(e: _Evidence, key: str) -> str:
    if e.statuses[key] is Status.UNSUPPORTED:
        return f"{e.who(key)} finds no support for sentence {e.quote(key)}"
    if e.statuses[key] is Status.PARTIALLY:
        return f"{e.who(key)} finds sentence {e.quote(key)}, only partly supported"
    return f"sentence {e.quote(key)}, is on the list of unsupported sentences"


def _also(others: Sequence[str]) -> str:
    return f" (also {', '.join(others[:MOST_KEYS])}{' …' if len(others) > MOST_KEYS else ''})" if others else ""


def _left_out(e: _Evidence, lead: str = "") -> str:
    """The relevant sentences that were not used, if any: the first is quoted, the others are counted."""
    more = f", and {len(e.missed) - 1} more" if len(e.missed) > 1 else ""
    return f"{lead}{e.quote(e.missed[0])}{more}." if e.missed else ""


def _unlabeled(e: _Evidence) -> str:
    first = next((k for k, status in e.statuses.items() if status is Status.UNLABELED), None)
    if e.entries and first and e.scores.adherence in (None, 1):
        return f"Not enough labels: it is not known whether sentence {e.quote(first)}, is supported."
    reasons = "; ".join(f"{name.replace('_', ' ')}: {why}" for name, why in e.scores.undefined.items())
    return f"Not enough labels: {reasons}."


def _incomplete(e: _Evidence) -> str:
    lacking = f"leaves out {len(e.missed)} of {_relevant(e)}: {_left_out(e)}"
    return f"Grounded, but {e.who(*e.missed)} finds that the answer {lacking}{e.partly()}"


def _noise(e: _Evidence) -> str:
    holding = sum(not chunk.isdisjoint(e.relevant) for chunk in e.chunks)
    where = f"something relevant in only {holding} of {len(e.chunks)} documents"
    return f"Grounded, but amid much noise: {e.who(*e.relevant)} finds {where}.{e.partly()}"


def _healthy(e: _Evidence) -> str:
    who, partly = e.who(*e.answer), e.partly()
    if e.missed:
        used = f"{len(e.relevant) - len(e.missed)} of {_relevant(e)} used"
        return f"Grounded, says {who}, with {used}.{_left_out(e, LEAVES_OUT)}{partly}"
    return f"Grounded as this convention counts.{partly}" if partly else f"Grounded and complete, says {who}."


def _doubt(e: _Evidence, diagnosis: str) -> str:
    """A doubtful verdict, if the labeler's estimate of adherence contradicts its labels; else ""."""
    estimate = e.labels.expected.adherence if e.labels.expected else None
    decisive = {"contradicted": e.against, "unsupported": e.failing, "incomplete": [], "noise": [], "healthy": []}
    key = next(iter(decisive.get(diagnosis, [])), None)
    if estimate is None or diagnosis not in decisive or (estimate < EVEN) == (key is not None):
        return ""
    doubted = e.probable("unsupported", [key] if key else list(e.answer))
    decides = key or (doubted[0] if doubted else next(iter(e.answer)))
    label = "unsupported" if key else "supported"
    if key in e.against:
        label = f"contradicted by {e.quote(e.entries[key].contradicting_sentence_keys[0])}"
    return (
        f"Doubtful: {e.who(decides)} labels sentence {e.quote(decides)}, as {label}"
        f"{f' (doubt {doubted[1]:.2f})' if doubted else ''}, but estimates an adherence of {estimate:.2f} for the "
        "whole answer. Read that sentence: it decides."
    )


_WORDS: Mapping[str, Callable[[_Evidence], str]] = {
    "declined": _declined,
    "nothing_relevant": _nothing_relevant,
    "refused": _refused,
    "unsupported": _unsupported,
    "contradicted": lambda e: f"{_contradicted(e)}{_left_out(e, LEAVES_OUT)}",
    "unlabeled": _unlabeled,
    "incomplete": _incomplete,
    "noise": _noise,
    "healthy": _healthy,
}


def _of_scores(scores: Scores, fault: Fault) -> Verdict:
    """The verdict on scores without labels, where no sentence can be quoted."""
    if fault.name == "unlabeled" and scores.average is None:
        why = next(iter(scores.undefined.values()), "not labeled")
        because = "" if why == "not labeled" else f" ({why})"
        return Verdict("unknown", f"Not scored: the record has no labels{because}.", fault.name)
    value = getattr(scores, fault.metric) if fault.metric else None
    shown = f", with {fault.metric.replace('_', ' ')} {value:.2f}" if value is not None else ""
    text = f"By its scores: {fault.title}{shown}. Without labels no sentence can be named."
    return Verdict(fault.tone, text, fault.name)


def _quoted(text: str) -> str:
    """The text in quotation marks, without its own full stop, as the verdict's follows."""
    text = " ".join(text.split()).removesuffix(".")
    return f"“{text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1].rstrip() + '…'}”"
