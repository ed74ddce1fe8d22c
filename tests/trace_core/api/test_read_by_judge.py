"""Prose over HTTP, read by a judge that replies as a model would; and the budget that its calls share."""

import requests
from judge_server import completion, judge_server
from trace_server import served

NOTHING = {"tests": [], "question": "", "contexts": [], "answer": "", "ground_truth": [], "relevant_context_ids": []}
ROME = {"tests": ["answer_accuracy"], "answer": "Rom", "ground_truth": ["Rom"]}
TWO = [{"id": "d1", "text": "Nine."}, {"id": "d2", "text": "Ten."}]

# Each: a message, what a model makes of it, the scores.
READ = [
    ("Stimmt die Antwort „Rom“? Richtig wäre „Rom“. Nur Genauigkeit.", ROME, {"answer_accuracy": 1}),
    ("The answer was Paris. Sorry, I meant Rom. Accuracy against Rom, please.", ROME, {"answer_accuracy": 1}),
    (
        'd1 says "Nine." and d2 says "Ten."; I needed d2 and d5. Recall?',
        {"tests": ["context_recall"], "contexts": TWO, "relevant_context_ids": ["d2", "d5"]},
        {"context_recall": 1 / 2},
    ),
    (
        'Not recall but precision: got d1 ("Nine.") and d2 ("Ten."), d2 was right.',
        {"tests": ["context_precision"], "contexts": TWO, "relevant_context_ids": ["d2"]},
        {"context_precision": 1 / 2},
    ),
]


def server(judge, folder, **more):
    return served(OPENAI_API_KEY="sk-1", OPENAI_BASE_URL=judge.url, TRACE_DATA_DIR=folder, **more)


def ask(url, query):
    return requests.post(url, json={"query": query}, timeout=60)


def test_prose_is_scored_as_the_judge_reads_it(tmp_path):
    replies = {message: completion(NOTHING | found) for message, found, _ in READ}
    with judge_server(lambda asked: replies[asked.material["query"]]) as judge, server(judge, tmp_path) as url:
        for message, _, scores in READ:
            reply = ask(url, message)
            assert reply.headers["x-trace-parsed-by"] == "judge"
            assert reply.json()["evaluation_scores"] == scores


def test_an_invented_text_or_id_is_refused(tmp_path):
    message, found, _ = READ[2]
    for invented in ({"answer": "At ten."}, {"relevant_context_ids": ["d9"]}, {"tests": ["bleu"]}):
        with (
            judge_server(lambda asked, made=invented: completion(NOTHING | found | made)) as judge,
            server(judge, tmp_path / next(iter(invented))) as url,
        ):
            reply = ask(url, message)
        assert reply.status_code == 400
        assert "It gave a text that the query does not hold" in reply.json()["detail"]


def test_the_budget_counts_over_requests(tmp_path):
    message, found, _ = READ[2]
    with (
        judge_server(lambda asked: completion(NOTHING | found)) as judge,
        server(judge, tmp_path, TRACE_BUDGET=0.003) as url,
    ):
        replies = [ask(url, f"{message} ({i})") for i in range(20)]
        paid = sum(reply.status_code == 200 for reply in replies)
        assert [reply.status_code for reply in replies] == [200] * paid + [400] * (20 - paid)
        assert 0 < paid == judge.calls < 20
        assert "TRACE_BUDGET" in replies[-1].json()["detail"]
