"""Many records at once: the same labels as one by one, and each distinct sentence embedded once."""

import random

import numpy as np

from trace_core.facts.cleaning import clean
from trace_core.facts.records import Sentences
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.labeling.local.reader import packaged_reader
from trace_core.models.embedding import Embedder

THINGS = ["tank", "pump", "lamp", "wheel", "handle", "filter"]


def items(count=8):
    rng = random.Random(3)
    made = []
    for n in range(count):
        first, second = rng.sample(THINGS, 2)
        documents = [f"The {first} holds {n + 2} litres. It is red.", f"Clean the {second} every {n + 2} weeks."]
        answer = f"The {first} holds {n + rng.choice([2, 3])} litres of water. The {second} was made by Ada Lovelace."
        made.append((f"What is the {first}?", Sentences.split(documents, answer)))
    return made


def values(reply):
    p = reply.probabilities
    return np.array([*p.relevant.values(), *p.utilized.values(), *p.unsupported.values()])


def test_one_by_one_and_together_in_any_order_give_the_same_labels():
    """Each side has its own model object, so that nothing is remembered from the other."""
    shuffled = random.Random(5).sample(items(), 8)
    together = LocalLabeler(Embedder(), packaged_reader()).label_many(shuffled)
    alone = LocalLabeler(Embedder(), packaged_reader())
    for item, reply in zip(shuffled, together, strict=True):
        other = alone.label(*item)
        assert other.raw == reply.raw
        assert np.abs(values(other) - values(reply)).max() < 1e-5


def test_each_distinct_sentence_is_embedded_once():
    asked = []

    class Counting(Embedder):
        def embed(self, texts):
            asked.extend(texts)
            return super().embed(texts)

    LocalLabeler(Counting(), packaged_reader()).label_many([*items(), *items()])
    assert len(asked) == len(set(asked))


def test_every_sentence_has_its_probabilities_and_what_supports_one_is_utilized(model):
    documents = ["The water tank holds 1.8 litres. Fill it with cold water only. The company was founded in 1987."]
    sentences = Sentences.split(documents, "The water tank holds 1.8 litres. The company was founded in 2019.")
    reply = LocalLabeler(model, packaged_reader()).label("How much does the tank hold?", sentences)
    p, keys = reply.probabilities, sentences.document_keys()
    assert list(p.relevant) == list(p.utilized) == keys
    assert list(p.unsupported) == sentences.response_keys()
    assert p.unsupported["b"] > p.unsupported["a"]
    labels = clean(reply.raw, keys, sentences.response_keys()).labels
    used = {key for entry in labels.sentence_support_information for key in entry.supporting_sentence_keys}
    assert used <= set(labels.all_utilized_sentence_keys)
