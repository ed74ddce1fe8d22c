"""A new run: data set, collection, settings; and its cost before it starts."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.components.runs.list import open_run
from pages.components.runs.progress import time_text
from pages.components.shared import access, services, visitors
from pages.components.shared.text import plain, show_error
from trace_core.errors import TraceError
from trace_core.labeling import LABELERS, without_llm
from trace_core.metrics import CONVENTIONS
from trace_core.runs.execute.engine import RECORDED, run_config
from trace_core.runs.execute.estimate import SAMPLE, estimate
from trace_core.runs.files.dataset import unanswered
from trace_core.store.datasets import Dataset

NAMES = {**{name: kind.label for name, kind in LABELERS.items()}, RECORDED: "The rows' own labels"}


def new_run() -> None:
    """The form, collapsed where runs exist."""
    kept = access.datasets()
    if not kept:
        return
    asked = st.session_state.get("new-asked", False)
    with st.expander("New run", icon=":material/add:", expanded=asked or not access.runs()):
        dataset = st.selectbox("Data set", kept, format_func=lambda d: f"{d.name} ({d.total:,} rows)", key="new-data")
        left, middle, right = st.columns(3)
        labeler = left.selectbox(
            "Labeler", _labelers(dataset), format_func=lambda name: NAMES.get(name, name), key="new-labeler"
        )
        collection = _collection(middle, dataset)
        top_k = services.settings().top_k
        if dataset.counts.get("ask"):
            top_k = middle.slider("top_k", 1, 20, top_k, key="new-top-k")
        convention = right.selectbox(
            "Convention", list(CONVENTIONS), format_func=lambda c: CONVENTIONS[c].label, key="new-convention",
            index=list(CONVENTIONS).index(services.settings().convention),
        )  # fmt: skip
        budget = right.number_input(
            "Budget", 0.0, value=None, placeholder="none", key="new-budget",
            help="In the currency of prices.json. The run stops before it spends more.",
        )  # fmt: skip
        name = left.text_input("Name", f"{dataset.name}, {NAMES.get(labeler, labeler)}", key=f"new-name-{dataset.id}")
        if dataset.counts.get("ask") and collection is None:
            st.warning("Some rows have no documents. Choose the collection to retrieve them from.")
            return
        settings = services.settings()
        answer = _answer(dataset)
        _estimate(dataset, run_config(settings, labeler=labeler, collection=collection, top_k=top_k, answer=answer))
        if visitors.is_demo():
            st.caption("Demo runs are labeled and answered on this machine. No key is used, not even yours.")
        if st.button("Start", icon=":material/play_arrow:", key="new-start"):
            _start(dataset, name, labeler, collection, top_k, convention, budget, answer)


def set_up(dataset_id: str) -> None:
    """Open the form on the tab "Runs" with this data set."""
    state = st.session_state
    state["show"], state["new-asked"] = "Runs", True
    state["new-data"] = next((one for one in access.datasets() if one.id == dataset_id), None)


def usual_labeler() -> str:
    """The labeler that a run has if nobody chooses another."""
    offered = without_llm() if visitors.is_demo() else list(LABELERS)
    return min(offered, key=lambda name: name != services.default_labeler())


def show_estimate(rows: list[dict[str, Any]], labeler: str) -> None:
    """What a run of these rows with the usual settings will take."""
    config = run_config(services.settings(), labeler=labeler, answer=False)
    found = estimate(rows, len(rows), config, services.settings(),
                     seconds_each=services.store().runs.seconds_each(labeler))  # fmt: skip
    parts = [NAMES.get(labeler, labeler)]
    parts += [f"{found.calls:,} calls, {found.tokens_and_price}"] if found.calls else []
    st.caption(plain(f"Scoring {len(rows):,} rows: {' · '.join([*parts, f'about {time_text(found.seconds)}'])}."))


def start_usual(dataset: Dataset, name: str, labeler: str) -> None:
    """Start a run with the usual settings and open it."""
    settings = services.settings()
    _start(dataset, f"{name}, {NAMES.get(labeler, labeler)}", labeler, None, settings.top_k, settings.convention,
           settings.budget, False)  # fmt: skip


def _unanswered(dataset: Dataset) -> int:
    return unanswered(services.store().datasets, dataset)


def _answer(dataset: Dataset) -> bool:
    """Whether rows without an answer get one: only a person can tell whether answers were lost on the way here."""
    without = _unanswered(dataset)
    if not without:
        return False
    return st.checkbox(
        f"Answer the {without:,} rows that have no answer", key=f"new-answer-{dataset.id}",
        help="Otherwise they are left out. If the file does hold answers, choose their column in the tab “Data sets”.",
    )  # fmt: skip


def _labelers(dataset: Dataset) -> list[str]:
    """The rows' own labels first, if they have any; else the settings' labeler."""
    offered = without_llm() if visitors.is_demo() else list(LABELERS)
    names = sorted(offered, key=lambda name: name != services.default_labeler())
    return [RECORDED, *names] if dataset.counts.get("labeled") else names


def _collection(place: st.delta_generator.DeltaGenerator, dataset: Dataset) -> str | None:
    if not dataset.counts.get("ask"):
        place.caption("No collection needed: the rows have documents.")
        return None
    picked: str | None = place.selectbox("Collection", access.collections(), index=None, key="new-from")
    return picked


def _estimate(dataset: Dataset, config: dict[str, Any]) -> None:
    """What the run will take, as far as that is known, and the assumptions."""
    rows = (row.row for row in services.store().datasets.rows(dataset.id, limit=SAMPLE))
    each = services.store().runs.seconds_each(str(config["labeler"]))
    found = estimate(rows, _total(dataset, config), config, services.settings(), seconds_each=each)
    left_out = 0 if config["answer"] else _unanswered(dataset)
    parts = [f"{found.rows:,} rows"] + ([f"{left_out:,} without an answer left out"] if left_out else [])
    to_do = {"retrieve for": found.to_retrieve, "answer": found.to_answer, "label": found.to_label}
    parts += [f"{n:,} to {what}" for what, n in to_do.items() if n]
    if found.calls:
        parts.append(f"{found.calls:,} calls, {found.tokens_and_price}")
    parts.append(f"about {time_text(found.seconds)}")
    st.markdown("This run: " + plain(" · ".join(parts)))
    st.caption(plain(" ".join(found.assumptions)))


def _total(dataset: Dataset, config: dict[str, Any]) -> int:
    return dataset.total - (0 if config["answer"] else _unanswered(dataset))


def _start(
    dataset: Dataset,
    name: str,
    labeler: str,
    collection: str | None,
    top_k: int,
    convention: str,
    budget: float | None,
    answer: bool,
) -> None:
    try:
        visitors.check_rows(dataset.total)
        if not visitors.may_run(access.running()):
            return
        run_id = services.engine().create(
            dataset.id, name.strip() or dataset.name, labeler=labeler, collection=collection,
            top_k=top_k, convention=convention, budget=budget, answer=answer,
        )  # fmt: skip
        access.claim("run", run_id)
        services.engine().start(run_id)
        st.session_state.pop("new-asked", None)
    except TraceError as error:
        show_error(error)
        return
    open_run(run_id)
    st.rerun()
