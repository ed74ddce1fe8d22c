"""Files as people's tools write them: read as they are meant, or refused; never read as something else."""

import anyones_files
import pytest
from case_groups import in_groups

IN_PART = {
    "phoenix-hallucination.jsonl",
    "promptfoo_results_again.json",
    "trulens_records_and_feedback.csv",
    "test_autoescuela.tsv",
}
"""Files that do not say what a column is: it is left out."""


@pytest.mark.parametrize("names", in_groups(anyones_files.CASES))
def test_files_are_read_as_they_are_meant(tmp_path, names):
    outcomes = {name: anyones_files.outcome(name, tmp_path) for name in names}
    wanted = {name: "part" if name in IN_PART else "right" for name in names}
    assert {name: said for name, (grade, said) in outcomes.items() if grade != wanted[name]} == {}
