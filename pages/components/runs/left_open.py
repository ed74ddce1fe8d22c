"""Records without adherence because the judge left an answer sentence open: how many, which ones, ask again."""

from __future__ import annotations

import streamlit as st

from pages.components.runs.filters import Filtered
from pages.components.shared import access, language_model, services
from pages.components.shared.long_work import stoppable
from pages.components.shared.text import plain, show_error
from pages.components.shared.visitors import is_demo
from trace_core.errors import TraceError, counted
from trace_core.labeling import GptLabeler
from trace_core.llm import Llm
from trace_core.metrics.base import UNLABELED
from trace_core.runs.execute.ask_again import ask_again, judged, without_adherence
from trace_core.store.runs import Run

FILTER = f"adherence:{UNLABELED}"


def show_left_open(run: Run, shown: Filtered) -> None:
    """One sentence with a link to these records, and a button to ask again; nothing where there are none."""
    lost = without_adherence(shown.scores) & shown.mask
    n = int(lost.sum())
    for problem in st.session_state.pop("left-open-problems", []):
        st.warning(plain(problem))
    if not n:
        return
    have = "has" if n == 1 else "have"
    st.markdown(
        f"**{n:,} of {int(shown.mask.sum()):,} records** {have} no adherence: the labels say nothing of a sentence of "
        "the answer, and no other sentence fails."
    )
    with st.container(horizontal=True):
        if st.query_params.get("undefined") != FILTER:
            st.button(f"Show {n:,} without adherence", icon=":material/filter_alt:", type="tertiary", on_click=_only,
                      key="left-open-show")  # fmt: skip
        ids = shown.columns.id[lost & judged(shown.columns)].tolist()
        if ids and not run.owner and access.is_mine("run", run.id) and not is_demo():
            _offer(run, ids)


def _only() -> None:
    st.query_params["undefined"] = FILTER


def _offer(run: Run, ids: list[str]) -> None:
    """The button with its cost; the reason why there is none where no judge is available."""
    try:
        llm = language_model.llm()
    except TraceError as error:
        show_error(error)
        return
    if llm is None:
        st.caption("The judge can be asked for these sentences alone where a key is set.")
        return
    calls = counted(len(ids), "call")
    label = f"Ask again for the missing sentences: {calls} of gpt ({plain(llm.model)})"
    if st.button(label, icon=":material/replay:", key="left-open-ask"):
        _ask(run, ids, llm)


def _ask(run: Run, ids: list[str], llm: Llm) -> None:
    """Ask again and store each record as its reply comes, so that an early end loses none."""
    problems: list[str] = []
    done = 0

    def progress() -> tuple[float, str]:
        return done / len(ids), f"{done:,} of {len(ids):,} records"

    made = ask_again(services.store().runs, run.id, ids, GptLabeler(llm))
    try:
        for one in stoppable(made, progress, key="left-open-stop"):
            done += 1
            if one.still_open:
                said = one.problem or "the judge said nothing of them again."
                problems.append(f"Record {one.record_id}, sentences {', '.join(one.still_open)}: {said}")
    except TraceError as error:
        problems.append(str(error))
    st.session_state["left-open-problems"] = problems[:5]
    st.rerun()
