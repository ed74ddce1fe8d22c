"""One record as the evidence view shows it: plain JSON, with the mark and word of every status.

What a labeler left out stays unknown: without the list of utilized sentences none is called missed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from importlib.resources import files
from string import ascii_lowercase
from typing import Any, NamedTuple

from trace_core.diagnosis.verdict import author_of, corrections_of
from trace_core.evidence.reference import reference_view
from trace_core.facts.differences import Piece, differing, nearest_text
from trace_core.facts.labels import SPECIAL_KEYS, Labels, Status, Support, labeler_name
from trace_core.facts.records import Document, Record
from trace_core.facts.sentences import Sentence
from trace_core.facts.strict import valid_text
from trace_core.facts.words import content


class Look(NamedTuple):
    """How a status is shown beside its colour."""

    mark: str
    word: str


class DocumentStatus(StrEnum):
    """What the labels say about one document sentence; `RELEVANT` and `UTILIZED` where they lack the other list."""

    GROUNDING = "grounding"
    MISSED = "missed"
    STRAY = "stray"
    RELEVANT = "relevant"
    UTILIZED = "utilized"
    NEITHER = "neither"
    UNLABELED = "unlabeled"


CONTRADICTED = "contradicted"
"""Shown separately; every score counts it as unsupported."""

NEAREST = ("declined", "refused", "nothing_relevant")
"""Verdicts that are about a passage of the documents."""
_DOUBTED = frozenset((CONTRADICTED, Status.UNSUPPORTED, Status.PARTIALLY))
_MOST_COMPARED = 3000
"""The number of document sentences searched for the nearest one."""

RESPONSE_LOOKS: Mapping[str, Look] = {
    Status.FULLY: Look("✓", "fully supported"),
    Status.PARTIALLY: Look("◐", "partially supported"),
    CONTRADICTED: Look("≠", "contradicted"),
    Status.UNSUPPORTED: Look("✗", "unsupported"),
    Status.UNLABELED: Look("?", "unlabeled"),
}

DOCUMENT_LOOKS = {
    DocumentStatus.GROUNDING: Look("●", "relevant, utilized"),
    DocumentStatus.MISSED: Look("○", "relevant, missed"),
    DocumentStatus.STRAY: Look("◇", "utilized, not relevant"),
    DocumentStatus.RELEVANT: Look("○", "relevant"),
    DocumentStatus.UTILIZED: Look("●", "utilized"),
    DocumentStatus.NEITHER: Look("", "neither relevant nor utilized"),
    DocumentStatus.UNLABELED: Look("", "unlabeled"),
}

SPECIAL_WORDS = {
    "general": "a general statement",
    "supported_without_sentence": "the documents as a whole",
    "well_known_fact": "a well-known fact",
    "numerical_reasoning": "numerical reasoning",
}


ASSETS = {
    "evidence": (("evidence.css", "correcting.css"), ("nodes.js", "correcting.js", "evidence.js")),
    "scorecard": (("scorecard.css",), ("scorecard.js",)),
    "venn": (("venn.css",), ("venn.js",)),
}


def assets(drawing: str = "evidence") -> tuple[str, str]:
    """The style sheet and the script (one ES module) that draw a view: `(css, js)`."""
    folder = files("trace_core.evidence")
    css, js = ("".join(folder.joinpath(name).read_text("utf-8") for name in names) for names in ASSETS[drawing])
    return css, js


def view(record: Record) -> dict[str, Any]:
    """Everything that the evidence view shows of one record, as JSON."""
    labels, documents = record.labels or Labels(), record.sentences().documents
    texts = {s.key: str(valid_text(s.text)) for sentences in documents for s in sentences}
    response = _response(record, labels, known=texts.keys())
    pieces = _set_against(response, texts)
    corrections = {  # with the reason: the labeler's is not that of the new label
        key: {"author": event.author, "day": event.created_at[:10], "reason": str(valid_text(event.reason))}
        for key, event in corrections_of(record).items()
    }
    for sentence in response:
        sentence["correction"] = corrections.get(sentence["key"])
    # an answer that declines is read beside the passage that comes nearest: it is open
    nearest = record.verdict.sentence if record.verdict and record.verdict.name in NEAREST else None
    numbered = bool(record.response and (record.response.citations or "[0]" in record.response.text))
    for sentence in response:  # an answer that counts its sources otherwise is not read
        cited = (sentence["text"], sentence["supports"], sentence["status"], len(documents))
        sentence["cites"] = _cites(*cited) if numbered else []
    used_by, contradicts = _named(response, "supports"), _named(response, "against")
    shown = [_document(document) for document in record.documents]
    for document, sentences in zip(shown, documents, strict=True):
        document["sentences"] = [
            _document_sentence(s, labels)
            | {
                "used_by": used_by.get(s.key, []),
                "nearest": s.key == nearest,
                "contradicts": contradicts.get(s.key, []),
                "pieces": pieces.get(s.key),
                "correction": corrections.get(s.key),
            }
            for s in sentences
        ]
    return {
        "record": record.id,
        "labeler": labeler_name(record.labels.labeler) if record.labels else None,
        "labeler_version": labels.labeler_version,
        "author": author_of(record.labeler_labels or labels),
        "answer_explanation": valid_text(labels.overall_supported_explanation),
        "relevance_explanation": valid_text(labels.relevance_explanation),
        "counts": {"response": _response_counts(response), "documents": _document_counts(shown, labels)},
        "looks": {str(status): look._asdict() for status, look in DOCUMENT_LOOKS.items()},
        "response": response,
        "reference": reference_view(record),
        "documents": shown,
    }


def _set_against(response: list[dict[str, Any]], texts: Mapping[str, str]) -> dict[str, list[Piece]]:
    """Give each doubted sentence the nearest document sentence, and mark the words that differ.

    Returns those document sentences in pieces; if several answer sentences share one, as compared with the first.
    """
    keys, doubted = list(texts)[:_MOST_COMPARED], [s for s in response if s["status"] in _DOUBTED]
    contents = [content(texts[key]) for key in keys] if doubted else []
    found: dict[str, list[Piece]] = {}
    for sentence in doubted:
        place = nearest_text(content(sentence["text"]), contents)
        near = [*sentence["against"], *sentence["supports"], *([] if place is None else [keys[place]])][:1]
        sentence["nearest"] = [key for key in near if key not in (*sentence["against"], *sentence["supports"])]
        for key in near:
            sentence["pieces"], theirs = differing(sentence["text"], texts[key])
            found.setdefault(key, theirs)
    return found


def _response(record: Record, labels: Labels, known: Collection[str]) -> list[dict[str, Any]]:
    if record.response is None:
        return []
    statuses = labels.statuses(s.key for s in record.response.sentences)
    supports = {s.response_sentence_key: s for s in labels.sentence_support_information or []}
    return [_response_sentence(s, statuses[s.key], supports.get(s.key), known) for s in record.response.sentences]


def _response_sentence(
    sentence: Sentence, status: Status, support: Support | None, known: Collection[str]
) -> dict[str, Any]:
    keys = support.supporting_sentence_keys if support else []
    against = support.contradicting_sentence_keys if support and support.contradicted else []
    shown = CONTRADICTED if against else str(status)
    look = RESPONSE_LOOKS[shown]
    return {
        "key": sentence.key,
        "text": valid_text(sentence.text),
        "status": shown,
        "mark": look.mark,
        "word": look.word,
        "supports": [key for key in keys if key in known],
        "against": [key for key in against if key in known],
        "special": [SPECIAL_WORDS[key] for key in keys if key in SPECIAL_KEYS],
        "explanation": valid_text(support.explanation) if support else None,
        "nearest": [],
        "pieces": None,
    }


_CITED = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")


def _cites(text: str, supports: Sequence[str], status: str, documents: int) -> list[dict[str, str]]:
    """The documents that the sentence cites, as [0], each with whether it supports the sentence, another does, or none.

    Only of a labeled sentence.
    """
    if status == Status.UNLABELED:
        return []
    numbers = [int(n) for group in _CITED.findall(text) for n in group.split(",")]
    by = sorted({key.rstrip(ascii_lowercase) for key in supports}, key=int)
    cites = []
    for n in dict.fromkeys(n for n in numbers if n < documents):
        if str(n) in by:
            cites.append({"status": "supports", "words": f"✓ [{n}] supports it"})
        elif by:
            cites.append({"status": "another", "words": f"≠ [{n}] does not, document {' and '.join(by)} does"})
        else:
            cites.append({"status": "none", "words": f"✗ [{n}] does not support it"})
    return cites


def _document(document: Document) -> dict[str, Any]:
    score = document.retrieval_score
    return {
        "id": document.id,
        "title": document.title or ("" if document.id == str(document.rank - 1) else document.id),
        "rank": document.rank,
        # JSON has neither NaN nor infinity.
        "score": score if score is not None and math.isfinite(score) else None,
    }


def _named(response: Iterable[dict[str, Any]], field: str) -> dict[str, list[str]]:
    """Document sentence → the answer sentences that name it in this field."""
    found: dict[str, list[str]] = {}
    for sentence in response:
        for key in sentence[field]:
            found.setdefault(key, []).append(sentence["key"])
    return found


_STATUSES = {
    (True, True): DocumentStatus.GROUNDING,
    (True, False): DocumentStatus.MISSED,
    (False, True): DocumentStatus.STRAY,
    (True, None): DocumentStatus.RELEVANT,
    (None, True): DocumentStatus.UTILIZED,
    (None, None): DocumentStatus.UNLABELED,
}
"""Whether a document sentence is relevant and utilized, `None` where the labels lack the list → its status."""


def _document_sentence(sentence: Sentence, labels: Labels) -> dict[str, Any]:
    lists = labels.all_relevant_sentence_keys, labels.all_utilized_sentence_keys
    relevant, utilized = (None if keys is None else sentence.key in keys for keys in lists)
    status = _STATUSES.get((relevant, utilized), DocumentStatus.NEITHER)
    return {
        "key": sentence.key,
        "text": valid_text(sentence.text),
        "status": str(status),
        "relevant": bool(relevant),
        "utilized": bool(utilized),
        "missed": status is DocumentStatus.MISSED,
    }


def _document_counts(documents: Iterable[dict[str, Any]], labels: Labels) -> dict[str, int | None]:
    """The number of sentences that each filter shows; `None` if a list is absent."""
    sentences = [s for document in documents for s in document["sentences"]]
    relevant, utilized = labels.all_relevant_sentence_keys is not None, labels.all_utilized_sentence_keys is not None
    known = {"relevant": relevant, "utilized": utilized, "missed": relevant and utilized}
    return {"total": len(sentences)} | {n: sum(s[n] for s in sentences) if known[n] else None for n in known}


def _response_counts(response: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The statuses for the heading: all that occur, in the order of `RESPONSE_LOOKS`, best first."""
    counts = Counter(sentence["status"] for sentence in response)
    every = (
        {"status": str(status), **look._asdict(), "count": counts[status]} for status, look in RESPONSE_LOOKS.items()
    )
    return [one for one in every if one["count"]]


