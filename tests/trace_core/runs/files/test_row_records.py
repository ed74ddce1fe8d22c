import pyarrow
import pytest
from pyarrow import parquet
from run_examples import support

from trace_core.datasets import Item, read_dataset
from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.labels import Labels
from trace_core.facts.records import Failure
from trace_core.metrics import METRICS
from trace_core.runs.files.row_records import to_record, to_row, unique_ids

ROW = {
    "id": "r",
    "question": "How much?",
    "documents": ["One. Two.\nThree.", "Four."],
    "response": "One. Two! Three?",
    "documents_sentences": [[["0a", "One. Two."], ["0b", "Three."]], [["1a", "Four."]]],
    "response_sentences": [["a", "One. Two!"], ["b", "Three?"]],
    "relevance_explanation": "0a.",
    "all_relevant_sentence_keys": ["0a.", "0a", "9z"],
    "overall_supported_explanation": "No.",
    "sentence_support_information": [
        {"response_sentence_key": "a.", "supporting_sentence_keys": ["0a"], "fully_supported": True},
        {"response_sentence_key": "b", "explanation": "e", "supporting_sentence_keys": [], "fully_supported": False},
    ],
    "all_utilized_sentence_keys": ["0a"],
    "unsupported_response_sentence_keys": ["b"],
    "generation_model_name": "generator",
    "annotating_model_name": "judge",
    "adherence_score": False,
    "dataset_name": "d",
    "ragas_faithfulness": 0.5,
    "nested": {"a": [1, None]},
}


def record(**changes):
    return to_record(Item.model_validate(ROW | changes), "r")


# Row → record


def test_supplied_sentences_are_never_split_again():
    found = record()
    assert [[s.text for s in d.sentences] for d in found.documents] == [["One. Two.", "Three."], ["Four."]]
    assert [(s.start, s.end) for s in found.documents[0].sentences] == [(0, 9), (10, 16)]
    assert [(s.key, s.text) for s in found.response.sentences] == [("a", "One. Two!"), ("b", "Three?")]


def test_sentences_that_are_not_in_the_text_have_no_offsets():
    found = record(response_sentences=[["a", "Something else."]])
    assert [(s.start, s.end) for s in found.response.sentences] == [(None, None)]


def test_texts_without_sentences_are_split():
    found = record(documents_sentences=None, response_sentences=None)
    assert [s.key for d in found.documents for s in d.sentences] == ["0a", "0b", "0c", "1a"]
    assert [s.key for s in found.response.sentences] == ["a", "b", "c"]


def test_sentences_without_texts_are_enough():
    found = record(documents=None, response=None)
    assert [d.text for d in found.documents] == ["One. Two. Three.", "Four."]
    assert found.response.text == "One. Two! Three?"


def test_labels_are_cleaned_and_what_came_is_kept():
    found = record()
    assert found.labels.all_relevant_sentence_keys == ["0a"]
    assert found.labels.labeler == "recorded"
    assert found.labels.labeler_version == "judge"
    assert found.raw_reply["all_relevant_sentence_keys"] == ["0a.", "0a", "9z"]
    assert any("9z" in note for note in found.cleaning)


def test_known_scores_are_ground_truth_under_ragbench():
    found = record(relevance_score=0.25)
    assert found.ground_truth.convention == "ragbench"
    assert found.ground_truth.scores == dict(zip(METRICS, (0.25, None, None, 0.0), strict=True))


def test_a_row_without_labels_and_scores_has_none():
    found = to_record(Item(question="?", documents=["D."], response="R."), "1")
    assert (found.labels, found.ground_truth, found.scores) == (None, None, None)


# Record → row


def test_row_to_record_to_row_keeps_every_field():
    row = Item.model_validate(ROW)
    found = rescore(to_record(row, "r"), "ragbench")
    made = to_row(row, found, found.scores)
    assert set(ROW) <= set(made)
    changed = {
        "all_relevant_sentence_keys": ["0a"],
        "relevance_score": 1 / 3,
        "utilization_score": 1 / 3,
        "completeness_score": 1.0,
        "overall_supported": None,
    }
    entries = made.pop("sentence_support_information")
    assert [entry["response_sentence_key"] for entry in entries] == ["a", "b"]
    expected = {n: v for n, v in ROW.items() if n != "sentence_support_information"} | changed
    assert {name: made[name] for name in expected} == expected


CHANCES = {"relevant": {"0a": 0.9, "0b": 0.2}, "utilized": {"0a": 0.5}, "unsupported": {"b": 0.55}}


