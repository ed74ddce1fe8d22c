"""Protocols of tests whose questions are headings, verdicts in checkboxes, and questions grouped by passage."""

import json
from contextlib import suppress

import pytest

from trace_core.datasets import read_dataset
from trace_core.errors import InputError

ASKED, OTHER = "May dogs come along to the beach?", "Who rents out deck chairs?"
A, B, C = "Dogs are allowed on the north beach.", "They stay on a lead.", "Deck chairs are rented out at the kiosk."
SAID, SAID_TOO = "On the north beach, yes.", "The town hall does."
RIGHT, RIGHT_TOO = "Yes, on the north beach.", "The kiosk."
WHOLE = [(ASKED, [A, B], SAID, RIGHT), (OTHER, [C], SAID_TOO, RIGHT_TOO)]


def read(tmp_path, text, suffix=".md"):
    path = tmp_path / f"rows{suffix}"
    path.write_text(text, encoding="utf-8")
    return read_dataset(path, name=path.name)


def parts(found):
    return [(row.question, row.documents, row.response, row.reference_answer) for row in found.items]


def refusal(tmp_path, text, suffix=".md"):
    """What is said of a file without a row that can be read."""
    try:
        found = read(tmp_path, text, suffix)
    except InputError as error:
        return str(error)
    assert not found.items
    return " ".join(map(str, found.errors))


def headed(first, second, labels=("Retrieved passages", "Answer of the bot", "Expected answer"), level=2, below="###"):
    """A protocol of two questions under these headings."""
    lists = (f"1. {A}\n2. {B}", f"1. {C}")
    rows = zip((first, second), lists, (SAID, SAID_TOO), (RIGHT, RIGHT_TOO), strict=True)
    return "# Protocol\n\nTester: Ann\n\n" + "\n".join(
        f"{'#' * level} {question}\n\n"
        + "\n".join(f"{below} {label}\n\n{text}\n" for label, text in zip(labels, texts, strict=True))
        for question, *texts in rows
    )


GERMAN = ("Gefundene Textstellen", "Antwort des Bots", "Erwartete Antwort")
HEADED = {
    "bare": headed(ASKED, OTHER),
    "numbered": headed(f"1. {ASKED}", f"2. {OTHER}"),
    "in brackets": headed(f"1) {ASKED}", f"2) {OTHER}"),
    "numbers of two levels": headed(f"2.1 {ASKED}", f"2.2 {OTHER}"),
    "a word with a number": headed(f"TC-01: {ASKED}", f"TC-02: {OTHER}"),
    "bold": headed(f"**{ASKED}**", f"**{OTHER}**"),
    "closed": headed(f"{ASKED} ##", f"{OTHER} ##"),
    "German": headed(f"1. {ASKED}", f"2. {OTHER}", GERMAN),
    "deeper": headed(ASKED, OTHER, level=3, below="####"),
    "two levels below": headed(ASKED, OTHER, below="####"),
    "bold labels": headed(ASKED, OTHER, tuple(f"**{label}**" for label in GERMAN), below=""),
    "Windows": headed(ASKED, OTHER).replace("\n", "\r\n"),
    "a summary": headed(ASKED, OTHER) + "\n## Summary\n\nOne of two answers is right.\n",
    "a part between": headed(ASKED, OTHER).replace(f"## {OTHER}", f"## Second round\n\nOn Friday.\n\n## {OTHER}"),
    "verdicts": headed(
        ASKED,
        OTHER,
    ).replace(RIGHT_TOO, f"{RIGHT_TOO}\n\n### Verdict\n\nfailed").replace(RIGHT, f"{RIGHT}\n\n### Verdict\n\npassed"),
}  # fmt: skip


@pytest.mark.parametrize("text", HEADED.values(), ids=HEADED)
def test_headings_that_ask_are_questions(tmp_path, text):
    found = read(tmp_path, text)
    assert parts(found) == WHOLE
    assert not found.errors


def test_a_number_that_only_one_heading_has_is_part_of_the_question(tmp_path):
    asked = "Phase 2: when does it begin?"
    assert [row.question for row in read(tmp_path, headed(asked, OTHER)).items] == [asked, OTHER]


