"""The row within what a tool puts around it.

The Hugging Face dataset server sends `{"row_idx": 0, "row": {…}}`, Haystack dumps an object as its type and
`init_parameters`, Elasticsearch puts a document under `_source`, Label Studio a row under `data`, Argilla under
`fields`, OpenAI's evals an item beside its `sample`, MongoDB an id into `{"$oid": …}`, RAGFlow the chunks into the
`reference`, chat logs the documents into a message; Amazon Bedrock evaluates `conversationTurns`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.cells import has_a_sentence
from trace_core.datasets.joins import answered, based, chat_of, completed, documents_in, grounded, searched, stated
from trace_core.datasets.labeled import contexts_in, prompted
from trace_core.datasets.names import CHATS, plain_name
from trace_core.datasets.notations import object_of, objects_of
from trace_core.datasets.speech import is_answer, is_asking
from trace_core.datasets.traces import is_carrier
from trace_core.datasets.words import asks, holds_documents, may_be_texts, may_hold_documents, role_of

Fields = dict[str, Any]
_INSIDE = (("row_idx", "row"), ("type", "init_parameters"), ("_index", "_source"))
"""Keys that hold the whole row, each after a key that stands beside it."""
_PASSAGE = re.compile(r"(?:^|\n)[ \t]{0,4}passage \d{1,3}:[ \t]{0,4}")
_TYPES = ("S", "N", "BOOL", "NULL", "L", "M")
_HOLDERS = ("data", "fields", "record", "example", "item", "state")
"""Keys under which a labeling tool puts the row that it shows to people."""
_OTHERS = ("alt_ans", "answer_aliases")
_HARNESS = ("doc", "target", "arguments", "resps", "filtered_resps")
_BIOASQ, _PEOPLES = ("body", "snippets", "ideal_answer", "type"), "selected_sentences"
_PRODIGY = {"_input_hash", "_task_hash"}
_MARKS = frozenset((
    *(beside for beside, _ in _INSIDE), "datasource_item", "item", "Item", "_id", "reference", "conversationTurns",
    "source_info", "supporting_facts", "output", *_OTHERS, "ideal_answer", *_HOLDERS, *CHATS, *map(str.title, CHATS),
    "choices", "citations", "sourceAttributions", "prompt", "topic", "_task_hash", "instruction", "predictions",
))  # fmt: skip
"""A wrapped row has one of these keys, or an object; R's rows have only lists."""


def unwrapped(row: Any) -> Any:
    """The row, which holds no spans, without its wrappings; anything else than an object unchanged."""
    if isinstance(row, dict) and (not _MARKS.isdisjoint(row) or _holds_objects(row)):
        for unwrap in _WRAPPINGS:
            row = unwrap(row)
    return row


def _holds_objects(row: Fields) -> bool:
    return any(isinstance(held, dict) for held in row.values()) or all(isinstance(v, list) for v in row.values())


def _inside(row: Fields) -> Fields:
    return next((row[key] for beside, key in _INSIDE if beside in row and isinstance(row.get(key), dict)), row)


def _typed(row: Fields) -> Fields:
    """A row of DynamoDB, whose values name their types: `{"S": "text"}`."""
    item = row.get("Item")
    return {key: _of_type(value) for key, value in item.items()} if isinstance(item, dict) and _is_typed(item) else row


def _is_typed(item: Fields) -> bool:
    return all(isinstance(value, dict) and len(value) == 1 and next(iter(value)) in _TYPES for value in item.values())


def _of_type(value: Any) -> Any:
    kind, held = next(iter(value.items())) if isinstance(value, dict) and len(value) == 1 else ("", value)
    if kind == "L" and isinstance(held, list):
        return [_of_type(one) for one in held]
    if kind == "M" and isinstance(held, dict):
        return {key: _of_type(one) for key, one in held.items()}
    return None if kind == "NULL" else held


def _sampled(row: Fields) -> Fields:
    """OpenAI's evals: the item, and the output of its sample as the response."""
    item = row.get("datasource_item", row.get("item"))
    sample = row.get("sample")
    if not isinstance(item, dict) or not isinstance(sample, dict):
        return row
    said = sample.get("output", sample.get("output_text"))
    return {**item, "response": _held_text(said[-1:] if isinstance(said, list) else said)}


def _unboxed(row: Fields) -> Fields:
    """R's jsonlite writes every value as a list."""
    asked = next((value for key, value in row.items() if asks(key)), None)
    if not isinstance(asked, list) or not isinstance(shapes.alone(asked), str):
        return row
    return {key: value if holds_documents(key) else shapes.alone(value) for key, value in row.items()}


