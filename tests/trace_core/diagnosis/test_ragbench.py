"""No two things said of one record contradict one another: over RAGBench's rows, where they are."""

from pathlib import Path

import pytest

from trace_core.datasets import read_whole
from trace_core.diagnosis.faults import FAULTS
from trace_core.diagnosis.verdict import examine
from trace_core.metrics import CONVENTIONS, score
from trace_core.runs.files.row_records import to_record, unique_ids

ROWS = sorted((Path(__file__).resolve().parents[4] / "shared" / "data" / "ragbench").glob("*.jsonl"))

ALARMS = {name for name, fault in FAULTS.items() if fault.severity > 1}
CONTRADICT = [
    *(("healthy", fault) for fault in ALARMS),
    *((diagnosis, fault) for diagnosis in ("empty", "unlabeled", "declined", "refused") for fault in ALARMS),
    ("nothing_relevant", "incomplete"),
    ("nothing_relevant", "noise"),
    ("unsupported", "contradicted"),
    *((diagnosis, fault) for diagnosis in ("incomplete", "noise") for fault in ("unsupported", "contradicted")),
    *((diagnosis, "healthy") for diagnosis in ALARMS),
]
"""A diagnosis and another finding that cannot both be true of one record."""


@pytest.mark.skipif(not ROWS, reason="RAGBench's rows are not beside the repository")
def test_nothing_that_is_said_of_a_row_contradicts_anything_else(pytestconfig):
    step, seen = 1 if pytestconfig.getoption("long") else 10, 0
    for file in ROWS:
        rows = read_whole(file, labels=True).items
        for row, record_id in list(zip(rows, unique_ids(rows), strict=True))[::step]:
            record = to_record(row, record_id)
            seen += 1
            for convention in CONVENTIONS:
                scores = score(record.labels, record.sentences(), convention)
                said, findings = examine(record, scores)
                names = {finding.name for finding in findings}
                where = (file.name, record_id, convention, said.text)
                others = names - {said.name}
                assert not [f for d, f in CONTRADICT if d == said.name and f in others], where
                assert (said.name == "healthy") <= (scores.adherence == 1), where
                assert (said.tone == "good") <= (said.name == "healthy"), where
    assert seen > 0
