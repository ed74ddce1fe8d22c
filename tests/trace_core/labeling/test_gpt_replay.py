"""A judge that says what RAGBench's judge said scores as RAGBench's labels do; all rows: `bench/judge_replay.py`."""

import pytest
from replaying import FOLDER, replay

FIRST = 60
ABSENT = pytest.param(None, marks=pytest.mark.skip(reason=f"RAGBench's rows are not in {FOLDER}"))


@pytest.mark.parametrize(
    "file", sorted(FOLDER.glob("*.jsonl")) or [ABSENT], ids=lambda file: getattr(file, "stem", "absent")
)
def test_replayed_labels_score_as_the_rows_do_and_a_row_costs_one_call_or_two_where_a_sentence_has_no_entry(file):
    replayed = replay(file, FIRST)
    assert replayed.rows == FIRST
    assert replayed.failed == []
    assert replayed.differing == []
    assert FIRST <= replayed.calls <= FIRST + 1  # asked once more for the missing entries of a row
