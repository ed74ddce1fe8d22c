"""Run files: written, read, published as a schema, and the same after a way through the store."""

import json
from importlib.resources import files

import jsonschema
import pytest
from run_examples import exported, failed, labeled, run_text, with_truth

from trace_core.errors import InputError
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import open_run
from trace_core.runs.files.schema import json_schema

HOSTILE = "=1+1 <script>\u2028 \u0000 é 日本 🙂"
RECORDS = [
    labeled("1", question=HOSTILE, response=f"{HOSTILE}\n\nCats purr."),
    with_truth(labeled("2", second=True, usage={"total_tokens": 7.0}, seconds={"label": 0.25})),
    labeled("2#2", relevant=None),
    failed("4"),
]


@pytest.fixture
def path(tmp_path):
    made = tmp_path / "run.json"
    made.write_text(run_text(RECORDS, "first", settings={"relevance_divisor": 20}), encoding="utf-8", newline="\n")
    return made


def published():
    return json.loads(files("trace_core.runs.files").joinpath("trace-run-1.schema.json").read_text(encoding="utf-8"))


def test_the_published_schema_is_that_of_the_models_and_a_run_file_is_as_it_says(path):
    """Where this fails: `python -m trace_core.runs > trace_core/runs/files/trace-run-1.schema.json`."""
    assert published() == json_schema()
    jsonschema.Draft202012Validator(published()).validate(json.loads(path.read_text()))


@pytest.mark.parametrize("broken", [{"schema": "trace-run/2"}, {"records": [{"id": 1}]}, {"counts": {}}])
def test_the_schema_refuses_what_a_reader_refuses(path, tmp_path, broken):
    whole = json.loads(path.read_text()) | broken
    assert not jsonschema.Draft202012Validator(published()).is_valid(whole)
    (tmp_path / "broken.json").write_text(json.dumps(whole))
    with pytest.raises(InputError):
        list(open_run(tmp_path / "broken.json").records())


@pytest.mark.parametrize("indent", [None, 0, 2])
def test_what_is_read_in_any_layout_is_what_was_written(path, indent):
    if indent is not None:
        path.write_text(json.dumps(json.loads(path.read_text()), indent=indent))
    source = open_run(path)
    assert (source.block["name"], source.head.counts.failed) == ("first", 1)
    found = [record.model_copy(update={"findings": []}) for record in source.records()]  # those compare with the run
    assert found == [record.model_copy(update={"findings": []}) for record in RECORDS]


def test_every_part_of_a_record_and_the_note_survive_the_store(path, store, tmp_path):
    run_id, _ = import_run(store, path)
    assert exported(from_store(store, run_id)) == path.read_text()
    store.rename(run_id, "a run", "why")
    (tmp_path / "again.json").write_text(text := exported(from_store(store, run_id)))
    store.delete_run(run_id)
    assert import_run(store, tmp_path / "again.json") == (run_id, True)
    assert store.load_run(run_id).note == "why"
    assert exported(from_store(store, run_id)) == text


def test_the_same_run_again_in_whatever_layout_does_nothing(path, store, tmp_path):
    run_id, _ = import_run(store, path)
    before = store.load_run(run_id)
    (tmp_path / "other.json").write_text(json.dumps(json.loads(path.read_text()), indent=1))
    for same in (path, tmp_path / "other.json"):
        assert import_run(store, same) == (run_id, False)
    assert store.load_run(run_id) == before


@pytest.mark.parametrize(
    "change",
    [lambda run: run["run"].update(name="other"), lambda run: run["records"][1].update(question="Other?")],
    ids=["name", "question"],
)
def test_another_run_of_the_same_id_is_refused_and_nothing_changes(path, store, tmp_path, change):
    run_id, _ = import_run(store, path)
    run = json.loads(path.read_text())
    change(run)
    (tmp_path / "other.json").write_text(json.dumps(run))
    with pytest.raises(InputError, match="other content"):
        import_run(store, tmp_path / "other.json")
    assert exported(from_store(store, run_id)) == path.read_text()
