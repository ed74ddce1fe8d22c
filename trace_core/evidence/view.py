"""One record as the evidence view shows it: plain JSON, with the mark and word of every status. What a labeler left out
stays unknown: without the list of utilized sentences none is called missed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from string import ascii_lowercase
from textwrap import wrap
from typing import Any, NamedTuple, get_args

from trace_core.diagnosis.verdict import corrections_of
from trace_core.evidence.reference import reference_view
from trace_core.facts.corrections import Field
from trace_core.facts.differences import Piece, differing, nearest_text
from trace_core.facts.labels import SPECIAL_KEYS, Labels, Status, Support, author_of
from trace_core.facts.records import Record
from trace_core.facts.sentences import Sentence
from trace_core.facts.words import content


class StatusMark(NamedTuple):
    """A status, and how it is shown beside its colour."""

    status: str
    mark: str
    word: str


CONTRADICTED = "contradicted"  # shown separately; every score counts it as unsupported

NEAREST = ("declined", "refused", "nothing_relevant")  # verdicts that are about a passage of the documents
_DOUBTFUL = frozenset((CONTRADICTED, Status.UNSUPPORTED, Status.PARTIALLY))
_MOST_TEXTS = 3000  # the number of document sentences searched for the nearest one

RESPONSE_LOOKS: Mapping[str, StatusMark] = {
    Status.FULLY: StatusMark(Status.FULLY, "✓", "fully supported"),
    Status.PARTIALLY: StatusMark(Status.PARTIALLY, "◐", "partially supported"),
    CONTRADICTED: StatusMark(CONTRADICTED, "≠", "contradicted"),
    Status.UNSUPPORTED: StatusMark(Status.UNSUPPORTED, "✗", "unsupported"),
    Status.UNLABELED: StatusMark(Status.UNLABELED, "?", "unlabeled"),
}
NEITHER = StatusMark("neither", "", "neither relevant nor utilized")
UNKNOWN = StatusMark("unlabeled", "", "unlabeled")
DOCUMENT_LOOKS = {
    (True, True): StatusMark("grounding", "●", "relevant, utilized"),
    (True, False): StatusMark("missed", "○", "relevant, missed"),
    (False, True): StatusMark("stray", "◇", "utilized, not relevant"),
    (False, False): NEITHER,
    (True, None): StatusMark("relevant", "○", "relevant"),
    (False, None): NEITHER,
    (None, True): StatusMark("utilized", "●", "utilized"),
    (None, False): NEITHER,
    (None, None): UNKNOWN,
}
"""Whether a document sentence is relevant and utilized, `None` where the labels lack the list → its look."""

SPECIAL_WORDS = {
    "general": "a general statement",
    "supported_without_sentence": "the documents as a whole",
    "well_known_fact": "a well-known fact",
    "numerical_reasoning": "numerical reasoning",
}
ASSETS = {
    "evidence": (("theme.css", "evidence.css", "correcting.css"), ("nodes.js", "correcting.js", "evidence.js")),
    "scorecard": (("theme.css", "scorecard.css"), ("scorecard.js",)),
    "venn": (("theme.css", "venn.css"), ("venn.js",)),
    "records": ((), ()),
    "report": (
        ("theme.css", "evidence.css", "correcting.css", "scorecard.css"),
        ("nodes.js", "correcting.js", "evidence.js", "scorecard.js"),
    ),
}


def assets(drawing: str = "evidence") -> tuple[str, str]:
    """The style sheet and the script (one ES module) that draw a view: `(css, js)`."""
    folder, (styles, scripts) = files("trace_core.evidence"), ASSETS[drawing]
    both = (styles, ("make.js", *scripts))
    css, js = ("".join(folder.joinpath(name).read_text("utf-8") for name in names) for names in both)
    return css, js


def view(record: Record) -> dict[str, Any]:
    """Everything that the evidence view shows of one record, as JSON."""
    labels = record.labels or Labels()
    texts = {s.key: s.text for document in record.documents for s in document.sentences}
    response = _response(record, labels, texts)
    pieces = _compare(response, texts)
    corrections = {  # with the reason: the labeler's is not that of the new label
        key: {"author": event.author, "day": event.created_at[:10], "reason": event.reason}
        for key, event in corrections_of(record).items()
    }
    # an answer that counts its sources otherwise than from 0 is not read
    counts_from_0 = record.response and (record.response.citations or "[0]" in record.response.text)
    for sentence in response:
        sentence["correction"] = corrections.get(sentence["key"])
        sentence["cites"] = _cites(sentence, len(record.documents)) if counts_from_0 else []
    # an answer that declines is read beside the passage that comes nearest: it is open
    nearest = record.verdict.sentence if record.verdict and record.verdict.name in NEAREST else None
    users, opponents = _ties(response, "supports"), _ties(response, "against")
    lists = labels.all_relevant_sentence_keys, labels.all_utilized_sentence_keys

    def sentence_view(sentence: Sentence) -> dict[str, Any]:
        key = sentence.key
        relevant, used = (None if keys is None else key in keys for keys in lists)
        return {
            "key": key,
            "text": sentence.text,
            "status": DOCUMENT_LOOKS[relevant, used].status,
            "relevant": bool(relevant),
            "utilized": bool(used),
            "missed": (relevant, used) == (True, False),
            "used_by": users.get(key, []),
            "nearest": key == nearest,
            "contradicts": opponents.get(key, []),
            "pieces": pieces.get(key),
            "correction": corrections.get(key),
        }

    documents: list[dict[str, Any]] = [
        {
            "title": document.title or ("" if document.id == str(document.rank - 1) else document.id),
            "score": document.retrieval_score,
            "sentences": [sentence_view(sentence) for sentence in document.sentences],
        }
        for document in record.documents
    ]
    every = [sentence for document in documents for sentence in document["sentences"]]
    absent = [name for name, keys in zip(("relevant", "utilized"), lists, strict=True) if keys is None]
    absent += ["missed"] if absent else []
    counts = {n: None if n in absent else sum(s[n] for s in every) for n in ("relevant", "utilized", "missed")}
    return {
        "record": record.id,
        "labeler": record.labeler_name or None,
        "labeler_version": labels.labeler_version,
        "author": author_of((record.labeler_labels or labels).labeler).in_sentences,
        "answer_explanation": labels.overall_supported_explanation,
        "relevance_explanation": labels.relevance_explanation,
        "counts": {
            "response": [  # for the heading: all that occur, best first
                look._asdict() | {"count": n}
                for look in RESPONSE_LOOKS.values()
                if (n := sum(sentence["status"] == look.status for sentence in response))
            ],
            "documents": {"total": len(every), **counts},
        },
        "looks": {look.status: look._asdict() for look in DOCUMENT_LOOKS.values()},
        "response": response,
        "reference": reference_view(record),
        "documents": documents,
    }


def _response(record: Record, labels: Labels, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """The answer's sentences; of the keys that they name, those that exist, as in `texts`."""
    sentences, entries, response = record.sentences().response, labels.entries, []
    statuses = labels.statuses(sentence.key for sentence in sentences)
    for sentence in sentences:
        support = entries.get(sentence.key) or Support(response_sentence_key=sentence.key, fully_supported=None)
        keys, against = support.supporting_sentence_keys, support.contradicting_sentence_keys
        status = CONTRADICTED if support.contradicted else str(statuses[sentence.key])
        response.append(
            {
                "key": sentence.key,
                "text": sentence.text,
                **RESPONSE_LOOKS[status]._asdict(),
                "supports": [key for key in keys if key in texts],
                "against": [key for key in against if key in texts] if support.contradicted else [],
                "special": [SPECIAL_WORDS[key] for key in keys if key in SPECIAL_KEYS],
                "explanation": support.explanation,
                "nearest": [],
                "pieces": None,
            }
        )
    return response


