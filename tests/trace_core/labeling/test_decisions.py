"""The labeler `decisions`, on a server that speaks the protocol of OpenAI's Decisions."""

import json

import pytest
from judge_server import KEY, MODEL, Answer, completion, decided, judge_server, priced, refused, then

from trace_core.errors import SettingsError
from trace_core.facts.labels import Expected, Status
from trace_core.labeling import DecisionsLabeler, make_labeler
from trace_core.llm import Limits, Llm, ReplyCache
from trace_core.llm.prompts import DECISIONS
from trace_core.llm.usage import Price, Prices
from trace_core.pipeline import evaluate

QUESTION = "How much water fits in?"
DOCUMENTS = ["The tank holds two litres. It is made of glass.", "The pump is loud."]
ANSWER = "It holds two litres. It is blue."
MANY = " ".join(f"Sentence {n} is here." for n in range(300))


def helps(p):
    return {"type": "predicate", "name": None, "probability": p}


def chosen(**probabilities):
    pairs = [{"value": value.lstrip("k"), "probability": p} for value, p in probabilities.items()]
    best = max(pairs, key=lambda pair: pair["probability"])
    confidence = best["probability"]
    return {"type": "choice", "choice": best["value"], "confidence": confidence, "probabilities": pairs}


DECLINED = {"type": "refusal", "name": None}
ANSWERS = (
    helps(0.97),
    helps(0.2),
    helps(0.01),
    chosen(k0a=0.9, k0b=0.02, k1a=0.0, several=0.02, general=0.01, none=0.05),
    chosen(k0a=0.1, k0b=0.1, k1a=0.0, several=0.0, general=0.0, none=0.8),
)


def labeler(server, model=MODEL, **more):
    return DecisionsLabeler(server.llm(model, **more))


def labeled_by(server, documents=DOCUMENTS, answer=ANSWER, **more):
    return evaluate(QUESTION, documents, answer, labeler=labeler(server, **more))


def labeled(*answers, **more):
    with judge_server(lambda asked: decided(*answers)) as server:
        return labeled_by(server, **more)


def supports(record):
    entries = record.labels.sentence_support_information
    return {one.response_sentence_key: (one.fully_supported, one.supporting_sentence_keys) for one in entries}


# What is asked


def test_one_request_asks_of_every_document_sentence_and_every_response_sentence():
    with judge_server(lambda asked: decided(*ANSWERS)) as server:
        labeled_by(server)
        (asked,) = server.asked
    assert (asked.path, asked.body["model"]) == ("/v1/decisions", "gpt-6-luna")
    questions = asked.body["questions"]
    kinds = ["predicate"] * 3 + ["choice"] * 2
    assert [(one["type"], one["name"]) for one in questions] == list(zip(kinds, "0a 0b 1a a b".split(), strict=True))
    assert [one["value"] for one in questions[3]["choices"]] == ["0a", "0b", "1a", "several", "general", "none"]
    instructions, material = asked.body["input"]
    assert instructions == {"role": "system", "content": DECISIONS.instructions}
    assert material["role"] == "user"
    assert json.loads(material["content"]) == {
        "documents": [
            [["0a", "The tank holds two litres."], ["0b", "It is made of glass."]],
            [["1a", "The pump is loud."]],
        ],
        "question": QUESTION,
        "response": [["a", "It holds two litres."], ["b", "It is blue."]],
    }


def test_a_servers_own_name_of_the_model_is_used():
    with judge_server(lambda asked: decided(*ANSWERS)) as server:
        judge = labeler(server, model="openai/gpt-6-luna")
        evaluate(QUESTION, DOCUMENTS, ANSWER, labeler=judge)
        assert server.asked[0].body["model"] == "openai/gpt-6-luna"
    assert judge.version.startswith("openai/gpt-6-luna / decisions-1 / ")


def answering(asked):
    """All questions in order: document sentence 0c helps and supports everything, if it may be chosen."""
    answers = []
    for question in asked.body["questions"]:
        values = [choice["value"] for choice in question.get("choices", [])]
        if values:
            assert 2 <= len(values) <= 255
            answers.append(chosen(k0c=0.9, none=0.1) if "0c" in values else chosen(none=0.95, general=0.05))
        else:
            answers.append(helps(0.9 if question["name"] == "0c" else 0.1))
    assert len(answers) <= 400
    return decided(*answers)


