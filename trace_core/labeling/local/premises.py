"""The reader's input: the premises for each response sentence, and what may answer the question.

The premises of a response sentence are the document sentences that match it best: the best two alone, all three
together, and the best one with the sentence before it, which may say what "it" is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trace_core.facts.records import Sentences
from trace_core.labeling.local.compare import Comparison
from trace_core.labeling.local.contrasts import contrary
from trace_core.labeling.local.reader import CLAIMS_NOTHING, ENTAILS, Pair, Read
from trace_core.labeling.local.wording.quoting import denies, opposes, repeats
from trace_core.labeling.local.wording.texts import Text, names_sources, unmarked

Array = NDArray[np.float64]
Places = tuple[int, ...]
"""The indices of document sentences, in document order."""
ALONE = 2
"""The number of document sentences read alone."""
UNREAD = -7.0
"""The log-odds assigned to a document sentence that was not read, being too unlike the response sentence."""
_PRONOUN = re.compile(r"(?:It|They|This|These|He|She)(?:(['’]s|['’]re)|(?= ))")
_ENDINGS = {"s": " is", "re": " are"}
_DETERMINED = r"(?:The|A|An|This|That|These|Those|Our|Your|Each|Every)(?: (?!that\b|who\b|which\b)[\w'’-]+){1,5}?"
_NAMED = r"(?!It\b|They\b|He\b|She\b|There\b|You\b|We\b|I\b)[A-Z][\w'’.-]*(?: (?:[A-Z][\w'’.-]*|of|the|de|van)){0,4}"
_VERB = (
    r"(?:is|are|was|were|has|have|had|can|cannot|could|must|should|may|might|will|would|does|do|did"
    r"|[a-z]+(?:s|ed)|came|took|won|wrote|began|became|made|held|led|built|sold|bought|gave|ran)\b"
)
_SUBJECT = re.compile(rf"({_DETERMINED}|{_NAMED})(?: \([^()]{{0,80}}\))?,? {_VERB}")


@dataclass(frozen=True, slots=True)
class Asked:
    """One premise of one response sentence."""

    row: int
    places: Places


def asked(c: Comparison) -> list[Asked]:
    """Every premise of every response sentence, grouped by response sentence."""
    return [Asked(row, places) for row in range(c.m) for places in _premises(c, row)]


def _premises(c: Comparison, row: int) -> list[Places]:
    near = [int(i) for i in c.aligned[row]]
    best = near[0]
    found: list[Places] = [(i,) for i in near[:ALONE]]
    found.append(tuple(sorted(near)))
    if best and c.document[best - 1] == c.document[best]:
        found.append((best - 1, best))
    return list(dict.fromkeys(found))


def pairs_of(wanted: Sequence[Asked], sentences: Sentences) -> list[Pair]:
    """The texts of the premises, each with its response sentence.

    List marks and citations are removed, and a leading pronoun such as "it" is replaced by the premise's subject.
    """
    documents = [s.text.strip() for d in sentences.documents for s in d]
    answers = [bare_claim(s.text) for s in sentences.response]
    premises = [[documents[i] for i in a.places] for a in wanted]
    return [(" ".join(texts), named(answers[a.row], texts)) for a, texts in zip(wanted, premises, strict=True)]


def named(claim: str, texts: Iterable[str]) -> str:
    """The claim, its leading pronoun replaced by the subject of the first text that has one.

    A response sentence is read without the sentences before it. By itself, "It is red." has no referent; with the
    premise "The tank is red." it is about the tank, as a person would read it.
    """
    pronoun = _PRONOUN.match(claim)
    if pronoun is None:
        return claim
    for text in texts:
        if subject := _SUBJECT.match(text):
            verb = _ENDINGS[pronoun[1][1:]] if pronoun[1] else ""
            return f"{subject[1]}{verb}{claim[pronoun.end() :]}"
    return claim


def bare_claim(sentence: str) -> str:
    """The sentence without its list mark and citations."""
    return unmarked(sentence) or sentence


class Evidence:
    """The reader's output for one record: k × 4 log-probabilities for k premises, and n log-odds of answering."""

    def __init__(self, c: Comparison, wanted: Sequence[Asked], read: Read, answers: Read) -> None:
        self.c, self.wanted, self.says, self.answers = c, list(wanted), read, answers
        self.odds: Array = odds(read)
        self.sources = [_source(t, c) for t in c.answer.texts]
        """The document sentence that each of the m response sentences repeats; `None` where there is none."""
        self.denials = [_denial(c, row) if source is None else None for row, source in enumerate(self.sources)]
        """The document sentence that each of the m response sentences denies; `None` where there is none."""
        self.copies = np.array([s is not None for s in self.sources], dtype=bool)
        self.claims = np.array([self._claims(row) for row in range(c.m)], dtype=bool)
        """Which of the m response sentences claim anything, unlike greetings and refusals."""

    def _claims(self, row: int) -> bool:
        text = self.c.answer.texts[row]
        nothing = self.odds[self.of_row(row), CLAIMS_NOTHING].mean() > 0 and not text.numbers
        return bool(self.copies[row] or not (names_sources(text) or text.refusal or nothing))

    def of_row(self, row: int) -> list[int]:
        """The indices in `wanted` of one response sentence's premises."""
        return [i for i, a in enumerate(self.wanted) if a.row == row]

    def alone(self, kind: int) -> Array:
        """m × n log-odds that one document sentence alone says so (or contradicts it); `UNREAD` where not read."""
        found = np.full((self.c.m, self.c.n), UNREAD)
        for i, a in enumerate(self.wanted):
            if len(a.places) == 1:
                found[a.row, a.places[0]] = self.odds[i, kind]
        return found

    def together(self, kind: int) -> Array:
        """m × n: the highest log-odds of the multi-sentence premises that contain this sentence."""
        found = np.full((self.c.m, self.c.n), UNREAD)
        for i, a in enumerate(self.wanted):
            if len(a.places) > 1:
                for place in a.places:
                    found[a.row, place] = max(found[a.row, place], self.odds[i, kind])
        return found

    def best(self, row: int) -> Places:
        """The premise that entails the response sentence most strongly, the shorter one if tied."""
        mine = self.of_row(row)
        most = max(mine, key=lambda i: (round(float(self.odds[i, ENTAILS]), 1), -len(self.wanted[i].places)))
        return self.wanted[most].places


def _source(text: Text, c: Comparison) -> int | None:
    """The document sentence with the same words, or the one of which it repeats a part."""
    if not text.bare:
        return None
    exact = next((i for i, t in enumerate(c.documents.texts) if t.bare == text.bare), None)
    return exact if exact is not None else next((i for i, t in enumerate(c.documents.texts) if repeats(text, t)), None)


def _denial(c: Comparison, row: int) -> int | None:
    """The document sentence that says the opposite in mostly the same words, or of which the claim changes a thing."""
    text, documents = c.answer.texts[row], c.documents.texts
    for contradicts in (denies, opposes):
        if (found := contradicts(text, documents)) is not None:
            return found
    nearest = [int(i) for i in c.aligned[row]]
    place = contrary(unmarked(text.surface), [unmarked(documents[i].surface) for i in nearest])
    return None if place is None else nearest[place]


def odds(logs: Read) -> Array:
    """Log-probabilities k × 4 → log-odds of each class against the others, within ± 7."""
    p = np.clip(np.exp(logs.astype(np.float64)), 1e-6, 1 - 1e-6)
    found: Array = np.clip(np.log(p / (1 - p)), UNREAD, -UNREAD)
    return found
