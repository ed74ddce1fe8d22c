"""Lines of totals below a table are no questions, wherever in the line they begin."""

import pytest

from trace_core.datasets import read_dataset

HEADER = "No,Question,Context,Answer,Score\n"
ROW = "1,When does it open?,It opens at nine.,At nine.,5\n"


def read(tmp_path, text):
    path = tmp_path / "rows.csv"
    path.write_text(text, encoding="utf-8")
    found = read_dataset(path, name="rows.csv")
    return len(found.items), [error.message for error in found.errors]


WORDS = ["Average", "Średnia", "Průměr:", "Medelvärde", "Toplam", "Итого", "平均", "Durchschnitt"]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("line", ["{},,,,5\n", ",{},,,5\n", ",,,,{}\n"], ids=["first", "a question", "last"])
def test_a_line_of_totals_is_named_as_such(tmp_path, word, line):
    assert read(tmp_path, f"{HEADER}{ROW},,,,\n{line.format(word)}") == (1, ["This is a line of totals."])


@pytest.mark.parametrize("line", ["2,Average,,,\n", ",Average,It is five.,Five.,\n"], ids=["a number", "an answer"])
def test_a_question_may_be_of_such_a_word(tmp_path, line):
    assert read(tmp_path, HEADER + ROW + line) == (2, [])
