"""What a server's refusal means and what to do about it, in words that contain no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from openai import APIError, APIStatusError

from trace_core.errors import LlmError
from trace_core.llm.completion import RAW, error_status, short
from trace_core.llm.messages import Rejected

_LONGEST = 300
_ANY, _NO_WORDS = range(600), re.compile("")
_FILTER = re.compile(r"(?i)content[_ ](filter|policy|management)")
_TOO_LONG = re.compile(r"(?i)context.{0,20}(length|window)|maximum context|too (long|many tokens)|prompt is too")
_MEANINGS = (
    (
        (401, 403),
        _NO_WORDS,
        "does not accept the key",
        "Check OPENAI_API_KEY, or the key typed under Settings on Ask.",
    ),
    (
        (429,),
        _NO_WORDS,
        "takes no more requests",
        "Raise the quota there, or try again later; TRACE_REQUESTS_PER_MINUTE sets a slower pace.",
    ),
    (
        range(300, 400),
        _NO_WORDS,
        "redirects, and nothing is sent elsewhere",
        "Check OPENAI_BASE_URL: it must be the address that answers.",
    ),
    (
        _ANY,
        _FILTER,
        "refused the prompt by its content filter",
        "Change or leave out the texts it objects to.",
    ),
    ((500, *range(502, 600)), _NO_WORDS, "failed", "Try again later."),
    (
        _ANY,
        _TOO_LONG,
        "finds the prompt too long for the model",
        "Set the model's context_tokens in prices.json, or use fewer documents.",
    ),
    (
        _ANY,
        _NO_WORDS,
        "does not take the request",
        "Check TRACE_MODEL, and OPENAI_BASE_URL, which usually ends in /v1.",
    ),
)
"""Statuses, words of the server's reason, what it means, what to do; the first that fits decides."""
_REJECTIONS = (400, 404, 415, 422, 500, 501)
"""The statuses after which a request with fewer parameters may be accepted."""


def status_error(error: APIError, shown: str, scrubbed: Callable[[str], str]) -> LlmError:
    """Our error for a status, or for an error in a stream; `shown` is the server's address without user-info."""
    response = error.response if isinstance(error, APIStatusError) else None
    status = response.status_code if response else error_status(error.body)
    reason = scrubbed(_reason(error.body))
    words = f"{error.code} {reason}"
    meaning = next(m for m in _MEANINGS if status in m[0] and m[1].search(words))
    quoted, hint = (f" It says: “{reason}”" if reason else ""), meaning[3]
    if status in (401, 403):
        quoted, hint = "", f"{hint}{quoted}"
    kind = Rejected if meaning[1] is _NO_WORDS and status in _REJECTIONS else LlmError
    explained = kind(f"The model's server at {shown} {meaning[2]} ({status}).{quoted}", hint)
    explained.raw = (scrubbed(response.text)[:RAW] or None) if response else None
    if isinstance(explained, Rejected):
        explained.reason, explained.status = reason, status
    return explained


def _reason(body: Any) -> str:
    """The server's own reason on one line, with that of the provider behind it; empty for a page of HTML."""
    if not isinstance(body, Mapping):
        text = str(body or "")
        return "" if "<" in text[:20] else short(text, _LONGEST)
    reason = body.get("message") or body.get("detail") or body.get("error") or ""
    metadata = body.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return short(f"{reason}: {raw}" if raw else str(reason), _LONGEST)
