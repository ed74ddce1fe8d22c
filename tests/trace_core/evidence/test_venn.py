"""What the Venn diagram is told: the sets, their places, and the same in words."""

import pytest

from trace_core.demo.guide import Draft, record
from trace_core.evidence.venn import venn
from trace_core.facts.records import Record
from trace_core.facts.sentences import letters


def drawn(relevant="0a, 0b", utilized="0b, 0c", sizes=(6,)):
    documents = tuple(" ".join(f"Sentence {i}{letters(j)} is here." for j in range(n)) for i, n in enumerate(sizes))
    return venn(record(Draft("?", documents, "So.", relevant, utilized)))


def regions(shown):
    return {region["status"]: (region["count"], region["keys"]) for region in shown["regions"]}


def test_every_key_is_in_its_region():
    assert regions(drawn()) == {
        "missed": (1, "0a"),
        "grounding": (1, "0b"),
        "stray": (1, "0c"),
        "neither": (3, "0d, 0e, 0f"),
    }


def test_the_same_is_said_in_words():
    assert drawn()["words"] == (
        "Of 6 document sentences, 2 are relevant (R) and 2 utilized (U): "
        "1 both, 1 relevant only, 1 utilized only, 3 neither."
    )


def test_many_keys_become_a_count_and_the_first_few():
    keys = ", ".join(f"0{letters(i)}" for i in range(300))
    both = drawn(keys, keys, (400,))["regions"][1]
    assert both["count"] == 300
    assert both["keys"].endswith("… (260 more)")
    assert both["lines"][0].startswith("0a 0b")
    assert both["lines"][-1].endswith("…")
    assert len(both["lines"]) <= 3


def test_an_empty_set_has_no_circle():
    assert drawn("", "0a")["circles"][0]["r"] == 0
    assert [c["r"] for c in drawn("", "")["circles"]] == [0, 0]


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (venn(Record(id="x", question="?")), "The labels do not say which sentences are relevant."),
        (drawn("", "", sizes=()), "There are no document sentences."),
    ],
)
def test_where_nothing_can_be_drawn_the_words_say_why(shown, words):
    assert shown == {"drawn": False, "words": words}
