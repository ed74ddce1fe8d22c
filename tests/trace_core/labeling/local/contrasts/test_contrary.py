"""One changed thing makes a claim false; no text makes the contrasts fail."""

from hypothesis import given
from hypothesis import strategies as st

from trace_core.labeling.local.contrasts import contrary
from trace_core.labeling.local.labeler import LocalLabeler
from trace_core.pipeline import evaluate
from trace_core.retrieval.embedding import embedder

WORDS = """before after first then must may not 4 p.m. 52 minutes hours at least the dog cat until from top to bottom
and , ; . ’"""


def test_the_document_sentence_is_named():
    documents = ["The shop sells bread.", "The journey takes 52 minutes."]
    assert contrary("The journey takes 52 hours.", documents) == 1


def test_a_copy_contradicts_nothing():
    text = "After 4 p.m. the dog must first see the cat for at least 52 minutes."
    assert contrary(text, [text]) is None


def test_the_label_names_the_sentence_and_the_words_that_differ():
    record = evaluate(
        "How long?", ["The journey takes 52 minutes."], "The journey takes 52 hours.", labeler=LocalLabeler(embedder())
    )
    (support,) = record.labels.sentence_support_information
    assert support.contradicting_sentence_keys == ["0a"]
    assert support.explanation == "0a says “minutes”, the answer says “hours”."


def test_the_half_of_the_day_is_told_whole():
    record = evaluate(
        "When?", ["The museum opens at 4 p.m."], "The museum opens at 4 a.m.", labeler=LocalLabeler(embedder())
    )
    assert record.labels.sentence_support_information[0].explanation == "0a says “pm”, the answer says “am”."


@given(st.lists(st.one_of(st.sampled_from(WORDS.split()), st.text(max_size=8)), max_size=40))
def test_no_text_makes_it_fail(words):
    text = " ".join(words)
    assert contrary(text, []) is None
    assert contrary(text, [text, text[::-1]]) in (None, 0, 1)
