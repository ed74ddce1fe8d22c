"""Everything that can go wrong between the judge and us: what the record holds, and how often the judge was asked.

Each fault befalls one record of three. The other two are as if nothing had happened.
"""

import json
from dataclasses import dataclass, field

import pytest
from judge_server import Answer, completion, judge_server, refused, then
from run_examples import support, supported

from trace_core.diagnosis.rescoring import rescore
from trace_core.facts.records import Document, Record, Response
from trace_core.labeling import GptLabeler
from trace_core.llm import Limits
from trace_core.metrics import METRICS
from trace_core.pipeline import label_all

FAULTY = "Which one is faulty?"
LABELS = supported("a") | {
    "all_relevant_sentence_keys": ["0a", "0b"],
    "overall_supported": False,
    "sentence_support_information": [support("a"), support("b", [], fully=False)],
}
SCORES = {"context_relevance": 2 / 20, "context_utilization": 1 / 2, "completeness": 1 / 2, "adherence": 0}
NONE = dict.fromkeys(METRICS)
TEXT = json.dumps(LABELS)


ONLY_A = LABELS | {"sentence_support_information": LABELS["sentence_support_information"][:1]}
DRAFT = TEXT.replace("false", "true")


def without(*names):
    return {name: value for name, value in LABELS.items() if name not in names}


def cut_before(text):
    """The reply as it is when the model stops just before these words."""
    return TEXT[: TEXT.index(text)]


def cut_after(text):
    return TEXT[: TEXT.index(text) + len(text)]


def supports(change):
    return LABELS | {"sentence_support_information": [change(dict(e)) for e in LABELS["sentence_support_information"]]}


@dataclass(frozen=True)
class Case:
    """The judge's answers to the faulty record, one after the other (the last one again and again), and what is
    expected: the scores, the calls of that record, a word of its error, and a word of its notes."""

    answers: tuple
    scores: dict = field(default_factory=lambda: SCORES)
    calls: int = 1
    error: str = ""
    note: str = ""
    rate_limited: int = 0


OK = completion(LABELS)
SUPPORT = '"sentence_support_information"'
HTML = Answer("<html><body>Bad gateway</body></html>", headers={"Content-Type": "text/html"})


