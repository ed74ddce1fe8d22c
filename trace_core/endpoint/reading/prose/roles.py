"""What the quotations of a text are, judged for all of them together by a model of the words around them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from trace_core.endpoint.payload import Payload, unclear
from trace_core.endpoint.reading.language.words import field_named
from trace_core.endpoint.reading.leads.surroundings import ROLES, Around, Array, log_odds
from trace_core.endpoint.reading.leads.told import clause_after, last_clause, told_after, told_by
from trace_core.endpoint.reading.prose.quotations import Quotation, arounds, quotations
from trace_core.endpoint.registry import needs_of

_SURE = 0.9
"""The least probability of all roles together."""
_BY_RULE = 3.0
"""The log-odds that a rule adds to the role that it tells."""
ONCE = ("question", "answer")
_FORCED = 2.5
"""The most log-odds by which a role may lie below one that the text cannot have, as another text has it."""
_DOUBTFUL = 3.0
"""The log-odds by which the role that the rules tell may lie below another one."""
_NEEDED = 1.0
"""The log-odds that a text adds which a test needs."""
_UNNEEDED = 3.0
"""The log-odds by which an answer that no test needs must lie above a right one."""
MOST = 40
"""The most quotations that are judged."""
_KEPT = 200
"""The likeliest combinations of roles that are pursued."""


class _Roles(NamedTuple):
    """Roles of the first quotations, their log-odds, and by how much each lies below the likeliest."""

    odds: float
    roles: list[str]
    forced: list[float]

    @property
    def last(self) -> str | None:
        return self.roles[-1] if self.roles else None

    def with_needs(self, needs: Collection[str]) -> _Roles:
        """The same with more log-odds for each need that is met."""
        return self._replace(odds=self.odds + _NEEDED * len(set(needs).intersection(self.roles)))


def likeliest(text: str, parts: Sequence[Quotation], needs: Collection[str]) -> list[str]:
    """The role of each quotation; what the tests need is likely to be there.

    Raises `QueryError` where other roles are nearly as likely.
    """
    found = [_Roles(0.0, [], [])]
    for part, around in zip(parts, arounds(text, parts), strict=True):
        found = sorted(_longer(found, part, around), key=lambda one: one.odds, reverse=True)[:_KEPT]
    found = sorted((one.with_needs(needs) for one in found), key=lambda one: one.odds, reverse=True)
    best, *others = found
    sure = np.exp(best.odds - np.logaddexp.reduce([one.odds for one in found])) >= _SURE
    for number, part in enumerate(parts):
        differs = not sure and others[0].roles[number] != best.roles[number]
        if differs or best.forced[number] > _FORCED:
            raise unclear(part.text)
    return best.roles


def hold_unneeded(text: str, parts: Sequence[Quotation], roles: Sequence[str], needs: Collection[str]) -> None:
    """Raise for an answer that no test needs, and that may be the right one: people call both an answer."""
    if not needs or "answer" in needs:
        return
    before: list[str | None] = [None, *roles]
    for part, around, role, previous in zip(parts, arounds(text, parts), roles, before, strict=False):
        if role == "answer" and _may_be_right(log_odds(around._replace(previous=previous))):
            raise unclear(part.text)


def _may_be_right(odds: Array) -> bool:
    """Whether what was taken for an answer may be the right one."""
    return bool(odds[ROLES.index("answer")] - odds[ROLES.index("ground_truth")] < _UNNEEDED)


def _longer(found: Sequence[_Roles], part: Quotation, around: Around) -> Iterator[_Roles]:
    """Each combination with each role that the next quotation may have: after `and` alone, that of the one before."""
    lead = last_clause(part.lead)
    begins = not (lead.strip() or part.joined)  # its sentence
    rule = told_after(clause_after(around.after), part.text) if begins else told_by(lead, part.text)
    told = _BY_RULE * np.array([role == rule for role in ROLES])
    after = {last: log_odds(around._replace(previous=last)) + told for last in {one.last for one in found}}
    for one in found:
        odds = after[one.last]
        for role, more in zip(ROLES, odds.tolist(), strict=True):
            if role == one.last if part.joined and one.roles else not (role in ONCE and role in one.roles):
                below = 0.0 if part.joined else odds.max() - more
                yield _Roles(one.odds + more, [*one.roles, role], [*one.forced, below])


def doubtful(text: str, payload: Payload) -> str:
    """A quotation that the rules take for something very unlikely by the words around it; empty where there is none."""
    roles = _roles_in(payload)
    needs = needs_of(payload.tests)
    unneeded = bool(needs) and "answer" not in needs
    parts, previous = quotations(text)[:MOST], None
    for part, around in zip(parts, arounds(text, parts), strict=True):
        quoted_in_another = any(part.text in other and other != part.text for other in roles)
        role = None if quoted_in_another or part.in_code else roles.get(part.text)
        if role and field_named(last_clause(part.lead).strip()) not in (role, "relevant_context_ids"):
            odds = log_odds(around._replace(previous=previous))
            if odds.max() - odds[ROLES.index(role)] > _DOUBTFUL or (
                unneeded and role == "answer" and _may_be_right(odds)
            ):
                return part.text
        previous = role or previous
    return ""


def _roles_in(payload: Payload) -> dict[str, str]:
    """The role of each text that has one role only."""
    told = [(payload.question, "question"), (payload.answer, "answer")]
    told += [(truth, "ground_truth") for truth in payload.truths]
    told += [(context.text, "contexts") for context in payload.contexts]
    texts = [text for text, _ in told]
    return {text: role for text, role in told if text and texts.count(text) == 1}
