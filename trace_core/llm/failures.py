"""What a server's refusal means and what to do about it, in words that contain no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, NamedTuple

from openai import APIError, APIStatusError

from trace_core.errors import LlmError
from trace_core.llm.completion import RAW, error_status, short
from trace_core.llm.messages import Rejection

_LONGEST = 300


class _Meaning(NamedTuple):
    """`words` are a pattern of the server's reason."""

    statuses: Collection[int]
    message: str
    hint: str
    words: re.Pattern[str] = re.compile("")


_KEY = "Check OPENAI_API_KEY, or the key typed under Settings on Ask."
_QUOTA = "Raise the quota there, or try again later; TRACE_REQUESTS_PER_MINUTE sets a slower pace."
_ADDRESS = "Check OPENAI_BASE_URL: it must be the address that answers."
_TEXTS = "Change or leave out the texts it objects to."
_LENGTH = "Set the model's context_tokens in prices.json, or use fewer documents."
_MODEL = "Check TRACE_MODEL, and OPENAI_BASE_URL, which usually ends in /v1."
_FILTER = re.compile(r"(?i)content[_ ](filter|policy|management)")
_TOO_LONG = re.compile(r"(?i)context.{0,20}(length|window)|maximum context|too (long|many tokens)|prompt is too")
_MEANINGS = (
    _Meaning((401, 403), "does not accept the key", _KEY),
    _Meaning((429,), "takes no more requests", _QUOTA),
    _Meaning(range(300, 400), "redirects, and nothing is sent elsewhere", _ADDRESS),
    _Meaning(range(600), "refused the prompt by its content filter", _TEXTS, _FILTER),
    _Meaning((500, *range(502, 600)), "failed", "Try again later."),
    _Meaning(range(600), "finds the prompt too long for the model", _LENGTH, _TOO_LONG),
    _Meaning(range(600), "does not take the request", _MODEL),
)
"""The first that fits decides."""
_REJECTIONS = (400, 404, 415, 422, 500, 501)
"""The statuses after which a request with fewer parameters may be accepted."""


def status_error(error: APIError, address: str, scrub: Callable[[str], str]) -> LlmError:
    """Our error for a status, or for an error in a stream; `address` is the server's without user-info."""
    response = error.response if isinstance(error, APIStatusError) else None
    status = response.status_code if response else error_status(error.body)
    reason = scrub(_reason(error.body))
    meaning = next(m for m in _MEANINGS if status in m.statuses and m.words.search(f"{error.code} {reason}"))
    quotation, hint = (f" It says: “{reason}”" if reason else ""), meaning.hint
    if status in (401, 403):
        quotation, hint = "", f"{hint}{quotation}"
    message = f"The model's server at {address} {meaning.message} ({status}).{quotation}"
    if status in _REJECTIONS and not meaning.words.pattern:
        failure: LlmError = Rejection(message, hint, reason=reason, status=status)
    else:
        failure = LlmError(message, hint)
    failure.raw = (scrub(response.text)[:RAW] or None) if response else None
    return failure


def _reason(body: Any) -> str:
    """The server's own reason on one line, with that of the provider behind it; empty for a page of HTML."""
    if not isinstance(body, Mapping):
        text = str(body or "")
        return "" if "<" in text[:20] else short(text, _LONGEST)
    reason = body.get("message") or body.get("detail") or body.get("error") or ""
    metadata = body.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, Mapping) else None
    return short(f"{reason}: {raw}" if raw else str(reason), _LONGEST)