CASES = {
    # The server
    "429 with Retry-After": Case((refused(429, headers={"Retry-After": "0.2"}),) * 5 + (OK,), rate_limited=5),
    "500 always": Case((refused(500, "out of order"),), NONE, 3, "failed (500)"),
    "401": Case((refused(401),), NONE, 1, "does not accept the key"),
    "reset always": Case((Answer(reset=True),), NONE, 3, "cannot be reached, or broke off"),
    "no reply in time": Case((completion(LABELS, wait=1.5), OK), NONE, 1, "did not finish within 0.7 s"),
    "empty body once": Case((Answer(""), OK), calls=2, note="asked again"),
    "HTML body": Case((HTML,), NONE, 2, "a page of HTML"),
    "no choices": Case((Answer('{"choices": []}'),), NONE, 2, "no choices"),
    "prompt too long": Case((refused(400, "maximum context length is 10"),), NONE, 1, "too long for the model"),
    "prompt filtered": Case((refused(400, "no", code="content_filter"),), NONE, 1, "content filter"),
    # Replies that were cut off: nothing of them is read, and the repair does not help
    "cut after the relevant keys": Case(
        (completion(cut_after('["0a", "0b"]'), finish="length"),), NONE, 2, "cut off at the model's length limit"
    ),
    "cut within the utilized keys": Case((completion(TEXT[:-3]),), NONE, 2, "lacks all_relevant"),
    # Replies that were cut off, and the repair helps
    "cut and repaired": Case(
        (completion(cut_before(SUPPORT)), completion(without("relevance_explanation"))),
        calls=2,
        note="asked again for all_relevant_sentence_keys, all_utilized_sentence_keys, sentence_support_information",
    ),
    "a list is missing and repaired": Case((completion(without("all_utilized_sentence_keys")), OK), calls=2),
    # Untidy replies cost no second call
    "unknown keys": Case((completion(LABELS | {"all_relevant_sentence_keys": ["0a", "7q", "0b"]}),), note="7q"),
    "dotted keys": Case(
        (completion(supports(lambda e: e | {"response_sentence_key": f"{e['response_sentence_key']}."})),), note="'a.'"
    ),
    "a missing response sentence": Case(
        (completion(ONLY_A),), SCORES | {"adherence": None}, calls=2, note="no entry for b: unlabeled"
    ),
    "a missing response sentence, given when asked for": Case(
        (completion(ONLY_A), completion({"sentence_support_information": LABELS["sentence_support_information"]})),
        calls=2,
        note="asked again for sentence_support_information",
    ),
    "a missing response sentence, and no reply when asked for": Case(
        (completion(ONLY_A), refused(400)), SCORES | {"adherence": None}, calls=2, note="the repair failed"
    ),
    "a word that nobody understands": Case(
        (completion(supports(lambda e: e | {"fully_supported": "maybe"})),),
        SCORES | {"adherence": None},
        calls=2,
        note="'maybe' is not understood",
    ),
    "a list of which nothing can be read, for good": Case(
        (completion(LABELS | {"all_relevant_sentence_keys": ["the first two"]}),),
        dict.fromkeys(METRICS) | {"adherence": 0},
        calls=2,
        note="nothing in it can be read",
    ),
    "a reply filed under what was thought": Case((completion("", reasoning=TEXT),)),
    "stopped after a draft": Case(
        (completion(f"{DRAFT} But b", finish="length"), completion(LABELS)), calls=2, note="asked again for all_rel"
    ),
    "fully_supported null": Case(
        (completion(supports(lambda e: e | {"fully_supported": None})),), note="null for b, read as false"
    ),
    # Replies that are none
    "a refusal": Case((completion(None, refusal="I will not."),), NONE, 1, "The model refused: “I will not.”"),
    "an empty message": Case((completion(None),), NONE, 3, "The model's reply is empty"),
}


def record(name, question):
    return Record(
        id=name,
        question=question,
        documents=[Document(id="d", rank=1, text="The tank is red. It holds water.")],
        response=Response(text="The tank is red. It can fly."),
    )


def replies(case):
    """The faulty record's answers in turn; every other record is answered well."""
    turn = then(*case.answers)
    return lambda asked: turn(asked) if asked.material["question"] == FAULTY else OK


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_fault_touches_its_own_record_alone(case):
    records = [record("1", "One?"), record("2", FAULTY), record("3", "Three?")]
    with judge_server(replies(case)) as server:
        llm = server.llm(limits=Limits(seconds=0.7))
        first, faulty, last = label_all(records, GptLabeler(llm))
        asked = [a for a in server.asked if a.material["question"] == FAULTY]
    assert len(asked) - case.rate_limited == case.calls <= 3
    check_faulty(rescore(faulty, "trace"), case)
    for other in (first, last):
        assert other.error is None
        assert other.usage["calls"] in (1, 2, 3)
        assert scores(rescore(other, "trace")) == pytest.approx(SCORES)
    assert last.usage["calls"] == 1  # what was learned of the server is remembered


def check_faulty(found, case):
    assert scores(found) == pytest.approx(case.scores)
    assert (found.error is None) == (not case.error)
    if found.error:
        assert found.error.step == "label"
        assert case.error in found.error.message + found.error.hint
        assert found.labels is None
    else:
        assert found.raw_reply
    assert case.note in " | ".join(found.cleaning)
    assert found.usage.get("calls", 0) == case.calls
    assert found.usage.get("rate_limited", 0) == case.rate_limited
    assert found.seconds["label"] > 0
    # Missing is not zero: an undefined score has its reason.
    assert set(found.scores.undefined) == {name for name, value in case.scores.items() if value is None}


def scores(found):
    return {name: getattr(found.scores, name) for name in METRICS}
