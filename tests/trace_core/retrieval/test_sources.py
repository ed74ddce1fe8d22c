"""Files as documents: each kind as it should be read, and the reason where it cannot be."""

import io
import json

import pypdf
import pytest
from fpdf import FPDF

from trace_core.errors import InputError
from trace_core.retrieval import sources
from trace_core.retrieval.sources import File, Source, find_files, from_text, read_file


def file(name, content):
    data = content.encode() if isinstance(content, str) else content
    return File(name, f"there/{name}", data)


def read(name, content):
    return list(read_file(file(name, content)))


def refused(name, content):
    (error,) = read(name, content)
    assert isinstance(error, InputError)
    assert error.file == f"there/{name}"
    return error


@pytest.mark.parametrize("name", ["a.txt", "a.text", "a.md", "a.MARKDOWN"])
def test_text_and_markdown_are_one_document(name):
    assert read(name, "\ufeff# Tank\nIt holds 2 litres.") == [Source(name, "It holds 2 litres.", "Tank")]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_utf_16_is_read_too(encoding):
    assert read("a.txt", "It holds 2 l, günstig.".encode(encoding))[0].text == "It holds 2 l, günstig."
    assert read("a.csv", "id,text\n7,Öl\n".encode(encoding))[0].text == "Öl"
    assert read("a.jsonl", '{"text": "Öl"}\n{"text": "水"}\n'.encode(encoding))[1].text == "水"


def test_a_file_that_cannot_be_opened_is_named(tmp_path):
    (error,) = read_file(File("a.txt", "there/a.txt", tmp_path / "a.txt"))
    assert "cannot be read (No such file or directory)" in str(error)


PAGE = """<!doctype html><html><head><title>The  tank</title><style>p {color: red}</style>
<script>alert("script")</script></head><body><h1>Water</h1><p>It holds <b>two</b> litres.&nbsp;Fill it &amp; go.</p>
<!-- comment --><ul><li>One<li>Two</ul><noscript>Turn it on.</noscript><template>Later.</template>
<script>more()</script></body></html>"""


def test_html_is_read_as_its_text():
    (source,) = read("a.html", PAGE)
    assert source.title == "The tank"
    assert source.text == "Water\n\nIt holds two litres. Fill it & go.\n\nOne\nTwo"


def pdf(*pages):
    made = FPDF()
    made.set_font("helvetica", size=12)
    for text in pages:
        made.add_page()
        if text:
            made.multi_cell(0, 8, text)
    return bytes(made.output())


def changed(data, change):
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def encrypted(data, user):
    return changed(data, lambda writer: writer.encrypt(user, owner_password="owner", algorithm="RC4-128"))


def test_pages_are_one_document_and_a_pdf_that_only_forbids_changes_is_read():
    (source,) = read("docs/pump.pdf", encrypted(pdf("The pump runs.", "", "It stops."), ""))
    assert source == Source("docs/pump.pdf", "The pump runs.\n\nIt stops.", "pump")


LATIN = "text\nDas Café ist geöffnet, bitte läuten.".encode("latin-1")


@pytest.mark.parametrize(
    ("names", "content", "why"),
    [
        ("a.txt a.csv a.jsonl a.html a.pdf", b"", "The file is empty."),
        ("a.txt a.html", b"\x7fELF\x00\x01\x02\n" * 100, "This is a binary file, not text."),
        ("a.txt a.html a.csv", LATIN, "This is neither UTF-8 nor UTF-16 text. Save it as UTF-8."),
        ("a.pdf", encrypted(pdf("A."), "secret"), "The PDF is encrypted. Save it without a password."),
        ("a.pdf", pdf("", ""), "It has no text. A PDF may be a scan"),
        ("a.pdf", b"hello", "The file is broken: it cannot be read as PDF"),
        ("a.pdf", pdf("The pump runs.")[:400], "The file is broken: it cannot be read as PDF"),
    ],
)
def test_what_cannot_be_read_is_named_with_the_reason(names, content, why, capfd):
    assert [why in str(refused(name, content)) for name in names.split()] == [True] * len(names.split())
    assert capfd.readouterr().err == ""


