"""The targets on the page Trends: those that hold under the convention that is chosen."""

from streamlit.testing.v1 import AppTest


def draw(convention: str) -> None:
    import streamlit as st
    from stored_examples import followed

    from pages.components.trends.view import show_targets
    from trace_core.runs.analyse.trends import Condition

    condition = Condition("rows", "local", st.session_state.get("convention", convention))
    show_targets(followed([(0.2, 0.2, 0.9, 1)] * 8, condition), "")


def drawn(convention: str) -> AppTest:
    page = AppTest.from_function(draw, args=(convention,), default_timeout=60).run()
    assert not page.exception
    return page


def target(page: AppTest) -> float | None:
    [found] = [one for one in page.number_input if one.label == "Context utilization"]
    value: float | None = found.value
    return value


def test_only_under_trace_a_low_utilization_has_a_target_and_is_the_biggest_gap() -> None:
    page = drawn("trace")
    assert target(page) == 0.6
    assert any("Biggest gap: **context utilization**" in text.value for text in page.markdown)
    page.session_state["convention"] = "ragbench"
    page.run()
    assert not page.exception
    assert target(page) is None
    assert not any("Biggest gap" in text.value for text in page.markdown)
    assert "context utilization" not in {str(name).lower() for name in page.dataframe[0].value["Metric"]}
