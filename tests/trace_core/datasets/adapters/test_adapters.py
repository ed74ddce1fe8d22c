"""A sample file of each tool, written as that version writes it, read without a mapping: its tool and its first row."""

import json
from pathlib import Path

import pytest

from trace_core.datasets import read_dataset
from trace_core.datasets.adapters import ADAPTERS, adapter_of
from trace_core.errors import InputError
from trace_core.runs.files.export import TABLE

SAMPLES = Path(__file__).parent / "samples"
READ = {
    # file: tool, rows, and of the first row question, first document, response, reference answer
    "promptfoo.json": (  # results version 3
        "promptfoo",
        3,
        "How long is the warranty on the Trekker tent?",
        "Trekker tents carry a 3-year warranty on seams and poles.",
        "Three years, for seams and poles.",
        "3 years",
    ),
    "label_studio.json": (  # 1.x
        "Label Studio",
        2,
        "When does the pool open on Sundays?",
        "On Sundays the pool opens at 8 and closes at 18.",
        "It opens at 8.",
        "At eight o'clock.",
    ),
    "argilla.json": (  # 2.x
        "Argilla",
        3,
        "What voltage does the pump need?",
        "The pump runs on 24 V direct current.",
        "The pump needs 24 V DC.",
        "24 volts, direct current",
    ),
    "langfuse_dataset.json": (  # API of 3.x
        "Langfuse data sets",
        2,
        "Where is the form?",
        None,
        None,
        "Page 3",
    ),
    "langsmith.jsonl": (  # API of 2024
        "LangSmith",
        1,
        "Where is the form?",
        None,
        None,
        "Page 3",
    ),
    "haystack.json": (  # 2.x
        "Haystack",
        2,
        "How many beds does the Elm Street clinic have?",
        "The Elm Street clinic has 34 beds on two floors.",
        "It has 34 beds.",
        None,
    ),
    "haystack_evaluation.json": (  # EvaluationRunResult of 2.x
        "Haystack",
        3,
        "Who may sign purchase orders above 5,000 euros?",
        "Purchase orders above 5,000 euros are signed by two directors.",
        "Two directors.",
        "Two directors must sign.",
    ),
    "squad.json": (  # v2.0
        "SQuAD",
        2,
        "In what country is Normandy?",
        "The Normans were the people who gave their name to Normandy, a region in France.",
        None,
        ["France", "in France"],
    ),
    "ragchecker.json": (  # 0.1
        "RAGChecker",
        1,
        "What's the longest river in the world?",
        "The Nile is 6,650 km long.",
        "The longest river in the world is the Nile.",
        "The Nile is a major river.",
    ),
    "inspector_raget.json": (  # schema version 2
        "InspectorRAGet",
        1,
        "When does the pool open?",
        "The pool opens at eight.",
        "It opens at eight.",
        "At eight.",
    ),
    "hugging_face.json": (  # dataset viewer's /rows
        "Hugging Face's dataset server",
        1,
        "How much water?",
        "The tank holds 1.8 litres.",
        "1.8 litres.",
        None,
    ),
    "mlflow_table.json": (  # evaluation table of 2.x
        "pandas and MLflow",
        2,
        "What is MLflow?",
        "MLflow is an open source platform.",
        "A platform for ML.",
        "A platform for the ML lifecycle.",
    ),
    "openai_messages.jsonl": (  # chat completions
        "OpenAI messages",
        2,
        "What is the hotel limit for Zurich?",
        "The hotel limit in Zurich is CHF 260 per night.",
        "The limit is CHF 260 per night.",
        "CHF 260 per night",
    ),
    "azure_conversation.jsonl": (  # azure-ai-evaluation 1.x
        "Azure AI evaluation",
        1,
        "What colour is the emergency exit sign in hall 2?",
        "Emergency exit signs in hall 2 are green with a white arrow.",
        "The sign is green with a white arrow.",
        None,
    ),
    # known by the names of their columns
    "ragas.jsonl": (
        "",
        2,
        "When was the Eiffel Tower finished?",
        "The Eiffel Tower was finished in 1889.",
        "In 1889.",
        "1889",
    ),  # 0.2
    "ragas.csv": (
        "",
        2,
        "When was the Eiffel Tower finished?",
        "The Eiffel Tower was finished in 1889.",
        "In 1889.",
        "1889",
    ),  # to_pandas().to_csv() of 0.2
    "deepeval.json": (
        "",
        2,
        "What if these shoes don't fit?",
        "All customers are eligible for a 30 day full refund at no extra cost.",
        "We offer a 30-day full refund at no extra cost.",
        "You are eligible for a 30 day full refund at no extra cost.",
    ),  # test run of 3.x
    "ares.tsv": ("", 2, "who sings jolene", "Jolene is a song by Dolly Parton.", "Dolly Parton", None),
    "azure.json": (
        "",
        3,
        "What colour is the emergency exit sign in hall 2?",
        "Emergency exit signs in hall 2 are green with a white arrow.",
        "The sign is green with a white arrow.",
        "Green with a white arrow.",
    ),  # azure-ai-evaluation 1.x
    "llamaindex.jsonl": (
        "",
        1,
        "What did the author work on?",
        "Before college I worked on writing and programming.",
        "Writing and programming.",
        None,
    ),
    "langchain.jsonl": (
        "",
        1,
        "What did the president say about Ketanji?",
        "One of our nation's top legal minds.",
        "That she is one of the top legal minds.",
        None,
    ),
    "langsmith_experiment.csv": ("", 2, "Where is the form?", "The form is on page 3.", "On page 3.", "Page 3"),
    "trulens.csv": ("", 1, "What is a neutron star?", None, "A collapsed core of a massive star.", None),  # 1.x
    "mlflow.csv": (
        "",
        1,
        "What is MLflow?",
        "MLflow is an open source platform.",
        "A platform for ML.",
        "An open source platform for the ML lifecycle.",
    ),
    "numpy.csv": ("", 2, "How much water?", "The tank holds 1.8 litres.", "1.8 litres.", None),
}


