"""A conversation of which several answers have documents of their own → one row per such answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.joins.talks import talk_of
from trace_core.datasets.names import ALIASES, CHATS, plain_name
from trace_core.datasets.notations import read_object
from trace_core.datasets.speech import is_answer, is_asking
from trace_core.datasets.words import asks, holds_documents, role_of

Fields = dict[str, Any]
_CLOUDWATCH = {"message", "ingestionTime", "logStreamName"}
_OF_ONE = frozenset(name for part in ("reference_answer", "expected_documents") for name in (part, *ALIASES[part]))
"""Names of what is right for one question."""
_CITED = ("reference", "references", "citations")
"""Keys of documents in a message; elsewhere they may be addresses, or the right answer."""


def rows_within(row: Any) -> Iterator[Any]:
    """The row; of a conversation of which each turn has its own documents, one row a turn, the earlier ones with it."""
    if not isinstance(row, dict):
        yield row
        return
    if row.keys() >= _CLOUDWATCH:
        said = _of_event(row["message"])
        yield from [said] if said else []
        return
    if (talk := talk_of(row)) is not None:
        yield from talk
        return
    turns = row.get("conversationTurns")
    if isinstance(turns, list) and turns and all(map(_found_own, turns)):
        for count in range(1, len(turns) + 1):
            yield {**row, "conversationTurns": turns[:count]}
        return
    key, messages = chat_of(row)
    if key and isinstance(row[key], dict) and "history" in row[key]:  # Open WebUI: the messages as a list and as a tree
        rest = {name: held for name, held in row[key].items() if name not in ("messages", "history")}
        key, row = "messages", {**row, key: rest, "messages": messages}
    ends = _ends(row, messages) if key else []
    if not ends:
        yield row
    for end, found in ends:
        kept = {name: held for name, held in row.items() if name != key and name not in _CITED}
        yield {**kept, "messages": messages[: end + 1], "documents": found}


def _of_event(message: Any) -> Fields:
    """The object that an application wrote to its log; empty for the lines of the platform around it."""
    return read_object(message) if isinstance(message, str) and message.lstrip().startswith("{") else {}


def chat_of(row: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """The row's key with a conversation, and its messages; empty where there is none."""
    for key in row:
        if plain_name(key) in (*CHATS, "message"):
            held = row[key].get("messages") if isinstance(row[key], dict) else row[key]
            if isinstance(held, list) and held and all(isinstance(one, dict) for one in held):
                return key, held
    return "", []


def exchanges_of(row: Fields) -> list[Fields]:
    """The rows of a conversation that is a whole file: one for each answer for which tools found texts, or itself.

    Of a list of conversations, each is a row, and its last answer the one that counts.
    """
    key, messages = chat_of(row)
    if any(map(_is_of_one, row)) or any(map(documents_in, messages)):
        return [row]
    found = [(place, _from_tools(messages, place)) for place in _answers(messages)]
    made = [{**row, key: messages[: place + 1], "documents": texts} for place, texts in found if texts]
    return made or [row]


def _is_of_one(column: str) -> bool:
    """Whether what is beside a conversation belongs to one question: its documents, or its right answer."""
    return role_of(column) is not None or holds_documents(column) or asks(column) or plain_name(column) in _OF_ONE


def documents_in(message: Mapping[str, Any]) -> list[Any]:
    """The documents that a message carries; empty where it has none."""
    for key, held in message.items():
        if holds_documents(key) or plain_name(key) in _CITED:
            listed = held.get("chunks", held.get("citations")) if isinstance(held, dict) else held
            if isinstance(listed, list) and _are_texts(listed):
                return listed
    return []


def _are_texts(listed: list[Any]) -> bool:
    """Whether these are texts: neither names of sources nor the cited parts of the answer."""
    texts = shapes.documents(listed)["documents"]
    whole = bool(texts) and all(isinstance(text, str) for text in texts)
    parts = any(isinstance(one, dict) and {"start", "end"} <= one.keys() for one in listed)
    return whole and not parts and (isinstance(listed[0], dict) or shapes.are_sentences(listed))


def _found_own(turn: Any) -> bool:
    output = turn.get("output") if isinstance(turn, dict) else None
    return isinstance(output, dict) and not {"retrievedPassages", "retrievedResults"}.isdisjoint(output)


def _ends(row: Mapping[str, Any], messages: Sequence[Mapping[str, Any]]) -> list[tuple[int, list[Any]]]:
    """The place of each answer that has documents, and these; none where they are only those of the last answer."""
    answers = _answers(messages)
    beside = _beside(row, answers)
    found = [(place, documents_in(messages[place]) or given) for place, given in zip(answers, beside, strict=True)]
    ends = [(place, documents) for place, documents in found if documents]
    return [] if [place for place, _ in ends] == [len(messages) - 1] and not any(beside) else ends


def _answers(messages: Sequence[Mapping[str, Any]]) -> list[int]:
    """The places of what a model says after a person."""
    return [place for place, turn in enumerate(messages) if is_answer(turn) and _asked(messages[:place])]


def _from_tools(messages: Sequence[Mapping[str, Any]], place: int) -> list[Any]:
    """What tools gave for the answer at the place, if it is the last one before a person speaks again."""
    last = place + 1 == len(messages) or is_asking(messages[place + 1])
    return shapes.tool_texts(list(messages[:place])) if last else []


def _asked(messages: Sequence[Any]) -> bool:
    return any(map(is_asking, messages))


def _beside(row: Mapping[str, Any], answers: Sequence[int]) -> list[list[Any]]:
    """RAGFlow's references of each answer, in a list beside the messages."""
    listed = row.get("reference")
    if not isinstance(listed, list) or len(listed) != len(answers) or not all(isinstance(one, dict) for one in listed):
        return [[] for _ in answers]
    return [one["chunks"] if isinstance(one.get("chunks"), list) else [] for one in listed]
