"""A new run: data set, collection, settings; and its cost before it starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from pages.components.runs.list import open_run
from pages.components.runs.progress import EXPECTED
from pages.components.shared import services, visitors
from pages.components.shared.long_work import duration
from pages.components.shared.text import plain, show_error
from trace_core.datasets import Item
from trace_core.datasets.rows import RECORDED
from trace_core.errors import TraceError, counted
from trace_core.facts.labels import labeler_name
from trace_core.labeling import LABELERS, without_llm
from trace_core.metrics import CONVENTIONS
from trace_core.runs.execute.engine import run_config
from trace_core.runs.execute.estimate import SAMPLE, Estimate, estimate
from trace_core.runs.files.dataset import save_rows
from trace_core.store.datasets import Dataset
from trace_core.store.runs import Run

NAMES = {name: labeler_name(name) for name in (*LABELERS, RECORDED)}


def new_run() -> None:
    """The form, collapsed where runs exist."""
    saved = visitors.datasets()
    if not saved:
        return
    asked = st.session_state.get("new-asked", False)
    with st.expander("New run", icon=":material/add:", expanded=asked or not visitors.runs()):
        settings = services.settings()
        dataset = st.selectbox("Data set", saved, format_func=lambda d: f"{d.name} ({d.total:,} rows)", key="new-data")
        left, middle, right = st.columns(3)
        offered = [*([RECORDED] if dataset.counts.get("labeled") else []), *labelers()]
        labeler = left.selectbox("Labeler", offered, format_func=NAMES.__getitem__, key="new-labeler")
        collection, top_k = None, settings.top_k
        if dataset.counts.get("ask"):
            names, asked_last = visitors.collections(), st.session_state.get("collection")
            index = names.index(asked_last) if asked_last in names else None
            collection = middle.selectbox("Collection", names, index=index, key="new-from")
            top_k = middle.slider("top_k", 1, 20, top_k, key="new-top-k")
            if vector := st.session_state.get(f"vector-of-{collection}"):
                middle.caption(plain(f"Searched by the vector {vector}, as chosen on Collections."))
        convention = right.selectbox(
            "Convention",
            list(CONVENTIONS),
            format_func=lambda c: CONVENTIONS[c].label,
            key="new-convention",
            index=list(CONVENTIONS).index(settings.convention),
        )
        budget = right.number_input(
            "Budget",
            0.0,
            value=None,
            placeholder="none",
            key="new-budget",
            help="In the currency of prices.json. The run stops before it spends more.",
        )
        name = left.text_input("Name", f"{dataset.name}, {NAMES[labeler]}", key=f"new-name-{dataset.id}")
        lacking = dataset.counts.get("ask", 0) if collection is None else 0
        if lacking == dataset.total:
            st.warning("These rows have no documents. Choose the collection to retrieve them from.")
            return
        if lacking:
            st.caption(f"{counted(lacking, 'row')} without documents: left out unless you choose a collection.")
        # Only a person can tell whether answers were lost on the way here.
        without = dataset.counts.get("answer" if lacking else "unanswered", 0)
        answer = bool(without) and st.checkbox(
            f"Answer the {without:,} rows that have no answer",
            key=f"new-answer-{dataset.id}",
            help="Otherwise they are left out. If the file does hold answers, choose their column in “Data sets”.",
        )
        config = run_config(settings, labeler=labeler, collection=collection, top_k=top_k, answer=answer)
        left_out = 0 if answer else without
        rows = (row.row for row in services.store().datasets.rows(dataset.id, limit=SAMPLE))
        ready = (row for row in rows if not lacking or Item.model_validate(row).kind != "ask")
        found = _estimated(ready, dataset.total - lacking - left_out, config)
        st.markdown("This run: " + plain(_text(found, left_out)))
        st.caption(plain(" ".join(found.assumptions)))
        if visitors.is_demo():
            st.caption("Demo runs are labeled and answered on this machine. No key is used, not even yours.")
        if st.button("Start", icon=":material/play_arrow:", key="new-start"):
            chosen = _with_documents(dataset) if lacking else dataset
            _start(
                chosen,
                name,
                found.seconds,
                labeler=labeler,
                collection=collection,
                vector=st.session_state.get(f"vector-of-{collection}"),
                top_k=top_k,
                convention=convention,
                budget=budget,
                answer=answer,
            )


def _with_documents(dataset: Dataset) -> Dataset:
    store = services.store().datasets
    items = [item for row in store.rows(dataset.id) if (item := Item.model_validate(row.row)).kind != "ask"]
    title = f"{dataset.name}, rows with documents"
    return store.load_dataset(visitors.save_dataset(lambda: save_rows(store, title, items)))


def set_up(dataset_id: str) -> None:
    """Open the form on the tab "Runs" with this data set."""
    state = st.session_state
    state["show"], state["new-asked"] = "Runs", True
    state["new-data"] = next((one for one in visitors.datasets() if one.id == dataset_id), None)


@st.dialog("Run it again")
def run_again(run: Run) -> None:
    """The same rows with the same settings, at a cost that is said before: how much changes by itself?"""
    st.markdown(
        f"The same rows with the same settings, as a run of its own: “Compare” then shows how many of the "
        f"{counted(run.counts['total'], 'verdict')} change by themselves. No stored reply is used."
    )
    try:
        rows = [row.row for row in services.store().datasets.rows(str(run.dataset_id), limit=SAMPLE)]
        found = _estimated(rows, run.counts["total"], run.config)
    except TraceError as error:
        show_error(error)
        return
    st.markdown("This run: " + plain(_text(found)))
    alone = "" if found.calls else " What is asked on this machine says the same every time."
    st.caption(plain(" ".join(found.assumptions) + alone))
    if st.button("Start", icon=":material/play_arrow:", key="again-start"):
        name = f"{run.name}, again"
        _begin(run.counts["total"], lambda: services.engine().create_again(run.id, name), found.seconds)


def show_estimate(rows: list[dict[str, Any]], labeler: str) -> float:
    """What a run of these rows with the usual settings will take; returns the seconds."""
    found = _estimated(rows, len(rows), run_config(services.settings(), labeler=labeler, answer=False))
    st.caption(f"Scoring with {plain(NAMES[labeler])}: {plain(_text(found))}.")
    return found.seconds


def start_usual(dataset: Dataset, name: str, labeler: str, seconds: float) -> None:
    """Start a run with the usual settings, which is expected to take these seconds, and open it."""
    settings = services.settings()
    _start(
        dataset,
        f"{name}, {NAMES[labeler]}",
        seconds,
        labeler=labeler,
        convention=settings.convention,
        budget=settings.budget,
        answer=False,
    )


def labelers() -> list[str]:
    """The labelers that are offered; the first is the settings' own, which a run has if nobody chooses another."""
    offered = without_llm() if visitors.is_demo() else list(LABELERS)
    return sorted(offered, key=lambda name: name != services.default_labeler())


