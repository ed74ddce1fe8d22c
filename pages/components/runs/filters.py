"""Which records of a run are shown. The address alone says so: widgets, charts and links write it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import services
from pages.components.shared.measurements import contributions_of, noise_of
from pages.components.shared.tables import SCORES
from pages.components.shared.text import plain
from pages.components.shared.thresholds import own_thresholds
from trace_core.diagnosis.faults import FAULTS
from trace_core.golden.noise import Noise
from trace_core.metrics import METRICS
from trace_core.runs.analyse.select import MODEL, WORST, Choices, FieldFilter, Filters, choices, row_fields, select
from trace_core.store.record_reader import RowFields
from trace_core.store.runs import Run
from trace_core.summary.columns import STATUSES, Mask, RunColumns, RunScores

OF_FIELD = ("value", "from", "to")
PARAMETERS = ("status", "finding", "metric", "low", "high", "undefined", "words", "field", *OF_FIELD)
"""The filters' names in the address; `OF_FIELD` belong to the chosen field of the rows."""
TITLES = {fault.name: fault.title for fault in FAULTS.values()}
ORDERS = {WORST: "worst first", **{n: f"lowest {of} first" for n, of in SCORES.items()}, "position": "as in the file"}
MARGIN = 1e-9


@dataclass(frozen=True, slots=True)
class Selection:
    """A run's columns and scores, which of its records are shown, and the filter in words."""

    columns: RunColumns
    scores: RunScores
    findings: dict[str, Mask]
    mask: Mask
    words: str = ""

    def ids(self) -> list[str]:
        """The ids of the shown records, in order."""
        return list(self.columns.id[self.mask])

    def values(self) -> dict[str, np.ndarray]:
        """The shown records' scores."""
        return {name: values[self.mask] for name, values in self.scores.values.items()}


def selection(run: Run, columns: RunColumns, scores: RunScores) -> Selection:
    """The run with the address' filter applied; what the address names wrongly filters nothing."""
    found = columns.findings(scores, own_thresholds(), measured(run, columns))
    named = st.query_params
    metric, lacking = named.get("metric"), named.get("undefined", "")
    score, _, reason = lacking.partition(":")
    low, high = _ends("low", "high", (0.0, 1.0))
    name = named.get("field", "")
    of = fields_of(run.id, run.revision, columns)[1].get(name)
    wanted = Filters(
        frozenset({named.get("status", "")} & set(STATUSES)),
        {metric: (low - MARGIN, high + MARGIN)} if metric in SCORES else {},
        named.get("finding", "") if named.get("finding") in found else "",
        (score, reason) if lacking in _undefined(columns, scores) else None,
        named.get("words", "").strip(),
        FieldFilter(name, frozenset(named.get_all("value")) & set(of.values), of.span and _ends("from", "to", of.span))
        if of
        else None,
    )
    mask = select(services.store().runs, run.id, columns, scores, wanted, found)
    words = "; ".join(f"{name} {', '.join(named.get_all(name))}" for name in PARAMETERS if name in named)
    return Selection(columns, scores, found, mask, words)


def measured(run: Run, columns: RunColumns) -> dict[str, np.ndarray]:
    """What second measurements say, one value per record, NaN where none was made: the quantities of their faults."""
    parts, noise = contributions_of(run), noise_of(run)
    found = parts.by_record if parts else {}
    shares = {i: one for i, one in noise.by_record.items() if isinstance(one, Noise)} if noise else {}
    by_record: dict[str, Mapping[str, float | None]] = {
        "contribution_support": {i: one.support for i, one in found.items()},
        "noise_relevant": {i: one.relevant for i, one in shares.items()},
        "noise_irrelevant": {i: one.irrelevant for i, one in shares.items()},
    }
    return {
        name: np.array([values.get(record_id) for record_id in columns.id], dtype=np.float64)
        for name, values in by_record.items()
    }


def narrow(**wanted: str) -> None:
    """Set filters, as from a chart."""
    if "field" in wanted:
        _forget(OF_FIELD)
    for name, value in wanted.items():
        st.query_params[name] = value


