"""Our own exports come back: what a format holds is equal, whatever became of a record."""

import json

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from run_examples import failed, labeled, with_truth, written

from trace_core.datasets import read_dataset, to_record
from trace_core.diagnosis.faults import find
from trace_core.errors import InputError
from trace_core.facts.corrections import corrected
from trace_core.facts.records import Retrieval, Truth
from trace_core.metrics import METRICS
from trace_core.pipeline import rescore
from trace_core.runs import from_store, import_run
from trace_core.runs.files.export import table_row
from trace_core.runs.files.own import own_records
from trace_core.runs.files.scored_rows import import_own
from trace_core.store.query_log import log_line
from trace_core.store.runs import RunStore

TEXTS = st.one_of(
    st.sampled_from(["=1+1", "'=1", "''@x", "a; b: c", "1,5", "None", "nan", "[1]", "line\nline", '"q"', "Ä ü 日本"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20).filter(str.strip),
)
CONVENTIONS = st.sampled_from(["trace", "ragbench", "graded", "token"])
EVENT = {"author": "Ada", "created_at": "2026-01-01T00:00:00+00:00", "reason": "it is there"}


def with_scores(record, convention):
    """The record with ground truth of scores alone."""
    truth = Truth(scores=dict.fromkeys(METRICS, 0.25) | {"adherence": 1.0}, convention=convention)
    return record.model_copy(update={"ground_truth": truth})


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
        record = draw(
            st.sampled_from([with_truth(record), with_scores(record, "ragbench"), with_scores(record, "token")])
        )
    elif kind == "corrected":
        record.overrides = [EVENT | {"id": f"e{number}", "sentence_key": "b", "field": "supported", "value": "fully"}]
        record = corrected(record)  # as every reader of records does
    return rescore(record, convention)


@st.composite
def runs(draw):
    convention = draw(CONVENTIONS)
    return convention, [draw(one_record(number, convention)) for number in range(draw(st.integers(1, 4)))]


def imported(folder, kind, convention, records):
    """The records of the store after the file's import."""
    path = written(folder, kind, convention, records)
    store = RunStore(f"sqlite:///{folder / 'store.sqlite'}")
    try:
        if kind == "json":
            run_id, _ = import_run(store, path)
        else:
            run_id, _ = import_own(store, path, list(own_records(path, convention=convention)), convention, {})
        found = list(from_store(store, run_id).records())
        store.delete_run(run_id)
    finally:
        store.database.close()
    return found


def whole(record):
    """Everything but what follows from the run as a whole."""
    return record.model_copy(update={"findings": []}).to_dict()


def with_findings(record):
    """The record with the findings that a run of it has."""
    return record.model_copy(update={"findings": find(record, record.scores)})


generated = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@generated
@given(run=runs(), kind=st.sampled_from(["json", "jsonl"]))
def test_a_run_file_and_its_lines_give_back_every_record_as_it_was(tmp_path, run, kind):
    convention, records = run
    assert [whole(r) for r in imported(tmp_path, kind, convention, records)] == [whole(r) for r in records]


@generated
@given(run=runs())
def test_a_table_gives_back_what_it_holds(tmp_path, run):
    convention, records = run
    again = imported(tmp_path, "csv", convention, records)
    assert [whole(r) for r in again] == [whole(r) for r in records]
    assert [table_row(r) for r in again] == [table_row(with_findings(r)) for r in records]


@generated
@given(run=runs())
def test_the_cells_for_people_give_back_what_they_hold(tmp_path, run):
    convention, records = run
    path = written(tmp_path, "csv", convention, records)
    pd.read_csv(path, dtype=str, keep_default_na=False).drop(columns=["record"]).to_csv(path, index=False)
    again = list(own_records(path, convention=convention))
    # Names, and what follows from labels: what they were made of is not there.
    left_out = {"labeler", "findings", "diagnosis"}

    def kept(record):
        return {name: value for name, value in table_row(record).items() if name not in left_out}

    assert [kept(r) for r in again] == [kept(r) for r in records]


def against(record):
    """The record with a contradicted sentence, which its scores alone do not show."""
    entries = [
        entry.model_copy(update={"contradicting_sentence_keys": ["0a"]} if entry.fully_supported is False else {})
        for entry in record.labels.sentence_support_information
    ]
    return record.model_copy(
        update={"labels": record.labels.model_copy(update={"sentence_support_information": entries})}
    )


def test_a_table_gives_back_labeler_diagnosis_findings_and_reasons(tmp_path):
    empty = labeled("empty", response="")
    empty.labels = empty.labels.model_copy(update={"sentence_support_information": []})
    records = [against(labeled("1")), empty, labeled("3", relevant=None), failed("4")]
    records = [rescore(record, "graded") for record in records]
    path = written(tmp_path, "csv", "graded", records)
    again = written(tmp_path, "csv", "graded", list(own_records(path)))
    table = pd.read_csv(again, dtype=str, keep_default_na=False)
    assert list(table.diagnosis) == ["contradicted", "empty", "unsupported", ""]
    assert list(table.labeler) == ["local", "local", "local", ""]
    assert again.read_text() == path.read_text()


@pytest.mark.parametrize(
    "change",
    [{"response": "Something else."}, {"adherence": "0.5"}, {"true_adherence": "1", "true_convention": "trace"}],
    ids=["answer", "score", "ground truth"],
)
def test_cells_that_a_person_changed_count_and_the_note_says_so(tmp_path, change):
    path = written(tmp_path, "csv", "graded", [rescore(labeled("1", second=True), "graded")])
    [record] = own_records(path)
    assert record.labels
    [record] = own_records(edited(path, change))
    assert record.labels is None
    assert {name: str(table_row(record)[name]).removesuffix(".0") for name in change} == change
    [note] = record.cleaning
    assert ", ".join(change) in note


def test_a_table_that_a_spreadsheet_saved_is_still_whole(tmp_path):
    path = written(tmp_path, "csv", "graded", [rescore(labeled("1", relevant=("0a",)), "graded")])
    [record] = own_records(edited(path, {"context_relevance": "0.333333333", "documents": "2.0"}))
    assert record.labels


def test_a_table_that_lost_a_column_is_still_whole(tmp_path):
    path = written(tmp_path, "csv", "trace", [labeled("1", cleaning=["a note"])])
    pd.read_csv(path, dtype=str, keep_default_na=False).drop(columns=["cleaning"]).to_csv(path, index=False)
    [record] = own_records(path)
    assert (bool(record.labels), record.cleaning) == (True, ["a note"])


def test_a_table_whose_long_cells_were_cut_is_read_without_labels(tmp_path):
    path = written(tmp_path, "csv", "trace", [labeled("1")])
    [record] = own_records(edited(path, {"record": '{"id": "1", "question": "What'}))
    assert (record.labels, record.scores.adherence) == (None, 0)
    assert record.cleaning == [
        "table: its cell “record” is cut or edited, so its labels and document texts were left out"
    ]


def test_a_table_of_before_there_were_cleaning_notes_is_read(tmp_path):
    path = written(tmp_path, "csv", "trace", [labeled("1")])
    table = pd.read_csv(path).drop(columns=["cleaning", "diagnosis"])
    table.to_csv(path, index=False)
    [record] = own_records(path)
    assert (record.id, record.cleaning) == ("1", [])


@generated
@given(run=runs())
def test_a_log_gives_back_what_it_holds(tmp_path, run):
    convention, records = run
    again = imported(tmp_path, "log", convention, records)
    assert [log_line(r) for r in again] == [log_line(r) for r in records]
    assert {r.scores.convention for r in again} == {convention}


@generated
@given(run=runs())
def test_ragbench_rows_give_back_texts_labels_and_ground_truth(tmp_path, run):
    convention, records = run
    records = [r for r in records if r.labels and not r.overrides]
    if not records:
        return
    items = read_dataset(written(tmp_path, "ragbench", convention, records)).items
    again = [rescore(to_record(item, record.id), convention) for item, record in zip(items, records, strict=True)]
    for one, other in zip(records, again, strict=True):
        assert (one.question, one.response.text) == (other.question, other.response.text)
        assert [(d.id, d.text) for d in one.documents] == [(d.id, d.text) for d in other.documents]
        assert one.generation_model_name == other.generation_model_name
        assert (one.labels.labeler, one.ground_truth) == (other.labels.labeler, other.ground_truth)
        assert [getattr(one.scores, name) for name in METRICS] == [getattr(other.scores, name) for name in METRICS]


def test_another_file_is_none_of_ours(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps({"question": "?", "documents": []}) + "\n")
    assert own_records(path) is None


def test_a_line_that_is_wrong_is_named(tmp_path):
    path = written(tmp_path, "jsonl", "trace", [labeled("1"), labeled("2")])
    path.write_text(path.read_text().replace('"id": "2"', '"id": 2'))
    with pytest.raises(InputError, match="row 2, field id"):
        list(own_records(path))


# A file that somebody changed


def edited(path, change):
    """The table with its first row changed."""
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    for column, value in change.items():
        table.loc[0, column] = value
    table.to_csv(path, index=False)
    return path


@pytest.mark.parametrize(
    ("change", "field", "said"),
    [
        ({"context_relevance": "abc"}, "context_relevance", "'abc' is no number"),
        ({"adherence": "0,5"}, "adherence", "'0,5' is no number"),
        ({"adherence": "nan"}, "adherence", "'nan' is no number"),
        ({"context_relevance": "5"}, "context_relevance", "5 lies outside 0 to 1"),
        ({"average": "7"}, "average", "7 lies outside 0 to 1"),
        ({"consistency_score": "-1"}, "consistency_score", "-1 lies outside 0 to 1"),
        ({"true_adherence": "3", "true_convention": "trace"}, "true_adherence", "3 lies outside 0 to 1"),
        ({"expected_documents": "[]", "document_precision": "2"}, "document_precision", "2 lies outside 0 to 1"),
        ({"documents": "x"}, "documents", "'x' is no number"),
        ({"unsupported_sentences": "1.5"}, "unsupported_sentences", "1.5 is no count"),
        ({"documents": "-1"}, "documents", "-1 is no count"),
        ({"convention": "foo"}, "convention", "There is no convention 'foo'"),
    ],
)
def test_a_cell_that_is_wrong_is_named(tmp_path, change, field, said):
    path = edited(written(tmp_path, "csv", "trace", [labeled("1"), labeled("2")]), change)
    with pytest.raises(InputError, match=f"row 1, field {field}: {said}"):
        list(own_records(path))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"trace_scores": dict.fromkeys(METRICS, 7)}, "row 2, field context_relevance: 7 lies outside 0 to 1"),
        ({"trace_scores": dict.fromkeys(METRICS, "x")}, "row 2, field trace_scores.context_relevance: "),
        ({"trace_scores": [1]}, "row 2, field trace_scores: "),
        ({"answer": 5}, "row 2, field answer: "),
        ({"retrieved_ids": None}, "row 2, field retrieved_ids: "),
        ({"retrieved_ids": [None]}, "row 2, field retrieved_ids.0: "),
        ({"token_usage": "x"}, "row 2, field token_usage: "),
        ({"token_usage": {"total_tokens": "x"}}, "row 2, field token_usage.total_tokens: "),
        ({"cleaning": "y"}, "row 2, field cleaning: "),
        ({"undefined": "y"}, "row 2, field undefined: "),
        ({"retrieval_confidence": "y"}, "row 2, field retrieval_confidence: "),
        ({"document_recall": 5, "expected_documents": ["a"]}, "row 2, field document_recall: 5 lies outside 0 to 1"),
        ({"category": 1, "expected_documents": []}, "row 2, field category: "),
        ({"convention": "zzz"}, "row 2, field convention: There is no convention 'zzz'"),
    ],
)
def test_a_line_of_a_log_that_is_wrong_is_named(tmp_path, line, said):
    path = written(tmp_path, "log", "trace", [labeled("1"), labeled("2")])
    first, second = path.read_text().splitlines()
    path.write_text("\n".join((first, json.dumps(json.loads(second) | line))))
    with pytest.raises(InputError, match=said):
        list(own_records(path))


