import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import NullPool, create_engine, inspect, text

from trace_core.errors import StoreError
from trace_core.facts.labels import Labels
from trace_core.facts.records import Document, Record, Response
from trace_core.metrics import score
from trace_core.store.schema import RECORDS, TRUTHS, VERSION
from trace_core.store.store import RecordStore

HOSTILE = "'; DROP TABLE records; -- \x00 \ud800 \u202e 🙂 <b>$x$</b> %s :id {0}"


def made(record_id="r1", question=HOSTILE):
    record = Record(
        id=record_id,
        created_at="2024-01-01T00:00:00+00:00",
        question=question,
        documents=[Document(id=HOSTILE, rank=1, retrieval_score=0.75, text=HOSTILE)],
        response=Response(text=HOSTILE, citations=[HOSTILE]),
        labels=Labels(all_relevant_sentence_keys=["0a"], relevance_explanation=HOSTILE),
        raw_reply={"any": [HOSTILE, None, 1.5]},
    )
    record.scores = score(record.labels, record.sentences())
    return record


@pytest.fixture
def store(url):
    opened = RecordStore(url)
    yield opened
    opened.database.close()


def rows(url, query):
    engine = create_engine(url)
    with engine.connect() as connection:
        found = [tuple(row) for row in connection.execute(text(query))]
    engine.dispose()
    return found


def test_a_record_comes_back_as_it_was_whatever_its_texts_hold_and_none_before(store):
    assert store.load("r1") is None
    store.save(made())
    assert store.load("r1") == made()


def test_a_record_outlives_its_store_and_the_same_id_replaces_it(store, url):
    store.save(made(question="first"))
    again = RecordStore(url)
    again.save(made())
    assert again.load("r1") == made()
    assert rows(url, "SELECT count(*) FROM bodies") == [(1,)]
    again.database.close()


@pytest.mark.parametrize("number", [1, VERSION + 1])
def test_a_database_of_another_version_is_refused(store, url, number):
    store.save(made())
    with store.database.writing() as connection:
        connection.execute(text(f"UPDATE migrations SET number = {number}"))
    again = RecordStore(url)
    with pytest.raises(StoreError, match="another version"):
        again.load("r1")
    again.database.close()


def test_a_database_of_version_8_is_led_to_this_one(store, url):
    store.save(made())
    with store.database.writing() as connection:
        for name in ("unanswerable denial grounded certified document_recall several doubt nearness left_out").split():
            connection.execute(text(f"ALTER TABLE records DROP COLUMN {name}"))
        connection.execute(text("ALTER TABLE records ADD COLUMN missed DOUBLE PRECISION"))
        for kind in ("relevant", "utilized", "supported"):
            for old, new in (("said", "labels"), ("true", "truth")):
                columns = f"sentence_{kind}_{new} TO sentence_{kind}_{old}"
                connection.execute(text(f"ALTER TABLE truths RENAME COLUMN {columns}"))
        connection.execute(text("UPDATE migrations SET number = 8"))
    again = RecordStore(url)
    assert again.load("r1") == made()
    inspected = inspect(create_engine(url, poolclass=NullPool))
    for table in (RECORDS, TRUTHS):
        assert {column["name"] for column in inspected.get_columns(table.name)} >= set(table.columns.keys())
    again.database.close()


def test_many_stores_open_a_fresh_database_at_once(url):
    stores = [RecordStore(url) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda pair: pair[1].save(made(f"r{pair[0]}")), enumerate(stores)))
    for opened in stores:
        opened.database.close()
    assert rows(url, "SELECT count(*) FROM bodies") == [(6,)]


# Databases that do not work

BROKEN = [
    "postgresql+psycopg://user:s3cret@127.0.0.1:1/trace",
    "postgresql://user:s3cret/x@127.0.0.1/trace",
    "nothing://user:s3cret@host/trace",
    "user:s3cret@host",
    "sqlite:////proc/s3cret/trace.sqlite",
]


@pytest.mark.parametrize("broken", BROKEN)
@pytest.mark.parametrize("action", [lambda s: s.save(made()), lambda s: s.load("r1")])
def test_a_database_that_does_not_work_is_an_error_without_the_password(broken, action):
    store = RecordStore(broken)
    with pytest.raises(StoreError) as caught:
        action(store)
    assert "s3cret" not in str(caught.value)
    assert "TRACE_DATABASE_URL" in caught.value.hint


def test_the_traceback_holds_no_password_either():
    code = f"from trace_core.store.store import RecordStore as S\nS({BROKEN[1]!r}).database.check()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    shown = done.stderr.replace(BROKEN[1], "")  # the code itself names it
    assert "StoreError" in shown
    assert "s3cret" not in shown


def test_a_file_that_is_no_database_is_an_error_and_is_left_as_it_was(tmp_path):
    path = tmp_path / "trace.sqlite"
    path.write_bytes(b"this is a diary, not a database" * 100)
    store = RecordStore(f"sqlite:///{path}")
    with pytest.raises(StoreError, match="is not a SQLite database"):
        store.save(made())
    store.database.close()
    assert path.read_bytes() == b"this is a diary, not a database" * 100


@pytest.mark.parametrize("body", ["{", json.dumps({"id": "r1"})])
def test_a_stored_record_that_is_broken_is_an_error_that_names_it(store, body):
    store.save(made())
    with store.database.writing() as connection:
        connection.execute(text("UPDATE bodies SET body = :body"), {"body": body})
    with pytest.raises(StoreError, match="r1"):
        store.load("r1")


def test_the_latest_questions_come_first(store):
    for day, question in (("01", "First?"), ("03", "Last?"), ("02", "Second?")):
        store.save(Record(id=day, question=question, created_at=f"2026-01-{day}T10:00:00+00:00"))
    assert store.recent(2) == [("03", "Last?"), ("02", "Second?")]
