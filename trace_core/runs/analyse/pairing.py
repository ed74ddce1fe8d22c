"""Which record of one run belongs to which of another, and which earlier run a run is best compared with."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from trace_core.store.record_reader import Key
from trace_core.store.runs import Run


@dataclass(frozen=True, slots=True)
class Pairs:
    """The pairs (A's place, B's place) in A's order, and the places of the records that have no partner."""

    pairs: list[tuple[int, int]]
    only_a: list[int]
    only_b: list[int]


def pair(a: Sequence[Key], b: Sequence[Key]) -> Pairs:
    """Pair by source id and generator where that is unique in both runs, the others by question, the n-th with the
    n-th. Where most records with the same source id ask something else, the ids are those of other rows, and do not
    count."""
    places_a, places_b = _unique(a), _unique(b)
    partner = {place: places_b[key] for key, place in places_a.items() if key in places_b}
    if 2 * sum(not same_question(a[i][2], b[j][2]) for i, j in partner.items()) > len(partner):
        partner = {}
    by_id = set(partner.values())
    waiting: dict[str, list[int]] = defaultdict(list)
    for j in reversed([j for j in range(len(b)) if j not in by_id]):
        waiting[question_key(b[j][2])].append(j)
    for i in [i for i in range(len(a)) if i not in partner]:
        if places := waiting.get(question_key(a[i][2])):
            partner[i] = places.pop()
    only_b = set(range(len(b))) - set(partner.values())
    return Pairs(sorted(partner.items()), [i for i in range(len(a)) if i not in partner], sorted(only_b))


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


def same_question(one: str, other: str) -> bool:
    """Whether two questions are the same, whatever the spaces and capitals."""
    return one == other or question_key(one) == question_key(other)


def _unique(keys: Sequence[Key]) -> dict[Hashable, int]:
    """Source id and generator → the place of the one record that has them."""
    times = Counter((source, generator) for source, generator, _ in keys)
    places = {(source, generator): place for place, (source, generator, _) in enumerate(keys)}
    return {key: place for key, place in places.items() if times[key] == 1 and key[0]}


def run_before(run: Run, runs: Sequence[Run]) -> Run | None:
    """The newest run that is older than `run` (`runs` are listed newest first) and like it: one labeler, its version,
    one convention; one data set, or as many records, as other answers to it have."""
    places = [place for place, one in enumerate(runs) if one.id == run.id]
    for one in runs[places[0] + 1 :] if places else []:
        of_one_data_set = one.dataset_id is not None and one.dataset_id == run.dataset_id
        if (of_one_data_set or one.counts["total"] == run.counts["total"]) and all(
            (one.config.get(name) or None) == (run.config.get(name) or None)
            for name in ("labeler", "model", "convention")
        ):
            return one
    return None


def repeat_of(run: Run, first: Run) -> bool:
    """Whether the run is the first one run again, with nothing changed."""
    return run.config.get("repeats") == first.id


def newest_pair(runs: Sequence[Run]) -> tuple[Run, Run]:
    """Of two or more runs, newest first: the newest run that has an earlier one like it, which comes first here, else
    the two newest."""
    pairs = ((before, run) for run in runs if (before := run_before(run, runs)) is not None)
    return next(pairs, (runs[1], runs[0]))
