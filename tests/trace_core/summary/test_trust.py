import json

from trace_core.labeling.local import FIGURES
from trace_core.summary.trust import NO_MEASUREMENT, run_trust, trust_words

VERSION = json.loads(FIGURES.read_text(encoding="utf-8"))["labeler_version"]


def test_both_kinds_of_error_are_said_of_the_measured_version_alone():
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    flagged, doubted = figures["false_flagged_per_hundred"], 100 - figures["true_kept_per_hundred"]
    assert trust_words([VERSION]) == f"It flags {flagged} of 100 false sentences and doubts {doubted} of 100 true ones"
    assert trust_words(["local-0"]) == NO_MEASUREMENT


def test_a_run_of_a_models_labels_says_it_and_one_of_a_files_own_labels_does_not():
    assert run_trust({"labeler": "local", "model": [VERSION, "extractive"]}) == trust_words([VERSION])
    assert run_trust({"labeler": "gpt", "model": ["gpt-5"]}) == NO_MEASUREMENT
    assert run_trust({"labeler": "recorded", "model": []}) == ""


def test_the_figures_are_shares_of_the_sentences_judged():
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    flagged = figures["false_sentences"] - figures["passed"]
    assert figures["false_flagged_per_hundred"] == round(100 * flagged / figures["false_sentences"])
    assert figures["true_kept_per_hundred"] == round(100 * figures["kept"] / figures["true_sentences"])
