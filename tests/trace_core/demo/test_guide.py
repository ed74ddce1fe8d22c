"""The guide's presets: the sources' worked examples, with what the formulas give."""

import math

import pytest

from trace_core.demo.guide import PRESETS, Draft, SentenceLabel, record, side_by_side
from trace_core.metrics import DERIVED, METRICS


def rows(draft, divisor=20):
    return {row.name: row for row in side_by_side(record(draft), divisor)}


def values(name, convention="trace"):
    """R, T, C and A of a preset."""
    found = rows(PRESETS[name].draft)
    return [found[metric].cells[convention].value for metric in METRICS]


def derived(name, convention="trace"):
    found = rows(PRESETS[name].draft)
    return [found[name].cells[convention].text for name in DERIVED]


def draft(**changes):
    fields = {
        "question": "?",
        "documents": ("One is here. Two is here. Three is here.",),
        "response": "It is so. It was so.",
        "relevant": "0a, 0b",
        "utilized": "0a",
        "support": {"a": SentenceLabel(True, "0a"), "b": SentenceLabel(False)},
    }
    return Draft(**{**fields, **changes})


@pytest.mark.parametrize(
    ("name", "four"),
    [
        ("From sentences to scores", [2 / 20, 2 / 2, 2 / 2, 0]),
        ("All four metrics at once", [4 / 20, 3 / 4, 3 / 4, 0]),
        ("Counting relevant sentences", [12 / 20, 8 / 12, 8 / 12, None]),
        ("What the answer left out", [7 / 20, 4 / 7, 4 / 7, None]),
        ("Nothing relevant", [0, 0, 1, 0]),
        ("A judge that contradicts itself", [3 / 20, 3 / 3, 2 / 3, 0]),
        ("Utilization above relevance", [4 / 20, 4 / 4, 4 / 4, 0]),
    ],
)
def test_a_preset_has_its_sources_four_metrics(name, four):
    assert values(name) == pytest.approx(four)


def test_the_walkthrough_is_0_333_and_0_667_and_its_slip_is_noted():
    assert derived("All four metrics at once") == ["0.425", "0.333", "0.667"]
    # average 17/40; deviations -9/40, 13/40, 13/40, -17/40
    balance = rows(PRESETS["All four metrics at once"].draft)["rmse_aggregation"].cells["trace"]
    assert balance.value == pytest.approx(math.sqrt((81 + 169 + 169 + 289) / 1600 / 4))
    assert balance.band == "high inconsistency"
    assert balance.formula == "√((0.225² + 0.325² + 0.325² + 0.425²) ÷ 4) = √0.110625"
    assert {"0.437", "0.563"} <= set(PRESETS["All four metrics at once"].slip.replace(";", "").split())


def test_the_labels_example_contradicts_its_own_overall_supported():
    found = record(PRESETS["A judge that contradicts itself"].draft).cleaning
    assert found == ["overall_supported: true, but the sentences say otherwise"]
    assert values("A judge that contradicts itself", "ragbench") == pytest.approx([3 / 4, 3 / 4, 2 / 3, 1])
    assert values("A judge that contradicts itself", "graded")[3] == 1 / 2


def test_a_sentence_of_which_nothing_is_said_is_unlabeled_and_not_zero():
    found = rows(draft(support={"a": SentenceLabel(True, "0a")}))
    cell = found["adherence"].cells["trace"]
    assert (cell.value, cell.text, cell.reason) == (None, "undefined", "unlabeled")
    assert found["adherence"].cells["graded"].value == 1
    assert found["average"].cells["trace"].reason == "Adherence is undefined"
