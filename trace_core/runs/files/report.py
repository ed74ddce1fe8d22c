"""One self-contained HTML page of a run: charts, and the evidence of its records. It needs no network.

Texts from outside are escaped, or travel as JSON that becomes text nodes; the page's own policy lets no
other script run and nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import heapq
import json
from collections.abc import Callable, Iterator, Sequence
from html import escape
from importlib.resources import files
from typing import Any, TextIO

import numpy as np
from numpy.typing import NDArray

from trace_core.charts import block_means, blocks, histogram, rolling_mean
from trace_core.evidence import assets, scorecard, scorecard_assets, view
from trace_core.facts.records import Record
from trace_core.findings import RULES, verdict
from trace_core.metrics import BANDS, CONVENTIONS, DERIVED, METRICS
from trace_core.runs.files import svg
from trace_core.statistics import RANDOM_BALANCE

MOST_RECORDS = 200
"""So many records are shown with their evidence, the worst first; the charts show all."""
WINDOW = 20
_POINTS = 400
_SHOWN = (*METRICS, "rmse_aggregation", "consistency_score")
_LABELS = {**{n: m.label for n, m in METRICS.items()}, **{n: d.label for n, d in DERIVED.items()}}


def write_report(
    run: dict[str, Any],
    counts: dict[str, int],
    summary: dict[str, Any],
    records: Callable[[], Iterator[Record]],
    out: TextIO,
    divisor: float,
) -> None:
    """Write the page. `records` are scored, under the run's convention, and are read twice."""
    values = _columns(records())
    worst = heapq.nsmallest(MOST_RECORDS, enumerate(records()), key=_badness)
    shown = [record for _, record in worst]
    held = {"records": [_held(record, divisor) for record in shown]}
    script = _script()
    style = "\n".join((_read("report.css"), assets()[0], scorecard_assets()[0]))
    title = escape(str(run["name"]))
    out.write(
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )
    out.write(_head(run, counts, title) + _means(summary) + _charts(values, summary) + _together(summary))
    out.write(_truth(summary) + _table(shown, counts["total"]))
    out.write(f'<script type="application/json" id="data">{_embedded(held)}</script>\n')
    out.write(f'<script type="module">{script}</script>\n</body>\n</html>\n')


def _read(name: str) -> str:
    return files("trace_core.runs.files").joinpath(name).read_text(encoding="utf-8")


def _script() -> str:
    """The modules that draw, and what this page does with them, as one script without exports."""
    drawing = (assets()[1], scorecard_assets()[1])
    hosts = (source.replace("export default function", f"const host{i} = function") for i, source in enumerate(drawing))
    return "\n".join([*(source.replace("export function", "function") for source in hosts), _read("report.js")])


def _policy(script: str) -> str:
    """Nothing but this page's own script and styles: no other script, no request."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; base-uri 'none'"


def _embedded(value: Any) -> str:
    """JSON that ends no script element, whatever its texts hold."""
    text = json.dumps(value, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _columns(records: Iterator[Record]) -> dict[str, NDArray[np.float64]]:
    rows = [
        [np.nan if r.scores is None or (v := getattr(r.scores, name)) is None else v for name in _SHOWN]
        for r in records
    ]
    table = np.array(rows, dtype=np.float64).reshape(-1, len(_SHOWN))
    return dict(zip(_SHOWN, table.T, strict=True))


def _badness(placed: tuple[int, Record]) -> tuple[float, float, int]:
    """Failed and ungrounded records first, then by their average; ties in the run's order."""
    place, record = placed
    scores = record.scores
    adherence = -1.0 if scores is None or scores.adherence is None else scores.adherence
    average = -1.0 if scores is None or scores.average is None else scores.average
    return (adherence, average, place)


def _held(record: Record, divisor: float) -> dict[str, Any]:
    return {
        "question": record.question,
        "view": view(record),
        "scorecard": scorecard(record, record.scores, divisor) if record.scores else None,
    }


def _head(run: dict[str, Any], counts: dict[str, int], title: str) -> str:
    config = run["config"]
    facts = [
        f"Run {run['id']}", str(run["created_at"]), f"labels: {config.get('labeler')}",
        f"convention: {CONVENTIONS[config['convention']].label}",
        *(f"{number} {name}" for name, number in counts.items()),
    ]  # fmt: skip
    return f'<h1>{title}</h1>\n<p class="about">{" · ".join(escape(fact) for fact in facts)}</p>\n'


def _means(summary: dict[str, Any]) -> str:
    cards = []
    for name, metric in METRICS.items():
        found = summary["metrics"][name]
        low, high = found["interval"] or (None, None)
        between = f"95 % interval {low:.3f} to {high:.3f}" if low is not None else "no interval"
        told = f"{between}; {found['scored']} scored, {found['undefined']} undefined, {found['failed']} failed"
        cards.append(_card(metric.label, found["mean"], told))
    derived = (DERIVED[name] for name in ("rmse_aggregation", "consistency_score"))
    cards += [_card(each.label, summary[each.name], each.description) for each in derived]
    return f'<dl class="means">{"".join(cards)}</dl>\n'