def _identified(row: Fields) -> Fields:
    """MongoDB's id as text."""
    key = row.get("_id")
    return {**row, "_id": key["$oid"]} if isinstance(key, dict) and isinstance(key.get("$oid"), str) else row


def _cited(row: Fields) -> Fields:
    """RAGFlow: the chunks of the reference as documents."""
    cited = row.get("reference")
    if not isinstance(cited, dict) or not isinstance(cited.get("chunks"), list) or not _lacks_documents(row):
        return row
    return {**_without(row, "reference"), "documents": cited["chunks"]}


def _grounded(row: Fields) -> Fields:
    return grounded(row) if _lacks_documents(row) else row


def _based(row: Fields) -> Fields:
    return based(row) if _lacks_documents(row) else row


def _attached(row: Fields) -> Fields:
    """The only texts within the objects beside a question: Dify's `retriever_resources` are in its `metadata`."""
    held = [value for key, value in row.items() if isinstance(value, dict) and may_hold_documents(key)]
    if not held or not _lacks_documents(row) or not any(map(asks, row)):
        return row
    found = [texts for one in held if (texts := documents_in(one))]
    return {**row, "documents": found[0]} if len(found) == 1 else row


def _chatted(row: Fields) -> Fields:
    """A chat's documents: beside the last message, from tools after the last question, or in the system's prompt."""
    _, messages = chat_of(row)
    if not messages or not _lacks_documents(row):
        return row
    given = documents_in(messages[-1]) or shapes.tool_texts(messages) or contexts_in(messages[0].get("content"))
    return {**row, "documents": given} if given else row


def _predicted(row: Fields) -> Fields:
    """MTRAG: the text of the only prediction, as the answers of other lists may be the right ones."""
    text = _held_text(row.get("predictions"))
    return row if text is None else {**row, "predictions": text}


def _instructed(row: Fields) -> Fields:
    """AnythingLLM's chats for training: the instruction is the prompt with the contexts, and the input the question."""
    found = contexts_in(row.get("instruction"))
    if not found or not isinstance(row.get("input"), str) or not _lacks_documents(row):
        return row
    return {**_without(_without(row, "instruction"), "input"), "question": row["input"], "documents": found}


def with_prompt_opened(row: Fields) -> Fields:
    """A logged call of a model, with the question and the documents in its prompt."""
    asked = [value for key, value in row.items() if asks(key)]
    _, messages = chat_of(row)
    said = [turn.get("content") for turn in messages if is_asking(turn)]
    found = prompted([*asked, *said][0]) if len(asked) + len(said) == 1 else None
    if not found or any(map(may_be_texts, row)) or not _lacks_documents(row):
        return row
    answer = {"response": shapes.response(messages)} if said and is_answer(messages[-1]) else {}
    return {**row, "question": found.question, "context": found.context, **answer}


def _evaluated(row: Fields) -> Fields:
    """Amazon Bedrock: the last turn of a conversation as a row, and the earlier ones as its turns."""
    turns = row.get("conversationTurns")
    if not isinstance(turns, list) or not turns or not all(isinstance(turn, dict) for turn in turns):
        return row
    turns = [{**held, **turn} if isinstance(held := turn.get("inputRecord"), dict) else turn for turn in turns]
    earlier: list[Fields] = []
    for turn in turns[:-1]:
        said = (("user", turn.get("prompt")), ("assistant", turn.get("output")))
        earlier += [{"role": role, "text": text} for role, held in said if (text := _held_text(held)) is not None]
    last = turns[-1]
    output = last.get("output")
    passages = output.get("retrievedPassages", output.get("retrievedResults")) if isinstance(output, dict) else None
    found = passages.get("retrievalResults") if isinstance(passages, dict) else None
    right = last.get("referenceResponses")
    answers = [_held_text(one) for one in right] if isinstance(right, list) else []
    made = {
        **_without(row, "conversationTurns"),
        "question": _held_text(last.get("prompt")),
        "documents": [_passage(one) for one in found] if isinstance(found, list) else None,
        "response": _held_text(output),
        "reference_answer": answers[0] if len(answers) == 1 else answers or None,
        "turns": earlier or None,
    }
    return {key: held for key, held in made.items() if held is not None}


def _sourced(row: Fields) -> Fields:
    """RAGTruth: the question and the passages of the source, beside the whole prompt."""
    source = row.get("source_info")
    if not isinstance(source, dict) or "question" not in source or not isinstance(source.get("passages"), str):
        return row
    passages = [part.strip() for part in _PASSAGE.split(source["passages"]) if part.strip()]
    return {**_without(_without(row, "source_info"), "prompt"), "question": source["question"], "documents": passages}