def test_more_sentences_than_one_request_holds_take_several_which_are_counted():
    answer = " ".join(f"Claim {n} is made." for n in range(200))
    with judge_server(answering) as server:
        record = labeled_by(server, [MANY], answer)
        requests = [len(asked.body["questions"]) for asked in server.asked]
        shown = [json.loads(asked.body["input"][1]["content"])["documents"][0] for asked in server.asked]
    # 252 sentences may be chosen beside the three other answers; 452 and 248 questions.
    assert requests == [400, 52, 248]
    assert [len(sentences) for sentences in shown] == [252, 252, 48]
    assert record.usage["calls"] == 3
    assert record.labels.all_relevant_sentence_keys == record.labels.all_utilized_sentence_keys == ["0c"]
    assert all(support == (True, ["0c"]) for support in supports(record).values())
    assert len(supports(record)) == 200
    assert record.labels.probabilities.unsupported["a"] == pytest.approx(0.1)


def test_a_sentence_refused_for_one_part_of_the_documents_is_unlabeled_as_a_whole():
    def partly(asked):
        answers = json.loads(answering(asked).body)["answers"]
        whole = any(question["name"] == "0c" for question in asked.body["questions"])
        return decided(*(DECLINED if answer["type"] == "choice" and not whole else answer for answer in answers))

    with judge_server(partly) as server:
        record = labeled_by(server, [MANY], "It is so.")
        assert server.calls == 2
    assert record.labels.statuses(["a"]) == {"a": Status.UNLABELED}
    assert record.labels.all_relevant_sentence_keys == ["0c"]


def test_without_documents_an_answer_may_be_general_or_unsupported():
    with judge_server(lambda asked: decided(chosen(general=0.9, none=0.1))) as server:
        record = labeled_by(server, [], "I do not know.")
        (choices,) = (question["choices"] for question in server.asked[0].body["questions"])
    assert [choice["value"] for choice in choices] == ["general", "none"]
    assert supports(record) == {"a": (True, ["general"])}


# What follows from the answers


def test_labels_are_what_is_more_likely_than_not_and_probabilities_are_kept():
    record = labeled(*ANSWERS)
    assert record.error is None
    assert record.labels.labeler == "decisions"
    assert record.labels.all_relevant_sentence_keys == ["0a"]
    assert record.labels.all_utilized_sentence_keys == ["0a"]
    assert supports(record) == {"a": (True, ["0a"]), "b": (False, [])}
    known = record.labels.probabilities
    assert known.relevant == {"0a": 0.97, "0b": 0.2, "1a": 0.01}
    assert known.unsupported == {"a": 0.05, "b": 0.8}
    # Of `several` (0.02) at least two are meant: 0a for sure, 0b with twice its share of the rest.
    assert known.utilized["0a"] == pytest.approx(1 - (1 - 0.92) * (1 - 0.1))
    assert known.utilized["0b"] == pytest.approx(1 - (1 - 0.02 - 0.02 * 2 * 0.02 / 0.92) * (1 - 0.1), abs=1e-6)
    assert record.raw_reply["answers"][0][0] == ANSWERS[0]


@pytest.mark.parametrize(
    ("choice", "support"),
    [
        (chosen(k0a=0.05, k0b=0.04, k1a=0.0, several=0.9, general=0.0, none=0.01), (True, ["0a", "0b"])),
        (chosen(k0a=0.3, k0b=0.25, k1a=0.2, several=0.25, general=0.0, none=0.0), (True, ["0a"])),
        (chosen(k0a=0.1, k0b=0.1, k1a=0.1, several=0.6, general=0.0, none=0.1), (True, ["0a", "0b", "1a"])),
        (chosen(k0a=0.0, k0b=0.0, k1a=0.0, several=0.0, general=1.0, none=0.0), (True, ["general"])),
        (chosen(k0a=0.0, k0b=0.0, k1a=0.0, several=0.9, general=0.0, none=0.1), (True, [])),
        (chosen(k0a=0.3, k0b=0.1, k1a=0.0, several=0.1, general=0.0, none=0.5), (False, [])),
        (chosen(none=0.3), (True, [])),
    ],
    ids=["two of several", "the likeliest", "all of several", "general", "several, none by name", "none", "none alone"],
)
def test_the_likeliest_supports_a_sentence_and_of_several_the_likely_ones(choice, support):
    record = labeled(helps(0.9), helps(0.1), helps(0.1), choice, answer="It holds two litres.")
    assert supports(record) == {"a": support}