def _card(label: str, value: float | None, told: str) -> str:
    shown = "undefined" if value is None else f"{value:.3f}"
    return f'<div><dt>{escape(label)}</dt><dd class="value">{shown}</dd><dd class="about">{escape(told)}</dd></div>'


def _charts(values: dict[str, NDArray[np.float64]], summary: dict[str, Any]) -> str:
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
    drawn = [
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
    return '<h2>Over the run</h2>\n<div class="charts">' + "".join(_figure(t, draw) for t, draw in drawn) + "</div>\n"


def _bars(bars: Sequence[tuple[str, float]]) -> Callable[[str], str]:
    return lambda title: svg.columns(title, bars)


def _reference_place() -> float:
    """Where the reference lies among the bands, which are drawn equally wide: 0 left, 1 right."""
    lows = [band.low for band in BANDS]
    below = sum(low <= RANDOM_BALANCE for low in lows) - 1
    within = (RANDOM_BALANCE - lows[below]) / (lows[below + 1] - lows[below])
    return (below + within) / len(lows)


def _figure(title: str, draw: Callable[[str], str]) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{draw(title)}</figure>"


def _band_bars(summary: dict[str, Any]) -> list[tuple[str, float]]:
    return [(f"{band.name} ≥ {band.low:.1f}", summary["bands"].get(band.name, 0.0)) for band in BANDS]


def _finding_bars(summary: dict[str, Any]) -> list[tuple[str, float]]:
    titles = {rule.name: rule.title for rule in RULES}
    found = sorted(summary["findings"].items(), key=lambda item: -item[1])
    return [(titles.get(name, name), float(number)) for name, number in found]


def _together(summary: dict[str, Any]) -> str:
    lines = [
        f"<tr><td>{escape(' and '.join(_LABELS[m] for m in pair['metrics']))}</td>"
        + "".join(f'<td class="number">{_number(pair[name])}</td>' for name in ("correlation", "covariance"))
        + "</tr>"
        for pair in summary["together"]
    ]
    head = '<tr><th>Metrics</th><th class="number">correlation</th><th class="number">covariance</th></tr>'
    return f"<h2>How they move together</h2>\n<table><thead>{head}</thead><tbody>{''.join(lines)}</tbody></table>\n"


def _truth(summary: dict[str, Any]) -> str:
    truth = summary["ground_truth"]
    if not truth:
        return ""
    if "refused" in truth:
        return f'<h2>Against ground truth</h2>\n<p class="about">{escape(truth["refused"])}</p>\n'
    errors = "".join(
        f'<tr><td>{escape(_LABELS[name])}</td><td class="number">{_number(value)}</td></tr>'
        for name, value in truth["per_metric_rmse"].items()
    )
    told = f"{truth['num_evaluations']} records; all four together: {_number(truth['aggregated_rmse'])}"
    return (
        f'<h2>Against ground truth</h2>\n<table><thead><tr><th>Metric</th><th class="number">RMSE</th></tr></thead>'
        f'<tbody>{errors}</tbody></table>\n<p class="about">{escape(told)}</p>\n'
    )


def _table(records: Sequence[Record], total: int) -> str:
    told = f"{len(records)} of {total} records, the worst first." if len(records) < total else f"{total} records."
    head = "".join(f'<th class="number">{escape(_LABELS[name])}</th>' for name in (*METRICS, "rmse_aggregation"))
    body = "".join(_row(record) for record in records)
    return (
        f'<h2>Records</h2>\n<p class="about">{told} Choose one to see its evidence.</p>\n'
        '<input id="search" type="search" placeholder="Search these records" aria-label="Search these records">\n'
        f'<div class="records"><table id="records"><thead><tr><th>Record</th><th>Question</th>{head}<th>Verdict</th>'
        f'</tr></thead><tbody>{body}</tbody></table></div>\n<section id="record" hidden><h2>Evidence</h2>'
        '<p id="question" dir="auto"></p><div id="scores"></div><div id="evidence"></div></section>\n'
    )


def _row(record: Record) -> str:
    scores = record.scores
    numbers = "".join(
        f'<td class="number">{_number(getattr(scores, name) if scores else None)}</td>'
        for name in (*METRICS, "rmse_aggregation")
    )
    said = verdict(record, scores).text if scores else (record.error.message if record.error else "Not scored yet.")
    return (
        f'<tr><td><button type="button" class="open">{_text(record.id)}</button></td>'
        f'<td dir="auto">{_text(record.question)}</td>{numbers}<td dir="auto">{_text(said)}</td></tr>'
    )


def _text(text: str, most: int = 300) -> str:
    return escape(text if len(text) <= most else text[: most - 1] + "…")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
