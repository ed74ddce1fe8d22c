"""Tables with a row for each retrieved document, and tables that only look like them."""

import csv
import json

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


RANKED = "rank,question,passage,score,answer"


def test_passages_of_a_question_may_be_apart_in_a_file_that_is_sorted_by_rank(tmp_path):
    rows = [("1", ASKED, A, 9.5, SAID), ("1", OTHER, C, 8, SAID_TOO), ("2", ASKED, B, 7, SAID)]
    assert read(tmp_path, RANKED, *rows) == WHOLE


def test_the_rank_orders_passages_that_are_apart(tmp_path):
    rows = [("2", ASKED, B, 7, SAID), ("1", OTHER, C, 8, SAID_TOO), ("1", ASKED, A, 9.5, SAID)]
    assert read(tmp_path, RANKED, *rows) == WHOLE


def test_the_first_rows_of_a_sorted_file_may_all_be_of_different_questions(tmp_path):
    asked = [f"What is in drawer {n}?" for n in range(70)]
    rows = [(place, q, f"Drawer of '{q}', part {place}.", "", f"See {q}") for place in (1, 2) for q in asked]
    found = read(tmp_path, RANKED, *rows)
    assert [(q, len(passages)) for q, passages, _ in found] == [(q, 2) for q in asked]


def test_two_systems_keep_their_passages_where_these_are_apart(tmp_path):
    rows = [("q1", s, n, ASKED, f"{s} found text {n}.", f"{s} says so.") for n in (1, 2) for s in ("bm", "dense")]
    found = read(tmp_path, "qid,system,rank,question,passage,answer", *rows)
    assert found == [(ASKED, [f"{s} found text {n}." for n in (1, 2)], f"{s} says so.") for s in ("bm", "dense")]


def test_a_question_that_was_asked_again_is_a_row_of_its_own(tmp_path):
    once = [("q1", ASKED, A, SAID), ("q2", OTHER, C, SAID_TOO), ("q1", ASKED, B, SAID)]
    found = read(tmp_path, "qid,question,passage,answer", *once, *once)
    assert found == [*WHOLE, *WHOLE]


def test_answers_that_differ_keep_rows_apart_that_have_others_between_them(tmp_path):
    rows = [("1", ASKED, A, 9.5, SAID), ("1", OTHER, C, 8, SAID_TOO), ("2", ASKED, B, 7, "At ten.")]
    assert len(read(tmp_path, RANKED, *rows)) == 3


def test_a_passage_far_below_the_others_of_its_question_is_an_error(tmp_path):
    rows = [(f"q{n}", f"What is in drawer {n}?", f"Part {k} of it.", "A pen.") for n in range(60) for k in (1, 2)]
    path = tmp_path / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = [("qid", "question", "passage", "answer"), *rows, ("q0", "What is in drawer 0?", "Part 3.", "A pen.")]
        csv.writer(file).writerows(rows)
    found = read_dataset(path, name="rows.csv")
    assert (len(found.items), [error.row for error in found.errors]) == (60, [121])
    assert "not next to each other. Sort the file by question." in str(found.errors[0])


def test_a_row_that_is_a_list_stays_an_error_beside_passages(tmp_path):
    path = tmp_path / "rows.jsonl"
    made = [{"qid": "q1", "question": ASKED, "passage": text, "answer": SAID} for text in (A, B)]
    path.write_text("\n".join(map(json.dumps, [made[0], [{"a": 1}], made[1]])), encoding="utf-8")
    found = read_dataset(path, name="rows.jsonl")
    assert [str(error) for error in found.errors] == ["rows.jsonl, row 2: An object was expected."]


def test_an_answer_that_only_the_first_rank_has_joins_passages_that_are_apart(tmp_path):
    rows = [("1", ASKED, A, 9, SAID), ("1", OTHER, C, 8, SAID_TOO), ("2", ASKED, B, 5, "")]
    assert read(tmp_path, RANKED, *rows) == WHOLE


def test_a_score_that_falls_within_each_question_joins_its_passages(tmp_path):
    rows = [(ASKED, A, 0.9, SAID), (OTHER, C, 0.8, SAID_TOO), (ASKED, B, 0.7, SAID), (OTHER, B, 0.6, SAID_TOO)]
    found = read(tmp_path, "question,passage,score,answer", *rows)
    assert found == [WHOLE[0], (OTHER, [C, B], SAID_TOO)]
    rows[2:] = [(ASKED, B, 0.95, SAID), rows[3]]
    assert len(read(tmp_path, "question,passage,score,answer", *rows)) == 4


def test_the_number_in_a_retrievers_name_counts_no_passages(tmp_path):
    assert read(tmp_path, "question,bm25_context,dense_context,answer", (ASKED, A, B, SAID)) == [(ASKED, None, SAID)]
