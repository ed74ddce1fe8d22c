"""Two runs over the demo's golden questions, before and after a change, so that no page is empty on a first visit. They
ship as run files (`python bench/demo.py`); the questions with the later answers are a data set to run."""

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZipFile

from trace_core.datasets import Item, read_dataset
from trace_core.demo import questions_file
from trace_core.errors import RunTaken
from trace_core.runs.files.importing import import_run
from trace_core.runs.files.row_records import save_rows
from trace_core.settings import Settings
from trace_core.store.store import Store

FILE = Path(__file__).parent / "runs.zip"
ANSWERS = FILE.with_name("manual_answers.jsonl")
COLLECTION = "espresso-manual"
RUNS = ("demo-before", "demo-after")
NOTE = "Comes with TRACE: the golden questions of the espresso manual. Delete it whenever you like."
DATA_SET = f"Demo: questions on the {COLLECTION}, with answers"


def load_runs_at_first_start(store: Store, settings: Settings) -> None:
    """Put runs and data set into a store without other runs, once: deleted ones stay deleted. Raises `StoreError`."""
    mark = settings.data_dir / "demo-runs-loaded"
    if mark.exists() or any(run.id not in RUNS for run in store.runs.list_runs()):
        return
    with TemporaryDirectory() as folder, ZipFile(FILE) as archive, suppress(RunTaken):  # another process is doing it
        for name in archive.namelist():
            import_run(store.runs, Path(archive.extract(name, folder)))
        save_rows(store.datasets, DATA_SET, answered_rows("after"))
        mark.touch()


def answered_rows(answers: str) -> list[Item]:
    """The golden questions with the hand-written answers of one of two generators."""
    golden = read_dataset(questions_file(COLLECTION)).items
    by_hand = map(json.loads, ANSWERS.read_text(encoding="utf-8").splitlines())
    return [
        row.model_copy(update={"response": answer[answers], "generation_model_name": answers})
        for row, answer in zip(golden, by_hand, strict=True)
    ]
