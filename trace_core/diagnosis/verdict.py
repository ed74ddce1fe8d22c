"""The verdict: the one thing said first of a record, with the sentence it is about, who says so, and what helps."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from trace_core.diagnosis import signs
from trace_core.diagnosis.faults import FAULTS, Fault, Thresholds, findings, look, statuses, unsure
from trace_core.diagnosis.signs import FAILING, declines, failing, is_certified, left_out
from trace_core.errors import counted, cut
from trace_core.facts.corrections import Correction, active, read_corrections
from trace_core.facts.failed_generation import EMPTY, ERROR, PLACEHOLDER, TOOL_CALL
from trace_core.facts.labels import Labels, Status, author_of
from trace_core.facts.records import Finding, Record, Scores, Verdict
from trace_core.metrics import LABELS, Counts, columns, count

LONGEST_QUOTE, MOST_KEYS = 160, 6
EXTRACTIVE = "extractive"  # the generator whose answers are sentences of the documents
_WHY = {EMPTY: "empty", PLACEHOLDER: "a placeholder", ERROR: "the text of an error", TOOL_CALL: "the call of a tool"}


def corrections_of(record: Record) -> dict[str, Correction]:
    """Sentence key → the last correction of it that was not taken back."""
    events = active(read_corrections(record))
    return {event.sentence_key: event for event in events if event.field != "reviewed" and event.sentence_key}


class Examination(NamedTuple):
    """One record's verdict, and its faults, the worst first."""

    verdict: Verdict
    findings: list[Finding]


def examine(record: Record, scores: Scores, thresholds: Thresholds | None = None) -> Examination:
    """What to think of the record under the scores' convention, in the words of who labeled it."""
    counts = count(record.labels, record.sentences()) if record.labels else Counts(*[np.nan] * len(Counts._fields))
    four = {name: np.array([getattr(scores, name)], dtype=np.float64) for name in LABELS}
    of_record = dict(zip(signs.SIGNS, np.array([signs.signs_of(record)], dtype=np.float64).T, strict=True))
    is_failed_generation = np.array([record.failed_generation is not None])
    values = signs.quantities(columns([counts]), four, of_record, scores.convention, is_failed_generation)
    name = str(statuses(values, thresholds)[0])
    doubtful = bool(unsure(values, np.array([name], dtype=object))[0])
    words = _phrase(record, scores, FAULTS[name])
    fault = FAULTS["unlabeled"] if record.error else FAULTS[name]
    title, tone = look("" if record.error else fault.name, doubtful)
    verdict = Verdict(
        name=fault.name,
        status=fault.title,
        confidence="unsure" if doubtful else "sure",
        tone=tone,
        author=words.author,
        sentence=words.sentence,
        quote=record.sentences().texts.get(words.sentence or ""),
        text=_capital(f"{title}: {words.text}"),
        next_step=fault.fix,
    )
    return Examination(verdict, [] if record.error else findings(values, name, thresholds))


class _Phrase(NamedTuple):
    """The words of a verdict without its title, the sentence that they are about, and who says so."""

    text: str
    sentence: str | None = None
    author: str | None = None


def _phrase(record: Record, scores: Scores, fault: Fault) -> _Phrase:
    if record.error:
        return _Phrase(record.error.message)
    if record.response and (why := record.failed_generation):
        text = record.response.text.strip()
        return _Phrase(f"the pipeline failed, and its answer is {_WHY[why]}{f', {quotation(text)}' if text else ''}.")
    if record.labels is None:
        return _of_scores(scores, fault)
    evidence = _Evidence(record, record.labels, scores)
    quotable = {"unsupported": evidence.failing, "incomplete": evidence.missed, "refused": evidence.relevant}
    # scores counted before cleaning may lack supporting labels
    return evidence.phrases()[fault.name]() if quotable.get(fault.name, True) else _of_scores(scores, fault)


def _of_scores(scores: Scores, fault: Fault) -> _Phrase:
    """The words about scores without labels, where no sentence can be quoted."""
    if fault.name == "unlabeled" and scores.average is None:
        why = next(iter(scores.undefined.values()), "not labeled")
        return _Phrase(f"the record has none{'' if why == 'not labeled' else f' ({why})'}.")
    value = getattr(scores, fault.metric, None)
    value_text = "" if value is None else f", {fault.metric.replace('_', ' ')} {value:.2f}"
    return _Phrase(f"by its scores{value_text}. Without labels no sentence can be named.")


