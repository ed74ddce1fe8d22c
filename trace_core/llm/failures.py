"""What a server's refusal means and what to do about it, in words that contain no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from openai import APIStatusError

from trace_core.errors import LlmError
from trace_core.llm.completion import short

_TOO_LONG = re.compile(r"context.{0,20}(length|window)|maximum context|too (long|many tokens)|prompt is too", re.I)
_FILTERED = re.compile(r"content[_ ](filter|policy|management)", re.I)
_LONGEST = 300
_RAW = 10_000
_SETTINGS = "Check TRACE_MODEL and OPENAI_BASE_URL."


class Rejected(LlmError):
    """The server rejects the request; one with fewer parameters may be accepted. `reason` is the server's."""

    reason: str = ""


def status_error(error: APIStatusError, shown: str, scrubbed: Callable[[str], str]) -> LlmError:
    """Our error for a status; `shown` is the server's address without user-info."""
    status, reason = error.status_code, scrubbed(_reason(error.body))
    quoted = f" It says: “{reason}”" if reason else ""
    kind, what, hint = _meaning(status, f"{error.code} {reason}")
    if status in (401, 403):
        quoted, hint = "", f"{hint}{quoted}"
    made = kind(f"{what.format(shown=shown)} ({status}).{quoted}", hint)
    made.raw = scrubbed(error.response.text)[:_RAW] or None
    if isinstance(made, Rejected):
        made.reason = reason
    return made


def _meaning(status: int, words: str) -> tuple[type[LlmError], str, str]:
    """The kind of error, what happened, with `{shown}` for its address, and what to do."""
    if status in (401, 403):
        return (
            LlmError,
            "The model's server at {shown} does not accept the key",
            "Check OPENAI_API_KEY, or the key typed in the sidebar.",
        )
    if status == 429:
        hint = "Raise the quota there, or try again later; TRACE_REQUESTS_PER_MINUTE sets a slower pace."
        return LlmError, "The model's server at {shown} takes no more requests", hint
    if 300 <= status < 400:
        hint = "Check OPENAI_BASE_URL: it must be the address that answers."
        return LlmError, "The model's server at {shown} redirects, and nothing is sent elsewhere", hint
    if status >= 500 and status != 501:
        return LlmError, "The model's server at {shown} failed", "Try again later."
    if _FILTERED.search(words):
        return (
            LlmError,
            "The content filter of {shown} refused the prompt",
            "Change or leave out the texts it objects to.",
        )
    if _TOO_LONG.search(words):
        hint = "Set the model's context_tokens in prices.json, or use fewer documents."
        return LlmError, "The prompt is too long for the model at {shown}", hint
    kind = Rejected if status in (400, 415, 422, 501) else LlmError
    return kind, "The model's server at {shown} does not take the request", _SETTINGS


def _reason(body: Any) -> str:
    """The server's own reason on one line, with that of the provider behind it; empty for a page of HTML."""
    if not isinstance(body, Mapping):
        text = str(body or "")
        return "" if "<" in text[:20] else short(text, _LONGEST)
    reason = body.get("message") or body.get("detail") or body.get("error") or ""
    metadata = body.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return short(f"{reason}: {raw}" if raw else str(reason), _LONGEST)
