"""Answers broken on purpose: one fault each, in a sentence that was supported before."""

import pytest

from trace_core.evidence.breaking import Break, breaks
from trace_core.facts.labels import Labels, Support
from trace_core.facts.records import Document, Record, Response

FAULTS = [
    ("number", "<b>2</b> $x$ litres.", "<b>5</b> $x$ litres."),
    ("number", "The school opened in 1950.", "The school opened in 1953."),
    ("number", "It costs 1,209.50 euros.", "It costs 1,209.53 euros."),
    ("negation", "The museum is open on Mondays.", "The museum is not open on Mondays."),
    ("negation", "Dogs are not allowed.", "Dogs are allowed."),
    ("negation", "You can return it.", "You cannot return it."),
    ("negation", "You cannot return it.", "You can return it."),
]


def record(answer, *documents, supports=("0a",), fully=True):
    support = Support(response_sentence_key="a", supporting_sentence_keys=list(supports), fully_supported=fully)
    labels = Labels(labeler="local", sentence_support_information=[support])
    documents = [Document(id=f"d{i}", rank=i + 1, text=text) for i, text in enumerate(documents or [answer])]
    return Record(id="r", question="Well?", documents=documents, response=Response(text=answer), labels=labels)


def of(kind: str, faults: list[Break]) -> Break | None:
    return next((each for each in faults if each.kind == kind), None)


@pytest.mark.parametrize(("kind", "before", "after"), FAULTS)
def test_one_thing_is_changed(kind, before, after):
    fault = of(kind, breaks(record(before)))
    assert fault
    assert (fault.key, fault.before, fault.after) == ("a", before, after)
    assert fault.response == after


def test_a_name_is_exchanged_for_another_of_the_documents():
    whole = record("It was founded by Anna Lopez in May.", "Anna Lopez and later Peter Brand led it.")
    fault = of("name", breaks(whole))
    assert fault
    assert fault.after == "It was founded by Peter Brand in May."


def test_the_rest_of_the_answer_stays_and_the_sentence_keeps_its_key():
    fault = of("number", breaks(record("It holds 2 litres.  Rinse it weekly.\n")))
    assert fault
    assert fault.response == "It holds 5 litres.  Rinse it weekly.\n"


def test_what_supports_a_sentence_is_taken_out_of_the_documents():
    documents = "The tank is blue. It holds 2 litres. Rinse it.", "The pump is loud."
    fault = of("support", breaks(record("It holds 2 litres.", *documents, supports=("0b",))))
    assert fault
    assert fault.documents == ["The tank is blue. Rinse it.", "The pump is loud."]
    assert fault.response == "It holds 2 litres."
    assert fault.after == "It holds 2 litres."


def test_only_a_supported_sentence_is_broken():
    assert breaks(record("It holds 2 litres.", fully=False)) == []
    assert breaks(Record(id="r", question="Well?")) == []
