"""Which records of a run are on its page. The address alone says so: widgets, charts and links write it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.components.shared import services
from pages.components.shared.run_data import contributions_of, look_key, noise_of
from pages.components.shared.text import plain
from trace_core.diagnosis.faults import FAULTS, look, measured_findings
from trace_core.golden.noise import Noise
from trace_core.metrics import LABELS, METRICS
from trace_core.runs.analyse.select import MODEL, WORST, Facet, FieldFilter, Filters, facets, row_fields, select
from trace_core.store.record_reader import RowFields
from trace_core.store.runs import Run
from trace_core.summary.columns import STATUSES, Mask, RunColumns, RunScores

OF_FIELD = ("value", "from", "to")
PARAMETERS = ("status", "verdict", "finding", "metric", "low", "high", "undefined", "words", "field", *OF_FIELD)
"""The filters' names in the address; `OF_FIELD` belong to the field of the rows."""
JOINTS = {"metric": ";", "low": " from", "high": " up to", "field": ";", "value": "", "from": " from", "to": " up to"}
"""What stands before their values in words; before the other filters' it is the name."""
ORDERS = {WORST: "worst first", **{n: f"lowest {of} first" for n, of in LABELS.items()}, "position": "as in the file"}
REFERENCE = "reference_answer"
USUAL = {":answer": "Answer", REFERENCE: "Reference answer", ":scores": "Scores"}
"""The usual columns of the table beside verdict and question; others are fields of the rows."""
STATUS = {status: status.replace("_", " ") for status in STATUSES} | {"failed": "not scored"}
"""A record's status → what people call it."""
MARGIN = 1e-9


@dataclass(frozen=True, slots=True)
class Selection:
    """A run under a convention, and which of its records are on the page: the `mask`, and the filter in words.

    `fields` holds field → position → value of all the rows' other fields; `facets` what they can be filtered by.
    `measurements` and `findings` are the quantities measured beside the labels, and where each fault is; `looks` where
    a verdict is, and where it is one of its two looks.
    """

    run: Run
    scores: RunScores
    fields: RowFields
    facets: Mapping[str, Facet]
    measurements: Mapping[str, np.ndarray]
    findings: Mapping[str, Mask]
    looks: Mapping[str, Mask]
    mask: Mask
    words: str

    @property
    def columns(self) -> RunColumns:
        """All of its records."""
        return self.scores.columns

    def ids(self) -> list[str]:
        """The ids of the records, in order."""
        return list(self.columns.id[self.mask])

    def values(self) -> dict[str, np.ndarray]:
        """The records' scores."""
        return {name: values[self.mask] for name, values in self.scores.values.items()}


def select_records(run: Run, scores: RunScores) -> Selection:
    """The run with the address' filter applied; what the address names wrongly filters nothing."""
    fields, options = _fields_of(run.id, run.revision, scores.columns)
    measurements = _measurements(run, scores.columns)
    findings = {**scores.findings, **(measured_findings(measurements) if measurements else {})}
    looks = {}
    for name in sorted(set(scores.verdicts.tolist())):
        looks[name] = scores.verdicts == name
        looks |= {look_key(name, which): looks[name] & (scores.unsure == which) for which in (False, True)}
    looks = {name: mask for name, mask in looks.items() if mask.any()}
    address = st.query_params
    metric, reason, field = (address.get(name, "") for name in ("metric", "undefined", "field"))
    low, high = _ends("low", "high", (0.0, 1.0))
    condition, why = None, reason.partition(":")
    if of := options.get(field):
        values = frozenset(address.get_all("value")) & set(of.values)
        condition = FieldFilter(field, values, of.span and _ends("from", "to", of.span))
    filters = Filters(
        frozenset({address.get("status", "")} & set(STATUSES)),
        {metric: (low - MARGIN, high + MARGIN)} if metric in LABELS else {},
        (why[0], why[2]) if reason and reason in _reasons(scores) else None,
        address.get("words", "").strip(),
        condition,
    )
    mask = select(services.store().runs, run.id, scores, filters)
    for name, masks in (("finding", findings), ("verdict", looks)):
        mask &= masks.get(address.get(name, "any"), True)
    return Selection(run, scores, fields, options, measurements, findings, looks, mask, _words())


def _words() -> str:
    """The filter in the address, as a person would say it."""
    parts = []
    for name in (name for name in PARAMETERS if name in st.query_params):
        titles = map(str if name in ("words", "value") else _title, st.query_params.get_all(name))
        parts.append(f"{JOINTS.get(name, f'; {name}')} {', '.join(titles)}")
    return "".join(parts).removeprefix(";").strip()


def _title(value: str) -> str:
    """A fault, a verdict's look, a metric with a reason, a status or a field in words; a number as it is."""
    name, _, which = value.partition(":")
    if name in FAULTS:
        return f"{FAULTS[name].title}, sure" if which == "sure" else look(name, which == "unsure").title
    title = LABELS.get(name) or STATUS.get(name) or field_title(name)
    return f"{title}: {which}" if which else title


def _measurements(run: Run, columns: RunColumns) -> dict[str, np.ndarray]:
    """What second measurements say, one value per record, NaN where none was made: the quantities of their faults."""
    parts = contributions_of(run).by_record
    shares = {i: one for i, one in noise_of(run).by_record.items() if isinstance(one, Noise)}
    by_record: dict[str, Mapping[str, float | None]] = {
        "contribution_support": {i: one.support for i, one in parts.items()},
        "noise_relevant": {i: one.relevant for i, one in shares.items()},
        "noise_irrelevant": {i: one.irrelevant for i, one in shares.items()},
    }
    return {
        name: np.array([values.get(record_id) for record_id in columns.id], dtype=np.float64)
        for name, values in by_record.items()
        if values
    }


