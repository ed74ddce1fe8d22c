"""Malformed files: a clear error for each, the good rows of a data set accepted, and nothing of the store changed."""

import gzip
import json

import pyarrow
import pytest
from pyarrow import parquet
from run_examples import exported, labeled, run_text, written

from trace_core.datasets import read_dataset
from trace_core.errors import InputError
from trace_core.runs.files.exported import from_store
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.reader import record_lines
from trace_core.store.runs import RunStore

LONG = "x" * 10_000_000
GOOD = {"question": "?", "documents": ["D."], "response": "R."}


@pytest.fixture(scope="module")
def earlier(tmp_path_factory):
    """A store that holds an earlier run."""
    folder = tmp_path_factory.mktemp("malformed")
    opened = RunStore(f"sqlite:///{folder / 'store.db'}")
    import_run(opened, written(folder, "json", "trace", [labeled("1"), labeled("2")]))
    yield opened
    opened.database.close()


def everything(store):
    return "".join(exported(from_store(store, run.id)) for run in store.list_runs())


# Run files: all or nothing

RUN = run_text([labeled("a"), labeled("b")])
EVENT = {"id": "1", "author": "Ada", "created_at": "now", "reason": ""}


def said(*events):
    """The run file with these corrections of its second record, each by a person."""
    events = [
        EVENT | {"id": str(n), "author": author, "sentence_key": key, "field": field, "value": value}
        for n, (author, key, field, value) in enumerate(events)
    ]
    return changed("records", 1, "overrides", events)


def changed(*path_and_value):
    """The run file with one value replaced."""
    *path, last, value = path_and_value
    run = json.loads(RUN)
    place = run
    for step in path:
        place = place[step]
    place[last] = value
    return json.dumps(run)


SUPPORT = ("records", 0, "labels", "sentence_support_information", 0)
FIELD = "row 1, field labels.sentence_support_information"
RUN_FILES = {
    "no JSON": ("hello", "not strict JSON"),
    "not UTF-8": (RUN.encode().replace(b"What of a?", b"caf\xe9"), "row 1"),
    "a list": ("[]", "not a run file"),
    "records that are no list": (changed("records", {}), "field records"),
    "without a run": (RUN.replace('"run":', '"ran":'), "field run"),
    "an unknown convention": (changed("run", "config", "convention", "other"), "field run.config.convention"),
    "a relevant sentence that there is not": (
        changed("records", 1, "labels", "all_relevant_sentence_keys", ["9"]),
        "row 2, field labels.all_relevant_sentence_keys: '9' is not a sentence",
    ),
    "an entry for a sentence that there is not": (
        changed(*SUPPORT, "response_sentence_key", "q"),
        f"{FIELD}.response_sentence_key: 'q' is not a sentence",
    ),
    "support by a sentence that there is not": (
        changed(*SUPPORT, "supporting_sentence_keys", ["7c"]),
        f"{FIELD}.supporting_sentence_keys: '7c' is not a sen",
    ),
    "support in words": (
        changed(*SUPPORT, "fully_supported", "yes"),
        f"{FIELD}[0].fully_supported: True or false was expected.",
    ),
    "a truth of another record": (
        changed(
            "records",
            0,
            "ground_truth",
            {"labels": {"all_relevant_sentence_keys": ["9z"]}, "scores": {}, "convention": "ragbench"},
        ),
        "row 1, field ground_truth.labels.all_relevant_sentence_keys",
    ),
    "a correction that cannot be read": (
        changed("records", 0, "overrides", [EVENT | {"field": "no", "value": True}]),
        "row 1, field overrides[0]",
    ),
    "a correction of a sentence that there is not": (
        said(("Ada", "9z", "relevant", True)),
        "row 2, field correction 0",
    ),
    "of two reviewers one who cannot be alone": (
        said(("Ada", "b", "supporting", ["0b"]), ("Ben", "b", "supported", "partially")),
        "row 2, field correction 1",
    ),
    "a score above 1": (changed("records", 1, "scores", "completeness", 1.5), "row 2, field scores.completeness"),
    "a true score above 1": (
        changed("records", 0, "ground_truth", {"scores": {"adherence": 3}, "convention": "ragbench"}),
        "row 1, field ground_truth.scores.adherence",
    ),
    "scores under another convention": (
        changed("records", 1, "scores", "convention", "ragbench"),
        "row 2, field scores.convention: Its scores are under 'ragbench'",
    ),
    "NaN": (RUN.replace('"context_relevance":0.1', '"context_relevance":NaN'), "row 1: This is not strict JSON"),
    "a number past all bounds": (RUN.replace('"context_relevance":0.1,', '"context_relevance":1e999,'), "row 1"),
    "an id twice": (changed("records", 1, "id", "a"), "row 2, field id"),
    "fewer records than counted": (changed("counts", "total", 9), "2 records where"),
    "cut in a record": (RUN[: RUN.index('"id":"b"') + 40], "row 2"),
    "cut between records": (RUN[: RUN.index('{"id":"b"')], "ends early, after 1 record"),
    "something behind it": (RUN + "more", "follows"),
    "a lone surrogate": (RUN.replace("What of a?", "\\ud800"), "row 1"),
    "10 MB in one field": (RUN.replace("What of a?", LONG), "row 1, field question: A text of 10,000,000"),
    "nested without end": (RUN.replace('"raw_reply":null', f'"raw_reply":{"[" * 100_000}'), "row 1"),
}


