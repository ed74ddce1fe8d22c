"""Conversations as their tools keep them → a row per question: ChatGPT's export, Rasa's trackers, Slack's threads."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from trace_core.datasets.cells import has_a_sentence
from trace_core.datasets.names import plain_name
from trace_core.datasets.notations import object_of, objects_of
from trace_core.datasets.speech import MODELS, PEOPLE
from trace_core.errors import InputError

Fields = dict[str, Any]
_MENTION = re.compile(r"<@\w{1,20}>\s{0,4}")
_DEEPEST = 10_000
"""The most messages of one conversation."""


class Turn(NamedTuple):
    """What a person or a machine said, and the texts that it found; a tool says nothing."""

    by_person: bool
    text: str = ""
    documents: tuple[str, ...] = ()


def asked_and_said(turns: Iterable[Turn]) -> Iterator[Fields]:
    """A row for each question: what was found and said until the next one."""
    asked, found, said = "", list[str](), list[str]()
    for turn in turns:
        if not turn.by_person:
            found += turn.documents
            said += [turn.text] if turn.text else []
            continue
        if asked:
            yield _row(asked, found, said)
        asked, found, said = turn.text, [], []
    if asked:
        yield _row(asked, found, said)


def _row(asked: str, found: Sequence[str], said: Sequence[str]) -> Fields:
    row: Fields = {"question": asked}
    row |= {"documents": list(found)} if found else {}
    return row | ({"response": "\n".join(said)} if said else {})


def talk_of(row: Mapping[str, Any]) -> list[Fields] | None:
    """The rows of a conversation of ChatGPT's or Rasa's, or of exchanges; null where it is something else."""
    if isinstance(row.get("mapping"), dict) and "current_node" in row:
        return list(asked_and_said(_of_chatgpt(row)))
    events = objects_of(row.get("events"))
    if "sender_id" in row and any("event" in one for one in events):
        return list(asked_and_said(_of_rasa(events)))
    return _of_exchanges(row)


def _of_exchanges(row: Mapping[str, Any]) -> list[Fields] | None:
    """A row for each exchange in a list, `{"user": …, "assistant": …}`, with what is beside it and those before."""
    for key, held in row.items():
        pairs = [pair for one in held if (pair := _speakers(one))] if isinstance(held, list) else []
        if not pairs or len(pairs) < len(held):
            continue
        rows, turns = list[Fields](), list[Fields]()
        for one, (person, model) in zip(held, pairs, strict=True):
            beside = {name: value for name, value in (*row.items(), *one.items()) if name not in (key, person, model)}
            earlier = {"turns": list(turns)} if turns else {}
            rows.append({**beside, "question": one[person], "response": one[model], **earlier})
            turns += [{"role": "user", "text": one[person]}, {"role": "assistant", "text": one[model]}]
        return rows
    return None


def _speakers(exchange: Any) -> tuple[str, str] | None:
    """The keys of what a person and a model say in one object; null where it has not one text of each."""
    said = [name for name, text in exchange.items() if isinstance(text, str)] if isinstance(exchange, dict) else []
    person, model = ([name for name in said if plain_name(name) in who] for who in (PEOPLE, MODELS))
    return (person[0], model[0]) if len(person) == len(model) == 1 else None


def _of_chatgpt(row: Mapping[str, Any]) -> Iterator[Turn]:
    """The turns of the branch that ends with the current node."""
    nodes, at = row["mapping"], row["current_node"]
    branch: list[Mapping[str, Any]] = []
    while isinstance(at, str) and at in nodes and len(branch) < _DEEPEST:
        node = object_of(nodes[at])
        branch.append(object_of(node.get("message")))
        at = node.get("parent")
    for message in reversed(branch):
        role, held = object_of(message.get("author")).get("role"), object_of(message.get("content"))
        parts = held.get("parts")
        said = [part for part in parts if isinstance(part, str)] if isinstance(parts, list) else [held.get("text")]
        text = "\n".join(part for part in said if isinstance(part, str)).strip()
        if role == "tool" and text:
            yield Turn(False, documents=(text,))
        elif role in ("user", "assistant") and text and message.get("recipient", "all") == "all":
            yield Turn(role == "user", text)


def _of_rasa(events: Iterable[Mapping[str, Any]]) -> Iterator[Turn]:
    for one in events:
        text, kind = one.get("text"), one.get("event")
        if isinstance(text, str) and text and kind in ("user", "bot") and not text.startswith("/"):
            found = object_of(one.get("metadata")).get("search_results")
            texts = tuple(each for each in found if isinstance(each, str)) if isinstance(found, list) else ()
            yield Turn(kind == "user", text, texts)


def is_of_slack(row: Any) -> bool:
    """Whether it is a message of a channel."""
    return isinstance(row, dict) and row.get("type") == "message" and {"ts", "text"} <= row.keys()


def threads(rows: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """A row for each question in a thread that a bot answered, numbered from 1."""
    held: dict[str, list[Fields]] = {}
    number = 0
    for _, row in rows:
        if is_of_slack(row):
            held.setdefault(str(row.get("thread_ts", row["ts"])), []).append(row)
        elif isinstance(row, InputError):
            yield (number := number + 1), row
    for messages in held.values():
        for row in asked_and_said(map(_of_slack, sorted(messages, key=lambda one: str(one["ts"])))):
            if "response" in row:
                yield (number := number + 1), row


def _of_slack(message: Fields) -> Turn:
    text = html.unescape(_MENTION.sub("", str(message["text"] or ""))).strip()
    if "bot_id" not in message:
        return Turn("subtype" not in message, text)
    cards = objects_of(message.get("attachments"))
    texts = tuple(str(card.get("text") or "") for card in cards if "title_link" in card)
    return Turn(False, text, texts if texts and all(map(has_a_sentence, texts)) else ())
