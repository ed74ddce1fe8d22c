"""Files as people's tools write them: read as they are meant, or refused; never read as something else."""

import anyones_files
import pytest

IN_PART = {
    "phoenix-hallucination.jsonl",
    "promptfoo_results_again.json",
    "trulens_records_and_feedback.csv",
    "test_autoescuela.tsv",
}
"""Files that do not say what a column is: it is left out."""


@pytest.mark.parametrize("name", anyones_files.CASES)
def test_a_file_is_read_as_it_is_meant(tmp_path, name):
    grade, said = anyones_files.outcome(name, tmp_path)
    assert grade == ("part" if name in IN_PART else "right"), said
