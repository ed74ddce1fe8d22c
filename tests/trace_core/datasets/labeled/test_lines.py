"""Texts of labeled lines: a row for each question, and files that cannot be told apart."""

import pytest

from trace_core.datasets import read_dataset
from trace_core.errors import InputError

ASKED, OTHER = "When does it open?", "Is it free?"
A, B, C = "It opens at nine.", "On Sundays it opens at ten.", "Entry costs two euros."
SAID, SAID_TOO = "At nine.", "No, two euros."
WHOLE = [(ASKED, [A, B], SAID, None), (OTHER, [C], SAID_TOO, None)]
TEXTS = {
    "plain": f"Question: {ASKED}\nContext 1: {A}\nContext 2: {B}\nAnswer: {SAID}\n\n"
    f"Question: {OTHER}\nContext 1: {C}\nAnswer: {SAID_TOO}\n",
    "numbers": f"Q1: {ASKED}\nDocument 1: {A}\nDocument 2: {B}\nA1: {SAID}\n"
    f"Q2: {OTHER}\nDocument 1: {C}\nA2: {SAID_TOO}",
    "label repeated": f"Q: {ASKED}\nPassage: {A}\nPassage: {B}\nA: {SAID}\nQ: {OTHER}\nPassage: {C}\nA: {SAID_TOO}",
    "bold": f"**Question:** {ASKED}\n**Passages:**\n\n- {A}\n- {B}\n\n**Answer:** {SAID}\n\n***\n\n"
    f"**Question:** {OTHER}\n**Passages:**\n\n- {C}\n\n**Answer:** {SAID_TOO}\n",
    "bold before the colon": f"- **Question**: {ASKED}\n- **Passages**: {A}\n{B}\n- **Answer**: {SAID}\n\n"
    f"- **Question**: {OTHER}\n- **Passages**: {C}\n- **Answer**: {SAID_TOO}\n",
    "headings": f"# Test\n\n## Question 1\n\n{ASKED}\n\n### Passages\n\n{A}\n\n{B}\n\n### Answer\n\n{SAID}\n\n"
    f"## Question 2\n\n{OTHER}\n\n### Passages\n\n{C}\n\n### Answer\n\n{SAID_TOO}\n",
    "something first": f"Run by: Ann\nModel: M-2\n\nID: 1\nQuestion: {ASKED}\nPassages: {A}\n{B}\nAnswer: {SAID}\n\n"
    f"ID: 2\nQuestion: {OTHER}\nPassages: {C}\nAnswer: {SAID_TOO}\n",
    "dashes between passages": f"Question: {ASKED}\nContext:\n{A}\n---\n{B}\nAnswer: {SAID}\n=====\n"
    f"Question: {OTHER}\nContext: {C}\nAnswer: {SAID_TOO}\n",
    "passages last": f"Question: {ASKED}\nAnswer: {SAID}\nPassages: {A}\n\n{B}\n\n"
    f"Question: {OTHER}\nAnswer: {SAID_TOO}\nPassages: {C}\n",
    "counted": f"Test no. 1\n\nQuestion: {ASKED}\nPassages:\n- {A}\n- {B}\nAnswer: {SAID}\n-----\n\n"
    f"Test no. 2\n\nQuestion: {OTHER}\nPassages:\n- {C}\nAnswer: {SAID_TOO}\n-----\n",
    "labels in quotes": f"Question: {ASKED}\nPassages:\n> Source 1: {A}\n>\n> Source 2: {B}\nAnswer: {SAID}\n\n"
    f"Question: {OTHER}\nPassages:\n> Source 1: {C}\nAnswer: {SAID_TOO}\n",
    "notes between and below": f"## Test 1\nQuestion: {ASKED}\nPassages: {A}\n{B}\nAnswer: {SAID}\nVerdict: pass\n\n"
    f"## So far\nIt is slow.\n\n## Test 2\nQuestion: {OTHER}\nPassages: {C}\nAnswer: {SAID_TOO}\nVerdict: fail\n\n"
    "## Open\n- ask Ann\n",
    "German": f"Frage: {ASKED}\nTextstelle 1: {A}\nTextstelle 2: {B}\nAntwort: {SAID}\n\n"
    f"Frage: {OTHER}\nTextstelle 1: {C}\nAntwort: {SAID_TOO}",
}


