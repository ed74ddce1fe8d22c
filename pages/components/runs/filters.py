"""Which records of a run are shown. The address alone says so: widgets, charts and links write it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from pages.components.runs.rules import fired
from pages.components.shared import services
from pages.components.shared.tables import SCORES
from pages.components.shared.text import plain
from trace_core.diagnosis.faults import FAULTS
from trace_core.golden.modes import MODES
from trace_core.metrics import METRICS
from trace_core.runs.analyse.fields import MODEL, Choices, FieldFilter, choices, row_fields
from trace_core.runs.analyse.select import Filters, select
from trace_core.store.record_reader import RowFields
from trace_core.store.runs import Run
from trace_core.summary.columns import STATUSES, Mask, RunColumns, RunScores

OF_FIELD = ("value", "from", "to")
PARAMETERS = ("status", "finding", "metric", "low", "high", "undefined", "words", "field", *OF_FIELD)
"""The filters' names in the address; `OF_FIELD` belong to the chosen field of the rows."""
TITLES = {fault.name: fault.title for fault in (*FAULTS.values(), *MODES)}
MARGIN = 1e-9


@dataclass(frozen=True, slots=True)
class Filtered:
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


def filtered(run: Run, columns: RunColumns, scores: RunScores) -> Filtered:
    """The run with the address' filter applied; what the address names wrongly filters nothing."""
    found = fired(run, columns, scores)
    named = st.query_params
    metric, (reason_of, _, reason) = named.get("metric"), named.get("undefined", "").partition(":")
    wanted = Filters(
        frozenset({named.get("status", "")} & set(STATUSES)),
        {metric: (_share("low", 0.0) - MARGIN, _share("high", 1.0) + MARGIN)} if metric in SCORES else {},
        named.get("finding", "") if named.get("finding") in found else "",
        (reason_of, reason) if reason and f"{reason_of}:{reason}" in _undefined(columns, scores) else None,
        named.get("words", "").strip(),
        _field_filter(offered_fields(run, columns)),
    )
    mask = select(services.store().runs, run.id, columns, scores, wanted, found)
    words = "; ".join(f"{name} {', '.join(named.get_all(name))}" for name in PARAMETERS if name in named)
    return Filtered(columns, scores, found, mask, words)


def narrow(**wanted: str) -> None:
    """Set filters, as from a chart."""
    for name, value in wanted.items():
        st.query_params[name] = value


def narrow_to_field(name: str, value: str) -> None:
    """Show the records whose rows have this value in this field."""
    _forget(OF_FIELD)
    narrow(field=name, value=value)


def clear() -> None:
    """Show all records again."""
    _forget(PARAMETERS)


def show_filters(run: Run, shown: Filtered) -> None:
    """The widgets, and how many records match."""
    columns, scores, found = shown.columns, shown.scores, shown.findings
    with st.expander("Filter the records", icon=":material/filter_alt:", expanded=bool(shown.words)):
        first, second, third = st.columns(3)
        _choice(first, "Status", "status", {s: s.replace("_", " ") for s in STATUSES})
        _choice(second, "Finding", "finding", {n: TITLES[n] for n, mask in found.items() if mask.any()})
        if metric := _choice(third, "Score", "metric", SCORES):
            _range(third, SCORES[metric])
        _choice(second, "Undefined", "undefined", _undefined(columns, scores))
        _words(first)
        _row_field(offered_fields(run, columns))
    if not shown.mask.all():
        with st.container(horizontal=True, vertical_alignment="center"):
            n, of = int(shown.mask.sum()), len(shown.mask)
            st.caption(f"{n:,} of {of:,} records match; everything below is about these.")
            st.button("Show all", type="tertiary", on_click=clear)


def _undefined(columns: RunColumns, scores: RunScores) -> dict[str, str]:
    """Metric and reason as in the address → in words, with the number of records."""
    alive = ~(columns.failed | columns.failed_generation | columns.pending)
    return {
        f"{name}:{reason}": f"{METRICS[name].label}: {reason} ({n:,})"
        for name in METRICS
        for reason, n in Counter(scores.reasons[name][alive].tolist()).most_common()
        if reason
    }


def _forget(names: Sequence[str]) -> None:
    for name in names:
        st.query_params.pop(name, None)


