"""The verdict: a record's diagnosis in words, with the sentences it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from trace_core.diagnosis.diagnose import Diagnosis, examine
from trace_core.diagnosis.findings import Thresholds
from trace_core.diagnosis.signs import refuses
from trace_core.errors import counted
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, Scores

NEAR = 0.2
"""The probability from which a sentence not labeled relevant is worth naming."""
EVEN = 0.5
"""An estimate contradicts the labels if they are on opposite sides of this value."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A sentence or two for people; `tone` is good, warn, bad, neutral or unknown, `diagnosis` is a name."""

    tone: str
    text: str
    diagnosis: str


def verdict(record: Record, scores: Scores, thresholds: Thresholds | None = None) -> Verdict:
    """What to think of the answer."""
    found = examine(record, scores, thresholds).diagnosis
    if record.error:
        return Verdict("unknown", f"Not scored: {record.error.message}", "unlabeled")
    if record.labels is None:
        return _of_scores(scores, found)
    evidence = _Evidence(record, record.labels, scores)
    if not evidence.bears_out(found.name):  # scores counted before cleaning may lack supporting labels
        return _of_scores(scores, found)
    tone, text = _SAYS[found.name](evidence)
    return Verdict(tone or found.tone, text, found.name)


class _Evidence:
    """The parts of the labels that a verdict quotes, with keys in text order."""

    def __init__(self, record: Record, labels: Labels, scores: Scores) -> None:
        self.record, self.labels, self.scores = record, labels, scores
        sentences = record.sentences()
        self.answer = {s.key: s.text for s in sentences.response}
        self.documents = {s.key: s.text for document in sentences.documents for s in document}
        self.chunks = [[s.key for s in document] for document in sentences.documents]
        self.entries = {s.response_sentence_key: s for s in labels.sentence_support_information or []}
        self.statuses = labels.statuses(self.answer)
        self.relevant = [k for k in self.documents if k in set(labels.all_relevant_sentence_keys or [])]
        used = set(labels.all_utilized_sentence_keys or [])
        known = labels.all_utilized_sentence_keys is not None
        self.missed = [k for k in self.relevant if k not in used] if known else []

    @property
    def against(self) -> list[str]:
        """Answer sentences that a document contradicts."""
        return [k for k in self.answer if (entry := self.entries.get(k)) and entry.contradicted]

    @property
    def failing(self) -> list[str]:
        """Answer sentences that fail under the scores' convention, worst first."""
        if self.scores.adherence is None or self.scores.adherence >= 1:
            return []
        listed = self.labels.unsupported_response_sentence_keys
        worst = [k for k, s in self.statuses.items() if s is Status.UNSUPPORTED]
        if self.scores.convention == "ragbench":
            return [k for k in self.answer if k in listed] if listed else worst
        return worst + [k for k, s in self.statuses.items() if s is Status.PARTIALLY]

    @property
    def relevant_chunks(self) -> int:
        """The number of chunks that contain anything relevant."""
        keys = set(self.relevant)
        return sum(any(k in keys for k in chunk) for chunk in self.chunks)

    def bears_out(self, diagnosis: str) -> bool:
        """Whether there is a sentence to quote for the diagnosis."""
        quotes = {"unsupported": self.failing, "incomplete": self.missed, "refused": self.relevant}
        return bool(quotes.get(diagnosis, True))

    def probable(self, kind: str, keys: Sequence[str]) -> tuple[str, float] | None:
        """The most probable of these keys, by the labeler's probabilities of that kind; `None` without any."""
        known: Mapping[str, float] = getattr(self.labels.probabilities, kind) if self.labels.probabilities else {}
        rated = [(known[k], k) for k in keys if k in known]
        return (max(rated)[1], max(rated)[0]) if rated else None

    def told(self, key: str) -> str:
        """The key and its quoted sentence: `0b, “…”`."""
        return f"{key}, {_quoted(self.documents.get(key) or self.answer.get(key, ''))}"

    def left_out(self) -> str:
        """The relevant sentences that were not used: the first is quoted, the others are counted."""
        first, *others = self.missed
        more = f", and {len(others)} more" if others else ""
        return f"{self.told(first)}{more}"


Said = tuple[str, str]
"""A tone, or "" for the diagnosis' own, and the words."""


def _empty(e: _Evidence) -> Said:
    held = f" The documents hold something relevant: {e.told(e.relevant[0])}." if e.relevant else ""
    return "", f"The answer is empty.{held}"


def _nothing_relevant(e: _Evidence) -> Said:
    n, chunks = len(e.documents), len(e.chunks)
    text = (
        f"Nothing relevant was retrieved: {_none_of(n)} in {counted(chunks, 'chunk')} is labeled so."
        if n
        else "Nothing was retrieved."
    )
    near = e.probable("relevant", list(e.documents))
    nearest = f" The nearest is {e.told(near[0])}." if near and near[1] >= NEAR else ""
    if against := e.against:
        return "bad", f"{text} {_says_otherwise(e, against)}"
    if failing := e.failing:
        return "bad", f"{text} The answer rests on nothing: sentence {e.told(failing[0])}.{nearest}"
    if refuses(e.record):
        return "neutral", f"{text} The answer declines, as it should if that is so.{nearest}"
    if e.scores.adherence is None:
        return "warn", f"{text} Whether the answer rests on anything is not known.{nearest}"
    return "warn", f"{text} The answer says what does not bear on the question, or general knowledge.{nearest}"


def _none_of(n: int) -> str:
    return f"none of {counted(n, 'sentence')}" if n > 1 else "not even the one sentence"


def _refused(e: _Evidence) -> Said:
    are = "is" if len(e.relevant) == 1 else "are"
    return "", (
        f"The answer declines, although {counted(len(e.relevant), 'sentence')} {are} labeled relevant: "
        f"{e.told(e.missed[0] if e.missed else e.relevant[0])}."
    )


