"""A new run: data set, collection, settings; and its cost before it starts."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import streamlit as st

from pages.components.runs.progress import ESTIMATE
from pages.components.shared import services, visitors
from pages.components.shared.long_work import duration
from pages.components.shared.text import distinct, plain, show_errors
from trace_core.datasets.rows import RECORDED
from trace_core.errors import counted
from trace_core.facts.labels import labeler_name
from trace_core.labeling import LABELERS, without_llm
from trace_core.metrics import CONVENTIONS
from trace_core.runs.execute.engine import RunChoices
from trace_core.runs.execute.estimate import SAMPLE, WorkEstimate, estimate
from trace_core.store.datasets import Dataset
from trace_core.store.runs import Run


def new_run() -> None:
    """The form, collapsed where runs exist."""
    datasets = visitors.datasets()
    if not datasets:
        return
    is_open = st.session_state.get("new-open", False) or not visitors.runs()
    with st.expander("New run", icon=":material/add:", expanded=is_open):
        settings = services.settings()
        labels = distinct({d.id: f"{d.name} ({d.total:,} rows)" for d in datasets})
        dataset = st.selectbox("Data set", datasets, format_func=lambda d: labels[d.id], key="new-data")
        left, middle, right = st.columns(3)
        names = [*([RECORDED] if dataset.counts.get("labeled") else []), *labelers()]
        labeler = left.selectbox("Labeler", names, format_func=labeler_name, key="new-labeler")
        collection, vector, top_k = None, None, settings.top_k
        if lacking := dataset.counts.get("ask", 0):
            collections, last = visitors.collections(), st.session_state.get("collection")
            index = collections.index(last) if last in collections else None
            collection = middle.selectbox("Collection", collections, index=index, key="new-from")
            top_k = middle.slider("top_k", 1, 20, top_k, key="new-top-k")
            if vector := st.session_state.get(f"vector-of-{collection}"):
                middle.caption(plain(f"Searched by the vector {vector}, as chosen on Collections."))
        titles = {name: one.label for name, one in CONVENTIONS.items()}
        menu: dict[str, Any] = {"format_func": titles.__getitem__, "index": list(titles).index(settings.convention)}
        convention = right.selectbox("Convention", list(titles), key="new-convention", **menu)
        limit = "In the currency of prices.json. The run stops before it spends more."
        budget = right.number_input("Budget", 0.0, value=None, placeholder="none", key="new-budget", help=limit)
        name = left.text_input("Name", _name(dataset.name, labeler), key=f"new-name-{dataset.id}")
        if lacking and collection is None:
            st.info(f"{counted(lacking, 'row')} without documents: choose the collection to retrieve them from.")
            return
        # Only a person can tell whether answers were lost on the way here.
        without = dataset.counts.get("unanswered", 0)
        answer = bool(without) and st.checkbox(
            f"Answer the {without:,} rows that have no answer",
            key=f"new-answer-{dataset.id}",
            help="Otherwise they are left out. If the file does hold answers, choose their column in “Data sets”.",
        )
        left_out = 0 if answer else without
        parts: dict[str, Any] = {"labeler": labeler, "collection": collection, "top_k": top_k, "answer": answer}
        rows = (row.row for row in services.store().datasets.rows(dataset.id, limit=SAMPLE))
        cost = _estimate(rows, dataset.total - left_out, RunChoices(**parts).config(settings))
        st.markdown("This run: " + plain(_text(cost, left_out)))
        st.caption(plain(" ".join(cost.assumptions)))
        if visitors.is_demo():
            st.caption("Demo runs are labeled and answered on this machine. No key is used, not even yours.")
        if st.button("Start", icon=":material/play_arrow:", key="new-start"):
            parts |= {"vector": vector, "convention": convention, "budget": budget}
            _start(dataset, name, cost.seconds, parts)


def set_up(dataset_id: str) -> None:
    """Open the form on the tab "Runs" with this data set."""
    dataset = next((one for one in visitors.datasets() if one.id == dataset_id), None)
    st.session_state.update({"show": "Runs", "new-open": True, "new-data": dataset})


@st.dialog("Run it again")
def run_again(run: Run) -> None:
    """The same rows with the same settings, at a cost that is said before: how much changes by itself?"""
    st.markdown(
        f"The same rows with the same settings, as a run of its own: “Compare” then shows how many of the "
        f"{counted(run.counts['total'], 'verdict')} change although nothing else did. No stored reply is used."
    )
    with show_errors():
        rows = [row.row for row in services.store().datasets.rows(str(run.dataset_id), limit=SAMPLE)]
        cost = _estimate(rows, run.counts["total"], run.config)
        st.markdown("This run: " + plain(_text(cost)))
        alone = "" if cost.calls else " Labels made on this machine, or in the file, are the same every time."
        st.caption(plain(" ".join(cost.assumptions) + alone))
        if st.button("Start", icon=":material/play_arrow:", key="again-start"):
            name = f"{run.name}, again"
            _begin(run.counts["total"], lambda: services.engine().create_again(run.id, name), cost.seconds)


def show_estimate(rows: list[dict[str, Any]], labeler: str) -> float:
    """What a run of these rows with the usual settings will take; returns the seconds."""
    cost = _estimate(rows, len(rows), RunChoices(labeler=labeler).config(services.settings()))
    st.caption(plain(f"Labels: {labeler_name(labeler)}. {_text(cost)}."))
    return cost.seconds


def start_usual(dataset: Dataset, name: str, labeler: str, seconds: float) -> None:
    """Start a run with the usual settings, which is expected to take these seconds, and open it."""
    settings = services.settings()
    parts = {"labeler": labeler, "convention": settings.convention, "budget": settings.budget, "answer": False}
    _start(dataset, _name(name, labeler), seconds, parts)


def labelers() -> list[str]:
    """The labelers to choose from; the first is the settings' own, which a run has if nobody chooses another."""
    names = without_llm() if visitors.is_demo() else list(LABELERS)
    return sorted(names, key=lambda name: name != services.default_labeler())


