"""Lists in one file that name each other's ids."""

import json

import pytest

from trace_core.datasets import read_dataset

CORPUS = {"d1": "It opens at nine.", "d2": "Entry costs two euros."}
ROW = {"qid": 1, "text": "When does it open?", "found_ids": ["d1", "d2"], "relevant_ids": ["d1"]}


@pytest.mark.parametrize("answer", ["answer", "generated_answer", "bot_reply"])
@pytest.mark.parametrize("name", ["queries", "questions"])
def test_the_text_of_a_query_is_the_question_beside_its_answer(tmp_path, name, answer):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps({"corpus": CORPUS, name: [{**ROW, answer: "At nine."}]}), encoding="utf-8")
    [row] = read_dataset(path, name="rows.json").items
    assert (row.question, row.response) == (ROW["text"], "At nine.")
    assert (row.documents, row.expected_documents) == ([*CORPUS.values()], ["d1"])


def test_the_text_beside_a_question_is_not_another(tmp_path):
    path = tmp_path / "rows.json"
    rows = [{**ROW, "question": "And when?", "text": "It opens at ten."}]
    path.write_text(json.dumps({"corpus": CORPUS, "queries": rows}), encoding="utf-8")
    assert [row.question for row in read_dataset(path, name="rows.json").items] == ["And when?"]
