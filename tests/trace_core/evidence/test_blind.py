"""The evidence of a blind review: what the reviewer said, and nothing of what the labeler did."""

import json

from evidence_page import machine

from trace_core.evidence.view import blind_view


def shown(changes):
    data = blind_view(machine(), changes)
    sentences = [*data["response"], *(s for document in data["documents"] for s in document["sentences"])]
    return {s["key"]: s for s in sentences}


def test_nothing_of_the_labels_is_in_it():
    sentences = shown([])
    assert {s["status"] for s in sentences.values()} == {"unlabeled"}
    assert not any(s.get("supports") or s.get("used_by") or s.get("special") for s in sentences.values())
    told = json.dumps(blind_view(machine(), []))
    for hidden in ("One sentence stands alone.", "0a gives the size.", "The tank is what was asked for.", "local"):
        assert hidden not in told


def test_what_was_said_is_shown_at_its_sentence_alone():
    said = [("supported", "a", "unsupported"), ("supporting", "b", ["0b"]), ("supported", "b", "partially")]
    sentences = shown([*said, ("relevant", "0b", True), ("relevant", "0c", False)])
    assert [sentences[key]["status"] for key in "abc"] == ["unsupported", "partially", "unlabeled"]
    assert sentences["b"]["supports"] == ["0b"]
    assert [sentences[key]["status"] for key in ("0a", "0b", "0c")] == ["unlabeled", "missed", "neither"]
