"""The spans of one trace → a row for each request in it: question, retrieved documents, answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trace_core.datasets.documents import Messages, last_said, messages, object_of
from trace_core.datasets.traces.spans import Span
from trace_core.datasets.traces.steps import ASIDE, CHECK, GENERATE, HOLD, MODELS, RERANK, RETRIEVE, TALKS, Step
from trace_core.errors import InputError

OF_A_TRACE = "trace "
"""The field of an error that says why a trace gives no row begins like this; the trace's id follows."""
_SEARCH = (RETRIEVE, RERANK)


@dataclass(frozen=True, slots=True)
class Tree:
    """The steps of one request, outermost first, then by time. `over` is the step around each."""

    steps: list[Step]
    over: Mapping[str, Step]

    def around(self, step: Step) -> list[Step]:
        """The steps around this one, nearest first."""
        found: list[Step] = []
        while (above := self.over.get(step.span.id)) is not None and above not in found:
            found.append(step := above)
        return found

    def around_searches(self) -> list[Step]:
        """The steps that contain a search."""
        return [above for step in self.steps if step.role in _SEARCH for above in self.around(step)]

    def requests(self) -> list[Tree]:
        """Its parts: what lies within each outermost step that asks, searches and answers; itself where there is one
        at most.
        """
        searched = self.around_searches()
        whole = [s for s in self.steps if s.role == HOLD and s in searched and s.question and s.answer]
        tops = [step for step in whole if not any(above in whole for above in self.around(step))]
        if len(tops) < 2:
            return [self]
        return [self._below(top) for top in tops]

    def _below(self, top: Step) -> Tree:
        inside = [step for step in self.steps if top in self.around(step)]
        return Tree([top, *inside], {step.span.id: self.over[step.span.id] for step in inside})


def rows_of(spans: Sequence[Span]) -> list[dict[str, Any] | InputError]:
    """The row of each request in a trace, with its `start` and documents as objects; the reason in place of a row that
    cannot be made.
    """
    parts = _tree([Step.of(span) for span in spans]).requests()
    rows: list[dict[str, Any] | InputError] = []
    for part in parts:
        try:
            rows.append(_row(part, several=len(parts) > 1))
        except InputError as reason:
            reason.field = f"{OF_A_TRACE}{spans[0].trace}"
            rows.append(reason)
    return rows


def _tree(steps: Sequence[Step]) -> Tree:
    """The tree without what evaluators and guardrails did; what was made for a search or a tool stands aside."""
    known = {step.span.id: step for step in steps}
    tree = Tree([], {s.span.id: known[s.span.parent] for s in steps if s.span.parent in known})
    placed: list[tuple[int, str, Step]] = []
    for step in steps:
        above = tree.around(step)
        roles = {one.role for one in above}
        if CHECK in roles or step.role == CHECK:
            continue
        aside = step.role in (HOLD, GENERATE) and not roles.isdisjoint((*_SEARCH, ASIDE))
        placed.append((len(above), step.span.start, replace(step, role=ASIDE) if aside else step))
    return Tree([step for *_, step in sorted(placed, key=lambda one: one[:2])], tree.over)


def _row(tree: Tree, *, several: bool) -> dict[str, Any]:
    steps = tree.steps
    searches = [s for s in steps if s.role in _SEARCH] or [s for s in steps if s.documents]
    answer = _answer(tree, min((step.span.start for step in searches), default=""))
    if not answer and (error := _first(step.span.error for step in steps)):
        raise InputError(f"This trace ended in an error ({error[:100]}).")
    documents, retriever = _documents(searches)
    question, turns = _question(steps, documents)
    trace = steps[0].span.trace
    chain = next((step for step in steps if step.role in (HOLD, GENERATE)), steps[0])
    row = {
        "question": question, "documents": documents, "response": answer or None, "start": steps[0].span.start,
        "id": (f"{trace}-{steps[0].span.id}" if several else trace) or None,
        "spans": {"trace": trace, "chain": chain.span.id, "retriever": retriever.span.id} if trace else None,
        "reference_answer": _first(step.span.reference for step in steps),
        "generation_model_name": _first(s.named(MODELS) for s in reversed(steps) if s.role == GENERATE),
        "conversation": _first(step.named(TALKS) for step in steps),
        "turns": [{"role": who, "text": text} for who, text in turns] or None,
    }  # fmt: skip
    return {name: value for name, value in row.items() if value is not None}


def _first(values: Iterable[Any]) -> Any:
    return next(filter(None, values), None)


def _documents(searches: Sequence[Step]) -> tuple[list[dict[str, Any]], Step]:
    """What rerankers kept and what was retrieved after them, else all that was retrieved, without duplicates; and the
    step that found it.
    """
    if not searches:
        raise InputError("Nothing is retrieved in this trace.")
    found = [step for step in searches if step.documents is not None]
    if not found:
        raise InputError("This trace does not say which documents were retrieved.")
    within = {step.span.id for step in found if step.role == RETRIEVE}
    if reranked := [step for step in found if step.role == RERANK and step.documents]:
        last = max(reranked, key=lambda step: step.span.start)
        found = [*reranked, *(s for s in found if s.role == RETRIEVE and s.span.start > last.span.start)]
    else:
        found = [step for step in found if step.span.parent not in within]  # of a search in a search the outer one
    once = {(one.get("id"), one.get("text")): one for step in found for one in step.documents or []}
    return list(once.values()), found[0]


def _question(steps: Sequence[Step], documents: Sequence[Mapping[str, Any]]) -> tuple[str, Messages]:
    """The question and the turns before it: from the outermost step, else the last message to a model that is not a
    prompt with the documents in it, else the query of a search.
    """
    for step in steps:
        if step.role == HOLD and step.question:
            return step.question, _before(step)
    texts = [str(document["text"]) for document in documents if document.get("text")]
    for step in reversed(steps):
        if step.role == GENERATE and (last := last_said(step.prompt, "user")):
            if not any(text in last for text in texts):
                return last, _before(step)
            break
    for step in steps:
        if step.role == RETRIEVE and step.question:
            return step.question, Messages()
    raise InputError("This trace does not say what was asked.")


def _before(step: Step) -> Messages:
    """The turns before the question: the messages before it, or the history beside it."""
    turns, given = [one for one in step.prompt if one[0] != "tool"], object_of(step.input)
    if not turns:
        history = (messages(given.get(key)) for key in ("messages", "chat_history", "history"))
        return next((turns for turns in history if turns), Messages())
    return turns[: max(place for place, (who, _) in enumerate(turns) if who == "user")]


def _answer(tree: Tree, searched: str) -> str:
    """The output of the steps around the last call of a model, outermost first, else of that call. What ended before
    the first search began is no answer.
    """
    calls = [s for s in tree.steps if s.role == GENERATE and s.span.start >= searched and (s.answer or s.span.error)]
    last = sorted(calls, key=lambda step: step.span.start)[-1] if calls else None
    around = tree.around(last) if last else []
    searching = tree.around_searches()
    tops = [s for s in tree.steps if s.span.id not in tree.over and (s.span.start >= searched or s in searching)]
    for step in (*tops, *reversed(around)):
        if step.role == HOLD and step.answer:
            return step.answer
    return last.answer if last else ""
