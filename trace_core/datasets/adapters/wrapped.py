"""Rows as tools wrap them, taken apart where no path can say it: a function takes what a tool wrote, and gives rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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
    """The documents in a tool's reply that is a JSON list of them; else the reply itself."""
    found = opened_or_none(text)
    try:
        return documents(found)["documents"] if isinstance(found, list) and found else [text]
    except InputError:
        return [text]


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