def show_filters(run: Run, shown: Selection) -> None:
    """The widgets, and how many records match."""
    columns, scores, found = shown.columns, shown.scores, shown.findings
    with st.popover("Filter and columns", icon=":material/filter_alt:", width="content"):
        first, second, third = st.columns(3)
        _choice(first, "Status", "status", {s: s.replace("_", " ") for s in STATUSES})
        _choice(second, "Finding", "finding", {n: TITLES[n] for n, mask in found.items() if mask.any()})
        if _choice(third, "Score", "metric", SCORES):
            _between(third, "low", "high", (0.0, 1.0))
        _choice(second, "Undefined", "undefined", _undefined(columns, scores))
        widget(
            first.text_input,
            "Search",
            "words",
            st.query_params.get("words", ""),
            placeholder="in question, answer and id",
        )
        offered = fields_of(run.id, run.revision, columns)[1]
        if offered and (name := _choice(first, "Field of the rows", "field", {n: field_title(n) for n in offered})):
            _of_field(second, name, offered[name])
        order = st.query_params.get("order")
        chosen = order if order in ORDERS else WORST
        widget(third.selectbox, "Order", "order", chosen, options=list(ORDERS), format_func=ORDERS.__getitem__)
        if names := list(fields_of(run.id, run.revision, columns)[0]):
            st.multiselect(
                "Further columns of the table",
                names,
                key="record-fields",
                format_func=field_title,
                placeholder="none",
                persist_state="session",
            )


def show_match(shown: Selection) -> None:
    """How many records match the filter, where not all do, and the way back."""
    if not shown.mask.all():
        with st.container(horizontal=True, vertical_alignment="center"):
            n, of = int(shown.mask.sum()), len(shown.mask)
            st.caption(f"{n:,} of {of:,} records match {plain(shown.words)}; everything below is about these.")
            st.button("Show all", type="tertiary", on_click=_forget, args=((*PARAMETERS, "page"),))


def _undefined(columns: RunColumns, scores: RunScores) -> dict[str, str]:
    """Metric and reason as in the address → in words, with the number of records."""
    alive = ~(columns.failed | columns.failed_generation | columns.pending)
    return {
        f"{name}:{reason}": f"{METRICS[name].label}: {reason} ({n:,})"
        for name in METRICS
        for reason, n in Counter(scores.reasons[name][alive].tolist()).most_common()
        if reason
    }


def _of_field(place: DeltaGenerator, name: str, of: Choices) -> None:
    if of.span:
        _between(place, "from", "to", of.span)
        return
    named = [value for value in st.query_params.get_all("value") if value in of.values]
    widget(
        place.multiselect,
        plain(field_title(name)),
        "value",
        named,
        options=list(of.values),
        placeholder="any",
        format_func=lambda value: f"{value} ({of.values[value]:,})",
    )


def widget(make: Any, label: str, name: str, chosen: object, **options: Any) -> Any:
    """A widget that shows what is `chosen` by the address under `name`, and writes there what a person chooses.

    Where the address changed otherwise, it is a new widget: one in a closed popover would send its old value again.
    """
    turns: dict[str, int] = st.session_state.setdefault("filter-turns", {})
    key = f"filter-{name}-{turns.get(name, 0)}"
    if st.session_state.get(key, chosen) != chosen:
        turns[name] = turns.get(name, 0) + 1
        key = f"filter-{name}-{turns[name]}"
    st.session_state.setdefault(key, chosen)
    return make(label, key=key, on_change=_write, args=(name, key), **options)


def _write(name: str, key: str) -> None:
    value = st.session_state[key]
    if name == "field":
        _forget(OF_FIELD)
    if value in (None, "", []):
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = f"{value:g}" if isinstance(value, float) else value


def _forget(names: Sequence[str]) -> None:
    for name in names:
        st.query_params.pop(name, None)


def _choice(place: DeltaGenerator, label: str, name: str, options: Mapping[str, str]) -> str | None:
    named = st.query_params.get(name)
    picked: str | None = widget(
        place.selectbox,
        label,
        name,
        named if named in options else None,
        options=list(options),
        index=None,
        placeholder="any",
        format_func=lambda key: options[key],
    )
    return picked


def _between(place: DeltaGenerator, low: str, high: str, span: tuple[float, float]) -> None:
    for end, label, name, limit in zip(place.columns(2), ("From", "To"), (low, high), span, strict=True):
        widget(end.number_input, label, name, _number(name), value=None, placeholder=f"{limit:g}", format="%g")


def _ends(low: str, high: str, span: tuple[float, float]) -> tuple[float, float]:
    """The two numbers in the address; the span's end for one that is not there."""
    first, last = _number(low), _number(high)
    return span[0] if first is None else first, span[1] if last is None else last


def _number(name: str) -> float | None:
    try:
        value = float(st.query_params.get(name, ""))
    except ValueError:
        return None
    return value if np.isfinite(value) else None


@st.cache_resource(max_entries=4, show_spinner=False)
def fields_of(run_id: str, revision: int, _columns: RunColumns) -> tuple[RowFields, dict[str, Choices]]:
    """Field → position → value, of all the rows' other fields; and by which records can be filtered and grouped."""
    fields = row_fields(services.store().runs, run_id, _columns)
    return fields, choices(fields, len(_columns))


def field_title(name: str) -> str:
    """A field of the rows as people call it."""
    return "Model that answered" if name == MODEL else name