def test_an_unsure_verdict_stays_unsure_through_a_row():
    known = rescore(record(labeler="local", label_probabilities=CHANCES), "trace")
    assert known.verdict.confidence == "unsure"
    row = to_row(Item(question="?"), known, known.scores)
    assert rescore(to_record(Item.model_validate(row), "r"), "trace").verdict == known.verdict


def test_what_a_labeler_estimated_is_not_said_to_be_the_next_ones():
    row = Item.model_validate(ROW | {"labeler": "local", "label_probabilities": CHANCES, "expected_adherence": 0.4})
    judged = record(labeler="gpt")
    again = to_record(Item.model_validate(to_row(row, judged, rescore(judged, "ragbench").scores)), "r").labels
    assert (again.labeler, again.probabilities, again.expected) == ("gpt", None, None)


def test_rows_of_a_labeler_that_nobody_listed_come_back_as_its_own():
    judged = rescore(record(labeler="new", scored_by="trace"), "ragbench")
    again = to_record(Item.model_validate(to_row(Item(question="?"), judged, judged.scores)), "r")
    assert (again.labels.labeler, again.ground_truth) == ("new", None)


def test_probabilities_in_a_table_are_without_those_of_other_rows(tmp_path):
    chances = [CHANCES, CHANCES | {"relevant": {"0a": 0.9, "2a": 0.1}}]
    keys = {"documents_sentences": [[["0a", "One. Two."]], [["1a", "Four."]], [["2a", "Five."]]]}
    rows = [ROW, ROW | keys | {"documents": ["One. Two.", "Four.", "Five."]}]
    rows = [row | {"scored_by": "trace", "label_probabilities": c} for row, c in zip(rows, chances, strict=True)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "rows.parquet")
    found = [to_record(item, "r").labels.probabilities for item in read_dataset(tmp_path / "rows.parquet").items]
    assert [one.model_dump() for one in found] == chances


@pytest.mark.parametrize("word", [True, False])
def test_adherence_is_released_as_a_bool_with_our_own_list_of_unsupported_sentences(word):
    entries = [support(key, [], word) for key in "ab"]
    row = Item.model_validate(
        ROW | {"sentence_support_information": entries, "unsupported_response_sentence_keys": None}
    )
    found = rescore(to_record(row, "r"), "ragbench")
    made = to_row(row, found, found.scores)
    assert made["adherence_score"] is word
    assert made["unsupported_response_sentence_keys"] == ([] if word else ["a", "b"])


def test_a_failed_record_keeps_its_place_with_nulls_and_an_error():
    row = Item.model_validate(ROW)
    found = to_record(row, "r", with_labels=False)
    found.error = Failure(step="label", message="no answer")
    made = to_row(row, found, rescore(found, "ragbench").scores)
    assert made["error"] == "no answer"
    assert made["question"] == "How much?"
    for name in ("all_relevant_sentence_keys", "sentence_support_information", "relevance_score", "adherence_score"):
        assert made[name] is None


def test_expected_scores_are_written_where_known():
    row = Item.model_validate(ROW)
    found = rescore(to_record(row, "r"), "ragbench")
    found.labels = Labels.model_validate(found.labels.model_dump() | {"expected": {"adherence": 0.75}})
    made = to_row(row, found, found.scores)
    assert (made["expected_adherence"], made["expected_completeness"]) == (0.75, None)


# Ids


@pytest.mark.parametrize(
    ("given", "made"),
    [
        (["a", "a", "b", "a"], ["a", "a#2", "b", "a#3"]),
        (["a", "a#2", "a"], ["a", "a#2", "a#3"]),
        (["a", "a", "a#2"], ["a", "a#2", "a#2#2"]),
        (["2", None], ["2", "2#2"]),
        (["", "x"], ["1", "x"]),
    ],
)
def test_repeated_ids_are_numbered_in_file_order(given, made):
    assert unique_ids([Item(id=i, question="?") for i in given]) == made


# What wraps a response


def test_what_wraps_a_response_comes_off_and_is_kept_from_row_to_row():
    labels = {name: ROW[name] for name in ("all_relevant_sentence_keys", "all_utilized_sentence_keys")}
    row = {"documents": ["One."], "response": "<think>Two?</think>One.</s>", **labels}
    made = to_record(Item.model_validate(row), "r")
    again = to_row(Item.model_validate(row), made, rescore(made, "ragbench").scores)
    assert (again["response"], again["original_response"]) == ("One.", "<think>Two?</think>One.</s>")
    back = to_record(Item.model_validate(again), "r")
    assert (back.response, back.notes_on_answer) == (made.response, made.notes_on_answer)
