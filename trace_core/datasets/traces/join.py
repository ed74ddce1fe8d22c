"""The spans of one trace → a row for each request in it: question, retrieved documents, answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trace_core.datasets.documents import Messages, messages, named_text
from trace_core.datasets.traces.span import Span
from trace_core.datasets.traces.steps import ASIDE, CHECK, GENERATE, HOLD, RERANK, RETRIEVE, Step, step_of

NO_RETRIEVAL = "Nothing is retrieved in this trace."
FAILED = "This trace ended in an error"
NO_DOCUMENTS = "This trace does not say which documents were retrieved."
NO_QUESTION = "This trace does not say what was asked."
_SEARCH = (RETRIEVE, RERANK)


class NoRow(Exception):
    """The reason why a request gives no row."""


@dataclass(frozen=True, slots=True)
class Tree:
    """The steps of one request in nesting order, outermost first, then by time. `over` is the step around each."""

    steps: list[Step]
    over: Mapping[str, Step]

    def around(self, step: Step) -> list[Step]:
        """The steps around this one, nearest first."""
        return _around(step, self.over)

    def requests(self) -> list[Tree]:
        """Its parts that may be requests of their own: trees side by side, or within a step that only holds them."""
        tops = [step for step in self.steps if step.span.id not in self.over]
        alike = len({(step.span.parent, step.span.name) for step in tops}) == 1 and all(s.role == HOLD for s in tops)
        if any(step.span.parent for step in tops) and not alike:
            return []  # the step around them is not recorded: they may be steps of one request
        while len(tops) == 1 and _only_holds(tops[0]):
            tops = [step for step in self.steps if self.over.get(step.span.id) is tops[0]]
        return [self._below(top) for top in tops] if len(tops) > 1 else []

    def _below(self, top: Step) -> Tree:
        kept = [step for step in self.steps if step is top or top in self.around(step)]
        inside = {step.span.id for step in kept} - {top.span.id}
        return Tree(kept, {span: around for span, around in self.over.items() if span in inside})


def _tree_of(steps: Sequence[Step]) -> Tree:
    """The tree without what evaluators and guardrails did; what was made for a search or a tool stands aside."""
    known = {step.span.id: step for step in steps}
    over = {step.span.id: known[step.span.parent] for step in steps if step.span.parent in known}
    placed: list[tuple[int, str, Step]] = []
    for step in steps:
        above = _around(step, over)
        roles = {one.role for one in above}
        if CHECK in roles or step.role == CHECK:
            continue
        if step.role in (HOLD, GENERATE) and not roles.isdisjoint((*_SEARCH, ASIDE)):
            step = step._replace(role=ASIDE)
        placed.append((len(above), step.span.started, step))
    return Tree([step for *_, step in sorted(placed, key=lambda one: one[:2])], over)


def _around(step: Step, over: Mapping[str, Step]) -> list[Step]:
    found: list[Step] = []
    seen = {step.span.id}
    while (above := over.get(step.span.id)) is not None and above.span.id not in seen:
        seen.add(above.span.id)
        found.append(step := above)
    return found


def rows_of(spans: Sequence[Span]) -> list[tuple[str, dict[str, Any] | NoRow]]:
    """The start and the row of each request in a trace; the reason in place of a row that cannot be made."""
    tree = _tree_of([step_of(span) for span in spans])
    parts = [(min(s.span.start for s in part.steps), _row_or_reason(part, several=True)) for part in tree.requests()]
    if sum(isinstance(row, dict) and "response" in row for _, row in parts) > 1:
        return parts
    return [(min(span.start for span in spans), _row_or_reason(tree))]


def _only_holds(step: Step) -> bool:
    """Whether the step asks and answers nothing itself."""
    if step.role != HOLD or step.asked or step.replied or step.documents:
        return False
    return not (_question_in(step.given) or _reply(step))


def _row_or_reason(tree: Tree, several: bool = False) -> dict[str, Any] | NoRow:
    try:
        return _row(tree, several)
    except NoRow as reason:
        return reason


def _row(tree: Tree, several: bool) -> dict[str, Any]:
    steps = tree.steps
    searches = [s for s in steps if s.role in _SEARCH] or [s for s in steps if s.documents]
    answer = _answer(tree, searches)
    if not answer and (error := next((step.span.error for step in steps if step.span.error), "")):
        raise NoRow(f"{FAILED} ({error[:100]}).")
    reference = next((step.span.reference for step in steps if step.span.reference), None)
    documents, retriever = _documents(searches, needed=reference is None)
    question, turns = _question(steps, documents or [])
    trace = steps[0].span.trace
    chain = next((step for step in steps if step.role in (HOLD, GENERATE)), steps[0])
    spans = {"trace": trace, "chain": chain.span.id} | ({"retriever": retriever.span.id} if retriever else {})
    row = {
        "question": question, "documents": documents, "response": answer or None,
        "id": (f"{trace}-{steps[0].span.id}" if several else trace) or None, "spans": spans if trace else None,
        "reference_answer": reference,
        "generation_model_name": next((model for step in reversed(steps) if (model := step.model)), None),
        "conversation": next((held for step in steps if (held := step.conversation)), None),
        "turns": [{"role": who, "text": text} for who, text in turns] or None,
    }  # fmt: skip
    return {name: value for name, value in row.items() if value is not None}


# Documents


def _documents(searches: Sequence[Step], needed: bool) -> tuple[list[dict[str, Any]] | None, Step | None]:
    """The rerankers' documents and those of later searches, else all that were retrieved, without duplicates; and
    the step that found the last of them, or the first.
    """
    if not searches:
        if needed:
            raise NoRow(NO_RETRIEVAL)
        return None, None
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


def _question(steps: Sequence[Step], documents: Sequence[Mapping[str, Any]]) -> tuple[str, Messages]:
    """The question and the turns before it: from the top step, else the retriever's query, else the last message
    to a model that is not a prompt with the documents in it.
    """
    for step in steps:
        if step.role == HOLD and (asked := _last_asked(step.asked) or _question_in(step.given)):
            return asked, _before(step.asked or _history(step.given), asked) or _turns(steps, asked)
    query = next((found for step in steps if step.role == RETRIEVE and (found := _question_in(step.given))), "")
    prompts = next(
        (step.asked or messages(step.given) for step in reversed(steps) if step.role == GENERATE), Messages()
    )
    last = _last_asked(prompts)
    texts = [str(document["text"]) for document in documents if document.get("text")]
    if last and not any(text in last for text in texts):
        return last, _before(prompts, last)
    if query:
        return query, _turns(steps, query)
    raise NoRow(NO_QUESTION)


def _question_in(given: Any) -> str:
    return _last_asked(messages(given)) or named_text(given, "question")


def _turns(steps: Sequence[Step], question: str) -> Messages:
    """The earlier turns, from the messages to the model that end with the question."""
    for step in reversed(steps):
        prompts = (step.asked or messages(step.given)) if step.role == GENERATE else Messages()
        if _last_asked(prompts) == question:
            return _before(prompts, question)
    return Messages()


def _last_asked(prompts: Messages) -> str:
    return next((text for who, text in reversed(prompts) if who == "user"), "")


def _before(prompts: Messages, question: str) -> Messages:
    """The turns before the last one; all of them where the question is given separately."""
    said = [one for one in prompts if one[0] != "tool"]
    last = max((i for i, (who, text) in enumerate(said) if who == "user" and text == question), default=len(said))
    return said[:last]


def _history(given: Any) -> Messages:
    """Earlier turns within an input."""
    if not isinstance(given, dict):
        return messages(given)
    found = (messages(given.get(key)) for key in ("messages", "chat_history", "history"))
    return next((turns for turns in found if turns), Messages())


# Answer


def _answer(tree: Tree, searches: Sequence[Step]) -> str:
    """The output of the steps around the last model call, outermost first, else that call's message."""
    after = _after_search(tree, searches)
    calls = [(step, _reply(step)) for step in after if step.role == GENERATE]
    calls = sorted((call for call in calls if call[0].span.error or call[1]), key=lambda call: call[0].span.started)
    around = tree.around(calls[-1][0]) if calls else []
    for step in after:
        tells = step in around or step.span.id not in tree.over or not calls
        if step.role == HOLD and tells and (found := _reply(step)):
            return found
    return calls[-1][1] if calls else ""


def _after_search(tree: Tree, searches: Sequence[Step]) -> list[Step]:
    """The steps that may hold the answer: those that contain the first search, or began after it."""
    if not searches:
        return tree.steps
    first = min(searches, key=lambda step: step.span.started)
    around = {step.span.id for step in (first, *tree.around(first))}
    return [step for step in tree.steps if step.span.started >= first.span.started or step.span.id in around]


def _reply(step: Step) -> str:
    if replied := step.replied or messages(step.made):
        return replied[-1][1] if replied[-1][0] == "assistant" else ""
    made = step.made
    if isinstance(made, dict) and isinstance(batches := made.get("generations"), list):
        made = batches[0] if batches else None
        made = made[0] if isinstance(made, list) and made else made
    if isinstance(made, dict) and "role" in made:
        return next((text for who, text in messages([made]) if who == "assistant"), "")
    return named_text(made, "response")
