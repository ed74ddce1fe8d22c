"""Tables drawn with bars and dashes, in files of text."""

import pytest

from trace_core.datasets import read_dataset
from trace_core.errors import InputError

MARKDOWN = """# Check of 3 May

Some notes with | a bar.

| Question | Context | Answer |
|:---|---|---:|
| What is the limit? | It is 3 bar. | 3 bar \\| 45 psi |
| Who may open it?   | Trained staff. | Staff&nbsp;only |

That is all.
"""
BARE = "Question | Context | Answer\n--- | --- | ---\nWhat is the limit? | It is 3 bar. | 3 bar\n"
PSQL = """ id |      question      |   context    | answer
----+--------------------+--------------+--------
  1 | What is the limit? | It is 3 bar. | 3 bar
(1 row)
"""
MYSQL = """+----+--------------------+--------------+--------+
| id | question           | context      | answer |
+----+--------------------+--------------+--------+
|  1 | What is the limit? | It is 3 bar. | 3 bar  |
+----+--------------------+--------------+--------+
1 row in set (0.00 sec)
"""


def read(tmp_path, text, name="notes.md"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    found = read_dataset(path, name=name)
    return [(row.question, row.documents, row.response) for row in found.items], [str(error) for error in found.errors]


def test_a_table_is_read_from_the_text_around_it(tmp_path):
    assert read(tmp_path, MARKDOWN)[0] == [
        ("What is the limit?", ["It is 3 bar."], "3 bar | 45 psi"),
        ("Who may open it?", ["Trained staff."], "Staff\xa0only"),
    ]


@pytest.mark.parametrize("text", [BARE, PSQL, MYSQL])
@pytest.mark.parametrize("name", ["notes.md", "notes.txt", "notes.csv"])
def test_borders_are_no_rows(tmp_path, text, name):
    assert read(tmp_path, text, name) == ([("What is the limit?", ["It is 3 bar."], "3 bar")], [])


def test_tables_with_the_same_columns_are_one(tmp_path):
    assert len(read(tmp_path, MARKDOWN + "\n## Second day\n\n" + MARKDOWN)[0]) == 4


def test_another_table_with_questions_is_named_and_one_without_is_not(tmp_path):
    other, none = BARE.replace("Answer", "Bot said"), "| Step | Time |\n|---|---|\n| 1 | 2 |\n\n"
    rows, errors = read(tmp_path, none + MARKDOWN + "\n" + other)
    assert len(rows) == 2
    assert len(errors) == 1
    assert "Bot said" in errors[0]


def test_a_row_with_too_many_cells_is_bad(tmp_path):
    rows, errors = read(tmp_path, BARE + "Why? | Because. | It is. | 4\nWhy not? | No. | No.\n")
    assert len(rows) == 2
    assert "row 2: 4 cells where the header has 3" in errors[0]


@pytest.mark.parametrize("text", ["", "# Notes\n\nNothing | here.\n", "a | b\nc | d\n"])
def test_markdown_without_a_table_is_refused(tmp_path, text):
    with pytest.raises(InputError, match="no table in it"):
        read(tmp_path, text)


@pytest.mark.parametrize("title", ["## Contexts\n\n", ""])
def test_tables_that_name_the_same_ids_are_one(tmp_path, title):
    asked = "| No | Question |\n|---|---|\n| 1 | Where is it? |\n| 2 | How big is it? |\n\n"
    ranked = "| 1 | 2 | It is blue. |\n| 1 | 1 | It is here. |\n| 2 | 1 | It is big. |\n\n"
    found = f"| No | Rank | Text |\n|---|---|---|\n{ranked}"
    said = "| No | Answer |\n|---|---|\n| 1 | Here. |\n| 2 | Big. |\n"
    rows = [("Where is it?", ["It is here.", "It is blue."], "Here."), ("How big is it?", ["It is big."], "Big.")]
    assert read(tmp_path, asked + title + found + title + said) == (rows, [])
