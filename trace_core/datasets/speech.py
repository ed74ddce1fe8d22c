"""Who speaks in a conversation, and what one side said last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trace_core.datasets.names import first_of, plain_name
from trace_core.datasets.notations import value_of
from trace_core.errors import InputError

PEOPLE = ("user", "human", "visitor", "customer", "client", "guest", "caller", "patient", "student")
MODELS = ("assistant", "ai", "bot", "model", "chatbot", "gpt", "agent")
_EVERYBODY = {*PEOPLE, *MODELS, "system", "developer", "tool"}
_MESSAGES = {
    "usermessage": "user", "humanmessage": "human", "apimessage": "assistant", "aimessage": "ai",
    "aimessagechunk": "ai", "systemmessage": "system", "toolmessage": "tool",
}  # fmt: skip
"""Flowise's and LangChain's names for what each of them says."""
_SPEAKERS = ("role", "type", "author", "from", "speaker", "sender")
_SAID = ("content", "text", "value", "message")


def opened(value: Any) -> Any:
    """A text that is an object or a list of messages, decoded; any other value unchanged."""
    if isinstance(value, str) and value[:2] in ("{'", '{"', "[{"):
        try:
            found = value_of(value)
        except InputError:
            return value
        return found if isinstance(found, dict) or is_conversation(found) else value
    return value


def is_conversation(value: Any) -> bool:
    """Whether the value is a list of turns, each with its speaker."""
    return isinstance(value, list) and bool(value) and all(isinstance(turn, dict) and speaker(turn) for turn in value)


def speaker(turn: Any) -> str:
    """Who speaks in a turn of a conversation."""
    if isinstance(turn, dict) and isinstance(by_person := turn.get("isCreatedByUser"), bool):  # LibreChat
        return PEOPLE[0] if by_person else MODELS[0]
    said = [turn[key].lower() for key in _SPEAKERS if isinstance(turn.get(key), str)] if isinstance(turn, dict) else []
    said = [_MESSAGES.get(who, who) for who in said]
    return next((who for who in said if who in _EVERYBODY), said[0] if said else "")


def is_asking(turn: Any) -> bool:
    """Whether a person speaks in a turn of a conversation."""
    return speaker(turn) in PEOPLE


def is_answer(turn: Any) -> bool:
    """Whether a model speaks in a turn of a conversation."""
    return speaker(turn) in MODELS


def said_by(value: Any, who: tuple[str, ...], keys: tuple[str, ...]) -> Any:
    """What one side said last in a conversation, wherever an object has it; else the text under one of the keys."""
    if isinstance(value, list):
        return _last(value, who) if is_conversation(value) else value
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("body"), dict):  # a reply of OpenAI's batches
        value = value["body"]
    for key in ("messages", "choices"):
        if isinstance(turns := value.get(key), list):
            said = [turn.get("message", turn) for turn in turns if isinstance(turn, dict)]
            return _last(said, who)
    if who == MODELS and (text := _written(value)):
        return text
    plain = {plain_name(key): given for key, given in value.items()}
    said = [plain[key] for key in keys if key in plain]
    lacking = None if said and all(one is None for one in said) else value
    held = next((one for one in said if isinstance(one, str) or is_conversation(one)), lacking)
    return _last(held, who) if isinstance(held, list) else held


def text_of_parts(said: Any) -> Any:
    """The text of what was said in parts, such as texts and pictures; unchanged where there is none."""
    parts = [part["text"] for part in said if _is_text(part)] if isinstance(said, list) else []
    return "\n".join(parts) if parts else said


def _is_text(part: Any) -> bool:
    return isinstance(part, dict) and isinstance(part.get("text"), str)


def _written(reply: Mapping[str, Any], depth: int = 4) -> str:
    """The text of a model's reply as its service sends it, in parts within a message; empty where it has none."""
    for key in ("message", "content", "parts", "candidates"):
        held = reply.get(key)
        if isinstance(held, str) and depth < 4:
            return held
        parts = [part for part in (held if isinstance(held, list) else [held]) if isinstance(part, dict)]
        if depth and parts and (key != "candidates" or len(parts) == 1):
            return "".join(text if isinstance(text := p.get("text"), str) else _written(p, depth - 1) for p in parts)
    return ""


def _last(turns: list[Any], who: tuple[str, ...]) -> Any:
    """What one side said last; it is an answer only if nobody spoke after it."""
    said = [text_of_parts(first_of(turn, _SAID, (str, list))) for turn in turns if speaker(turn) in who]
    answered = who != MODELS or (turns and (speaker(turns[-1]) or "ai") in who)
    return said[-1] if said and answered else None if said else turns
