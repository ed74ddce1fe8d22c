"""Every command as a person runs it: its exit code, what it prints and where."""

import json

import pytest
from run_command import command, process
from run_examples import support

QDRANT = "http://u:s3cret@host:6333"
SCORES = ("relevance_score", "utilization_score", "completeness_score", "adherence_score")


class Commands:
    """Runs commands with one data folder, away from the user's own settings, in this process."""

    def __init__(self, folder):
        self.folder = folder
        self.data = folder / "data"

    def __call__(self, *arguments, **environment):
        return command(self.folder, *arguments, **environment)

    def refused(self, *arguments, **environment):
        """The one message of a command that ends with 2 and prints nothing else."""
        done = self(*arguments, **environment)
        assert (done.returncode, done.stdout) == (2, ""), done
        return done.stderr


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return Commands(tmp_path_factory.mktemp("commands"))


def labeled(row_id, relevant, utilized, *supports, **more):
    return {
        "id": row_id,
        "question": "What is in it?",
        "documents": ["One red. Two blue.", "Three green."],
        "response": "One red. Four.",
        "documents_sentences": [[["0a", "One red."], ["0b", "Two blue."]], [["1a", "Three green."]]],
        "response_sentences": [["a", "One red."], ["b", "Four."]],
        "all_relevant_sentence_keys": relevant,
        "all_utilized_sentence_keys": utilized,
        "sentence_support_information": list(supports),
        **more,
    }


ROWS = [
    labeled("r", ["0a", "0b"], ["0a"], support("a", ["0a"], True), support("b", ["0a"], True)),
    labeled("r", ["0a.", "0a", "9z"], ["0a"], support("a", ["0a"], True), support("b", [], False), relevance_score=1.0),
]


def strict(text):
    """JSON without NaN."""
    return json.loads(text, parse_constant=pytest.fail)


def write(path, rows):
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def rows(run):
    return write(run.folder / "rows.jsonl", ROWS)


# score


@pytest.mark.process
def test_score_writes_a_run_file_without_secrets_and_a_missed_gate_is_3(run, rows):
    out = run.folder / "run.json"
    gate = ("--fail-under", "adherence=0.9")
    assert process(run.folder, "score", rows, "--out", out, *gate, QDRANT_URL=QDRANT).returncode == 3
    text = out.read_text(encoding="utf-8")
    config = strict(text)["run"]["config"]
    assert (config["labeler"], config["convention"]) == ("recorded", "trace")
    assert config["settings"]["qdrant_url"] == "http://host:6333"
    assert "s3cret" not in text
    zero = dict.fromkeys(("undefined", "failed", "failed_generations", "pending"), 0)
    assert strict(text)["counts"] == {"total": 2, "scored": 2} | zero


def test_raw_counts_the_lists_as_they_came(run, rows):
    done = run("score", rows, "--convention", "ragbench", "--raw", "--fail-under", "adherence=0.5")
    assert done.returncode == 0
    found = strict(done.stdout)
    assert [r["scores"]["context_relevance"] for r in found["records"]] == [2 / 3, 3 / 3]
    assert found["summary"]["ground_truth"]["per_metric_rmse"] == {"context_relevance": 0}


def test_bad_rows_stop_before_any_work_and_are_named(run):
    mixed = write(run.folder / "mixed.jsonl", [ROWS[0], "{", {"question": "?", "documents": 7}, ROWS[1]])
    out = run.folder / "never.json"
    said = run.refused("score", mixed, "--strict", "--out", out)
    assert "mixed.jsonl, row 2: This is not JSON" in said
    assert "mixed.jsonl, row 3, field documents:" in said
    assert "2 bad rows, nothing was done" in said
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["no.jsonl"], "no.jsonl: There is no such file"),
        (["rows.jsonl", "--convention", "best"], "'best'"),
        (["rows.jsonl", "--fail-under", "adherence=high"], "adherence=0.9"),
        (["rows.jsonl", "--fail-under", "adherence=nan"], "adherence=0.9"),
        (["rows.jsonl", "--out", "rows.jsonl"], "names the input file"),
        (["rows.jsonl", "--out", "no/folder/run.json"], "no/folder/run.json"),
    ],
)
def test_what_score_cannot_do_is_one_message(run, rows, arguments, said):
    before = rows.read_bytes()
    message = run.refused("score", *arguments)
    assert said in message
    *read, error = message.splitlines()
    assert error.startswith("error: ")
    assert all("Usable rows: " in line for line in read)
    assert rows.read_bytes() == before


