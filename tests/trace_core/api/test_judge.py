"""With a judge behind an OpenAI-compatible server: who is asked, how often, and what its failure costs."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from judge_server import Answer, completion, judge_server, refused
from run_examples import supported
from trace_server import reply_to, served
from waiting import until

from trace_core.endpoint import TESTS
from trace_core.endpoint.examples import CAPITAL

QUERY = {**CAPITAL, "tests": list(TESTS), "answer": "It is Paris.", "ground_truth": ["Lyon", "The city of Paris"]}
CONTEXTS = [{"id": "north", "text": "Oslo is cold."}, {"id": "south", "text": "Rome is warm."}]
READ = {"tests": ["context_recall"], "contexts": CONTEXTS, "relevant_context_ids": ["south"]}
READ |= {"question": "", "answer": "", "ground_truth": []}
IN_WORDS = 'I have "Oslo is cold." (north) and "Rome is warm." (south), and wanted south. How is my context recall?'


def sensible(asked):
    """A judge that rates the second truth, and answers each kind of question."""
    if "rating" in asked.fields:
        good = "Paris" in asked.material["ground_truth"]
        return completion({"explanation": "…", "rating": 3 if good else 0})
    if "evades" in asked.fields:
        asks = ["What is the capital of France?", "Which city is the capital of France?"]
        return completion({"explanation": "…", "evades": False, "questions": asks})
    return completion(READ if "tests" in asked.fields else supported("a"))


def judged_by(judge, folder, **more):
    """A server that asks this judge."""
    return served(OPENAI_API_KEY="sk-1", OPENAI_BASE_URL=judge.url, TRACE_LABELER="gpt", TRACE_DATA_DIR=folder, **more)


@pytest.fixture
def judged(tmp_path):
    """Ask a server whose judge replies as `reply` does; gives the reply and the judge."""

    def judged(reply, query):
        with judge_server(reply) as judge, judged_by(judge, tmp_path) as url:
            return reply_to(url, query), judge

    return judged


def test_one_labeling_and_one_call_for_each_rating_and_for_the_questions(judged):
    reply, judge = judged(sensible, QUERY)
    assert reply.status_code == 200
    assert judge.calls == 4  # labels, two ratings, questions
    scores = reply.json()["evaluation_scores"]
    assert scores["answer_accuracy"] == 3 / 4
    assert scores["faithfulness"] == 1
    assert scores["context_utilisation"] == 6 / 10
    assert (scores["context_recall"], scores["context_precision"]) == (1, 1 / 2)
    assert 0.9 < scores["answer_relevancy"] <= 1
    details = reply.json()["details"]
    assert details["answer_accuracy"]["best_ground_truth"] == "The city of Paris"
    assert details["answer_relevancy"]["method"] == "generated_questions"
    assert details["faithfulness"]["labeler"] == "gpt"


def test_a_judge_that_fails_costs_only_the_tests_that_need_it(judged):
    reply, _ = judged(lambda asked: refused(401, "bad key"), QUERY)
    assert reply.status_code == 200
    body, by_judge = reply.json(), "answer_accuracy faithfulness answer_relevancy context_utilisation".split()
    assert [name for name, score in body["evaluation_scores"].items() if score is None] == by_judge
    assert body["evaluation_scores"]["context_recall"] == 1
    assert all(body["details"][name]["error"] for name, score in body["evaluation_scores"].items() if score is None)
    assert "sk-1" not in reply.text


def test_a_judge_that_fails_where_every_test_needs_it_is_503(judged):
    reply, _ = judged(lambda asked: refused(401, "bad key"), {**QUERY, "tests": ["faithfulness", "answer_relevancy"]})
    assert reply.status_code == 503
    assert int(reply.headers["retry-after"]) > 0
    assert "No test could be computed" in reply.json()["detail"]


def test_free_words_are_read_by_the_judge(judged):
    reply, judge = judged(sensible, IN_WORDS)
    assert reply.status_code == 200
    assert reply.headers["x-trace-parsed-by"] == "judge"
    assert reply.json()["provided_parameters"]["contexts"] == READ["contexts"]
    assert reply.json()["evaluation_scores"] == {"context_recall": 1}
    assert judge.calls == 1


def test_a_text_that_the_judge_made_up_is_not_taken_for_the_callers(judged):
    for invented in ({"answer": "Madrid"}, {"relevant_context_ids": ["west"]}, {"tests": ["bleu"]}):
        reply, _ = judged(lambda asked, invented=invented: completion(READ | invented), IN_WORDS)
        assert reply.status_code == 400
        assert "It returned a text that is not in the query" in reply.json()["detail"]


def test_the_budget_counts_over_requests(tmp_path):
    with judge_server(sensible) as judge, judged_by(judge, tmp_path, TRACE_BUDGET=0.003) as url:
        replies = [reply_to(url, f"{IN_WORDS} ({i})") for i in range(20)]
        paid = sum(reply.status_code == 200 for reply in replies)
        assert [reply.status_code for reply in replies] == [200] * paid + [400] * (20 - paid)
        assert 0 < paid == judge.calls < 20
        assert "TRACE_BUDGET" in replies[-1].json()["detail"]


def test_without_a_key_the_judge_is_refused_with_what_to_do(ask):
    reply = ask({**QUERY, "extra": {"labeler": "gpt"}})
    assert reply.status_code == 400
    assert "OPENAI_API_KEY" in reply.json()["detail"]


# A judge that never comes to its end


def drips(asked):
    """A byte a tenth of a second: a minute and more for a reply."""
    return Answer(sensible(asked).body, drip=0.1)


def test_a_judge_without_end_costs_only_the_tests_that_need_it(tmp_path):
    with judge_server(drips) as judge, judged_by(judge, tmp_path, seconds=2) as url:
        start = time.monotonic()
        reply = reply_to(url, QUERY)
        assert time.monotonic() - start < 40  # the judge would drip for minutes
    assert reply.status_code == 200
    assert reply.json()["evaluation_scores"]["context_recall"] == 1
    assert reply.json()["evaluation_scores"]["faithfulness"] is None
    assert reply.json()["details"]["faithfulness"]["error"]


def test_whoever_needs_no_judge_is_answered_while_others_wait_for_one(tmp_path):
    counting = {**QUERY, "tests": ["context_recall", "context_precision"]}
    with judge_server(drips) as judge, judged_by(judge, tmp_path, seconds=4) as url, ThreadPoolExecutor(20) as pool:
        waiting = [pool.submit(reply_to, url, QUERY) for _ in range(20)]
        until(lambda: judge.calls)  # the first request of its kind goes alone, and the others wait for it
        for query in (counting, "Tests: context recall\nContexts: [a] One.\nRelevant ids: a"):
            assert reply_to(url, query).status_code == 200
        assert not any(one.done() and one.result().status_code == 200 for one in waiting)
        judge.hung_up.set()
