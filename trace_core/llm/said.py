"""Read the body of a server's reply: what the model said, and what is wrong with it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from trace_core.facts.strict import valid_text

_SHOWN = 200
_KEPT = 10_000
_STOPPED = ("length", "content_filter")


@dataclass(frozen=True, slots=True)
class Said:
    """`text` is the model's text; `raw` is what is kept of the reply. `problem` names a refusal, a filter, a
    truncation or an invalid body; asking again does not help after a `final` one. `ended` is false if the
    model was stopped."""

    text: str
    raw: str
    problem: str = ""
    final: bool = False
    ended: bool = True
    reasoning: str = ""

    @property
    def holds_the_object(self) -> str:
        """The text with the object: some servers return the whole reply as reasoning."""
        return self.text if self.text.strip() or not self.ended else self.reasoning


def read_body(body: str) -> Said:
    """Read the body. Never raises: `problem` describes anything unexpected."""
    try:
        reply = json.loads(body)
        choice = reply["choices"][0]
        message = choice.get("message") or {}
        text, refusal, reason = _text(message.get("content")), message.get("refusal"), choice.get("finish_reason")
        reasoning = _text(message.get("reasoning_content") or message.get("reasoning"))
    except (ValueError, RecursionError, TypeError, KeyError, IndexError, AttributeError):
        return Said("", body[:_KEPT], _no_reply(body))
    if isinstance(refusal, str) and refusal:
        return Said(text, text or refusal, f"The model refused: “{_short(refusal)}”", final=True)
    problem, final = stop_problem(reason)
    if not problem and not text.strip():
        problem = "The model's reply is empty."
    raw = text if text.strip() else reasoning or text or body[:_KEPT]
    return Said(text, raw, problem, final, ended=reason not in _STOPPED, reasoning=reasoning)


def stop_problem(reason: object) -> tuple[str, bool]:
    """What a finish reason means, and whether it is final, so that asking again would not help."""
    if reason == "content_filter":
        return "The server's content filter stopped the reply.", True
    if reason == "length":
        return "The reply was cut off at the model's length limit.", False
    return "", False


def _text(content: Any) -> str:
    """The content as text; some servers send a list of parts."""
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return str(valid_text(content)) if isinstance(content, str) else ""


def _no_reply(body: str) -> str:
    if not body.strip():
        return "The server's reply is empty."
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        kind = "a page of HTML" if "<" in body[:200] else "no JSON"
        return f"The server's reply is {kind}, not what an OpenAI-compatible server sends."
    error = reply.get("error") if isinstance(reply, dict) else None
    if error:
        said = error.get("message") if isinstance(error, dict) else error
        return f"The server says: “{_short(str(said))}”"
    return "The server's reply holds no choices: not what an OpenAI-compatible server sends."


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else line[: _SHOWN - 1] + "…"
