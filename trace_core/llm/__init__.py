"""Ask a language model: any OpenAI-compatible server, with one limiter, one budget and one cache."""

from __future__ import annotations

from pydantic import SecretStr

from trace_core.errors import SettingsError
from trace_core.llm.cache import ReplyCache
from trace_core.llm.client import MOST_CALLS, OPENAI_URL, Llm
from trace_core.llm.limiter import Limits, at_most
from trace_core.llm.messages import Message
from trace_core.llm.usage import Price, Usage, added, estimate_tokens, read_prices
from trace_core.settings import Settings, without_user

DEFAULT_MODEL = "gpt-5.4-mini"

__all__ = (
    "DEFAULT_MODEL",
    "MOST_CALLS",
    "Limits",
    "Llm",
    "Message",
    "Price",
    "ReplyCache",
    "Usage",
    "added",
    "at_most",
    "estimate_tokens",
    "has_llm",
    "llm_from",
    "read_prices",
)


def has_llm(settings: Settings) -> bool:
    """Whether the settings name a model's server: by a key, or by an address that may not need one."""
    return bool(settings.openai_api_key or settings.openai_base_url or settings.azure_endpoint)


def llm_from(settings: Settings, key: SecretStr | None = None) -> Llm:
    """A client for the settings; `key` takes precedence over theirs. Opens no connection.

    With `AZURE_OPENAI_ENDPOINT`, the model is a deployment there. Make one client and share it: each has a limiter and
    a budget of its own. Raises `SettingsError` if there is neither a key nor an address.
    """
    azure = settings.azure_endpoint
    key = key or (settings.azure_key if azure else None) or settings.openai_api_key
    url = azure or settings.openai_base_url
    if not key and not url:
        raise SettingsError(
            "There is no key for a language model.",
            "Set OPENAI_API_KEY (and OPENAI_BASE_URL for another server), type a key under Settings on Ask, or use "
            "the local labeler and extractive answers.",
        )
    model = settings.model or DEFAULT_MODEL
    return Llm(
        model,
        key.get_secret_value() if key else "none",
        base_url=url or OPENAI_URL,
        shown=without_user(url) or OPENAI_URL,
        azure_version=settings.azure_version if azure else None,
        limits=Limits(settings.requests_per_minute, settings.tokens_per_minute, settings.concurrency),
        prices=read_prices(settings.data_dir),
        budget=settings.budget,
        cache=ReplyCache(settings.data_dir / "replies.sqlite"),
    )
