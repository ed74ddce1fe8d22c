"""What the status of the judge says, and what it is based on."""

from pathlib import Path

import pytest
from judge_server import MODEL, completion, judge_server, redirected, refused

from trace_core.health import folder, judge, store
from trace_core.settings import Settings
from trace_core.store.database import Database


def checked(server, folder):
    address = {"OPENAI_API_KEY": "sk-test-0123456789", "OPENAI_BASE_URL": server.url}
    return judge(Settings(TRACE_DATA_DIR=folder, TRACE_MODEL=MODEL, **address, _env_file=None))


def test_a_judge_is_asked_for_one_word_each_time(tmp_path):
    with judge_server(lambda asked: completion("ok")) as server:
        for calls in (1, 2):  # no cache answers for it
            assert checked(server, tmp_path).detail == f"{MODEL} at {server.url} answers"
            assert server.calls == calls


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (refused(404, "no such model"), "no such model"),
        (completion(""), "The model's reply is empty."),
        (redirected("http://127.0.0.1:1/v1"), "redirects, and nothing is sent elsewhere (307)"),
    ],
)
def test_a_judge_that_does_not_answer_is_not_ok(tmp_path, answer, said):
    with judge_server(lambda asked: answer) as server:
        found = checked(server, tmp_path)
    assert not found.ok
    assert said in found.detail


def test_a_data_folder_of_another_user_is_not_ok(tmp_path, monkeypatch):
    settings = Settings(TRACE_DATA_DIR=tmp_path, _env_file=None)
    (tmp_path / "qdrant").mkdir()
    assert folder(settings).ok
    monkeypatch.setattr("os.geteuid", lambda: 12345)
    assert not folder(settings).ok
    assert "belongs to another user" in folder(settings).detail
    assert folder(Settings(TRACE_DATA_DIR=tmp_path / "none", _env_file=None)).ok


def test_a_data_folder_in_which_nothing_can_be_written_is_not_ok():
    unwritable = folder(Settings(TRACE_DATA_DIR=Path("/proc/self/attr"), _env_file=None))
    assert not unwritable.ok
    assert "/proc/self/attr cannot be written" in unwritable.detail


def test_a_store_that_can_be_read_and_not_written_is_not_ok(tmp_path):
    for options, ok in (("", True), ("?mode=ro&uri=true", False)):
        database = Database(f"sqlite:///file:{tmp_path / 'trace.sqlite'}{options or '?uri=true'}")
        assert store(database).ok  # as the pages look at it
        examined = store(database, examine=True)
        database.close()
        assert (examined.ok, "can be read but not written" in examined.detail) == (ok, not ok)
