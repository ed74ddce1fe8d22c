"""Tables with a row for each retrieved document, and tables that only look like them."""

import csv

import pytest

from trace_core.datasets import read_dataset

ASKED, OTHER = "When does the ferry leave?", "Is there a café?"
A, B, C = "The ferry leaves at nine.", "It returns at noon.", "There is a café on deck two."
SAID, SAID_TOO = "At nine.", "Yes, on deck two."


def read(tmp_path, header, *rows):
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header.split(","), *rows])
    found = read_dataset(path, name="rows.csv")
    return [(row.question, row.documents, row.response) for row in found.items]


WHOLE = [(ASKED, [A, B], SAID), (OTHER, [C], SAID_TOO)]
APART = [(ASKED, [A], SAID), (ASKED, [B], SAID), (OTHER, [C], SAID_TOO)]


@pytest.mark.parametrize("places", [("[1]", "[2]", "[1]"), ("0", "1", "0"), ("#1", "#2", "#1"), ("1.", "2.", "1.")])
def test_a_column_that_counts_the_passages_joins_them(tmp_path, places):
    rows = [(ASKED, places[0], A, SAID), (ASKED, places[1], B, ""), (OTHER, places[2], C, SAID_TOO)]
    assert read(tmp_path, "question,chunk_no,chunk,generated_answer", *rows) == WHOLE


def test_rows_that_repeat_the_question_without_its_answer_add_a_passage(tmp_path):
    rows = [(ASKED, A, SAID), (ASKED, B, ""), (OTHER, C, SAID_TOO)]
    assert read(tmp_path, "question,passage,answer", *rows) == WHOLE


def test_a_label_of_each_passage_keeps_no_rows_apart(tmp_path):
    rows = [("1", ASKED, A, "1", SAID), ("1", ASKED, B, "0", SAID), ("2", OTHER, C, "1", SAID_TOO)]
    assert read(tmp_path, "qid,question,passage,is_relevant,answer", *rows) == WHOLE


def test_the_k_of_top_k_counts(tmp_path):
    rows = [(ASKED, "1", A, SAID), (ASKED, "2", B, SAID), (OTHER, "1", C, SAID_TOO)]
    assert read(tmp_path, "question,k,passage,answer", *rows) == WHOLE


@pytest.mark.parametrize("answer", ["", SAID])
def test_rows_of_one_id_that_differ_in_the_passage_alone_are_one(tmp_path, answer):
    rows = [("q1", ASKED, "9f", A, 0.9, answer), ("q1", ASKED, "3c", B, 0.8, answer), ("q2", OTHER, "77", C, 0.7, "")]
    found = read(tmp_path, "query_id,query,doc_id,passage,score,answer", *rows)
    assert found == [(ASKED, [A, B], answer or None), (OTHER, [C], None)]


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("question,passage,answer", [(ASKED, A, SAID), (ASKED, B, SAID), (OTHER, C, SAID_TOO)]),
        ("qid,question,passage,setup,answer",
         [("1", ASKED, A, "bm25", SAID), ("1", ASKED, B, "dense", SAID), ("2", OTHER, C, "bm25", SAID_TOO)]),
        ("qid,question,passage,faithfulness_score,answer",
         [("1", ASKED, A, "1", SAID), ("1", ASKED, B, "0", SAID), ("2", OTHER, C, "1", SAID_TOO)]),
        ("id,question,chunk_id,chunk,answer",
         [("1", ASKED, "17", A, SAID), ("2", ASKED, "4", B, SAID), ("3", OTHER, "9", C, SAID_TOO)]),
    ],
)  # fmt: skip
def test_rows_that_may_be_runs_of_their_own_stay_rows(tmp_path, header, rows):
    assert read(tmp_path, header, *rows) == APART


def test_two_answers_are_never_joined(tmp_path):
    rows = [("1", ASKED, A, SAID), ("1", ASKED, B, "At ten."), ("2", OTHER, C, SAID_TOO)]
    assert [row[2] for row in read(tmp_path, "qid,question,passage,answer", *rows)] == [SAID, "At ten.", SAID_TOO]


def test_runs_of_one_question_are_told_apart(tmp_path):
    rows = [("1", ASKED, "bm25", A), ("1", ASKED, "bm25", B), ("1", ASKED, "dense", B), ("1", ASKED, "dense", C)]
    assert read(tmp_path, "qid,question,retriever,passage", *rows) == [(ASKED, [A, B], None), (ASKED, [B, C], None)]


def test_a_column_that_may_name_files_holds_texts_where_all_are_sentences(tmp_path):
    rows = [(ASKED, A, SAID), ("", B, ""), (OTHER, C, SAID_TOO)]
    assert read(tmp_path, "Question,Source text,Answer", *rows) == WHOLE
