"""A run for a CI page: test results (JUnit XML), and a summary (Markdown) with what got worse."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TextIO
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement
from xml.sax.saxutils import escape

from trace_core.diagnosis.over_run import NO_ANSWER
from trace_core.facts.labels import labeler_name
from trace_core.facts.records import Record
from trace_core.metrics import CONVENTIONS, METRICS
from trace_core.runs.analyse.compare import Comparison
from trace_core.runs.files.exported import DOCUMENT_SCORES, RunExport
from trace_core.summary.intervals import spread
from trace_core.summary.trust import run_trust

_WORST = 10
"""Records that got worse, listed in a summary; of those that are not grounded, all are."""


class Gates(NamedTuple):
    """The least mean of each metric, and the least share of all rows that the metric must be known of."""

    means: Mapping[str, float] = {}
    share: float = 0.9


def unmet_gates(run: RunExport, summary: Mapping[str, Any], gates: Gates) -> dict[str, str]:
    """Metric → why its gate is not met: its mean in the run's summary, or the share of rows that it is known of."""
    below: dict[str, str] = {}
    for name, least in gates.means.items():
        mean, n = (summary["metrics"][name][part] for part in ("mean", "scored"))
        if mean is None or mean < least:
            below[name] = f"mean {name} is {'undefined' if mean is None else f'{mean:.4f}'}, below {least}"
        elif n / run.rows < gates.share:
            share = f"{name} is known for {n:,} of {run.rows:,} rows ({n / run.rows:.0%})"
            below[name] = f"{share}, below the share that must be judged ({gates.share:.0%}, --min-judged)"
    return below


def write_junit(run: RunExport, out: TextIO, gates: Gates | None = None) -> None:
    """One test per record, and one per gate on the run's means. A record fails below a gate's threshold if there are
    gates, else if it is not grounded; a failed record is an error, one that cannot be judged is skipped."""
    summary, gates = run.summary(), gates or Gates()
    suites = Element("testsuites")
    suite = SubElement(suites, "testsuite", name=_storable(run.run["name"]))
    golden = {name: summary["golden"][name]["mean"] for name in DOCUMENT_SCORES if "golden" in summary}
    if means := {name: f"{mean:.4f}" for name, mean in golden.items() if mean is not None}:
        properties = SubElement(suite, "properties")
        for name, value in means.items():
            SubElement(properties, "property", name=name, value=value)
    for record in run.records():
        name, seconds = f"{record.id}: {record.question}", f"{sum(record.seconds.values()):.3f}"
        case = SubElement(suite, "testcase", classname="trace", name=_storable(name), time=seconds)
        kind, message = _result(record, gates.means)
        if kind:
            SubElement(case, kind, message=_storable(message))
    below = unmet_gates(run, summary, gates)
    for name, least in gates.means.items():
        case = SubElement(suite, "testcase", classname="trace.gates", name=f"mean {name} at least {least}")
        if name in below:
            SubElement(case, "failure", message=below[name])
    for name, path in {"tests": "", "failures": "/failure", "errors": "/error", "skipped": "/skipped"}.items():
        for element in (suites, suite):
            element.set(name, str(len(suite.findall(f"testcase{path}"))))
    ElementTree.indent(suites, "")
    out.write(f'<?xml version="1.0" encoding="utf-8"?>\n{ElementTree.tostring(suites, encoding="unicode")}\n')


def _result(record: Record, gates: Mapping[str, float]) -> tuple[str, str]:
    """What a record's test says, and why; nothing for one that passes."""
    verdict = record.verdict
    if record.error:
        return "error", f"{record.error.step}: {record.error.message}"
    if record.scores is None or verdict is None:
        return "skipped", "Not scored."
    values = {name: getattr(record.scores, name) for name in gates}
    below = [
        f"{name} is {value:.2f}, below {gates[name]}"
        for name, value in values.items()
        if value is not None and value < gates[name]
    ]
    if below:
        return "failure", f"{'; '.join(below)}. {verdict.text}"
    if None in values.values() or verdict.name in ("empty", "unlabeled"):
        return "skipped", verdict.text
    return ("failure", verdict.text) if not gates and lacks_support(record) else ("", "")


