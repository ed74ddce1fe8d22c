"""Pairs made from real answers: sentences that GPT-4 found supported, with the document sentences that support them.

Language models reword what they copy ("When the installation is complete, the menu appears." becomes "Once the
installation is complete, the menu will appear."). Each such sentence is a true one; edited, it becomes false.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from typing import Any

from reader.edits import Editor
from reader.pairs import Label, Pair
from reader.variants import fixes_its_numbers
from trace_core.facts.words import STOPWORDS, stem
from trace_core.labeling.local.framing import introduces, unframed, without_next_marks
from trace_core.labeling.local.wording.texts import unmarked

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
    texts = without_next_marks([text for _, text in row["response_sentences"]])
    said = {key: unframed(unmarked(text)) for (key, _), text in zip(row["response_sentences"], texts, strict=True)}
    doubted = set(row["unsupported_response_sentence_keys"] or [])
    for entry in row["sentence_support_information"] or []:
        key = str(entry["response_sentence_key"]).strip(".")
        claim, named = said.get(key, ""), entry["supporting_sentence_keys"] or []
        supporting = list(dict.fromkeys(documents[one] for one in named if one in documents))
        if key in doubted or entry["fully_supported"] is False or introduces(claim, row["question"]):
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
