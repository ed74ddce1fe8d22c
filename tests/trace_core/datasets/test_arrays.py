"""A `.json` file that is a list is read element by element."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trace_core.datasets.arrays import array_rows
from trace_core.datasets.dataset import read_dataset
from trace_core.errors import InputError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def elements(folder: Path, text: str | bytes, chunk: int = 4) -> list[Any]:
    file = folder / "rows.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    found = list(array_rows(file, "rows.json", chunk))
    assert [number for number, _ in found] == list(range(1, len(found) + 1))
    return [str(value) if isinstance(value, InputError) else value for _, value in found]


@given(rows=st.lists(VALUES, max_size=5), chunk=st.integers(1, 40), indent=st.sampled_from([None, 2]))
def test_any_list_is_read_as_json_reads_it(
    rows: list[Any], chunk: int, indent: int | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = json.dumps(rows, indent=indent, ensure_ascii=True)
    assert elements(tmp_path_factory.mktemp("list"), text, chunk) == rows


def test_numbers_that_are_cut_by_a_chunk_stay_whole(tmp_path: Path) -> None:
    assert elements(tmp_path, "[1234567, -0.5e3]", chunk=3) == [1234567, -500.0]


def test_a_byte_order_mark_and_blank_lines_are_passed_over(tmp_path: Path) -> None:
    assert elements(tmp_path, b'\xef\xbb\xbf\n [ {"a": 1}\r\n,\t{"a": NaN} ]\n\n') == [{"a": 1}, {"a": None}]


def test_rows_before_the_place_where_the_file_breaks_off_are_kept(tmp_path: Path) -> None:
    good, error = elements(tmp_path, '[{"a": 1}, {"a": 2')
    assert good == {"a": 1}
    assert error.startswith("rows.json, row 2: This is not JSON")
    assert "The rows before it were read" in error


def test_a_list_without_an_end_is_named_after_its_last_row(tmp_path: Path) -> None:
    good, error = elements(tmp_path, '[{"a": 1}')
    assert good == {"a": 1}
    assert error.startswith("rows.json, row 2: The file ends inside the list.")


def test_a_missing_comma_ends_the_reading(tmp_path: Path) -> None:
    (error,) = elements(tmp_path, '[{"a": 1} {"a": 2}]')
    assert error.startswith("rows.json, row 1: This is not JSON (a comma was expected, not '{').")


def test_what_follows_the_list_is_named(tmp_path: Path) -> None:
    good, error = elements(tmp_path, '[{"a": 1}] [{"a": 2}]')
    assert good == {"a": 1}
    assert error.startswith("rows.json, row 2: Something follows the list.")


def test_a_row_whose_bytes_are_no_text_is_left_out_alone(tmp_path: Path) -> None:
    found = elements(tmp_path, b'[{"a": "\xc3\xa9"}, {"a": "\xff"}, {"a": "b"}]')
    assert found[0] == {"a": "é"}
    assert found[1].startswith("rows.json, row 2: This is not UTF-8 text.")
    assert found[2] == {"a": "b"}


def test_nesting_without_end_is_an_error_of_its_row(tmp_path: Path) -> None:
    assert elements(tmp_path, '[{"a": 1}, ' + "[" * 100_000)[1].startswith("rows.json, row 2: This is not JSON")


def test_a_long_file_needs_the_memory_of_a_row(tmp_path: Path) -> None:
    file = tmp_path / "long.json"
    row = json.dumps({"question": "Why?", "documents": ["It rained. " * 40], "response": "Because of the rain."})
    file.write_text("[" + ",\n".join([row] * 20_000) + "]", encoding="utf-8")
    tracemalloc.start()
    try:
        assert sum(1 for _ in array_rows(file, "long.json")) == 20_000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < file.stat().st_size / 4


def test_a_data_set_keeps_the_rows_before_a_break(tmp_path: Path) -> None:
    file = tmp_path / "broken.json"
    rows = [{"question": f"Why {i}?", "documents": ["It rained."], "response": "Rain."} for i in range(3)]
    file.write_text(json.dumps(rows)[:-12], encoding="utf-8")
    found = read_dataset(file, name="broken.json")
    assert [item.question for item in found.items] == ["Why 0?", "Why 1?"]
    assert [error.row for error in found.errors] == [3]
