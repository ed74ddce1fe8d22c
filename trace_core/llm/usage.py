"""What calls cost: tokens as counted by the server, and money if the price is known. What is unknown is absent."""

import math
import re
from collections.abc import Iterable, Mapping
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, Field, ValidationError

from trace_core.errors import SettingsError
from trace_core.facts.strict import misfit

_MOST_TOKENS = 1e12  # no reply has more: a server that counts more does not count

Usage = Mapping[str, float]
"""`calls` and, if known, `prompt_tokens, completion_tokens, cached_tokens, cost`; `rate_limited`, `from_cache`
and `cut_prompts` (of which the server read only a part) if there are any. In place of a `cost` that is not known,
`estimated_cost` is what a budget was charged."""


class Price(BaseModel):
    """Prices per million tokens. `cached` applies to prompt tokens that the server had cached."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(None, ge=0, allow_inf_nan=False)
    context_tokens: int | None = Field(None, ge=1)

    def of(self, prompt: float, completion: float, cached: float = 0) -> float:
        """The cost of these numbers of tokens; `cached` are among `prompt`."""
        cached_price = self.input if self.cached is None else self.cached
        return ((prompt - cached) * self.input + cached * cached_price + completion * self.output) / 1_000_000


class Prices(BaseModel):
    """The price file, which people can edit."""

    currency: str = "USD"
    models: dict[str, Price]

    def of(self, model: str) -> Price | None:
        """The model's price, looked up without the date if necessary; `None` if unknown."""
        return self.models.get(model) or self.models.get(re.sub(r"-\d{4}-\d{2}-\d{2}$", "", model))


def read_prices(data_dir: Path) -> Prices:
    """`prices.json` in the data folder, else the packaged file. Raises `SettingsError` if it cannot be used."""
    own = data_dir / "prices.json"
    path = own if own.is_file() else Path(__file__).with_name("prices.json")
    try:
        return Prices.model_validate_json(path.read_bytes())
    except ValidationError as error:
        problem = ": ".join(filter(None, misfit(error.errors(include_url=False, include_input=False)[0])))
    except OSError as error:
        problem = type(error).__name__
    raise SettingsError(f"The price file {path} cannot be used ({problem}).", "Correct or remove it.")


def estimate_tokens(text: str) -> int:
    """About how many tokens a text has, rather too many: one per four ASCII characters or per other character."""
    ascii_characters = len(text.encode("ascii", "ignore"))
    return math.ceil(ascii_characters / 4) + len(text) - ascii_characters


class Tokens(NamedTuple):
    """The tokens of one reply or of several; `cached` are among `prompt`."""

    prompt: float
    completion: float
    cached: float


def tokens_of(usage: object) -> Tokens | None:
    """The tokens in the `usage` of a chat or of decisions, `None` if unknown."""
    chat = isinstance(usage, Mapping) and "prompt_tokens" in usage
    names = ("prompt_tokens", "completion_tokens") if chat else ("input_tokens", "output_tokens")
    prompt, completion = (_count(usage, name) for name in names)
    if prompt is None or completion is None:
        return None
    details = usage.get(f"{names[0]}_details") if isinstance(usage, Mapping) else None
    return Tokens(prompt, completion, min(_count(details, "cached_tokens") or 0, prompt))


def total_usage(parts: Iterable[Usage]) -> dict[str, float]:
    """The sum of usages; tokens unknown for one part with calls are unknown for the sum, a cost is then estimated."""
    parts = list(parts)
    total = {name: sum(part.get(name, 0) for part in parts) for name in dict.fromkeys(chain.from_iterable(parts))}
    for name in ("prompt_tokens", "completion_tokens", "cached_tokens"):
        if any(part.get("calls") and name not in part for part in parts):
            total.pop(name, None)
    if "cost" in total and any(part.get("calls") and "cost" not in part for part in parts):
        total["estimated_cost"] = total.pop("cost") + total.get("estimated_cost", 0)
    return total


def charge_of(usage: Usage) -> float:
    """What a budget was charged."""
    return usage.get("cost", 0.0) + usage.get("estimated_cost", 0.0)


def _count(counts: object, name: str) -> float | None:
    value = counts.get(name) if isinstance(counts, Mapping) else None
    return value if isinstance(value, int | float) and 0 <= value <= _MOST_TOKENS else None
