"""Run files, lines of records and RAGBench rows come back: what a format holds is equal."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from run_examples import brought_in, failed, labeled, with_truth, written

from trace_core.facts.corrections import with_corrections
from trace_core.facts.records import Retrieval, Truth
from trace_core.metrics import METRICS, Scoring
from trace_core.pipeline import rescore
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.reader import record_lines
from trace_core.runs.files.scored_rows import import_records

TEXTS = st.one_of(
    st.sampled_from(["=1+1", "'=1", "''@x", "a; b: c", "1,5", "None", "nan", "[1]", "line\nline", '"q"', "Ä ü 日本"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(str.strip),
)
CONVENTIONS = st.sampled_from(["trace", "ragbench", "graded", "token"])
EVENT = {"author": "Ada", "created_at": "2026-01-01T00:00:00+00:00", "reason": "it is there"}


@st.composite
def one_record(draw, number, convention):
    kind = draw(st.sampled_from(["labeled", "failed", "truth", "corrected", "undefined", "unanswered"]))
    if kind == "failed":
        return rescore(failed(f"r{number}", draw(TEXTS)), convention)
    relevant = None if kind == "undefined" else draw(st.sets(st.sampled_from(["0a", "0b", "1a"])))
    record = labeled(f"r{number}", question=draw(TEXTS), relevant=relevant, second=draw(st.booleans()))
    labeler = draw(st.sampled_from(["local", "recorded", "somebody's"]))
    record.labels = record.labels.model_copy(update={"labeler": labeler})
    record.generation_model_name = draw(st.none() | TEXTS)
    record.cleaning = draw(st.lists(TEXTS, max_size=2))
    record.usage = draw(st.just({}) | st.just({"total_tokens": 12.0, "calls": 1.0}))
    if draw(st.booleans()):
        record.retrieval = Retrieval(collection="c", top_k=2, confidence=draw(st.floats(0, 1)), action="correct")
    if kind == "unanswered":
        record.response, record.labels = None, None
    elif kind == "truth":
        scores = Truth(scores=dict.fromkeys(METRICS, 0.25), convention=draw(CONVENTIONS))
        alone = record.model_copy(update={"ground_truth": scores})
        record = draw(st.sampled_from([with_truth(record), alone]))
    elif kind == "corrected":
        record.overrides = [EVENT | {"id": f"e{number}", "sentence_key": "b", "field": "supported", "value": "fully"}]
        record = with_corrections(record)  # as every reader of records does
    return rescore(record, convention)


@st.composite
def runs(draw):
    convention = draw(CONVENTIONS)
    return convention, [draw(one_record(number, convention)) for number in range(draw(st.integers(1, 4)))]


def whole(record):
    """Everything but what follows from the run as a whole."""
    return record.model_copy(update={"findings": []}).to_dict()


generated = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@generated
@given(run=runs(), kind=st.sampled_from(["json", "jsonl"]))
def test_a_run_file_and_its_lines_give_back_every_record_as_it_was(store, tmp_path, run, kind):
    convention, records = run
    run_id = brought_in(store, written(tmp_path, kind, convention, records), kind, convention)
    found = [whole(record) for record in from_store(store, run_id).records()]
    store.delete_run(run_id)
    assert found == [whole(record) for record in records]


def test_another_file_is_none_of_ours(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"question": "?", "documents": []}) + "\n")
    assert record_lines(path) is None


def test_records_that_share_an_id_are_all_kept(store, tmp_path):
    path = written(tmp_path, "jsonl", "trace", [labeled("1"), labeled("2"), labeled("3")])
    path.write_text(path.read_text().replace('"id":"2"', '"id":"1"'))
    assert store.columns(brought_in(store, path, "jsonl")).id.tolist() == ["1", "1#2", "3"]


def test_a_copy_of_a_run_with_corrections_can_stand_beside_it(store, tmp_path):
    record = labeled("1")
    record.overrides = [
        EVENT | {"id": "e1", "sentence_key": "b", "field": "supported", "value": "fully"},
        EVENT | {"id": "e2", "sentence_key": "a", "field": "supported", "value": "unsupported"},
        EVENT | {"id": "e3", "sentence_key": "", "field": "undo", "value": "e2"},
    ]
    path = written(tmp_path, "json", "trace", [rescore(with_corrections(record), "trace")])
    [one] = store.records(brought_in(store, path, "json"))
    path.write_text(path.read_text().replace('"id": "r"', '"id": "copy"'))
    [two] = store.records(brought_in(store, path, "json"))
    assert [event["field"] for event in two.overrides] == ["supported", "supported", "undo"]
    assert two.overrides[2]["value"] == two.overrides[1]["id"] != one.overrides[1]["id"]
    assert (one.labels, one.scores) == (two.labels, two.scores)


def test_lines_of_a_run_with_another_divisor_bring_it_along(store, tmp_path):
    path = written(tmp_path, "jsonl", "trace", [rescore(labeled("1"), Scoring("trace", 10))])
    run_id, _ = import_records(
        store, path, record_lines(path), "trace", {"relevance_divisor": 20.0}
    )  # read anew each time
    run = from_store(store, run_id)
    assert run.scoring.divisor == 10
    assert [record.scores.context_relevance for record in run.records()] == [2 / 10]
