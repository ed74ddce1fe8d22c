"""promptfoo: the results of `promptfoo eval --output results.json`, a row for each test and provider."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw, object_of, objects


def _rows(whole: Raw) -> Iterator[dict[str, Any]]:
    for result in objects(object_of(whole["results"]).get("results")):
        response, provider = result.get("response"), result.get("provider")
        yield {
            "vars": result.get("vars") or object_of(result.get("testCase")).get("vars"),
            "response": object_of(response).get("output") if isinstance(response, dict) else response,
            "generation_model_name": object_of(provider).get("id") if isinstance(provider, dict) else provider,
            **{name: result.get(name) for name in ("success", "score", "error", "gradingResult")},
        }


ADAPTER = Adapter("promptfoo", "results of an evaluation", ("results.results.0.vars",), {"response": "response"}, _rows)
