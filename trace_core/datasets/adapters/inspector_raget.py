"""InspectorRAGet: tasks and documents, and the answers of models to them, with what most annotators said."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from trace_core.datasets.adapters.base import Adapter, Raw, agreed, object_of, objects
from trace_core.datasets.documents import last_of
from trace_core.errors import InputError


def _rows(whole: Raw) -> Iterator[Any]:
    """A row for each answer, in file order; then the tasks without one."""
    tasks = {task.get("task_id"): task for task in objects(whole["tasks"])}
    documents = {document.get("document_id"): document for document in objects(whole.get("documents"))}
    models = {model.get("model_id"): model.get("name") for model in objects(whole.get("models"))}
    answers = objects(whole.get("results") or whole.get("evaluations"))
    answered = {answer.get("task_id") for answer in answers}
    for answer in (*answers, *({"task_id": key} for key in tasks if key not in answered)):
        task = tasks.get(answer.get("task_id"))
        if task is None:
            yield InputError(f"There is no task {str(answer.get('task_id'))[:60]!r}.", field="task_id")
            continue
        contexts = objects(answer.get("contexts") or task.get("contexts"))
        output = answer.get("output", answer.get("model_response"))
        target = next(iter(objects(task.get("targets"))), {})
        ratings = object_of(answer.get("annotations") or answer.get("scores"))
        yield {
            "id": task["task_id"],
            "question": last_of(task.get("input"), "user"),
            "documents": [{**documents.get(one.get("document_id"), {}), **one} for one in contexts] or None,
            "response": output.get("value") if isinstance(output, dict) else last_of(output, "assistant"),
            "reference_answer": target.get("text") or target.get("value"),
            "category": task.get("category"),
            "generation_model_name": models.get(answer.get("model_id"), answer.get("model_id")),
            **{name: agreed(one.get("value") for one in given.values() if isinstance(one, dict))
               for name, given in ratings.items() if isinstance(given, dict)},
        }  # fmt: skip


ADAPTER = Adapter("InspectorRAGet", "experiment results", ("tasks.0.task_id", "models"), rows=_rows)
