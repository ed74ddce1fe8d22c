import numpy as np
from diagnosis_cases import BY_NAME

from trace_core.diagnosis.over_run import retrieval_text, run_diagnosis
from trace_core.diagnosis.rescoring import rescore
from trace_core.summary.columns import columns_of


def of(*names):
    """The scores of these cases, as a run."""
    return columns_of([rescore(BY_NAME[name].record(), "trace") for name in names]).score()


def said(*names, failed=0):
    scores = of(*names)
    return run_diagnosis(scores.verdicts, scores.unsure, scores.values["adherence"], failed).text


def doubted(unsure, *names):
    """The fault of a run whose verdicts are unsure at these places."""
    scores = of(*names)
    mask = np.isin(np.arange(len(names)), unsure)
    return run_diagnosis(scores.verdicts, mask, scores.values["adherence"]).fault


def test_the_commonest_fault_is_named_with_its_share_and_where_to_start():
    left_out = "relevant text left out"
    assert said(left_out, left_out, "a claim without support", "everything relevant told") == (
        "3 of 4 answers are grounded; the commonest fault is “relevant left out”, in 2 of 4 records (50%). "
        "To start: Ask the generator to cover every relevant point, and put the best documents first."
    )


def test_the_commonest_fault_is_the_one_that_is_most_often_sure():
    left_out, claim = "relevant text left out", "a claim without support"
    assert doubted([0, 1], left_out, left_out, left_out, claim, claim).startswith(
        "the commonest fault is “unsupported claim”, in 2 of 5 records (40%). To start: "
    )
    assert doubted([0, 3], left_out, left_out, left_out, claim, claim).startswith(
        "the commonest fault is “relevant left out”, in 2 of 5 records (40%), unsure in 1 more. To start: "
    )


def test_where_no_fault_is_sure_that_is_said_and_no_remedy():
    left_out = "relevant text left out"
    assert doubted([0, 1], left_out, left_out, "everything relevant told") == (
        "no fault is sure; the commonest unsure one is “relevant left out”, in 2 of 3 records (67%). "
        "To start: Read a few."
    )


def test_a_record_counts_once_by_its_verdict_and_not_by_what_is_beside_it():
    scores = of("a claim without support in an answer that leaves out as well: both are said")
    assert scores.findings["incomplete"].tolist() == [True]
    assert scores.diagnosis().counts == {"unsupported": 1}


def test_a_run_without_a_fault_has_none():
    assert said("everything relevant told") == "1 of 1 answers are grounded; no record shows a fault."


def test_what_has_not_enough_labels_is_counted_and_is_no_fault():
    assert said("everything relevant told", "a sentence without a label, quoted") == (
        "1 of 1 answers are grounded; no record shows a fault, and 1 of 2 records have too few labels."
    )


def test_a_right_refusal_is_no_fault():
    declined = "nothing relevant, and the answer declines: that is right"
    assert said(declined, declined, "relevant text left out").endswith(
        "the commonest fault is “relevant left out”, in 1 of 3 records (33%). "
        "To start: Ask the generator to cover every relevant point, and put the best documents first."
    )


def test_failed_records_are_counted():
    assert said(failed=3) == "No record is scored yet. 3 of 3 records failed."
    assert said("everything relevant told", failed=2) == (
        "1 of 1 answers are grounded; no record shows a fault. 2 of 3 records failed."
    )


def test_retrieval_is_judged_in_documents_and_against_the_sources_target():
    scores = of("one fact in one of five chunks is as good as it can be", "everything relevant told")
    assert retrieval_text(scores.quantities) == (
        "On average 35% of a record's documents contain something relevant (target: at least 50%). "
        "The first relevant document comes at rank 3.0 on average. "
        "2 of 2 records (100%) would miss a target of 0.7 for context relevance."
    )
