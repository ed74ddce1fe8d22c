import json
from typing import Any

import numpy as np
import pytest
from run_examples import failed, labeled
from stored_examples import run, stored

from trace_core.errors import amount
from trace_core.facts.labels import Labels
from trace_core.facts.records import Retrieval
from trace_core.metrics import METRICS
from trace_core.review import correct
from trace_core.runs.analyse.compare import compare_runs, newest_pair, pair, run_before
from trace_core.runs.files.exported import comparable, from_records, from_store
from trace_core.store.corrections import CorrectionStore
from trace_core.store.runs import Run


def found(a, b):
    """Two runs of one metric's values: adherence; the others are 1."""
    return compare_runs(*(run(*(stored(str(i), (1, 1, 1, v)) for i, v in enumerate(side))) for side in (a, b)))


def test_the_difference_is_b_minus_a():
    change = found([1, 0, 0, 0], [1, 1, 1, 0]).metrics["adherence"]
    assert (change.mean_a, change.mean_b, change.difference) == (1 / 4, 3 / 4, 2 / 4)
    assert (change.improved, change.unchanged, change.worse) == (2, 2, 0)


def test_nothing_or_too_little_to_compare_is_null_not_zero():
    change = found([None], [1]).metrics["adherence"]
    assert (change.difference, change.interval, change.p_value, change.p_adjusted) == (None, None, None, None)
    partly = found([1, None, 0, 0], [None, 1, 1, 0]).metrics["adherence"]
    assert (partly.difference, partly.missing) == (1 / 2, 2)
    seven = found([1] * 7, [0] * 7).metrics["adherence"]
    assert (seven.difference, seven.interval, seven.p_value, seven.p_adjusted) == (-1, None, None, None)


def test_of_balance_lower_is_better():
    balance = compare_runs(run(stored("1", (1, 0, 1, 0))), run(stored("1", (1, 1, 1, 1)))).balance
    assert balance.difference == -1 / 2
    assert (balance.improved, balance.worse) == (1, 0)


def test_a_run_compared_with_itself_is_unchanged():
    one = run(*(stored(str(i), (i / 20, 0.5, None, i % 2)) for i in range(20)))
    same = compare_runs(one, one)
    assert (same.warnings, same.got_worse, same.got_better) == ([], [], [])
    assert same.verdict().startswith("None of the 20 pairs differs in context relevance, context utilization and adh")
    assert same.metrics["adherence"].span == "no pair differs"
    shown = same.to_dict()["metrics"]["adherence"]
    assert (shown["interval"], shown["equal"], "too_few" in shown) == (None, "no pair differs", False)
    assert [(c.improved, c.worse) for c in same.metrics.values()] == [(0, 0)] * 4
    assert [(c.difference, c.p_adjusted) for c in same.metrics.values()] == [(0, 1), (0, 1), (None, None), (0, 1)]


def test_the_worst_first_by_the_mean_fall_over_metrics_defined_on_both_sides():
    a = run(stored("p", (1, 1, 1, 1)), stored("q", (1, 1, None, 1)), stored("r", (1, 0, 1, 1)))
    b = run(stored("p", (1, 1, 1, 0)), stored("q", (1, 1, 0, 0)), stored("r", (1, 1, 1, 1)))
    worse, better = compare_runs(a, b).got_worse, compare_runs(a, b).got_better
    assert [(w.id, w.change) for w in worse] == [("q", pytest.approx(-1 / 3)), ("p", pytest.approx(-1 / 4))]
    assert worse[0].by_metric == {"context_relevance": 0, "context_utilization": 0, "adherence": -1}
    assert [(one.id, one.change) for one in better] == [("r", pytest.approx(1 / 4))]


def test_a_pair_has_both_verdicts_or_the_one_that_both_have():
    a = run(labeled("1", second=True), labeled("2", second=True))
    changes = compare_runs(a, run(labeled("1"), labeled("2", second=True, relevant=("0a",))))
    assert [one.verdicts for one in changes.got_worse] == ["relevant left out → unsupported claim"]


def test_declining_is_shown_of_both_runs_or_of_none():
    told, untold = run(correct(labeled("1"), ("reviewed", "", True), "Ann")), run(labeled("1"))
    assert compare_runs(told, untold).declining == (None, None)
    assert compare_runs(told, told).declining[1]["answerable"] == {"answered": 1, "declined": 0}


@pytest.mark.parametrize(("value", "words"), [(0.06039, "0.0604"), (0.0071, "0.0071"), (12345.6, "12,346")])
def test_what_a_record_takes_has_three_digits(value, words):
    assert amount(value) == words


def test_time_and_cost_stand_beside_the_scores_over_the_pairs_where_both_are_known():
    a = run(stored("1", seconds={"label": 1}, usage={"cost": 2}), stored("2", seconds={"label": 3}))
    b = run(*(stored(n, seconds={"label": s}, usage={"cost": c}) for n, s, c in (("1", 4, 5), ("2", 6, 9))))
    assert compare_runs(a, b).expenses == {"seconds": (2, 5, 2), "cost": (2, 5, 1)}