def narrow(**filters: str) -> None:
    """Set filters, as from a chart, and show the records."""
    st.session_state["tab"] = "Records"
    forget(("page", "at"))
    if "field" in filters:
        forget(OF_FIELD)
    st.query_params.update(filters)


def forget(names: Sequence[str]) -> None:
    """Take these names out of the address."""
    for name in names:
        st.query_params.pop(name, None)


def show_filters(selection: Selection) -> None:
    """The widgets."""
    with st.popover("Filter and columns", icon=":material/filter_alt:", width="content"):
        first, second, third = st.columns(3)
        _choice(first, "Status", "status", STATUS)
        here = st.query_params.get("verdict")
        looks = {name: _title(name) for name in selection.looks if name in FAULTS or name == here}
        _choice(first, "Verdict", "verdict", looks)
        faults = {name: FAULTS[name].title for name, mask in selection.findings.items() if mask.any()}
        _choice(second, "Finding", "finding", faults)
        if _choice(third, "Score", "metric", LABELS):
            _between(third, "low", "high", (0.0, 1.0))
        _choice(second, "Undefined", "undefined", _reasons(selection.scores))
        hint = "in question, answer and id"
        widget(first.text_input, "Search", "words", st.query_params.get("words", ""), placeholder=hint)
        titles = {name: field_title(name) for name in selection.facets}
        if titles and (name := _choice(first, "Field of the rows", "field", titles)):
            _of_field(second, name, selection.facets[name])
        orders = {"options": list(ORDERS), "format_func": ORDERS.__getitem__}
        widget(third.selectbox, "Order", "order", address_order(), **orders)
        columns = {"options": list(USUAL | dict.fromkeys(selection.fields)), "format_func": field_title}
        now, label = address_columns(selection.fields), "Columns beside verdict and question"
        st.session_state["columns"] = widget(st.multiselect, label, "column", now, **columns)


def address_columns(fields: RowFields) -> list[str]:
    """The columns of the table that the address names, else those chosen last, else the usual ones."""
    names = st.query_params.get_all("column") or st.session_state.get("columns", ())
    return [name for name in names if name in USUAL or name in fields] or list(USUAL)


def address_order() -> str:
    """The order of the records that the address names, else the worst first."""
    order = st.query_params.get("order", WORST)
    return order if order in ORDERS else WORST


def show_match(selection: Selection) -> None:
    """How many records match the filter, where not all do, and the way back."""
    if not selection.mask.all():
        with st.container(horizontal=True, vertical_alignment="center", key="run-match"):
            n, of = int(selection.mask.sum()), len(selection.mask)
            st.markdown(f"**{n:,} of {of:,} records match:** {plain(selection.words)}")
            st.button("Show all", type="tertiary", on_click=forget, args=((*PARAMETERS, "page", "at"),))


def _reasons(scores: RunScores) -> dict[str, str]:
    """Metric and reason as in the address → in words, with the number of records where it is undefined."""
    columns = scores.columns
    alive = ~(columns.failed | columns.failed_generation | columns.pending)
    return {
        f"{name}:{reason}": f"{METRICS[name].label}: {reason} ({n:,})"
        for name in METRICS
        for reason, n in Counter(scores.reasons[name][alive].tolist()).most_common()
        if reason
    }


def _of_field(place: DeltaGenerator, name: str, of: Facet) -> None:
    if of.span:
        _between(place, "from", "to", of.span)
        return
    values = [value for value in st.query_params.get_all("value") if value in of.values]
    options = {"options": list(of.values), "format_func": lambda value: f"{value} ({of.values[value]:,})"}
    widget(place.multiselect, plain(field_title(name)), "value", values, placeholder="any", **options)


def widget(make: Any, label: str, name: str, current: object, **options: Any) -> Any:
    """A widget that shows the `current` value of the address under `name`, and writes there what a person chooses.

    Where the address changed otherwise, it is a new widget: one in a closed popover would send its old value again.
    """
    turns: dict[str, int] = st.session_state.setdefault("filter-turns", {})
    key = f"filter-{name}-{turns.get(name, 0)}"
    if st.session_state.get(key, current) != current:
        turns[name] = turns.get(name, 0) + 1
        key = f"filter-{name}-{turns[name]}"
    st.session_state.setdefault(key, current)
    return make(label, key=key, on_change=_write, args=(name, key), **options)


def _write(name: str, key: str) -> None:
    value = st.session_state[key]
    if name == "field":
        forget(OF_FIELD)
    if value in (None, "", []):
        st.query_params.pop(name, None)
    else:
        st.query_params[name] = f"{value:g}" if isinstance(value, float) else value


def _choice(place: DeltaGenerator, label: str, name: str, options: Mapping[str, str]) -> str | None:
    value = st.query_params.get(name)
    menu = {"options": list(options), "format_func": lambda key: options[key], "index": None, "placeholder": "any"}
    choice: str | None = widget(place.selectbox, label, name, value if value in options else None, **menu)
    return choice


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
def _fields_of(run_id: str, revision: int, _columns: RunColumns) -> tuple[RowFields, dict[str, Facet]]:
    """The fields of the rows, and by which of them records can be filtered and grouped."""
    fields = row_fields(services.store().runs, run_id, _columns)
    return fields, facets(fields, len(_columns))


def field_title(name: str) -> str:
    """A field of the rows, or another column of the table, as people call it."""
    return {**USUAL, MODEL: "Model that answered"}.get(name, name)
