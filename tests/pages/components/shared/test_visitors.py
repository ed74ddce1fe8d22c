"""Whose is what in the public demo, and how much of it one visitor may have."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.components.shared import services, visitors
from trace_core.demo.limits import AT_ONCE_ALL, LONGEST, ROWS
from trace_core.errors import InputError
from trace_core.settings import Settings


@pytest.fixture(autouse=True)
def _demo(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    st.cache_resource.clear()
    settings = Settings(TRACE_DEMO="1", TRACE_DATA_DIR=tmp_path, _env_file=None)
    monkeypatch.setattr(services, "settings", lambda: settings)


def make_one() -> None:
    import streamlit as st

    from pages.components.shared import visitors

    if st.button("Make one"):
        visitors.claim("run", "of a visitor")
    for name in ("of a visitor", "of the owner"):
        st.text(f"{visitors.is_visible('run', name)} {visitors.is_mine('run', name)}")


def seen_and_mine(page: AppTest) -> list[str]:
    return [text.value for text in page.run().text]


def test_a_visitors_things_are_private_and_the_owners_are_read_only() -> None:
    maker, other = (AppTest.from_function(make_one, default_timeout=60).run() for _ in range(2))
    maker.button[0].click().run()
    assert seen_and_mine(maker) == ["True True", "True False"]
    assert seen_and_mine(other) == ["False False", "True False"]


def test_a_data_set_has_at_most_so_many_rows() -> None:
    visitors.check_rows(ROWS)
    with pytest.raises(InputError, match="200 rows at once"):
        visitors.check_rows(ROWS + 1)
    assert visitors.most_rows() == ROWS + 1


@pytest.mark.parametrize(
    ("running", "may"), [([], True), ([True], False), ([False], True), ([False] * AT_ONCE_ALL, False)]
)
def test_few_runs_at_once(running: list[bool], may: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitors, "may_make", lambda: True)
    assert visitors.may_run(running) is may


@pytest.mark.parametrize(("length", "short"), [(LONGEST, True), (LONGEST + 1, False)])
def test_a_draft_is_short_enough_up_to_the_limit(length: int, short: bool) -> None:
    assert visitors.is_short(["x" * (length - 1), "y"]) is short


def test_a_file_may_unpack_to_four_times_an_upload() -> None:
    assert visitors.unpack_limit() == 4 * 5_000_000
