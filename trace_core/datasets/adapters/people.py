"""Rows that people annotated: Argilla, Label Studio, InspectorRAGet; what most of them said is a column of its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trace_core.datasets.documents import last_of, object_of, objects
from trace_core.errors import InputError

Raw = Mapping[str, Any]


def _agreed(values: Iterable[Any]) -> Any:
    """What most annotators said; null for a tie, and where nobody said anything."""
    first = Counter(str(value) for value in values if value is not None).most_common(2)
    return first[0][0] if first and (len(first) == 1 or first[0][1] > first[1][1]) else None


def argilla(record: Raw) -> Iterator[dict[str, Any]]:
    """A record: its fields, its metadata, and the answer to each question."""
    responses = object_of(record["responses"]).items()
    answers = {question: _agreed(one.get("value") for one in objects(given)) for question, given in responses}
    yield {"id": record.get("id"), **object_of(record.get("metadata")), **answers, **object_of(record["fields"])}


def label_studio(task: Raw) -> Iterator[dict[str, Any]]:
    """A task: its data, and the choice made in each control."""
    said: defaultdict[str, list[Any]] = defaultdict(list)
    for annotation in objects(task["annotations"]):
        for one in [] if annotation.get("was_cancelled") else objects(annotation.get("result")):
            value = object_of(one.get("value"))
            chosen = next((value[key] for key in ("choices", "text", "rating") if key in value), None)
            said[str(one.get("from_name"))].append(chosen[0] if isinstance(chosen, list) and chosen else chosen)
    answers = {name: _agreed(values) for name, values in said.items()}
    yield {"id": task.get("id"), **answers, **object_of(task["data"])}


def inspector_raget(whole: Raw) -> Iterator[Any]:
    """A row for each answer, in file order, with its task's documents; then the tasks without one."""
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
        ratings = object_of(answer.get("annotations") or answer.get("scores")).items()
        yield {
            "id": task["task_id"],
            "question": last_of(task.get("input"), "user"),
            "documents": [{**documents.get(one.get("document_id"), {}), **one} for one in contexts] or None,
            "response": output.get("value") if isinstance(output, dict) else last_of(output, "assistant"),
            "reference_answer": target.get("text") or target.get("value"),
            "category": task.get("category"),
            "generation_model_name": models.get(answer.get("model_id"), answer.get("model_id")),
            **{name: _agreed(object_of(one).get("value") for one in object_of(given).values())
               for name, given in ratings},
        }  # fmt: skip
