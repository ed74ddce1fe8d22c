"""Plain language: labels in any case and order, contexts in many layouts; what is unclear is refused."""

import pytest

from trace_core.endpoint import TESTS, QueryError, parse_query

EXPECTED = {
    "tests": ["answer_accuracy", "context_recall"],
    "question": "What is the capital of France?",
    "contexts": [
        {"id": "ctx1", "text": "Paris is the capital of France."},
        {"id": "ctx2", "text": "Lyon is in France."},
    ],
    "answer": "Paris",
    "ground_truth": "Paris",
    "relevant_context_ids": ["ctx1"],
}

LINES = """Evaluate: answer accuracy, context recall
Question: What is the capital of France?
Contexts:
[ctx1] Paris is the capital of France.
[ctx2] Lyon is in France.
Answer: Paris
Ground truth: Paris
Relevant ids: ctx1
"""
ONE_LINE = (
    "Evaluate answer_accuracy and context_recall. Question: What is the capital of France? Contexts: "
    "[ctx1] Paris is the capital of France. [ctx2] Lyon is in France. Answer: Paris Ground truth: Paris "
    "Relevant ids: ctx1"
)
SHOUTED_BACKWARDS = """RELEVANT CONTEXTS: CTX1
REFERENCE: "Paris"
RESPONSE: 'Paris'
DOCUMENTS: ctx1: Paris is the capital of France. ctx2: Lyon is in France.
QUESTION: What is the capital of France?
METRICS: ANSWER ACCURACY; CONTEXT-RECALL
"""
MARKDOWN = """## Tests
1. answer_accuracy
2. context_recall

**Question:** What is the capital of France?

**Documents**
- ctx1: Paris is the capital of France.
- ctx2: Lyon is in France.

**Answer:** Paris

**Ground truth:** Paris

**Relevant contexts:** [ctx1]
"""
FIELD_NAMES = """tests = answer_accuracy, context_recall
question = What is the capital of France?
contexts = [{"id": "ctx1", "text": "Paris is the capital of France."}, {"id": "ctx2", "text": "Lyon is in France."}]
answer = Paris
ground_truth = Paris
relevant_context_ids = ["ctx1"]
"""
NUMBERED_LABELS = """Please compute answer accuracy and context recall.
Question: What is the capital of France?
Context ctx1: Paris is the capital of France.
Context ctx2: Lyon is in France.
Answer: Paris
Ground truth: Paris
Relevant: ctx1
"""
LAYOUTS = {
    "a label a line": LINES,
    "all on one line": ONE_LINE,
    "another order, in capitals": SHOUTED_BACKWARDS,
    "Markdown": MARKDOWN,
    "field names": FIELD_NAMES,
    "a label a context": NUMBERED_LABELS,
    "Windows line ends": LINES.replace("\n", "\r\n"),
}


def read(query):
    parsed = parse_query(query)
    assert parsed.by == "rules"
    return parsed.payload.model_dump(exclude_defaults=True)


def contexts(body, label="Contexts"):
    found = read(f"Tests: faithfulness\n{label}: {body}\nAnswer: x").get("contexts", [])
    return [(c["id"], c["text"]) for c in found]


def refused(query):
    with pytest.raises(QueryError) as caught:
        parse_query(query)
    return str(caught.value)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_says_the_same(layout):
    assert read(LAYOUTS[layout]) == EXPECTED


# Tests


@pytest.mark.parametrize("name", TESTS)
def test_every_test_may_be_written_in_words(name):
    assert read(f"Evaluate {name.replace('_', ' ').title()}\nAnswer: x")["tests"] == [name]


def test_the_other_spelling_of_utilisation_is_understood():
    assert read("Metrics: context utilization\nAnswer: x")["tests"] == ["context_utilisation"]


def test_all_names_all_six():
    assert read("Tests: all\nAnswer: x")["tests"] == list(TESTS)


def test_an_unknown_name_is_kept_so_that_the_reply_can_say_so():
    assert read("Tests: BLEU, rouge l and faithfulness\nAnswer: x")["tests"] == ["bleu", "rouge_l", "faithfulness"]


def test_words_that_are_no_names_are_no_tests():
    assert read("Evaluate the faithfulness of this, please\nAnswer: x")["tests"] == ["faithfulness"]


# Contexts


def test_several_bracketed_contexts_on_a_line():
    assert contexts("[a] One. [b] Two.\n[c] Three.") == [("a", "One."), ("b", "Two."), ("c", "Three.")]


def test_a_citation_within_a_text_begins_no_context():
    assert contexts("[c1] One [1] is one [c1].\n[c2] Two.") == [("c1", "One [1] is one [c1]."), ("c2", "Two.")]


def test_a_word_before_a_colon_within_a_text_begins_no_context():
    assert contexts("c1: Note: it is old. c2: New.") == [("c1", "Note: it is old."), ("c2", "New.")]


def test_ids_that_are_words():
    assert contexts("\nintro: One.\nbody: Two.") == [("intro", "One."), ("body", "Two.")]


def test_a_time_is_no_id():
    assert contexts("[c1] It starts at 10:30. Then http://x.y opens.") == [
        ("c1", "It starts at 10:30. Then http://x.y opens.")
    ]


def test_a_text_of_several_lines_stays_one_context():
    assert contexts("[c1] One\ngoes on.\n[c2] Two.") == [("c1", "One\ngoes on."), ("c2", "Two.")]


def test_a_bulleted_list_is_numbered():
    assert contexts("\n- One.\n- Two.") == [("1", "One."), ("2", "Two.")]


def test_a_numbered_list_keeps_its_numbers():
    assert contexts("\n2. Two.\n3) Three.") == [("2", "Two."), ("3", "Three.")]


def test_lines_under_the_plural_are_one_context_each():
    assert contexts("One is this.\nTwo is that.", "Documents") == [("1", "One is this."), ("2", "Two is that.")]


def test_the_singular_is_one_context():
    assert contexts("One\nand the same.", "Context") == [("1", "One\nand the same.")]


def test_a_context_may_hold_a_label_within_a_line():
    query = "Tests: faithfulness\nContext: The form asks. Question: why? Answer: because.\nAnswer: x\nQuestion: y"
    assert read(query)["contexts"] == [{"id": "1", "text": "The form asks. Question: why? Answer: because."}]
    assert read(query)["answer"] == "x"


# The rest


def test_a_ground_truth_label_twice_is_a_list():
    assert read("Tests: accuracy\nAnswer: x\nGround truth: y\nReference: z")["ground_truth"] == ["y", "z"]


def test_relevant_ids_are_found_whatever_their_case():
    query = "Tests: context recall\nContexts: [Doc A] One. [Doc B] Two.\nRelevant: doc a and doc b"
    assert read(query)["relevant_context_ids"] == ["Doc A", "Doc B"]


def test_no_relevant_ids_are_none():
    assert "relevant_context_ids" not in read("Tests: context recall\nContexts: [a] One.\nRelevant ids: none")


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("Hello, how good is my answer?", "neither JSON nor plain language with labels"),
        ("Question: x\nAnswer: y", "names no tests"),
        ("Evaluate this please\nAnswer: y", "names no tests"),
        ("Tests: faithfulness\nAnswer: x\nContext: c\nAnswer: y", "The label Answer stands twice"),
        ("Tests: faithfulness\nAnswer: " + "x" * 200_000, "may hold 200000 characters"),
    ],
)
def test_what_is_unclear_is_refused_with_its_reason(query, reason):
    assert reason in refused(query)
