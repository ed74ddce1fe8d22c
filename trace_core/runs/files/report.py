"""A self-contained HTML page of a run: charts, and the evidence of its records. It needs no network. Texts are escaped,
or JSON that becomes text nodes; the page's policy allows no other script and no requests."""

import base64
import hashlib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, TextIO

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined

from trace_core.diagnosis.faults import FAULTS
from trace_core.evidence import assets, scorecard, view
from trace_core.facts.labels import labeler_name
from trace_core.facts.language import NOTE
from trace_core.facts.records import Record
from trace_core.metrics import BANDS, CONVENTIONS, DERIVED, LABELS, METRICS
from trace_core.metrics.base import Values
from trace_core.runs.analyse.select import WORST, sort_places
from trace_core.runs.files.exported import DOCUMENT_SCORES, RunExport
from trace_core.summary.aggregation import histogram
from trace_core.summary.intervals import spread
from trace_core.summary.trust import run_trust

MOST_RECORDS = 200
"""Records shown with their evidence, the worst first; the charts include all."""
_COLUMNS = (*METRICS, "rmse_aggregation")
# Everything is escaped except drawings, styles and scripts; in the embedded JSON no text can end its element.
_TEMPLATES = Environment(
    loader=PackageLoader("trace_core.runs", "files"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)
_TEMPLATES.filters["number"] = lambda value: "–" if value is None else f"{value:.3f}"
_TEMPLATES.policies["json.dumps_kwargs"] = {"allow_nan": False}


def write_report(run: RunExport, out: TextIO) -> None:
    """Write the page. The run's records are read only once."""
    summary, scores = run.summary(), run.scores()
    commonest = summary["diagnosis"]["commonest"]
    order = sort_places(scores, np.arange(len(scores.columns)), WORST)[:MOST_RECORDS].tolist()
    places = set(order)
    by_place = {place: record for place, record in enumerate(run.records()) if place in places}
    worst = [by_place[place] for place in order]
    # The drawing modules and this page's use of them, as one script without exports.
    styles, drawing = assets("report")
    drawing = drawing.replace("export default function", "void function").replace("export function", "function")
    script = f"{drawing}\n{_read('report.js')}"
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    evidence = [
        {
            "question": record.question,
            "earlier": [turn.text for turn in record.turns],
            "view": view(record),
            "scorecard": scorecard(record, run.scoring.divisor) if record.scores else None,
        }
        for record in worst
    ]
    page = _TEMPLATES.get_template("report.html.j2").generate(
        run=run.run,
        summary=summary,
        fault=FAULTS[commonest].title if commonest else "",
        facts=[
            f"Run {run.run['id']}",
            str(run.run["created_at"]),
            f"labels: {labeler_name(run.run['config'].get('labeler'))}",
            *filter(None, [run_trust(run.run["config"])]),
            f"convention: {CONVENTIONS[run.scoring.convention].label_with(run.scoring.divisor)}",
            *(f"{number} {name.replace('_', ' ')}" for name, number in run.counts.items()),
        ],
        cards=_cards(summary),
        bars=_bars(scores.values, summary),
        labels=LABELS,
        columns=_COLUMNS,
        shown=[_row(record) for record in worst],
        total=run.counts["total"],
        policy=f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'",
        style=_read("report.css") + styles,
        script=script,
        data={"records": evidence},
    )
    out.writelines(page)


def _read(name: str) -> str:
    return files("trace_core.runs.files").joinpath(name).read_text(encoding="utf-8")


def _cards(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    cards = []
    for name, metric in METRICS.items():
        level = summary["metrics"][name]
        counts = f"{level['undefined']} undefined, {level['failed']} failed"
        cards.append({"label": metric.label, "value": level["mean"], "about": f"{_interval(level)}, {counts}"})
    for name, label in DOCUMENT_SCORES.items() if "golden" in summary else ():
        level = summary["golden"][name]
        cards.append({"label": label, "value": level["mean"], "about": f"{_interval(level)}, golden questions"})
    both = (DERIVED[name] for name in ("rmse_aggregation", "consistency_score"))
    return cards + [{"label": one.label, "value": summary[one.name], "about": one.description} for one in both]


def _interval(level: Mapping[str, Any]) -> str:
    return f"95 % interval: {spread(level['interval'], level['scored'])}; {level['scored']} scored"


def _bars(values: Mapping[str, Values], summary: Mapping[str, Any]) -> dict[str, dict[str, float]]:
    tenths = [f"from {i / 10}" for i in range(10)]
    findings = sorted(summary["findings"].items(), key=lambda item: -item[1])
    return {
        **{
            f"{metric.label}: records by score": dict(zip(tenths, map(float, histogram(values[name])), strict=True))
            for name, metric in METRICS.items()
        },
        "Share of records in each band of balance, in percent": {
            f"{band.title}, from {band.low:.1f}": round(100 * summary["bands"].get(band.name, 0.0), 1) for band in BANDS
        },
        "Findings": {FAULTS[name].title: float(number) for name, number in findings if FAULTS[name].severity},
    }


def _row(record: Record) -> dict[str, Any]:
    """A record's row in the table. The page searches it by the titles of its faults; without any, by its diagnosis."""
    verdict = record.verdict
    text = verdict.text if verdict else (record.error.message if record.error else "Not scored yet.")
    if NOTE in record.cleaning:
        text += " Not in English: its local labels are weak."
    titles = [finding.title for finding in record.findings if finding.severity]
    return {
        "id": record.id,
        "question": record.question,
        "scores": {name: getattr(record.scores, name, None) for name in _COLUMNS},
        "verdict": text,
        "diagnosis": ", ".join(titles or ([verdict.status] if verdict else [])),
    }
