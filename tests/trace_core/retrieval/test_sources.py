from pathlib import Path
from time import process_time

import pytest

from trace_core.errors import InputError
from trace_core.retrieval.sources import Source, find_files, from_text


def test_a_heading_is_the_title():
    assert from_text("f.md", "# Only a title #\nBody.") == Source("f.md", "Body.", "Only a title")


def test_without_a_heading_the_file_name_is():
    assert from_text("docs/pump.md", "Body.") == Source("docs/pump.md", "Body.", "pump")
    assert from_text("v1.2", "Body.").title == "v1.2"


def test_headings_of_a_markdown_file_name_its_sections_and_are_no_part_of_its_text():
    text = "# Pump\nAbout it.\n\n## Errors\n### E07\nIt is blocked.\n\n## Care ##\nOil it.\n"
    source = from_text("pump.md", text)
    assert source.title == "Pump"
    assert [(source.text[at:].split("\n")[0], name) for at, name in source.sections] == [
        ("It is blocked.", "Errors › E07"),
        ("Oil it.", "Care"),
    ]
    assert "#" not in source.text


def test_what_looks_like_a_heading_in_code_or_in_a_plain_text_is_none():
    code = "Run it:\n```\n# a comment\nls\n```"
    assert from_text("run.md", code) == Source("run.md", code, "run")
    assert from_text("run.txt", "One.\n# Two\nThree.").sections == ()


def test_a_text_of_nothing_but_a_heading_is_its_own_text():
    assert from_text("f", "# Only this\n") == Source("f", "# Only this", "f")


# Files


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    for name in ("a.txt", "sub/a.txt", "sub/B.PDF", "picture.png"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"Text.")
    return folder


def test_files_of_a_folder_are_named_from_the_folder_on(folder):
    assert [file.name for file in find_files([folder])] == ["docs/a.txt", "docs/sub/B.PDF", "docs/sub/a.txt"]


def test_the_folder_that_one_is_in_has_a_name_too(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert find_files([Path(".")])[0].name == "docs/a.txt"


def test_a_file_alone_has_its_own_name(folder):
    (file,) = find_files([folder / "sub" / "a.txt"])
    assert (file.name, file.place, file.size, file.suffix) == ("a.txt", str(folder / "sub" / "a.txt"), 5, ".txt")
    with file.open() as stream:
        assert stream.read() == b"Text."


def test_a_file_that_is_named_twice_is_one(folder):
    assert len(find_files([folder, folder / "a.txt", folder])) == 3


def test_two_files_of_one_name_do_not_replace_each_other(folder):
    with pytest.raises(InputError, match=r"has the name 'a\.txt' too"):
        find_files([folder / "a.txt", folder / "sub" / "a.txt"])


def test_a_link_that_leads_out_of_the_folder_is_left_out_and_named(folder, tmp_path):
    (tmp_path / "secret.txt").write_text("root:x:0:0", encoding="utf-8")
    (folder / "out.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "sub" / "in.txt").symlink_to(folder / "a.txt")
    skipped = []
    assert [file.name for file in find_files([folder], skipped)] == ["docs/a.txt", "docs/sub/B.PDF", "docs/sub/a.txt"]
    assert f"{folder}/out.txt: It is a link that leads out of the folder." in map(str, skipped)


def test_files_of_other_kinds_in_a_folder_are_counted_by_kind(folder):
    (folder / "sub" / "other.PNG").write_bytes(b"Text.")
    (folder / "README").write_bytes(b"Text.")
    (folder / ".hidden").write_bytes(b"Text.")
    skipped = []
    find_files([folder], skipped)
    assert [error.message for error in skipped] == [
        "Files of this kind (no suffix) are not read: 1 file in the folder.",
        "Files of this kind (.png) are not read: 2 files in the folder.",
    ]


def test_a_heading_before_many_spaces_is_read_in_a_moment():
    start = process_time()
    assert from_text("a.md", "# a" + " " * 100_000).text == "# a"
    assert from_text("a.md", "# a" + " " * 100_000 + "b\nBody.").title == "a" + " " * 100_000 + "b"
    assert process_time() - start < 1


def test_a_path_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        find_files([tmp_path / "no.txt"])


def test_a_file_of_another_kind_is_an_error(folder):
    with pytest.raises(InputError, match="kind"):
        find_files([folder / "picture.png"])
