"""The body of a server's reply: what the model wrote, what is wrong with it, what a refusal means; without secrets."""

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from trace_core.errors import LlmError, cut
from trace_core.facts.strict import valid_text, visible
from trace_core.llm.messages import Rejection

RAW = 10_000
"""The most characters of a reply that cannot be used that are stored."""
LONGEST_TEXT = 1_000_000  # in characters; a longer one is not searched for an object, which could take minutes
EARLY_ENDS = {
    "content_filter": "The server's content filter stopped the reply.",
    "length": "The reply was cut off at the model's length limit.",
}
"""The finish reasons of a model that was stopped; after a filter, asking again would not help."""
_STATUSES = {
    "insufficient_quota": 429,
    "rate_limit_exceeded": 429,
    "invalid_api_key": 401,
    "model_not_found": 404,
    "content_filter": 400,
}
_EMPTY = "The model's reply is empty."


@dataclass(frozen=True, slots=True)
class Completion:
    """`text` is the model's text, or the arguments of its tool call; `raw` is the part of the reply to store. `problem`
    names a refusal, a filter, a truncation or an invalid body; asking again does not help after a `final` one. `whole`
    is false if the model was stopped."""

    text: str
    raw: str
    problem: str = ""
    final: bool = False
    whole: bool = True
    reasoning: str = ""
    usage: Mapping[str, Any] = field(default_factory=dict)

    @property
    def object_text(self) -> str:
        """The text that should hold the object: some servers return the whole reply as reasoning."""
        return self.text if self.text.strip() or not self.whole else self.reasoning

    @property
    def empty(self) -> bool:
        """Whether the model finished without writing anything."""
        return self.problem == _EMPTY and not self.reasoning.strip()


def read_completion(body: str) -> Completion:
    """Read the body. Never raises: `problem` describes anything unexpected."""
    try:
        reply = json.loads(body)
        usage = reply.get("usage") or {}
        choice = reply["choices"][0]
        message = choice.get("message") or {}
        text = _text(message.get("content")) or _text(message.get("parsed")) or _arguments(message)
        refusal, reason = message.get("refusal"), str(choice.get("finish_reason"))
        reasoning = _text(message.get("reasoning_content") or message.get("reasoning"))
    except (ValueError, RecursionError, TypeError, KeyError, IndexError, AttributeError):
        what = "is a page of HTML" if "<" in body[:200] else "has no choices"
        return Completion("", body[:RAW], f"The server's reply {what}, unlike that of an OpenAI-compatible server.")
    if len(text) + len(reasoning) > LONGEST_TEXT:
        problem = f"The model's reply has more than {LONGEST_TEXT:,} characters."
        return Completion("", (text or reasoning)[:RAW], problem, final=True, usage=usage)
    if isinstance(refusal, str) and refusal:
        return Completion(text, text or refusal, f"The model refused: “{short(refusal)}”", final=True, usage=usage)
    problem = EARLY_ENDS.get(reason, "" if text.strip() else _EMPTY)
    raw = text if text.strip() else reasoning or text or body[:RAW]
    return Completion(text, raw, problem, reason == "content_filter", reason not in EARLY_ENDS, reasoning, usage)


def _text(content: Any) -> str:
    """The content as text; some servers send a list of parts, or the object itself."""
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    if isinstance(content, dict):
        content = json.dumps(content)
    return str(valid_text(content)) if isinstance(content, str) else ""


def _arguments(message: Mapping[str, Any]) -> str:
    """The arguments of the tool calls, for models that reply through a tool that nobody offered."""
    arguments = [(call.get("function") or {}).get("arguments") for call in message.get("tool_calls") or []]
    return "\n".join(_text(a if isinstance(a, str) else json.dumps(a)) for a in arguments if a)


def first_choice(reply: object) -> Mapping[str, Any]:
    """The first choice of a reply, or of a piece of a stream; empty where there is none."""
    choices = reply.get("choices") if isinstance(reply, dict) else None
    return choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}


