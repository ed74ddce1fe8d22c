"""A service's reply as it was sent, beside its request: its text, and the documents that it refers to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from trace_core.datasets import shapes, speech
from trace_core.datasets.joins.turns import chat_of, documents_in
from trace_core.datasets.names import ALIASES, PREDICTED, first_of, plain_name
from trace_core.datasets.notations import object_of, objects_of
from trace_core.datasets.words import asks, holds_documents

Fields = dict[str, Any]
_REFERENCES = ("retrievedReferences", "groundingChunks")
_SAID = frozenset((*PREDICTED, "response", *ALIASES["response"]))
_RIGHT = frozenset(("reference_answer", *ALIASES["reference_answer"]))
_DEEP = 6
"""How far within a reply its references may lie."""


def searched(row: Fields) -> Fields:
    """OpenAI's Responses API: what its search gave, and the text of its last message."""
    items = _body(row).get("output")
    if not isinstance(items, list) or not items or not all(isinstance(one, dict) and "type" in one for one in items):
        return row
    texts = [speech.text_of_parts(one.get("content")) for one in items if one["type"] == "message"]
    found = [one["results"] for one in items if isinstance(one.get("results"), list)]
    if not texts and not found:
        return row
    made: Fields = {"response": texts[-1] if texts and isinstance(texts[-1], str) else None}
    made |= {"documents": [text for results in found for text in results]} if found else {}
    return {key: held for key, held in row.items() if key != "output"} | made


def completed(row: Fields) -> Fields:
    """The messages of a request with the only choice of its reply as the last."""
    choices = _body(row).get("choices")
    only = choices[0] if isinstance(choices, list) and len(choices) == 1 else None
    said = only.get("message") if isinstance(only, dict) else None
    held = row["request"] if isinstance(row.get("request"), dict) else row
    key, messages = chat_of(held)
    if not isinstance(said, dict) or not key or speech.is_answer(messages[-1]):
        return row
    return {name: one for name, one in row.items() if name not in ("choices", "response", "request", key)} | {
        "messages": [*messages, said]
    }


def grounded(row: Fields) -> Fields:
    """Amazon Bedrock, Gemini: the texts that the parts of a reply refer to, each once."""
    found = list(_references(row, _DEEP))
    texts = [shapes.text_of(one) for one in found]
    if not found or not all(texts):
        return row
    asked = row.get("input")
    own = isinstance(asked, dict) and isinstance(asked.get("text"), str) and "question" not in row
    made = {"question": asked["text"]} if own and isinstance(asked, dict) else {}
    return {**row, **made, "documents": list(dict.fromkeys(texts))} if made or any(map(asks, row)) else row


def answered(row: Fields) -> Fields:
    """Vertex AI Search: the text of its answer, and the chunks that this refers to."""
    answer = object_of(_body(row).get("answer"))
    said = first_of(answer, ("answer_text",), str)
    if said is None:
        return row
    cited = answer.get("references")
    texts = [text for one in objects_of(cited) for text in _chunks(one)]
    found = {"documents": texts} if isinstance(cited, list) and None not in texts else {}
    return {key: held for key, held in row.items() if key not in ("answer", "response")} | {"response": said} | found


def stated(row: Fields) -> Fields:
    """TREC's RAG track: the sentences of an answer, each with the places of its references, which are ids."""
    parts, topic = objects_of(row.get("answer")), row.get("topic")
    texts = [text for part in parts if "citations" in part and isinstance(text := part.get("text"), str)]
    if not isinstance(topic, str) or not texts or len(texts) != len(row["answer"]) or any(map(asks, row)):
        return row
    kept = {key: held for key, held in row.items() if key not in ("topic", "answer", "references")}
    return {**kept, "question": topic, "response": " ".join(texts)}


def _chunks(reference: Mapping[str, Any]) -> list[str | None]:
    """The texts of a reference's chunks; null for one without a text."""
    chunk = first_of(reference, ("chunk_info",), dict)
    if chunk is not None:
        return [first_of(chunk, ("content",), str)]
    whole = object_of(first_of(reference, ("unstructured_document_info",), dict))
    return [first_of(one, ("content",), str) for one in objects_of(first_of(whole, ("chunk_contents",), list))] or [
        None
    ]


def based(row: Fields) -> Fields:
    """The references of a system's answer, within it, as documents where the right answer is there, too: they would
    otherwise be right answers.
    """
    held = [value for key, value in row.items() if isinstance(value, dict) and plain_name(key) in _SAID]
    right = any(value and plain_name(key) in _RIGHT for key, value in row.items())
    alone = len(held) == 1 and not any(map(holds_documents, held[0]))
    found = documents_in(held[0]) if alone and right else []
    return {**row, "documents": found} if found and any(map(asks, row)) else row


def _body(row: Fields) -> Fields:
    """The reply in a row: under `response`, and there under `body`, or the row itself."""
    held = row.get("response")
    body = held.get("body", held) if isinstance(held, dict) else row
    return body if isinstance(body, dict) else row


def _references(held: Any, depth: int) -> Iterator[Fields]:
    """The objects of texts in the lists of references, with their content's text as theirs."""
    for key, value in held.items() if isinstance(held, dict) else ():
        if key in _REFERENCES and isinstance(value, list):
            for one in value:
                inner = one.get("retrievedContext", one) if isinstance(one, dict) else {}
                content = inner.get("content") if isinstance(inner, dict) else None
                yield content if isinstance(content, dict) else inner
        elif depth:
            for one in value if isinstance(value, list) else [value]:
                yield from _references(one, depth - 1)