@pytest.mark.parametrize("name", RUN_FILES)
def test_a_malformed_run_file_is_refused_and_the_store_is_as_it_was(earlier, tmp_path, name):
    content, said = RUN_FILES[name]
    path = tmp_path / "bad.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    before = everything(earlier)
    with pytest.raises(InputError) as caught:
        import_run(earlier, path)
    assert said in str(caught.value)
    assert caught.value.file == str(path)
    assert everything(earlier) == before


@pytest.mark.parametrize(
    "name", [name for name in RUN_FILES if any(w in name for w in ("there is not", "in words", "above 1"))]
)
def test_lines_of_records_are_checked_as_run_files_are(tmp_path, name):
    content, said = RUN_FILES[name]
    path = tmp_path / "bad.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in json.loads(content)["records"]))
    assert said in "".join(str(line) for line in record_lines(path) if isinstance(line, InputError))


ROWS = {
    "another encoding": ('{"question": "café"}'.encode("latin-1"), "row 2: This is not UTF-8"),
    "a list": (b"[1]", "row 2: An object"),
    "10 MB in one document": (json.dumps(GOOD | {"documents": [LONG]}).encode(), "documents[0]"),
    "nested without end": (b'{"question": ' + b"[" * 100_000, "row 2: This is not JSON"),
}


@pytest.mark.parametrize(("bad", "said"), ROWS.values(), ids=ROWS)
def test_a_bad_row_is_named_and_the_good_ones_are_there(tmp_path, bad, said):
    path, good = tmp_path / "r.jsonl", [json.dumps(GOOD | {"question": q}, ensure_ascii=False) for q in ("Größe?", "?")]
    path.write_bytes(b"\n".join([good[0].encode(), bad, good[1].encode()]))
    found = read_dataset(path)
    (error,) = found.errors
    assert (len(found.items), error.file) == (2, str(path))
    assert said in str(error)


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("r.parquet", b"PAR1 and no more PAR1", "cannot be read as PARQUET"),
        ("r.jsonl.gz", gzip.compress(b"{}", mtime=0), "kind are not read"),
        ("r.csv", gzip.compress(b"question\n?\n" * 1000, mtime=0), "r.csv"),
    ],
)
def test_a_file_that_cannot_be_read_at_all_says_why(tmp_path, file, content, said):
    path = tmp_path / file
    path.write_bytes(content)
    with pytest.raises(InputError, match=said) as caught:
        read_dataset(path)
    assert caught.value.file == str(path)


def test_a_file_of_more_rows_than_are_read_is_refused_before_any(tmp_path):
    path = tmp_path / "long.parquet"
    parquet.write_table(pyarrow.table({"question": pyarrow.array(["?"] * 1_000_001)}), path)
    with pytest.raises(InputError, match="1,000,001 rows"):
        read_dataset(path)