def _compare(response: list[dict[str, Any]], texts: Mapping[str, str]) -> dict[str, list[Piece]]:
    """Give each doubtful sentence the nearest document sentence, and mark the words that differ. Returns those document
    sentences in pieces; if several answer sentences share one, as compared with the first."""
    keys, doubtful = list(texts)[:_MOST_TEXTS], [s for s in response if s["status"] in _DOUBTFUL]
    contents = [content(texts[key]) for key in keys] if doubtful else []
    pieces: dict[str, list[Piece]] = {}
    for sentence in doubtful:
        ties = [*sentence["against"], *sentence["supports"]]
        place = None if ties else nearest_text(content(sentence["text"]), contents)
        sentence["nearest"] = [] if place is None else [keys[place]]
        for key in [*ties, *sentence["nearest"]][:1]:
            sentence["pieces"], theirs = differing(sentence["text"], texts[key])
            pieces.setdefault(key, theirs)
    return pieces


CITES = {
    "supports": "✓ [{n}] supports it",
    "another": "≠ [{n}] does not, document {others} does",
    "none": "✗ [{n}] does not support it",
}
_CITATION = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")


def _cites(sentence: Mapping[str, Any], documents: int) -> list[dict[str, str]]:
    """The documents that a labeled sentence cites, as [0], each with whether it supports it, another does, or none."""
    if sentence["status"] == Status.UNLABELED:
        return []
    numbers = [int(n) for group in _CITATION.findall(sentence["text"]) for n in group.split(",")]
    by = sorted({key.rstrip(ascii_lowercase) for key in sentence["supports"]}, key=int)
    others = " and ".join(by)
    statuses = {n: "supports" if str(n) in by else "another" if by else "none" for n in numbers if n < documents}
    return [{"status": status, "words": CITES[status].format(n=n, others=others)} for n, status in statuses.items()]


