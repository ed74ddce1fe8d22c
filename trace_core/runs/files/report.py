"""A self-contained HTML page of a run: charts, and the evidence of its records. It needs no network.

Texts from outside are escaped by the template, or embedded as JSON that becomes text nodes; the page's content
security policy allows no other script and no requests.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TextIO

import numpy as np
from jinja2 import BaseLoader, Environment, StrictUndefined, Template
from numpy.typing import NDArray

from trace_core.diagnosis.faults import FAULTS
from trace_core.evidence import assets, scorecard, view
from trace_core.facts.labels import labeler_name
from trace_core.facts.language import NOTE
from trace_core.facts.records import Record
from trace_core.labeling.trust import run_trust
from trace_core.metrics import BANDS, CONVENTIONS, DERIVED, METRICS
from trace_core.runs.files.exported import DOCUMENT_SCORES, RunExport
from trace_core.summary.aggregation import histogram
from trace_core.summary.charts import block_means, blocks, rolling_mean
from trace_core.summary.intervals import spread
from trace_core.summary.statistics import RANDOM_BALANCE

MOST_RECORDS = 200
"""Records shown with their evidence, the worst first; the charts include all."""
WINDOW = 20
_POINTS = 400
_LABELS = {**{n: m.label for n, m in METRICS.items()}, **{n: d.label for n, d in DERIVED.items()}}


def write_report(run: RunExport, out: TextIO) -> None:
    """Write the page. The run's records are read only once."""
    summary, values = run.summary(), run.scores().values
    worst = heapq.nsmallest(MOST_RECORDS, enumerate(run.records()), key=_badness)
    shown = [record for _, record in worst]
    script, commonest = _script(), summary["diagnosis"]["commonest"]
    page = _template().generate(
        run=run.run,
        summary=summary,
        fault=FAULTS[commonest].title if commonest else "",
        facts=_facts(run),
        cards=_cards(summary),
        lines=_lines(values),
        bars=_bars(values, summary),
        labels=_LABELS,
        columns=(*METRICS, "rmse_aggregation"),
        shown=[_row(record) for record in shown],
        total=run.counts["total"],
        policy=_policy(script),
        style="\n".join((_read("report.css"), assets()[0], assets("scorecard")[0])),
        script=script,
        data=_embedded({"records": [_evidence(record, run.scoring.divisor) for record in shown]}),
    )
    out.writelines(page)


