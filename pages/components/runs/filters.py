"""Which records of a run are shown. The choice is in the address, so that a link shows the same records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

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
from trace_core.store.runs import Run
from trace_core.summary.columns import STATUSES, Mask, RunColumns, RunScores

OF_FIELD = ("value", "from", "to")
PARAMETERS = ("status", "finding", "metric", "low", "high", "undefined", "words", "field", *OF_FIELD)
"""The filters' names in the address; `OF_FIELD` belong to the chosen field of the rows."""
TITLES = {fault.name: fault.title for fault in (*FAULTS.values(), *MODES)}


@dataclass(frozen=True, slots=True)
class Filtered:
    """A run's columns and scores, and which of its records are shown."""

    columns: RunColumns
    scores: RunScores
    findings: dict[str, Mask]
    mask: Mask

    @property
    def whole(self) -> bool:
        """Whether all records are shown."""
        return bool(self.mask.all())

    def ids(self) -> list[str]:
        """The ids of the shown records, in order."""
        return list(self.columns.id[self.mask])

    def values(self) -> dict[str, np.ndarray]:
        """The shown records' scores."""
        return {name: values[self.mask] for name, values in self.scores.values.items()}


def filters(run: Run, columns: RunColumns, scores: RunScores) -> Filtered:
    """Draw the filters and apply them."""
    found = fired(run, columns, scores)
    ranges: dict[str, tuple[float, float]] = {}
    with st.expander("Filter the records", expanded=_any_set()):
        first, second, third = st.columns(3)
        status = _choice(first, "Status", "status", {s: s for s in STATUSES})
        finding = _choice(second, "Finding", "finding", {name: TITLES[name] for name in found if found[name].any()})
        metric = _choice(third, "Score", "metric", SCORES)
        if metric:
            ranges[metric] = _range(third, SCORES[metric])
        undefined = _choice(second, "Undefined", "undefined", _undefined(columns, scores))
        words = _words(first)
        row_field = _row_field(run, columns)
    why = (undefined.partition(":")[0], undefined.partition(":")[2]) if undefined else None
    wanted = Filters(frozenset([status] if status else []), ranges, finding or "", why, words, row_field)
    mask = select(services.store().runs, run.id, columns, scores, wanted, found)
    if not mask.all():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"{int(mask.sum()):,} of {len(mask):,} records match; everything below is about these.")
            st.button("Show all", type="tertiary", on_click=clear)
    return Filtered(columns, scores, found, mask)


def _undefined(columns: RunColumns, scores: RunScores) -> dict[str, str]:
    """Metric and reason as in the address → in words, with the number of records."""
    alive = ~(columns.failed | columns.pending)
    return {
        f"{name}:{reason}": f"{METRICS[name].label}: {reason} ({n:,})"
        for name in METRICS
        for reason, n in Counter(scores.reasons[name][alive].tolist()).most_common()
        if reason
    }


def clear() -> None:
    """Show all records again."""
    _forget(PARAMETERS)


def _forget(names: Iterable[str]) -> None:
    for name in names:
        st.query_params.pop(name, None)
        st.session_state.pop(f"filter-{name}", None)


def _any_set() -> bool:
    return any(name in st.query_params for name in PARAMETERS)


def _choice(place: st.delta_generator.DeltaGenerator, label: str, name: str, options: dict[str, str]) -> str | None:
    """A menu whose choice is in the address under its key."""
    named = st.query_params.get(name)
    keys = list(options)
    picked: str | None = place.selectbox(
        label, keys, index=keys.index(named) if named in keys else None, placeholder="any",
        format_func=lambda key: options[key], key=f"filter-{name}", on_change=_name, args=(name,),
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


def _range(place: st.delta_generator.DeltaGenerator, label: str) -> tuple[float, float]:
    named = (_share("low", 0.0), _share("high", 1.0))
    low, high = place.slider(f"{label} from … to", 0.0, 1.0, named, 0.05, key="filter-range", on_change=_name_range)
    return low - 1e-9, high + 1e-9


def _name_range() -> None:
    low, high = st.session_state["filter-range"]
    st.query_params["low"], st.query_params["high"] = f"{low:g}", f"{high:g}"


def _share(name: str, default: float) -> float:
    """A number between 0 and 1 from the address; the default for anything else."""
    try:
        value = float(st.query_params.get(name, default))
    except ValueError:
        return default
    return value if 0 <= value <= 1 else default


def _words(place: st.delta_generator.DeltaGenerator) -> str:
    typed = place.text_input(
        "Search", st.query_params.get("words", ""), key="filter-words", placeholder="in question, answer and id",
        on_change=_name, args=("words",),
    )  # fmt: skip
    return (typed or "").strip()


def _row_field(run: Run, columns: RunColumns) -> FieldFilter | None:
    """The condition on another field of the rows; nothing is drawn where no row has one to choose from."""
    offered = _offered(run.id, run.revision, columns)
    if not offered:
        return None
    left, *right = st.columns(3)
    titles = {name: "Model that answered" if name == MODEL else name for name in offered}
    name = _choice(left, "Field of the rows", "field", titles)
    if name is None:
        return None
    if span := offered[name].span:
        return FieldFilter(name, span=_span(right, *span))
    return FieldFilter(name, frozenset(_values(right[0], plain(titles[name]), offered[name])))


@st.cache_resource(max_entries=4, show_spinner=False)
def _offered(run_id: str, revision: int, _columns: RunColumns) -> dict[str, Choices]:
    return choices(row_fields(services.store().runs, run_id, _columns), len(_columns))


def _values(place: st.delta_generator.DeltaGenerator, label: str, offered: Choices) -> list[str]:
    """Several values of the field, any of which is enough."""
    named = [value for value in st.query_params.get_all("value") if value in offered.values]
    return place.multiselect(
        label, list(offered.values), named, format_func=lambda value: f"{value} ({offered.values[value]:,})",
        key="filter-value", on_change=_name, args=("value",), placeholder="any",
    )  # fmt: skip


def _span(places: Sequence[st.delta_generator.DeltaGenerator], low: float, high: float) -> tuple[float, float]:
    """The least and the greatest value of the field; one that is left empty is the run's own."""
    ends = (("From", "from", low), ("To", "to", high))
    typed = [
        place.number_input(
            label, value=_number(name), key=f"filter-{name}", on_change=_name, args=(name,),
            placeholder=f"{end:g}", format="%g",
        )
        for place, (label, name, end) in zip(places, ends, strict=True)
    ]  # fmt: skip
    return low if typed[0] is None else typed[0], high if typed[1] is None else typed[1]


def _number(name: str) -> float | None:
    """A number from the address; `None` for anything else."""
    try:
        value = float(st.query_params.get(name, ""))
    except ValueError:
        return None
    return value if np.isfinite(value) else None
