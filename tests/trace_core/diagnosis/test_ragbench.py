"""No two things said of one record contradict one another: over RAGBench's rows, where they are."""

from pathlib import Path

import pytest

from trace_core.datasets import read_rows, to_record, unique_ids
from trace_core.diagnosis.diagnose import DIAGNOSES, examine
from trace_core.diagnosis.verdict import verdict
from trace_core.metrics import CONVENTIONS, score

ROWS = sorted((Path(__file__).resolve().parents[4] / "shared" / "data" / "ragbench").glob("*.jsonl"))

FAULTS = {
    "hallucination", "contradiction", "empty_answer", "good_retrieval_poor_generation", "low_context_relevance",
    "low_context_utilization", "conservative", "low_completeness", "balanced_but_low", "hallucination_risk", "refusal",
}  # fmt: skip
BLAMES_THE_GENERATOR = {
    "conservative", "low_completeness", "low_context_utilization", "good_retrieval_poor_generation"
}  # fmt: skip
CONTRADICT = [
    *(("healthy", fault) for fault in FAULTS),
    *((diagnosis, "healthy") for diagnosis in DIAGNOSES if diagnosis != "healthy"),
    *((diagnosis, fault) for diagnosis in ("empty", "unlabeled") for fault in FAULTS - {"empty_answer"}),
    *((diagnosis, "empty_answer") for diagnosis in DIAGNOSES if diagnosis != "empty"),
    *(("nothing_relevant", fault) for fault in BLAMES_THE_GENERATOR),
    *(("refused", fault) for fault in (*BLAMES_THE_GENERATOR, "hallucination", "contradiction", "hallucination_risk")),
    *((d, "refusal") for d in ("contradicted", "unsupported", "incomplete", "noise")),
    *((d, f) for d in ("incomplete", "noise") for f in ("hallucination", "contradiction")),
    *((d, "conservative") for d in ("contradicted", "unsupported")),
    *(("noise", fault) for fault in BLAMES_THE_GENERATOR),
    ("unsupported", "contradiction"),
]
"""A diagnosis and a finding that cannot both be true of one record."""
CANNOT_BOTH_FIRE = [
    ("conservative", "hallucination"), ("healthy", "hallucination"), ("healthy", "low_completeness"),
    ("good_retrieval_poor_generation", "low_context_relevance"), ("refusal", "conservative"),
    ("hallucination_risk", "low_context_utilization"), ("hallucination_risk", "good_retrieval_poor_generation"),
]  # fmt: skip


@pytest.mark.skipif(not ROWS, reason="RAGBench's rows are not beside the repository")
def test_nothing_that_is_said_of_a_row_contradicts_anything_else(pytestconfig):
    step, seen = 1 if pytestconfig.getoption("long") else 3, 0
    for file in ROWS:
        rows, _ = read_rows(file, labels=True)
        for row, record_id in list(zip(rows, unique_ids(rows), strict=True))[::step]:
            record = to_record(row, record_id)
            seen += 1
            for convention in CONVENTIONS:
                scores = score(record.labels, record.sentences(), convention)
                found, said = examine(record, scores), verdict(record, scores)
                names = {finding.name for finding in found.findings}
                where = (file.name, record_id, convention, said.text)
                assert said.diagnosis == found.diagnosis.name, where
                assert not [f for d, f in CONTRADICT if d == said.diagnosis and f in names], where
                assert not [pair for pair in CANNOT_BOTH_FIRE if set(pair) <= names], where
                assert ("Not grounded" in said.text) <= (scores.adherence != 1), where
                assert said.text.startswith("Grounded") <= (scores.adherence == 1), where
                assert (said.tone == "good") <= (said.diagnosis == "healthy"), where
    assert seen > 0
