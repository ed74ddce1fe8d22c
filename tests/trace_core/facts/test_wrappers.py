"""What wraps an answer is taken off, whatever wraps it; what is part of it stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.facts.records import Record, Response
from trace_core.facts.wrappers import strip_wrappers

ANSWER = "It is 1,240 degrees."
THOUGHTS = [
    "<think>Perhaps 900?</think>{}",
    "Perhaps 900?</think>\n{}",
    "<thinking>\nPerhaps 900?\n</thinking>\n\n{}",
    "<reasoning>Perhaps <think>900</think>?</reasoning> {}",
    "[THINK]Perhaps 900?[/THINK]{}",
    "<|channel|>analysis<|message|>Perhaps 900?<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
    "<|channel>thought\nPerhaps 900?<channel|>{}",
    "analysisPerhaps 900?assistantfinal{}",
    "Thought: perhaps 900?\nAction: search\nObservation: no\nFinal Answer: {}",
    "{}\n<think>Perhaps 900?",
]
TOKENS = [
    "{}</s>",
    "<s>{} </s>",
    "{}<|eot_id|>",
    "{}<|im_end|>\n<|im_start|>user\nAnd the lid?",
    "<|start_header_id|>assistant<|end_header_id|>\n\n{}<|eot_id|>",
    "<start_of_turn>model\n{}<end_of_turn>",
    "{}<｜end▁of▁sentence｜>",
    "{}<eos><pad><pad>",
    "{} [/INST]",
    "[INST] How hot is it? [/INST] {}",
]
OTHERS = [
    "```\n{}\n```",
    "```markdown\n{}\n```",
    '{{"answer": "{}"}}',
    '```json\n{{"answer": "{}", "sources": [1]}}\n```',
    "<answer>{}</answer>",
    "**Final Answer:** {}",
    "Answer: {}",
]


@pytest.mark.parametrize("wrapped", [*THOUGHTS, *TOKENS, *OTHERS])
def test_an_answer_is_what_is_left_without_its_wrapper(wrapped):
    text, names = strip_wrappers(wrapped.format(ANSWER))
    assert text == ANSWER
    assert names


@pytest.mark.parametrize("text", ["<think>Perhaps 900?", "<|channel|>analysis<|message|>Perhaps 900?"])
def test_of_thoughts_without_an_end_nothing_is_left(text):
    assert strip_wrappers(text) == ("", ["thoughts"])


def test_an_object_without_a_field_for_the_answer_is_read_as_lines():
    assert strip_wrappers('{"cooling_time": "nine hours", "colours": 14}')[0] == "cooling time: nine hours\ncolours: 14"


def test_line_breaks_that_are_written_out_break_lines():
    assert strip_wrappers(r"It is hot.\n- It cools.\n- It is new.")[0] == "It is hot.\n- It cools.\n- It is new."


@pytest.mark.parametrize(
    "text",
    [
        ANSWER,
        " It is hot. ",
        "The tag `<think>` opens a thought, <s> strikes, and <|endoftext|> ends a text.",
        "```python\nprint(1)\n```",
        "Here it is:\n```\nx\n```",
        '{"error": "Request failed"}',
        "{} is an empty set",
        r"It is in C:\new. It is hot.",
        "My final answer is nine. The answer: nine.",
        "Thought: a process of the mind.",
    ],
)
def test_what_is_part_of_an_answer_stays(text):
    assert strip_wrappers(text) == (text, [])


@given(st.text() | st.lists(st.sampled_from([*"{}\n\\` <>", "n", '"answer":', *THOUGHTS, *TOKENS])).map("".join))
def test_no_text_raises_and_nothing_is_left_to_take_off_a_short_one(text):
    inside, names = strip_wrappers(text)
    assert names or inside == text


def test_a_record_keeps_the_text_as_it_came_and_says_what_was_taken_off():
    record = Record(id="1", question="", response=Response(text=f"<think>900?</think>{ANSWER}</s>"))
    assert [sentence.text for sentence in record.response.sentences] == [ANSWER]
    assert record.response.original == f"<think>900?</think>{ANSWER}</s>"
    assert record.cleaning == ["answer: thoughts and tokens of a chat template taken off; the text as it came is kept"]
    assert Record.model_validate(record.to_dict()) == record


def test_an_answer_of_thoughts_alone_is_a_failed_generation():
    record = Record(id="1", question="", response=Response(text="<think>Perhaps 900?"))
    assert record.failed_generation == "empty"
    assert Record.model_validate(record.to_dict()) == record
