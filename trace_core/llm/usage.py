"""What calls cost: tokens as counted by the server, and money if the model's price is known.

An unknown number is absent, never 0.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from trace_core.errors import SettingsError

PACKAGED = Path(__file__).with_name("prices.json")
_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")
_TOKENS = ("prompt_tokens", "completion_tokens", "cached_tokens", "cost")
_MILLION = 1_000_000

Usage = Mapping[str, float]
"""`calls` and, if known, `prompt_tokens, completion_tokens, cached_tokens, cost`; `rate_limited`, `from_cache`
and `cut_prompts` (of which the server read only a part) if there are any."""


class Price(BaseModel):
    """Prices per million tokens. `cached` applies to prompt tokens that the server had cached."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(None, ge=0, allow_inf_nan=False)
    context_tokens: int | None = Field(None, ge=1)

    def of(self, prompt: float, completion: float, cached: float = 0) -> float:
        """The cost of these numbers of tokens; `cached` are among `prompt`."""
        kept = self.input if self.cached is None else self.cached
        return ((prompt - cached) * self.input + cached * kept + completion * self.output) / _MILLION


class Prices(BaseModel):
    """The price file, which people can edit."""

    currency: str = "USD"
    models: dict[str, Price]

    def of(self, model: str) -> Price | None:
        """The model's price, looked up without the date if necessary; `None` if unknown."""
        return self.models.get(model) or self.models.get(_DATED.sub("", model))


def read_prices(data_dir: Path) -> Prices:
    """`prices.json` in the data folder, else the packaged file. Raises `SettingsError` if it cannot be used."""
    own = data_dir / "prices.json"
    path = own if own.is_file() else PACKAGED
    try:
        return Prices.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in wrong["loc"])
        raise SettingsError(f"The price file {path} cannot be used: {field}: {wrong['msg']}.", "Mend it.") from None
    except (OSError, ValueError) as error:
        raise SettingsError(
            f"The price file {path} cannot be read ({type(error).__name__}).", "Mend or remove it."
        ) from None


def estimate_tokens(text: str) -> int:
    """The approximate number of tokens of a text: one per four ASCII characters or per other character.

    It is high rather than low for English and CJK; the server's own count is in the reply's usage.
    """
    ascii_characters = len(text.encode("ascii", "ignore"))
    return math.ceil(ascii_characters / 4) + len(text) - ascii_characters


@dataclass(slots=True)
class Meter:
    """Adds up the calls of one piece of work."""

    price: Price | None
    calls: int = 0
    rate_limited: int = 0
    prompt: float = 0
    completion: float = 0
    cached: float = 0
    replies: int = 0
    cut_prompts: int = 0
    counted: bool = True

    def add(self, usage: object) -> float | None:
        """Add a reply's `usage` and return its cost, `None` if unknown."""
        self.replies += 1
        counted = usage if isinstance(usage, Mapping) else {}
        prompt, completion = _count(counted.get("prompt_tokens")), _count(counted.get("completion_tokens"))
        if prompt is None or completion is None:
            self.counted = False
            return None
        details = counted.get("prompt_tokens_details")
        cached = _count(details.get("cached_tokens")) if isinstance(details, Mapping) else None
        cached = min(cached or 0, prompt)
        self.prompt += prompt
        self.completion += completion
        self.cached += cached
        return self.price.of(prompt, completion, cached) if self.price else None

    def usage(self) -> dict[str, float]:
        """The usage known so far."""
        known: dict[str, float] = {"calls": self.calls}
        if self.rate_limited:
            known["rate_limited"] = self.rate_limited
        if self.cut_prompts:
            known["cut_prompts"] = self.cut_prompts
        if self.counted and self.replies:
            known |= {"prompt_tokens": self.prompt, "completion_tokens": self.completion, "cached_tokens": self.cached}
            if self.price:
                known["cost"] = self.price.of(self.prompt, self.completion, self.cached)
        return known


def added(parts: Iterable[Usage]) -> dict[str, float]:
    """The sum of usages; tokens or cost unknown for one part with calls are unknown for the sum."""
    parts = [part for part in parts if part]
    total: dict[str, float] = {}
    for part in parts:
        for name, value in part.items():
            total[name] = total.get(name, 0) + value
    for name in _TOKENS:
        if any(part.get("calls") and name not in part for part in parts):
            total.pop(name, None)
    return total


def _count(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and math.isfinite(value) and value >= 0 else None  # type: ignore[operator,arg-type,return-value]