@cache
def _template() -> Template:
    """The page's template. It escapes everything except drawings, styles, scripts and the embedded JSON."""
    environment = Environment(loader=BaseLoader(), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    environment.filters |= {"number": _number, "shortened": _shortened}
    return environment.from_string(_read("report.html.j2"))


def _read(name: str) -> str:
    return files("trace_core.runs.files").joinpath(name).read_text(encoding="utf-8")


def _script() -> str:
    """The drawing modules and this page's use of them, as one script without exports."""
    drawing = (assets()[1], assets("scorecard")[1])
    hosts = (source.replace("export default function", f"const host{i} = function") for i, source in enumerate(drawing))
    return "\n".join([*(source.replace("export function", "function") for source in hosts), _read("report.js")])


def _policy(script: str) -> str:
    """The content security policy: only this page's own script and styles, and no requests."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"


def _embedded(value: Any) -> str:
    """JSON in which no text can end the script element."""
    text = json.dumps(value, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _badness(placed: tuple[int, Record]) -> tuple[float, float, int]:
    """The sort key: failed and ungrounded records first, then by average; ties in the run's order."""
    place, record = placed
    scores = record.scores
    adherence = -1.0 if scores is None or scores.adherence is None else scores.adherence
    average = -1.0 if scores is None or scores.average is None else scores.average
    return (adherence, average, place)


def _evidence(record: Record, divisor: float) -> dict[str, Any]:
    return {
        "question": record.question,
        "earlier": [turn.text for turn in record.turns],
        "view": view(record),
        "scorecard": scorecard(record, divisor) if record.scores else None,
    }


def _facts(run: RunExport) -> list[str]:
    block, config = run.run, run.run["config"]
    return [
        f"Run {block['id']}",
        str(block["created_at"]),
        f"labels: {labeler_name(config.get('labeler'))}",
        *filter(None, [run_trust(config)]),
        f"convention: {CONVENTIONS[config['convention']].named(run.scoring.divisor)}",
        *(f"{number} {name.replace('_', ' ')}" for name, number in run.counts.items()),
    ]


def _cards(summary: dict[str, Any]) -> list[dict[str, Any]]:
    cards = []
    golden = DOCUMENT_SCORES if "golden" in summary else {}
    for name, label in {**{name: metric.label for name, metric in METRICS.items()}, **golden}.items():
        found = summary["golden"][name] if name in golden else summary["metrics"][name]
        counts = "golden questions" if name in golden else f"{found['undefined']} undefined, {found['failed']} failed"
        about = f"95 % interval: {spread(found['interval'], found['scored'])}; {found['scored']} scored, {counts}"
        cards.append({"label": label, "value": found["mean"], "about": about})
    derived = (DERIVED[name] for name in ("rmse_aggregation", "consistency_score"))
    return cards + [{"label": one.label, "value": summary[one.name], "about": one.description} for one in derived]


def _lines(values: Mapping[str, NDArray[np.float64]]) -> dict[str, dict[str, str]]:
    """Title → line → its path over the run, 400 wide and 100 high."""
    n = len(values["adherence"])
    places = blocks(n, _POINTS)
    last = [end for _, end in places]
    window = min(WINDOW, max(1, n))
    means = {_LABELS[name]: rolling_mean(values[name], window)[last] for name in METRICS}
    derived = {_LABELS[name]: block_means(values[name], places) for name in ("rmse_aggregation", "consistency_score")}
    independent = {f"independent metrics: {RANDOM_BALANCE}": np.full(len(places), RANDOM_BALANCE)}
    charts = {
        f"The four metrics over the run (mean of the last {WINDOW})": means,
        "Balance and consistency over the run": derived | independent,
    }
    return {title: {name: _path(line) for name, line in lines.items()} for title, lines in charts.items()}


def _path(values: NDArray[np.float64]) -> str:
    """An SVG path through values from 0 to 1; NaN leaves a gap, and a value alone is a dot."""
    step, known = 400 / max(1, len(values) - 1), ~np.isnan(values)
    begins = known & ~np.concatenate([[False], known[:-1]])
    places = ((i, f"{i * step:.1f} {100 - 100 * values[i]:.1f}") for i in np.flatnonzero(known))
    return "".join(f"M{place}h0" if begins[i] else f"L{place}" for i, place in places)


def _bars(values: Mapping[str, NDArray[np.float64]], summary: dict[str, Any]) -> dict[str, dict[str, float]]:
    tenths = [f"from {i / 10}" for i in range(10)]
    charts: dict[str, dict[str, float]] = {
        f"{metric.label}: records by score": dict(zip(tenths, map(float, histogram(values[name])), strict=True))
        for name, metric in METRICS.items()
    }
    found = sorted(summary["findings"].items(), key=lambda item: -item[1])
    return charts | {
        "Share of records in each band of balance, in percent": {
            f"{band.shown}, from {band.low:.1f}": round(100 * summary["bands"].get(band.name, 0.0), 1) for band in BANDS
        },
        "Findings": {FAULTS[name].title: float(number) for name, number in found if FAULTS[name].severity},
    }


def _row(record: Record) -> dict[str, Any]:
    """A record's row in the table. The page searches it by the titles of its faults; without any, by its diagnosis."""
    scores = record.scores
    found = record.verdict
    text = found.text if found else (record.error.message if record.error else "Not scored yet.")
    if NOTE in record.cleaning:
        text += " Not in English: its local labels are weak."
    titles = [finding.title for finding in record.findings if finding.severity]
    titles = titles or ([found.status] if found else [])
    numbers = {name: getattr(scores, name, None) for name in (*METRICS, "rmse_aggregation")}
    return {
        "id": record.id,
        "question": record.question,
        "scores": numbers,
        "verdict": text,
        "diagnosis": ", ".join(titles),
    }


def _shortened(text: str, most: int = 300) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
