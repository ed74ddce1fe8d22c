import json
from contextlib import closing

import pytest
from stored_examples import stored

from trace_core.errors import StoreError
from trace_core.facts.records import Document, Response, Retrieval
from trace_core.store.query_log import BACKUPS, QueryLog, log_line


def made(question="How much?", **more):
    texts = {"documents": [Document(id="d1", rank=1, text="T."), Document(id="d2", rank=2, text="U.")]}
    texts["response"] = Response(text="T.", citations=["d1"])
    return stored("1", (0.1, 0.5, None, 1), question=question, **texts, **more)


REQUIRED = {
    "query": "How much?",
    "retrieved_ids": ["d1", "d2"],
    "answer": "T.",
    "citations": ["d1"],
    "trace_scores": {"context_relevance": 0.1, "context_utilization": 0.5, "completeness": None, "adherence": 1},
    "convention": "trace",
}


def write(path, *records, max_bytes=200_000):
    with closing(QueryLog(path, max_bytes)) as log:
        for record in records:
            log.append(record)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_a_line_has_the_required_fields_and_no_others_where_nothing_else_is_known():
    assert log_line(made()) == REQUIRED


def test_a_line_has_the_optional_fields_that_are_known():
    retrieval = Retrieval(collection="c", top_k=2, confidence=0.6, action="correct")
    known = {"retrieval_confidence": 0.6, "retrieval_action": "correct", "fallback_triggered": False}
    line = log_line(made(retrieval=retrieval, usage={"total": 12}))
    assert line == REQUIRED | known | {"token_usage": {"total": 12}}


@pytest.mark.parametrize(("usage", "total"), [({"completion_tokens": 4}, {"total_tokens": 7}), ({}, {})])
def test_tokens_have_a_total_where_both_parts_are_known(usage, total):
    usage = {"prompt_tokens": 3} | usage
    assert log_line(made(usage=usage))["token_usage"] == usage | total


def test_a_hostile_text_is_one_line(tmp_path):
    path = tmp_path / "queries.jsonl"
    write(path, made("a\nb\r\u2028\x00\ud800"))
    (line,) = lines(path)
    assert line["query"] == "a\nb\r\u2028\ufffd\ufffd"


def test_the_file_is_rotated_by_size_and_only_so_many_are_kept(tmp_path):
    path = tmp_path / "queries.jsonl"
    write(path, *(made(f"question {n}") for n in range(60)), max_bytes=1000)
    files = sorted(tmp_path.iterdir())
    assert len(files) == 1 + BACKUPS
    assert all(0 < file.stat().st_size <= 1000 for file in files)
    assert lines(path)[-1]["query"] == "question 59"


@pytest.mark.parametrize("name", ["file/queries.jsonl", "folder"])
def test_a_path_that_cannot_be_written_is_an_error_that_names_the_setting(tmp_path, name):
    (tmp_path / "file").write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StoreError, match="TRACE_QUERY_LOG"):
        QueryLog(tmp_path / name).append(made())
