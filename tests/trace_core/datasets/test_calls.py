"""What the retrievers of an application returned, as the record of its calls has it."""

import pytest

from trace_core.datasets.calls import calls_of, retrieved


def call(rets, *stack):
    frames = [{"path": "app", "method": {"obj": {"cls": {"name": owner}}, "name": name}} for owner, name in stack]
    return {"stack": frames, "rets": rets}


APP, SEARCH, BOTH = ("RAG", "query"), ("RAG", "retrieve"), ("RAG", "retrieve_and_answer")
CHOSEN, CANDIDATES = ["A lion roars."], ["A lion roars.", "A mouse squeaks."]


@pytest.mark.parametrize(
    ("calls", "found"),
    [
        ([call(CHOSEN, APP, SEARCH), call("It roars.", APP)], CHOSEN),
        ([call(CANDIDATES, APP, SEARCH, ("Index", "search")), call(CHOSEN, APP, SEARCH)], CHOSEN),
        ([call(CHOSEN, APP, SEARCH), call(CANDIDATES, APP, SEARCH)], CANDIDATES),
        ([call(CHOSEN, APP, ("VectorStoreRetriever", "invoke"))], CHOSEN),
        ([call("It roars.", BOTH), call(CHOSEN, BOTH, SEARCH)], CHOSEN),
        ([call([], APP, SEARCH)], []),
        ([call(CHOSEN, APP, ("RAG", "split"))], None),
        ([call(CHOSEN)], None),
    ],
)  # fmt: skip
def test_the_outermost_retrievers_count(calls, found):
    assert retrieved(calls_of({"calls": calls})) == found


@pytest.mark.parametrize("record", [None, 3, {}, {"calls": 3}, {"calls": [{"rets": []}]}, [{"text": "A lion roars."}]])
def test_what_is_no_record_has_no_calls(record):
    assert calls_of(record) == []


@pytest.mark.parametrize("stack", [3, [], [3], [{"method": 3}], [{"method": {"obj": {"cls": []}}}]])
def test_a_stack_that_tells_nothing_retrieves_nothing(stack):
    assert retrieved([{"stack": stack, "rets": CHOSEN}]) is None