def lacks_support(record: Record) -> bool:
    """Whether a statement of the answer is not grounded, surely or not: somebody has to look."""
    is_answer = record.verdict is not None and record.verdict.name not in NO_ANSWER
    adherence = record.scores.adherence if record.scores else None
    return is_answer and adherence is not None and adherence < 1


def _storable(text: str) -> str:
    return re.sub("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "\ufffd", text)


def write_summary(run: RunExport, out: TextIO, gates: Gates | None = None, against: Comparison | None = None) -> None:
    """The summary for people: diagnosis, metrics with intervals, gates, what got worse."""
    gates, summary, diagnosis = gates or Gates(), run.summary(), run.scores().diagnosis()
    below = unmet_gates(run, summary, gates)
    rows, labels = [], {name: metric.label for name, metric in METRICS.items()}
    for name, label in (labels | (DOCUMENT_SCORES if "golden" in summary else {})).items():
        level = summary["metrics" if name in METRICS else "golden"][name]
        mean, n = level["mean"], level["scored"]
        row = {"metric": label, "mean": "–" if mean is None else f"{mean:.3f}"}
        row["95 % interval"] = spread(level["interval"], n)
        row["scored"] = f"{n} of {run.rows} rows" if name in METRICS and n < run.rows else f"{n}"
        if gates.means:
            row["gate"] = f"{'❌' if name in below else '✅'} {gates.means[name]}" if name in gates.means else ""
        if against:
            change = against.metrics.get(name)
            sure = " (certain)" if change and change.significant else ""
            row["change"] = f"{change.difference:+.3f}{sure}" if change and change.difference is not None else "–"
        rows.append(row)
    cells = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)]
    fault = diagnosis.fault[:1].upper() + diagnosis.fault[1:] if diagnosis.records else ""
    convention = CONVENTIONS[run.scoring.convention].label_with(run.scoring.divisor)
    labeler = _text(labeler_name(run.run["config"].get("labeler")))
    not_grounded = [
        f"- **{_text(record.question)}** {_text(record.verdict.text)}"
        for record in run.records()
        if record.verdict and lacks_support(record)
    ]
    parts = [
        f"## {_text(run.run['name'])}",
        " ".join(filter(None, [f"**{diagnosis.answers}.**", fault, diagnosis.failures])),
        f"⚠️ {_text(str(run.run['reason']))}" if run.run.get("reason") else "",
        "\n".join(f"❌ {_text(text)}" for text in below.values()),
        "\n".join(f"| {' | '.join(line)} |" for line in cells),
        f"Scores: {convention}; labels: {labeler}. {run_trust(run.run['config'])}".strip(),
        _against(against) if against else "",
        "\n".join(["### Not grounded\n", *not_grounded]) if not_grounded else "",
    ]
    out.write("\n\n".join(filter(None, parts)) + "\n")


def _against(against: Comparison) -> str:
    lines = ["### Against the baseline\n", against.verdict(), *(f"- ⚠️ {_text(text)}" for text in against.warnings)]
    for one in against.got_worse[:_WORST]:
        falls = ", ".join(f"{name} {delta:+.2f}" for name, delta in one.by_metric.items() if delta < 0)
        lines.append(f"- {_text(one.question)} ({falls})")
    if len(against.got_worse) > _WORST:
        lines.append(f"- … and {len(against.got_worse) - _WORST} more got worse")
    return "\n".join(lines)


def _text(text: str) -> str:
    flat = " ".join(_storable(text).split())
    return re.sub(r"([\\`*_{}\[\]#|~!$@:])", r"\\\1", escape(flat))
