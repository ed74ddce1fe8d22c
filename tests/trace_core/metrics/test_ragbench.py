"""Our scores against those that RAGBench released, on its own rows."""

from pathlib import Path

import orjson
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
    with file.open("rb") as lines:
        for line in lines:
            row = orjson.loads(line)
            documents = [keyed(document) for document in row["documents_sentences"]]
            yield row, Sentences(documents, keyed(row["response_sentences"]))


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
def test_clean_labels_stay_and_score_in_0_to_1_or_have_no_adherence(file):
    for row, sentences in rows(file):
        keys = sentences.document_keys(), sentences.response_keys()
        labels = clean(row, *keys).labels
        assert clean(labels.model_dump(), *keys).labels == labels
        for convention in CONVENTIONS:
            scores = score(labels, sentences, convention)
            assert set(scores.undefined) <= {"adherence"}
            values = [getattr(scores, name) for name in METRICS if name not in scores.undefined]
            assert 0 <= min(values) <= max(values) <= 1