def test_verdicts_that_differ_are_counted_where_both_records_have_one():
    a = run(labeled("1", second=True), labeled("2", second=True), failed("3"))
    b = run(labeled("1", second=True), labeled("2", second=False), labeled("3"))
    assert compare_runs(a, b).flips == (1, 2)


def test_a_stored_run_compares_as_its_records_do(store):
    retrieval = Retrieval(collection="manual", top_k=2)
    records = [labeled("1", usage={"cost": 2.0, "total_tokens": 9.0}, retrieval=retrieval), labeled("2")]
    run_id = store.create_run("r", {"convention": "trace"})
    store.save_records(run_id, records)
    CorrectionStore(store.database).add(run_id, "2", author="Ann", sentence_key="", field="reviewed", value=True)
    stored = comparable(from_store(store, run_id))
    read = comparable(from_records(list(store.records(run_id)), {"config": {"convention": "trace"}}))
    assert (stored.keys, stored.scores.columns.collection.tolist()) == (read.keys, ["manual", ""])
    for name, values in {"total_tokens": [9, None], "cost": [2, None], "checked": [0, 1]}.items():
        for side in (stored, read):
            np.testing.assert_array_equal(side.scores.columns.numbers[name], np.array(values, dtype=np.float64))


def of_gpt(version):
    return run(stored("1", labels=Labels(labeler="gpt", labeler_version=version)))


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        (of_gpt("m1"), of_gpt("m2"), "gpt m1 in A, gpt m2 in B"),
        (run(stored("1"), prompt="p1"), run(stored("1"), prompt="p2"), "prompt differs"),
        (run(stored("1"), collection="x"), run(stored("1"), collection="y"), "collection differs"),
        (run(stored("1"), settings={"relevance_divisor": 10}), run(stored("1")), "divisor of context relevance"),
        (run(stored("1"), stored("2", question="2?")), run(stored("1")), "1 record of A and 0 of B"),
        (
            run(labeled("1"), labeled("2")),
            run(correct(labeled("1"), ("reviewed", "", True), "Ann"), labeled("2")),
            "In 1 of 2 pairs, people checked or corrected the labels of one side only.",
        ),
    ],
)
def test_what_else_differs_is_said(a, b, words):
    said = compare_runs(a, b).warnings
    assert len(said) == 1
    assert words in said[0]


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ([1, 0] * 5, [0, 1] * 5, "Over 10 pairs no difference is certain."),
        ([1, 0], [0, 1], "No verdict: 2 pairs with a metric on both sides are too few, 8"),
        ([], [], "No record of one run has a partner"),
    ],
)
def test_what_is_not_certain_is_no_verdict(a, b, verdict):
    assert found(a, b).verdict().startswith(verdict)


def test_every_certain_metric_is_named_the_worse_ones_first_and_the_largest_of_them():
    a, b = ([stored(str(i), s) for i in range(60)] for s in ((0.5, 0.9, 0.5, 1), (1, 0.5, 0.5, 0)))
    verdict = compare_runs(run(*a), run(*b)).verdict()
    worse = "B is worse in adherence (-1.000) and context utilization (-0.400), "
    assert verdict.startswith(worse + "and better in context relevance (+0.500), p")


def test_a_metric_that_is_not_known_on_both_sides_is_not_said_to_stay_the_same():
    a, b = (run(*(stored(str(i), (0.5, of_use, 0.5, i % 2)) for i in range(30))) for of_use in (0.5, None))
    assert compare_runs(a, b).verdict() == (
        "None of the 30 pairs differs in context relevance, completeness and adherence. "
        "Not compared, as fewer than 8 pairs have it on both sides: context utilization (0 pairs)."
    )


def test_the_correction_is_for_the_metrics_that_were_compared():
    a, b = (run(*(stored(str(i), (None, None, value, value)) for i in range(30))) for value in (1, 0))
    assert "p < 0.05 after correction for 2 metrics. Not compared" in compare_runs(a, b).verdict()
    for name in ("completeness", "adherence"):
        assert (change := compare_runs(a, b).metrics[name]).p_adjusted == pytest.approx(2 * change.p_value)


def test_across_labelers_or_conventions_there_is_no_verdict_but_the_way_to_one():
    gpt, local = ([stored(str(i), labels=Labels(labeler=name)) for i in range(20)] for name in ("gpt", "local"))
    others = (
        (run(*local), "Label both runs by one labeler and"),
        (run(*gpt, convention="graded"), "Score both under one convention"),
    )
    for other, advice in others:
        said = compare_runs(run(*gpt), other).verdict()
        assert said.startswith("No verdict: these are not the same quantities.")
        assert advice in said


