"""A run for a CI page: test results (JUnit XML), and a summary (Markdown) with what got worse."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TextIO
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement
from xml.sax.saxutils import escape

from trace_core.diagnosis.over_run import NO_ANSWER, run_diagnosis
from trace_core.facts.records import Record
from trace_core.labeling.trust import run_trust
from trace_core.metrics import CONVENTIONS, METRICS
from trace_core.runs.analyse.compare import Comparison
from trace_core.runs.files.exported import DOCUMENT_SCORES, RunExport
from trace_core.summary.intervals import spread

_WORST = 10
"""Records that got worse, listed in a summary; of those that are not grounded, all are."""
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Gates(NamedTuple):
    """The least mean of each metric, and the least share of all rows that the metric must be known of."""

    means: Mapping[str, float] = {}
    judged: float = 0.9


def missed(run: RunExport, summary: Mapping[str, Any], gates: Gates) -> dict[str, str]:
    """Metric → why its gate is not met: its mean in the run's summary, or the share of rows that it is known of."""
    below: dict[str, str] = {}
    for name, least in gates.means.items():
        mean, scored = (summary["metrics"][name][part] for part in ("mean", "scored"))
        if mean is None or mean < least:
            below[name] = f"mean {name} is {'undefined' if mean is None else f'{mean:.4f}'}, below {least}"
        elif scored / run.rows < gates.judged:
            share = f"{name} is known of {scored:,} of {run.rows:,} rows ({scored / run.rows:.0%})"
            below[name] = f"{share}, below the share that must be judged ({gates.judged:.0%}, --min-judged)"
    return below