def _mirror(name: str, value: object) -> str:
    """The key of the filter's widget, which shows what the address says."""
    key = f"filter-{name}"
    if st.session_state.get(key) != value:
        st.session_state[key] = value
    return key


def _choice(place: st.delta_generator.DeltaGenerator, label: str, name: str, options: dict[str, str]) -> str | None:
    """A menu whose choice is in the address under its name."""
    named = st.query_params.get(name)
    picked: str | None = place.selectbox(
        label, list(options), index=None, placeholder="any", format_func=lambda key: options[key],
        key=_mirror(name, named if named in options else None), on_change=_name, args=(name,),
    )  # fmt: skip
    return picked


def _name(name: str) -> None:
    value = st.session_state[f"filter-{name}"]
    if name == "field":
        _forget(OF_FIELD)
    if value in (None, "", []):
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = value


def _range(place: st.delta_generator.DeltaGenerator, label: str) -> None:
    key = _mirror("range", (_share("low", 0.0), _share("high", 1.0)))
    place.slider(f"{label} from … to", 0.0, 1.0, step=0.05, key=key, on_change=_name_range)


def _name_range() -> None:
    low, high = st.session_state["filter-range"]
    st.query_params["low"], st.query_params["high"] = f"{low:g}", f"{high:g}"


def _share(name: str, default: float) -> float:
    """A number between 0 and 1 from the address; the default for anything else."""
    value = _number(name)
    return value if value is not None and 0 <= value <= 1 else default


def _words(place: st.delta_generator.DeltaGenerator) -> None:
    place.text_input(
        "Search", key=_mirror("words", st.query_params.get("words", "")), placeholder="in question, answer and id",
        on_change=_name, args=("words",),
    )  # fmt: skip


def offered_fields(run: Run, columns: RunColumns) -> dict[str, Choices]:
    """The rows' other fields that records can be filtered and grouped by."""
    return _offered(run.id, run.revision, columns)[1]


def fields_of(run: Run, columns: RunColumns) -> RowFields:
    """Field → position → value, of all the rows' other fields."""
    return _offered(run.id, run.revision, columns)[0]


@st.cache_resource(max_entries=4, show_spinner=False)
def _offered(run_id: str, revision: int, _columns: RunColumns) -> tuple[RowFields, dict[str, Choices]]:
    fields = row_fields(services.store().runs, run_id, _columns)
    return fields, choices(fields, len(_columns))


def field_title(name: str) -> str:
    """A field of the rows as people call it."""
    return "Model that answered" if name == MODEL else name


def _field_filter(offered: dict[str, Choices]) -> FieldFilter | None:
    name = st.query_params.get("field")
    if name not in offered:
        return None
    if span := offered[name].span:
        low, high = _number("from"), _number("to")
        return FieldFilter(name, span=(span[0] if low is None else low, span[1] if high is None else high))
    return FieldFilter(name, frozenset(v for v in st.query_params.get_all("value") if v in offered[name].values))


def _row_field(offered: dict[str, Choices]) -> None:
    """The condition on another field of the rows; nothing is drawn where no row has one to choose from."""
    if not offered:
        return
    left, *right = st.columns(3)
    name = _choice(left, "Field of the rows", "field", {one: field_title(one) for one in offered})
    if name is None:
        return
    values = offered[name].values
    if span := offered[name].span:
        ends: Any = zip(right, (("From", "from"), ("To", "to")), span, strict=True)
        for place, (label, end), limit in ends:
            place.number_input(label, value=None, key=_mirror(end, _number(end)), on_change=_name, args=(end,),
                               placeholder=f"{limit:g}", format="%g")  # fmt: skip
        return
    named = [value for value in st.query_params.get_all("value") if value in values]
    right[0].multiselect(
        plain(field_title(name)), list(values), format_func=lambda value: f"{value} ({values[value]:,})",
        key=_mirror("value", named), on_change=_name, args=("value",), placeholder="any",
    )  # fmt: skip


def _number(name: str) -> float | None:
    """A finite number from the address; `None` for anything else."""
    try:
        value = float(st.query_params.get(name, ""))
    except ValueError:
        return None
    return value if np.isfinite(value) else None
