"""What people said of an answer, in a column of their own words, becomes ground truth of its adherence."""

import json

import pytest

from trace_core.datasets import guess_mapping, read_dataset, to_record
from trace_core.errors import InputError

COLUMNS = ["question", "contexts", "answer", "Rating", "reviewer"]


def read(wanted, value):
    mapping = guess_mapping(COLUMNS).changed({"adherence_score": wanted})
    return mapping.apply({"question": "Q?", "answer": "A.", "Rating": value, "reviewer": "Ann"})


@pytest.mark.parametrize(
    ("value", "score"),
    [
        pytest.param("yes", True, id="the value that was named"),
        pytest.param(" Yes ", True, id="whatever its case and its spaces"),
        pytest.param("Mostly grounded", True, id="another that was named"),
        pytest.param("no", False, id="any other value"),
        pytest.param("yes and no", False, id="not a part of a value"),
        pytest.param(None, None, id="nothing was said"),
        pytest.param(" ", None, id="an empty cell"),
    ],
)
def test_the_values_that_mean_grounded_are_named(value, score):
    assert read("Rating is yes|mostly grounded", value)["adherence_score"] is score


@pytest.mark.parametrize(
    ("value", "score"),
    [
        (5, True),
        (4, True),
        (1, False),
        ("5", True),
        (True, False),
        (4.0, True),
        ("5.0", True),
        ("4,0", True),
        (4.5, False),
    ],
)
def test_numbers_are_compared_as_numbers(value, score):
    assert read("Rating is 4|5", value)["adherence_score"] is score


def test_a_decimal_number_may_be_named():
    assert read("Rating is 4.0", 4)["adherence_score"] is True


def rated(tmp_path, wanted):
    path = tmp_path / "rated.csv"
    path.write_text("question,contexts,answer,rating\nQ1?,C.,A.,good\nQ2?,C.,A.,bad\n", encoding="utf-8")
    return read_dataset(path, mapping={"adherence_score": wanted})


def test_it_says_where_no_row_has_a_value_that_means_grounded(tmp_path):
    assert "No row says 4 or 5 in rating, so none counts as true." in rated(tmp_path, "rating is 4|5").said()


def test_it_says_nothing_where_a_row_has_such_a_value(tmp_path):
    assert not any("No row says" in line for line in rated(tmp_path, "rating is good").said())


def test_a_score_outside_0_to_1_is_an_error_with_the_way_out(tmp_path):
    path = tmp_path / "rated.csv"
    scores = (0.5, 1, 0, 1, 4)
    rows = [f"Q{i}?,C.,A.,{score}" for i, score in enumerate(scores)]
    path.write_text("\n".join(["question,contexts,answer,adherence_score", *rows]), encoding="utf-8")
    found = read_dataset(path)
    assert [item.adherence_score for item in found.items] == [0.5, 1, 0, 1]
    assert "row 5, field adherence_score: 4 lies outside 0 to 1." in str(found.errors[0])
    assert '--map "adherence_score=COLUMN is 4|5"' in found.errors[0].hint


def test_a_column_of_grades_is_no_score_whatever_its_name(tmp_path):
    path = tmp_path / "graded.csv"
    path.write_text("question,contexts,answer,relevance_score\nQ1?,C.,A.,5\nQ2?,C.,A.,4\n", encoding="utf-8")
    found = read_dataset(path)
    assert [item.relevance_score for item in found.items] == [None, None]
    assert found.mapping.unread == ["relevance_score"]


def test_the_column_may_be_called_in_any_way_that_columns_are():
    assert read("rating is yes", "yes")["adherence_score"] is True


def test_the_rating_counts_as_read_and_the_rest_of_the_row_stays():
    mapping = guess_mapping(COLUMNS).changed({"adherence_score": "Rating is yes"})
    assert mapping.unread == ["reviewer"]
    assert read("Rating is yes", "no")["reviewer"] == "Ann"


@pytest.mark.parametrize("wanted", ["Rating is ", "Rating is |", "Marks is yes", " is yes"])
def test_a_rating_that_names_no_value_or_no_column_is_refused(wanted):
    with pytest.raises(InputError):
        read(wanted, "yes")


def test_a_column_whose_own_name_has_the_word_is_that_column():
    mapping = guess_mapping(["question", "it is so"]).changed({"adherence_score": "it is so"})
    assert mapping.apply({"question": "Q?", "it is so": "true"})["adherence_score"] == "true"


def test_a_file_of_ratings_gives_records_with_ground_truth(tmp_path):
    path = tmp_path / "rated.csv"
    path.write_text("question,contexts,answer,rating\nQ1?,C.,A.,good\nQ2?,C.,A.,bad\nQ3?,C.,A.,\n", encoding="utf-8")
    found = read_dataset(path, mapping={"adherence_score": "rating is good"})
    assert found.errors == []
    truths = [to_record(item, str(i)).ground_truth for i, item in enumerate(found.items)]
    assert [t and t.scores["adherence"] for t in truths] == [1.0, 0.0, None]


# InspectorRAGet: several people, several questions about each answer


def inspector(tmp_path, annotations, **more):
    whole = {
        "tasks": [{"task_id": "t", "input": "Q?", "contexts": [{"text": "C."}]}],
        "evaluations": [{"task_id": "t", "model_id": "m", "model_response": "A.", "annotations": annotations}],
    }
    path = tmp_path / "inspector.json"
    path.write_text(json.dumps(whole | more), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("said", "score"),
    [
        pytest.param({"ann": {"value": "yes"}, "bob": {"value": "yes"}, "cid": {"value": "no"}}, 1.0, id="most say so"),
        pytest.param({"ann": {"value": "no"}}, 0.0, id="one alone"),
        pytest.param({"ann": {"value": "yes"}, "bob": {"value": "no"}}, None, id="as many on either side"),
        pytest.param({}, None, id="nobody"),
    ],
)
def test_what_most_annotators_say_is_a_column(tmp_path, said, score):
    path = inspector(tmp_path, {"faithful": said})
    (item,) = read_dataset(path, mapping={"adherence_score": "rated.faithful is yes"}).items
    assert item.adherence_score == score


def test_the_questions_are_offered_as_columns(tmp_path):
    path = inspector(tmp_path, {"faithful": {"ann": {"value": "yes"}}, "fluent": {"ann": {"value": 3}}})
    found = read_dataset(path)
    assert {"rated.faithful", "rated.fluent"} <= set(found.mapping.choices)
    assert "adherence_score" not in found.mapping.fields


def test_the_annotations_themselves_stay_with_the_row(tmp_path):
    said = {"faithful": {"ann": {"value": "yes", "timestamp": 5}}}
    (item,) = read_dataset(inspector(tmp_path, said)).items
    assert item.model_extra["annotations"] == said
