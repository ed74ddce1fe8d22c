"""POST /trace on a page: the six tests in words, and a form that sends a query from the browser."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.components.shared.text import plain
from trace_core.endpoint import TESTS
from trace_core.endpoint.examples import OBJECTS

_HERE = Path(__file__).parent
_component = st.components.v2.component(
    "trace_form",
    css=(_HERE / "trace_form.css").read_text(encoding="utf-8"),
    js=(_HERE / "trace_form.js").read_text(encoding="utf-8"),
)


def show_trace_form(*, needs_key: bool) -> None:
    """Draw the form; `needs_key` adds a field for the API key that this server requires."""
    st.caption(
        "One request with one string, JSON or text with labels, evaluates an answer that any system gave. "
        "The description: [/trace/schema](/trace/schema), [/trace/openapi.json](/trace/openapi.json)."
    )
    examples = [{"title": title, "payload": payload} for title, payload in OBJECTS]
    _component(key="trace-form", data={"tests": list(TESTS), "examples": examples, "needs_key": needs_key})
    with st.expander("The six tests"):
        for test in TESTS.values():
            st.markdown(f"**{plain(test.name)}** {plain(test.question)} {plain(test.definition)}")
            judged = f" With a judge: {test.judged}" if test.judged else ""
            needs = ", ".join(test.needs)
            st.caption(plain(f"Needs {needs}. {test.range}. Cost: {test.cost}.{judged}"))
