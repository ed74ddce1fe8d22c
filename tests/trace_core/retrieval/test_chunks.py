import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.errors import InputError
from trace_core.retrieval.chunks import CHUNKING, chunk_spans


def chunks(text, words=CHUNKING.words, overlap=0):
    return [text[begin:end].strip() for begin, end in chunk_spans(text, words, overlap)]


parts = st.sampled_from(["It is. ", "word ", "Why? ", "\n\n", "- ", "x" * 700, "機械は学ぶ。", "3.5 "])
prose = st.lists(parts).map("".join)


def test_a_chunk_holds_whole_sentences():
    assert chunks("One two three. Four five six. Seven.", 7) == ["One two three. Four five six. Seven."]
    assert chunks("One two three. Four five six. Seven.", 6) == ["One two three. Four five six.", "Seven."]
    assert chunks("One two three. Four five six. Seven.", 5) == ["One two three.", "Four five six. Seven."]


def test_a_sentence_longer_than_a_chunk_is_cut_between_words():
    assert chunks("a b c d e f g.", 3) == chunks("a b c d e f g.", 3, 1) == ["a b c", "d e f", "g."]


def test_a_script_without_spaces_is_cut_too():
    text = "機械学習はデータから学ぶ。" * 300
    found = chunks(text)
    assert "".join(found) == text
    assert max(map(len, found)) <= 12 * CHUNKING.words


def test_a_row_of_a_table_and_an_item_of_a_list_are_not_cut():
    table = ["| Tank. Wash it. | Weekly. |", "| Tip. Soak it. | Daily. |"]
    items = ["- Rinse the tank. Dry it.", "- Soak the tip. Then rinse."]
    assert chunks("\n".join([*table, ""]), 8) == table
    assert chunks("\n".join([*items, ""]), 8) == items


def test_a_chunk_begins_with_the_last_sentence_of_the_one_before():
    text = "One two three. Four five six. Seven eight."
    assert chunks(text, 6, 1) == ["One two three. Four five six.", "Four five six. Seven eight."]


@given(st.text(max_size=300) | prose, st.integers(1, 60), st.integers(0, 59))
def test_with_overlap_every_chunk_goes_further_and_nothing_is_lost(text, words, overlap):
    behind = 0
    for begin, end in chunk_spans(text, words, overlap):
        assert text[behind:begin].strip() == ""
        assert end > behind
        assert 0 < len(text[begin:end].split()) <= words
        behind = end
    assert text[behind:].strip() == ""


@pytest.mark.parametrize(("words", "overlap"), [(0, 0), (10, -1)])
def test_chunks_that_would_never_end_are_refused(words, overlap):
    with pytest.raises(InputError):
        chunks("Text.", words, overlap)
