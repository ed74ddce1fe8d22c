"""Run a payload's tests: list what is missing, score what is complete, give the reason for failures."""

from __future__ import annotations

from typing import Any

from trace_core.endpoint.named_tests import TESTS, Result
from trace_core.endpoint.names import nearest_test
from trace_core.endpoint.payload import Payload, TooMuch
from trace_core.endpoint.ragas import Ragas
from trace_core.endpoint.workspace import Tools, Workspace
from trace_core.errors import TraceError
from trace_core.facts.failed_generation import FAILED_GENERATION, failed_generation
from trace_core.facts.wrappers import unwrapped

MOST_CALLS = 50
"""The most calls to a judge that one query may cost."""


class AllFailed(TraceError):
    """Every test that exists was complete and failed."""


def missing(payload: Payload) -> dict[str, bool | list[str]]:
    """For each requested test: `False`, the fields it lacks, or that it does not exist."""
    found: dict[str, bool | list[str]] = {}
    for name in payload.tests:
        lacks = [need for need in TESTS[name].needs if payload.lacks(need)] if name in TESTS else ["unsupported_test"]
        found[name] = lacks or False
    return found


def check_calls(payload: Payload) -> None:
    """Raises `TooMuch` for a query that may cost more calls to a judge than one query may, before any is made."""
    asked = [TESTS[name] for name, lacks in missing(payload).items() if not lacks]
    calls = sum((test.ragas_calls if payload.engine == "ragas" else test.calls)(payload) for test in asked)
    if calls > MOST_CALLS:
        raise TooMuch(f"The query may cost {calls} calls to a judge; one query may cost {MOST_CALLS}.", "Divide it.")


def run_tests(payload: Payload, tools: Tools, ragas: Ragas | None = None) -> dict[str, Any]:
    """The reply to a query, by `ragas` if given. A complete test is scored even when another lacks something.

    A failed test has the score null and its reason in the details, and so has one whose answer is a failed generation.
    Raises `AllFailed` if every test failed.
    """
    lacking = missing(payload)
    complete = [name for name, lacks in lacking.items() if not lacks]
    reason = failed_generation(payload.answer) if payload.answer else None
    reasons = {"undefined": f"{FAILED_GENERATION}: {reason}"}
    results = {name: Result(None, reasons) for name in complete if reason and "answer" in TESTS[name].needs}
    complete = [name for name in complete if name not in results]
    read = payload.model_copy(update={"answer": unwrapped(payload.answer or "")[0]})
    workspace = Workspace(read, tools)
    for names in [complete] if ragas and complete else [[name] for name in complete]:
        try:
            ours = {} if ragas else {name: TESTS[name].compute(read, workspace) for name in names}
            results |= ragas.results(payload, names) if ragas else ours
        except TraceError as error:
            results |= {name: Result(None, {"error": str(error)}) for name in names}
    errors = [str(result.details["error"]) for result in results.values() if "error" in result.details]
    if errors and len(errors) == sum(name in TESTS for name in lacking):
        raise AllFailed(errors[0])
    return {
        "provided_parameters": payload.model_dump(),
        "tests": payload.tests,
        "missing": lacking,
        "evaluation_scores": {name: result.score for name, result in results.items()},
        "details": {name: result.details for name, result in results.items()} | _reasons(payload, lacking),
    } | ({"usage": workspace.usage} if workspace.usage else {})


def _reasons(payload: Payload, lacking: dict[str, bool | list[str]]) -> dict[str, Any]:
    """Why a test was not run although its name and its relevant ids were given."""
    ids = [context.id for context in payload.contexts]
    unmatched = (
        f"No context is called {', '.join(payload.unmatched[:5])}. The contexts came without ids, so their ids are "
        f"their positions: {', '.join(ids[:5])}{', …' if len(ids) > 5 else ''}."
    )
    reasons: dict[str, Any] = {}
    for name, lacks in lacking.items():
        if name not in TESTS:
            near, known = nearest_test(name), ", ".join(TESTS)
            reason = f"There is no such test. {f'The nearest is {near}.' if near else f'The tests are {known}.'}"
            reasons[name] = {"error": reason}
        elif isinstance(lacks, list) and "relevant_context_ids" in lacks and payload.unmatched:
            reasons[name] = {"error": unmatched}
    return reasons