# label


def test_label_keeps_every_row_in_its_place(run):
    plain = {"id": "x", "question": "How much?", "documents": ["The tank holds 1.8 litres."], "extra": [1]}
    given = [plain | {"response": "The tank holds 1.8 litres."}, plain | {"response": "Cats purr \ud800."}, ROWS[0]]
    done = run("label", write(run.folder / "plain.jsonl", given), "--labeler", "local")
    assert done.returncode == 0
    made = [strict(line) for line in done.stdout.splitlines()]
    assert [row["id"] for row in made] == ["x", "x", "r"]
    assert made[0]["extra"] == [1]
    assert all({*SCORES, "all_relevant_sentence_keys", "sentence_support_information"} <= set(row) for row in made)
    assert [row["adherence_score"] for row in made[:2]] == [True, False]
    assert made[2]["response_sentences"] == ROWS[0]["response_sentences"]
    assert made[0]["annotating_model_name"].startswith("local")
    assert "3 of 3 rows labeled" in done.stderr


# ingest, collections, ask, doctor


@pytest.fixture(scope="module")
def ingested(run):
    folder = run.folder / "documents"
    folder.mkdir()
    (folder / "tank.md").write_text("# Tank\nThe tank holds 1.8 litres of water.", encoding="utf-8")
    write(folder / "rows.jsonl", [{"id": "filter", "text": "Change the filter every two months."}, {"id": "bad"}])
    return run("ingest", "--collection", "manual", folder, "--skip-bad")


def test_ingest_says_what_it_did_and_what_it_skipped(ingested):
    assert ingested.returncode == 0
    found = strict(ingested.stdout)
    assert (found["collection"], found["sources"], found["chunks"]) == ("manual", 2, 2)
    assert len(found["skipped"]) == 1
    assert "row 2" in found["skipped"][0]


def test_collections_lists_what_is_there_with_the_demo(run, ingested):
    done = run("collections", "--json")
    found = {c["name"]: c for c in strict(done.stdout)}
    assert set(found) == {"espresso-manual", "manual", "rag-handbook"}
    assert (found["manual"]["points"], found["manual"]["text_field"]) == (2, "text")


def test_ask_prints_one_record_and_logs_it(run, ingested):
    done = run("ask", "--collection", "manual", "How much water does the tank hold?", "--json")
    assert done.returncode == 0
    record = strict(done.stdout)
    assert record["response"]["text"] == "The tank holds 1.8 litres of water."
    assert record["scores"]["adherence"] == 1
    assert done.stderr.split() == ["retrieve", "answer", "label", "score"]
    (line,) = (run.data / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    assert strict(line)["query"] == "How much water does the tank hold?"


@pytest.mark.parametrize(
    ("question", "collection", "said"),
    [("?", "no", "There is no collection 'no'"), (" ", "manual", "The question is empty")],
)
def test_what_cannot_be_asked_is_one_message(run, ingested, question, collection, said):
    last = run.refused("ask", "--collection", collection, question).splitlines()[-1]
    assert last.startswith("error: ")
    assert said in last


def test_doctor_says_that_all_is_well(run, ingested):
    done = run("doctor", "--json")
    assert done.returncode == 0
    checks = {check["part"]: check for check in strict(done.stdout)}
    assert set(checks) == {"Qdrant", "Judge", "Store", "Data folder", "Model"}
    assert all(check["ok"] for check in checks.values())
    assert "384" in checks["Model"]["detail"]


def test_doctor_says_what_is_not_and_no_password(run):
    broken = {"QDRANT_URL": "http://u:s3cret@127.0.0.1:1", "TRACE_DATABASE_URL": "postgresql://u:s3cret/x@h/d"}
    done = run("doctor", **broken)
    assert done.returncode == 2
    assert done.stdout.count("not ok") == 2
    assert "s3cret" not in done.stdout + done.stderr