def write_junit(run: RunExport, out: TextIO, gates: Gates | None = None) -> None:
    """One test per record, and one per gate on the run's means. A record fails below a gate's threshold if there are
    gates, else if it is not grounded; a failed record is an error, one that cannot be judged is skipped."""
    summary, gates = run.summary(), gates or Gates()
    suites = Element("testsuites")
    suite = SubElement(suites, "testsuite", name=_storable(run.run["name"]))
    golden = {name: summary["golden"][name]["mean"] for name in DOCUMENT_SCORES if "golden" in summary}
    if known := {name: mean for name, mean in golden.items() if mean is not None}:
        properties = SubElement(suite, "properties")
        for name, mean in known.items():
            SubElement(properties, "property", name=name, value=f"{mean:.4f}")
    for record in run.records():
        name, seconds = f"{record.id}: {record.question}", f"{sum(record.seconds.values()):.3f}"
        case = SubElement(suite, "testcase", classname="trace", name=_storable(name), time=seconds)
        kind, message = _result(record, gates.means)
        if kind:
            SubElement(case, kind, message=_storable(message))
    below = missed(run, summary, gates)
    for name, least in gates.means.items():
        case = SubElement(suite, "testcase", classname="trace.gates", name=f"mean {name} at least {least}")
        if name in below:
            SubElement(case, "failure", message=below[name])
    counts = {
        "tests": "testcase",
        "failures": "testcase/failure",
        "errors": "testcase/error",
        "skipped": "testcase/skipped",
    }
    for name, path in counts.items():
        suites.set(name, str(len(suite.findall(path))))
        suite.set(name, suites.attrib[name])
    ElementTree.indent(suites, "")
    out.write(f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n')


def _result(record: Record, gates: Mapping[str, float]) -> tuple[str, str]:
    """What a record's test says, and why; nothing for one that passes."""
    if record.error:
        return "error", f"{record.error.step}: {record.error.message}"
    found = record.verdict
    if record.scores is None or found is None:
        return "skipped", "Not scored."
    values = {name: getattr(record.scores, name) for name in gates}
    below = [
        f"{name} is {value:.2f}, below {gates[name]}"
        for name, value in values.items()
        if value is not None and value < gates[name]
    ]
    if below:
        return "failure", f"{'; '.join(below)}. {found.text}"
    if None in values.values() or found.name in ("empty", "unlabeled"):
        return "skipped", found.text
    return ("failure", found.text) if not gates and is_ungrounded(record) else ("", "")


def is_ungrounded(record: Record) -> bool:
    """Whether a statement of the answer is not grounded, surely or not: somebody has to look."""
    answered = record.verdict is not None and record.verdict.name not in NO_ANSWER
    adherence = record.scores.adherence if record.scores else None
    return answered and adherence is not None and adherence < 1


def _storable(text: str) -> str:
    return _NO_XML.sub("\ufffd", text)


# Summary


def write_summary(run: RunExport, out: TextIO, gates: Gates | None = None, against: Comparison | None = None) -> None:
    """The summary for people: diagnosis, metrics with intervals, gates, what got worse."""
    gates, summary, scores = gates or Gates(), run.summary(), run.scores()
    below = missed(run, summary, gates)
    found = run_diagnosis(run.numbers().findings(scores), scores.values["adherence"], run.counts["failed"])
    fault = found.fault[:1].upper() + found.fault[1:] if found.records else ""
    convention, labeler = (
        CONVENTIONS[run.convention].named(run.scoring.divisor),
        _text(str(run.run["config"].get("labeler"))),
    )
    parts = [
        f"## {_text(run.run['name'])}",
        " ".join(filter(None, [f"**{found.answers}.**", fault, found.failures])),
        f"⚠️ {_text(str(run.run['reason']))}" if run.run.get("reason") else "",
        "\n".join(f"❌ {_text(text)}" for text in below.values()),
        _metrics(run, summary, gates, against),
        f"Scores: {convention}; labels: {labeler}. {run_trust(run.run['config'])}".strip(),
        _against(against) if against else "",
    ]
    worst = [
        f"- **{_text(record.question)}** {_text(record.verdict.text)}"
        for record in run.records()
        if record.verdict and is_ungrounded(record)
    ]
    parts.append("\n".join(["### Not grounded\n", *worst]) if worst else "")
    out.write("\n\n".join(part for part in parts if part) + "\n")


def _metrics(run: RunExport, summary: Mapping[str, Any], gates: Gates, against: Comparison | None) -> str:
    least = gates.means
    head = ["metric", "mean", "95 % interval", "scored", *(["gate"] if least else []), *(["change"] if against else [])]
    rows, below = [head, ["---"] * len(head)], missed(run, summary, gates)
    labels = {name: metric.label for name, metric in METRICS.items()}
    for name, label in (labels | (DOCUMENT_SCORES if "golden" in summary else {})).items():
        found = summary["metrics" if name in METRICS else "golden"][name]
        mean = found["mean"]
        cells = [label, "–" if mean is None else f"{mean:.3f}", spread(found["interval"], found["scored"])]
        some = name in METRICS and found["scored"] < run.rows
        cells.append(f"{found['scored']}{f' of {run.rows} rows' if some else ''}")
        if least:
            cells.append(f"{'❌' if name in below else '✅'} {least[name]}" if name in least else "")
        if against:
            change = against.metrics.get(name)
            sure = " (certain)" if change and change.significant else ""
            known = change is not None and change.difference is not None
            cells.append(f"{change.difference:+.3f}{sure}" if change and known else "–")
        rows.append(cells)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _against(against: Comparison) -> str:
    worse = []
    for one in against.got_worse:
        fallen = ", ".join(f"{name} {delta:+.2f}" for name, delta in one.by_metric.items() if delta < 0)
        worse.append(f"- {_text(str(one.b['question']))} ({fallen})")
    warnings = [f"- ⚠️ {_text(warning)}" for warning in against.warnings]
    return "\n".join(["### Against the baseline\n", against.verdict(), *warnings, *_shortened(worse, " got worse")])


def _shortened(lines: list[str], what: str) -> list[str]:
    more = [f"- … and {len(lines) - _WORST} more{what}"] if len(lines) > _WORST else []
    return lines[:_WORST] + more


def _text(text: str) -> str:
    flat = " ".join(_storable(text).split())
    return re.sub(r"([\\`*_{}\[\]#|~!$@:])", r"\\\1", escape(flat))
