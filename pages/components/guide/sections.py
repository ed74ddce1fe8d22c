"""What the guide shows: sets, conventions side by side, bands, each metric's definition, the form for POST /trace."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.components.shared.text import plain
from trace_core.demo.guide import Cell, Row
from trace_core.endpoint import TESTS
from trace_core.endpoint.examples import OBJECTS
from trace_core.evidence import assets, venn
from trace_core.facts.records import Record
from trace_core.metrics import BANDS, CONVENTIONS, METRICS

_venn_css, _venn_js = assets("venn")
_venn = st.components.v2.component("trace_venn", css=_venn_css, js=_venn_js)
_form_css, _form_js = (Path(__file__).with_name(f"trace_form.{kind}").read_text("utf-8") for kind in ("css", "js"))
_form = st.components.v2.component("trace_form", css=_form_css, js=_form_js)

BAND_COLORS = dict(zip((band.title for band in BANDS), ("green", "green", "orange", "red"), strict=True))


def show_venn(record: Record, *, key: str) -> None:
    """The Venn diagram: relevant and utilized sentences among all retrieved ones."""
    _venn(key=key, data=venn(record))


def show_conventions(rows: Sequence[Row]) -> None:
    """Every value under all four conventions, with its formula filled in."""
    heads = {name: f"**{plain(c.label)}**" for name, c in CONVENTIONS.items()}
    table = {heads[name]: [_cell(row.cells[name]) for row in rows] for name in CONVENTIONS}
    table = {" ": [f"**{plain(row.label)}**" for row in rows], **table}
    st.table(table, hide_index=True, hide_header=False, alt="Metrics under the four conventions, side by side")
    about = (f"- **{plain(c.label)}.** {plain(c.description)} Source: {plain(c.source)}." for c in CONVENTIONS.values())
    st.caption("\n".join(about))


def _cell(cell: Cell) -> str:
    if cell.value is None:
        return f"**undefined**: {plain(cell.reason)}"
    band = f" :{BAND_COLORS[cell.band]}[{cell.band}]" if cell.band else ""
    sign = " =" if any(mark in cell.formula for mark in "÷−") else ","
    return f"**{cell.text}**{band}{sign} {plain(cell.formula)}"


def show_bands() -> None:
    """The bands of balance; each lower bound is included."""
    words = [f":{BAND_COLORS[b.title]}[**{b.title}**] from {b.low:.2f}: {plain(b.meaning)}" for b in BANDS]
    st.markdown(f":small[Bands of balance: {' · '.join(words)}]")  # a caption's colours are too pale to be read


def show_metrics(divisor: float) -> None:
    """The question of each metric, its inputs, its limits, and what improves it."""
    metrics = list(METRICS.values())
    for pair in (metrics[:2], metrics[2:]):
        for column, metric in zip(st.columns(2), pair, strict=True):
            formulas = "\n".join(
                f"- {plain(CONVENTIONS[name].label)}: {plain(formula.text.format(divisor=f'{divisor:g}'))}"
                for name, formula in metric.formulas.items()
            )
            target = metric.target
            goal = f"No target; the sources suggest {metric.suggestion}" if target is None else f"Target {target:g}"
            with column.container(border=True, height="stretch"):
                st.markdown(f"## {plain(metric.label)}")
                st.markdown(f"**{plain(metric.question)}** {plain(metric.description)}")
                st.markdown(f"**Formulas**, from `{metric.source}`\n{formulas}")
                st.markdown(f"**Limits:** {plain(metric.limits)}")
                st.markdown(f"**What helps:** {plain('; '.join(metric.fixes))}.")
                st.caption(f"{goal}. Source: {plain(metric.reference)}.")


def show_trace_form(*, needs_key: bool) -> None:
    """Draw the form; `needs_key` adds a field for the API key that this server requires."""
    st.markdown(
        "One request with one string, JSON or labeled text, evaluates an answer of any system. "
        "The description: [/trace/schema](/trace/schema), [/trace/openapi.json](/trace/openapi.json)."
    )
    examples = [{"title": title, "payload": payload} for title, payload in OBJECTS.items()]
    _form(key="trace-form", data={"tests": list(TESTS), "examples": examples, "needs_key": needs_key})
    with st.expander("The six tests"):
        for name, test in TESTS.items():
            st.markdown(f"**{plain(name)}** {plain(test.question)} {plain(test.definition)}")
            with_judge = f" With a judge: {test.with_judge}" if test.with_judge else ""
            st.caption(plain(f"Needs {', '.join(test.needs)}. Cost: {test.cost}.{with_judge}"))