def test_a_heading_beside_the_labels_is_one_of_them(tmp_path):
    found = read(tmp_path, headed(ASKED, OTHER).replace(f"{SAID}\n", f"{SAID}\n\n### Remark\n\nToo short.\n"))
    assert parts(found) == WHOLE
    assert found.sample[0]["Remark"] == "Too short."


def test_a_section_with_the_same_parts_is_asked_without_a_mark(tmp_path):
    text = headed(ASKED, OTHER) + f"\n## Tell me the price.\n\n### Answer of the bot\n\n{SAID}\n"
    assert parts(read(tmp_path, text)) == [*WHOLE, ("Tell me the price.", None, SAID, None)]


def test_a_text_below_a_heading_that_asks_has_no_label(tmp_path):
    found = read(tmp_path, headed(ASKED, OTHER) + "\n## Is it free?\n\nNot tested on that day.\n")
    assert parts(found) == WHOLE
    assert [error.row for error in found.errors] == [3]
    assert "has no label of its own" in str(found.errors[0])


PAGES = {
    "an FAQ": f"# FAQ\n\n## {ASKED}\n\n{A}\n\n## {OTHER}\n\n{C}\n",
    "an FAQ with sources": f"# FAQ\n\n## {ASKED}\n\n{A}\n\n### Sources\n\nThe rules.\n\n"
    f"## {OTHER}\n\n{C}\n\n### Sources\n\nThe list of prices.\n",
    "an FAQ with parts of other names": f"## {ASKED}\n\n### In short\n\n{A}\n\n## {OTHER}\n\n### In short\n\n{C}\n",
    "one question": headed(ASKED, OTHER).split(f"## {OTHER}")[0],
    "titles": headed("Dogs", "Deck chairs"),
    "a title with the same parts": headed(ASKED, OTHER)
    + f"\n## The price\n\nOn Friday.\n\n**Passages:** {A}\n\n**Answer:** {SAID}\n",
    "questions of two levels": headed(ASKED, OTHER).replace(f"## {OTHER}", f"# {OTHER}"),
}


@pytest.mark.parametrize("suffix", [".md", ".txt"])
@pytest.mark.parametrize("text", PAGES.values(), ids=PAGES)
def test_other_pages_with_headings_that_ask_are_refused(tmp_path, text, suffix):
    assert refusal(tmp_path, text, suffix)


def checked(one="- [x]  correct", other="- [ ]  correct", question="Question", right="Reference answer"):
    """Two rows, each with lines after its last label."""
    return (
        f"# Export\n\n### Q-01\n\n**{question}:** {ASKED}\n\n**Passages:**\n\n> {A}\n\n> {B}\n\n**Bot:** {SAID}\n\n"
        f"**{right}:** {RIGHT}\n\n{one}\n\n---\n\n### Q-02\n\n**{question}:** {OTHER}\n\n**Passages:**\n\n> {C}\n\n"
        f"**Bot:** {SAID_TOO}\n\n**{right}:** {RIGHT_TOO}\n\n{other}\n\n---\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        checked(),
        checked("* [X] richtig", "* [ ] richtig", "Frage", "Erwartete Antwort"),
        checked("- [x] correct\n- [ ] complete", "- [ ] correct\n- [x] complete"),
        checked("☑ ok", "☐ ok"),
        checked("✅ correcto", "❌ incorrecto"),
        checked().replace(f"{RIGHT}\n\n", f"{RIGHT}\n").replace(f"{RIGHT_TOO}\n\n", f"{RIGHT_TOO}\n"),
        checked().replace("\n", "\r\n"),
    ],
)
def test_a_checkbox_after_each_row_is_a_verdict(tmp_path, text):
    found = read(tmp_path, text)
    assert parts(found) == WHOLE
    assert not found.errors


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("- [x] names the beach", "- [ ] names the kiosk"),  # parts of the right answers
        ("- [x] correct\n\nBut too long.", "- [ ] correct\n\nThe bot made it up."),
        ("Ann: correct", "Tom: wrong"),
        ("- correct", "- correct"),
        ("✅ On the north beach.", "❌ The town hall does."),
        ("✅ correct", "The rest is missing."),
    ],
)
def test_other_texts_after_a_row_have_no_label(tmp_path, one, other):
    assert "has no label of its own" in refusal(tmp_path, checked(one, other))