def test_a_page_that_cannot_be_read_is_named_and_the_others_are_read():
    def spoil(writer):
        unknown = pypdf.generic.DecodedStreamObject()
        unknown.set_data(b"BT ET")
        unknown[pypdf.generic.NameObject("/Filter")] = pypdf.generic.NameObject("/Unknown")
        writer.pages[1][pypdf.generic.NameObject("/Contents")] = writer._add_object(unknown)

    error, source = read("a.pdf", changed(pdf("The pump runs.", "Lost.", "It stops."), spoil))
    assert "Page 2 cannot be read" in str(error)
    assert source.text == "The pump runs.\n\nIt stops."


def lines(*rows):
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows)


def test_rows_bring_their_text_title_id_and_payload():
    rows = lines({"id": 7, "page_content": " Text. ", "title": "T", "year": 2024})
    assert read("rows.jsonl", rows) == [Source("7", "Text.", "T", {"year": 2024}, file="rows.jsonl")]


@pytest.mark.parametrize(
    ("line", "field"),
    [("{", ""), ("[1]", ""), ('{"title": "T"}', "text"), ('{"content": 3}', "content"), ('{"text": " "}', "text")],
)
def test_a_bad_row_is_named_with_file_row_and_field_and_the_rest_goes_on(line, field):
    one, bad, three = read("rows.jsonl", lines({"text": "One."}, line, {"text": "Three."}))
    assert (one.text, three.text) == ("One.", "Three.")
    assert isinstance(bad, InputError)
    assert (bad.file, bad.row, bad.field) == ("there/rows.jsonl", 2, field)


@pytest.mark.parametrize(("name", "comma"), [("a.csv", ";"), ("a.tsv", "\t")])
def test_a_table_is_a_document_a_row_whatever_separates_its_cells(name, comma):
    head = comma.join(("id", "title", "text", "year"))
    table = f'{head}\r\n7{comma}Tank{comma}"It holds{comma}\nsay, two ""l""."{comma}007\r\n'
    assert read(name, table) == [Source("7", f'It holds{comma}\nsay, two "l".', "Tank", {"year": "007"}, file=name)]


def test_bad_rows_of_a_table_are_named():
    one, empty, many, five = read("a.csv", "text,year\nOne.,1\n,2\na,b,c\nFive.,5\n")
    assert (one.text, five.text) == ("One.", "Five.")
    assert (empty.row, empty.field) == (2, "text")
    assert "row 3: 3 cells where the header has 2 columns." in str(many)


@pytest.mark.parametrize(("name", "row"), [("a.txt", None), ("a.html", None), ("a.csv", 1)])
def test_a_document_that_is_too_long_is_named(name, row, monkeypatch):
    monkeypatch.setattr(sources, "LONGEST", 1000)
    error = refused(name, "text\n" + "word " * 201)
    assert ("Split it." in str(error), error.row) == (True, row)
    assert len(read(name, "text\n" + "word " * 198)) == 1


def test_headings_of_a_markdown_file_name_its_sections_and_are_no_part_of_its_text():
    text = "# Pump #\nAbout it.\n\n## Errors\n### E07\nIt is blocked.\n\n## Care ##\nOil it.\n"
    source = from_text("pump.md", text)
    assert source.title == "Pump"
    sections = [(source.text[at:].split("\n")[0], name) for at, name in source.sections]
    assert sections == [("It is blocked.", "Errors › E07"), ("Oil it.", "Care")]
    assert "#" not in source.text


def test_what_looks_like_a_heading_in_code_or_in_a_plain_text_is_none():
    code = "Run it:\n```\n# a comment\nls\n```"
    assert from_text("run.md", code) == Source("run.md", code, "run")
    assert from_text("run.txt", "One.\n# Two\nThree.").sections == ()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "docs"
    for name in ("a.txt", "sub/a.txt", "sub/B.PDF", "picture.png"):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"Text.")
    return folder


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


@pytest.mark.parametrize(("name", "said"), [("no.txt", "no such file"), ("picture.png", "kind")])
def test_a_path_that_cannot_be_read_is_an_error(folder, name, said):
    with pytest.raises(InputError, match=said):
        find_files([folder / name])
