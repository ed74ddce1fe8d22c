"""What is read as an object or by labels, and what is refused: one case a line of a table, with why."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.endpoint import TESTS, Payload, QueryError, TooMuch, parse_query
from trace_core.endpoint.examples import CAPITAL
from trace_core.endpoint.names import ALIASES, FIELDS, OTHERS, bare_name
from trace_core.endpoint.payload import LONGEST

A, F, R = ["answer_accuracy"], ["faithfulness"], ["context_recall"]
OPENS = {"1": "It opens at nine."}
TWO = {"c1": "It opens at nine.", "c2": "Tea is free."}
LABELS = "Tests: faithfulness\nAnswer: At nine.\n"
IDS = "Tests: context recall\nContexts:\n[c1] It opens at nine.\n[c2] Tea is free.\nRelevant: "


def read(query):
    """The reader, and what it read: contexts as `{id: text}`, what was not given left out."""
    parsed = parse_query(query)
    found = parsed.payload.model_dump(exclude_defaults=True)
    if parsed.payload.contexts:
        found["contexts"] = {context.id: context.text for context in parsed.payload.contexts}
    return parsed.by, found


def refused(query):
    with pytest.raises(QueryError) as caught:
        parse_query(query)
    return caught.value


# Each: why, the query, what is read.
OBJECTS = [
    (
        "every field has its own name",
        json.dumps({**CAPITAL, "extra": {"engine": "native", "n": [1]}}),
        CAPITAL
        | {
            "contexts": {"ctx1": "Paris is the capital of France.", "ctx2": "Lyon is in France."},
            "extra": {"engine": "native", "n": [1]},
        },
    ),
    (
        "one test, context and truth may be texts",
        '{"tests": "faithfulness", "contexts": "It opens at nine."}',
        {"tests": F, "contexts": OPENS},
    ),
    (
        "names of other tools",
        '{"metrics": ["groundedness"], "user_input": "When?", "response": "At nine.", '
        '"retrieved_contexts": ["It opens at nine."], "reference": "Nine."}',
        {"tests": F, "question": "When?", "answer": "At nine.", "contexts": OPENS, "ground_truth": "Nine."},
    ),
    (
        "case and separators do not count",
        '{"Tests": ["Answer-Relevance"], "Ground Truth": "x", "relevantContextIds": ["1"]}',
        {"tests": ["answer_relevancy"], "ground_truth": "x", "relevant_context_ids": ["1"]},
    ),
    (
        "LangChain's documents",
        '{"tests": ["faithfulness"], "documents": [{"page_content": "It opens at nine.", "metadata": {"page": 3}}]}',
        {"tests": F, "contexts": OPENS},
    ),
    (
        "an object of ids and texts",
        '{"tests": ["faithfulness"], "contexts": {"c1": "It opens at nine.", "c2": "Tea is free."}}',
        {"tests": F, "contexts": TWO},
    ),
    (
        "a number is the text that stands there",
        '{"tests": ["answer_accuracy"], "answer": 3.5, "ground_truth": [3, "4"]}',
        {"tests": A, "answer": "3.5", "ground_truth": ["3", "4"]},
    ),
    (
        "other keys are kept, and read by nobody",
        '{"tests": ["faithfulness"], "row": 7, "skip": "recall"}',
        {"tests": F, "extra": {"unread": {"row": 7, "skip": "recall"}}},
    ),
    ("a test twice is one test", '{"tests": ["faithfulness", " Faithfulness ", "groundedness"]}', {"tests": F}),
    ("all are all six", '{"tests": "all"}', {"tests": list(TESTS)}),
    (
        "another test is kept as it is named",
        '{"tests": ["Answer Correctness", "not faithfulness"]}',
        {"tests": ["Answer Correctness", "not faithfulness"]},
    ),
    (
        "line breaks within texts",
        '{"tests": ["faithfulness"],\n "answer": "At\nnine."}',
        {"tests": F, "answer": "At\nnine."},
    ),
    (
        "null and NaN are nothing",
        '{"tests": ["faithfulness"], "question": null, "extra": {"p": NaN}}',
        {"tests": F, "extra": {"p": None}},
    ),
    (
        "a lone surrogate is replaced",
        '{"tests": ["faithfulness"], "answer": "a\\ud800b"}',
        {"tests": F, "answer": "a�b"},
    ),
    (
        "ids in one text",
        '{"tests": ["context_recall"], "contexts": [{"id": "a b", "text": "x"}], "relevant": "A b"}',
        {"tests": R, "contexts": {"a b": "x"}, "relevant_context_ids": ["a b"]},
    ),
    (
        "a Python literal",
        "{'tests': ('faithfulness',), 'answer': None, 'contexts': ['It opens at nine.',],}",
        {"tests": F, "contexts": OPENS},
    ),
    (
        "in a code fence",
        'Please run this:\n```json\n{"tests": ["faithfulness"], "answer": "x"}\n```',
        {"tests": F, "answer": "x"},
    ),
    ("in a sentence", 'Please run this test: {"tests": ["faithfulness"], "answer": "x"}', {"tests": F, "answer": "x"}),
    ("the only one in a list", '[{"tests": ["faithfulness"], "answer": "x"}]', {"tests": F, "answer": "x"}),
    (
        "the sentence names the tests",
        'Evaluate faithfulness and context recall of {"answer": "x"}',
        {"tests": F + R, "answer": "x"},
    ),
]
BY_LABELS = [
    (
        "a label a line",
        "Evaluate: answer accuracy, context recall\nQuestion: When does it open?\nContexts:\n"
        "[c1] It opens at nine.\n[c2] Tea is free.\nAnswer: At nine.\nGround truth: Nine.\nRelevant ids: c1",
        {
            "tests": A + R,
            "question": "When does it open?",
            "contexts": TWO,
            "answer": "At nine.",
            "ground_truth": "Nine.",
            "relevant_context_ids": ["c1"],
        },
    ),
    (
        "labels after the end of a sentence",
        "Evaluate: context recall. Question: When? Contexts: [c1] It opens at nine. "
        "[c2] Tea is free. Relevant ids: c1, c7",
        {"tests": R, "question": "When?", "contexts": TWO, "relevant_context_ids": ["c1", "c7"]},
    ),
    (
        "short labels, as they are written",
        "Metrics: faithfulness\nQ: When: now?\nA: “At nine.”\nGT: 'Nine.'",
        {"tests": F, "question": "When: now?", "answer": "At nine.", "ground_truth": "Nine."},
    ),
    (
        "a request instead of the first label",
        "Please compute answer accuracy and context recall.\nAnswer: C# is: it",
        {"tests": A + R, "answer": "C# is: it"},
    ),
    (
        "a list of tests",
        "Tests:\n- answer accuracy\n- ROUGE-L\n- answer correctness\nAnswer: A # 1",
        {"tests": [*A, "ROUGE-L", "answer correctness"], "answer": "A # 1"},
    ),
    (
        "capitals, bold labels and Windows' line ends",
        "**TESTS:** faithfulness\r\n\r\n**RESPONSE**: At *nine*.",
        {"tests": F, "answer": "At *nine*."},
    ),
    (
        "labels in another language",
        "Metriken: faithfulness\nFrage: Wann: jetzt?\nAntwort: Um neun.",
        {"tests": F, "question": "Wann: jetzt?", "answer": "Um neun."},
    ),
    (
        "contexts with ids before a colon",
        LABELS + "Contexts:\nc1: It opens at nine.\nc2: Tea is free.",
        {"tests": F, "answer": "At nine.", "contexts": TWO},
    ),
    (
        "ids on one line",
        LABELS + "Contexts: c1: It opens at nine. c2: Tea is free.",
        {"tests": F, "answer": "At nine.", "contexts": TWO},
    ),
    (
        "a label a context",
        LABELS + "Context c1: It opens at nine.\nContext c2: Tea is free.",
        {"tests": F, "answer": "At nine.", "contexts": TWO},
    ),
    (
        "bullets are numbered",
        "Tests: faithfulness.\nContexts:\n- It: opens.\n- Tea.\nAnswer: x: y",
        {"tests": F, "answer": "x: y", "contexts": {"1": "It: opens.", "2": "Tea."}},
    ),
    (
        "numbers are ids",
        "Tests: faithfulness.\nContexts:\n2. It: opens.\n3. Tea.",
        {"tests": F, "contexts": {"2": "It: opens.", "3": "Tea."}},
    ),
    (
        "a word before a colon is part of a text",
        "Tests: faithfulness.\nContext: Note: it is old.",
        {"tests": F, "contexts": {"1": "Note: it is old."}},
    ),
    (
        "a citation within a sentence",
        "Tests: faithfulness.\nContexts: [c1] It [1] opens at nine. [c2] Tea: free.",
        {"tests": F, "contexts": {"c1": "It [1] opens at nine.", "c2": "Tea: free."}},
    ),
    (
        "several ground truths",
        "Tests: answer accuracy.\nAnswer: x: y\nGround truths:\n- Nine.\n- “At 9”",
        {"tests": A, "answer": "x: y", "ground_truth": ["Nine.", "At 9"]},
    ),
    (
        "ids in any case, and one that no context has",
        IDS + "C1 and c9",
        {"tests": R, "contexts": TWO, "relevant_context_ids": ["c1", "c9"]},
    ),
    (
        "nothing after a label is nothing",
        "Tests: faithfulness\nAnswer:\nContext: [x",
        {"tests": F, "answer": "", "contexts": {"1": "[x"}},
    ),
    ("a text is no comment", "tests: faithfulness\nanswer: item #5 # or 6", {"tests": F, "answer": "item #5 # or 6"}),
]
# Each: why, the query, a part of the reason.
REFUSED = [
    ("nothing", " \n", "is empty"),
    ("prose", "How good is this answer?", "neither an object nor text with labels"),
    ("no tests", '{"answer": "x"}', "names no tests"),
    ("an object of other things", '{"x": 1}', "none of the names"),
    ("broken JSON", '{"tests": ["faithfulness"', "Expecting ',' delimiter at line 1, column 26"),
    ("two objects", '{"tests": ["faithfulness"], "answer": "x"} {"answer": "y"}', "Extra data at line 1"),
    ("a key twice", '{"tests": ["faithfulness"], "answer": "x", "answer": "y"}', "a key appears twice"),
    ("a key twice in Python", "{'tests': ['faithfulness'], 'answer': 'x', 'answer': 'y'}", "JSON cannot be read"),
    (
        "two names of one field",
        '{"tests": ["faithfulness"], "answer": "x", "response": "y"}',
        "answer and response differ",
    ),
    ("the sentence names other tests", 'Run context recall: {"tests": ["faithfulness"]}', "different tests"),
    (
        "a correction after the object",
        '{"tests": ["faithfulness"], "answer": "x"} Sorry, the answer is y.',
        "words around the object",
    ),
    ("nested too deeply", '{"tests": ' + "[" * 100_000, "nested too deeply"),
    ("tests that are no names", '{"tests": {"faithfulness": 0.8}}', "tests: a list of names was expected"),
    ("a choice of tests", '{"tests": "faithfulness or context recall"}', "is not the name of a test"),
    ("an answer that is true", '{"tests": ["x"], "answer": true}', "answer: a text was expected"),
    (
        "a number that is written otherwise",
        '{"tests": ["x"], "answer": 1.10}',
        "answer: put this number in quotation marks",
    ),
    ("a context without text", '{"tests": ["x"], "contexts": [{"id": "a"}]}', "contexts[0].text: it is missing"),
    (
        "words in place of ids",
        '{"tests": ["x"], "contexts": ["a", "b"], "relevant": "both"}',
        "no context is called 'both'",
    ),
    ("an extra that is a list", '{"tests": ["x"], "extra": []}', "extra: an object was expected"),
    (
        "another engine",
        '{"tests": ["x"], "extra": {"engine": "other"}}',
        "extra.engine: 'native' or 'ragas' was expected",
    ),
    ("a label twice", LABELS + "Context: x: y\nAnswer: Ten.", "The label Answer appears twice"),
    ("a label in the middle of a line", LABELS + "Context: The form asks Question: why?", "in the middle of a line"),
    ("another label on the same line", "Tests: faithfulness. Answer: At nine. EDIT: At ten.", "'EDIT' may be a label"),
    ("a line that belongs to nothing", LABELS + "see you, Bob: ok", "'see you, Bob: ok' belongs to"),
    ("a text of several lines", LABELS + "and on Sundays at ten: late", "belongs to the text after Answer"),
    ("words before the first label", "I am not sure about this.\n" + LABELS, "I am not sure about this."),
    ("tests twice", "Run context recall.\n" + LABELS, "both before the first label and after one"),
    (
        "a negation among the tests",
        "Tests: not faithfulness\nAnswer: x",
        "'not faithfulness' is not the name of a test",
    ),
    ("lines without marks", LABELS + "Contexts:\nIt opens at nine.\nTea is free.", "'Tea is free.' belongs to"),
    (
        "a line without a mark",
        LABELS + "Contexts:\n[c1] It opens at nine.\nTea is free.",
        "which context 'Tea is free.'",
    ),
    ("marks of two kinds", LABELS + "Contexts:\n[c1] It opens at nine.\nc2: Tea is free.", "which context 'c2: Tea"),
    (
        "a second mark in a line",
        LABELS + "Contexts:\n[c1] It opens. [1] Tea.\n[c2] Soup.",
        "which context '[c1] It opens.",
    ),
    ("an id twice", LABELS + "Contexts:\n[c1] It opens.\n[c1] Tea.", "same id"),
    ("a list after a label", "Tests: answer accuracy\nAnswer: x\nGround truth: [yes, no]", "'[yes, no]'"),
    (
        "objects after a label",
        'Tests: faithfulness\nAnswer: x\nContexts: [{"id": "c1", "text": "y"}]',
        "list or an object",
    ),
    ("an object below a label", LABELS + "Contexts:\n- {id: c1, text: It opens.}", "list or an object"),
    ("a number that is no id", LABELS + "Question 2: When?", "Question 2 is not understood"),
    ("a negation among the ids", IDS + "not c1", "no context is called 'not'"),
]


@pytest.mark.parametrize(("query", "expected"), [case[1:] for case in OBJECTS], ids=[case[0] for case in OBJECTS])
def test_an_object_is_read(query, expected):
    assert read(query) == ("json", expected)


@pytest.mark.parametrize(("query", "expected"), [case[1:] for case in BY_LABELS], ids=[case[0] for case in BY_LABELS])
def test_labels_are_read(query, expected):
    assert read(query) == ("labels", expected)


@pytest.mark.parametrize(("query", "reason"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_what_is_unclear_is_refused_with_its_reason(query, reason):
    error = refused(query)
    assert reason in str(error)
    assert Payload.model_validate(error.payload)
    assert len(str(error)) < 3000


def test_a_refusal_holds_what_was_understood_ready_to_complete():
    error = refused("Tests: faithfulness\nAnswer: At nine.\nor was it ten?\nContexts:\n[c1] It opens at nine.")
    assert "Understood: tests, contexts." in str(error)
    completed = error.payload | {"answer": "At nine."}
    assert read(json.dumps(completed)) == (
        "json",
        {"tests": F, "contexts": {"c1": "It opens at nine."}, "answer": "At nine."},
    )
    assert json.dumps(error.payload) in str(error)


def test_a_refused_object_holds_its_other_fields():
    error = refused('{"tests": ["faithfulness"], "question": [], "answer": "x", "response": "y", "contexts": ["a"]}')
    assert error.payload["tests"] == F
    assert [context["text"] for context in error.payload["contexts"]] == ["a"]


@pytest.mark.parametrize("test", TESTS)
def test_a_test_has_all_its_names(test):
    for name in (test, test.replace("_", " ").title(), *ALIASES[test].split()):
        assert parse_query(json.dumps({"tests": [name]})).payload.tests == [test]
        assert parse_query(f"Evaluate {name}: please.\nAnswer: x").payload.tests == [test]


def test_no_name_means_two_things():
    for table in (FIELDS, {test: f"{ALIASES[test]} {OTHERS.get(test, '')}" for test in TESTS}):
        names = [bare_name(name) for field, given in table.items() for name in {field, *given.split()}]
        assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ({"tests": ["answer_accuracy"], "ground_truth": ["x"] * 21}, "ground_truth: at most 20 are read, not 21"),
        ({"tests": ["faithfulness"], "contexts": ["x"] * 101}, "contexts: at most 100 are read, not 101"),
        ({"tests": [f"t{i}" for i in range(51)]}, "tests: at most 50 are read, not 51"),
        ({"tests": ["x"], "answer": "x" * LONGEST}, "at most 500,000 are read"),
    ],
)
def test_too_much_is_refused(query, reason):
    with pytest.raises(TooMuch, match=reason):
        parse_query(json.dumps(query))


# Whatever is read stood in the query

WORDS = st.sampled_from(
    [
        *"QA:{}'\",#|",
        "Tests",
        "Answer",
        "Contexts",
        "Relevant",
        "Ground truth",
        "\n",
        ". ",
        "- ",
        "[c1] ",
        "c2: ",
        "faithfulness",
        "context recall",
        "and",
        "not",
        "all",
        "“x”",
        "Paris",
        "12.50",
        "&a",
        "*a",
        "\ud800",
    ]
)


@given(st.lists(WORDS, max_size=40).map(" ".join) | st.lists(WORDS, max_size=40).map("".join))
def test_whatever_is_read_stood_in_the_query(query):
    try:
        payload = parse_query(query).payload
    except QueryError:
        return
    texts = [payload.question, payload.answer, *payload.truths, *(c.text for c in payload.contexts)]
    whole = "".join(query.replace("\ud800", "�").split())
    assert [text for text in texts if text and "".join(text.split()) not in whole] == []


@pytest.mark.parametrize(
    "part",
    [
        *("[", "{", '{"a":', "'", '"', "`", "```\n", "\n", " ", "- ", "A: ", "x. A: ", "Tests: ", "[c1] x. ", "a: "),
        *("answer ", "1", "Context 1", ". ", "*", "- - ", "please ", "faithfulness,", "{'a': [", "-", "answer:\n"),
        *("\\", "&a ", "x: [", "not ", "é"),
    ],
)
@pytest.mark.timeout(60)
def test_five_hundred_thousand_characters_of_anything_are_read_to_their_end(part):
    for text in (
        part * (LONGEST // len(part)),
        ("{" + part * (LONGEST // len(part)))[: LONGEST - 1] + "}",
        ("Tests: faithfulness\nAnswer: " + part * LONGEST)[:99_000],
    ):
        with contextlib.suppress(QueryError):
            parse_query(text)
