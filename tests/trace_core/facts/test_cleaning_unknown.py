"""What a judge says and nobody can read is not known: never an empty list, and never a yes."""

import pytest

from trace_core import Document, Record, clean, score
from trace_core.facts.labels import Status
from trace_core.facts.records import Response, with_sentences

DOCUMENTS, RESPONSE = ["0a", "0b", "1a"], ["a", "b"]


def entry(key, fully=True, supporting=("0a",), **more):
    return {
        "response_sentence_key": key,
        "supporting_sentence_keys": list(supporting),
        "fully_supported": fully,
        **more,
    }


def reply(**changes):
    whole = {
        "all_relevant_sentence_keys": ["0a"],
        "all_utilized_sentence_keys": ["0a"],
        "sentence_support_information": [entry("a"), entry("b")],
    }
    return whole | changes


def cleaned(**changes):
    return clean(reply(**changes), DOCUMENTS, RESPONSE)


def test_an_unsupported_list_of_which_nothing_can_be_read_does_not_clear_the_answer():
    labels, _ = cleaned(
        sentence_support_information=[entry("a"), entry("b", fully=False, supporting=())],
        unsupported_response_sentence_keys=["the last sentence"],
    )
    assert score_of(labels, "ragbench").adherence == 0


def score_of(labels, convention):
    texts = [Document(id="1", rank=1, text="One two. Three four."), Document(id="2", rank=2, text="Five six.")]
    record = Record(id="1", question="?", documents=texts, response=Response(text="Ans one. Ans two."))
    return score(labels, with_sentences(record).sentences(), convention)


# A sentence that a document contradicts


@pytest.mark.parametrize("fully", [True, None, False, "yes", "supported"])
@pytest.mark.parametrize("convention", ["trace", "ragbench", "graded", "token"])
def test_a_contradicted_sentence_is_unsupported_whatever_else_its_entry_says(fully, convention):
    support = [entry("a"), entry("b", fully=fully, contradicting_sentence_keys=["1a"])]
    labels, _ = cleaned(sentence_support_information=support)
    assert labels.sentence_support_information[1].contradicted
    assert labels.statuses(RESPONSE) == {"a": Status.FULLY, "b": Status.UNSUPPORTED}
    assert score_of(labels, convention).adherence == (0.5 if convention == "graded" else 0)


@pytest.mark.parametrize("convention", ["trace", "ragbench"])
def test_a_contradicted_sentence_counts_although_the_list_of_unsupported_ones_lacks_it(convention):
    support = [entry("a"), entry("b", fully=False, contradicting_sentence_keys=["1a"])]
    labels, _ = cleaned(sentence_support_information=support, unsupported_response_sentence_keys=[])
    assert score_of(labels, convention).adherence == 0