@pytest.mark.parametrize(
    ("quoted", "documents"),
    [
        (f"> {A}\n> {B}\n\n> {C}", [f"{A}\n{B}", C]),
        (f"> 1. {A}\n\n> 2. {B}", [A, B]),
        (f"> {A} and more\n\n> {B}", [f"{A} and more", B]),
        (f"> {A}\n>\n> {B}", [A, B]),
        (f"> {A}\nand {B}", [f"> {A}\nand {B}"]),
    ],
)
def test_each_quote_is_a_passage(tmp_path, quoted, documents):
    text = checked().replace(f"> {A}\n\n> {B}", quoted).replace("Passages", "Chunk")
    text = text.replace("Chunk", "Passages") if ">\n" in quoted else text
    assert read(tmp_path, text).items[0].documents == documents


def test_a_checkbox_that_is_all_of_a_label_is_its_text(tmp_path):
    found = read(tmp_path, checked("**Grade:**\n\n- [x] correct", "**Grade:**\n\n- [ ] correct"))
    assert parts(found) == WHOLE
    assert found.sample[0]["Grade"] == "- [x] correct"


PASSAGES = {
    "match_1": {
        "passage": f"{A} {B}",
        "qa_pairs": [
            {"question": ASKED, "answer": {"number": "2", "date": {"day": "", "month": "", "year": ""}, "spans": []}},
            {"question": OTHER, "answer": {"number": "", "date": {}, "spans": ["the kiosk", "the town"]}},
        ],
    },
    "match_2": {
        "passage": C,
        "qa_pairs": [
            {
                "question": "When?",
                "answer": {"number": "", "date": {"day": "4", "month": "May", "year": "1911"}, "spans": []},
            },
            {"question": "Why?", "answer": {"number": "", "date": {"day": "", "month": "", "year": ""}, "spans": []}},
        ],
    },
}


def test_questions_below_each_passage_are_rows(tmp_path):
    found = read(tmp_path, json.dumps(PASSAGES), ".json")
    assert parts(found) == [
        (ASKED, [f"{A} {B}"], None, "2"),
        (OTHER, [f"{A} {B}"], None, ["the kiosk", "the town"]),
        ("When?", [C], None, "4 May 1911"),
        ("Why?", [C], None, None),
    ]
    assert not found.errors


def test_an_object_of_other_things_is_no_passage_with_questions(tmp_path):
    other = {**PASSAGES, "about": {"version": 2}}
    assert refusal(tmp_path, json.dumps(other), ".json")
    assert refusal(tmp_path, json.dumps({"a": {"passage": A, "qa_pairs": [{"note": "none"}]}}), ".json")


@pytest.mark.parametrize(
    "text",
    [
        f"## {'a' * 1_000_000}?\n\n### Answer\n\nb\n" * 2,
        f"{'#' * 1_000_000} a?\n" * 2,
        f"## {'1.' * 400_000} a?\n\n### Answer\n\nb\n" * 2,
        headed(ASKED, OTHER).replace(ASKED, "\x00\x0b\x1f\u2028 a?"),
        checked(f"✅ {'a ' * 500_000}", f"✅ {'a' * 1_000_000}"),
        checked("- [x] \x00", "- [x] \x00"),
        checked(f"- [{' ' * 1_000_000}] a", f"-{' ' * 1_000_000}[x] a"),
    ],
)
def test_hostile_texts_are_read_or_refused(tmp_path, text):
    with suppress(InputError):
        read(tmp_path, text)


def test_a_row_that_is_not_utf_8_is_an_error(tmp_path):
    path = tmp_path / "rows.md"
    path.write_bytes(headed(ASKED, OTHER).replace("dogs", "d\udcffgs").encode("utf-8", "surrogateescape"))
    try:
        found = read_dataset(path, name="rows.md")
    except InputError:
        return
    assert [error.row for error in found.errors] in ([1], [])