class _Evidence:
    """The parts of the labels that a verdict quotes, and the words of the verdicts that quote them."""

    def __init__(self, record: Record, labels: Labels, scores: Scores) -> None:
        self.record, self.labels, self.scores = record, labels, scores
        sentences = record.sentences()
        self.texts, self.documents = sentences.texts, sentences.document_keys()
        self.chunks = [{s.key for s in document} for document in sentences.documents]
        self.entries = labels.entries
        self.statuses = labels.statuses(sentences.response_keys())
        self.relevant = [k for k in self.documents if k in (labels.all_relevant_sentence_keys or ())]
        self.count_of_relevant = counted(len(self.relevant), "relevant sentence")
        self.missed = left_out(record)
        self.against = [k for k in failing(record) if self.entries[k].contradicted]
        self.failing = self._failing()
        self.labeler = author_of((record.labeler_labels or labels).labeler).in_sentences
        self.people = {key: event.author for key, event in corrections_of(record).items()}

    def _failing(self) -> list[str]:
        """Answer sentences that fail under the scores' convention, the most doubtful first."""
        if self.scores.adherence is None or self.scores.adherence >= 1:
            return []
        unsupported = self.labels.unsupported_response_sentence_keys
        if self.scores.convention == "ragbench" and unsupported:
            return [k for k in dict.fromkeys([*failing(self.record), *self.statuses]) if k in unsupported]
        partly = self.scores.convention != "ragbench"
        return [k for k in failing(self.record) if partly or self.statuses[k] is Status.UNSUPPORTED]

    def who(self, *keys: str) -> str:
        """Who says so: the person who corrected one of these labels last, else the labeler."""
        return next((self.people[key] for key in reversed(keys) if key in self.people), self.labeler)

    def quote(self, key: str) -> str:
        """The key and its quoted sentence: `0b, “…”`."""
        return f"{key}, {quotation(self.texts.get(key, ''))}"

    def partly(self) -> str:
        """The first sentence that is not fully supported, where the convention counts the answer as grounded."""
        key = next((k for k, s in self.statuses.items() if s in FAILING), None)
        return f" {_capital(self.unsupported_by(key))}." if key else ""

    def nearest(self) -> tuple[str | None, str]:
        """The key of the passage nearest to the question, by its probability and search score, and a sentence on it."""
        chances = self.labels.probabilities.relevant if self.labels.probabilities else {}
        search = {s.key: d.retrieval_score or 0.0 for d in self.record.documents for s in d.sentences}
        near = {key: chances[key] + search.get(key, 0.0) for key in self.documents if key in chances}
        key = max(near, key=lambda key: near[key], default=next(iter(self.relevant), None))
        score = f" (relevant with probability {chances[key]:.2f})" if key in chances else ""
        return key, f" The nearest passage is {self.quote(key)}{score}." if key else ""

    def no_finding(self) -> str:
        """Who finds nothing relevant, and in how much text."""
        if not self.documents:
            return "nothing was retrieved"
        where = f"{counted(len(self.documents), 'sentence')} of {counted(len(self.chunks), 'document')}"
        return f"{self.who(*self.documents)} finds nothing relevant in the {where}"

    def unsupported_by(self, key: str) -> str:
        """Who finds no support, or too little, for that sentence."""
        if self.statuses[key] is Status.UNSUPPORTED:
            return f"{self.who(key)} finds no support for sentence {self.quote(key)}"
        if self.statuses[key] is Status.PARTIALLY:
            return f"{self.who(key)} finds sentence {self.quote(key)}, only partly supported"
        return f"sentence {self.quote(key)}, is on the list of unsupported sentences"

    def leaves_out(self, lead: str = " The answer leaves out ") -> str:
        """The relevant sentences that were not used, if any: the first is quoted, the others are counted."""
        more = f", and {len(self.missed) - 1} more" if len(self.missed) > 1 else ""
        return f"{lead}{self.quote(self.missed[0])}{more}." if self.missed else ""

    def phrases(self) -> Mapping[str, Callable[[], _Phrase]]:
        """Fault → its words."""
        return {
            "declined": self._declined,
            "nothing_relevant": self._nothing_relevant,
            "refused": self._refused,
            "unsupported": self._unsupported,
            "contradicted": self._contradicted,
            "unlabeled": self._unlabeled,
            "missed_document": self._missed_document,
            "incomplete": self._incomplete,
            "noise": self._noise,
            "healthy": self._healthy,
        }

    def _declined(self) -> _Phrase:
        golden, (near, passage) = self.record.golden, self.nearest()
        whole, part = declines(self.record)
        does = "declines" if whole else "declines in part" if part else "makes no unsupported claim"
        if golden and not golden.expected_documents:
            text = f"rightly, as the golden question expects no document, and the answer {does}."
            return _Phrase(text, near, "the golden question")
        text = f"the answer {does}. Whether rightly, {self.labeler} cannot tell: read the nearest passage.{passage}"
        if is_certified(self.record) and not self.relevant:
            text = f"rightly. {_capital(self.no_finding())}, and the answer {does}.{passage}"
        return _Phrase(text, near, self.labeler)

    def _nothing_relevant(self) -> _Phrase:
        if self.failing:
            more = f"Nothing supports sentence {self.quote(self.failing[0])}."
        elif self.record.golden and self.record.golden.expected_documents:
            more = f"The golden question expects {self.record.golden.expected_documents[0]}."
        else:
            more = "Whether the answer is right cannot be read from the documents."
        near, passage = self.nearest()
        text = f"{self.no_finding()}. {more}{passage}"
        return _Phrase(text, next(iter(self.failing), near), self.who(*self.documents))

    def _refused(self) -> _Phrase:
        key = (self.missed or self.relevant)[0]
        text = f"the answer declines, although {self.who(key)} finds {self.count_of_relevant}: {self.quote(key)}."
        return _Phrase(text, key, self.who(key))

    def _contradicted(self) -> _Phrase:
        first, *others = self.against
        theirs, who = self.entries[first].contradicting_sentence_keys[0], self.who(first)
        text = f"{who} finds that sentence {self.quote(first)}{_also(others)}, contradicts {self.quote(theirs)}."
        return _Phrase(f"{text}{self.leaves_out()}", first, who)

    def _unsupported(self) -> _Phrase:
        first, *others = self.failing
        return _Phrase(f"{self.unsupported_by(first)}{_also(others)}.{self.leaves_out()}", first, self.who(first))

    def _unlabeled(self) -> _Phrase:
        first = next((k for k, status in self.statuses.items() if status is Status.UNLABELED), None)
        if self.entries and first and self.scores.adherence in (None, 1):
            return _Phrase(f"it is not known whether sentence {self.quote(first)}, is supported.", first, self.labeler)
        if self.scores.undefined:
            text = "; ".join(f"{name.replace('_', ' ')}: {why}" for name, why in self.scores.undefined.items())
        else:
            unknown = "so whether it answers the question is not known"
            text = f"the answer rests on the documents, but {self.no_finding()}, {unknown}"
        return _Phrase(f"{text}.", None, self.labeler)

    def _missed_document(self) -> _Phrase:
        names = ", ".join(map(quotation, self.record.golden.expected_documents)) if self.record.golden else ""
        text = f"the golden question expects {names}, and not all of that was retrieved."
        return _Phrase(text, None, "the golden question")

    def _incomplete(self) -> _Phrase:
        who = self.who(*self.missed)
        lacking = self.leaves_out(f"leaves out {len(self.missed)} of {self.count_of_relevant}: ")
        return _Phrase(f"{who} finds that the answer {lacking}{self.partly()}", self.missed[0], who)

    def _noise(self) -> _Phrase:
        n, who = sum(not chunk.isdisjoint(self.relevant) for chunk in self.chunks), self.who(*self.relevant)
        text = f"{who} finds something relevant in only {n} of {len(self.chunks)} documents.{self.partly()}"
        return _Phrase(text, None, who)

    def _healthy(self) -> _Phrase:
        partly = self.partly()
        if self.missed:
            used = f"grounded, with {len(self.relevant) - len(self.missed)} of {self.count_of_relevant} used"
        else:
            used = "grounded as this convention counts" if partly else "grounded and complete"
        people = " and ".join(dict.fromkeys(self.people.values()))
        corrections = f", with {counted(len(self.people), 'label')} corrected by {people}" if people else ""
        is_extract = self.record.response and self.record.response.generator == EXTRACTIVE
        copies = " The answer copies sentences word for word: its adherence is 1 by construction." if is_extract else ""
        text = f"{used}, says {self.labeler}{corrections}.{self.leaves_out()}{partly}{copies}"
        return _Phrase(text, None, self.labeler)


def _also(others: Sequence[str]) -> str:
    return f" (also {', '.join(others[:MOST_KEYS])}{' …' if len(others) > MOST_KEYS else ''})" if others else ""


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def quotation(text: str) -> str:
    """The text in quotation marks, without its own full stop, as the verdict's follows."""
    return f"“{cut(' '.join(text.split()).removesuffix('.'), LONGEST_QUOTE)}”"
