"""What a visit leaves in the server's memory."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[2]
VISIT = """
import gc
from streamlit.testing.v1 import AppTest
from trace_core.facts.records import Record

page = AppTest.from_file("pages/ask.py", default_timeout=120)
page.run()
for n in range(5):
    page.text_input(key="question").set_value(f"How many litres does the water tank hold, visit {n}?")
    next(button for button in page.button if button.label == "Ask").click().run()
assert not page.exception
gc.collect()
held = {thing.question[-2] for thing in gc.get_objects() if isinstance(thing, Record) and "visit" in thing.question}
print("held", *sorted(held))
"""


def test_a_visit_holds_no_record_that_it_has_left(tmp_path: Path) -> None:
    """Streamlit knows every widget of a visit for as long as it lasts: what these hold would stay, too."""
    file = tmp_path / "visit.py"
    file.write_text(VISIT.replace("pages/ask.py", str(ROOT / "pages" / "ask.py")), encoding="utf-8")
    environment = {**os.environ, "TRACE_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": str(ROOT)}
    ours = {"cwd": ROOT, "env": environment, "capture_output": True, "text": True, "timeout": 200, "check": True}
    held = subprocess.run([sys.executable, str(file)], **ours).stdout.split("held")[1].split()
    # The last two are the one that is shown and the one before; the first is held by AppTest's own media files.
    assert set(held) <= {"0", "3", "4"}
    assert "4" in held
