"""What a sentence of an answer says once its frame is taken off: list marks, who says it, and mere introductions."""

import pytest

from trace_core.labeling.local.framing import introduces, unframed, without_next_marks


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            ["1. Open the settings 2.", "Go to General 3.", "Choose a timer."],
            ["1. Open the settings", "Go to General", ""],
        ),
        (["To do so: 1.", "Open the door. 2.", "Close it."], ["To do so:", "Open the door.", ""]),
        (["First do this:\n\n1.", "Press the button.\n\n2.", "Wait."], ["First do this:", "Press the button.", ""]),
        (["1) Open it 2)", "Close it."], ["1) Open it", ""]),
        (["1. Open it 2.", "Choose a time.", "Press Start 4."], ["1. Open it", "", "Press Start"]),
        (["The volume is 80 dB. 7.", "It is loud! 9."], ["The volume is 80 dB.", "It is loud!"]),
    ],
)
def test_the_number_of_the_next_item_is_no_part_of_a_sentence(answer, told):
    assert without_next_marks(answer) == [said or text for said, text in zip(told, answer, strict=True)]


@pytest.mark.parametrize(
    "answer",
    [
        ["It was built in 1911.", "It has 2."],
        ["The tank holds 2."],
        ["It is told there (p. 3)", "See document 2, p. 3.", "It is table no. 4.", "It weighs approx. 7."],
        ["The children are 3.", "The parents are 40."],
        ["There are two halls.", "The larger one is number 7."],
        ["The bus is line 4.", "It leaves from stop 5."],
    ],
)
def test_a_number_that_continues_no_list_stays(answer):
    assert without_next_marks(answer) == answer


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("According to the context, the pool opens at nine.", "The pool opens at nine."),
        ("Based on the provided documents, the pool opens at nine.", "The pool opens at nine."),
        ("The context states that the pool opens at nine.", "The pool opens at nine."),
        ('The document says: "The pool opens at nine."', "The pool opens at nine."),
        ("As stated in the text, the pool opens at nine.", "The pool opens at nine."),
        ("Just keep in mind that dogs are not allowed.", "Dogs are not allowed."),
        ("Please note that the pool opens at nine.", "The pool opens at nine."),
        ("Remember, the pool opens at nine.", "The pool opens at nine."),
        ("As mentioned in the given passage, it opens at nine.", "It opens at nine."),
        ("The passage also mentions that dogs are not allowed.", "Dogs are not allowed."),
        ("The provided context explains that dogs are not allowed.", "Dogs are not allowed."),
        ('The context states "Enlarging the font (for all).', "Enlarging the font (for all)."),
    ],
)  # fmt: skip
def test_who_says_it_is_no_part_of_what_is_said(text, told):
    assert unframed(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "According to Anna Lopez, the pool opens at nine.",
        "The documents do not say that the pool opens at nine.",
        "The report states the results of the trial.",
        "The context mentions two pools.",
        "The manual says nothing about dogs.",
        "Based on a novel, the film was a success.",
        "The text says that.",
        "Remember the old pool, the one by the river.",
        "Note the time, the place and the name.",
        "According to the context.",
        "Based on the documents, there are several signs that the brake is worn:",
        'Based on the documents, the answer to the question "Do you wash it with soap?"',
    ],
)
def test_what_is_no_frame_stays(text):
    assert unframed(text) == text


QUESTION = "How do I remove an item from the home screen?"


@pytest.mark.parametrize(
    "text",
    [
        "The steps to remove an item from the home screen are:",
        "To remove an item from the home screen, follow these steps:",
        "The context states:",
        "According to the context provided:",
        "It also provides additional details:",
        "The key details that indicate this are:",
        "Based on the provided context, here are the relevant details:",
        "Here is a summary of the information:",
        "Opening hours:",
        "Enabling Film Mode:",
        "Other Tips:",
    ],
)
def test_an_introduction_claims_nothing(text):
    assert introduces(text, QUESTION)


@pytest.mark.parametrize(
    "text",
    [
        "Items of the home screen cannot be removed:",
        "The home screen holds nine items:",
        "Only an administrator may remove these items from the home screen:",
        "The pool is closed on these days:",
        "You need a screwdriver:",
        "No steps are necessary:",
        "Opening hours: nine to five",
        "The steps are easy.",
    ],
)
def test_a_heading_that_says_something_is_judged(text):
    assert not introduces(text, QUESTION)


def test_a_list_may_be_announced_in_words_of_the_documents():
    text = "Here is a step-by-step instruction for refueling the vehicle:"
    assert introduces(text, QUESTION, {"refuel", "vehicl"})
    assert not introduces(text, QUESTION, {"vehicl"})
    assert not introduces("The vehicle needs refueling:", QUESTION, {"refuel", "vehicl", "need"})
