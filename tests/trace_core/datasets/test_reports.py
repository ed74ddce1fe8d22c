"""Files with the shapes of public bug reports, read as their list says."""

from pathlib import Path

import pytest

from trace_core.datasets import read_dataset
from trace_core.errors import InputError
from trace_core.runs.files.row_records import to_record

SHARED = next((one / "shared" / "data" for one in Path(__file__).parents if (one / "shared" / "data").is_dir()), Path())
REPORTS, FOURTH = SHARED / "reports", SHARED / "reports4"
pytestmark = pytest.mark.skipif(not FOURTH.exists(), reason="the shared data are not there")
HOT, KILN = "It reaches 1,240 degrees Celsius.", "The Aurora kiln reaches 1,240 degrees Celsius."


@pytest.mark.parametrize("name", ["csv_with_markdown_table_in_answer.csv", "csv_faq_table_in_context.csv"])
def test_a_markdown_table_in_a_cell_is_its_text(name):
    found = read_dataset(REPORTS / name)
    assert [item.question for item in found.items][::2] == ["How high is the dam?", "When was it built?"]
    assert found.errors == []
    assert "| --- |" in (found.items[1].response + found.items[1].documents[0])


DAM, HIGH = "How high is the dam?", "The dam is 40 m high."


def test_documents_that_are_json_texts_are_opened():
    (item,) = read_dataset(REPORTS / "contexts_as_json_strings.jsonl").items
    assert item.documents == [HIGH]


def test_haystacks_question_is_the_answer_builders():
    (item,) = read_dataset(REPORTS / "haystack_question.json").items
    assert (item.question, item.documents, item.response) == (DAM, [HIGH, "It was built in 1931."], HIGH)


def test_a_search_that_found_nothing_is_a_row_without_documents():
    items = read_dataset(REPORTS / "otlp_retriever_found_nothing.json").items
    rows = [("How high is the moon?", [], "I do not know."), (DAM, [HIGH], "40 m.")]
    assert [(item.question, item.documents, item.response) for item in items] == rows


def test_a_placeholder_is_passed_through_as_it_stands_and_is_a_failed_generation():
    found = read_dataset(REPORTS / "placeholders.csv")
    assert found.items[0].response == "nan"
    assert (len(found.items), found.errors) == (10, [])
    assert all(to_record(item, "1").failed_generation for item in found.items)


SEVERAL = {"answer_is_an_object.jsonl": 2, "argilla_statuses.json": 3, "optional_field_of_another_shape.jsonl": 8}
ONE = """azure_conversation.jsonl databricks_request.jsonl mlflow_expected_facts.jsonl otlp_langfuse_trace_output.json
    otlp_langgraph_messages.json otlp_openllmetry_retriever.json otlp_title_after_the_answer.json
    pandas_two_heading_rows.csv""".split()


@pytest.mark.parametrize("name", [*SEVERAL, *ONE])
def test_files_of_tools_are_read_with_every_row(name):
    found = read_dataset(FOURTH / name)
    assert [item.response for item in found.items] == [HOT] * SEVERAL.get(name, 1)
    assert all(item.documents[0].startswith(KILN) for item in found.items)


def test_people_who_stand_by_yes_said_yes():
    items = read_dataset(FOURTH / "argilla_statuses.json").items
    assert [item.model_extra["grounded"] for item in items] == ["yes"] * 3


def test_rows_that_are_one_question_are_said_and_joined_when_asked():
    path = FOURTH / "long_rows_per_passage.csv"
    assert "4 rows share id and question with others, each has another passage: 2 questions" in read_dataset(path).long
    assert [len(item.documents) for item in read_dataset(path, mapping={"group": "yes"}).items] == [2, 2]
    (item,) = read_dataset(FOURTH / "row_per_annotator.csv", mapping={"group": "yes"}).items
    assert item.model_extra["grounded"] == "yes"


def test_documents_that_are_no_texts_are_refused():
    found = read_dataset(FOURTH / "documents_that_are_no_texts.jsonl")
    assert (found.items, len(found.errors)) == ([], 3)


def test_placeholders_are_what_their_ids_say():
    found = read_dataset(FOURTH / "placeholders_elsewhere.jsonl")
    assert [item.documents for item in found.items[:2]] == [[], []]
    assert found.items[2].reference_answer is None
    assert [error.row for error in found.errors] == [3]


def test_failed_generations_are_none_of_them_answers():
    items = read_dataset(FOURTH / "failed_generations.jsonl").items
    assert all(to_record(item, "1").failed_generation for item in items)


def test_our_own_table_is_refused():
    with pytest.raises(InputError, match="for people to read"):
        read_dataset(FOURTH / "own_csv_export.csv")
