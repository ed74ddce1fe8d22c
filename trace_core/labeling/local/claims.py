"""What each response sentence claims, where its own words do not say it whole.

A bare answer claims what the question asks; an item of a list completes its heading; and a sentence that declines to
answer may claim something besides: "The documents do not say who built it, but it was opened in 1911."
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from trace_core.facts.records import Sentences
from trace_core.facts.refusal import is_refusal
from trace_core.facts.sentences import Sentence
from trace_core.facts.words import TOKEN
from trace_core.labeling.local.bare_answers import LONGEST_THING, SAYS_MORE, Claim, as_sentence, spelled_out, with_unit
from trace_core.labeling.local.contrasts.groups import dropped
from trace_core.labeling.local.framing import introduces, unframed, without_next_marks
from trace_core.labeling.local.notation import normal
from trace_core.labeling.local.wording.names import unknown
from trace_core.labeling.local.wording.quantities import unfounded
from trace_core.labeling.local.wording.readable import unreadable
from trace_core.labeling.local.wording.texts import read

Item = tuple[str, Sentences]
"""A question, and the sentences of its documents and its response."""

_ITEM = re.compile(r"\s*(?:[-*•–]|\(?\d{1,3}[.)])\s+(?=\S)")
_HEADING = re.compile(
    r"\A(.{1,300}\b(?:is|are|was|were|includes?|included|contains?|needs?|brings?|finds?|offers?|provides?|has|have|had|of|with"
    r"|for|requires?|covers?|sells?|serves?|accepts?|uses?|takes?|gets?|shows?|supports?)) ?"
    r"(?:the )?(?:following(?: (?:things|items|parts))?|these|things|items)?:\s*",
    re.IGNORECASE | re.DOTALL,
)
"""A heading that its items complete, up to the colon."""
_OF_SENTENCES = re.compile(
    r"\b(?:points|steps|instructions|tips|guidelines|actions|takeaways|findings)\b[^.!?,]{0,40}\Z", re.IGNORECASE
)
"""The end of a heading whose items say something by themselves: `The key points are:`."""
_LONGEST_ITEM = 12
"""The most words of an item that does not begin with "the"."""
_SOURCE = r"(?:they|it|the (?:texts?|documents?|contexts?|passages?|sources?|excerpts?))"
_THAT = re.compile(
    rf"(?:{_SOURCE} )?(?:(?:also|only|just|do|does|did) ){{0,3}}"
    r"(?:say|tell|mention|state|note|indicate|explain|show|report)s?(?: (?:us|me|only))? that ",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    r"(?:(?:i|we|you|your|please|let|feel|perhaps|maybe|if you|i['’]m|here)\b"
    rf"|(?:{_SOURCE} )?(?:(?:also|only|do|does) ){{0,3}}(?:describe|discuss|mention|cover|contain|provide|focus|talk"
    r"|list|give|include|name|suggest|offer|refer|deal|concern)s?\b)",
    re.IGNORECASE,
)
"""What is said of the documents or to the reader claims nothing that a document could say."""
_BESIDES = re.compile(
    r"(.{1,600}?)(?:[,;] ?| [-–—] )(?:(?:but|however|though|yet|although)\b[, ]*)?(\S.{1,600})", re.DOTALL
)
_FIRST = re.compile(r"(?:although|though|while|whereas|even though) (.{1,600}?), (.{1,600})", re.IGNORECASE | re.DOTALL)
_POLITE = re.compile(
    r"(?:i )?hope (?:this|that|it) (?:helps|answers your question)[,;:]? (?:(?:and|but|also|please|just)[, ]{1,2}){0,3}"
    r"(?:(?:note|remember|mind|be aware)(?: that)? )?(\S.{1,600})",
    re.IGNORECASE | re.DOTALL,
)
"""A polite clause that claims nothing, and what follows it."""
_LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Claimed:
    """A record in one notation, whose response sentences say in full what they claim.

    `denied` are the places of those that deny what stands there; `unfounded` of those with a number or a name that is
    not founded on the documents or the question; `unreadable` of those that are not made of words. `dropped` maps the
    place of one that leaves out its group to the document sentences of that group and of another.
    """

    item: Item
    denied: Sequence[int] = ()
    unfounded: Sequence[int] = ()
    unreadable: Sequence[int] = ()
    dropped: Mapping[int, tuple[int, int]] = field(default_factory=dict)


def claimed(item: Item) -> Claimed:
    """The record as it is judged."""
    question, given = normal(item[0]), item[1]
    documents = [[replace(s, text=normal(s.text)) for s in document] for document in given.documents]
    response = [replace(s, text=normal(s.text)) for s in given.response]
    texts = [s.text for document in documents for s in document]
    found = claims(question, response, texts)
    made = [s if claim is None else replace(s, text=claim.statement) for s, claim in zip(response, found, strict=True)]
    sentences = given.model_copy(update={"documents": documents, "response": made})
    left_out = ((row, dropped(s.text, question, texts)) for row, s in enumerate(made))
    return Claimed(
        (question, sentences),
        [row for row, claim in enumerate(found) if claim is not None and claim.denies],
        sorted({*unfounded(question, sentences), *unknown(question, sentences)}),
        unreadable([s.text for s in response], (question, *texts)),
        {row: groups for row, groups in left_out if groups},
    )


def claims(question: str, response: Sequence[Sentence], documents: Sequence[str] = ()) -> list[Claim | None]:
    """One claim a response sentence; `None` where the sentence itself is the claim."""
    found: list[Claim | None] = []
    heading = ""
    texts = without_next_marks([sentence.text for sentence in response])
    announces = any(text.rstrip().endswith(":") for text in texts)
    words = frozenset[str]().union(*(read(text).words for text in documents if announces))
    for sentence, text in zip(response, texts, strict=True):
        if (opens := _HEADING.fullmatch(text.rsplit("\n", 1)[-1])) is not None:
            heading = "" if _OF_SENTENCES.search(opens[1]) else opens[1]
        item = _ITEM.match(text)
        if heading and item and (detail := _item(text[item.end() :])):
            found.append(Claim(as_sentence(f"{heading} {detail}"), False))
            continue
        heading = heading if opens or item else ""
        found.append(_claim(question, text, documents) or _if_another(_said(question, text, words), sentence.text))
    return found


def _claim(question: str, text: str, documents: Sequence[str]) -> Claim | None:
    """What a bare answer, or a sentence with a part that claims nothing, claims."""
    return spelled_out(question, with_unit(question, text, documents)) or _besides(text) or _after_politeness(text)


def _said(question: str, text: str, words: Set[str]) -> str:
    """The sentence without its frame; empty where it only announces what follows."""
    return "" if introduces(text, question, words) else unframed(text)


def _if_another(said: str, sentence: str) -> Claim | None:
    return Claim(said, False) if said != sentence else None


def _item(text: str) -> str:
    """The item, if it is only a thing; empty for a sentence."""
    words = [w.lower() for w in TOKEN.findall(text)]
    longest = LONGEST_THING if words[:1] == ["the"] else _LONGEST_ITEM
    whole = not words or len(words) > longest or SAYS_MORE & set(words)
    return "" if whole else text.strip().rstrip(".,;")


def _after_politeness(text: str) -> Claim | None:
    """What follows "I hope this helps, and" in one sentence, if anything."""
    polite = _POLITE.fullmatch(" ".join(text[:2000].split()))
    if polite is None or _OF_ITSELF.match(polite[1]) or len(TOKEN.findall(polite[1])) < _LEAST_WORDS:
        return None
    return Claim(as_sentence(polite[1].rstrip(". ")), False)


def _besides(text: str) -> Claim | None:
    """What a sentence that declines to answer claims besides, if anything."""
    if not read(text).refusal:  # most sentences; what was read is kept
        return None
    one = " ".join(text[:2000].split())
    parts = _FIRST.fullmatch(one) or _BESIDES.fullmatch(one)
    if parts is None or not is_refusal(parts[1]) or is_refusal(parts[2]):
        return None
    rest = _THAT.sub("", parts[2], count=1) if (that := _THAT.match(parts[2])) else parts[2]
    if (not that and _OF_ITSELF.match(rest)) or len(TOKEN.findall(rest)) < _LEAST_WORDS:
        return None
    return Claim(as_sentence(rest.rstrip(". ")), False)
