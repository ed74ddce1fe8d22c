"""The spans of one trace → a row for each request in it: question, retrieved documents, answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trace_core.datasets import shapes
from trace_core.datasets.cells import ends_a_sentence
from trace_core.datasets.traces.span import Span
from trace_core.datasets.traces.steps import GENERATE, HOLD, RERANK, RETRIEVE, Said, Step, given_with, messages, step_of
from trace_core.datasets.traces.tree import Tree, tree_of

NO_RETRIEVAL = "Nothing is retrieved in this trace."
FAILED = "This trace ended in an error"
NO_DOCUMENTS = "This trace does not say which documents were retrieved."
NO_QUESTION = "This trace does not say what was asked."
_DEEPEST = 4


class NoRow(Exception):
    """The reason why a request gives no row."""


def rows_of(spans: Sequence[Span]) -> list[tuple[str, dict[str, Any] | NoRow]]:
    """The start and the row of each request in a trace; the reason in place of a row that cannot be made."""
    tree = tree_of([step_of(span) for span in spans])
    parts = [
        (min(step.span.start for step in part.steps), _row_or_reason(part, several=True))
        for part in tree.requests(_only_holds)
    ]
    if sum(isinstance(row, dict) and "response" in row for _, row in parts) > 1:
        return parts
    return [(min(span.start for span in spans), _row_or_reason(tree))]


def _only_holds(step: Step) -> bool:
    """Whether the step asks and answers nothing itself."""
    if step.role != HOLD or step.heard or step.said or step.documents:
        return False
    return not (_asked(step.given, "") or _replied(step))


def _row_or_reason(tree: Tree, several: bool = False) -> dict[str, Any] | NoRow:
    try:
        return _row(tree, several)
    except NoRow as reason:
        return reason


def _row(tree: Tree, several: bool) -> dict[str, Any]:
    steps = tree.steps
    searches = _searches(steps)
    answer = _answer(tree, searches)
    if answer is None and (error := next((step.span.error for step in steps if step.span.error), "")):
        raise NoRow(f"{FAILED} ({error[:100]}).")
    reference = next((step.span.reference for step in steps if step.span.reference), None)
    documents, retriever = _documents(steps, searches, needed=reference is None)
    question, turns = _question(steps, documents or [])
    row: dict[str, Any] = {"question": question} | ({} if documents is None else {"documents": documents})
    if answer is not None:
        row["response"] = answer
    said = {
        **_places(steps, retriever, several),
        "reference_answer": reference,
        "generation_model_name": next((model for step in reversed(steps) if (model := _model(step))), None),
        "conversation": next((held for step in steps if (held := step.conversation)), None),
        "turns": [{"role": who, "text": text} for who, text in turns] or None,
    }
    return row | {name: held for name, held in said.items() if held is not None}


def _places(steps: Sequence[Step], retriever: Step | None, several: bool) -> dict[str, Any]:
    """The id of the row, and its places in the trace; none where the trace has no id."""
    trace = steps[0].span.trace
    chain = next((step for step in steps if step.role in (HOLD, GENERATE)), steps[0])
    places = {"trace": trace, "chain": chain.span.id} | ({"retriever": retriever.span.id} if retriever else {})
    return {"id": f"{trace}-{steps[0].span.id}" if several else trace, "spans": places} if trace else {}


def _model(step: Step) -> str:
    return step.model if step.role == GENERATE else ""


# Documents


def _documents(
    steps: Sequence[Step], searches: Sequence[Step], needed: bool
) -> tuple[list[dict[str, Any]] | None, Step | None]:
    """The rerankers' documents and those of later searches, else all that were retrieved, without duplicates; and
    the step that found the last of them, or the first. Without a search, those that a step was given.
    """
    if not searches:
        given = next((held for step in steps if step.role == HOLD and (held := given_with(step.given))), None)
        if needed and not given:
            raise NoRow(NO_RETRIEVAL)
        return given, None
    reranked = _last_of_each([step for step in searches if step.role == RERANK and step.documents is not None])
    within = {step.span.id for step in searches if step.role != RERANK}
    found = [step for step in searches if step.role != RERANK and step.documents is not None]
    found = [step for step in found if step.span.parent not in within] or found
    if reranked:
        later = [step for step in found if step.span.started > reranked[-1].span.started]
        return _once([*reranked, *later]), reranked[-1]
    if not found:
        raise NoRow(NO_DOCUMENTS)
    return _once(found), found[0]


def _searches(steps: Sequence[Step]) -> list[Step]:
    """The steps that retrieve or rerank, or else, as one span for the whole call may have them, all with documents."""
    return [step for step in steps if step.role in (RETRIEVE, RERANK)] or [step for step in steps if step.documents]


def _last_of_each(reranked: list[Step]) -> list[Step]:
    """The rerankers whose documents no later one has cut down."""
    kept: list[Step] = []
    for step in sorted(reranked, key=lambda step: step.span.started):
        own = {_identity(one) for one in step.documents or []}
        kept = [one for one in kept if not own or not own <= {_identity(each) for each in one.documents or []}]
        kept.append(step)
    return kept


def _once(steps: Sequence[Step]) -> list[dict[str, Any]]:
    once: dict[tuple[Any, Any], dict[str, Any]] = {}
    for one in (one for step in steps for one in step.documents or []):
        once.setdefault(_identity(one), one)
    return list(once.values())


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
            asked = _last_asked(step.heard) or _asked(step.given, query)
            if asked:
                return asked, _before(step.heard or _history(step.given), asked) or _turns(steps, asked)
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
    for who, text in reversed(heard):
        if who == "user":
            return text
    return ""


def _before(heard: Said, question: str) -> Said:
    """The turns before the last one; all of them where the question is given separately."""
    last = max((i for i, (who, text) in enumerate(heard) if who == "user" and text == question), default=len(heard))
    return heard[:last]


def _history(given: Any) -> Said:
    """Earlier turns within an input."""
    if not isinstance(given, dict):
        return messages(given)
    for key in ("messages", "chat_history", "history"):
        if found := messages(given.get(key)) or _pairs(given.get(key)):
            return found
    inner = given.get("inputs") or given.get("kwargs")
    return _history(inner) if isinstance(inner, dict) else Said()


def _pairs(turns: Any) -> Said:
    """A history that lists pairs of question and answer."""
    pairs = [one for one in turns if isinstance(one, list | tuple) and len(one) == 2] if isinstance(turns, list) else []
    return [(who, text) for pair in pairs for who, text in zip(("user", "assistant"), pair, strict=True) if text]


def _asked(given: Any, query: str) -> str:
    """The question in an input: a plain text, a field with its name, the search query, or the only text there."""
    if isinstance(given, list):
        return _last_asked(messages(given)) or _only(given, query)
    if isinstance(given, dict):
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
    elif depth < _DEEPEST and isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item, depth + 1)


# Answer


def _answer(tree: Tree, searches: Sequence[Step]) -> str | None:
    """The output of the steps around the last model call, outermost first, else that call's message."""
    after = _after_search(tree, searches)
    replies = [(step, _replied(step)) for step in after if step.role == GENERATE]
    calls = [(step, reply) for step, reply in replies if step.span.error or reply]
    calls.sort(key=lambda call: call[0].span.started)
    said = [reply for _, reply in reversed(calls) if reply]
    around = tree.around(calls[-1][0]) if calls else []
    for step in after:
        tells = step in around or step.span.id not in tree.over or not calls
        if step.role == HOLD and tells and (found := _replied(step) or _within(step.made, said)):
            return found
    return calls[-1][1] or None if calls else None