FIELDS = "pairs unpaired warnings metrics got_worse got_better declining verdicts spent".split()


def test_the_json_has_the_fields_that_others_rely_on():
    shown = json.loads(json.dumps(found([1, 1], [0, 1]).to_dict(), allow_nan=False))
    assert list(shown) == FIELDS
    assert list(shown["metrics"]) == list(METRICS)
    fields = ["difference", "interval", "p_value", "p_adjusted", "improved", "unchanged", "worse"]
    assert list(shown["metrics"]["adherence"]) == [*fields, "too_few"]
    shares = [shown["metrics"]["adherence"][name] for name in ("difference", "interval", "p_value", "too_few")]
    assert shares == [-1 / 2, None, None, "too few (2 pairs)"]
    assert list(found([1] * 10, [0] * 10).to_dict()["metrics"]["adherence"]) == fields
    assert (shown["pairs"], shown["unpaired"], shown["got_worse"]) == (2, 0, ["0"])


def test_failed_generations_are_counted_on_both_sides_as_no_mean_shows_them():
    said = compare_runs(run(labeled("1")), run(labeled("1"), labeled("2", response="")))
    assert any("0 of 1 in A, 1 of 2 in B" in warning for warning in said.warnings)


# Pairs


def test_one_source_id_stands_for_two_generators():
    a = [("1", "gpt", "?"), ("1", "claude", "?")]
    assert pair(a, a[::-1]).pairs == [(0, 1), (1, 0)]


def test_an_id_that_repeats_says_nothing():
    others = [("8", None, "?"), ("9", None, "?")]
    a = [*others, ("1", None, "Who?"), ("1", None, "When?")]
    b = [*others, ("1", None, "When?"), ("1", None, "Who?")]
    assert pair(a, b).pairs == [(0, 0), (1, 1), (2, 3), (3, 2)]


def test_a_question_that_repeats_is_paired_in_order():
    match = pair([(None, None, "Who?")] * 2, [(None, None, " who?")] * 3)
    assert (match.pairs, match.only_a, match.only_b) == ([(0, 0), (1, 1)], [], [2])


def test_a_question_that_was_reworded_keeps_its_partner():
    a = [("1", None, "How much?"), ("2", None, "When?"), ("3", None, "Why?")]
    b = [("3", None, "Why?"), ("1", None, "How much is it?"), ("2", None, "When?")]
    assert pair(a, b).pairs == [(0, 1), (1, 2), (2, 0)]


def test_rows_of_other_data_with_the_same_numbers_are_no_partners():
    a, b = ([(str(n), None, text.format(n)) for n in range(3)] for text in ("Is coffee {} hot?", "Is rocket {} new?"))
    match = pair(a, b)
    assert (match.pairs, match.only_a, match.only_b) == ([], [0, 1, 2], [0, 1, 2])


def past(name: str, dataset: str | None = "manual", total: int = 40, **config: Any) -> Run:
    config = {"labeler": "local", "convention": "ragbench", **config}
    words = dict.fromkeys(("note", "created_at", "status", "reason"), "")
    rest: dict[str, Any] = {**words, **dict.fromkeys(("digest", "owner", "silence")), "usage": {}, "revision": 0}
    return Run(id=name, name=name, config=config, dataset_id=dataset, counts={"total": total}, **rest)


def test_the_run_before_is_the_newest_older_one_over_the_same_data_set():
    runs = [past("now"), past("other", dataset="letters", total=12), past("then"), past("long ago")]
    assert run_before(runs[0], runs) is runs[2]
    assert run_before(runs[2], runs) is runs[3]


def test_the_run_before_a_repeat_is_the_run_that_it_repeats():
    runs = [past("again", repeats="first"), past("changed"), past("first")]
    assert run_before(runs[0], runs) is runs[2]
    assert run_before(runs[0], runs[:2]) is runs[1]  # it was deleted


def test_another_labeler_version_or_convention_is_not_like_it():
    now = past("now", model=["local-6"])
    others = [
        past("a", labeler="gpt"),
        past("b", model=["local-5"]),
        past("c", model=["local-6"], convention="trace"),
    ]
    assert run_before(now, [now, *others]) is None


def test_runs_over_two_files_are_alike_where_they_have_as_many_records():
    runs = [
        past("now", dataset="answers 2"),
        past("short", dataset=None, total=39),
        past("then", dataset="answers 1"),
    ]
    assert run_before(runs[0], runs) is runs[2]


def test_the_newest_pair_passes_over_a_run_that_stands_alone_or_is_the_two_newest():
    alone, after, before, rest = (
        past("alone", "letters", 12),
        past("after"),
        past("before"),
        past("rest", "rest", 7),
    )
    assert newest_pair([alone, after, before]) == (before, after)
    assert newest_pair([alone, after, rest]) == (after, alone)