def _ties(response: Iterable[dict[str, Any]], field: str) -> dict[str, list[str]]:
    """Document sentence → the answer sentences that name it in this field."""
    ties: dict[str, list[str]] = {}
    for sentence in response:
        for key in sentence[field]:
            ties.setdefault(key, []).append(sentence["key"])
    return ties


def blind_view(record: Record, changes: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """The data of `view` for a blind review: from the reviewer's labels only; sentences without one are unlabeled.
    `changes` are field, sentence key and value as in `Correction`, with each pair of field and key at most once."""
    by = {name: {key: value for field, key, value in changes if field == name} for name in get_args(Field)}
    statuses, supports = by["supported"], by["supporting"]
    labels = Labels(
        labeler="hidden",
        all_relevant_sentence_keys=[key for key, value in by["relevant"].items() if value is True],
        all_utilized_sentence_keys=[key for key, value in by["utilized"].items() if value is True],
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
    data = view(record.model_copy(update={"labels": labels}))
    for document in data["documents"]:
        for sentence in document["sentences"]:
            if sentence["key"] not in by["relevant"] | by["utilized"]:
                sentence["status"] = UNKNOWN.status
    return data


WIDTH, HEIGHT, MIDDLE, RADIUS = 360.0, 280.0, 142.0, 92.0
R, U = 130.0, 230.0
"""The centres of the circles, in pixels from the left; both are always drawn alike, and the counts are written."""
LINES, CHARACTER = 3, 7.0  # the lines of keys in a region, and the assumed width of one character of a key
REGIONS = {
    (True, False): (R - RADIUS, U - RADIUS, LINES),
    (True, True): (U - RADIUS, R + RADIUS, LINES),
    (False, True): (R + RADIUS, U + RADIUS, LINES),
    (False, False): (12.0, WIDTH - 12.0, 1),
}
"""Whether its sentences are relevant and utilized → where the region begins and ends, and its lines of keys."""


def venn(record: Record) -> dict[str, Any]:
    """What the drawing shows, as JSON: circles, the keys of every region, and the same in words."""
    total = record.sentences().document_keys()
    labels = record.labels or Labels()
    relevant, used = labels.all_relevant_sentence_keys, labels.all_utilized_sentence_keys
    if relevant is None or used is None:
        lacking = "relevant" if relevant is None else "utilized"
        return {"drawn": False, "words": f"The labels do not say which sentences are {lacking}."}
    if not total:
        return {"drawn": False, "words": "There are no document sentences."}
    inside = {place: [key for key in total if (key in relevant, key in used) == place] for place in REGIONS}
    only_r, both, only_u, neither = (len(keys) for keys in inside.values())
    return {
        "drawn": True,
        "width": WIDTH,
        "height": HEIGHT,
        "middle": MIDDLE,
        "circles": [
            {"name": name, "x": x, "r": RADIUS if n else 0, "label": f"{letter} {name}: {n}"}
            for name, letter, x, n in (("relevant", "R", R, only_r + both), ("utilized", "U", U, only_u + both))
        ],
        "regions": [_region(place, keys) for place, keys in inside.items()],
        "words": f"Of {len(total)} document sentences, {only_r + both} are relevant (R) and {only_u + both} utilized "
        f"(U): {both} both, {only_r} relevant only, {only_u} utilized only, {neither} neither.",
        "total": f"N = {len(total)}",
    }


def _region(place: tuple[bool, bool], keys: list[str]) -> dict[str, Any]:
    left, right, most = REGIONS[place]
    return {
        **DOCUMENT_LOOKS[place]._asdict(),
        "count": len(keys),
        "x": (left + right) / 2,
        "lines": wrap(" ".join(keys[:200]), int((right - left - 8) / CHARACTER), max_lines=most, placeholder=" …"),
        "keys": ", ".join(keys[:40]) + (f" … ({len(keys) - 40} more)" if len(keys) > 40 else ""),
    }
