"""Pairs made from written passages, and from sentences of real answers that GPT-4 found supported.

Language models reword what they copy ("When the installation is complete, the menu appears." becomes "Once the
installation is complete, the menu will appear."). Each such sentence is a true one; edited, it becomes false.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reader.edits import Editor
from reader.pairs import Label, Pair, Passage, with_company
from reader.rewording import detailed
from trace_core.facts.layout import plain
from trace_core.facts.words import STOPWORDS, stem

FILE = "emanual_train"
"""The one file whose labels teach what supports what: the others measure what was learned."""
_MOST = 3
"""Supporting sentences in a premise, as in the product."""
_SHARED = 0.6
"""The least share of the sentence's words in the premise: GPT-4's labels of freer sentences are less reliable."""
_SHORT = 4
"""Fewer words are titles more often than claims."""
_WORD = re.compile(r"\w+")


def of_answer(row: Mapping[str, Any], editor: Editor, rng: random.Random) -> Iterator[Pair]:
    """Each near copy in the answer with what supports it, as it is and made false."""
    documents = {key: text.strip() for document in row["documents_sentences"] for key, text in document}
    said = {key: plain(text) for key, text in row["response_sentences"]}
    doubted = set(row["unsupported_response_sentence_keys"] or [])
    for entry in row["sentence_support_information"] or []:
        key = str(entry["response_sentence_key"]).strip(".")
        claim, named = said.get(key, ""), entry["supporting_sentence_keys"] or []
        supporting = list(dict.fromkeys(documents[one] for one in named if one in documents))
        if key in doubted or entry["fully_supported"] is False or claim.endswith(":"):
            continue
        premise = " ".join(_nearest(claim, supporting))
        if len(claim.split()) < _SHORT or _share(claim, premise) < _SHARED:
            continue
        if rng.random() < 0.3:  # beside a sentence of the same documents, before or after
            beside = [rng.choice(list(documents.values())), premise]
            premise = " ".join(rng.sample(beside, 2))
        yield Pair(premise, claim, Label.ENTAILS)
        if made := editor.harmful(claim, rng, numbers=fixes_its_numbers(claim, premise)):
            yield Pair(premise, *made)


def _nearest(claim: str, supporting: list[str]) -> list[str]:
    """The sentences that share most words with the claim, in their order."""
    best = sorted(range(len(supporting)), key=lambda i: -_share(claim, supporting[i]))[:_MOST]
    return [supporting[i] for i in sorted(best)]


def _share(claim: str, text: str) -> float:
    words = _words(claim)
    return len(words & _words(text)) / len(words) if words else 0.0


def _words(text: str) -> set[str]:
    return {stem(word) for word in _WORD.findall(text.lower()) if word not in STOPWORDS}


_NEAR = 0.7
"""The share of both sentences' words in common from which one is a near copy of the other."""
EDITED = 3
"""The number of true sentences of a passage that are edited; each gives a true and a false one."""
_BOUND = re.compile(
    r"\b(?:at least|at most|more|less|fewer|over|under|above|below|up to|within|until|before|after|by|between|from|"
    r"exceeds?|maximum|minimum|limit|enough|can|could|may)\b",
    re.I,
)
"""Beside these words another number may be as true as the first."""
_DIGITS = re.compile(r"\d[\d.,:]*\d|\d")


def of_variants(passage: Passage, others: Sequence[Passage], editor: Editor, rng: random.Random) -> Iterator[Pair]:
    """Edited sentences of one passage: true ones that stay true or become false, and a false one that stays false.

    Where more of the written statements are false near copies than true ones, true ones are added until they are as
    many: a small change alone must not be a sign of either.
    """
    premise = " ".join(passage.sentences)
    true = [*passage.entailed, *passage.sentences]
    for said in _missing_copies(passage, rng):
        yield Pair(with_company(passage.sentences, others, rng), editor.harmless(said, rng, 2), Label.ENTAILS)
    for said in rng.sample(true, min(EDITED, len(true))):
        yield Pair(premise, editor.harmless(said, rng, 3), Label.ENTAILS)
        reworded = editor.reworded(said, rng, 1)
        if made := editor.harmful(reworded, rng, numbers=fixes_its_numbers(said, premise)):
            yield Pair(premise, *made)
    said, strange = rng.choice(true), rng.choice(rng.choice(others).entailed)
    if rng.random() < 0.5 and (more := detailed(said, strange, premise)):
        yield Pair(premise, more, Label.NOT_ENTAILED)
    if passage.contradicted:
        yield Pair(premise, editor.reworded(rng.choice(passage.contradicted), rng, 2), Label.CONTRADICTS)


def _missing_copies(passage: Passage, rng: random.Random) -> list[str]:
    """The passage's sentences that near copies would make true again, one for each false copy without a true one."""
    false = [near for said in (*passage.contradicted, *passage.open) if (near := _copied(said, passage.sentences))]
    true = sum(_copied(said, passage.sentences) is not None for said in passage.entailed)
    return rng.sample(false, max(0, len(false) - true))


def _copied(said: str, sentences: Sequence[str]) -> str | None:
    """The sentence of which a statement is a near copy."""
    words = set(_WORD.findall(said.lower()))
    for sentence in sentences:
        other = set(_WORD.findall(sentence.lower()))
        if 2 * len(words & other) >= _NEAR * (len(words) + len(other)):
            return sentence
    return None


def fixes_its_numbers(sentence: str, premise: str) -> bool:
    """Whether another number would make the sentence false: the premise has the same numbers, and none is a bound."""
    return set(_DIGITS.findall(sentence)) <= set(_DIGITS.findall(premise)) and not _BOUND.search(sentence)
