import json

from trace_core.labeling.local import FIGURES
from trace_core.summary.trust import NO_MEASUREMENT, run_trust, trust_words

MEASURED = json.loads(FIGURES.read_text(encoding="utf-8"))
VERSION = MEASURED["labeler_version"]


def test_both_kinds_of_error_are_said_of_the_measured_version_alone():
    flagged, doubted = MEASURED["false_flagged_per_hundred"], 100 - MEASURED["true_kept_per_hundred"]
    assert trust_words([VERSION]) == f"It flags {flagged} of 100 false sentences and doubts {doubted} of 100 true ones"
    assert trust_words(["local-0"]) == NO_MEASUREMENT


def test_a_run_of_a_models_labels_says_it_and_one_of_a_files_own_labels_does_not():
    assert run_trust({"labeler": "local", "model": [VERSION, "extractive"]}) == trust_words([VERSION])
    assert run_trust({"labeler": "gpt", "model": ["gpt-5"]}) == NO_MEASUREMENT
    assert run_trust({"labeler": "recorded", "model": []}) == ""


def test_the_figures_are_shares_of_the_sentences_judged():
    flagged = MEASURED["false_sentences"] - MEASURED["passed"]
    assert MEASURED["false_flagged_per_hundred"] == round(100 * flagged / MEASURED["false_sentences"])
    assert MEASURED["true_kept_per_hundred"] == round(100 * MEASURED["kept"] / MEASURED["true_sentences"])
