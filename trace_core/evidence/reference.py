"""How far an answer says what its reference answer says: content words, weighted by rarity, both ways."""

import math
from collections import Counter
from collections.abc import Collection
from typing import Any

from trace_core.facts.differences import differing
from trace_core.facts.records import Record, Reference
from trace_core.facts.refusal import is_refusal
from trace_core.facts.words import STOPWORDS, TOKEN, common_form, is_negation

SHORT = 4  # the most words of a short reference: a text that has them all says it, whatever else it says


def references_of(record: Record) -> list[str]:
    """The reference answers that came with the record's row, without empty ones."""
    answers = record.fields.get("reference_answer") or (record.golden.reference_answer if record.golden else None)
    every = answers if isinstance(answers, list) else [answers]
    return [answer for answer in every if isinstance(answer, str) and answer.strip()]


def reference_of(record: Record) -> str | None:
    """The reference answer that came with the record's row; the first if there are several."""
    return next(iter(references_of(record)), None)


def states(text: str, reference: str) -> bool:
    """Whether the text has every word of a short reference, and denies neither more nor less."""
    words, there = _forms(reference), _forms(text)
    return 0 < len(words) <= SHORT and words <= there and ("not" in words) == ("not" in there)


def compare_to_reference(record: Record) -> Reference | None:
    """The answer beside the reference that it is nearest to; `None` without one. A word that many sentences of the
    documents have, or the question, says little and weighs little. A sentence that declines says nothing of a reference
    that does not. There are no shares without an answer."""
    answers = references_of(record)
    if not answers:
        return None
    if record.response is None or record.failed_generation:
        return Reference(answer=answers[0])
    texts = [record.question, *(s.text for document in record.documents for s in document.sentences)]
    common = Counter(form for text in texts for form in _forms(text))
    claims = " ".join(s.text for s in record.response.sentences if not is_refusal(s.text))

    def share(words: Collection[str], there: Collection[str]) -> float | None:
        weights = {form: math.log((len(texts) + 2) / (common[form] + 1)) for form in words}
        total = math.fsum(weights.values())  # exact: the words come from sets, in any order
        return math.fsum(weight for form, weight in weights.items() if form in there) / total if total > 0 else None

    references = []
    for one in answers:
        theirs, ours = _forms(one), _forms(record.response.text if is_refusal(one) else claims)
        references.append(Reference(answer=one, covered=share(theirs, ours), backed=share(ours, theirs)))
    return max(references, key=lambda one: (one.covered or 0.0) + (one.backed or 0.0))


def reference_view(record: Record) -> dict[str, Any] | None:
    """What the evidence view draws of it: the reference in pieces, what the answer lacks marked, and both shares."""
    reference = compare_to_reference(record)
    if reference is None:
        return None
    text, response = reference.answer, record.response.text if record.response else ""
    if reference.covered is None:
        return {"pieces": [[text, False]], "words": "", "text": text}
    _, pieces = differing(response, text, both=True)
    words = f"The answer covers {reference.covered:.0%} of it, rare words counting more; what it lacks is marked."
    if reference.backed is not None:
        words += f" {reference.backed:.0%} of the answer is in it."
    return {"pieces": pieces, "words": words, "text": text}


def _forms(text: str) -> frozenset[str]:
    """The text's content words in their common forms, with negations; of a text that has none, all its words."""
    words = [match.group() for match in TOKEN.finditer(text)]
    content = {common_form(word) for word in words if word.lower() not in STOPWORDS and not is_negation(word.lower())}
    content |= {"not"} if any(is_negation(word.lower()) for word in words) else set()
    return frozenset(content or map(common_form, words))
