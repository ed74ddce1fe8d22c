"""Broken or odd queries: a 4xx with its reason or what was understood, and the next one is served."""

import json
import random

import pytest
import requests

from trace_core.endpoint.examples import CAPITAL, NOVEL, PLAIN

WHOLE = json.dumps(CAPITAL)
NEXT = json.dumps(NOVEL)
FIELDS = list(CAPITAL)
ODD_VALUES = [None, True, -1, 1e999, "", "x", "\ud800", [], [None], [[]], [{}], {}, {"id": {}}, ["a", 1], "[" * 500]
LAYOUTS = [PLAIN, PLAIN.replace("\n", " "), PLAIN.upper(), PLAIN.replace(": ", " = ").replace("\n", "\r\n")]


def half_json():
    """The example cut off, or with one character gone, at twelve places."""
    places = range(1, len(WHOLE), len(WHOLE) // 12)
    return [WHOLE[:place] for place in places][:12] + [WHOLE[:place] + WHOLE[place + 1 :] for place in places][:12]


def wrong_types():
    """Each field in turn with each odd value."""
    return [json.dumps({**CAPITAL, field: value}) for field in [*FIELDS, "extra"] for value in ODD_VALUES]


def deep():
    """Nested past any use, in every place that takes a value."""
    levels = 3000
    return [
        "[" * levels,
        '{"a":' * levels,
        '{"tests": ' + "[" * levels + "]" * levels + "}",
        '{"tests": ["faithfulness"], "extra": ' + '{"a":' * 300 + "1" + "}" * 300 + "}",
        '{"tests": ["faithfulness"], "contexts": ' + "[" * 300 + "]" * 300 + "}",
    ]


def surrogates():
    """Half a character, wherever one may stand."""
    half = "\\udc9f"
    return [
        half,
        f"Tests: {half}\nAnswer: {half}",
        f"Tests: faithfulness\nAnswer: {half}",
        f'{{"tests": ["{half}"]}}',
        f'{{"{half}": 1, "tests": ["answer_relevancy"], "question": "{half}", "answer": "{half} x"}}',
        f'{{"tests": ["x"], "extra": {{"{half}": "{half}"}}}}',
    ]


def words():
    """The example in four layouts, whole and with its characters shaken."""
    chance = random.Random(7)
    shaken = ["".join(chance.sample(layout, len(layout))) for layout in LAYOUTS]
    cut = [layout[: len(layout) // 2] for layout in LAYOUTS]
    return [*LAYOUTS, *shaken, *cut]


def marks():
    """Nothing but marks: what patterns could stumble over."""
    return [
        mark * 50_000 for mark in ("*", "[", "]", ":", "a:", "[a]", "\n", "\t", "- ", "Answer:", "Tests: ", "`", "\x00")
    ]


QUERIES = [
    *(("half JSON", query) for query in half_json()),
    *(("wrong types", query) for query in wrong_types()),
    *(("nested", query) for query in deep()),
    *(("surrogates", query) for query in surrogates()),
    *(("plain language", query) for query in words()),
    *(("marks", query) for query in marks()),
]


def body(query):
    """The surrogates travel as escapes; everything else as JSON writes it."""
    return b'{"query": "' + query.encode() + b'"}' if query.startswith("\\u") else json.dumps({"query": query}).encode()


@pytest.mark.parametrize(("kind", "query"), QUERIES, ids=[f"{kind} {i}" for i, (kind, _) in enumerate(QUERIES)])
def test_a_broken_query_has_a_reason_or_what_was_understood(url, kind, query):
    reply = requests.post(url, data=body(query), headers={"Content-Type": "application/json"}, timeout=60)
    if reply.status_code == 200:
        understood = reply.json()
        assert understood["provided_parameters"]["tests"] == understood["tests"] != []
    else:
        assert reply.status_code == 400
        assert len(reply.json()["detail"]) > 20
    assert requests.post(url, json={"query": PLAIN}, timeout=60).status_code == 200


def test_six_megabytes_are_refused_and_the_next_query_is_served(url):
    assert requests.post(url, json={"query": "x" * 6_000_000}, timeout=60).status_code == 413
    assert requests.post(url, json={"query": NEXT}, timeout=60).status_code == 200
