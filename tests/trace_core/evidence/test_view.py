"""What the evidence view is told of a record."""

import json
import re

import pytest
from diagnosis_cases import CASES
from evidence_page import machine, support
from review_examples import event

from trace_core.demo.guide import Draft
from trace_core.demo.guide import record as drafted
from trace_core.diagnosis.rescoring import rescore
from trace_core.evidence import assets, venn, view
from trace_core.evidence.view import blind_view
from trace_core.facts.labels import Labels
from trace_core.facts.records import Document, Record, Response
from trace_core.facts.sentences import letters

ANSWER = "The tank holds two litres. It is blue. Rinse it weekly. Enjoy."
TANK = "The tank holds 2 litres. It is made of glass. Rinse the tank every week."
PUMP = "The pump is loud. It stops by itself."


def record(labels: Labels | None = None, **changes: object) -> Record:
    documents = [
        Document(id="tank.md", title="Water tank", rank=1, retrieval_score=0.8, text=TANK),
        Document(id="pump.md", rank=2, text=PUMP),
    ]
    fields = {"id": "r1", "question": "How big is the tank?", "documents": documents}
    return Record(**{**fields, "response": Response(text=ANSWER), "labels": labels, **changes})


SUPPORTS = [
    support("a", "0a", explanation="Said in 0a."),
    support("b", fully=False),
    support("c", "0c", "1a", "general", fully=False),
]


def labels(**changes: object) -> Labels:
    keys = {"all_relevant_sentence_keys": ["0a", "0b", "0c"], "all_utilized_sentence_keys": ["0a", "0c", "1a"]}
    fields = {"labeler": "gpt", "labeler_version": "7", **keys, "sentence_support_information": SUPPORTS}
    return Labels(**{**fields, **changes})


def document_sentences(shown: dict) -> dict[str, dict]:
    return {s["key"]: s for document in shown["documents"] for s in document["sentences"]}


def test_an_answer_sentence_has_its_status_in_mark_and_word() -> None:
    shown = [(s["key"], s["status"], s["mark"], s["word"]) for s in view(record(labels()))["response"]]
    assert shown == [
        ("a", "fully", "✓", "fully supported"),
        ("b", "unsupported", "✗", "unsupported"),
        ("c", "partially", "◐", "partially supported"),
        ("d", "unlabeled", "?", "unlabeled"),
    ]


def test_a_citation_is_marked_by_whether_the_cited_document_supports_the_sentence() -> None:
    text = "The tank holds two litres [0]. It is blue [1]. Rinse it weekly [0]. Enjoy [0]."
    supports = [support("a", "0a"), support("b", fully=False), support("c", "1a")]
    answer = Response(text=text, citations=["tank.md", "pump.md"])
    shown = view(record(labels(sentence_support_information=supports), response=answer))["response"]
    assert [[cite["words"] for cite in sentence["cites"]] for sentence in shown] == [
        ["✓ [0] supports it"],
        ["✗ [1] does not support it"],
        ["≠ [0] does not, document 1 does"],
        [],  # unlabeled
    ]


def test_numbers_in_an_answer_that_counts_from_one_are_not_read_as_citations() -> None:
    shown = view(record(labels(), response=Response(text="The tank holds two litres [1].")))["response"]
    assert shown[0]["cites"] == []


def test_an_answer_sentence_names_its_support_and_the_labelers_reason() -> None:
    a, b, c, d = view(record(labels()))["response"]
    assert a["text"] == "The tank holds two litres."
    assert (a["supports"], a["special"], a["explanation"]) == (["0a"], [], "Said in 0a.")
    assert (b["supports"], b["special"], b["explanation"]) == ([], [], None)
    assert (c["supports"], c["special"]) == (["0c", "1a"], ["a general statement"])
    assert (d["supports"], d["special"], d["explanation"]) == ([], [], None)


