"""Files that are made to run forever or to fill the memory end within their limits, and harm only their own process."""

import zipfile

import openpyxl
import pyarrow
import pytest
from pyarrow import parquet

from trace_core import process
from trace_core.datasets.packed import excel_rows, html_page, parquet_rows
from trace_core.errors import InputError
from trace_core.process import values_of

pytestmark = pytest.mark.process


@pytest.fixture
def one_second(monkeypatch):
    monkeypatch.setattr(process, "WHOLE_SECONDS", 1)
    monkeypatch.setattr(process, "SECONDS_EACH_MB", 0)


def dictionary(path, times, *, within_lists=False):
    """Rows that all refer to one text of two megabytes, which is stored once."""
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * times, pyarrow.int32()), ["x" * 2_000_000])
    if within_lists:
        column = pyarrow.ListArray.from_arrays(pyarrow.array(range(times + 1), pyarrow.int32()), column)
    parquet.write_table(pyarrow.table({"text": column}), path, compression="zstd")
    assert path.stat().st_size < 2_000
    return path


def workbook(path, rows):
    """A workbook whose only sheet is this XML of rows."""
    book = openpyxl.Workbook()
    book.active.append(["question"])
    book.save(path)
    sheet = f'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}'
    with zipfile.ZipFile(path) as whole:
        parts = {part: whole.read(part) for part in whole.namelist()}
    parts["xl/worksheets/sheet1.xml"] = f"{sheet}</sheetData></worksheet>".encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as changed:
        for part, data in parts.items():
            changed.writestr(part, data)
    return path


@pytest.mark.parametrize("within_lists", [False, True])
def test_a_text_counts_as_often_as_rows_refer_to_it(tmp_path, within_lists):
    rows = []
    path = dictionary(tmp_path / "r.parquet", 400, within_lists=within_lists)
    with pytest.raises(InputError, match="unpacks to more than 5 MB"):
        rows.extend(values_of(parquet_rows, path, "r.parquet", 5_000_000))
    assert rows[0] == 400
    assert len(rows) == 1 + 2


def test_elements_without_text_are_dropped_in_linear_time(tmp_path, monkeypatch):
    """Five megabytes, whose tails were once joined anew for each element: not done after two minutes."""
    monkeypatch.setattr(process, "SECONDS_EACH_MB", 0)
    path, times = tmp_path / "r.html", 50_000
    path.write_text("<p>" + "<noscript>no</noscript>tail <script>no</script>tail <!-- no -->tail " * times, "utf-8")
    ((page),) = values_of(html_page, path, "r.html")
    assert page == {"title": "", "text": " ".join(["tail"] * 3 * times)}


@pytest.mark.usefixtures("one_second")
def test_a_page_of_attributes_without_end_is_given_up(tmp_path):
    path = tmp_path / "r.html"
    path.write_text("<p " + " ".join(f"a{n}=1" for n in range(120_000)) + ">text", "utf-8")
    with pytest.raises(InputError, match="takes longer than 1 s to read"):
        list(values_of(html_page, path, "r.html"))


@pytest.mark.usefixtures("one_second")
def test_a_workbook_that_takes_too_long_is_given_up(tmp_path):
    path = workbook(
        tmp_path / "r.xlsx", f'<row><c t="inlineStr"><is>{"<r><t>ab</t></r>" * 1_000_000}</is></c></row>' * 2
    )
    assert path.stat().st_size < 200_000
    with pytest.raises(InputError, match="takes longer than 1 s to read"):
        list(values_of(excel_rows, path, "r.xlsx"))


def test_empty_cells_at_the_end_of_a_row_are_not_read(tmp_path):
    row = '<row><c t="inlineStr"><is><t>text</t></is></c><c r="XFD{n}"/></row>'
    path = workbook(tmp_path / "r.xlsx", "".join(row.format(n=n) for n in range(1, 101)))
    assert list(values_of(excel_rows, path, "r.xlsx")) == [["Sheet"], *[["text"]] * 100]


def test_a_process_ends_with_what_reads_it_and_leaves_its_place_to_another(tmp_path):
    path = tmp_path / "r.parquet"
    parquet.write_table(pyarrow.table({"text": ["text" * 1_000] * 10_000}), path)
    for _ in range(process.PLACES + 1):
        values = values_of(parquet_rows, path, "r.parquet")
        assert next(values) == 10_000
        values.close()


def test_where_too_many_are_read_one_more_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(process, "WHOLE_SECONDS", 0)
    monkeypatch.setattr(process, "SECONDS_EACH_MB", 0)
    path = tmp_path / "r.html"
    path.write_text("<p>text", "utf-8")
    for _ in range(process.PLACES):
        assert process.FREE.acquire(blocking=False)
    try:
        with pytest.raises(InputError, match="Other files are being read"):
            next(values_of(html_page, path, "r.html"))
    finally:
        process.FREE.release(process.PLACES)
