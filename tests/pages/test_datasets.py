"""Data sets with a judge: a mapping that it suggests, one that is remembered, and rows that lack something."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from judge_server import MODEL, Asked, completion, judge_server
from streamlit.testing.v1 import AppTest

from pages.components.shared import services
from trace_core.datasets import Item
from trace_core.runs.files.dataset import save_rows
from trace_core.settings import load
from trace_core.store.store import Store, open_store

APP = Path(__file__).parents[2] / "app.py"
HEADINGS = {"question": "Wir fragten", "documents": "Fundstelle", "response": "Der Bot"}
ANSWERED = [f"What of {n}?,It is {n} metres high.,It is {n} metres high.\n" for n in range(1, 4)]


def reply(asked: Asked):
    if "columns" in asked.material:
        return completion({"choices": [{"field": field, "column": column} for field, column in HEADINGS.items()]})
    entry = {"response_sentence_key": "a", "supporting_sentence_keys": ["0a"], "fully_supported": True}
    return completion({
        "relevance_explanation": "", "all_relevant_sentence_keys": ["0a"], "overall_supported_explanation": "",
        "overall_supported": True, "sentence_support_information": [entry | {"explanation": ""}],
        "all_utilized_sentence_keys": ["0a"],
    })  # fmt: skip


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    for name in ("demo-loaded", "demo-runs-loaded"):
        (tmp_path / name).touch()
    with judge_server(reply) as judge:
        for name, value in {"TRACE_DATA_DIR": str(tmp_path), "OPENAI_BASE_URL": judge.url, "OPENAI_API_KEY": "sk-test",
                            "TRACE_MODEL": MODEL, "TRACE_WARM_UP": "off"}.items():  # fmt: skip
            monkeypatch.setenv(name, value)
        st.cache_resource.clear()
        yield open_store(load().database)
        services.engine().close()
        services.query_log().close()
        st.cache_resource.clear()


def opened(show: str) -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=120)
    page.query_params["show"] = show
    return page.switch_page("pages/runs.py").run()


def press(page: AppTest, label: str) -> None:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception


def counts(store: Store, name: str, seconds: float = 30) -> dict[str, int]:
    """The run's counts, once no row is pending."""
    end = time.monotonic() + seconds
    while True:
        found = next(run.counts for run in store.runs.list_runs() if run.name == name)
        if not found["pending"] or time.monotonic() > end:
            return found
        time.sleep(0.1)


def table(page: AppTest) -> dict[str, list[str]]:
    return page.table[0].value.to_dict("list")


def test_what_the_judge_suggests_is_a_scored_run_in_four_clicks_and_remembered(store: Store) -> None:
    page = opened("Data sets")
    head = f"{','.join(HEADINGS.values())}\n"
    page.file_uploader[0].upload("first.csv", (head + "".join(ANSWERED)).encode(), "text/csv").run()  # 1
    press(page, "Suggest")  # 2
    assert table(page) == {"Field": ["question", "documents", "answer"], "Column": list(HEADINGS.values())}
    assert "Score these rows" not in [button.label for button in page.button]  # shown, not applied
    press(page, "Use this mapping")  # 3
    assert table(page)["Coverage"] == ["3 of 3 rows"] * 3
    press(page, "Score these rows")  # 4
    assert counts(store, "first, GPT")["scored"] == 3

    page = opened("Data sets")
    rows = [*ANSWERED, ANSWERED[0], "And of 4?,,It is 4 metres high.\n"]
    page.file_uploader[0].upload("second.csv", (head + "".join(rows)).encode(), "text/csv").run()
    assert any("as in the last file with the same headings" in caption.value for caption in page.caption)
    assert [(radio.options, radio.index) for radio in page.radio] == [
        (["Leave out 1 row without documents", "Keep them: a run retrieves documents from a collection"], 0),
        (["Leave out 1 row repeating another word for word", "Keep every row"], 0),
    ]
    page.radio[1].set_value("Keep every row").run()
    press(page, "Save this data set")
    assert {one.name: one.total for one in store.datasets.list_datasets()} == {"first": 3, "second": 4}


def test_a_saved_data_set_of_mixed_rows_can_be_run_without_a_collection(store: Store) -> None:
    rows = [Item(question="One?"), Item(question="How high?", documents=["It is 2 m."], response="It is 2 m.")]
    save_rows(store.datasets, "mixed", rows)
    page = opened("Runs")
    assert any(c.value == "1 row without documents: left out unless you choose a collection." for c in page.caption)
    press(page, "Start")
    assert counts(store, "mixed, GPT")["scored"] == counts(store, "mixed, GPT")["total"] == 1
    assert {one.name: one.total for one in store.datasets.list_datasets()} == {
        "mixed": 2, "mixed, rows with documents": 1,
    }  # fmt: skip
