"""A judge that says what RAGBench's judge said scores as RAGBench's labels do; all rows: `bench/judge_replay.py`."""

import pytest
from replaying import FOLDER, replay

FIRST = 60
ABSENT = pytest.param(None, marks=pytest.mark.skip(reason=f"RAGBench's rows are not in {FOLDER}"))


@pytest.mark.parametrize(
    "file", sorted(FOLDER.glob("*.jsonl")) or [ABSENT], ids=lambda file: getattr(file, "stem", "absent")
)
def test_replayed_labels_score_as_the_rows_do_and_each_row_costs_one_call(file):
    replayed = replay(file, FIRST)
    assert replayed.rows == FIRST
    assert replayed.failed == []
    assert replayed.differing == []
    assert replayed.calls == replayed.rows
