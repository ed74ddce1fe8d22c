"""Our scores against those that RAGBench released, on its own rows."""

import json
from pathlib import Path

import pytest
from metric_examples import CONVENTIONS

from trace_core.facts.cleaning import clean
from trace_core.facts.records import Sentences
from trace_core.facts.sentences import Sentence
from trace_core.metrics import METRICS, count_raw, score, score_counts

FOLDER = Path(__file__).resolve().parents[4] / "shared" / "data" / "ragbench"
ABSENT = pytest.param(None, marks=pytest.mark.skip(reason=f"RAGBench's rows are not in {FOLDER}"))
RELEASED = {
    "context_relevance": "relevance_score",
    "context_utilization": "utilization_score",
    "completeness": "completeness_score",
    "adherence": "adherence_score",
}

on_every_file = pytest.mark.parametrize(
    "file", sorted(FOLDER.glob("*.jsonl")) or [ABSENT], ids=lambda file: getattr(file, "stem", "absent")
)


def rows(file):
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield (
                row,
                Sentences(
                    documents=[keyed(document) for document in row["documents_sentences"]],
                    response=keyed(row["response_sentences"]),
                ),
            )


def keyed(pairs):
    return [Sentence(key, text, None, None) for key, text in pairs]


@on_every_file
def test_raw_lists_give_the_released_scores_on_every_row(file):
    differing = []
    for row, sentences in rows(file):
        ours = score_counts(count_raw(row, sentences), "ragbench")
        for name, released in RELEASED.items():
            if abs(getattr(ours, name) - row[released]) >= 1e-9:
                differing.append((row["id"], name, getattr(ours, name), row[released]))
    assert differing == []


@on_every_file
def test_cleaned_labels_score_in_0_to_1_under_every_convention(file):
    for row, sentences in rows(file):
        labels, _ = clean(row, sentences.document_keys(), sentences.response_keys())
        for convention in CONVENTIONS:
            scores = score(labels, sentences, convention)
            for name in METRICS:
                value = getattr(scores, name)
                assert 0 <= value <= 1 if value is not None else scores.undefined[name]


@on_every_file
def test_every_row_loses_at_most_an_adherence_to_cleaning(file):
    for row, sentences in rows(file):
        labels, _ = clean(row, sentences.document_keys(), sentences.response_keys())
        for convention in CONVENTIONS:
            assert set(score(labels, sentences, convention).undefined) <= {"adherence"}


@on_every_file
def test_cleaning_what_is_clean_changes_nothing(file):
    for row, sentences in rows(file):
        keys = sentences.document_keys(), sentences.response_keys()
        once = clean(row, *keys).labels
        assert clean(once.model_dump(), *keys).labels == once
