"""A file of traces of each kind, through the page: read, kept, run, looked at, in a real browser.

    python bench/traces_page.py [--traces 1000]

Writes that many traces as Phoenix' spans, OpenTelemetry's GenAI spans, Langfuse's observations and MLflow's traces,
uploads each file on the page Runs, keeps it, starts a run with the local labeler, and waits for its results. Prints the
rows that were kept and the seconds until the preview, and from Start to the scores. Needs what the browser tests need.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from ask_page import open_menu, rerun, serve_app, settled, tab  # noqa: E402  # after the path is set
from browser import launch, watched  # noqa: E402
from run_page import at, url_of  # noqa: E402

from trace_core.store.store import open_store  # noqa: E402

LONG = 600_000
"""Milliseconds that a file or a run may take."""
Fields = dict[str, Any]


def said(n: int) -> tuple[str, str, str]:
    """Question, document and answer of a trace."""
    return f"How many seats has hall {n}?", f"Hall {n} has {n + 40} seats. It was built in 1911.", f"It has {n + 40}."


def phoenix(n: int) -> list[Fields]:
    """The spans of a trace as Phoenix exports them, one a line."""
    question, text, answer = said(n)
    found = {"retrieval.documents.0.document.content": text, "retrieval.documents.0.document.id": f"d{n}"}
    ends = {"input.value": question, "output.value": answer}
    kinds = (("CHAIN", ends), ("RETRIEVER", {"input.value": question, **found}))
    return [
        {
            "name": kind.lower(),
            "context": {"trace_id": f"{n:032x}", "span_id": f"{2 * n + place:016x}"},
            "parent_id": f"{2 * n:016x}" if place else None,
            "attributes": {"openinference.span.kind": kind, **attributes},
        }
        for place, (kind, attributes) in enumerate(kinds)
    ]


def genai(n: int) -> list[Fields]:
    """A trace as an OpenTelemetry Collector writes it, with the GenAI conventions, one request a line."""
    question, text, answer = said(n)
    told = [{"role": "user", "parts": [{"type": "text", "content": question}]}]
    replied = [{"role": "assistant", "parts": [{"type": "text", "content": answer}], "finish_reason": "stop"}]
    steps: list[Mapping[str, str]] = [
        {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.query.text": question,
            "gen_ai.retrieval.documents": json.dumps([{"id": f"d{n}", "score": 0.8, "content": text}]),
        },
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.input.messages": json.dumps(told),
            "gen_ai.output.messages": json.dumps(replied),
        },
    ]
    spans = [
        {
            "traceId": f"{n:032x}", "spanId": f"{2 * n + place:016x}", "name": step["gen_ai.operation.name"],
            "startTimeUnixNano": str(1_746_093_600_000_000_000 + place),
            "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in step.items()],
        }
        for place, step in enumerate(steps)
    ]  # fmt: skip
    return [{"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}]


def langfuse(n: int) -> list[Fields]:
    """A trace's observations as Langfuse exports them."""
    question, text, answer = said(n)
    both = {"traceId": f"lf-{n}", "startTime": "2025-05-01T10:00:00.000Z"}
    found = [{"id": f"d{n}", "page_content": text, "metadata": {}}]
    return [
        {**both, "id": f"c{n}", "type": "CHAIN", "name": "ask", "input": question, "output": answer,
         "parentObservationId": None},
        {**both, "id": f"r{n}", "type": "RETRIEVER", "name": "retrieve", "input": question, "output": found,
         "parentObservationId": f"c{n}"},
    ]  # fmt: skip


def mlflow(n: int) -> list[Fields]:
    """A trace as MLflow's API returns it."""
    question, text, answer = said(n)
    steps = (("CHAIN", {"question": question}, answer),
             ("RETRIEVER", {"query": question}, [{"page_content": text, "metadata": {}, "id": f"d{n}"}]))  # fmt: skip
    spans = [
        {
            "trace_id": f"{n:032x}", "span_id": f"{place:016x}", "parent_span_id": f"{0:016x}" if place else None,
            "name": kind.lower(), "start_time_unix_nano": 1_746_093_600_000_000_000 + place,
            "attributes": {"mlflow.traceRequestId": json.dumps(f"tr-{n}"), "mlflow.spanType": json.dumps(kind),
                           "mlflow.spanInputs": json.dumps(given), "mlflow.spanOutputs": json.dumps(made)},
        }
        for place, (kind, given, made) in enumerate(steps)
    ]  # fmt: skip
    return [{"info": {"trace_id": f"tr-{n}", "trace_metadata": {}, "tags": {}}, "data": {"spans": spans}}]


KINDS: Mapping[str, Callable[[int], list[Fields]]] = {
    "phoenix": phoenix, "genai": genai, "langfuse": langfuse, "mlflow": mlflow,
}  # fmt: skip


def main() -> None:
    """Write the files, take each through the page, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=1000)
    traces: int = parser.parse_args().traces
    print("| kind | rows kept | seconds to the preview | from Start to the scores |\n| --- | ---: | ---: | ---: |")
    with TemporaryDirectory() as data, serve_app(Path(data)) as url, sync_playwright() as playwright:
        browser = launch(playwright)
        page = watched(browser.new_context())
        for kind, write in KINDS.items():
            file = Path(data) / f"{kind}-traces.jsonl"
            lines = (json.dumps(one) for n in range(traces) for one in write(n))
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
            preview = kept(page, url, file)
            rows = next(d.total for d in open_store(url_of(Path(data))).datasets.list_datasets() if d.name == file.stem)
            print(f"| {kind} | {rows:,} | {preview:.1f} | {run(page, url, file.stem, rows):.1f} |", flush=True)
        browser.close()


def kept(page: Page, url: str, file: Path) -> float:
    """Upload the file and keep it as a data set; the seconds until its preview."""
    at(page, f"{url}/runs", "Runs")
    tab(page, "Data sets")
    start = time.perf_counter()
    page.locator('input[type="file"]').set_input_files(file)
    save = page.get_by_role("button", name="Save this data set")
    expect(save).to_be_visible(timeout=LONG)
    seconds = time.perf_counter() - start
    settled(page)
    with rerun(page):
        save.click()
    return seconds


def run(page: Page, url: str, dataset: str, rows: int) -> float:
    """Start a run over the data set; the seconds until its scores are drawn."""
    at(page, f"{url}/runs", "Runs")
    if not page.get_by_role("button", name="Start", exact=True).is_visible():
        page.get_by_text("New run", exact=True).click()
    open_menu(page.get_by_role("combobox", name="Data set"))
    page.get_by_role("option", name=re.compile(dataset)).first.click()
    settled(page)
    start = time.perf_counter()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**run=*", timeout=LONG)
    expect(page.get_by_text(f"{rows:,} records: {rows:,} scored")).to_be_visible(timeout=LONG)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