def read(tmp_path, text, suffix):
    path = tmp_path / f"rows{suffix}"
    path.write_text(text, encoding="utf-8")
    return read_dataset(path, name=path.name)


def parts(found):
    return [(row.question, row.documents, row.response, row.reference_answer) for row in found.items]


@pytest.mark.parametrize("suffix", [".txt", ".md"])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_labels_tell_the_parts_of_each_row(tmp_path, text, suffix):
    assert parts(read(tmp_path, text, suffix)) == WHOLE


def test_a_label_without_text_is_no_answer(tmp_path):
    found = read(tmp_path, f"Q: {ASKED}\nContext: {A}\nA:\nGold: 9\n\nQ: {OTHER}\nContext: {C}\nA: {SAID}\n", ".txt")
    assert parts(found) == [(ASKED, [A], None, "9"), (OTHER, [C], SAID, None)]


def test_a_label_that_comes_once_is_part_of_the_text(tmp_path):
    text = f"{A}\nNote: bring a coin."
    found = read(tmp_path, f"Q: {ASKED}\nContext: {text}\nA: {SAID}\nQ: {OTHER}\nContext: {C}\nA: {SAID}\n", ".txt")
    assert [row.documents for row in found.items] == [[text], [C]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"Q: {ASKED}\nA: {SAID}\n\nQ: {OTHER}\nA: {SAID_TOO}\n\nWritten by Ann.", "has no label of its own"),
        (f"Q: {ASKED}\nA: {SAID}\n\nQ: {OTHER}\nA: {SAID_TOO}\nA: Yes.", "'A' is there twice"),
    ],
)
def test_a_row_that_cannot_be_told_apart_is_an_error(tmp_path, text, said):
    found = read(tmp_path, text, ".txt")
    assert parts(found) == [(ASKED, None, SAID, None)]
    assert [error.row for error in found.errors] == [2]
    assert said in str(found.errors[0])


@pytest.mark.parametrize(
    "text",
    [
        f"Q: {ASKED} A: {SAID}\nQ: {OTHER} A: {SAID_TOO}\n",
        f"Q: {ASKED}\nA: {SAID}\n",
        f"Question: {ASKED}\nQuery: {ASKED}\nAnswer: {SAID}\nQuestion: {OTHER}\nQuery: {OTHER}\nAnswer: {SAID}\n",
        f"Minutes of 4 May\n\nAnn: The question is whether it opens.\nTom: {SAID}\n",
    ],
)
@pytest.mark.parametrize("suffix", [".txt", ".md"])
def test_lines_whose_labels_tell_no_questions_are_refused(tmp_path, text, suffix):
    with pytest.raises(InputError) as refused:
        _whole(read(tmp_path, text, suffix))
    assert refused.value.hint


def test_a_text_below_the_last_answer_may_be_of_it(tmp_path):
    row = f"## Test {{}}\nQuestion: {ASKED}\nPassages: {A}\nAnswer: {SAID}\n\n"
    found = read(tmp_path, f"{row.format(1)}{row.format(2)}## Open\n- ask Ann\n", ".md")
    assert len(found.items) == 1
    assert "has no label of its own" in str(found.errors[0])


def _whole(found):
    """Raises the first error of a data set without rows."""
    assert not found.items
    raise found.errors[0]


def test_a_table_in_text_comes_first(tmp_path):
    text = (
        f"Question: see below\nAnswer: below\nQuestion: see\n\n| Question | Answer |\n|--|--|\n| {ASKED} | {SAID} |\n"
    )
    assert parts(read(tmp_path, text, ".md")) == [(ASKED, None, SAID, None)]
