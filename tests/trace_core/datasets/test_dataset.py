"""Data sets in every layout, and what a run still has to do for a row."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

from trace_core.datasets import preview, read_dataset, read_items, scores_record
from trace_core.datasets.hub import ragbench
from trace_core.errors import InputError

ROOT = Path(__file__).parents[3]
RAGAS = {
    "user_input": "How much?",
    "retrieved_contexts": ["It holds 1.8 litres."],
    "response": "1.8 litres.",
    "reference": "1.8",
}
GOLDEN = {"question": "How much?", "expected_documents": ["manual"], "reference_answer": "1.8", "category": "fact"}
FOUR = {"context_relevance": 0.8, "context_utilization": 0.75, "completeness": 0.5, "adherence": 1.0}


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_ragas_rows_are_read(tmp_path):
    (item,) = read_dataset(lines(tmp_path / "r.jsonl", [RAGAS])).items
    assert (item.question, item.documents, item.response) == ("How much?", ["It holds 1.8 litres."], "1.8 litres.")
    assert (item.reference_answer, item.kind) == ("1.8", "label")


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_ragas_rows_are_the_same_in_every_format(tmp_path, ending):
    path = tmp_path / f"r.{ending}"
    if ending == "csv":
        pd.DataFrame([RAGAS | {"retrieved_contexts": json.dumps(RAGAS["retrieved_contexts"])}]).to_csv(
            path, index=False
        )
    elif ending == "parquet":
        pd.DataFrame([RAGAS]).to_parquet(path)
    else:
        path.write_text(json.dumps([RAGAS]), encoding="utf-8")
    expected = read_dataset(lines(tmp_path / "e.jsonl", [RAGAS])).items
    assert read_dataset(path).items == expected


def test_golden_questions_are_read(tmp_path):
    found = read_dataset(lines(tmp_path / "g.jsonl", [GOLDEN, {"question": "And?", "expected_documents": []}]))
    assert found.mapping.layout == "golden questions"
    assert [item.kind for item in found.items] == ["ask", "ask"]
    assert (found.items[0].expected_documents, found.items[0].category) == (["manual"], "fact")


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"question": "?"}, "ask"),
        ({"question": "?", "documents": ["D."]}, "answer"),
        ({"question": "?", "documents": ["D."], "response": "R."}, "label"),
        ({"question": "?", "documents": ["D."], "response": "R.", "all_relevant_sentence_keys": []}, "labeled"),
        ({"metrics": FOUR}, "scores"),
    ],
)
def test_a_row_says_what_a_run_still_has_to_do(tmp_path, row, kind):
    found = read_dataset(lines(tmp_path / "r.jsonl", [row]))
    assert found.kinds == {kind: 1}


def test_scores_with_ground_truth_are_read_under_the_convention_that_is_given(tmp_path):
    path = lines(tmp_path / "s.jsonl", [{"metrics": FOUR, "ground_truth_scores": FOUR | {"completeness": None}}])
    (item,) = read_dataset(path).items
    record = scores_record(item, "1", "graded")
    assert record.scores.average == pytest.approx(3.05 / 4)
    assert (record.scores.convention, record.ground_truth.convention) == ("graded", "graded")
    assert record.ground_truth.scores["completeness"] is None


def test_a_score_that_is_missing_is_undefined_and_leaves_no_average(tmp_path):
    (item,) = read_dataset(lines(tmp_path / "s.jsonl", [{"metrics": {"adherence": 1}}])).items
    scores = scores_record(item, "1", "trace").scores
    assert (scores.adherence, scores.completeness, scores.average) == (1, None, None)
    assert scores.undefined["completeness"] == "not given"


@pytest.mark.parametrize(
    ("row", "field", "said"),
    [
        ({"documents": ["D."]}, "question", "question was expected"),
        ({"question": "  "}, "question", "question was expected"),
        ({"user_input": "?", "retrieved_contexts": [1.5, {"a": 1}]}, "retrieved_contexts.1", "string"),
        ({"metrics": {"adherence": 1.5}}, "metrics.adherence", "outside 0 to 1"),
        ({"metrics": {"adherence": "high"}}, "metrics.adherence", "number"),
        ({"metrics": {"other": 1}}, "metrics", "None of the four"),
        ({"question": "x" * 2_000_001}, "question", "2,000,001 characters"),
    ],
)
def test_a_bad_row_is_named_as_the_file_names_it_and_the_good_ones_stay(tmp_path, row, field, said):
    good = dict.fromkeys(row) | ({"metrics": FOUR} if "metrics" in row else {"question": "?"})
    if "user_input" in row:
        good = RAGAS
    found = read_dataset(lines(tmp_path / "r.jsonl", [good, row]), name="mine.jsonl")
    (error,) = found.errors
    assert (error.file, error.row, error.field, len(found.items)) == ("mine.jsonl", 2, field, 1)
    assert said in str(error)


def test_a_preview_reads_the_first_rows_alone(tmp_path):
    path = lines(tmp_path / "r.jsonl", [{"question": f"{n}?"} for n in range(100)])
    assert [item.question for item in preview(path).items] == [f"{n}?" for n in range(20)]


def test_rows_come_one_after_another(tmp_path):
    path = lines(tmp_path / "r.jsonl", [{"question": "?"}, 7])
    items = read_items(path)
    assert next(items).question == "?"
    assert isinstance(next(items), InputError)


def test_a_changed_mapping_is_applied(tmp_path):
    path = lines(tmp_path / "r.jsonl", [{"q": "?", "question": "not this"}])
    mapping = preview(path).mapping.changed({"question": "q"})
    assert read_dataset(path, mapping=mapping).items[0].question == "?"


def test_a_run_is_no_data_set(tmp_path):
    (tmp_path / "run.json").write_text('{"schema": "trace-run/1"}')
    with pytest.raises(InputError, match="trace_core import"):
        read_dataset(tmp_path / "run.json")


# InspectorRAGet

DOCUMENTS = [{"document_id": "d", "text": "D.", "title": "T"}]
OLD = {
    "models": [{"model_id": "m", "name": "Model"}],
    "documents": DOCUMENTS,
    "tasks": [
        {
            "task_id": "t",
            "input": [{"speaker": "user", "text": "?"}],
            "contexts": [{"document_id": "d"}],
            "targets": [{"text": "A."}],
        }
    ],
    "evaluations": [
        {"task_id": "t", "model_id": "m", "model_response": "R.", "annotations": {"f": {"system": {"value": 1}}}}
    ],
}
NEW = {
    "schema_version": 2,
    "models": [{"model_id": "m", "name": "Model"}],
    "documents": DOCUMENTS,
    "tasks": [
        {
            "task_id": "t",
            "input": [{"role": "user", "content": "?"}],
            "contexts": [{"document_id": "d"}],
            "targets": [{"type": "text", "value": "A."}],
        }
    ],
    "results": [{"task_id": "t", "model_id": "m", "output": [{"role": "assistant", "content": "R."}]}],
}


@pytest.mark.parametrize("whole", [OLD, NEW], ids=["evaluations", "results"])
def test_both_layouts_of_inspectorraget_are_read(tmp_path, whole):
    path = tmp_path / "i.json"
    path.write_text(json.dumps(whole))
    (item,) = read_dataset(path).items
    assert (item.id, item.question, item.documents, item.response) == ("t", "?", ["D."], "R.")
    assert (item.document_ids, item.document_titles) == (["d"], ["T"])
    assert (item.reference_answer, item.generation_model_name) == ("A.", "Model")


def test_a_task_without_an_answer_is_answered_by_the_run(tmp_path):
    path = tmp_path / "i.json"
    path.write_text(json.dumps(OLD | {"evaluations": []}))
    assert read_dataset(path).kinds == {"answer": 1}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"evaluations": [{"task_id": "none"}]}, "task_id"),
        ({"documents": []}, "contexts"),
        ({"tasks": [{"task_id": "t", "input": 7}]}, "input"),
    ],
)
def test_what_an_inspectorraget_file_names_and_lacks_is_a_bad_row(tmp_path, change, field):
    path = tmp_path / "i.json"
    path.write_text(json.dumps(OLD | change))
    error = read_dataset(path).errors[0]
    assert (error.row, error.field) == (1, field)


# RAGBench by name


@pytest.mark.parametrize("name", [("nonsense", "test"), ("covidqa", "nonsense")])
def test_a_subset_that_ragbench_lacks_is_refused_with_those_it_has(name):
    with pytest.raises(InputError, match="It has"):
        ragbench(*name)


def test_without_the_library_or_the_hub_the_message_says_what_to_do():
    """In a process that may not reach the hub; which message comes depends on what is installed."""
    code = "from trace_core.datasets.hub import ragbench; ragbench('covidqa')"
    kept = os.environ | {
        "HF_HUB_OFFLINE": "1",
        "HF_DATASETS_OFFLINE": "1",
        "HF_HOME": "/nonexistent",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run([sys.executable, "-c", code], env=kept, capture_output=True, text=True, check=False)
    message = done.stderr.strip().splitlines()[-1]
    assert message.startswith("trace_core.errors.InputError: ")
    assert "pip install datasets" in message or "Check the connection" in message
    assert "read them from disk" in message


def test_a_cause_is_said_once_with_the_rows_that_have_it(tmp_path):
    found = read_dataset(lines(tmp_path / "r.jsonl", [{"question": ""}, {"question": "Why?"}, {"question": ""}]))
    assert found.causes == {"question: A question was expected. Say which column holds it.": [1, 3]}


def test_without_a_question_column_that_alone_is_said(tmp_path):
    found = read_dataset(lines(tmp_path / "r.jsonl", [{"x": "Blue."}, {"x": "Red."}]))
    assert found.causes == {"Choose the question column.": [1, 2]}


def test_rows_that_repeat_word_for_word_are_told_apart_from_others(tmp_path):
    rows = [{"question": "Why?"}, {"question": "How?"}, {"question": "Why?"}, {"question": "Why?", "response": "So."}]
    found = read_dataset(lines(tmp_path / "r.jsonl", rows))
    assert [(item.question, item.response) for item in found.distinct] == [
        ("Why?", None),
        ("How?", None),
        ("Why?", "So."),
    ]


def test_the_first_rows_are_kept_as_they_came(tmp_path):
    rows = [{"question": f"Why {n}?", "more": {"n": n}} for n in range(5)]
    found = read_dataset(lines(tmp_path / "r.jsonl", rows))
    assert found.sample == rows[:3]
    assert len(found.items) == 5


def test_rows_in_another_language_are_said_with_what_to_set(tmp_path):
    german = {"question": "Wie groß ist der Tank?", "documents": ["Der Tank fasst zwei Liter und ist aus dem Glas."]}
    found = read_dataset(lines(tmp_path / "r.jsonl", [german, GOLDEN]))
    assert found.foreign == 1
    said = "\n".join(found.said())
    assert "1 of the first 2 rows are not in English." in said
    assert "TRACE_EMBEDDING_MODEL" in said


def test_of_several_turns_the_last_is_the_row_and_the_earlier_ones_are_kept(tmp_path):
    def turn(asked, said):
        return {"prompt": {"content": [{"text": asked}]}, "output": {"text": said}}

    turns = [turn("How high is it?", "4,806 metres."), turn("And where?", "In the Alps.")]
    (item,) = read_dataset(lines(tmp_path / "turns.jsonl", [{"conversationTurns": turns}])).items
    assert (item.question, item.response) == ("And where?", "In the Alps.")
    assert [(one.role, one.text) for one in item.turns] == [
        ("user", "How high is it?"),
        ("assistant", "4,806 metres."),
    ]


@pytest.mark.parametrize("turns", [[], [1], [{"prompt": 1, "output": [], "referenceResponses": 2}], "x"])
def test_turns_that_say_nothing_are_a_row_without_a_question(tmp_path, turns):
    found = read_dataset(lines(tmp_path / "turns.jsonl", [{"conversationTurns": turns}]))
    assert (found.items, [error.field for error in found.errors]) == ([], ["question"])


def test_passages_without_names_are_documents_without_titles(tmp_path):
    found = {"retrievalResults": [{"content": {"text": "It is so."}}, {"content": {"text": "Or not."}, "name": "b"}]}
    turn = {"prompt": {"content": [{"text": "Why?"}]}, "output": {"text": "So.", "retrievedPassages": found}}
    (item,) = read_dataset(lines(tmp_path / "turns.jsonl", [{"conversationTurns": [turn]}])).items
    assert item.documents == ["It is so.", "Or not."]


def test_a_second_list_of_rows_is_not_read_and_that_is_said(tmp_path):
    path = tmp_path / "two.json"
    path.write_text(json.dumps({"data": [{"question": "Why?"}], "more": [{"question": "How?"}], "about": [{"n": 1}]}))
    found = read_dataset(path)
    assert [item.question for item in found.items] == ["Why?"]
    (error,) = found.errors
    assert "The list 'more' has rows, too, which are not read." in str(error)


def test_a_list_that_was_cut_when_it_was_printed_is_an_error(tmp_path):
    path = tmp_path / "cut.csv"
    path.write_text("question,contexts\nWhy?,\"['It is so.', 'And so.', ...]\"\nHow?,\"['It is so.']\"\n")
    found = read_dataset(path)
    assert [item.question for item in found.items] == ["How?"]
    (error,) = found.errors
    assert (error.row, error.field) == (1, "contexts")
    assert "This list was cut off when it was written." in str(error)
