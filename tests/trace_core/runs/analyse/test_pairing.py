from typing import Any

from trace_core.runs.analyse.pairing import newest_pair, pair, run_before
from trace_core.store.runs import Run


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


def run(name: str, dataset: str | None = "manual", total: int = 40, **config: Any) -> Run:
    config = {"labeler": "local", "convention": "ragbench", **config}
    words = dict.fromkeys(("note", "created_at", "status", "reason"), "")
    rest: dict[str, Any] = {**words, **dict.fromkeys(("digest", "owner", "silence")), "usage": {}, "revision": 0}
    return Run(id=name, name=name, config=config, dataset_id=dataset, counts={"total": total}, **rest)


def test_the_run_before_is_the_newest_older_one_over_the_same_data_set():
    runs = [run("now"), run("other", dataset="letters", total=12), run("then"), run("long ago")]
    assert run_before(runs[0], runs) is runs[2]
    assert run_before(runs[2], runs) is runs[3]


def test_another_labeler_version_or_convention_is_not_like_it():
    now = run("now", model=["local-6"])
    others = [run("a", labeler="gpt"), run("b", model=["local-5"]), run("c", model=["local-6"], convention="trace")]
    assert run_before(now, [now, *others]) is None


def test_runs_over_two_files_are_alike_where_they_have_as_many_records():
    runs = [run("now", dataset="answers 2"), run("short", dataset=None, total=39), run("then", dataset="answers 1")]
    assert run_before(runs[0], runs) is runs[2]


def test_the_newest_pair_passes_over_a_run_that_stands_alone_or_is_the_two_newest():
    alone, after, before, rest = run("alone", "letters", 12), run("after"), run("before"), run("rest", "rest", 7)
    assert newest_pair([alone, after, before]) == (before, after)
    assert newest_pair([alone, after, rest]) == (after, alone)
