"""A self-contained HTML page of a run: charts, and the evidence of its records. It needs no network.

Texts from outside are escaped by the template, or embedded as JSON that becomes text nodes; the page's content
security policy allows no other script and no requests.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np
from jinja2 import BaseLoader, Environment, StrictUndefined, Template
from numpy.typing import NDArray

from trace_core.diagnosis.faults import FAULTS
from trace_core.diagnosis.verdict import verdict
from trace_core.evidence import assets, scorecard, scorecard_assets, view
from trace_core.facts.language import NOTE
from trace_core.facts.records import Record
from trace_core.metrics import BANDS, CONVENTIONS, DERIVED, METRICS
from trace_core.runs.files import svg
from trace_core.runs.files.exported import DOCUMENT_SCORES
from trace_core.summary.charts import block_means, blocks, histogram, rolling_mean
from trace_core.summary.intervals import spread
from trace_core.summary.statistics import RANDOM_BALANCE

if TYPE_CHECKING:
    from trace_core.runs.files.exported import Exported

MOST_RECORDS = 200
"""Records shown with their evidence, the worst first; the charts include all."""
WINDOW = 20
_POINTS = 400
_LABELS = {**{n: m.label for n, m in METRICS.items()}, **{n: d.label for n, d in DERIVED.items()}}


def write_report(run: Exported, out: TextIO) -> None:
    """Write the page. The run's records are read only once."""
    summary = run.summary()
    worst = heapq.nsmallest(MOST_RECORDS, enumerate(run.records()), key=_badness)
    shown = [record for _, record in worst]
    script = _script()
    page = _template().generate(
        run=run.run, summary=summary, fault=_fault(summary), facts=_facts(run), cards=_cards(summary),
        charts=_charts(run.scores().values, summary), labels=_LABELS, columns=(*METRICS, "rmse_aggregation"),
        shown=[_row(record) for record in shown], total=run.counts["total"], policy=_policy(script),
        style="\n".join((_read("report.css"), assets()[0], scorecard_assets()[0])), script=script,
        held=_embedded({"records": [_held(record, run.divisor) for record in shown]}),
    )  # fmt: skip
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
    drawing = (assets()[1], scorecard_assets()[1])
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


def _held(record: Record, divisor: float) -> dict[str, Any]:
    return {
        "question": record.question,
        "earlier": [turn.text for turn in record.turns],
        "view": view(record),
        "scorecard": scorecard(record, record.scores, divisor) if record.scores else None,
    }


def _facts(run: Exported) -> list[str]:
    block, config = run.run, run.run["config"]
    return [
        f"Run {block['id']}", str(block["created_at"]), f"labels: {config.get('labeler')}",
        f"convention: {CONVENTIONS[config['convention']].named(run.divisor)}",
        *(f"{number} {name.replace('_', ' ')}" for name, number in run.counts.items()),
    ]  # fmt: skip


def _cards(summary: dict[str, Any]) -> list[dict[str, Any]]:
    cards = []
    for name, metric in METRICS.items():
        found = summary["metrics"][name]
        between = f"95 % interval: {spread(found['interval'], found['scored'])}"
        about = f"{between}; {found['scored']} scored, {found['undefined']} undefined, {found['failed']} failed"
        cards.append({"label": metric.label, "value": found["mean"], "about": about})
    for name, label in DOCUMENT_SCORES.items() if "golden" in summary else ():
        found = summary["golden"][name]
        about = f"95 % interval: {spread(found['interval'], found['scored'])}; {found['scored']} golden questions"
        cards.append({"label": label, "value": found["mean"], "about": about})
    derived = (DERIVED[name] for name in ("rmse_aggregation", "consistency_score"))
    return cards + [{"label": one.label, "value": summary[one.name], "about": one.description} for one in derived]


def _charts(values: Mapping[str, NDArray[np.float64]], summary: dict[str, Any]) -> list[tuple[str, str]]:
    """Each drawing with its title; the drawings escape their own texts."""
    n = len(values["adherence"])
    last = [end for _, end in blocks(n, _POINTS)]
    window = min(WINDOW, max(1, n))
    means = {_LABELS[m]: rolling_mean(values[m], window)[last].tolist() for m in METRICS}
    over = {
        _LABELS[m]: block_means(values[m], blocks(n, _POINTS)).tolist()
        for m in ("rmse_aggregation", "consistency_score")
    }
    reference = f"independent: {RANDOM_BALANCE}"
    tenths = [f".{i}" for i in range(10)]
    drawn: list[tuple[str, Callable[[str], str]]] = [
        (f"The four metrics over the run (mean of the last {window})", lambda t: svg.lines(t, means)),
        ("Balance and consistency over the run", lambda t: svg.lines(t, over, reference=(RANDOM_BALANCE, reference))),
        *(
            (f"{_LABELS[m]}: records by score", _bars(list(zip(tenths, map(float, histogram(values[m])), strict=True))))
            for m in METRICS
        ),
        (
            "Share of records in each band of balance",
            lambda t: svg.columns(t, _band_bars(summary), reference=(_reference_place(), reference), share=True),
        ),
        ("Findings", lambda t: svg.rows(t, _finding_bars(summary))),
    ]
    return [(title, draw(title)) for title, draw in drawn]


def _bars(bars: Sequence[tuple[str, float]]) -> Callable[[str], str]:
    return lambda title: svg.columns(title, bars)


def _reference_place() -> float:
    """The position of the reference among the bands, which are drawn equally wide: 0 left, 1 right."""
    lows = [band.low for band in BANDS]
    below = sum(low <= RANDOM_BALANCE for low in lows) - 1
    within = (RANDOM_BALANCE - lows[below]) / (lows[below + 1] - lows[below])
    return (below + within) / len(lows)


def _band_bars(summary: dict[str, Any]) -> list[tuple[str, float]]:
    return [(f"{band.shown} ≥ {band.low:.1f}", summary["bands"].get(band.name, 0.0)) for band in BANDS]


def _finding_bars(summary: dict[str, Any]) -> list[tuple[str, float]]:
    found = sorted(summary["findings"].items(), key=lambda item: -item[1])
    return [(FAULTS[name].title, float(number)) for name, number in found if FAULTS[name].severity]


def _fault(summary: dict[str, Any]) -> str:
    """The most frequent fault, as the table names it."""
    name = summary["diagnosis"]["commonest"]
    return FAULTS[name].title if name else ""


def _row(record: Record) -> dict[str, Any]:
    """A record's row in the table."""
    scores = record.scores
    found = verdict(record, scores) if scores else None
    said = found.text if found else (record.error.message if record.error else "Not scored yet.")
    if NOTE in record.cleaning:
        said += " Not in English: its local labels are weak."
    numbers = {name: getattr(scores, name, None) for name in (*METRICS, "rmse_aggregation")}
    return {"id": record.id, "question": record.question, "scores": numbers, "verdict": said,
            "diagnosis": _faults(record, found.diagnosis) if found else ""}  # fmt: skip


def _faults(record: Record, diagnosis: str) -> str:
    """The titles of the record's faults, by which the table is searched; without any, its diagnosis."""
    titles = [finding.title for finding in record.findings if finding.severity]
    return ", ".join(titles) or FAULTS[diagnosis].title


def _shortened(text: str, most: int = 300) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
