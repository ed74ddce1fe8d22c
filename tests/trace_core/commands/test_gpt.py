"""The commands with a language model as judge, as a person runs them: against a local server."""

import json

import pytest
from judge_server import MODEL, completion, decided, judge_server, refused
from run_examples import in_lines, supported


@pytest.fixture
def run(tmp_path, judged):
    texts = {"documents": ["One is red. Two."], "response": "One."}
    rows = [{"id": str(n), "question": f"{n}?", **texts} for n in range(6)]
    in_lines(tmp_path / "rows.jsonl", rows)
    return judged


def labels(asked):
    return completion(supported(key for key, _ in asked.material["response"]))


def printed(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_label_writes_the_rows_in_order_and_a_second_run_makes_no_call(run):
    with judge_server(labels) as server:
        first = run(server, "label", "rows.jsonl", "--labeler", "gpt")
        again = run(server, "label", "rows.jsonl")
        assert server.calls == 6
    assert (first.returncode, again.returncode) == (0, 0)
    assert [row["id"] for row in printed(first)] == ["0", "1", "2", "3", "4", "5"]
    assert first.stdout == again.stdout
    assert {row["relevance_score"] for row in printed(first)} == {1 / 2}
    assert all(row["annotating_model_name"].startswith(f"{MODEL} / trace-1 / ") for row in printed(first))


def test_decisions_are_chosen_by_name_and_write_what_they_lead_one_to_expect(run):
    choice = {"type": "choice", "choice": "0a", "confidence": 0.9}
    choice |= {"probabilities": [{"value": "0a", "probability": 0.9}, {"value": "none", "probability": 0.1}]}
    helps = [{"type": "predicate", "probability": p} for p in (0.8, 0.2)]
    with judge_server(lambda asked: decided(*helps, choice)) as server:
        done = run(server, "label", "rows.jsonl", "--labeler", "decisions")
        assert server.calls == 6
    assert done.returncode == 0
    first = printed(done)[0]
    assert (first["relevance_score"], first["adherence_score"]) == (1 / 2, True)
    assert (first["expected_context_relevance"], first["expected_adherence"]) == (0.5, 0.9)
    assert first["annotating_model_name"].startswith("gpt-6-luna / decisions-1 / ")


def test_rows_that_cannot_be_labeled_keep_their_place_with_nulls_and_an_error(run):
    with judge_server(lambda asked: refused(401) if asked.number == 2 else labels(asked)) as server:
        done = run(server, "label", "rows.jsonl", "--labeler", "gpt", TRACE_CONCURRENCY="1")
    assert (done.returncode, [row["id"] for row in printed(done)]) == (1, ["0", "1", "2", "3", "4", "5"])
    (failed,) = [row for row in printed(done) if "error" in row]
    assert "does not accept the key" in failed["error"]
    assert [failed[f"{name}_score"] for name in ("relevance", "utilization", "completeness", "adherence")] == [None] * 4


@pytest.fixture
def prices(tmp_path):
    """Each call of the judge costs money."""
    folder = tmp_path / "data"
    folder.mkdir()
    known = {"models": {MODEL: {"input": 1000, "output": 1000}}}
    (folder / "prices.json").write_text(json.dumps(known), encoding="utf-8")


@pytest.mark.usefixtures("prices")
def test_the_budget_of_a_resumed_run_counts(run):
    with judge_server(labels) as server:
        first = run(server, "run", "rows.jsonl", "--labeler", "gpt", "--budget", "1.5", TRACE_CONCURRENCY="1")
        made = json.loads(first.stdout)
        assert made["counts"]["pending"] > 0
        calls = server.calls
        run(server, "run", "--resume", made["run"]["id"])
        assert server.calls == calls
        done = run(server, "run", "--resume", made["run"]["id"], "--budget", "500")
    shown = json.loads(done.stdout)
    assert (done.returncode, shown["counts"]["scored"]) == (0, 6), done.stderr
    assert shown["run"]["config"]["budget"] == 500


@pytest.mark.usefixtures("prices")
def test_a_budget_stops_the_calls_and_keeps_every_row(run):
    with judge_server(labels) as server:
        done = run(server, "label", "rows.jsonl", "--labeler", "gpt", "--budget", "1.5", TRACE_CONCURRENCY="1")
        assert 0 < server.calls < 6
        assert len([row for row in printed(done) if "error" not in row]) == server.calls
    assert done.returncode == 1
    assert len(printed(done)) == 6
    assert "The budget of 1.5 does not allow another call" in printed(done)[-1]["error"]


def test_ask_answers_and_judges_with_the_model(run):
    def reply(asked):
        return labels(asked) if "response" in asked.material else completion("It holds water [0].")

    with judge_server(reply) as server:
        done = run(server, "ask", "--collection", "espresso-manual", "How much water?", "--labeler", "gpt", "--json")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    assert record["labels"]["labeler"] == "gpt"
    assert record["response"]["generator"] == MODEL
    assert record["usage"]["calls"] == 2


def test_map_auto_takes_and_says_what_the_judge_proposes_and_keeps_it(judged, tmp_path):
    (tmp_path / "odd.csv").write_text("Wir fragten,Fundstelle,Der Bot\nHow?,One is red.,One.\n", encoding="utf-8")
    headings = {"question": "Wir fragten", "documents": "Fundstelle", "response": "Der Bot"}
    proposal = {"choices": [{"field": field, "column": column} for field, column in headings.items()]}

    with judge_server(lambda asked: completion(proposal)) as server:
        first = judged(server, "label", "odd.csv", "--labeler", "local", "--map", "auto")
        again = judged(server, "label", "odd.csv", "--labeler", "local")
        assert server.calls == 1
    assert "The judge proposes: --map 'question=Wir fragten' --map 'documents=Fundstelle'" in first.stderr
    assert [row["response"] for row in (*printed(first), *printed(again))] == ["One.", "One."]
