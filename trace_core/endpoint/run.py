"""Run a payload's tests: list what is missing, score what is complete, give the reason for failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trace_core.endpoint.answer_accuracy import ANSWER_ACCURACY
from trace_core.endpoint.answer_relevancy import ANSWER_RELEVANCY
from trace_core.endpoint.base import NamedTest, Result
from trace_core.endpoint.context_ids import CONTEXT_PRECISION, CONTEXT_RECALL
from trace_core.endpoint.context_utilisation import CONTEXT_UTILISATION
from trace_core.endpoint.faithfulness import FAITHFULNESS
from trace_core.endpoint.names import nearest
from trace_core.endpoint.payload import Payload, TooMuch
from trace_core.endpoint.ragas import Ragas
from trace_core.endpoint.workspace import Tools, Workspace
from trace_core.errors import TraceError

_ALL = (ANSWER_ACCURACY, CONTEXT_RECALL, CONTEXT_PRECISION, FAITHFULNESS, ANSWER_RELEVANCY, CONTEXT_UTILISATION)
TESTS: Mapping[str, NamedTest] = {test.name: test for test in _ALL}
UNSUPPORTED = ["unsupported_test"]
MOST_CALLS = 50
"""The most calls to a judge that one query may cost."""


class AllFailed(TraceError):
    """Every test that there is was complete and failed."""


def missing(payload: Payload) -> dict[str, bool | list[str]]:
    """For each requested test: `False`, the fields it lacks, or that it does not exist."""
    found: dict[str, bool | list[str]] = {}
    for name in payload.tests:
        test = TESTS.get(name)
        lacking = [need for need in test.needs if payload.lacks(need)] if test else list(UNSUPPORTED)
        found[name] = lacking or False
    return found


def check_calls(payload: Payload) -> None:
    """Raises `TooMuch` for a query that may cost more calls to a judge than one query may, before any is made."""
    asked = [TESTS[name] for name, lacks in missing(payload).items() if not lacks]
    calls = sum((test.ragas_calls if payload.engine == "ragas" else test.calls)(payload) for test in asked)
    if calls > MOST_CALLS:
        raise TooMuch(f"The query may cost {calls} calls to a judge; one query may cost {MOST_CALLS}.", "Divide it.")


def run_tests(payload: Payload, tools: Tools, ragas: Ragas | None = None) -> dict[str, Any]:
    """The reply to a query, by `ragas` if given. A complete test is scored even when another lacks something.

    A failed test has the score null and its reason in the details. Raises `AllFailed` if every test failed.
    """
    lacking = missing(payload)
    complete = [name for name, lacks in lacking.items() if not lacks]
    workspace = Workspace(payload, tools)
    results = _results(payload, complete, workspace, ragas)
    errors = [str(result.details["error"]) for result in results.values() if "error" in result.details]
    if errors and len(errors) == sum(name in TESTS for name in lacking):
        raise AllFailed(errors[0])
    others = {name: nearest(name) for name in payload.tests if name not in TESTS}
    known = f"There are: {', '.join(TESTS)}."
    unknown = {
        name: {"error": f"There is no such test. {f'The nearest is {near}.' if near else known}"}
        for name, near in others.items()
    }
    return {
        "provided_parameters": payload.model_dump(),
        "tests": payload.tests,
        "missing": lacking,
        "evaluation_scores": {name: result.score for name, result in results.items()},
        "details": {name: result.details for name, result in results.items()} | _unmatched(payload, lacking) | unknown,
    } | ({"usage": workspace.usage} if workspace.usage else {})


def _results(payload: Payload, names: list[str], workspace: Workspace, ragas: Ragas | None) -> dict[str, Result]:
    results: dict[str, Result] = {}
    for asked in [names] if ragas else [[name] for name in names]:
        try:
            made = ragas.results(payload, asked) if ragas else {asked[0]: TESTS[asked[0]].compute(payload, workspace)}
        except TraceError as error:
            made = {name: Result(None, {"error": str(error)}) for name in asked}
        results |= made
    return results


def _unmatched(payload: Payload, lacking: dict[str, bool | list[str]]) -> dict[str, Any]:
    """Why a test that needs the relevant ids was not scored although they were given."""
    if not payload.unmatched:
        return {}
    ids = [context.id for context in payload.contexts]
    known = f"{', '.join(ids[:5])}{', …' if len(ids) > 5 else ''}"
    reason = (
        f"No context is called {', '.join(payload.unmatched[:5])}. The contexts came without ids and are called by "
        f"their place. There are: {known}."
    )
    return {
        name: {"error": reason}
        for name, lacks in lacking.items()
        if isinstance(lacks, list) and "relevant_context_ids" in lacks
    }
