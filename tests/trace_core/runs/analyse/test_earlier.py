"""The run that another one is best compared with."""

from __future__ import annotations

from typing import Any

from trace_core.runs.analyse.earlier import newest_pair, run_before
from trace_core.store.runs import Run


def run(name: str, dataset: str | None = "manual", total: int = 40, **config: Any) -> Run:
    config = {"labeler": "local", "convention": "ragbench", **config}
    made: dict[str, Any] = dict.fromkeys(("note", "created_at", "status", "reason"), "")
    return Run(
        id=name, name=name, config=config, dataset_id=dataset, digest=None, owner=None, silence=None, usage={},
        revision=0, counts={"total": total}, **made,
    )  # fmt: skip


def names(runs: tuple[Run, Run]) -> tuple[str, str]:
    return runs[0].name, runs[1].name


def test_the_run_before_is_the_newest_older_one_over_the_same_data_set():
    runs = [run("now"), run("other", dataset="letters", total=12), run("then"), run("long ago")]
    assert run_before(runs[0], runs) is runs[2]
    assert run_before(runs[2], runs) is runs[3]


def test_the_first_run_over_a_data_set_has_none_before_it():
    runs = [run("now"), run("other", dataset="letters", total=12)]
    assert run_before(runs[0], runs) is None


def test_another_labeler_version_or_convention_is_not_like_it():
    now = run("now", model=["local-6"])
    others = [run("a", labeler="gpt"), run("b", model=["local-5"]), run("c", model=["local-6"], convention="trace")]
    assert run_before(now, [now, *others]) is None


def test_another_collection_or_top_k_is_what_is_compared():
    runs = [run("now", top_k=8, collection="large"), run("then", top_k=3, collection="small")]
    assert run_before(runs[0], runs) is runs[1]


def test_runs_over_two_files_are_alike_where_they_have_as_many_records():
    runs = [run("now", dataset="answers 2"), run("short", dataset=None, total=39), run("then", dataset="answers 1")]
    assert run_before(runs[0], runs) is runs[2]


def test_a_run_that_left_rows_out_is_like_another_over_its_data_set():
    runs = [run("now"), run("then", total=38)]
    assert run_before(runs[0], runs) is runs[1]


def test_a_run_that_is_not_listed_has_none_before_it():
    assert run_before(run("gone"), [run("then")]) is None


def test_the_newest_pair_passes_over_a_run_that_stands_alone():
    runs = [run("alone", dataset="letters", total=12), run("after"), run("before")]
    assert names(newest_pair(runs)) == ("before", "after")


def test_without_two_runs_alike_it_is_the_two_newest():
    runs = [run("b", dataset="letters", total=12), run("a"), run("x", dataset="rest", total=7)]
    assert names(newest_pair(runs)) == ("a", "b")
