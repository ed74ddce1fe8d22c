"""The spans of one trace → one row: question, retrieved documents, answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.traces.span import Span
from trace_core.datasets.traces.steps import GENERATE, HOLD, RERANK, RETRIEVE, Said, Step, messages, step_of

NO_RETRIEVAL = "Nothing is retrieved in this trace."
FAILED = "This trace ended in an error"
NO_DOCUMENTS = "This trace does not say which documents were retrieved."
NO_QUESTION = "This trace does not say what was asked."
_DEEPEST = 4


class NoRow(Exception):
    """The reason why a trace gives no row."""


def row_of(spans: Sequence[Span]) -> dict[str, Any]:
    """The row of a trace. Raises `NoRow` with the reason where there is none."""
    steps = _from_the_top([step_of(span) for span in spans])
    answer, error = _answer(steps), next((step.span.error for step in steps if step.span.error), "")
    if answer is None and error:
        raise NoRow(f"{FAILED} ({error[:100]}).")
    documents, retriever = _documents(steps)
    question, turns = _question(steps, documents)
    row: dict[str, Any] = {"id": steps[0].span.trace, "question": question, "documents": documents}
    if answer is not None:
        row["response"] = answer
    said = {
        "reference_answer": next((step.span.reference for step in steps if step.span.reference), None),
        "generation_model_name": next((model for step in reversed(steps) if (model := _model(step))), None),
        "conversation": next((step.conversation for step in steps if step.conversation), None),
        "turns": [{"role": who, "text": text} for who, text in turns] or None,
    }
    chain = next((step for step in steps if step.role in (HOLD, GENERATE)), steps[0])
    row["spans"] = {"trace": steps[0].span.trace, "chain": chain.span.id, "retriever": retriever.span.id}
    return row | {name: held for name, held in said.items() if held is not None}


def _model(step: Step) -> str:
    return step.model if step.role == GENERATE else ""


def _from_the_top(steps: list[Step]) -> list[Step]:
    """Steps in nesting order, outermost first, then by start time."""
    parents = {step.span.id: step.span.parent for step in steps}

    def depth(step: Step) -> int:
        found, above = 0, step.span.parent
        while above in parents and found < len(parents):
            found, above = found + 1, parents[above]
        return found

    return sorted(steps, key=lambda step: (depth(step), step.span.start))


def _documents(steps: Sequence[Step]) -> tuple[list[dict[str, Any]], Step]:
    """The reranker's documents, else the retrieved ones, without duplicates, and their step; a retriever within
    another one belongs to it.
    """
    by_role = {role: [step for step in steps if step.role == role] for role in (RETRIEVE, RERANK)}
    if not any(by_role.values()):  # one span for the whole call may hold the documents
        by_role[RETRIEVE] = [step for step in steps if step.documents]
    if not any(by_role.values()):
        raise NoRow(NO_RETRIEVAL)
    reranked = [step for step in by_role[RERANK] if step.documents is not None]
    if reranked:
        return reranked[-1].documents or [], reranked[-1]
    within = {step.span.id for step in by_role[RETRIEVE]}
    known = [step for step in by_role[RETRIEVE] if step.documents is not None]
    known = [step for step in known if step.span.parent not in within] or known
    if not known:
        raise NoRow(NO_DOCUMENTS)
    lists = [step.documents or [] for step in known]
    once = {_identity(one): one for listed in reversed(lists) for one in reversed(listed)}
    return [once[key] for key in dict.fromkeys(_identity(one) for listed in lists for one in listed)], known[0]


def _identity(document: Mapping[str, Any]) -> tuple[Any, Any]:
    return document.get("id"), document.get("text")


# Question


def _question(steps: Sequence[Step], documents: Sequence[Mapping[str, Any]]) -> tuple[str, Said]:
    """The question and the turns before it: from the top step, else the retriever's query, else the last message
    to a model that is not a prompt with the documents in it.
    """
    query = next((found for step in steps if step.role == RETRIEVE and (found := _asked(step.given, ""))), "")
    for step in steps:
        if step.role == HOLD:
            heard = step.heard or _history(step.given)
            asked = _last_asked(step.heard) or _asked(step.given, query)
            if asked:
                return asked, _before(heard, asked) or _turns(steps, asked)
    heard = next((step.heard or messages(step.given) for step in reversed(steps) if step.role == GENERATE), Said())
    last = _last_asked(heard)
    texts = [str(document["text"]) for document in documents if document.get("text")]
    if last and not any(text in last for text in texts):
        return last, _before(heard, last)
    if query:
        return query, _turns(steps, query)
    raise NoRow(NO_QUESTION)


def _turns(steps: Sequence[Step], question: str) -> Said:
    """The earlier turns, from the messages to the model that end with the question."""
    for step in reversed(steps):
        heard = (step.heard or messages(step.given)) if step.role == GENERATE else Said()
        if _last_asked(heard) == question:
            return _before(heard, question)
    return Said()


def _last_asked(heard: Said) -> str:
    return next((text for who, text in reversed(heard) if who == "user"), "")


def _before(heard: Said, question: str) -> Said:
    """The turns before the last one; all of them where the question is given separately."""
    last = max((i for i, (who, text) in enumerate(heard) if who == "user" and text == question), default=len(heard))
    return heard[:last]


def _history(given: Any) -> Said:
    """Earlier turns within an input."""
    if not isinstance(given, Mapping):
        return messages(given)
    for key in ("messages", "chat_history", "history"):
        if found := messages(given.get(key)):
            return found
    inner = given.get("inputs") or given.get("kwargs")
    return _history(inner) if isinstance(inner, Mapping) else Said()


def _asked(given: Any, query: str) -> str:
    """The question in an input: a plain text, a field with its name, the search query, or the only text there."""
    if isinstance(given, list):
        return _last_asked(messages(given)) or _only(given, query)
    if isinstance(given, Mapping):
        if said := _last_asked(messages(given)):
            return said
        found = shapes.question(dict(given))
        return found.strip() if isinstance(found, str) else _only(given, query)
    return given.strip() if isinstance(given, str) else ""


def _only(given: Any, query: str) -> str:
    leaves = list(dict.fromkeys(_leaves(given)))
    if query and query in leaves:
        return query
    return leaves[0].strip() if len(leaves) == 1 else ""


def _leaves(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(item, depth + 1)


# Answer


def _answer(steps: Sequence[Step]) -> str | None:
    """The output of the top step, else the model's last message."""
    generated = [found for step in steps if step.role == GENERATE and (found := _replied(step))]
    last = generated[-1] if generated else None
    for step in steps:
        if step.role == HOLD and (found := _replied(step)):
            return found
        if step.role == HOLD and last is not None and last in _leaves(step.made):
            return last
    return last


def _replied(step: Step) -> str:
    said = step.said or messages(step.made)
    if said:
        return said[-1][1] if said[-1][0] == "assistant" else ""
    made = step.made
    if isinstance(made, Mapping):
        if {"role", "content"} <= made.keys():
            return _only_text(made["content"])
        made = shapes.response(dict(made))
    return made.strip() if isinstance(made, str) else ""


def _only_text(content: Any) -> str:
    return content.strip() if isinstance(content, str) else ""
