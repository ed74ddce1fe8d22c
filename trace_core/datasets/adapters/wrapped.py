"""Rows as tools wrap them, taken apart where no path can say it: a function takes what a tool wrote, and gives rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from trace_core.datasets.cells import opened_or_none
from trace_core.datasets.documents import documents, last_of, messages, named_text, object_of, objects
from trace_core.errors import InputError
from trace_core.metrics import METRICS

Raw = Mapping[str, Any]
Rows = Iterator[dict[str, Any]]


def haystack(outputs: Raw) -> Iterator[Any]:
    """What a pipeline returned: its answer builder's first answer."""
    answer = next(iter(objects(object_of(outputs["answer_builder"]).get("answers"))), None)
    if answer is None:
        yield InputError("The answer builder gave no answer.", field="answer_builder.answers")
        return
    answer = object_of(answer.get("init_parameters")) or answer
    retrieved = (object_of(outputs.get(component)).get("documents") for component in ("ranker", "retriever"))
    yield {
        "question": answer.get("query"), "response": answer.get("data"),
        "documents": next((found for found in retrieved if found is not None), answer.get("documents")),
        "generation_model_name": object_of(answer.get("meta")).get("model"),
    }  # fmt: skip


def promptfoo(whole: Raw) -> Rows:
    """A row for each test and provider, with what its assertions gave."""
    for result in objects(whole["results"]["results"]):
        yield {
            "vars": result.get("vars"), "response": object_of(result.get("response")).get("output"),
            "generation_model_name": object_of(result.get("provider")).get("id"),
            **{name: result.get(name) for name in ("success", "score", "error", "gradingResult")},
        }  # fmt: skip


def squad(whole: Raw) -> Rows:
    """A row for each question about a paragraph; several right answers, or none."""
    for article in objects(whole["data"]):
        for paragraph in objects(article.get("paragraphs")):
            about = {"documents": [paragraph.get("context")], "document_titles": [str(article.get("title") or "")]}
            for asked in objects(paragraph.get("qas")):
                right = [answer.get("text") for answer in objects(asked.get("answers"))]
                yield {name: asked.get(name) for name in ("id", "question")} | about | {"answers": right or None}


def langfuse_items(item: Raw) -> Rows:
    """An item of a data set, whose input and expected output are texts or objects."""
    given, expected = (opened_or_none(item[name]) for name in ("input", "expectedOutput"))
    asked, right = last_of(given, "user"), named_text(expected, "reference_answer")
    question = asked if isinstance(asked, str) else named_text(given, "question")
    yield {**item, "question": question, "reference_answer": right or None}


def conversation(row: Raw) -> Rows:
    """A conversation: its last question and answer, and what tools gave in between."""
    talk = messages(row["messages"])
    asked = max((place for place, (who, _) in enumerate(talk) if who == "user"), default=0)
    after = talk[asked + 1 :]
    made = {
        "question": talk[asked][1] if talk else None,
        "documents": [one for who, text in after if who == "tool" for one in _documents(text)],
        "response": next((text for who, text in reversed(after) if who == "assistant"), None),
        "turns": [{"role": who, "text": text} for who, text in talk[:asked] if who != "tool"],
    }
    others = {name: value for name, value in row.items() if name != "messages"}
    yield others | {name: value for name, value in made.items() if value}


def _documents(text: str) -> list[Any]:
    found = opened_or_none(text)
    try:
        return documents(found)["documents"] if isinstance(found, list) and found else [text]
    except InputError:
        return [text]


def _agreed(values: Iterable[Any]) -> Any:
    """What most annotators said, a column of its own; null for a tie, and where nobody said anything."""
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


def table(whole: Raw) -> Rows:
    """A table that pandas or MLflow wrote: columns, and rows of cells."""
    columns = [str(column) for column in whole["columns"]]
    for cells in whole["data"]:
        yield dict(zip(columns, cells, strict=False)) if isinstance(cells, list) else cells


def columns(whole: Raw) -> Rows | None:
    """The rows of an object with a list, or an object by index, for each column; null where it is something else."""
    values = list(whole.values())
    if len(values) < 2 or objects(values[0]):
        return None
    if all(isinstance(value, list) and len(value) == len(values[0]) for value in values):
        return (dict(zip(whole, cells, strict=True)) for cells in zip(*values, strict=True))
    first = object_of(values[0])
    alike = all(isinstance(value, dict) and value.keys() == first.keys() for value in values)
    if first and alike and all(key.isdecimal() for key in first):
        return ({column: cells[key] for column, cells in whole.items()} for key in first)
    return None


def trace_record(record: Raw) -> Rows:
    """A record as `export --format jsonl` writes it: texts, sentences, labels, and what a question expects."""
    parts, response = objects(record["documents"]), object_of(record["response"])
    labels, golden = object_of(record.get("labels")), object_of(record.get("golden"))
    row: dict[str, Any] = {
        "id": record.get("source_id") or record.get("id"), "question": record.get("question"),
        "documents": [part.get("text") for part in parts], "document_ids": [part.get("id") for part in parts],
        "document_scores": [part.get("retrieval_score") for part in parts],
        "documents_sentences": [_keyed(part.get("sentences")) for part in parts],
        "response": response.get("text"), "response_sentences": _keyed(response.get("sentences")) or None,
        "generation_model_name": record.get("generation_model_name"), "turns": record.get("turns") or None,
        "ground_truth": record.get("ground_truth"), **object_of(record.get("fields")),
        **{name: value for name, value in golden.items() if not name.startswith("document_")},
        **{name: value for name, value in labels.items() if name not in ("probabilities", "expected")},
    }  # fmt: skip
    yield {name: value for name, value in row.items() if value is not None}


def _keyed(sentences: Any) -> list[list[Any]]:
    return [[sentence.get("key"), sentence.get("text")] for sentence in objects(sentences)]


def scored(row: Raw) -> Rows:
    """A row of scores alone has them as columns; beside a response they stay what they are."""
    others = {name: value for name, value in row.items() if name not in METRICS}
    yield dict(row) if "response" in row else {**others, "metrics": {name: row[name] for name in METRICS}}
