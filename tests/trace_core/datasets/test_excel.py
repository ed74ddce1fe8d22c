"""Excel workbooks: which sheet is read, where its table begins, and what is said of the others."""

import pytest

from trace_core.datasets import read_dataset

openpyxl = pytest.importorskip("openpyxl")

HEADER = ("Question", "Passage 1", "Answer")
ROW = ("Where is the key?", "The key hangs behind the door.", "Behind the door.")
OTHER = ("When is lunch?", "Lunch is at noon.", "At noon.")


def read(tmp_path, **sheets):
    """The questions, and the reasons of what is left out."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "rows.xlsx")
    found = read_dataset(tmp_path / "rows.xlsx", name="rows.xlsx")
    return [item.question for item in found.items], [str(error) for error in found.errors]


def test_the_first_sheet_is_read(tmp_path):
    assert read(tmp_path, Cases=[HEADER, ROW]) == (["Where is the key?"], [])


def test_a_title_above_the_table_is_passed_over(tmp_path):
    rows = [("Test cases of May", None, None), (None, None, None), HEADER, ROW]
    assert read(tmp_path, Cases=rows) == (["Where is the key?"], [])


def test_a_sheet_without_questions_is_passed_over(tmp_path):
    summary = [("Run 14", None), ("Metric", "Value"), ("Questions", 4), ("Correct", 0.75)]
    assert read(tmp_path, Summary=summary, Cases=[HEADER, ROW]) == (["Where is the key?"], [])


def test_a_second_sheet_with_questions_is_not_read_and_that_is_said(tmp_path):
    questions, reasons = read(tmp_path, May=[HEADER, ROW], June=[HEADER, OTHER])
    assert questions == ["Where is the key?"]
    (reason,) = reasons
    assert "The sheet 'June' has rows, too, which are not read." in reason
    assert "Save it as a file of its own." in reason


def test_an_empty_second_table_is_nothing_to_say(tmp_path):
    assert read(tmp_path, May=[HEADER, ROW], Template=[HEADER]) == (["Where is the key?"], [])


def test_without_any_question_the_first_sheet_with_something_in_it_is_read(tmp_path):
    questions, reasons = read(tmp_path, Empty=[], First=[("a", "b"), ("1", "2")])
    assert questions == []
    assert "A question was expected." in reasons[0]


ASKED = [
    ("No", "Question", "Right answer"),
    (1, "Where is the key?", "Behind the door."),
    (2, "When is lunch?", "Noon."),
]
FOUND = [
    ("No", "Rank", "Text"),
    (1, 2, "The door is blue."),
    (1, 1, "The key hangs there."),
    (2, 1, "Lunch is at noon."),
]
SAID = [("No", "Bot answer"), (2, "At noon."), (1, "On the wall.")]


@pytest.mark.parametrize("titles", [("Questions", "Contexts", "Answers"), ("Sheet1", "Sheet2", "Sheet3")])
def test_sheets_that_name_the_same_ids_are_one_table(tmp_path, titles):
    assert read(tmp_path, **dict(zip(titles, (ASKED, FOUND, SAID), strict=True)))[1] == []
    first, second = read_dataset(tmp_path / "rows.xlsx").items
    assert (first.documents, first.response) == (["The key hangs there.", "The door is blue."], "On the wall.")
    assert (second.documents, second.response) == (["Lunch is at noon."], "At noon.")


def test_an_answer_to_no_question_is_named(tmp_path):
    questions, reasons = read(tmp_path, Questions=ASKED, Answers=[*SAID, (3, "Nobody asked.")])
    assert len(questions) == 2
    assert "'3' of Answers is no question's." in reasons[0]


def test_a_sheet_about_the_rows_takes_nothing_from_them(tmp_path):
    ratings = [("No", "Rater", "Bot answer"), (1, "Ada", "good"), (2, "Bo", "bad")]
    cases = [(*ASKED[0], "Bot answer"), (*ASKED[1], "On the wall."), (*ASKED[2], "At noon.")]
    read(tmp_path, Cases=cases, Ratings=ratings, Notes=[("No", "Note", "Note"), (1, "a", "b")])
    assert [item.response for item in read_dataset(tmp_path / "rows.xlsx").items] == ["On the wall.", "At noon."]