def test_a_corrected_label_has_who_when_and_why_beside_the_labelers_reason() -> None:
    ada = event("supported", "a", "unsupported", "Ada", reason="Two, not 2.5.")
    a, b, *_ = view(record(labels(), overrides=[ada]))["response"]
    assert a["correction"] == {"author": "Ada", "day": "2026-01-01", "reason": "Two, not 2.5."}
    assert (a["explanation"], b["correction"]) == ("Said in 0a.", None)


def test_a_document_sentence_is_relevant_utilized_missed_or_neither() -> None:
    shown = document_sentences(view(record(labels())))
    facts = {key: (s["relevant"], s["utilized"], s["missed"], s["status"]) for key, s in shown.items()}
    assert facts == {
        "0a": (True, True, False, "grounding"),
        "0b": (True, False, True, "missed"),
        "0c": (True, True, False, "grounding"),
        "1a": (False, True, False, "stray"),
        "1b": (False, False, False, "neither"),
    }


def test_a_document_sentence_knows_the_answer_sentences_that_use_it() -> None:
    shared = [support("a", "0a", "0b"), support("c", "0b")]
    shown = document_sentences(view(record(labels(sentence_support_information=shared))))
    assert {key: s["used_by"] for key, s in shown.items() if s["used_by"]} == {"0a": ["a"], "0b": ["a", "c"]}


def test_a_doubted_sentence_stands_beside_the_nearest_with_its_other_words() -> None:
    said = "It is made of steel. The pump is loud."
    supports = [support("a", fully=False), support("b", "1a")]
    shown = view(record(labels(sentence_support_information=supports), response=Response(text=said)))
    doubted, trusted = shown["response"]
    assert (doubted["nearest"], trusted["nearest"], trusted["pieces"]) == (["0b"], [], None)
    assert doubted["pieces"] == [["It is made of ", False], ["steel", True], [".", False]]
    assert document_sentences(shown)["0b"]["pieces"] == [["It is made of ", False], ["glass", True], [".", False]]
    assert document_sentences(shown)["0a"]["pieces"] is None


def test_documents_keep_their_order_title_and_score() -> None:
    assert [(d["title"], d["score"]) for d in view(record())["documents"]] == [("Water tank", 0.8), ("pump.md", None)]


def test_a_document_that_has_only_its_place_for_an_id_has_no_title() -> None:
    documents = [Document(id="0", rank=1, text="One."), Document(id="0", rank=2, text="Two.")]
    assert [d["title"] for d in view(record(documents=documents))["documents"]] == ["", "0"]


def test_what_two_answer_sentences_are_nearest_to_is_compared_with_the_first() -> None:
    answer = Response(text="The tank holds three litres. The tank holds 2 gallons.")
    both = labels(sentence_support_information=[support("a", fully=False), support("b", fully=False)])
    shown = view(record(both, response=answer))
    assert [one["nearest"] for one in shown["response"]] == [["0a"], ["0a"]]
    marked = [[piece for piece, differs in one["pieces"] if differs] for one in shown["response"]]
    assert marked == [["three"], ["gallons"]]
    assert document_sentences(shown)["0a"]["pieces"] == [["The tank holds ", False], ["2", True], [" litres.", False]]


def test_the_heading_counts_every_status_that_occurs_best_first() -> None:
    counts = view(record(labels()))["counts"]["response"]
    assert [(c["count"], c["mark"], c["word"]) for c in counts] == [
        (1, "✓", "fully supported"),
        (1, "◐", "partially supported"),
        (1, "✗", "unsupported"),
        (1, "?", "unlabeled"),
    ]


def test_without_labels_everything_is_unlabeled() -> None:
    shown = view(record())
    assert shown["labeler"] is None
    assert {s["status"] for s in shown["response"]} == {"unlabeled"}
    assert {s["status"] for s in document_sentences(shown).values()} == {"unlabeled"}
    assert shown["counts"]["documents"] == {"total": 5, "relevant": None, "utilized": None, "missed": None}


