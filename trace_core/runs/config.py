"""What a run's config says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trace_core.metrics import RELEVANCE_DIVISOR


def relevance_divisor(config: Mapping[str, Any]) -> float:
    """What relevance is divided by under convention `trace`, as the run's config says."""
    return float((config.get("settings") or {}).get("relevance_divisor", RELEVANCE_DIVISOR))
