"""Wrong by the reference, and yet supported: by a document that fits the question, or by noise."""

from dataclasses import replace

import pytest
from metric_examples import labels
from run_examples import support

from trace_core.errors import LabelingError
from trace_core.facts.records import Document, Golden, Record, Response
from trace_core.golden.noise import Noise, against_reference, noise_summary, sensitivity, unmeasurable
from trace_core.labeling import Reply

ANSWER = "It is red. It is old. It is far. It is new."


class Verbatim:
    """Supports a response sentence where the only document says the same; silent on what it is told to `skip`."""

    name, version = "verbatim", "1"

    def __init__(self, skip=()):
        self.skip = skip

    def label(self, question, sentences, progress=None):
        known = {s.text: s.key for document in sentences.documents for s in document}
        response = [s for s in sentences.response if s.key not in self.skip]
        entries = [support(s.key, [known[s.text]] if s.text in known else [], s.text in known) for s in response]
        none = {"all_relevant_sentence_keys": [], "all_utilized_sentence_keys": []}
        return Reply(raw={"sentence_support_information": entries, **none})


def noisy(support, answer=ANSWER, **changed):
    documents = [Document(id=str(i), rank=i + 1, text="It is old. It is so.") for i in range(2)]
    golden = Golden(reference_answer="It is red.")
    made = Record(id="1", question="?", documents=documents, response=Response(text=answer), golden=golden)
    return made.model_copy(update={"labels": labels("0a", "0a", support)} | changed)


def measured(record):
    return sensitivity(record, against_reference(record, Verbatim()))


def test_wrong_yet_supported_is_counted_by_what_supports_it():
    # a is right; b rests on document 0, which is relevant, c on document 1, which is not, d on none
    assert measured(noisy("a+0a b+0b c+1a d-")) == Noise(4, 1 / 4, 1 / 4, 1 / 4, 1 / 4)


def test_corrected_labels_are_followed_without_asking_again():
    correct = against_reference(noisy("a+0a b+0b c+1a d-"), Verbatim())
    assert sensitivity(noisy("a+0a b+1a c+1a d-"), correct) == Noise(4, 1 / 4, 0, 1 / 2, 1 / 4)


def test_sentences_that_came_with_the_record_are_not_split_anew():
    record = noisy("a+0a", "It is red. It is old.")
    (first, _) = record.response.sentences
    record.response.sentences = [replace(first, text=record.response.text, end=21)]
    assert against_reference(record, Verbatim()) == ["a"]  # it has all of the reference


def test_a_right_answer_is_not_wrong_by_a_short_reference():
    record = noisy("a+0a b+0b", "The gate, as it always did, closes at dusk. It does not close at dusk.")
    record.golden = Golden(reference_answer="At dusk.")
    assert against_reference(record, Verbatim()) == ["a"]


def test_a_labeler_that_leaves_a_sentence_out_has_not_measured():
    with pytest.raises(LabelingError, match="every sentence"):
        against_reference(noisy("a+0a"), Verbatim(skip=("b",)))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (noisy("a+0a", labels=None), "the record has no labels"),
        (noisy("a+0a", response=None), "there is no answer"),
        (noisy("a+0a", golden=None), "there is no reference answer"),
        (noisy("a+0a", " "), "there is no answer"),
        (noisy("a+0a", labels=labels(None, "0a", "a+0a")), "its labels do not say what is relevant"),
    ],
)
def test_where_nothing_can_be_measured_the_reason_is_known_before(record, reason):
    assert unmeasurable(record) == reason
    assert sensitivity(record, []) is None


def test_over_a_run_shares_are_means_and_the_undefined_are_counted_by_reason():
    found = noise_summary([Noise(2, 1, 0, 0, 0), Noise(2, 0.5, 0.5, 0, 0), "no labels", "no labels"])
    assert (found["records"], found["measured"], found["undefined"]) == (4, 2, {"no labels": 2})
    assert [level["mean"] for level in found["shares"].values()] == [0.75, 0.25, 0, 0]
    assert noise_summary(["no labels"])["shares"] == {}
