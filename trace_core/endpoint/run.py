"""Run a payload's tests: list what is missing, score what is complete, give the reason for failures."""

from typing import Any

from trace_core.endpoint.named_tests import TESTS, Result, Tools, Workspace
from trace_core.endpoint.names import nearest_test
from trace_core.endpoint.payload import Payload, TooMuch
from trace_core.endpoint.ragas import Ragas
from trace_core.errors import TraceError
from trace_core.facts.failed_generation import FAILED_GENERATION, failed_generation
from trace_core.facts.wrappers import strip_wrappers


class NoScore(TraceError):
    """Every test that exists was complete and failed."""


def run_tests(payload: Payload, tools: Tools, ragas: Ragas | None = None) -> dict[str, Any]:
    """The reply to a query, by `ragas` if given. A complete test is scored even when another lacks something. A test
    that fails has the score null and its reason in the details, and so has one whose answer is a failed generation.
    Raises `NoScore` if every test failed, `TooMuch` where there was too much to label."""
    missing = {
        name: [need for need in TESTS[name].needs if payload.lacks(need)] if name in TESTS else ["unsupported_test"]
        for name in payload.tests
    }
    complete = [name for name, lacks in missing.items() if not lacks]
    reason = failed_generation(payload.answer) if payload.answer else None
    reasons = {"undefined": f"{FAILED_GENERATION}: {reason}"}
    results = {name: Result(None, reasons) for name in complete if reason and "answer" in TESTS[name].needs}
    complete = [name for name in complete if name not in results]
    content = payload.model_copy(update={"answer": strip_wrappers(payload.answer or "")[0]})
    workspace = Workspace(content, tools)
    too_much: TooMuch | None = None
    for names in [complete] if ragas and complete else [[name] for name in complete]:
        try:
            results |= (
                ragas.results(payload, names) if ragas else {n: TESTS[n].compute(content, workspace) for n in names}
            )
        except TraceError as error:
            results |= {name: Result(None, {"error": str(error)}) for name in names}
            too_much = error if isinstance(error, TooMuch) else too_much
    errors = [str(result.details["error"]) for result in results.values() if "error" in result.details]
    if errors and len(errors) == sum(name in TESTS for name in missing):
        raise too_much or NoScore(errors[0])
    return {
        "provided_parameters": payload.model_dump(),
        "tests": payload.tests,
        "missing": {name: lacks or False for name, lacks in missing.items()},
        "evaluation_scores": {name: result.score for name, result in results.items()},
        "details": {name: result.details for name, result in results.items()} | _reasons(payload, missing),
    }


def _reasons(payload: Payload, missing: dict[str, list[str]]) -> dict[str, Any]:
    """Why a test was not run although its name and its relevant ids were given."""
    ids = [context.id for context in payload.contexts]
    reasons: dict[str, Any] = {}
    for name, lacks in missing.items():
        if name not in TESTS:
            near = nearest_test(name)
            hint = f"The nearest is {near}." if near else f"The tests are {', '.join(TESTS)}."
            reasons[name] = {"error": f"There is no such test. {hint}"}
        elif "relevant_context_ids" in lacks and payload.unknown_ids:
            error = f"No context is called {', '.join(payload.unknown_ids[:5])}. The contexts came without ids, so "
            error += f"their ids are their positions: {', '.join(ids[:5])}{', …' if len(ids) > 5 else ''}."
            reasons[name] = {"error": error}
    return reasons
