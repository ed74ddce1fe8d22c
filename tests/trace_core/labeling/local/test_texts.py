"""A sentence taken apart, and names that nothing has."""

import pytest

from trace_core.facts.records import Sentences
from trace_core.facts.sentences import response_sentences
from trace_core.labeling.local.texts import analyse, names_sources, unknown_names


def test_a_sentence_is_taken_apart():
    text = analyse("- The pump of Ada Lovelace does not hold three litres. [2]")
    assert text.tokens == ("pump", "ada", "lovelac", "hold", "#3", "litr")
    assert text.sequence == ("the", "pump", "of", "ada", "lovelac", "does", "not", "hold", "#3", "litr")
    assert text.numbers == {"#3"}
    assert text.names == {"ada", "lovelac"}
    assert text.negations == 1


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Children may ride it from the age of 8.", {"#8"}),
        ("Press the button. 2.", set()),
        ("Press these keys: 2.", set()),
        ("3. Press the button.", set()),
    ],
)
def test_a_number_at_the_end_is_one_and_a_list_mark_there_is_none(text, numbers):
    assert analyse(text).numbers == numbers


@pytest.mark.parametrize("text", ["", "\x00\ud800", "🙂", "1" * 5000, "not " * 5000, "A" * 50_000])
def test_no_text_raises(text):
    analyse(text)


@pytest.mark.parametrize(("text", "only"), [("See page 4.", True), ("!", True), ("See the manager.", False)])
def test_what_only_names_its_sources(text, only):
    assert names_sources(analyse(text)) is only


UNKNOWN = [
    ("It was founded by Anna Lopez.", "Who founded the firm?", "The firm was founded by Maria Lopez in 1990."),
    ("On Fridays the ferry goes to Hamlund.", "Where does the ferry go?", "The ferry goes to Norsund on Fridays."),
    ("Water freezes at 32 degrees Celsius.", "When does it freeze?", "Water freezes at 32 degrees Fahrenheit."),
    ("The mill belongs to the Hartmann family.", "Whose mill is it?", "The mill belongs to the Oduya family."),
    ("He studied under Professor Nakamura.", "Under whom did he study?", "He studied under Professor Ferreira."),
]
"""An answer with such a name, its question, and a document."""

KNOWN = [
    ("It was founded by Maria Lopez.", "Who founded the firm?", "Maria Lopez founded the firm."),
    ("Yes, Otto may come.", "May Otto come?", "All guests may come."),
    ("The firm is Italian.", "Where is the firm from?", "The firm is from Italy."),
    ("Mind the Gross Combination Weight Rating.", "What is the limit?", "Mind the GCWR of the vehicle."),
    ("On a Saturday it is closed.", "Is it open on Saturdays?", "It is open from Monday to Friday."),
    ("Sadly, it is closed. However, it reopens.", "Is it open?", "It is closed and reopens later."),
    ("- Then press the button.", "What next?", "Press the button."),
    ("1. Unplug it. 2. Wait.", "How do I reset it?", "Unplug it and wait."),
    ("The sign says “Closed”.", "What does the sign say?", "There is a sign that says closed."),
    ("How To Reset Your Machine Quickly:", "How do I reset it?", "Hold the button for ten seconds."),
    ("It is on YouTube.", "Where is it?", "You find it on You Tube."),
    ("It has a USB port.", "What does it have?", "It has a port."),
    ("Ask Professor Lee.", "Whom do I ask?", "Ask Lee, who teaches physics."),
    ("According to Document 1, it is closed.", "Is it open?", "It is closed."),
]


@pytest.mark.parametrize(("answer", "question", "document"), UNKNOWN)
def test_a_name_that_nothing_has(answer, question, document):
    assert unknown_names(question, Sentences.split([document], answer)) == [0]


@pytest.mark.parametrize(("answer", "question", "document"), KNOWN)
def test_a_word_that_is_known_or_is_no_name(answer, question, document):
    assert unknown_names(question, Sentences.split([document], answer)) == []


def test_without_documents_there_is_nothing_to_compare():
    assert unknown_names("Who?", Sentences(documents=[], response=response_sentences("It was Anna."))) == []


def test_only_the_sentence_with_the_name_is_named():
    sentences = Sentences.split(["It is open and free. Ask at the desk."], "It is open. Ask Petra. It is free.")
    assert unknown_names("Is it open?", sentences) == [1]