def _estimate(rows: Iterable[Mapping[str, Any]], total: int, config: Mapping[str, Any]) -> WorkEstimate:
    each = services.store().runs.seconds_each(str(config["labeler"]))
    return estimate(rows, total, config, services.settings(), seconds_each=each)


def _name(dataset: str, labeler: str) -> str:
    return f"{dataset}, {'labels ' * (labeler == RECORDED)}{labeler_name(labeler)}"


def _text(cost: WorkEstimate, left_out: int = 0) -> str:
    parts = {
        f"{cost.rows:,} rows": True,
        f"{left_out:,} without an answer left out": left_out,
        f"{cost.to_retrieve:,} to retrieve for": cost.to_retrieve,
        f"{cost.to_answer:,} to answer": cost.to_answer,
        f"{cost.to_label:,} to label": cost.to_label,
        f"{cost.calls:,} calls, {cost.tokens_and_price}": cost.calls,
        f"about {duration(cost.seconds)}": True,
    }
    return " · ".join(part for part, there in parts.items() if there)


def _start(dataset: Dataset, name: str, seconds: float, parts: Mapping[str, Any]) -> None:
    def create() -> str:
        if collection := parts.get("collection"):
            services.collections().check(collection, parts.get("vector"))
        return services.engine().create(dataset.id, name.strip() or dataset.name, **parts)

    _begin(dataset.total, create, seconds)


def _begin(rows: int, create: Callable[[], str], seconds: float) -> None:
    """Start and open the run; the `seconds` that it is expected to take are shown until it knows better itself."""
    with show_errors():
        visitors.check_rows(rows)
        if not visitors.may_run(visitors.running()):
            return
        run_id = create()
        visitors.claim("run", run_id)
        services.engine().start(run_id)
        st.session_state.pop("new-open", None)
        st.session_state[ESTIMATE] = run_id, seconds
        st.query_params["run"] = run_id
        st.rerun()
