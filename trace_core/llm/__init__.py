"""Ask a language model: any OpenAI-compatible server, with one limiter, one budget and one cache."""

from pydantic import SecretStr

from trace_core.errors import SettingsError
from trace_core.llm.cache import ReplyCache
from trace_core.llm.client import OPENAI_URL, Llm
from trace_core.llm.limiter import Limits, at_most
from trace_core.llm.messages import Message, Prompt
from trace_core.llm.usage import Price, estimate_tokens, read_prices, total_usage
from trace_core.settings import Settings

DEFAULT_MODEL = "gpt-5.4-mini"

__all__ = ("Llm", "Message", "Price", "Prompt", "at_most", "estimate_tokens", "read_prices", "total_usage")
"""What other rooms use of the files of this one."""


def has_llm(settings: Settings) -> bool:
    """Whether the settings name a model's server: by a key, or by an address that may not need one."""
    return bool(settings.openai_api_key or settings.openai_base_url)


def llm_from(settings: Settings, key: SecretStr | None = None) -> Llm:
    """A client for the settings; `key` takes precedence over theirs. Opens no connection. Make one client and share it:
    each has a limiter and a budget of its own. Raises `SettingsError` if there is neither a key nor an address."""
    key, url = key or settings.openai_api_key, settings.openai_base_url
    if not key and not url:
        raise SettingsError(
            "There is no key for a language model.",
            "Set OPENAI_API_KEY (and OPENAI_BASE_URL for another server), type a key under Settings on Ask, or use "
            "the local labeler and extractive answers.",
        )
    return Llm(
        settings.model or DEFAULT_MODEL,
        key.get_secret_value() if key else "none",
        base_url=url or OPENAI_URL,
        limits=Limits(settings.requests_per_minute, settings.tokens_per_minute, settings.concurrency, settings.budget),
        prices=read_prices(settings.data_dir),
        cache=ReplyCache(settings.data_dir / "replies.sqlite"),
    )