def test_a_line_of_a_log_without_its_query_is_named(tmp_path):
    path = written(tmp_path, "log", "trace", [labeled("1"), labeled("2")])
    first, second = path.read_text().splitlines()
    path.write_text("\n".join((first, json.dumps({k: v for k, v in json.loads(second).items() if k != "query"}))))
    with pytest.raises(InputError, match="row 2, field query: It is missing"):
        list(own_records(path))


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_records_that_share_an_id_are_all_kept(tmp_path, kind):
    path = written(tmp_path, kind, "trace", [labeled("1"), labeled("2"), labeled("3")])
    text = path.read_text()
    path.write_text(text.replace('"id": "2"', '"id": "1"').replace('\n"2",', '\n"1",'))
    assert [record.id for record in own_records(path)] == ["1", "1#2", "3"]


def test_a_table_gives_back_how_many_documents_there_were(tmp_path):
    [record] = own_records(written(tmp_path, "csv", "trace", [labeled("1")]))
    assert len(record.documents) == len(labeled("1").documents)


def corrected_run(tmp_path):
    """A run file with one record that a person corrected, and took back a correction of."""
    record = labeled("1")
    record.overrides = [
        EVENT | {"id": "e1", "sentence_key": "b", "field": "supported", "value": "fully"},
        EVENT | {"id": "e2", "sentence_key": "a", "field": "supported", "value": "unsupported"},
        EVENT | {"id": "e3", "sentence_key": "", "field": "undo", "value": "e2"},
    ]
    return written(tmp_path, "json", "trace", [rescore(corrected(record), "trace")])