def _alternative(row: Fields) -> Fields:
    """CRAG, MuSiQue: other right answers beside the answer, which is a right one, too."""
    key = next((key for key in _OTHERS if isinstance(row.get(key), list)), "")
    if not key or not isinstance(row.get("answer"), str) or "reference_answer" in row:
        return row
    right = [row["answer"], *row[key]] if row[key] else row["answer"]
    return {**_without(_without(row, key), "answer"), "reference_answer": right}


def _asked(row: Fields) -> Fields:
    """BioASQ: the question is the `body`; of its texts, the snippets, it names the documents by address."""
    if not isinstance(row.get("body"), str) or "ideal_answer" not in row:
        return row
    snippets = held if isinstance(held := row.get("snippets"), list) else []
    made = {
        "question": row["body"],
        "documents": [{"id": s.get("document"), **s} if isinstance(s, dict) else s for s in snippets],
        "expected_documents": row.get("documents"),
        "reference_answer": shapes.alone(row["ideal_answer"]),
        "category": row.get("type"),
    }
    return {key: held for key, held in row.items() if key not in _BIOASQ} | made


def _annotated(row: Fields) -> Fields:
    """CLAPNQ, KILT: people's answers, each with the sentences or the pages that it rests on."""
    given = row.get("output")
    if not isinstance(given, list) or not given or not all(isinstance(one, dict) for one in given):
        return row
    kilt = isinstance(row.get("meta"), dict) and any("provenance" in one for one in given)  # a prediction has no `meta`
    if not kilt and not all(_PEOPLES in one for one in given):
        return row
    answers = [said for one in given if isinstance(said := one.get("answer"), str) and said]
    return {**_without(row, "output"), "reference_answer": shapes.alone(list(dict.fromkeys(answers))) or None}


def _attributed(row: Fields) -> Fields:
    """Amazon Q Business: the answer is the system's message, which elsewhere is a prompt."""
    said = row.get("systemMessage")
    if "sourceAttributions" not in row or "userMessage" not in row or not isinstance(said, str):
        return row
    return {**_without(row, "systemMessage"), "response": said}


def _harnessed(row: Fields) -> Fields:
    """EleutherAI's evaluation harness: the data set's row is the `doc`, its answer the target; replies are nested."""
    doc, said = row.get("doc"), row.get("filtered_resps", row.get("resps"))
    if not isinstance(doc, dict) or not isinstance(row.get("target"), str) or not any(map(asks, doc)) or not said:
        return row
    while isinstance(said, list):
        said = said[0] if len(said) == 1 else None
    inside = {key: held for key, held in doc.items() if not (plain_name(key) == "answers" or _answers(key))}
    rest = {key: held for key, held in row.items() if key not in (*_HARNESS, *inside)}
    return {**rest, **inside, "reference_answer": row["target"], "response": said if isinstance(said, str) else None}


def _answers(column: str) -> bool:
    return role_of(column) in ("answer", "response", "reference_answer")


def _labeled(row: Fields) -> Fields:
    """A labeling tool's row out of its holder, with what people wrote beside it."""
    if any(map(asks, row)) or is_carrier(row):
        return row
    held = next((key for key in _HOLDERS if isinstance(row.get(key), dict) and any(map(asks, row[key]))), None)
    if held is None:
        return row
    argillas = isinstance(row.get("responses"), dict)
    rest = _without(_without(row, "suggestions"), "responses") if argillas else row  # a model suggests, people respond
    return {**_without(rest, held), **_written(row), **row[held]}


def _written(row: Fields) -> Fields:
    """Label Studio's texts and choices of the last annotation, and Argilla's responses of all people, by the names of
    their fields.
    """
    given = {name: _values(held) for name, held in object_of(row.get("responses")).items()}
    annotations = row.get("annotations")
    last = annotations[-1] if isinstance(annotations, list) and annotations else None
    results = last.get("result") if isinstance(last, dict) else None
    found: Fields = {name: shapes.alone(values) for name, values in given.items() if values}
    for result in results if isinstance(results, list) else []:
        value = result.get("value") if isinstance(result, dict) else None
        if isinstance(value, dict) and isinstance(name := result.get("from_name"), str):
            found[name] = shapes.alone(value.get("text", value.get("choices")))
    return found


def _values(given: Any) -> list[str | int]:
    """The texts and grades that people gave to one question of Argilla's, each once."""
    return list(dict.fromkeys(held for one in objects_of(given) if isinstance(held := one.get("value"), str | int)))


