from typing import Any

from stored_examples import stored

from trace_core.runs.analyse.pairing import newest_pair, pair, run_before
from trace_core.store.runs import Run


def ids(found):
    return [(a["id"], b["id"]) for a, b in found.pairs]


def test_one_source_id_stands_for_two_generators():
    a = [stored("1", generator="gpt"), stored("1#2", source="1", generator="claude")]
    b = [stored("1", generator="claude"), stored("1#2", source="1", generator="gpt")]
    assert ids(pair(a, b)) == [("1", "1#2"), ("1#2", "1")]


def test_an_id_that_repeats_says_nothing():
    others = [stored("8"), stored("9")]
    a = [*others, stored("a1", source="1", question="Who?"), stored("a2", source="1", question="When?")]
    b = [*others, stored("b1", source="1", question="When?"), stored("b2", source="1", question="Who?")]
    assert sorted(ids(pair(a, b))) == [("8", "8"), ("9", "9"), ("a1", "b2"), ("a2", "b1")]


def test_a_question_that_repeats_is_paired_in_order():
    a = [stored("a1", question="Who?"), stored("a2", question="Who?")]
    b = [stored("b1", question="Who?"), stored("b2", question="Who?"), stored("b3", question="Who?")]
    found = pair(a, b)
    assert ids(found) == [("a1", "b1"), ("a2", "b2")]
    assert [r["id"] for r in found.only_b] == ["b3"]


def test_records_without_a_source_id_are_paired_by_question():
    a, b = stored("x") | {"source_id": None}, stored("y") | {"source_id": None}
    assert ids(pair([a], [b])) == [("x", "y")]
    assert ids(pair([a], [b | {"question": "Another?"}])) == []


def test_a_question_that_was_reworded_keeps_its_partner():
    a = [stored("1", question="How much?"), stored("2", question="When?"), stored("3", question="Why?")]
    b = [stored("3", question="Why?"), stored("1", question="How much is it?"), stored("2", question="when? ")]
    assert sorted(ids(pair(a, b))) == [("1", "1"), ("2", "2"), ("3", "3")]


def test_rows_of_other_data_with_the_same_numbers_are_no_partners():
    a, b = (
        [stored(str(n), question=text.format(n)) for n in range(3)]
        for text in ("How is coffee {} made?", "How is rocket {} built?")
    )
    found = pair(a, b)
    assert (len(found.pairs), len(found.only_a), len(found.only_b)) == (0, 3, 3)


def run(name: str, dataset: str | None = "manual", total: int = 40, **config: Any) -> Run:
    config = {"labeler": "local", "convention": "ragbench", **config}
    made: dict[str, Any] = dict.fromkeys(("note", "created_at", "status", "reason"), "")
    return Run(
        id=name,
        name=name,
        config=config,
        dataset_id=dataset,
        digest=None,
        owner=None,
        silence=None,
        usage={},
        revision=0,
        counts={"total": total},
        **made,
    )


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
