"""A name that neither the documents nor the question have is not founded on them."""

import pytest

from trace_core.facts.records import Sentences
from trace_core.facts.sentences import document_sentences, response_sentences
from trace_core.labeling.local.wording.names import unknown

UNKNOWN = [
    ("It was founded by Anna Lopez.", "Who founded the firm?", "The firm was founded by Maria Lopez in 1990."),
    ("Its architect was Karl Brandt.", "Who designed the tower?", "The tower was designed by Ilse Brandt."),
    ("On Fridays the ferry goes to Hamlund.", "Where does the ferry go?", "The ferry goes to Norsund on Fridays."),
    ("Water freezes at 32 degrees Celsius.", "When does it freeze?", "Water freezes at 32 degrees Fahrenheit."),
    ("Press Menu, then choose Network.", "How do I set the colours?", "Press Menu, then choose Picture."),
    ("The mill belongs to the Hartmann family.", "Whose mill is it?", "The mill belongs to the Oduya family."),
    ("The treaty was signed in Utrecht.", "Where was it signed?", "The treaty was signed in Ghent."),
    ("He studied under Professor Nakamura.", "Under whom did he study?", "He studied under Professor Ferreira."),
    ("It runs on the Tern's engine.", "What does it run on?", "It runs on the engine of the Heron."),
]
"""An answer with such a name, its question, and a document."""

KNOWN = [
    ("It was founded by Maria Lopez.", "Who founded the firm?", "Maria Lopez founded the firm."),
    ("Yes, Otto may come.", "May Otto come?", "All guests may come."),
    ("The firm is Italian.", "Where is the firm from?", "The firm is from Italy."),
    ("Press the VR (Voice Recognition) button.", "What do I press?", "Press the VR button."),
    ("Mind the Gross Combination Weight Rating.", "What is the limit?", "Mind the GCWR of the vehicle."),
    ("On a Saturday it is closed.", "Is it open on Saturdays?", "It is open from Monday to Friday."),
    ("In February it is closed.", "When is it closed?", "It is open from May to October."),
    ("At Christmas it is closed.", "Is it open then?", "It is closed on public holidays."),
    ("Sadly, it is closed. However, it reopens.", "Is it open?", "It is closed and reopens later."),
    ("- Then press the button.", "What next?", "Press the button."),
    ("1. Unplug it. 2. Wait.", "How do I reset it?", "Unplug it and wait."),
    ("The sign says “Closed”.", "What does the sign say?", "There is a sign that says closed."),
    ("How To Reset Your Machine Quickly:", "How do I reset it?", "Hold the button for ten seconds."),
    ("It is on YouTube.", "Where is it?", "You find it on You Tube."),
    ("It is Lopez's firm.", "Whose firm is it?", "The firm belongs to Maria Lopez."),
    ("It has a USB port.", "What does it have?", "It has a port."),
    ("Ask Mr Lee.", "Whom do I ask?", "Ask Lee."),
    ("Ask Professor Lee.", "Whom do I ask?", "Ask Lee, who teaches physics."),
    ("You need the internet, I think.", "What do I need?", "You need the internet."),
    ("The Title Is “The Long Way Home”.", "What is it called?", "It is called the long way home."),
    ("According to Document 1, it is closed.", "Is it open?", "It is closed."),
    ("Das Haus hat einen Garten und eine Garage.", "Was hat das Haus?", "Zum Haus gehören Grünfläche und Stellplatz."),
]


def places(answer, question, document):
    return unknown(
        question, Sentences(documents=[document_sentences(0, document)], response=response_sentences(answer))
    )


@pytest.mark.parametrize(("answer", "question", "document"), UNKNOWN)
def test_a_name_that_nothing_has(answer, question, document):
    assert places(answer, question, document) == [0]


@pytest.mark.parametrize(("answer", "question", "document"), KNOWN)
def test_a_word_that_is_known_or_is_no_name(answer, question, document):
    assert places(answer, question, document) == []


def test_without_documents_there_is_nothing_to_compare():
    assert unknown("Who?", Sentences(documents=[], response=response_sentences("It was Anna."))) == []


def test_only_the_sentence_with_the_name_is_named():
    assert places("It is open. Ask Petra. It is free.", "Is it open?", "It is open and free. Ask at the desk.") == [1]
