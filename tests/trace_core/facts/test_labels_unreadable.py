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


@pytest.mark.parametrize(
    "listed",
    [
        pytest.param(["the first document"], id="words"),
        pytest.param(["0-2"], id="numbers of documents alone"),
        pytest.param([7], id="a number"),
        pytest.param("all of them", id="words instead of a list"),
        pytest.param({"0a": "relevant"}, id="an object with words for values"),
        pytest.param([{"text": "One two."}], id="objects without a key"),
        pytest.param([None], id="null"),
    ],
)
def test_a_list_of_which_nothing_can_be_read_is_missing(listed):
    labels, notes = cleaned(all_relevant_sentence_keys=listed)
    assert labels.all_relevant_sentence_keys is None
    assert "all_relevant_sentence_keys: nothing in it can be read: missing" in notes


@pytest.mark.parametrize("listed", [[], {}, {"0a": False}, {"0a": "no"}, ["none"], ["N/A"], ["general"], ["9z"]])
def test_a_list_that_names_nothing_here_is_empty(listed):
    labels, _ = cleaned(all_relevant_sentence_keys=listed)
    assert labels.all_relevant_sentence_keys == []


def test_a_list_of_which_something_can_be_read_has_that():
    labels, notes = cleaned(all_relevant_sentence_keys=["0b", "the rest"])
    assert labels.all_relevant_sentence_keys == ["0b"]
    assert "all_relevant_sentence_keys: 'the rest' is no key here: dropped" in notes


@pytest.mark.parametrize(
    ("listed", "read"),
    [
        pytest.param([{"key": "0a"}, {"key": "0b"}], ["0a", "0b"], id="objects with a key"),
        pytest.param([{"sentence_key": "0a", "reason": "it says so"}], ["0a"], id="objects with a key and a reason"),
        pytest.param([["0a", "0b"]], ["0a", "0b"], id="a list within the list"),
        pytest.param(["doc 0a", "sentence 0b"], ["0a", "0b"], id="a word before the key"),
        pytest.param(["0a: One two.", "1a - Aa bb."], ["0a", "1a"], id="the sentence after the key"),
        pytest.param(["0a/0b"], ["0a", "0b"], id="a slash between keys"),
        pytest.param(["0a or 0b"], ["0a", "0b"], id="or between keys"),
        pytest.param(["0 a", "1 a"], ["0a", "1a"], id="a space within the key"),
        pytest.param(["Document 0, sentence a"], ["0a"], id="document and sentence in words"),
    ],
)
def test_a_key_is_read_however_it_is_dressed(listed, read):
    assert cleaned(all_relevant_sentence_keys=listed).labels.all_relevant_sentence_keys == read


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


def test_it_is_noted_where_the_entry_says_that_it_is_supported():
    support = [entry("a"), entry("b", contradicting_sentence_keys=["1a"])]
    assert (
        "fully_supported: true for b, but 1a contradicts it: read as false"
        in cleaned(sentence_support_information=support).notes
    )


def test_a_contradicting_key_that_does_not_exist_contradicts_nothing():
    support = [entry("a"), entry("b", contradicting_sentence_keys=["9z"])]
    labels, _ = cleaned(sentence_support_information=support)
    assert labels.statuses(RESPONSE) == {"a": Status.FULLY, "b": Status.FULLY}


@pytest.mark.parametrize("convention", ["trace", "ragbench"])
def test_a_contradicted_sentence_counts_although_the_list_of_unsupported_ones_lacks_it(convention):
    support = [entry("a"), entry("b", fully=False, contradicting_sentence_keys=["1a"])]
    labels, _ = cleaned(sentence_support_information=support, unsupported_response_sentence_keys=[])
    assert score_of(labels, convention).adherence == 0


# A field that comes twice


def test_a_list_that_comes_twice_with_different_keys_is_missing():
    twice = reply() | {"all_relevant_sentence_keys#": ["0a"], "all_relevant_sentence_keys": []}
    labels, notes = clean(twice, DOCUMENTS, RESPONSE)
    assert labels.all_relevant_sentence_keys is None
    assert "all_relevant_sentence_keys: given twice, and the two differ: missing" in notes


def test_a_list_that_comes_twice_with_the_same_keys_is_one():
    twice = reply() | {"all_relevant_sentence_keys#": ["0a"]}
    assert clean(twice, DOCUMENTS, RESPONSE).labels.all_relevant_sentence_keys == ["0a"]


# Words for true and false


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("fully contradicted by 0b", Status.UNSUPPORTED),
        ("fully fabricated", Status.UNSUPPORTED),
        ("fully false", Status.UNSUPPORTED),
        ("Fully refuted by 0a.", Status.UNSUPPORTED),
        ("fully irrelevant", Status.UNSUPPORTED),
        ("fully hallucinated", Status.UNSUPPORTED),
        ("fully unsupported", Status.UNSUPPORTED),
        ("fully supported by 0a", Status.FULLY),
        ("fully", Status.FULLY),
        ("Fully grounded.", Status.FULLY),
        ("fully backed by the manual", Status.FULLY),
        ("unequivocally supported", Status.FULLY),
        ("unquestionably supported by 0a", Status.FULLY),
        ("unanimously supported", Status.FULLY),
        ("unequivocally", Status.UNLABELED),
        ("undeniably false", Status.UNSUPPORTED),
        ("unsupported", Status.UNSUPPORTED),
        ("unverified", Status.UNSUPPORTED),
        ("unfortunately not", Status.UNSUPPORTED),
        ("unfortunately", Status.UNLABELED),
        ("unclear", Status.UNLABELED),
    ],
)
def test_a_word_for_support_is_read_for_what_it_says(word, status):
    labels, _ = cleaned(sentence_support_information=[entry("a", fully=word, supporting=()), entry("b")])
    assert labels.statuses(RESPONSE)["a"] == status