def object_in(body: str | bytes) -> Mapping[str, Any]:
    """The object that a body is; empty for anything else."""
    try:
        reply = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return reply if isinstance(reply, dict) else {}


def error_in(body: str | bytes) -> Mapping[str, Any] | None:
    """The error that a body reports whatever its status: at its top, in its first choice, or as the body itself."""
    reply = object_in(body)
    error = reply if reply.get("object") == "error" else reply.get("error") or first_choice(reply).get("error")
    return {"message": error} if isinstance(error, str) else error if isinstance(error, dict) else None


def error_status(error: object) -> int:
    """The HTTP status that an error in a body stands for; 500 if it names none."""
    for name in ("code", "status", "type"):
        value = error.get(name) if isinstance(error, Mapping) else None
        value = str(_STATUSES.get(value, value) if isinstance(value, str) else value)
        if value.isdecimal() and 400 <= int(value) < 600:
            return int(value)
    return 500


def short(text: str, longest: int = 200) -> str:
    """The text on one line, cut at that length, with what would steer a terminal or turn the line around escaped."""
    return cut(visible(" ".join(text[: 10 * longest].split())), longest)


# Errors
_LONGEST_REASON = 300
_QUOTA = "Raise the quota there, or try again later; TRACE_REQUESTS_PER_MINUTE sets a slower pace."
_ADDRESS = "Check OPENAI_BASE_URL: it must be the address that answers."
_LENGTH = "Set the model's context_tokens in prices.json, or use fewer documents."
_MODEL = "Check TRACE_MODEL, and OPENAI_BASE_URL, which usually ends in /v1."
_FILTER = re.compile(r"(?i)content[_ ](filter|policy|management)")
_TOO_LONG = re.compile(r"(?i)context.{0,20}(length|window)|maximum context|too (long|many tokens)|prompt is too")
_MEANINGS: tuple[tuple[Collection[int], re.Pattern[str] | None, str, str], ...] = (
    ((401, 403), None, "does not accept the key", "Check OPENAI_API_KEY, or the key typed under Settings on Ask."),
    ((429,), None, "takes no more requests", _QUOTA),
    (range(300, 400), None, "redirects, and nothing is sent elsewhere", _ADDRESS),
    (range(600), _FILTER, "refused the prompt by its content filter", "Change or leave out the texts it objects to."),
    ((500, *range(502, 600)), None, "failed", "Try again later."),
    (range(600), _TOO_LONG, "finds the prompt too long for the model", _LENGTH),
    (range(600), None, "does not take the request", _MODEL),
)
"""Statuses, words of the server's reason if it needs any, message and hint; the first that fits decides."""
_REJECTIONS = (400, 404, 415, 422, 500, 501)  # the statuses after which a request with fewer parameters may be accepted


def status_error(error: Any, address: str, scrub: Callable[[str], str]) -> LlmError:
    """Our error for openai's, of a status or in a stream; `address` is the server's without user-info."""
    response = getattr(error, "response", None)
    status = response.status_code if response else error_status(error.body)
    reason = scrub(_reason(error.body))
    _, words, what, hint = next(
        one for one in _MEANINGS if status in one[0] and (one[1] is None or one[1].search(f"{error.code} {reason}"))
    )
    quotation = f" It says: “{reason}”" if reason else ""
    if status in (401, 403):
        quotation, hint = "", f"{hint}{quotation}"
    message = f"The model's server at {address} {what} ({status}).{quotation}"
    rejects = status in _REJECTIONS and words is None
    failure = Rejection(message, hint, reason=reason, status=status) if rejects else LlmError(message, hint)
    failure.raw = (scrub(response.text)[:RAW] or None) if response else None
    return failure


def _reason(body: Any) -> str:
    """The server's own reason on one line, with that of the provider behind it; empty for a page of HTML."""
    if not isinstance(body, Mapping):
        text = str(body or "")
        return "" if "<" in text[:20] else short(text, _LONGEST_REASON)
    reason = body.get("message") or body.get("detail") or body.get("error") or ""
    metadata = body.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return short(f"{reason}: {raw}" if raw else str(reason), _LONGEST_REASON)
