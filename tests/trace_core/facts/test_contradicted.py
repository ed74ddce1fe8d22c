"""A response sentence that a document sentence contradicts: unsupported for every score, shown as its own."""

import pytest
from label_examples import cleaned, entry
from review_examples import event

from trace_core.evidence import view
from trace_core.facts.corrections import Correction, effective
from trace_core.facts.labels import Status
from trace_core.facts.records import Document, Record, Response, Sentences
from trace_core.metrics import CONVENTIONS, score

MUSEUM, ANSWER = "The museum is closed on Mondays. It opens at nine.", "It is open on Mondays."
SENTENCES = Sentences.split([MUSEUM], ANSWER)


def labels(unsupported=None, **changes):
    """The labels of a reply whose one sentence is contradicted by 0a."""
    said = entry("a", fully=False, contradicting_sentence_keys=["0a"]) | changes
    raw = {"all_relevant_sentence_keys": ["0a"], "all_utilized_sentence_keys": []}
    raw |= {"sentence_support_information": [said], "unsupported_response_sentence_keys": unsupported}
    return cleaned(raw, SENTENCES.document_keys(), SENTENCES.response_keys()).labels


def test_what_contradicts_is_kept_cleaned_like_any_key():
    (support,) = labels(contradicting_sentence_keys=["0a.", "0A", "9z", "0a and 0b"]).sentence_support_information
    assert support.contradicting_sentence_keys == ["0a", "0b"]
    assert support.contradicted


@pytest.mark.parametrize("fully", [True, None, False, "supported"])
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_it_counts_as_unsupported_whatever_else_the_labels_say(fully, convention):
    found = labels([], fully_supported=fully, supporting_sentence_keys=["0b"])
    assert found.statuses("a") == {"a": Status.UNSUPPORTED}
    assert score(found, SENTENCES, convention).adherence == 0


def test_two_entries_are_joined_with_all_that_contradicts():
    both = [entry("a", fully=False, contradicting_sentence_keys=[key]) for key in ("0a", "0b")]
    (support,) = cleaned({"sentence_support_information": both}).labels.sentence_support_information[:1]
    assert support.contradicting_sentence_keys == ["0a", "0b"]


def test_the_evidence_marks_it_beside_the_sentence_that_contradicts_it():
    texts = {"documents": [Document(id="0", rank=1, text=MUSEUM)], "response": Response(text=ANSWER)}
    shown = view(Record(id="1", question="When?", labels=labels(), **texts))
    (sentence,) = shown["response"]
    assert (sentence["status"], sentence["mark"], sentence["word"]) == ("contradicted", "≠", "contradicted")
    assert (sentence["supports"], sentence["against"]) == ([], ["0a"])
    assert shown["documents"][0]["sentences"][0]["contradicts"] == ["a"]
    assert [count["word"] for count in shown["counts"]["response"]] == ["contradicted"]


@pytest.mark.parametrize("value", ["fully", "unsupported"])
def test_a_persons_word_on_the_sentence_takes_the_contradiction_away(value):
    ada = Correction.model_validate(event("supported", "a", value, "Ada"))
    changed = effective(labels(), SENTENCES, [ada])
    assert not changed.sentence_support_information[0].contradicted