def blind_view(record: Record, changes: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """The data of `view` for a blind review: from the reviewer's labels only; sentences without one are unlabeled.

    `changes` are field, sentence key and value as in `Correction`, with each pair of field and key at most once.
    """
    data = view(record.model_copy(update={"labels": _labels_from(changes)}))
    labeled = {key for field, key, _ in changes if field in ("relevant", "utilized")}
    for document in data["documents"]:
        for sentence in document["sentences"]:
            if sentence["key"] not in labeled:
                sentence["status"] = str(DocumentStatus.UNLABELED)
    return data


def _labels_from(changes: Sequence[tuple[str, str, Any]]) -> Labels:
    keys = {
        name: [key for field, key, value in changes if field == name and value is True]
        for name in ("relevant", "utilized")
    }
    statuses, supports = (
        {key: value for field, key, value in changes if field == name} for name in ("supported", "supporting")
    )
    return Labels(
        labeler="hidden",
        all_relevant_sentence_keys=keys["relevant"],
        all_utilized_sentence_keys=keys["utilized"],
        unsupported_response_sentence_keys=[key for key, status in statuses.items() if status == Status.UNSUPPORTED],
        sentence_support_information=[
            Support(
                response_sentence_key=key,
                supporting_sentence_keys=supports.get(key, []),
                fully_supported=statuses[key] == Status.FULLY if key in statuses else None,
            )
            for key in {**supports, **statuses}
        ],
    )
