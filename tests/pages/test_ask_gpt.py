"""The Ask page with a language model as answerer and judge: a local server that speaks the protocol."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from app_page import AppPage, app_on
from ask_page import FILTER, stored
from judge_server import Asked, JudgeServer, completion, judge_server, refused, streamed
from run_examples import supported

KEY = "sk-test-of-the-visitor-0123456789"
ANSWER = ("Every <b>two</b> months ", "[0]. $x$ It ", "is made of gold.")


def labels(asked: Asked):
    """The first response sentence is supported, the others are not."""
    first, *others = [key for key, _ in asked.material["response"]]
    reply = supported([first]) | {"all_relevant_sentence_keys": ["0a", "0b"], "overall_supported": False}
    no = {"explanation": "Nowhere.", "supporting_sentence_keys": [], "fully_supported": False}
    reply["sentence_support_information"] += [{"response_sentence_key": key, **no} for key in others]
    return reply


def good(asked: Asked):
    return streamed(*ANSWER) if asked.body.get("stream") else completion(labels(asked))


@pytest.fixture(scope="module")
def judge() -> Iterator[JudgeServer]:
    """A judge whose `reply` each test sets."""
    with judge_server(good) as server:
        yield server


@pytest.fixture(autouse=True)
def _nothing_was_asked(judge: JudgeServer) -> None:
    judge.reply = good
    judge.asked.clear()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, judge: JudgeServer) -> Iterator[Path]:
    """With the judge's address, and no key of the owner's."""
    with app_on(tmp_path_factory.mktemp("data"), OPENAI_BASE_URL=judge.url) as folder:
        yield folder


def with_key() -> AppPage:
    """The page of a visitor who brought a key."""
    page = AppPage()
    key = page.find("OpenAI key")
    assert key.proto.type == key.proto.PASSWORD
    return page.fill("OpenAI key", KEY).choose("Answers", "GPT").choose("Labeler", "GPT")


def test_a_visitors_key_answers_and_judges_and_is_kept_nowhere(folder: Path, judge: JudgeServer) -> None:
    page = with_key().ask(FILTER)
    assert "Labels: GPT" in page.text
    assert page.alerts() == []
    assert page.shown()[:2] == ["2 of 38", "0.50"]
    found = stored(folder, page.address["record"])
    assert found.response.text == "".join(ANSWER)
    assert found.response.citations == [found.documents[0].id]
    assert found.usage["calls"] == 2
    assert {asked.authorization for asked in judge.asked} == {f"Bearer {KEY}"}
    assert [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()] == []


@pytest.mark.parametrize(("status", "said"), [(401, "does not accept the key"), (500, "failed (500)")])
def test_a_judge_that_fails_is_one_message_and_the_answer_stays(
    folder: Path, judge: JudgeServer, status: int, said: str
) -> None:
    judge.reply = lambda asked: streamed("Soon.") if asked.body.get("stream") else refused(status, f"You sent {KEY}")
    page = with_key().ask(f"How often do I descale it, by rule {status}?")  # another: a reply that came once is kept
    [message] = page.alerts()
    assert "The step “label” failed" in message
    assert said in message
    assert KEY not in message
    assert page.parts("trace_evidence")[0]["response"][0]["text"] == "Soon."
    found = stored(folder, page.address["record"])
    assert found.response.text == "Soon."
    assert found.scores.adherence is None
    assert found.error.step == "label"


def test_the_labeler_is_named_whose_calls_a_test_of_it_takes(folder: Path) -> None:
    page = with_key().choose("Labeler", "decision model (beta)").tab("Test the label")
    [label] = [one.label for one in page.app.button if one.label.startswith("Break it")]
    assert label.endswith("calls of decision model (beta)")


def test_the_owners_key_is_the_default(tmp_path: Path, judge: JudgeServer) -> None:
    with app_on(tmp_path, OPENAI_BASE_URL=judge.url, OPENAI_API_KEY=KEY):
        assert "Labels: GPT" in AppPage().ask(FILTER).text
    assert {asked.authorization for asked in judge.asked} == {f"Bearer {KEY}"}
