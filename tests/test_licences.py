"""No package enters with a licence that nobody has read."""

import sys
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import licences  # noqa: E402

ROWS = dict(
    line.strip("| ").split(" | ") for line in licences.PAGE.read_text("utf-8").splitlines() if line.startswith("| ")
)
READ = {"0BSD", "Apache", "BSD", "BSL", "CC0", "CNRI", "ISC", "LGPL", "LLVM", "MIT", "MPL", "PSF", "Zlib"}
"""Families of licences that somebody has read: every licence on the page must begin with one of these words."""


def test_every_package_is_on_the_page_under_its_licence():
    unseen = {
        said: missing
        for said, names in licences.by_licence().items()
        if (missing := set(names) - set(ROWS.get(said, "").split(", ")))
    }
    assert unseen == {}, "run `make licences`, and read what is new"


def test_every_licence_was_read():
    licences = [row for row in ROWS if row != "licence" and set(row) != {"-"}]
    words = {word.strip("()") for licence in licences for word in licence.split()}
    assert {word for word in words - {"AND", "OR", "WITH", "License", ""} if word.split("-")[0] not in READ} == set()
    assert "" not in ROWS


def test_what_asks_for_care_is_said_in_words():
    assert ROWS["LGPL-3.0-only"] == "psycopg, psycopg-binary"
    assert [said for said in ROWS if "GPL" in said] == ["LGPL-3.0-only"]


@pytest.mark.parametrize("told", ["License-Expression: GPL-3.0-only", "License: GPL-3.0-only", ""])
def test_a_new_package_or_licence_is_seen(monkeypatch, tmp_path, told):
    folder = tmp_path / "newcomer-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: newcomer\nVersion: 1.0\n{told}\n", "utf-8")
    known = {"newcomer": Distribution.at(folder)}
    (tmp_path / "some.lock").write_text("newcomer==1.0 \\\n", "utf-8")
    monkeypatch.setattr(licences, "LOCKS", (*licences.LOCKS, str(tmp_path / "some.lock")))
    monkeypatch.setattr(licences, "distribution", lambda name: known.get(name) or distribution(name))
    with pytest.raises(AssertionError, match="newcomer"):
        test_every_package_is_on_the_page_under_its_licence()
