"""What visitors of the public demo made, as the data folder keeps it."""

from pathlib import Path

import pytest

from pages.components.shared.visitors import VisitorItems
from trace_core.errors import StoreError


def test_an_item_is_added_once_survives_a_restart_and_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "visitors.jsonl"
    made = VisitorItems(path)
    assert ("run", "r\n\ud800") not in made
    assert made.add(("run", "r\n\ud800"))
    assert not made.add(("run", "r\n\ud800"))
    again = VisitorItems(path)
    assert ("run", "r\n\ud800") in again
    assert ("dataset", "r\n\ud800") not in again
    assert path.read_text("utf-8") == '["run", "r\\n\\ud800"]\n'


@pytest.mark.parametrize("text", ["{", "3", '["run"]', "[[], []]"])
def test_a_broken_file_is_an_error_and_nothing_is_taken_for_the_owners(tmp_path: Path, text: str) -> None:
    (tmp_path / "visitors.jsonl").write_text(text, "utf-8")
    with pytest.raises(StoreError, match="cannot be read"):
        VisitorItems(tmp_path / "visitors.jsonl")


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        VisitorItems(tmp_path / "nowhere" / "visitors.jsonl").add(("run", "r"))
