"""A sentence that only repeats a part of a document sentence, or moves a part of it, is said by it."""

import pytest

from trace_core.labeling.local.quoting import repeats
from trace_core.labeling.local.texts import read

REPEATED = [
    ("The hall was built in 1911.", "The hall was built in 1911."),
    ("From May to September its rooms are rented.", "Its rooms are rented from May to September."),
    ("Keep the window open until the paint is dry.", "Until the paint is dry, keep the window open."),
    ("For the stew you brown 600 g of beef in lard.", "For the stew brown 600 g of beef in lard."),
    ("Then add two onions.", "Add two onions."),
    ("Wash the jars in hot water.", "Mrs Tully washes the jars in hot water and then heats them at 120 °C."),
    ("The course starts in March.", "The course starts in March and has ten lessons."),
    ("The keeper was Angus Reid.", "The keeper was Angus Reid, and his sister helped him."),
]
"""A response sentence, and the document sentence whose words it repeats."""

CHANGED = [
    ("You need a lawyer to appeal.", "You don't need a lawyer to appeal."),
    ("Members pay 4 euros.", "Non-members pay 4 euros."),
    ("The dam is full.", "When the dam is full, the gates open."),
    ("The museum is open until 8 p.m.", "On Thursdays the museum is open until 8 p.m."),
    ("The museum is open until 8 p.m.", "The museum is open until 8 p.m. on Thursdays."),
    ("Fishing is allowed on the lake.", "No fishing is allowed on the lake, but rowing is."),
    ("Dogs are allowed.", "Dogs are allowed and must be on a lead only if they bite."),
    ("The dog bites the man.", "The man bites the dog."),
    ("Dong pays the studio.", "The studio pays Dong."),
    ("Ada founded the firm.", "Ada and Tom founded the firm."),
    ("The firm is closed.", "It is false that the firm is closed."),
    ("The firm is closed.", "Tom says the firm is closed."),
    ("The pond must be fenced off.", "The pond must be fenced off if children live there."),
    ("Tom was first.", "Ada beat Tom and Tom was first or second."),
    ("It is.", "It is red."),
    ("Yes.", "Yes."),
]


@pytest.mark.parametrize(("answer", "document"), REPEATED)
def test_repeated_words_are_said(answer, document):
    assert repeats(read(answer), read(document))


@pytest.mark.parametrize(("answer", "document"), CHANGED)
def test_words_without_what_limits_them_are_not(answer, document):
    assert not repeats(read(answer), read(document))
