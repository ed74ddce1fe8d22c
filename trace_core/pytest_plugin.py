"""The pytest plugin: `assert_trace` for any test, and the fixture `trace`, which keeps the records as a run.

    def test_the_tank(trace):
        documents, answer = my_pipeline("How much water does the tank hold?")
        trace("How much water does the tank hold?", documents, answer, adherence=0.9)

`--trace-store` puts the run into the store, `--trace-run F.json` writes its file, and `--trace-summary F.md` writes
a page for a pipeline. Under pytest-xdist the workers' records come together in one run: each travels with its test's
report. Nothing heavy is imported before a test needs it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from trace_core.facts.records import Document, Record
    from trace_core.labeling import Labeler

_RECORDS: pytest.StashKey[list[str]] = pytest.StashKey()  # of a test: its records as JSON, until its report takes them
_SESSION: pytest.StashKey[list[tuple[str, str]]] = pytest.StashKey()
"""Of the session: each record's test and JSON, as they arrive."""
_LINES: pytest.StashKey[list[str]] = pytest.StashKey()
_ATTRIBUTE = "trace_records"  # the attribute of a test's report that holds its records


def assert_trace(
    question: str,
    documents: str | Sequence[str | Document],
    answer: str,
    *,
    labeler: str | Labeler = "local",
    convention: str = "trace",
    **least: float,
) -> Record:
    """Score the answer; raises `AssertionError`, which names the sentence to blame, if a metric is below its `least`,
    by default `adherence=1.0`. Raises `SettingsError` for an unknown metric, and a value not from 0 to 1."""
    __tracebackhide__ = True
    return _check(_score(question, documents, answer, labeler, convention, least), least)


def _score(
    question: str, documents: Any, answer: str, labeler: Any, convention: str, least: dict[str, float]
) -> Record:
    __tracebackhide__ = True
    from trace_core.errors import SettingsError
    from trace_core.metrics import METRICS, Scoring
    from trace_core.pipeline import evaluate
    from trace_core.settings import load

    for name, value in least.items():
        if name not in METRICS:
            raise SettingsError(f"There is no metric {name!r}.", f"Use one of {', '.join(METRICS)}.")
        if not isinstance(value, Real) or not 0 <= value <= 1:  # NaN is above no score, so that any would pass
            raise SettingsError(f"{name}={value!r} is not a number from 0 to 1.", "Give a minimum, such as 0.9.")
    scoring = Scoring(convention, load().relevance_divisor)
    return evaluate(question, documents, answer, labeler=labeler, convention=scoring)


def _check(record: Record, least: dict[str, float]) -> Record:
    __tracebackhide__ = True
    assert record.scores  # noqa: S101  # `evaluate` always sets them
    if record.error:
        raise AssertionError(f"The answer could not be judged: {record.error.message} {record.error.hint}")
    misses = []
    for name, floor in (least or {"adherence": 1.0}).items():
        value = getattr(record.scores, name)
        if value is None:
            misses.append(f"{name} is undefined ({record.scores.undefined.get(name, 'unknown')})")
        elif value < floor:
            misses.append(f"{name} is {value:.2f}, below {floor}")
    if misses:
        raise AssertionError(f"{'; '.join(misses)}. {record.verdict.text if record.verdict else ''}")
    return record


@pytest.fixture
def trace(request: pytest.FixtureRequest) -> Callable[..., Record]:
    """`assert_trace` that also keeps every record; they form a run at the end of the session."""
    texts, options = request.node.stash.setdefault(_RECORDS, []), request.config.option

    def check(
        question: str, documents: Any, answer: str, *, labeler: Any = "local", convention: str = "trace", **least: float
    ) -> Record:
        __tracebackhide__ = True
        record = _score(question, documents, answer, labeler, convention, least)
        if options.trace_store or options.trace_run or options.trace_summary:
            texts.append(json.dumps(record.to_dict(), allow_nan=False))
        return _check(record, least)

    return check


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options for the session's run."""
    group = parser.getgroup("trace", "answers checked by TRACE")
    group.addoption("--trace-store", action="store_true", help="Keep the session's records as a run in the store.")
    group.addoption("--trace-name", default="pytest", help="The run's name.")
    group.addoption("--trace-run", metavar="F.json", type=Path, help="Write the run's file here.")
    group.addoption("--trace-summary", metavar="F.md", type=Path, help="Write a summary for a pipeline's page here.")


def pytest_configure(config: pytest.Config) -> None:
    """Set up the storage for the session's records."""
    config.stash[_SESSION] = []
    config.stash[_LINES] = []
    config.pluginmanager.register(_Keeper(config.stash[_SESSION]))  # a report does not say whose session it is of


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give the test's report its records: xdist brings reports from its workers, and nothing of those that crash."""
    report = yield
    texts = item.stash.get(_RECORDS, [])
    if texts:
        vars(report)[_ATTRIBUTE] = list(texts)
        texts.clear()
    return report


class _Keeper:
    """Collects the records of the reports that arrive in this process."""

    def __init__(self, records: list[tuple[str, str]]) -> None:
        self.records = records

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called once for each phase of a test, here or at the controller of xdist's workers."""
        self.records += [(report.nodeid, text) for text in getattr(report, _ATTRIBUTE, [])]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Make the run from the records that were kept; xdist's workers leave that to their controller."""
    config = session.config
    if (pairs := config.stash[_SESSION]) and not hasattr(config, "workerinput"):
        # Workers' reports arrive in any order; the order of the names is the same each time.
        in_order = sorted(pairs, key=lambda one: one[0]) if config.pluginmanager.hasplugin("dsession") else pairs
        config.stash[_LINES] += _write(config.option, in_order)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Report where the run is."""
    for line in config.stash[_LINES]:
        terminalreporter.write_line(f"trace: {line}")


def _write(options: Any, pairs: Iterable[tuple[str, str]]) -> list[str]:
    """The run of these records, each under its test's name (the second one of a test is `name#2`), as asked for."""
    from trace_core.diagnosis.rescoring import rescore
    from trace_core.facts.records import Record
    from trace_core.metrics import Scoring
    from trace_core.runs.files.export import export
    from trace_core.runs.files.exported import new_run
    from trace_core.runs.files.importing import bring_in
    from trace_core.settings import load
    from trace_core.store.store import open_store

    records, times = list[Record](), Counter[str]()
    for name, text in pairs:
        times[name] += 1
        own = f"{name}#{times[name]}" if times[name] > 1 else name
        records.append(Record.model_validate(json.loads(text) | {"id": own, "source_id": name}))
    settings, convention = load(), records[0].scores.convention if records[0].scores else "trace"
    labeler = " ".join(sorted({record.labels.labeler for record in records if record.labels}))
    scoring = Scoring(convention, settings.relevance_divisor)
    records = [rescore(record, scoring) for record in records]  # a test may have asked for another one
    run = new_run(records, options.trace_name, convention=convention, labeler=labeler, settings=settings.public())
    lines = []
    for form, what, path in (("json", "run file", options.trace_run), ("summary", "summary", options.trace_summary)):
        if path:
            with path.open("w", encoding="utf-8", newline="\n") as out:
                export(run, form, out)
            lines.append(f"{what} {path}")
    if options.trace_store:
        run_id = run.run["id"]
        bring_in(open_store(settings.database).runs, run.run, records, total=len(records), digest=run_id)
        lines.append(f"run {run_id} in the store")
    return lines
