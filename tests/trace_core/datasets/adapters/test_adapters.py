"""A sample file of each tool, written as that version writes it, read without a mapping: its tool and its first row."""

import json
from pathlib import Path

import pytest

from trace_core.datasets import read_dataset
from trace_core.datasets.adapters import ADAPTERS, adapter_of
from trace_core.errors import InputError
from trace_core.runs.files.export import TABLE

SAMPLES = Path(__file__).parent / "samples"
READ = json.loads((SAMPLES.parent / "expected.json").read_text(encoding="utf-8"))
"""File → its tool (empty where the names of its columns tell), its rows, and parts of the first one."""


def written(tmp_path, whole, name="rows.json"):
    path = tmp_path / name
    path.write_text(json.dumps(whole), encoding="utf-8")
    return read_dataset(path)


def test_every_sample_has_its_reading():
    assert {path.name for path in SAMPLES.iterdir()} == set(READ)


@pytest.mark.parametrize("name", READ)
def test_a_sample_is_read_without_a_mapping(name):
    found = read_dataset(SAMPLES / name)
    first, expected = found.items[0], READ[name]
    assert (found.mapping.tool, len(found.items), found.errors) == (expected["tool"], expected["rows"], [])
    for field in ("question", "response", "reference_answer"):
        assert getattr(first, field) == expected[field]
    assert next(iter(first.documents or []), None) == expected["document"]


def test_every_adapter_has_a_sample():
    tools = {expected["tool"] for expected in READ.values()}
    assert {adapter.name for adapter in ADAPTERS} - tools == {"TRACE"}  # which exports are tested for


JUDGED = [("label_studio.json", "grounded"), ("argilla.json", "is_faithful"), ("inspector_raget.json", "faithful")]


@pytest.mark.parametrize(("name", "column"), JUDGED)
def test_what_most_people_said_becomes_ground_truth_by_mapping(name, column):
    found = read_dataset(SAMPLES / name, mapping={"adherence_score": f"{column} is yes"})
    assert found.items[0].adherence_score == 1


def test_people_who_disagree_leave_it_unknown(tmp_path):
    (task,) = json.loads((SAMPLES / "label_studio.json").read_text())[:1]
    other = json.loads(json.dumps(task["annotations"][0]).replace('"yes"', '"no"')) | {"completed_by": 99}
    found = written(tmp_path, [task | {"annotations": [task["annotations"][0], other]}])
    assert found.items[0].model_extra["grounded"] is None


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
    assert [item.model_extra["grounded"] for item in written(tmp_path, whole).items] == [standing] * 2


@pytest.mark.parametrize(
    "context", ["It is so.", {"citations": [{"id": "a.md", "content": "It is so."}]}, [{"content": "It is so."}]]
)
def test_a_conversation_of_azures_has_its_documents_beside_the_answer(tmp_path, context):
    asked = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}]
    again = [{"role": "user", "content": "Really?"}, {"role": "assistant", "content": "Yes.", "context": context}]
    (item,) = written(tmp_path, {"conversation": {"messages": asked + again}}, "rows.jsonl").items
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
    outputs = {"answer_builder": cut} if cut else {"llm": {"replies": ["So."]}, "retriever": {"documents": []}}
    found = written(tmp_path, [outputs] if name == "haystack.json" else whole | cut)
    assert said in str(found.errors[0])


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
    items = written(tmp_path, whole).items
    assert [(item.question, item.response) for item in items] == [("?", "R."), ("And?", "S.")]


def test_the_table_of_a_run_is_for_people(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text(",".join(TABLE) + "\n" + ",".join("1" for _ in TABLE) + "\n")
    with pytest.raises(InputError, match=r"run.csv: This is a table of a run for people.*JSON or JSONL"):
        read_dataset(path)
    with pytest.raises(InputError, match="report is for people to read"):
        read_dataset(tmp_path / "run.html")


def test_a_run_file_is_no_data_set(tmp_path):
    with pytest.raises(InputError, match="trace_core import"):
        written(tmp_path, {"schema": "trace-run/1", "records": []})
