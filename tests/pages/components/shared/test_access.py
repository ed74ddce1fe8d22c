"""What visitors of the public demo made, and whose it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages.components.shared.access import Made
from trace_core.errors import StoreError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "visitors.jsonl"


def test_what_nobody_claimed_is_the_owners(path: Path) -> None:
    made = Made(path)
    assert made.is_owners("run", "r")
    assert not made.is_of("run", "r", "ada")


def test_what_was_claimed_is_that_visitors_alone(path: Path) -> None:
    made = Made(path)
    made.claim("run", "r", "ada")
    assert made.is_of("run", "r", "ada")
    assert not made.is_of("run", "r", "ben")
    assert not made.is_owners("run", "r")
    assert made.is_owners("dataset", "r")


def test_two_may_keep_the_same_rows(path: Path) -> None:
    made = Made(path)
    made.claim("dataset", "d", "ada")
    made.claim("dataset", "d", "ben")
    assert made.is_of("dataset", "d", "ada")
    assert made.is_of("dataset", "d", "ben")


@pytest.mark.parametrize(
    ("who", "exists", "taken"),
    [("ada", False, True), ("ada", True, True), ("ben", False, False), ("ben", True, False)],
)
def test_a_name_belongs_to_whoever_took_it_first(path: Path, who: str, exists: bool, taken: bool) -> None:
    made = Made(path)
    made.claim("collection", "notes", "ada")
    assert made.claim_new("collection", "notes", who, exists) is taken


def test_nobody_takes_what_is_the_owners(path: Path) -> None:
    made = Made(path)
    assert not made.claim_new("collection", "handbook", "ada", True)
    assert made.is_owners("collection", "handbook")


def test_after_a_restart_it_is_nobodys_and_not_the_owners(path: Path) -> None:
    Made(path).claim("run", "r\n\ud800", "ada")
    again = Made(path)
    assert not again.is_owners("run", "r\n\ud800")
    assert not again.is_of("run", "r\n\ud800", "ada")


def test_the_file_does_not_say_who(path: Path) -> None:
    Made(path).claim("run", "r", "ada")
    assert path.read_text("utf-8") == '["run", "r"]\n'


@pytest.mark.parametrize("text", ["{", "3", '["run"]', "[[], []]"])
def test_a_broken_file_is_said_and_nothing_is_taken_for_the_owners(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    with pytest.raises(StoreError, match="cannot be read"):
        Made(path)


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be written"):
        Made(tmp_path / "nowhere" / "visitors.jsonl").claim("run", "r", "ada")
