"""The steps of a trace as a tree, without those that only check or support the answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from trace_core.datasets.traces.steps import ASIDE, CHECK, GENERATE, HOLD, RERANK, RETRIEVE, TOOL, Step

_FOUND = (RETRIEVE, RERANK)
_JUDGES = frozenset(
    "judge grader grade evaluator evaluate evaluation eval scorer guardrail guardrails moderation groundedness "
    "faithfulness factuality hallucination".split()
)
_HUMP, _WORD = re.compile(r"(?<=[a-z])(?=[A-Z])"), re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True)
class Tree:
    """The steps of one request in nesting order, outermost first, then by time. `over` is the step around each."""

    steps: list[Step]
    over: dict[str, Step]

    def around(self, step: Step) -> list[Step]:
        """The steps around this one, nearest first."""
        return _around(step, self.over)

    def requests(self, only_holds: Callable[[Step], bool]) -> list[Tree]:
        """Its parts that may be requests of their own: trees side by side, or within a step that only holds them."""
        tops = [step for step in self.steps if step.span.id not in self.over]
        alike = len({(step.span.parent, step.span.name) for step in tops}) == 1 and all(s.role == HOLD for s in tops)
        if any(step.span.parent for step in tops) and not alike:
            return []  # the step around them is not recorded: they may be steps of one request
        while len(tops) == 1 and only_holds(tops[0]):
            tops = [step for step in self.steps if self.over.get(step.span.id) is tops[0]]
        return [self._from(top) for top in tops] if len(tops) > 1 else []

    def _from(self, top: Step) -> Tree:
        kept = [step for step in self.steps if step is top or top in self.around(step)]
        inside = {step.span.id for step in kept} - {top.span.id}
        return Tree(kept, {span: around for span, around in self.over.items() if span in inside})


def tree_of(steps: Sequence[Step]) -> Tree:
    """The tree without what evaluators and guardrails did; what a model wrote for a tool or a search stands aside."""
    known = {step.span.id: step for step in steps}
    over = {step.span.id: known[step.span.parent] for step in steps if step.span.parent in known}
    around = [_around(step, over) for step in steps]
    searched = {
        one.span.id
        for step, above in zip(steps, around, strict=True)
        if step.documents or step.role in _FOUND
        for one in (step, *above)
    }
    placed: list[tuple[int, str, Step]] = []
    changed: dict[str, Step] = {}
    for step, above in zip(steps, around, strict=True):
        roles = {one.role for one in above if one.role != TOOL or one.span.id in over}
        if CHECK in roles or step.role == CHECK:
            continue
        inner = [one for one in (step, *above) if one.span.id in over and one.span.id not in searched]
        if any(map(_judges, inner)):
            continue
        if step.role in (HOLD, GENERATE) and not roles.isdisjoint((*_FOUND, TOOL)):
            step = changed[step.span.id] = step._replace(role=ASIDE)
        elif step.role == TOOL:
            step = changed[step.span.id] = step._replace(role=ASIDE if above else HOLD)
        placed.append((len(above), step.span.started, step))
    ordered = [step for *_, step in sorted(placed, key=lambda one: one[:2])]
    return Tree(ordered, {span: changed.get(one.span.id, one) for span, one in over.items()} if changed else over)


def _judges(step: Step) -> bool:
    """Whether the name of a step, or of the agent in it, says that it judges."""
    return _names_a_judge(f"{step.span.name} {step.span.attributes.get('gen_ai.agent.name') or ''}")


@lru_cache(maxsize=1_000)  # traces repeat the names of their steps
def _names_a_judge(name: str) -> bool:
    return not _JUDGES.isdisjoint(_WORD.findall(_HUMP.sub(" ", name).lower()))


def _around(step: Step, over: dict[str, Step]) -> list[Step]:
    found: list[Step] = []
    if step.span.id not in over:
        return found
    seen = {step.span.id}
    while (above := over.get(step.span.id)) is not None and above.span.id not in seen:
        seen.add(above.span.id)
        found.append(step := above)
    return found