def _estimated(rows: Iterable[Mapping[str, Any]], total: int, config: Mapping[str, Any]) -> Estimate:
    each = services.store().runs.seconds_each(str(config["labeler"]))
    return estimate(rows, total, config, services.settings(), seconds_each=each)


def _text(found: Estimate, left_out: int = 0) -> str:
    parts = {
        f"{found.rows:,} rows": True,
        f"{left_out:,} without an answer left out": left_out,
        f"{found.to_retrieve:,} to retrieve for": found.to_retrieve,
        f"{found.to_answer:,} to answer": found.to_answer,
        f"{found.to_label:,} to label": found.to_label,
        f"{found.calls:,} calls, {found.tokens_and_price}": found.calls,
        f"about {duration(found.seconds)}": True,
    }
    return " · ".join(part for part, shown in parts.items() if shown)


def _start(dataset: Dataset, name: str, seconds: float, **chosen: Any) -> None:
    def create() -> str:
        if collection := chosen.get("collection"):
            services.collections().check(collection, chosen.get("vector"))
        return services.engine().create(dataset.id, name.strip() or dataset.name, **chosen)

    _begin(dataset.total, create, seconds)


def _begin(rows: int, create: Callable[[], str], seconds: float) -> None:
    """Start and open the run; the `seconds` that it is expected to take are shown until it knows better itself."""
    try:
        visitors.check_rows(rows)
        if not visitors.may_run(visitors.running()):
            return
        run_id = create()
        visitors.claim("run", run_id)
        services.engine().start(run_id)
    except TraceError as error:
        show_error(error)
        return
    st.session_state.pop("new-asked", None)
    st.session_state[EXPECTED] = run_id, seconds
    open_run(run_id)
    st.rerun()
