"""The key is in the requests and nowhere else, whatever fails and whatever a server says."""

import json
import logging
from contextlib import closing
from pathlib import Path

import pytest
from judge_server import Answer, completion, judge_server, refused, streamed
from run_examples import run_file, supported

from trace_core.errors import LlmError
from trace_core.labeling import GptLabeler
from trace_core.llm import Limits, Message, ReplyCache, llm_from
from trace_core.pipeline import evaluate
from trace_core.settings import Settings
from trace_core.store.query_log import QueryLog
from trace_core.store.store import RecordStore

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[3]
KEY = "sk-s3cret-of-mine-0123456789"
LABELS = supported("") | {"relevance_explanation": f"The key is {KEY}.", "all_relevant_sentence_keys": ["0a", KEY]}
ASKED = [Message(role="user", content="?")]
ECHOES = {
    "a good reply": lambda asked: completion(LABELS),
    "401": lambda asked: refused(401, f"Incorrect API key provided: {KEY}"),
    "400": lambda asked: refused(400, f"{asked.authorization}?"),
    "500": lambda asked: Answer(f"<pre>Authorization: {asked.authorization}</pre>", status=500),
    "429": lambda asked: refused(429, KEY, code="insufficient_quota"),
    "HTML": lambda asked: Answer(f"<html>{asked.authorization}</html>"),
    "prose": lambda asked: completion(f"My key is {KEY}"),
    "reset": lambda asked: Answer(reset=True),
}


@pytest.mark.parametrize("reply", ECHOES.values(), ids=ECHOES)
def test_a_server_that_repeats_the_key_does_not_get_it_kept(reply, tmp_path, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    with judge_server(reply) as server:
        llm = server.llm(key=KEY, cache=ReplyCache(tmp_path / "replies.sqlite"), limits=Limits(seconds=2))
        record = evaluate("?", ["One."], "One.", labeler=GptLabeler(llm))
        assert server.asked[0].authorization == f"Bearer {KEY}"
    store = RecordStore(f"sqlite:///{tmp_path / 'trace.sqlite'}")
    store.save(record)
    with closing(QueryLog(tmp_path / "queries.jsonl")) as log:
        log.append(record)
    run = run_file([record], "r", convention="trace", labeler="gpt", settings={})
    (tmp_path / "run.json").write_text(json.dumps(run), encoding="utf-8")
    assert holding(tmp_path) == []
    assert KEY not in caplog.text
    assert KEY not in "".join(capfd.readouterr())
    assert KEY not in repr(llm) + repr(record) + str(record.error)


def test_a_stream_that_repeats_the_key_does_not_get_it_kept(tmp_path):
    pieces = streamed(f"It is {KEY}, ", "that is sk-s3cret-", "of-mine-0123456789", " or so.")
    with judge_server(lambda asked: pieces) as server:
        llm = server.llm(key=KEY, cache=ReplyCache(tmp_path / "replies.sqlite"))
        shown = []
        reply = llm.text(ASKED, purpose="p", on_text=shown.append)
    assert KEY not in shown[0]
    assert reply.text == "It is [key], that is [key] or so."
    assert holding(tmp_path) == []


@pytest.mark.parametrize("cut", [1, 8, len(KEY) - 1])
def test_a_key_that_comes_in_two_pieces_is_not_shown(cut):
    pieces = streamed("It is ", KEY[:cut], f"{KEY[cut:]} or sk-", "none", " sk-s")
    with judge_server(lambda asked: pieces) as server:
        shown = []
        reply = server.llm(key=KEY).text(ASKED, purpose="p", on_text=shown.append)
    assert "".join(shown) == reply.text == "It is [key] or sk-none sk-s"


def test_a_key_that_is_written_as_an_escape_is_not_kept():
    body = completion("It is it.").body.replace("It is it.", KEY.replace("s", "\\u0073"))
    with judge_server(lambda asked: Answer(body)) as server:
        assert server.llm(key=KEY).text(ASKED, purpose="p").text == "[key]"


def test_user_info_in_the_address_is_not_shown():
    settings = Settings(OPENAI_BASE_URL="http://u:s3cret@127.0.0.1:1/v1?k=s3cret", _env_file=None)
    with pytest.raises(LlmError) as caught:
        llm_from(settings).text(ASKED, purpose="p")
    assert "s3cret" not in str(caught.value)
    assert "http://127.0.0.1:1/v1 cannot be reached" in str(caught.value)


def holding(folder):
    """The files that hold the key."""
    return [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
