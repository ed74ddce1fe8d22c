"""InspectorRAGet's files (arXiv:2404.17347): documents, tasks, and one answer per model and task.

Both layouts are read: `evaluations` with a `model_response`, and `results` with an `output` of messages
(since `schema_version` 2).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from trace_core.errors import InputError

_PEOPLE = ("user", "human")
_BESIDE = frozenset(("documents", "models", "evaluations", "results", "schema_version"))
"""What stands beside the tasks; other tools' files have `tasks` too."""
RATED = "rated"
"""The column of majority ratings: question → value."""


def is_inspector(whole: Any) -> bool:
    """Whether a JSON value is such a file."""
    return isinstance(whole, dict) and isinstance(whole.get("tasks"), list) and not _BESIDE.isdisjoint(whole)


def inspector_rows(whole: Mapping[str, Any], name: str) -> Iterator[tuple[int, Any]]:
    """One row per answer, numbered in file order; a task without an answer becomes a question-only row.

    A row that names an unknown task or document yields its `InputError`. The models' names become
    `generation_model_name`, targets the reference answer; `annotations` or `scores` are passed through, and the
    annotators' majority values are in `rated`.
    """
    documents = _by_id(whole.get("documents"), "document_id")
    tasks = _by_id(whole["tasks"], "task_id")
    models = {key: model.get("name") or key for key, model in _by_id(whole.get("models"), "model_id").items()}
    results = whole.get("results") if isinstance(whole.get("results"), list) else whole.get("evaluations")
    answers = results if isinstance(results, list) else []
    field = "results" if results is whole.get("results") and results is not None else "evaluations"
    number = 0
    for number, answer in enumerate(answers, start=1):
        try:
            yield number, _row(answer, tasks, documents, models)
        except InputError as error:
            yield number, InputError(error.message, error.hint, file=name, row=number, field=error.field or field)
    answered = {answer.get("task_id") for answer in answers if isinstance(answer, dict)}
    for task_id, task in tasks.items():
        if task_id not in answered:
            number += 1
            try:
                yield number, _row({"task_id": task_id}, {task_id: task}, documents, models)
            except InputError as error:
                yield number, InputError(error.message, error.hint, file=name, row=number, field=error.field or "tasks")


def _by_id(items: Any, key: str) -> dict[str, dict[str, Any]]:
    listed = items if isinstance(items, list) else []
    return {item[key]: item for item in listed if isinstance(item, dict) and isinstance(item.get(key), str)}


def _row(
    answer: Any, tasks: Mapping[str, Any], documents: Mapping[str, Any], models: Mapping[str, str]
) -> dict[str, Any]:
    if not isinstance(answer, dict):
        raise InputError("An object was expected.")
    task_id, model = answer.get("task_id"), answer.get("model_id")
    task = tasks.get(task_id) if isinstance(task_id, str) else None
    if task is None:
        raise InputError(f"There is no task {str(task_id)[:60]!r}.", field="task_id")
    found = _contexts(answer.get("contexts") or task.get("contexts"), documents)
    row: dict[str, Any] = {"id": task_id, "question": _question(task.get("input")), "response": _response(answer)}
    if found:
        row |= {"documents": [d["text"] for d in found], "document_ids": [d["document_id"] for d in found]}
        row["document_titles"] = [d.get("title") or d["document_id"] for d in found]
    row |= {"reference_answer": _target(task.get("targets")), "category": task.get("category")}
    row["generation_model_name"] = models.get(model, model) if isinstance(model, str) else None
    for kept in ("annotations", "scores"):
        if kept in answer:
            row[kept] = answer[kept]
            row.setdefault(RATED, {}).update(_rated(answer[kept]))
    return {field: value for field, value in row.items() if value is not None}


def _contexts(contexts: Any, documents: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The documents of a task: a context carries its text, or names a document by id."""
    found = []
    for context in contexts if isinstance(contexts, list) else []:
        key = str(context.get("document_id")) if isinstance(context, dict) else ""
        document = context if isinstance(context, dict) and isinstance(context.get("text"), str) else documents.get(key)
        if document is None or not isinstance(document.get("text"), str):
            raise InputError(f"There is no document {key[:60]!r} with a text.", field="contexts")
        found.append({**document, "document_id": key})
    return found


def _question(spoken: Any) -> str:
    """The person's last words: a text, utterances with a speaker, or messages with a role."""
    if isinstance(spoken, str):
        return spoken
    for turn in reversed(spoken if isinstance(spoken, list) else []):
        if isinstance(turn, dict) and (turn.get("role") or turn.get("speaker")) in _PEOPLE:
            text = turn.get("content") if "content" in turn else turn.get("text")
            if isinstance(text, str):
                return text
    raise InputError("A user's question was expected.", field="input")


def _response(answer: Mapping[str, Any]) -> str | None:
    old, output = answer.get("model_response"), answer.get("output")
    if isinstance(old, str):
        return old
    if isinstance(output, dict) and isinstance(output.get("value"), str):
        return str(output["value"])
    for message in reversed(output if isinstance(output, list) else []):
        if isinstance(message, dict) and message.get("role") == "assistant" and isinstance(message.get("content"), str):
            return str(message["content"])
    return None


def _rated(annotations: Any) -> dict[str, Any]:
    """Question → the value that most annotators gave; `None` for a tie."""
    found = {}
    for question, said in annotations.items() if isinstance(annotations, dict) else ():
        given = said.values() if isinstance(said, dict) else ()
        values = [str(one["value"]) for one in given if isinstance(one, dict) and one.get("value") is not None]
        first = Counter(values).most_common(2)
        found[question] = first[0][0] if first and (len(first) == 1 or first[0][1] > first[1][1]) else None
    return found


def _target(targets: Any) -> str | None:
    for target in targets if isinstance(targets, list) else []:
        text = (target.get("text") or target.get("value")) if isinstance(target, dict) else target
        if isinstance(text, str):
            return text
    return None
