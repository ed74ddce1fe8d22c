"""`python -m trace_core benchmark`, run as a person runs it."""

import json
from functools import partial

import pytest
from run_command import command
from run_examples import in_lines, support

ROW = {
    "id": "r",
    "question": "Which part is red?",
    "documents_sentences": [[["0a", "The part is red."], ["0b", "The part is small."]]],
    "response_sentences": [["a", "The part is red."]],
    "all_relevant_sentence_keys": ["0a"],
    "all_utilized_sentence_keys": ["0a"],
    "unsupported_response_sentence_keys": [],
    "sentence_support_information": [support("a")],
    "relevance_score": 0.5,
    "utilization_score": 0.5,
    "completeness_score": 1.0,
    "adherence_score": True,
    "gpt3_adherence": 1.0,
    "gpt3_context_relevance": 1.0,
    "gpt35_utilization": 0.5,
}
WRONG = ROW | {
    "response_sentences": [["a", "Cats purr."]],
    "unsupported_response_sentence_keys": ["a"],
    "sentence_support_information": [support("a", [], False)],
    "adherence_score": False,
    "gpt3_adherence": None,
}


@pytest.fixture
def run(tmp_path):
    return partial(command, tmp_path, "benchmark")


@pytest.fixture
def file(tmp_path):
    return in_lines(tmp_path / "two.jsonl", [ROW, WRONG])


def test_recorded_labels_are_what_was_released(run, file):
    done = run(file, "--labeler", "recorded", "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)["files"]["two"]
    assert (found["n"], found["estimate"], found["adherence_auroc"]) == (2, False, 1.0)
    assert [found[f"{name}_rmse"] for name in ("relevance", "utilization", "completeness")] == [0, 0, 0]
    gpt = found["peers"]["gpt35"]
    assert (gpt["n"], gpt["dropped"], gpt["relevance_rmse"], gpt["adherence_auroc"]) == (1, 1, 0.5, None)
    assert set(found["peers"]) == {"gpt35", "ragas", "trulens"}


def test_what_is_compared_with_is_not_said_to_be_unread(run, tmp_path):
    """Columns of the peers and our own estimates are read; any other is not."""
    extra = {"annotating_model_name": "gpt-4", "expected_adherence": 0.5, "colour": "red", "ragas_faithfulness": 0.5}
    said = run(in_lines(tmp_path / "peers.jsonl", [ROW | extra]), "--labeler", "recorded").stderr
    assert "Compared with: gpt3_adherence, gpt3_context_relevance, gpt35_utilization, ragas_faithfulness." in said
    assert "Columns that are not read: colour." in said


def test_the_local_labeler_is_measured_by_its_estimates(run, file):
    done = run(file, "--labeler", "local", "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert found["version"].startswith("local-23 ")
    assert found["files"]["two"]["estimate"]
    assert found["files"]["two"]["adherence_auroc"] == 1.0
    assert found["files"]["two"]["seconds"] > 0
    assert found["files"]["two"]["words"]["adherence_auroc"] == 1.0
    assert "2 of 2 rows of two.jsonl labeled" in done.stderr


def test_several_files_are_pooled_and_estimates_written_by_label_are_read_again(run, file, tmp_path):
    path = in_lines(tmp_path / "estimated.jsonl", [ROW | {"expected_context_relevance": 0.25}])
    found = json.loads(run(file, path, "--labeler", "recorded", "--json").stdout)
    assert (set(found["files"]), found["pooled"]["n"]) == ({"two", "estimated"}, 3)
    estimated = found["files"]["estimated"]
    assert (estimated["estimate"], estimated["relevance_rmse"]) == (True, 0.25)


def test_without_json_there_is_a_table_for_people(run, file):
    done = run(file, "--labeler", "recorded")
    assert done.stdout.splitlines()[0].split() == [
        *("file", "judge", "n", "adherence_auroc", "relevance_rmse", "utilization_rmse", "completeness_rmse")
    ]
    judges = [line.split()[1] for line in done.stdout.splitlines()[1:]]
    assert judges == ["this", "words", "gpt35", "ragas", "trulens"]


def test_a_file_without_released_scores_is_refused(run, tmp_path):
    scores = ("relevance_score", "utilization_score", "completeness_score", "adherence_score")
    path = in_lines(tmp_path / "plain.jsonl", [{k: v for k, v in ROW.items() if k not in scores}])
    done = run(path, "--labeler", "recorded")
    assert done.returncode == 2
    assert "no released scores" in done.stderr
