"""The engine `ragas`: refused with what to do where it is not there; its own classes where it is."""

import json
import os

import pytest
import requests
from judge_server import completion, judge_server
from trace_server import served

from trace_core.endpoint import TESTS
from trace_core.endpoint.examples import CAPITAL

PYTHON = os.environ.get("TRACE_RAGAS_PYTHON")
QUERY = {**CAPITAL, "tests": list(TESTS), "answer": "Paris is it.", "extra": {"engine": "ragas"}}


def ask(url, **changes):
    return requests.post(url, json={"query": json.dumps({**QUERY, **changes})}, timeout=120)


@pytest.mark.parametrize(
    ("name", "said"),
    [(None, "pip install -r requirements-ragas.txt"), ("python", "TRACE_RAGAS_PYTHON names no file")],
    ids=["without the setting", "an interpreter that is not there"],
)
def test_where_it_cannot_be_asked_it_is_400_with_what_to_do(tmp_path, name, said):
    with served(TRACE_RAGAS_PYTHON=name and tmp_path / name) as url:
        reply = ask(url)
    assert (reply.status_code, said in reply.json()["detail"]) == (400, True)


RATINGS = iter([4, 2])


def judge(asked):
    """What Ragas' prompts ask for, told apart by the fields of the input at their end."""
    given = asked.body["messages"][-1]["content"].rpartition("input: ")[2]
    if '"user_answer"' in given:
        return completion({"rating": next(RATINGS)})
    if '"statements"' in given:
        said = [{"statement": str(i), "reason": "…", "verdict": int(i < 3)} for i in range(4)]
        return completion({"statements": said})
    if '"context"' in given:
        return completion({"reason": "…", "verdict": int("Paris is the capital" in given)})
    if '"response"' in given:
        return completion({"question": CAPITAL["question"], "noncommittal": 0})
    return completion({"statements": ["1", "2", "3", "4"]})


@pytest.mark.skipif(PYTHON is None, reason="TRACE_RAGAS_PYTHON names no interpreter with requirements-ragas.txt")
def test_all_six_by_ragas_own_classes():
    with (
        judge_server(judge) as server,
        served(TRACE_RAGAS_PYTHON=PYTHON, OPENAI_API_KEY="sk-1", OPENAI_BASE_URL=server.url) as url,
    ):
        reply = ask(url)
    assert reply.status_code == 200
    scores = reply.json()["evaluation_scores"]
    assert scores == {
        "answer_accuracy": 3 / 4,  # (4 + 2) / 2 / 4
        "context_recall": 1,
        "context_precision": 1 / 2,
        "faithfulness": 3 / 4,
        "answer_relevancy": pytest.approx(1),
        "context_utilisation": pytest.approx(1),  # the useful context stands first
    }
    assert server.calls == 9  # 2 ratings, statements, verdicts, 3 questions, 2 contexts
    assert reply.json()["details"]["faithfulness"]["method"].startswith("ragas 0.4")