# What is refused, or no answer


def test_a_refused_question_leaves_its_sentence_unlabeled_with_the_reason():
    record = labeled(helps(0.97), DECLINED, helps(0.01), ANSWERS[3], DECLINED)
    assert record.labels.statuses(["a", "b"]) == {"a": Status.FULLY, "b": Status.UNLABELED}
    assert record.scores.undefined["adherence"] == "unlabeled"
    assert any("the model refused to judge 0b, b: unlabeled" in note for note in record.cleaning)
    assert record.labels.probabilities.utilized == {}
    assert record.labels.expected == Expected()


def test_a_record_of_which_every_question_is_refused_fails_and_its_cost_is_known():
    record = labeled(*[DECLINED] * 5, prices=priced(input=1, output=1))
    assert record.error.message == "The model refused every question about this record."
    assert record.usage["cost"] == pytest.approx(110 / 1e6)


ODD = {
    "too few": decided(*ANSWERS[:4]),
    "another kind": decided(*ANSWERS[:4], helps(0.5)),
    "above one": decided(helps(1.5), *ANSWERS[1:]),
    "a word": decided(helps("high"), *ANSWERS[1:]),
    "without none": decided(*ANSWERS[:4], chosen(k0a=1.0)),
    "no object": decided(*ANSWERS[:4], "none"),
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_answers_that_cannot_be_used_are_asked_for_once_more(odd):
    with judge_server(then(odd, decided(*ANSWERS))) as server:
        record = labeled_by(server)
        assert server.calls == 2
    assert supports(record) == {"a": (True, ["0a"]), "b": (False, [])}
    assert any("asked again. The decisions cannot be used" in note for note in record.cleaning)
    with judge_server(lambda asked: odd) as server:
        failure = labeled_by(server)
        assert server.calls == 2
    assert failure.error.message.startswith("The decisions cannot be used: ")
    assert failure.usage["calls"] == 2
    assert "answers" in failure.raw_reply


def test_a_server_without_decisions_is_said_to_lack_a_public_beta():
    with judge_server(lambda asked: refused(404, "Not Found")) as server:
        record = labeled_by(server)
    assert "public beta" in record.error.hint
    assert "TRACE_LABELER=gpt" in record.error.hint


# Cost, cache and retries are those of every other call


def test_a_request_is_paid_for_cached_and_asked_again_as_any_other(tmp_path):
    cache = ReplyCache(tmp_path / "replies.sqlite")
    more = {"cache": cache, "prices": priced(input=1000, output=10_000), "limits": Limits(budget=1.0)}
    with judge_server(then(refused(503), decided(*ANSWERS))) as server:
        first, again = labeled_by(server, **more), labeled_by(server, **more)
        assert server.calls == 2
    cache.close()
    counts = {"calls": 2, "prompt_tokens": 100, "completion_tokens": 10, "cached_tokens": 0}
    assert first.usage == counts | {"cost": pytest.approx(0.2)}
    assert again.usage == {"calls": 0, "from_cache": 1}
    assert again.labels == first.labels


def test_a_budget_needs_the_price_of_the_decision_model():
    prices = Prices(models={MODEL: Price(input=1, output=1)})
    chat = Llm(MODEL, KEY, prices=prices, limits=Limits(budget=1.0))
    with pytest.raises(SettingsError, match="price of gpt-6-luna is not known"):
        DecisionsLabeler(chat)


def test_it_is_chosen_by_name_and_the_shared_client_keeps_its_model():
    with judge_server(lambda asked: decided(*ANSWERS) if "questions" in asked.body else completion("Yes.")) as server:
        chat = server.llm()
        judge = make_labeler("decisions", None, chat)
        assert evaluate(QUESTION, DOCUMENTS, ANSWER, labeler=judge).error is None
        chat.text([{"role": "user", "content": "?"}], purpose="p")
        assert [asked.body["model"] for asked in server.asked] == ["gpt-6-luna", MODEL]
    assert judge.version.startswith("gpt-6-luna / decisions-1 / ")


def test_a_page_of_html_is_no_decision():
    with judge_server(lambda asked: Answer("<html>")) as server:
        record = labeled_by(server)
    assert "The decisions cannot be used" in record.error.message