def test_every_sample_has_its_reading():
    assert {path.name for path in SAMPLES.iterdir()} == set(READ)


@pytest.mark.parametrize("name", READ)
def test_a_sample_is_read_without_a_mapping(name):
    found = read_dataset(SAMPLES / name)
    tool, rows, question, document, response, reference = READ[name]
    first = found.items[0]
    assert (found.mapping.tool, len(found.items), found.errors) == (tool, rows, [])
    assert (first.question, first.response, first.reference_answer) == (question, response, reference)
    assert next(iter(first.documents or []), None) == document


def test_every_adapter_has_a_sample():
    tools = {tool for tool, *_ in READ.values()}
    assert {adapter.name for adapter in ADAPTERS} - tools == {"TRACE"}  # which exports are tested for


@pytest.mark.parametrize(
    ("name", "column", "value"),
    [
        ("label_studio.json", "grounded", "yes"),
        ("argilla.json", "is_faithful", "yes"),
        ("inspector_raget.json", "faithful", "yes"),
    ],
)
def test_what_most_people_said_becomes_ground_truth_by_mapping(name, column, value):
    found = read_dataset(SAMPLES / name, mapping={"adherence_score": f"{column} is {value}"})
    assert found.items[0].adherence_score == 1


def test_people_who_disagree_leave_it_unknown(tmp_path):
    (task,) = json.loads((SAMPLES / "label_studio.json").read_text())[:1]
    other = json.loads(json.dumps(task["annotations"][0]).replace('"yes"', '"no"')) | {"completed_by": 99}
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps([task | {"annotations": [task["annotations"][0], other]}]))
    assert read_dataset(path).items[0].model_extra["grounded"] is None


def said(value, person, status="submitted", time="2026-01-01"):
    return {"value": value, "user_id": person, "status": status, "inserted_at": time}


