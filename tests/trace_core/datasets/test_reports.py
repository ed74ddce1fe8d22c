"""Files with the shapes of public bug reports, read as their list says."""

from pathlib import Path

import pytest

from trace_core.datasets import read_dataset, to_record

REPORTS = Path(__file__).resolve().parents[4] / "shared" / "data" / "reports"
pytestmark = pytest.mark.skipif(not REPORTS.exists(), reason="the shared data are not there")


@pytest.mark.parametrize("name", ["csv_with_markdown_table_in_answer.csv", "csv_faq_table_in_context.csv"])
def test_a_markdown_table_in_a_cell_is_its_text(name):
    found = read_dataset(REPORTS / name)
    assert ([item.question for item in found.items][::2], found.errors) == (
        ["How high is the dam?", "When was it built?"],
        [],
    )
    assert "| --- |" in (found.items[1].response + found.items[1].documents[0])


def test_documents_that_are_json_texts_are_opened():
    (item,) = read_dataset(REPORTS / "contexts_as_json_strings.jsonl").items
    assert item.documents == ["The dam is 40 m high."]


def test_haystacks_question_is_the_answer_builders():
    (item,) = read_dataset(REPORTS / "haystack_question.json").items
    assert (item.question, item.response) == ("How high is the dam?", "The dam is 40 m high.")
    assert item.documents == ["The dam is 40 m high.", "It was built in 1931."]


def test_a_search_that_found_nothing_is_a_row_without_documents():
    found = read_dataset(REPORTS / "otlp_retriever_found_nothing.json")
    assert [(item.question, item.documents, item.response) for item in found.items] == [
        ("How high is the moon?", [], "I do not know."),
        ("How high is the dam?", ["The dam is 40 m high."], "40 m."),
    ]


def test_a_placeholder_is_passed_through_as_it_stands_and_is_a_failed_generation():
    found = read_dataset(REPORTS / "placeholders.csv")
    assert found.items[0].response == "nan"
    assert (len(found.items), found.errors) == (10, [])
    assert all(to_record(item, "1").failed_generation for item in found.items)
