"""How far the local labeler's word can be trusted, as measured: beside every verdict that a model gave."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from trace_core.labeling import LABELERS
from trace_core.labeling.local import FIGURES

NO_MEASUREMENT = "No person has checked this labeler here"
"""What is said of a labeler that nothing was measured of."""


def trust_words(versions: Iterable[object]) -> str:
    """How often the labeler among these versions errs, both ways, where that was measured."""
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    if figures["labeler_version"] not in versions:
        return NO_MEASUREMENT
    alarms, doubts = figures["false_flagged_per_hundred"], 100 - figures["true_kept_per_hundred"]
    return f"It flags {alarms} of 100 false sentences and doubts {doubts} of 100 true ones"


def run_trust(config: Mapping[str, Any]) -> str:
    """The same of a run's labeler, by its config; empty where a person or a file gave the labels."""
    return trust_words(config.get("model") or []) if config.get("labeler") in LABELERS else ""