def _hashed(row: Fields) -> Fields:
    """Prodigy: the text that was shown with a question is its document; its own answer only accepts or rejects."""
    if not row.keys() >= _PRODIGY or not isinstance(row.get("text"), str) or not _lacks_documents(row):
        return row
    return {**_without(row, "text"), "documents": [row["text"]]} if any(map(asks, row)) else row


def _buried(row: Fields) -> Fields:
    """The only row deep in what a pipeline gave: Haystack's answers within its components' outputs."""
    if any(map(asks, row)) or "vars" in row or not all(isinstance(held, dict) for held in row.values()):
        return row
    found = list(_rows_in(row, 5))
    return found[0] if len(found) == 1 else row


def _rows_in(held: Any, depth: int) -> Iterator[Fields]:
    """The objects with a question and documents in a value."""
    if isinstance(held, dict) and any(map(asks, held)) and any(map(holds_documents, held)):
        yield held
    elif depth:
        for one in held.values() if isinstance(held, dict) else held if isinstance(held, list) else ():
            yield from _rows_in(one, depth - 1)


def _multihop(row: Fields) -> Fields:
    """HotpotQA: titles and sentences of its paragraphs as documents, those with the facts as the expected ones."""
    facts, context = row.get("supporting_facts"), row.get("context")
    pairs = _pairs(context, "title", "sentences")
    if facts is None or not pairs or not all(isinstance(said, list) for _, said in pairs):
        return row
    made = {
        "documents": [{"title": title, "text": "".join(_spaced(said))} for title, said in pairs],
        "expected_documents": list(dict.fromkeys(str(title) for title, _ in _pairs(facts, "title", "sent_id"))),
    }
    right = {"reference_answer": row["answer"]} if "answer" in row and "reference_answer" not in row else {}
    rest = {
        key: held for key, held in row.items() if key not in ("supporting_facts", "context", *(right and ["answer"]))
    }
    return {**rest, **right, **made}


def _flagged(row: Fields) -> Fields:
    """MuSiQue: the paragraphs that are marked as supporting are the expected documents."""
    paragraphs = row.get("paragraphs")
    if not isinstance(paragraphs, list) or not all(
        isinstance(one, dict) and "is_supporting" in one for one in paragraphs
    ):
        return row
    titles = [one.get("title") for one in paragraphs if one["is_supporting"] is True]
    return {**row, "expected_documents": titles} if titles and all(isinstance(t, str) for t in titles) else row


def _pairs(value: Any, first: str, second: str) -> list[Any]:
    """A list of pairs, or two lists in an object, as a list of pairs; empty where it is neither."""
    if isinstance(value, dict) and isinstance(value.get(first), list) and isinstance(value.get(second), list):
        return list(zip(value[first], value[second], strict=False))
    pairs = isinstance(value, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in value)
    return value if pairs else []


def _spaced(sentences: Sequence[Any]) -> list[str]:
    """The sentences, with the space between them that some files keep and others do not."""
    texts = [str(sentence) for sentence in sentences]
    return [text if n == 0 or text[:1].isspace() else f" {text}" for n, text in enumerate(texts)]


_WRAPPINGS: tuple[Callable[[Fields], Fields], ...] = (
    _inside, _typed, _sampled, _unboxed, _identified, searched, completed, answered, stated, _cited, _chatted,
    _predicted, _instructed, _evaluated, _sourced, _alternative, _asked, _annotated, _attributed, _harnessed, _labeled,
    _hashed, _buried, _multihop, _flagged, _grounded, _based, _attached, with_prompt_opened,
)  # fmt: skip


def _without(row: Fields, key: str) -> Fields:
    return {name: held for name, held in row.items() if name != key}


def _lacks_documents(row: Mapping[str, Any]) -> bool:
    """Whether no column of documents has texts: a `source` may be an application."""
    return not any(holds_documents(key) and _says_something(value) for key, value in row.items())


def _says_something(value: Any) -> bool:
    return has_a_sentence(value) if isinstance(value, str) else value is not None


def _passage(found: Any) -> Any:
    """A retrieved passage as the object of a document."""
    return {**found, "text": _held_text(found), "title": found.get("name")} if isinstance(found, dict) else found


def _held_text(value: Any) -> Any:
    """The text of `{"content": [{"text": …}]}`, or of such an object with fewer layers."""
    for _ in range(4):
        if isinstance(value, list):
            value = value[0] if len(value) == 1 else None
        elif isinstance(value, dict):
            value = value.get("text", value.get("content"))
    return value if isinstance(value, str) else None
