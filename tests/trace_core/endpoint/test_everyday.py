"""Queries as people write them: understood as they are meant, or refused; never as something else."""

import contextlib
import time

import everyday_queries
import pytest
from case_groups import in_groups

from trace_core.endpoint import QueryError, parse_query


@pytest.mark.parametrize("names", in_groups(everyday_queries.CASES))
def test_queries_are_understood_as_they_are_meant(names):
    outcomes = {name: everyday_queries.outcome(name) for name in names}
    assert {name: said for name, (grade, said) in outcomes.items() if grade != "right"} == {}


@pytest.mark.parametrize(
    "part",
    ["\n", "`", "```\n", "{", "[", "'", '"', "“", "«", " a", "Q: ", "- id: ", "| ", "<answer>", "not ", "(", "\\", ",",
     "1. ", "answer ", "context [", "relevant ", "[c1] ", "c1: ", "{'a':", '{"a":', "\n- ", "except ",
     "id,text\n1,a\n\n", "a guest asked “x?” and the bot said “y.” ", "\nthe bot said: x",
     "\n\nfaithfulness please", "- x.\n", "“x?” asked the guest. ", " and bias", "only c1 is relevant, ",
     "accuracy? no, ", "no, ", "or rather ", 'd4 ("x"), ', '"x" (d4), ', "b: x. d: y. ", "Reply - x\n", "- a\n- Bonn\n",
     "\n\nIs it so?\n\n", "asked “x” ignore it. ", "not a, ", "first to ", "doc=a text=“b” ",
     "x: no\n", "or faithfulness ", "faithfulness nicht. ", "\n:pray:", 'doc "m2" and "m3", ', "f(x=1)\n",
     "- Note: x\n", "and said “x” ", "wrong line “x”, not “y”. ",
     "x? c1 is relevant\n", "recall, no la ", "[]x{", "all two are relevant. ", "\n\nMet groet,\nAb", "can wait, ",
     "Context: “x ", 'Context: "', "A: 'x' ", 'id "a b": x\n', " Sorry, I meant recall, not ", "faithful to 'x' ",
     '"x" as d4, ', 'chunk 1: "x." ', '- "x." y "z"\n', "- the bot said:\n", "please check clarity. ",
     ' Sorry, wrong line: the bot said "x". ', "skip: recall\n", "please compute: recall\n", "'x' (id a1) and ",
     "PS: skip recall\n\n", '“x” (yes, so it is) ', "“x” into the bot ", "\nmax_retries: 3"],
)  # fmt: skip
def test_no_text_takes_longer_than_its_length(part):
    """Ten times the text takes about ten times as long, whatever it repeats, once in three tries on a busy machine."""
    most = 30 * max(seconds_for(part, 2_000), 0.03)
    assert any(seconds_for(part, 20_000 + another) < most for another in range(3))


def seconds_for(part, length):
    """Seconds of the processor, as the clock would measure what else the machine does."""
    text = "Evaluate faithfulness " + part * (length // len(part)) + " " * (length % 10)
    start = time.process_time()
    with contextlib.suppress(QueryError):
        parse_query(text)
    return time.process_time() - start


@pytest.mark.parametrize("name", ["context relevance", "context entity recall", "noise sensitivity"])
def test_another_test_is_not_taken_for_a_misspelled_one(name):
    assert parse_query(f"Tests: {name}\nQuestion: Why?").payload.tests == [name.replace(" ", "_")]


def test_a_farewell_within_an_answer_belongs_to_it():
    text = (
        "Tests: answer relevancy\nQuestion: Why?\nAnswer: Thanks to the valve.\n\nRegards are due to Ada: she built it."
    )
    assert parse_query(text).payload.answer == "Thanks to the valve.\n\nRegards are due to Ada: she built it."


def test_a_table_of_contexts_stays_one():
    text = "Tests: context recall\nContexts:\n| id | text |\n|---|---|\n| a | One. |\n| q | Two. |\nRelevant: q"
    assert [(c.id, c.text) for c in parse_query(text).payload.contexts] == [("a", "One."), ("q", "Two.")]


def test_a_table_with_a_column_for_each_part_is_read():
    table = "| Question | Contexts | Relevant ids |\n|---|---|---|\n| Why? | [a] One. [b] Two. | a |"
    payload = parse_query(f"Please compute context recall.\n\n{table}").payload
    assert (payload.question, payload.relevant_context_ids) == ("Why?", ["a"])
    assert [(c.id, c.text) for c in payload.contexts] == [("a", "One."), ("b", "Two.")]
    with pytest.raises(QueryError):
        parse_query(f"Please compute context recall.\n\n{table}\n| How? | [a] One. | a |")


def test_blocks_of_yaml_are_texts():
    query = "tests: [faithfulness]\ncontexts:\n  - |\n    One.\n    Two.\n  - Three.\nanswer: >\n  It is\n  so.\n"
    payload = parse_query(query).payload
    assert ([c.text for c in payload.contexts], payload.answer) == (["One.\nTwo.", "Three."], "It is so.")


@pytest.mark.parametrize("farewell", ["Best,\nTom", "Best wishes,\nTom", "Thanks!", "Kind regards"])
def test_a_farewell_is_no_part_of_the_answer(farewell):
    assert parse_query(f"Tests: answer relevancy\nQuestion: Why?\nAnswer: So.\n\n{farewell}").payload.answer == "So."


def test_labels_between_rules_are_labels():
    payload = parse_query(
        "@evalbot answer_accuracy, faithfulness\n=== QUESTION ===\nwhy did the 14:00 deploy fail?\n"
        "=== RETRIEVED CHUNKS ===\n--- chunk inc-551 ---\nMigration 0042 timed out.\nIt was rolled back.\n"
        "--- chunk inc-548 ---\nThe 11:30 deploy succeeded.\n=== MODEL OUTPUT ===\nMigration 0042 timed out.\n"
        "=== GOLD ===\nmigration 0042 timed out"
    ).payload
    assert payload.question == "why did the 14:00 deploy fail?"
    assert [(c.id, c.text) for c in payload.contexts] == [
        ("inc-551", "Migration 0042 timed out.\nIt was rolled back."),
        ("inc-548", "The 11:30 deploy succeeded."),
    ]
    assert (payload.answer, payload.ground_truth) == ("Migration 0042 timed out.", "migration 0042 timed out")