def _after_search(tree: Tree, searches: Sequence[Step]) -> list[Step]:
    """The steps that may hold the answer: those that contain the first search, or began after it."""
    if not searches:
        return tree.steps
    first = min(searches, key=lambda step: step.span.started)
    around = [first, *tree.around(first)]
    return [step for step in tree.steps if step.span.started >= first.span.started or step in around]


def _within(made: Any, said: Sequence[str]) -> str:
    """The text within an output that a model wrote; where no model's text is known, the output's only sentence."""
    leaves = list(_leaves(made))
    if not said:
        return leaves[0].strip() if len(leaves) == 1 and ends_a_sentence(leaves[0]) else ""
    return next((one for one in said if one in leaves), "")


def _replied(step: Step) -> str:
    said = step.said or messages(step.made)
    if said:
        return said[-1][1] if said[-1][0] == "assistant" else ""
    made = step.made
    if isinstance(made, dict):
        if {"role", "content"} <= made.keys():
            return _only_text(made["content"])
        if isinstance(generations := made.get("generations"), list):
            return next((text for text in _leaves(generations)), "").strip()
        made = shapes.response(dict(made))
    return made.strip() if isinstance(made, str) else ""


def _only_text(content: Any) -> str:
    return content.strip() if isinstance(content, str) else ""
