"""Which earlier run another one is best compared with, as far as the list of runs tells."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from trace_core.store.runs import Run


def run_before(run: Run, runs: Sequence[Run]) -> Run | None:
    """The newest run that is older than `run` and like it; `runs` are listed newest first."""
    places = [place for place, one in enumerate(runs) if one.id == run.id]
    older = runs[places[0] + 1 :] if places else []
    return next((one for one in older if _alike(one, run)), None)


def newest_pair(runs: Sequence[Run]) -> tuple[Run, Run]:
    """Of two or more runs, newest first: the newest run that has an earlier one like it, which comes first here.

    Without such a run it is the two newest.
    """
    for run in runs:
        if (before := run_before(run, runs)) is not None:
            return before, run
    return runs[1], runs[0]


def _alike(a: Run, b: Run) -> bool:
    """One labeler, its version and convention; one data set, or as many records, as other answers to it have."""
    same_rows = a.counts["total"] == b.counts["total"] or (a.dataset_id is not None and a.dataset_id == b.dataset_id)
    return same_rows and _measure(a) == _measure(b)


def _measure(run: Run) -> Hashable:
    config = run.config
    return config.get("labeler"), tuple(map(str, config.get("model") or ())), config.get("convention")
