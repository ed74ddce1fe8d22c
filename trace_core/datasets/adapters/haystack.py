"""Haystack: what a pipeline's run returned, with its answer builder's first answer; and the inputs of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw, object_of, objects
from trace_core.errors import InputError


def _rows(outputs: Raw) -> Iterator[Any]:
    answers = objects(object_of(outputs["answer_builder"]).get("answers"))
    if not answers:
        yield InputError("The answer builder gave no answer.", field="answer_builder.answers")
        return
    answer = object_of(answers[0].get("init_parameters")) or answers[0]
    retrieved = (object_of(outputs.get(component)).get("documents") for component in ("ranker", "retriever"))
    yield {
        "question": answer.get("query"), "response": answer.get("data"),
        "documents": next((found for found in retrieved if found is not None), answer.get("documents")),
        "generation_model_name": object_of(answer.get("meta")).get("model"),
    }  # fmt: skip


def _evaluated(report: Raw) -> Iterator[dict[str, Any]]:
    inputs = {name: held for name, held in object_of(report["inputs"]).items() if isinstance(held, list)}
    for cells in zip(*inputs.values(), strict=False):
        yield dict(zip(inputs, cells, strict=True))


ADAPTER = Adapter("Haystack", "outputs of a pipeline", ("answer_builder.answers",), rows=_rows)
EVALUATION = Adapter("Haystack", "an evaluation's report", ("run_name", "inputs", "results"), rows=_evaluated)