def _contradicted(e: _Evidence) -> Said:
    return _unless_doubtful(e, e.against[0], f"{_says_otherwise(e, e.against)}{_and_left_out(e)}")


def _says_otherwise(e: _Evidence, against: Sequence[str]) -> str:
    first, *others = against
    theirs = next(iter(e.entries[first].contradicting_sentence_keys))
    also = f" (also {_listed(others)})" if others else ""
    said = f"the answer says {_quoted(e.answer[first])} ({first}){also}"
    return f"Contradicted: {said}, and {e.told(theirs)}, says otherwise."


def _unsupported(e: _Evidence) -> Said:
    first, *others = e.failing
    how = _FAILS.get(e.statuses[first], "is on the list of unsupported sentences")
    also = f" (also {_listed(others)})" if others else ""
    return _unless_doubtful(e, first, f"Not grounded: sentence {e.told(first)}, {how}{also}.{_and_left_out(e)}")


_FAILS = {Status.PARTIALLY: "is only partly supported", Status.UNSUPPORTED: "is supported by no document"}


def _and_left_out(e: _Evidence) -> str:
    return f" It leaves out {e.left_out()}." if e.missed else ""


def _unlabeled(e: _Evidence) -> Said:
    first = next((k for k, status in e.statuses.items() if status is Status.UNLABELED), None)
    reasons = "; ".join(f"{name.replace('_', ' ')}: {why}" for name, why in e.scores.undefined.items())
    if e.entries and first and e.scores.adherence in (None, 1):
        return "", f"Not enough labels: it is not known whether sentence {e.told(first)}, is supported."
    return "", f"Not enough labels: {reasons}."


def _incomplete(e: _Evidence) -> Said:
    are = "is" if len(e.missed) == 1 else "are"
    text = f"{len(e.missed)} of {counted(len(e.relevant), 'relevant sentence')} {are} left out: {e.left_out()}."
    return _unless_doubtful(e, None, f"Grounded, but {text}{_partly(e)}")


def _noise(e: _Evidence) -> Said:
    text = f"{e.relevant_chunks} of {len(e.chunks)} chunks hold anything relevant."
    return _unless_doubtful(e, None, f"Grounded, from much noise: {text}{_partly(e)}")


def _healthy(e: _Evidence) -> Said:
    if e.missed:
        told = len(e.relevant) - len(e.missed)
        said = f"Grounded: {told} of {counted(len(e.relevant), 'relevant sentence')} are used, not {e.left_out()}."
        return _unless_doubtful(e, None, f"{said}{_partly(e)}")
    partly = _partly(e)
    return _unless_doubtful(
        e, None, f"Grounded as this convention counts.{partly}" if partly else "Grounded and complete."
    )


def _partly(e: _Evidence) -> str:
    """The first sentence that is not fully supported, where the convention counts the answer as grounded."""
    partly = [k for k, s in e.statuses.items() if s in _FAILS]
    return f" Sentence {e.told(partly[0])}, {_FAILS[e.statuses[partly[0]]]}." if partly else ""


def _unless_doubtful(e: _Evidence, key: str | None, text: str) -> Said:
    """The given words, or a doubtful verdict if the labeler's estimate of adherence contradicts its labels."""
    estimate = e.labels.expected.adherence if e.labels.expected else None
    if estimate is None or (estimate < EVEN) == (key is not None):
        return "", text
    found = (key, None) if key else e.probable("unsupported", list(e.answer))
    decides = found[0] if found else next(iter(e.answer))
    doubt = e.probable("unsupported", [decides])
    how = f" (doubt {doubt[1]:.2f})" if doubt else ""
    label = "labeled as not supported" if key else "labeled as supported"
    if key in e.against:
        label = f"labeled as contradicted by {e.told(e.entries[key].contradicting_sentence_keys[0])}"
    return "warn", (
        f"Doubtful: sentence {e.told(decides)}, is {label}{how}, and the labeler's estimate for the whole answer "
        f"is {estimate:.2f}. Read that sentence: it decides."
    )


_SAYS: Mapping[str, Callable[[_Evidence], Said]] = {
    "empty": _empty, "nothing_relevant": _nothing_relevant, "refused": _refused, "contradicted": _contradicted,
    "unsupported": _unsupported, "unlabeled": _unlabeled, "incomplete": _incomplete, "noise": _noise,
    "healthy": _healthy,
}  # fmt: skip


def _of_scores(scores: Scores, found: Diagnosis) -> Verdict:
    """The verdict on scores without labels, where no sentence can be quoted."""
    value = getattr(scores, found.metric) if found.metric else None
    if found.name == "unlabeled" and scores.average is None:
        why = next(iter(scores.undefined.values()), "")
        text = "the record has no labels" if not why or why == "not labeled" else f"the record has no labels ({why})"
        return Verdict("unknown", f"Not scored: {text}.", found.name)
    shown = f": {found.metric.replace('_', ' ')} is {value:.2f}" if value is not None else ""
    rests_on_nothing = found.name == "nothing_relevant" and (scores.adherence or 0) < 1
    tone = "bad" if rests_on_nothing and scores.adherence is not None else found.tone
    return Verdict(tone, f"By its scores: {found.title}{shown}. Without labels no sentence can be named.",
                   found.name)  # fmt: skip


def _listed(keys: Sequence[str], most: int = 6) -> str:
    return ", ".join(keys[:most]) + (" …" if len(keys) > most else "")


def _quoted(text: str, most: int = 160) -> str:
    text = " ".join(text.split())
    return f"“{text if len(text) <= most else text[: most - 1].rstrip() + '…'}”"