def test_a_copy_of_a_run_with_corrections_can_stand_beside_it(tmp_path):
    store = RunStore(f"sqlite:///{tmp_path / 'copies.sqlite'}")
    path = corrected_run(tmp_path)
    whole = json.loads(path.read_text())
    found = []
    for name in ("one", "two"):
        copy = tmp_path / f"{name}.json"
        copy.write_text(json.dumps(whole | {"run": whole["run"] | {"id": f"copy{name}"}}))
        run_id, new = import_run(store, copy)
        assert new
        found += from_store(store, run_id).records()
    store.database.close()
    one, two = found
    assert [event["field"] for event in two.overrides] == ["supported", "supported", "undo"]
    assert two.overrides[2]["value"] == two.overrides[1]["id"] != one.overrides[1]["id"]
    assert one.labels == two.labels
    assert one.scores == two.scores


def test_lines_of_a_run_with_another_divisor_bring_it_along(tmp_path):
    path = written(tmp_path, "jsonl", "trace", [rescore(labeled("1"), "trace", 10.0)])
    store = RunStore(f"sqlite:///{tmp_path / 'divisor.sqlite'}")
    run_id, _ = import_own(store, path, list(own_records(path)), "trace", {"relevance_divisor": 20.0})
    run = from_store(store, run_id)
    assert run.divisor == 10
    assert [record.scores.context_relevance for record in run.records()] == [2 / 10]
    store.database.close()