@pytest.mark.parametrize(
    ("answers", "standing"),
    [
        ([said("no", "a", "discarded"), said("no", "b", "draft"), said("yes", "c")], "yes"),
        ([said("yes", "a", time="2026-02-01"), said("no", "a"), said("no", "a"), said("yes", "b")], "yes"),
        ([said("yes", "a"), said("no", "b")], None),
        ([said("yes", None), said("yes", None), said("no", None)], "yes"),
        ([said("yes", "a", "discarded")], None),
    ],
)
def test_of_argillas_answers_the_latest_submitted_one_of_each_person_counts(tmp_path, answers, standing):
    fields = {"question": "?", "context": "It is so.", "answer": "So."}
    whole = [{"id": n, "fields": fields, "responses": {"grounded": answers}} for n in "ab"]
    older = [{"status": one["status"], "user_id": one["user_id"], "inserted_at": one["inserted_at"]} for one in answers]
    for one, answer in zip(older, answers, strict=True):
        one["values"] = {"grounded": {"value": answer["value"]}}
    whole[1]["responses"] = older  # as Argilla 1 writes them
    path = tmp_path / "records.json"
    path.write_text(json.dumps(whole))
    assert [item.model_extra["grounded"] for item in read_dataset(path).items] == [standing] * 2


@pytest.mark.parametrize(
    "context", ["It is so.", {"citations": [{"id": "a.md", "content": "It is so."}]}, [{"content": "It is so."}]]
)
def test_a_conversation_of_azures_has_its_documents_beside_the_answer(tmp_path, context):
    asked = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}]
    again = [{"role": "user", "content": "Really?"}, {"role": "assistant", "content": "Yes.", "context": context}]
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"conversation": {"messages": asked + again}}))
    (item,) = read_dataset(path).items
    assert (item.question, item.response, item.documents, len(item.turns)) == ("Really?", "Yes.", ["It is so."], 2)


@pytest.mark.parametrize(
    ("name", "cut", "said"),
    [
        ("haystack.json", {"answers": []}, "The answer builder gave no answer."),
        ("haystack.json", None, "These outputs hold no question. End the pipeline with an AnswerBuilder"),
        ("inspector_raget.json", {"results": [{"task_id": "none"}]}, "There is no task 'none'."),
    ],
)
def test_a_row_that_lacks_what_its_tool_names_is_bad(tmp_path, name, cut, said):
    whole = json.loads((SAMPLES / name).read_text())
    path = tmp_path / name
    outputs = {"answer_builder": cut} if cut else {"llm": {"replies": ["So."]}, "retriever": {"documents": []}}
    path.write_text(json.dumps([outputs] if name == "haystack.json" else whole | cut))
    assert said in str(read_dataset(path).errors[0])


def test_the_adapter_is_known_by_its_keys_alone():
    assert adapter_of({"question": "?", "data": {}}) is None
    assert adapter_of({"data": {}, "annotations": []}).name == "Label Studio"


@pytest.mark.parametrize(
    "whole",
    [
        {"question": ["?", "And?"], "answer": ["R.", "S."]},
        {"question": {"0": "?", "1": "And?"}, "answer": {"0": "R.", "1": "S."}},
        {"about": {"n": 2}, "rows": [{"question": "?", "answer": "R."}, {"question": "And?", "answer": "S."}]},
    ],
)
def test_a_table_in_one_json_object_is_its_rows(tmp_path, whole):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(whole))
    assert [(item.question, item.response) for item in read_dataset(path).items] == [("?", "R."), ("And?", "S.")]


def test_the_table_of_a_run_is_for_people(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text(",".join(TABLE) + "\n" + ",".join("1" for _ in TABLE) + "\n")
    with pytest.raises(InputError, match=r"run.csv: This is a table of a run for people.*JSON or JSONL"):
        read_dataset(path)
    with pytest.raises(InputError, match="report is for people to read"):
        read_dataset(tmp_path / "run.html")


def test_a_run_file_is_no_data_set(tmp_path):
    path = tmp_path / "run.json"
    path.write_text('{"schema": "trace-run/1", "records": []}')
    with pytest.raises(InputError, match="trace_core import"):
        read_dataset(path)
