"""A run for a CI page: test results (JUnit XML), and a summary (Markdown) with what got worse."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol, TextIO
from xml.sax.saxutils import escape, quoteattr

from trace_core.diagnosis.faults import FAULTS
from trace_core.diagnosis.over_run import over_run
from trace_core.diagnosis.verdict import verdict
from trace_core.facts.records import Record
from trace_core.metrics import CONVENTIONS, METRICS
from trace_core.runs.files.exported import DOCUMENT_SCORES, Exported
from trace_core.summary.intervals import spread

Gates = Mapping[str, float]


class Compared(Protocol):
    """A comparison with the baseline, as made by `runs.analyse`."""

    @property
    def warnings(self) -> list[str]:
        """Why the two runs may not be comparable."""

    @property
    def metrics(self) -> Mapping[str, Any]:
        """Metric → a change with `difference` and `significant`."""

    @property
    def got_worse(self) -> list[Any]:
        """The records whose scores fell, worst first, with `by_metric` and the record `b`."""

    def verdict(self) -> str:
        """The conclusion in a sentence or two."""


_WORST = 10
"""Records listed in a summary."""
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(run: Exported, out: TextIO, gates: Gates | None = None) -> None:
    """One test per record, and one per gate on the run's means. A record fails below a gate's threshold if there are
    gates, else on a bad verdict; a failed record is an error, one that cannot be judged is skipped."""
    cases = [_case(record, gates or {}) for record in run.records()]
    summary = run.summary()
    cases += [_gate(name, least, summary) for name, least in (gates or {}).items()]
    kinds = {kind: sum(f"<{kind} " in case for case in cases) for kind in ("failure", "error", "skipped")}
    counted = (
        f'tests="{len(cases)}" failures="{kinds["failure"]}" errors="{kinds["error"]}" skipped="{kinds["skipped"]}"'
    )
    out.write(f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites {counted}>\n')
    out.write(
        f"<testsuite name={_attribute(run.run['name'])} {counted}>\n{_properties(summary)}{''.join(cases)}"
        "</testsuite>\n</testsuites>\n"
    )


def _properties(summary: Mapping[str, Any]) -> str:
    """How far the documents that golden questions expect were found, if the run has any such questions."""
    golden = summary.get("golden", {})
    known = {name: golden[name]["mean"] for name in DOCUMENT_SCORES if golden and golden[name]["mean"] is not None}
    said = "".join(f'<property name="{name}" value="{mean:.4f}"/>\n' for name, mean in known.items())
    return f"<properties>\n{said}</properties>\n" if said else ""


def _case(record: Record, gates: Gates) -> str:
    kind, said = _result(record, gates)
    seconds = sum(record.seconds.values())
    head = f'<testcase classname="trace" name={_attribute(f"{record.id}: {record.question}")} time="{seconds:.3f}"'
    return f"{head}/>\n" if not kind else f"{head}><{kind} message={_attribute(said)}/></testcase>\n"


def _result(record: Record, gates: Gates) -> tuple[str, str]:
    if record.error:
        return "error", f"{record.error.step}: {record.error.message}"
    if record.scores is None:
        return "skipped", "Not scored."
    found = verdict(record, record.scores)
    values = {name: getattr(record.scores, name) for name in gates}
    below = [f"{name} is {value:.2f}, below {gates[name]}" for name, value in values.items()
             if value is not None and value < gates[name]]  # fmt: skip
    if below:
        return "failure", f"{'; '.join(below)}. {found.text}"
    if found.tone == "unknown" or None in values.values() or found.diagnosis == "empty":
        return "skipped", found.text
    bad = "bad" in (found.tone, FAULTS[found.diagnosis].tone)  # a doubtful verdict fails too: somebody has to look
    return ("failure", found.text) if bad and not gates else ("", "")


def _gate(name: str, least: float, summary: Mapping[str, Any]) -> str:
    mean = summary["metrics"][name]["mean"]
    head = f'<testcase classname="trace.gates" name="mean {name} at least {least}"'
    if mean is not None and mean >= least:
        return f"{head}/>\n"
    shown = "undefined" if mean is None else f"{mean:.4f}"
    return f'{head}><failure message="mean {name} is {shown}, below {least}"/></testcase>\n'


def _attribute(text: str) -> str:
    return quoteattr(_NO_XML.sub("\ufffd", text))


# Summary


def write_summary(run: Exported, out: TextIO, gates: Gates | None = None, against: Compared | None = None) -> None:
    """The summary for people: diagnosis, metrics with intervals, gates, what got worse."""
    summary, counts = run.summary(), run.counts
    parts = [f"## {_text(run.run['name'])}", _opening(run, counts), _metrics(summary, gates or {}, against)]
    convention, labeler = CONVENTIONS[run.convention].named(run.divisor), _text(str(run.run["config"].get("labeler")))
    parts.append(f"Scores: {convention}; labels: {labeler}.")
    if against is not None:
        parts.append(_against(against))
    worst = _worst(run)
    if worst:
        parts.append("### Not grounded\n\n" + "\n".join(worst))
    out.write("\n\n".join(part for part in parts if part) + "\n")


def _opening(run: Exported, counts: Mapping[str, int]) -> str:
    """How many are grounded, the most frequent fault with its share, and where to start."""
    scores = run.scores()
    found = over_run(run.numbers().findings(scores), scores.values["adherence"], counts["failed"])
    said = [f"**{found.answers}.**", *([found.fault[:1].upper() + found.fault[1:]] if found.records else [])]
    why = str(run.run.get("reason") or "")
    return " ".join([*said, found.failures]).strip() + (f"\n\n⚠️ {_text(why)}" if why else "")


def _metrics(summary: Mapping[str, Any], gates: Gates, against: Compared | None) -> str:
    head = ["metric", "mean", "95 % interval", "scored", *(["gate"] if gates else []), *(["change"] if against else [])]
    rows = [head, ["---"] * len(head)]
    for name, metric in METRICS.items():
        found = summary["metrics"][name]
        mean, interval = found["mean"], found["interval"]
        cells = [metric.label, "–" if mean is None else f"{mean:.3f}"]
        cells += [spread(interval, found["scored"]), str(found["scored"])]
        if gates:
            least = gates.get(name)
            ok = mean is not None and least is not None and mean >= least
            cells.append("" if least is None else f"{'✅' if ok else '❌'} {least}")
        if against:
            change = against.metrics[name]
            sure = " (certain)" if change.significant else ""
            cells.append("–" if change.difference is None else f"{change.difference:+.3f}{sure}")
        rows.append(cells)
    for name, label in DOCUMENT_SCORES.items() if "golden" in summary else ():
        found = summary["golden"][name]
        shown = "–" if found["mean"] is None else f"{found['mean']:.3f}"
        cells = [label, shown, spread(found["interval"], found["scored"]), str(found["scored"])]
        rows.append([*cells, *[""] * (len(head) - len(cells))])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _against(against: Compared) -> str:
    lines = [
        "### Against the baseline",
        "",
        against.verdict(),
        *(f"- ⚠️ {_text(warning)}" for warning in against.warnings),
    ]
    for worse in against.got_worse[:_WORST]:
        fallen = ", ".join(f"{name} {delta:+.2f}" for name, delta in worse.by_metric.items() if delta < 0)
        lines.append(f"- {_text(str(worse.b['question']))} ({fallen})")
    if len(against.got_worse) > _WORST:
        lines.append(f"- … and {len(against.got_worse) - _WORST} more got worse")
    return "\n".join(lines)


def _worst(run: Exported) -> list[str]:
    judged = ((record, verdict(record, record.scores)) for record in run.records() if record.scores)
    found = [f"- **{_text(record.question)}** {_text(said.text)}" for record, said in judged if said.tone == "bad"]
    more = [f"- … and {len(found) - _WORST} more"] if len(found) > _WORST else []
    return found[:_WORST] + more


def _text(text: str) -> str:
    """The text on one line, escaped for Markdown and HTML."""
    flat = " ".join(_NO_XML.sub("\ufffd", text).split())
    return re.sub(r"([\\`*_{}\[\]#|~!$@:])", r"\\\1", escape(flat))