@pytest.mark.parametrize(
    ("absent", "present"), [("all_utilized_sentence_keys", "relevant"), ("all_relevant_sentence_keys", "utilized")]
)
def test_without_one_list_nothing_is_called_missed(absent: str, present: str) -> None:
    shown = view(record(labels(**{absent: None})))
    unknown = {"relevant": None, "utilized": None, "missed": None}
    assert {s["status"] for s in document_sentences(shown).values()} == {present, "neither"}
    assert shown["counts"]["documents"] == {"total": 5, **unknown, present: 3}


def test_a_support_that_does_not_exist_is_not_promised() -> None:
    unknown = labels(sentence_support_information=[support("a", "9z", "0a")])
    assert view(record(unknown))["response"][0]["supports"] == ["0a"]


def test_it_is_strict_json_even_for_broken_text() -> None:
    broken = labels(
        overall_supported_explanation="half \ud800 a pair",
        sentence_support_information=[support("a", fully=False, explanation="\udfff")],
    )
    shown = view(record(broken))
    assert json.loads(json.dumps(shown, allow_nan=False, ensure_ascii=False).encode()) == shown


@pytest.mark.parametrize("drawing", ["evidence", "venn"])
def test_a_script_is_one_module_that_writes_no_html_and_a_style_styles_nothing_else(drawing: str) -> None:
    css, js = assets(drawing)
    assert "export default function" in js
    assert "innerHTML" not in js
    selectors = re.findall(r"^(?![ @/}]).*[{,]$", css, flags=re.MULTILINE)
    assert selectors
    assert all(f".trace-{drawing}" in selector for selector in selectors)


def test_the_passage_that_an_answer_which_declines_is_read_beside_is_open():
    (case,) = [one for one in CASES if one.name.startswith("the local model cannot tell")]
    documents = view(rescore(case.record(), "trace"))["documents"]
    assert [s["key"] for document in documents for s in document["sentences"] if s["nearest"]] == ["0b"]


# A blind review: what the reviewer said, and nothing of what the labeler did


def blind(changes):
    data = blind_view(machine(), changes)
    sentences = [*data["response"], *(s for document in data["documents"] for s in document["sentences"])]
    return {s["key"]: s for s in sentences}


def test_nothing_of_the_labels_is_in_it():
    sentences = blind([])
    assert {s["status"] for s in sentences.values()} == {"unlabeled"}
    assert not any(s.get("supports") or s.get("used_by") or s.get("special") for s in sentences.values())
    told = json.dumps(blind_view(machine(), []))
    for hidden in ("One sentence stands alone.", "0a gives the size.", "The tank is what was asked for.", "local"):
        assert hidden not in told


def test_what_was_said_is_shown_at_its_sentence_alone():
    said = [("supported", "a", "unsupported"), ("supporting", "b", ["0b"]), ("supported", "b", "partially")]
    sentences = blind([*said, ("relevant", "0b", True), ("relevant", "0c", False)])
    assert [sentences[key]["status"] for key in "abc"] == ["unsupported", "partially", "unlabeled"]
    assert sentences["b"]["supports"] == ["0b"]
    assert [sentences[key]["status"] for key in ("0a", "0b", "0c")] == ["unlabeled", "missed", "neither"]


# The Venn diagram: the sets, their places, and the same in words


def drawn(relevant="0a, 0b", utilized="0b, 0c", sizes=(6,)):
    documents = tuple(" ".join(f"Sentence {i}{letters(j)} is here." for j in range(n)) for i, n in enumerate(sizes))
    return venn(drafted(Draft("?", documents, "So.", relevant, utilized)))


def regions(shown):
    return {region["status"]: (region["count"], region["keys"]) for region in shown["regions"]}


def test_every_key_is_in_its_region():
    expected = {"missed": (1, "0a"), "grounding": (1, "0b"), "stray": (1, "0c"), "neither": (3, "0d, 0e, 0f")}
    assert regions(drawn()) == expected


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
