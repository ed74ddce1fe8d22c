import pytest
from metric_examples import labels

from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Document, Failure, Golden, Record, Response, Retrieval
from trace_core.golden.results import by_category, group_summary, result_of, retrieval_actions
from trace_core.metrics.found_documents import document_scores


def record(expected=("tower",), answer="It is high.", confidence=0.6, category=None, **more):
    documents = [Document(id=name, rank=1, text="It is so.") for name in ("tower#1", "tower#2", "lunch#1")]
    recall, precision = document_scores(expected, documents)
    shares = {"document_recall": recall, "document_precision": precision}
    more["golden"] = Golden(expected_documents=list(expected), category=category, **shares)
    more["retrieval"] = Retrieval(collection="c", top_k=3, confidence=confidence)
    made = Record(id="1", question="?", documents=documents, response=Response(text=answer), **more)
    return rescore(made, "ragbench")


def result(*expected, **more):
    made = record(expected, **more)
    return result_of(made, made.golden)


def test_recall_is_over_the_expected_and_precision_over_the_retrieved():
    found = result("tower", "bridge")
    assert (found.value("document_recall"), found.value("document_precision")) == (1 / 2, 2 / 3)


@pytest.mark.parametrize(
    ("expected", "answer", "rightly"),
    [
        (["tower"], "It is high.", True),
        (["tower"], "I cannot answer this.", False),
        ([], "I cannot answer this.", True),
        ([], "It is high.", False),
    ],
)
def test_answering_is_right_where_an_answer_exists_and_refusing_elsewhere(expected, answer, rightly):
    assert result(*expected, answer=answer).rightly is rightly


def test_by_category_beside_the_four_metrics():
    results = [result("tower", category="single", labels=labels("0a", "0a", "a+0a")), result("bridge")]
    found = by_category(results)
    assert list(found) == ["single", ""]
    assert found["single"]["adherence"] == {"mean": 1, "interval": None, "too_few": "too few (1)", "scored": 1}
    assert found["single"]["context_relevance"]["mean"] == 1 / 3
    assert found[""]["adherence"] == {"mean": None, "interval": None, "too_few": "too few (0)", "scored": 0}
    assert group_summary(results)["document_recall"]["mean"] == 1 / 2


def test_a_record_that_failed_is_counted_and_neither_right_nor_wrong():
    found = group_summary([result("tower", error=Failure(step="answer", message="no"))])
    assert (found["n"], found["failed"], found["rightly"]) == (1, 1, 0)


def test_retrieval_actions_by_thresholds_that_can_be_edited():
    results = [result("tower", confidence=c) for c in (0.6, 0.5, 0.1, None)]
    shown = {name: counted["n"] for name, counted in retrieval_actions(results).items()}
    assert shown == {"correct": 1, "ambiguous": 1, "incorrect": 1, "unknown": 1}
    moved = retrieval_actions(results, correct_from=0.5, incorrect_below=0.05)
    assert (moved["correct"], moved["ambiguous"]["n"]) == ({"n": 2, "found": 2}, 1)
