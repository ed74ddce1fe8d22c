"""Records without adherence because the judge left an answer sentence open: how many, which ones, ask again."""

from __future__ import annotations

import streamlit as st

from pages.components.runs.filters import Filtered, narrow
from pages.components.shared import access, language_model, services
from pages.components.shared.long_work import work_through
from pages.components.shared.text import plain
from pages.components.shared.visitors import is_demo
from trace_core.errors import counted
from trace_core.labeling import GptLabeler
from trace_core.llm import Llm
from trace_core.metrics.base import UNLABELED
from trace_core.runs.execute.ask_again import ask_again, judged, without_adherence
from trace_core.runs.progress import Meter
from trace_core.store.runs import Run

FILTER = f"adherence:{UNLABELED}"
PROBLEMS = "left-open-problems"
MOST_PROBLEMS = 5


def show_left_open(run: Run, shown: Filtered) -> None:
    """One sentence with a link to these records, and a button to ask again; nothing where there are none."""
    lost = without_adherence(shown.scores) & shown.mask
    for problem in st.session_state.pop(PROBLEMS, [])[:MOST_PROBLEMS]:
        st.warning(plain(problem))
    if not (n := int(lost.sum())):
        return
    st.markdown(
        f"**{n:,} of {int(shown.mask.sum()):,} records** {'has' if n == 1 else 'have'} no adherence: the labels say "
        "nothing of a sentence of the answer, and no other sentence fails."
    )
    with st.container(horizontal=True):
        if st.query_params.get("undefined") != FILTER:
            st.button(f"Show {n:,} without adherence", icon=":material/filter_alt:", type="tertiary", on_click=narrow,
                      kwargs={"undefined": FILTER}, key="left-open-show")  # fmt: skip
        ids = shown.columns.id[lost & judged(shown.columns)].tolist()
        if not ids or run.owner or not access.is_mine("run", run.id) or is_demo():
            return
        if llm := language_model.llm():
            label = f"Ask again for the missing sentences: {counted(len(ids), 'call')} of gpt ({plain(llm.model)})"
            if st.button(label, icon=":material/replay:", key="left-open-ask"):
                _ask(run, ids, llm)
        else:
            st.caption("The judge can be asked for these sentences alone where a key is set.")


def _ask(run: Run, ids: list[str], llm: Llm) -> None:
    """Ask again and store each record as its reply comes, so that an early end loses none."""
    meter = Meter(run.id, len(ids), 0, 0, len(ids))
    problems = st.session_state[PROBLEMS] = []

    def keep(problem: str) -> None:
        meter.saved(1, new=1, failed=0)
        if problem:
            problems.append(problem)

    asked = ask_again(services.store().runs, run.id, ids, GptLabeler(llm))
    if work_through(asked, keep, meter, "records", key="left-open-stop"):
        st.rerun()
