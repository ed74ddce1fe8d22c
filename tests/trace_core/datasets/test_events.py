"""Logs of events and lists joined by ids: what is not whole is named, and what only looks like a log stays as it is."""

import json

import pytest

from trace_core.datasets import read_dataset

QUESTION, FOUND, ANSWER = "What does F2 mean?", "F2 is a sensor fault.", "A sensor fault."


def read(tmp_path, rows):
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = read_dataset(path, name="log.jsonl")
    return [(row.question, row.documents, row.response) for row in found.items], [str(error) for error in found.errors]


def events(request, *, question=QUESTION, found=(FOUND,), answers=(ANSWER,)):
    made = [{"event": "asked", "request_id": request, "question": question}] if question else []
    made += [{"event": "retrieved", "request_id": request, "passages": list(found)}] if found else []
    return made + [{"event": "answered", "request_id": request, "answer": answer} for answer in answers]


def test_events_that_interleave_become_one_row_each(tmp_path):
    one, two = events("a"), events("b", question="Who?")
    mixed = [event for pair in zip(one, two, strict=True) for event in pair]
    assert read(tmp_path, mixed) == ([(QUESTION, [FOUND], ANSWER), ("Who?", [FOUND], ANSWER)], [])


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (events("b", question=None), "'b' have no question"),
        (events("b", answers=("Yes.", "No.")), "'b' have several answers"),
        (events("b", found=(), answers=()), "'b' have neither documents nor an answer"),
        ([*events("b"), {"event": "again", "request_id": "b", "passages": ["Other."]}], "'b' have several lists"),
    ],
)
def test_a_request_that_is_not_whole_is_named(tmp_path, bad, said):
    rows, errors = read(tmp_path, [*events("a"), *bad])
    assert len(rows) == 1
    assert len(errors) == 1
    assert said in errors[0]


def test_a_chosen_part_of_what_was_found_is_what_the_model_saw(tmp_path):
    found = [FOUND, "F3 is a pump fault."]
    log = [*events("a", found=found, answers=()), {"event": "reranked", "request_id": "a", "passages": [FOUND]}]
    assert read(tmp_path, [*log, {"request_id": "a", "answer": ANSWER}])[0] == [(QUESTION, [FOUND], ANSWER)]


def test_a_rewritten_question_is_not_the_question(tmp_path):
    rewritten = {"event": "query.rewritten", "request_id": "a", "query": "F2 error code"}
    assert read(tmp_path, [rewritten, *events("a")])[0] == [(QUESTION, [FOUND], ANSWER)]


def test_whole_rows_that_share_an_id_stay_rows(tmp_path):
    row = {"session_id": "s", "question": QUESTION, "context": FOUND, "answer": ANSWER}
    rows, errors = read(tmp_path, [row, row | {"question": "Who?"}, row | {"question": None}])
    assert ([row[0] for row in rows], len(errors)) == ([QUESTION, "Who?"], 1)


def test_many_requests_need_little_memory(tmp_path, monkeypatch):
    monkeypatch.setattr("trace_core.datasets.joins.events.OPEN", 3)
    rows, errors = read(tmp_path, [event for number in range(40) for event in events(str(number))])
    assert (len(rows), errors) == (40, [])


def test_lists_name_what_they_lack(tmp_path):
    path = tmp_path / "suite.json"
    cases = [
        {"id": "a", "question": QUESTION, "retrieved": ["k1"]},
        {"id": "b", "question": "Who?", "retrieved": ["k9"]},
    ]
    kb = [{"kid": "k1", "text": FOUND}, {"kid": "k2", "text": "F3 is a pump fault."}]
    answers = [{"id": "a", "prediction": ANSWER}, {"id": "x", "prediction": "Nobody asked."}]
    path.write_text(json.dumps({"kb": kb, "cases": cases, "answers": answers}), encoding="utf-8")
    found = read_dataset(path, name="suite.json")
    assert [(row.question, row.documents, row.response) for row in found.items] == [(QUESTION, [FOUND], ANSWER)]
    said = " ".join(map(str, found.errors))
    assert "'k9'" in said
    assert "'x' of answers is no question's" in said


def sampled(sample, prompt, *, right="A sensor fault."):
    said = {"prompt": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": prompt}]}
    about = {"run_id": "r1", "sample_id": sample}
    return [
        about | {"type": "sampling", "data": said | {"sampled": [ANSWER]}},
        about | {"type": "match", "data": {"expected": right, "sampled": ANSWER, "correct": True}},
    ]


def test_the_prompt_of_an_event_is_the_question_where_none_asks_another(tmp_path):
    spec = {"spec": {"completion_fns": ["gpt-4o"], "run_id": "r1"}}
    rows, errors = read(tmp_path, [spec, *sampled("s.1", QUESTION), *sampled("s.2", "Who?"), {"final_report": {}}])
    assert (rows, errors) == ([(QUESTION, None, ANSWER), ("Who?", None, ANSWER)], [])


def test_a_prompt_gives_way_to_a_question(tmp_path):
    prompted = {"request_id": "a", "prompt": f"Answer: {QUESTION}", "completion": ANSWER}
    assert read(tmp_path, [*events("a", answers=()), prompted])[0] == [(QUESTION, [FOUND], ANSWER)]
