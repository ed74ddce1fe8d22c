"""What a server's refusal means and what to do about it, in words that contain no secret."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from openai import APIConnectionError, APIStatusError, APITimeoutError

from trace_core.errors import LlmError

_TOO_LONG = re.compile(r"context.{0,20}(length|window)|maximum context|too (long|many tokens)|prompt is too", re.I)
_FILTERED = re.compile(r"content[_ ](filter|policy|management)", re.I)
_LONGEST = 300
_TIMEOUTS = ("ReadTimeout", "ConnectTimeout", "WriteTimeout", "PoolTimeout")


class Rejected(LlmError):
    """The server rejects the request; one with fewer parameters may be accepted. `said` is its reason."""

    said: str = ""


def explain(
    error: Exception,
    shown: str,
    timeout: float,
    scrubbed: Callable[[str], str],
    usage: Mapping[str, float] | None = None,
) -> LlmError:
    """Our error for one of the SDK's; `shown` is the server's address without user-info."""
    if isinstance(error, APIStatusError):
        return _status(error, shown, scrubbed, usage)
    cause = type(error.__cause__ or error).__name__
    if isinstance(error, APITimeoutError) or cause in _TIMEOUTS:
        return LlmError(
            f"The model's server at {shown} did not answer within {timeout:g} s.",
            "Try again later; what was made is kept.",
            usage=usage,
        )
    if isinstance(error, APIConnectionError) or cause.endswith("Error"):
        return LlmError(
            f"The model's server at {shown} cannot be reached, or broke off ({cause}).",
            "Check OPENAI_BASE_URL and the network, then try again.",
            usage=usage,
        )
    return LlmError(f"The model's server at {shown} could not be asked ({cause}).", "Try again.", usage=usage)


def _status(
    error: APIStatusError, shown: str, scrubbed: Callable[[str], str], usage: Mapping[str, float] | None
) -> LlmError:
    status = error.status_code
    said = scrubbed(_said(error))
    quoted = f" It says: “{said}”" if said else ""
    raw = scrubbed(error.response.text)[:10_000] or None
    if status in (401, 403):
        message = f"The model's server at {shown} does not accept the key ({status})."
        return LlmError(
            message, f"Check OPENAI_API_KEY, or the key typed in the sidebar.{quoted}", usage=usage, raw=raw
        )
    if status == 429:
        hint = "Raise the quota there, or try again later; TRACE_REQUESTS_PER_MINUTE sets a slower pace."
        return LlmError(
            f"The model's server at {shown} takes no more requests (429).{quoted}", hint, usage=usage, raw=raw
        )
    if 300 <= status < 400:
        return LlmError(
            f"The model's server at {shown} sends elsewhere ({status}), and nothing is sent there.",
            "Check OPENAI_BASE_URL: name the address that answers itself.", usage=usage, raw=raw,
        )  # fmt: skip
    if status >= 500 and status != 501:
        return LlmError(
            f"The model's server at {shown} failed ({status}).{quoted}", "Try again later.", usage=usage, raw=raw
        )
    if _FILTERED.search(f"{error.code} {said}"):
        message = f"The content filter of {shown} refused the prompt ({status}).{quoted}"
        return LlmError(message, "Change or leave out the texts that it objects to.", usage=usage, raw=raw)
    if _TOO_LONG.search(f"{error.code} {said}"):
        message = f"The prompt is too long for the model ({status}).{quoted}"
        return LlmError(
            message, "Give the model's context_tokens in prices.json, or use fewer documents.", usage=usage, raw=raw
        )
    if status not in (400, 415, 422, 501):
        message = f"The model's server at {shown} does not take the request ({status}).{quoted}"
        return LlmError(message, "Check TRACE_MODEL and OPENAI_BASE_URL.", usage=usage, raw=raw)
    rejected = Rejected(
        f"The model's server at {shown} does not take the request ({status}).{quoted}",
        "Check TRACE_MODEL and OPENAI_BASE_URL.", usage=usage, raw=raw,
    )  # fmt: skip
    rejected.said = said
    return rejected


def _said(error: APIStatusError) -> str:
    """The server's own reason, on one line; empty for a page of HTML."""
    body = error.body
    found = body.get("message") or body.get("detail") or body.get("error") if isinstance(body, dict) else body
    text = " ".join(str(found or "").split())
    if "<" in text[:20]:
        return ""
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
