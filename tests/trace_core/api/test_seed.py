"""The source's examples, request for request."""

import requests

from trace_core.endpoint.examples import CAPITAL


def test_the_first_example(ask):
    """The source prints 0.86 for context_utilisation, and 3 of 10 tokens; six of the ten are used."""
    reply = ask(
        '{ "tests": ["answer_accuracy", "context_recall", "context_utilisation"], "question": '
        '"What is the capital of France?", "contexts": [ {"id": "ctx1", "text": "Paris is the '
        'capital of France."}, {"id": "ctx2", "text": "Lyon is in France."} ], "answer": "Paris", '
        '"ground_truth": "Paris", "relevant_context_ids": ["ctx1"] }'
    )
    assert reply.status_code == 200
    body = reply.json()
    assert list(body) == ["provided_parameters", "tests", "missing", "evaluation_scores", "details"]
    assert body["provided_parameters"] == {**CAPITAL, "extra": {}}
    assert body["tests"] == ["answer_accuracy", "context_recall", "context_utilisation"]
    assert body["missing"] == {"answer_accuracy": False, "context_recall": False, "context_utilisation": False}
    assert body["evaluation_scores"] == {"answer_accuracy": 1, "context_recall": 1, "context_utilisation": 6 / 10}
    counts = {"found_relevant_count": 1, "total_relevant_count": 1}
    assert body["details"]["context_recall"] == {"relevant_context_ids": ["ctx1"], **counts}
    used = body["details"]["context_utilisation"]
    assert (used["overlap_tokens"], used["context_tokens_total"]) == (6, 10)


PRINTED = """{ "query": "{ \\"tests\\": [\\"context_recall\\"], \\"question\\": \\"Who wrote 'Pride and
Prejudice'?\\", \\"contexts\\": [{ \\"id\\": \\"c1\\", \\"text\\": \\"Jane Austen authored Pride and
Prejudice.\\" }], \\"answer\\": \\"Jane Austen\\", \\"ground_truth\\": \\"Jane
Austen\\", \\"relevant_context_ids\\": [\\"c1\\"]}" }"""


def test_the_second_example_with_its_line_breaks_as_printed(url):
    reply = requests.post(url, data=PRINTED, headers={"Content-Type": "application/json"}, timeout=60)
    assert (reply.status_code, reply.headers["x-trace-parsed-by"]) == (200, "json")
    assert reply.json()["evaluation_scores"] == {"context_recall": 1}
    assert reply.json()["details"]["context_recall"]["found_relevant_count"] == 1
    assert reply.json()["provided_parameters"]["ground_truth"] == "Jane\nAusten"
