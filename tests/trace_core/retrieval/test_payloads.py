"""The text of a chunk, wherever a payload has it."""

import json

import pytest

from trace_core.retrieval.payloads import document, flat, text_field

DAM, SOUTH = "The north dam is 40 m high and holds the lake.", "The south dam was built in 1931 by the state."
ABOUT = "This file belongs to the set of official documents published by the office of the region. " * 4


def node(text):
    """A node as LlamaIndex stores it."""
    content = {"id_": "n0", "metadata": {"file_name": "f0.txt"}, "relationships": {}, "text": text}
    return {"_node_content": json.dumps(content), "_node_type": "TextNode", "doc_id": "d0", "file_name": "f0.txt"}


def read(payload, field=None):
    """The path that is detected, and the text there."""
    values = flat(payload)
    path = text_field([values])
    return path, document("1", values, field or path).text


@pytest.mark.parametrize(
    ("payload", "path"),
    [
        (node(DAM), "_node_content.text"),
        ({"doc": {"chunk": {"text": DAM, "n": 0}}, "tenant": "a"}, "doc.chunk.text"),
        ({"metadata": {"page": {"inhalt": DAM}}}, "metadata.page.inhalt"),
        ({"content": DAM, "metadata": {"text": ABOUT}}, "content"),
        ({"content": json.dumps({"text": DAM, "lang": "en"}), "title": "A dam"}, "content.text"),
        ({"parts": [{"text": DAM, "n": 1}]}, "parts[].text"),
    ],
)
def test_the_text_is_found_by_its_path(payload, path):
    assert read(payload) == (path, DAM)


@pytest.mark.parametrize("payload", [{"sentences": [DAM, SOUTH]}, {"p": [{"text": DAM}, {"text": SOUTH}]}])
def test_texts_in_a_list_are_one_text(payload):
    assert read(payload)[1] == f"{DAM} {SOUTH}"


@pytest.mark.parametrize(
    ("payload", "path"),
    [
        ({"document": "manual.pdf", "story": DAM}, "story"),
        ({"text": "Yes.", "hash": "f" * 200}, "text"),
        ({"text": "機械学習はデータから学ぶ。", "label": "two words"}, "text"),
        ({"hash": "f" * 40, "n": 3}, None),
        ({}, None),
    ],
)
def test_without_a_usual_name_the_longest_prose_is_the_text(payload, path):
    assert text_field([flat(payload)]) == path


def test_what_all_points_repeat_counts_once():
    assert text_field([{"inhalt": text, "werk": ABOUT[:60]} for text in (DAM, SOUTH)]) == "inhalt"


def test_a_text_that_is_json_stays_one():
    text = '{"pump": {"bar": 15}}'
    assert read({"text": text}, "text")[1] == text
    assert read({"text": '{"pump": 15'}) == ("text", '{"pump": 15')


def test_payloads_are_opened_to_a_depth():
    deep = {"a": 1}
    for _ in range(1000):
        deep = {"a": deep}
    assert len(flat(deep)) == 1
    assert flat({"a": 1, "m": {"b": {"c": 2}}, 3: "x", "n": [1, 2]}) == {"a": 1, "m.b.c": 2, "3": "x", "n": [1, 2]}
    assert flat(None) == {}


@pytest.mark.parametrize(
    ("payload", "identity", "title"),
    [
        ({}, "1", None),
        ({"doc_id": 7, "name": "N"}, "7", "N"),
        ({"metadata": {"document_id": "m", "source": "f.pdf"}}, "m", "f.pdf"),
        ({"id": [1], "title": {"a": 1}}, "1", None),
        (node(DAM), "d0", "f0.txt"),
    ],
)
def test_id_and_title_are_in_the_payload(payload, identity, title):
    found = document("1", flat(payload), "text", 0.5)
    assert (found.id, found.title, found.retrieval_score) == (identity, title, 0.5)
