"""A thousand records and a judge that fails at random: nothing is lost, and nothing missing counts as 0."""

import random
from collections import Counter

from judge_server import MODEL, Answer, completion, judge_server, refused

from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Document, Record, Response
from trace_core.labeling import GptLabeler
from trace_core.llm import Llm
from trace_core.metrics import METRICS
from trace_core.pipeline import label_all
from trace_core.summary.aggregation import aggregate, count_columns
from trace_core.summary.columns import columns_of

COUNT, FAULTY, WORKERS = 1000, 300, 8
FAULTS = {
    "refused": completion(None, refusal="No."),
    "filtered": completion("", finish="content_filter"),
    "prose": completion("All fine."),
    "html": Answer("<html>"),
    "empty": Answer(""),
    "denied": refused(403),
    "cut": completion('{"relevance_explanation": "0a", "all_relevant_sentence_keys": ["0a"'),
}
PARTIAL = {
    "relevance_explanation": "0a.", "all_relevant_sentence_keys": ["0a"],
    "sentence_support_information": [{"response_sentence_key": "a", "fully_supported": True}],
}  # fmt: skip
FULL = PARTIAL | {"all_utilized_sentence_keys": ["0a"]}


def record(n):
    return Record(
        id=str(n), question=f"Question {n}?", documents=[Document(id="d", rank=1, text="One is red.")],
        response=Response(text="One is red."),
    )  # fmt: skip


def test_three_hundred_faulty_replies_of_a_thousand_cost_no_record_and_no_mean():
    chosen = random.Random(7).sample(range(COUNT), FAULTY)
    kinds = [*FAULTS, "partial"]
    fate = {n: kinds[i % len(kinds)] for i, n in enumerate(chosen)}

    def reply(asked):
        kind = fate.get(int(asked.material["question"].split()[1][:-1]))
        return completion(FULL) if kind is None else FAULTS.get(kind) or completion(PARTIAL)

    with judge_server(reply) as server:
        llm = Llm(MODEL, "sk-test-0123456789", base_url=server.url, shown=server.url)
        labeled = [rescore(r, "ragbench") for r in label_all(map(record, range(COUNT)), GptLabeler(llm), WORKERS)]
        llm.close()
        most = max(Counter(asked.material["question"] for asked in server.asked).values())
    assert [r.id for r in labeled] == [str(n) for n in range(COUNT)]
    assert most <= 3
    partial = sum(kind == "partial" for kind in fate.values())
    check_each(labeled, fate)
    check_run(labeled, partial)


def check_each(labeled, fate):
    for n, found in enumerate(labeled):
        values = {name: getattr(found.scores, name) for name in METRICS}
        if fate.get(n) is None:
            assert values == dict.fromkeys(METRICS, 1)
        elif fate[n] == "partial":
            assert values == {
                "context_relevance": 1, "context_utilization": None, "completeness": None, "adherence": 1,
            }  # fmt: skip
        else:
            assert values == dict.fromkeys(METRICS)
            assert found.error.step == "label"
            assert found.raw_reply is not None


def check_run(labeled, partial):
    counted = count_columns(columns_of(labeled).score("trace", as_stored=True))
    assert counted["total"] == COUNT
    assert counted["failed"] == FAULTY - partial
    summary = aggregate(labeled)["metrics"]
    for name, scored in (
        ("context_relevance", COUNT - FAULTY + partial), ("context_utilization", COUNT - FAULTY),
        ("completeness", COUNT - FAULTY), ("adherence", COUNT - FAULTY + partial),
    ):  # fmt: skip
        assert summary[name]["mean"] == 1  # one counted as 0 would lower it
        assert summary[name]["scored"] == scored
        assert summary[name]["failed"] == FAULTY - partial
        assert summary[name]["scored"] + summary[name]["undefined"] + summary[name]["failed"] == COUNT
