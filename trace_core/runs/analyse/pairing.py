"""Which record of one run belongs to which of another, and which earlier run a run is best compared with."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trace_core.store.runs import Run

RecordDict = Mapping[str, Any]
"""A record in the form of the run file."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs (A's record, B's record) in A's order, and the records that have no partner."""

    pairs: list[tuple[RecordDict, RecordDict]]
    only_a: list[RecordDict]
    only_b: list[RecordDict]


def pair(a: Sequence[RecordDict], b: Sequence[RecordDict]) -> Pairs:
    """Pair by source id and generator where that is unique in both runs, the others by question.

    Where most records with the same source id ask something else, the ids are those of other rows, and do not count.
    Questions may repeat: the n-th occurrence in A is paired with the n-th in B, counting only records not
    already paired by id.
    """
    places_a, places_b = _unique(a), _unique(b)
    partner = {place: places_b[key] for key, place in places_a.items() if key in places_b}
    if 2 * sum(not same_question(a[i], b[j]) for i, j in partner.items()) > len(partner):
        partner = {}
    taken = set(partner.values())
    waiting: dict[str, list[int]] = defaultdict(list)
    for j in reversed([j for j in range(len(b)) if j not in taken]):
        waiting[question_key(b[j]["question"])].append(j)
    for i in [i for i in range(len(a)) if i not in partner]:
        if same := waiting.get(question_key(a[i]["question"])):
            partner[i] = same.pop()
    taken = set(partner.values())
    return Pairs(
        pairs=[(a[i], b[partner[i]]) for i in range(len(a)) if i in partner],
        only_a=[a[i] for i in range(len(a)) if i not in partner],
        only_b=[b[j] for j in range(len(b)) if j not in taken],
    )


def question_key(question: str) -> str:
    """The question, whatever its spaces and capitals: who asks the same is the same."""
    return " ".join(question.split()).casefold()


def question_keys(questions: Iterable[str]) -> list[str]:
    """A key for each question; of one that repeats, the n-th has its number."""
    times: Counter[str] = Counter()
    keys = []
    for key in map(question_key, questions):
        times[key] += 1
        keys.append(key if times[key] == 1 else f"{key} #{times[key]}")
    return keys


def same_question(one: RecordDict, other: RecordDict) -> bool:
    """Whether two records ask the same, whatever the spaces and capitals."""
    return question_key(one["question"]) == question_key(other["question"])


def _unique(records: Sequence[RecordDict]) -> dict[Hashable, int]:
    """Source id and generator → the position of the one record that has them."""
    keys = [(record.get("source_id"), record.get("generation_model_name")) for record in records]
    times = Counter(keys)
    return {key: place for place, key in enumerate(keys) if times[key] == 1 and key[0] is not None}


def run_before(run: Run, runs: Sequence[Run]) -> Run | None:
    """The newest run that is older than `run` and like it; `runs` are listed newest first."""
    places = [place for place, one in enumerate(runs) if one.id == run.id]
    older = runs[places[0] + 1 :] if places else []
    return next((one for one in older if _alike(one, run)), None)


def repeat_of(run: Run, first: Run) -> bool:
    """Whether the run is the first one run again, with nothing changed."""
    return run.config.get("repeats") == first.id


def newest_pair(runs: Sequence[Run]) -> tuple[Run, Run]:
    """Of two or more runs, newest first: the newest run that has an earlier one like it, which comes first here.

    Without such a run it is the two newest.
    """
    pairs = ((before, run) for run in runs if (before := run_before(run, runs)) is not None)
    return next(pairs, (runs[1], runs[0]))


def _alike(a: Run, b: Run) -> bool:
    """One labeler, its version and convention; one data set, or as many records, as other answers to it have."""
    same_rows = a.counts["total"] == b.counts["total"] or (a.dataset_id is not None and a.dataset_id == b.dataset_id)
    return same_rows and all(
        (a.config.get(name) or None) == (b.config.get(name) or None) for name in ("labeler", "model", "convention")
    )
