"""Transcripts of conversations: a row for each question; what nobody known says is refused."""

import pytest

from trace_core.datasets import read_dataset
from trace_core.errors import InputError

ASKED, OTHER = "When does the pool open?", "Do I need a cap?"
A, B, C = "The pool opens at seven.", "On Sundays it opens at nine.", "Caps are worn in all pools."
SAID, SAID_TOO = "It opens at seven.", "Yes, in all pools."
ROWS = [(ASKED, [A, B], SAID), (OTHER, [C], SAID_TOO)]
TEXT = f"""Transcript of session 3
Date: 2025-05-06

[10:00:01] User: {ASKED}
[10:00:02] Retrieved documents:
    [1] {A}
    [2] {B}
[10:00:04] Assistant: {SAID}

[10:01:05] User: {OTHER}
[10:01:06] Retrieved documents:
    [1] {C}
[10:01:08] Assistant: {SAID_TOO}

-- end of session --
"""


def read(tmp_path, text, name="session.txt"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    found = read_dataset(path, name=name)
    return [(row.question, row.documents, row.response) for row in found.items]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"Assistant": "Bot answer", "Retrieved documents": "Chunks found"},
        {"[10:00:0": "[10:0", "[10:01:0": "[11:0"},
        {"[10": "[2025-05-06 10"},
        {
            "[10": "10",
            "1] U": "1 - U",
            "2] R": "2 - R",
            "4] A": "4 - A",
            "5] U": "5 - U",
            "6] R": "6 - R",
            "8] A": "8 A",
        },
        {"    [1] ": "1. ", "    [2] ": "2. "},
        {"-- end of session --": "=== END OF SESSION ==="},
        {"\n\n": "\n"},
        {"[10:01:05]": "-- second question --\n[10:01:05]"},
    ],
    ids=[
        "as it is",
        "words",
        "minutes",
        "dates",
        "no brackets",
        "numbers",
        "a frame",
        "no blank lines",
        "a line between",
    ],
)
@pytest.mark.parametrize("name", ["session.txt", "session.md"])
def test_speakers_tell_the_parts_of_each_row(tmp_path, changes, name):
    text = TEXT
    for old, new in changes.items():
        text = text.replace(old, new)
    assert read(tmp_path, text, name) == ROWS


def test_an_answer_may_have_several_lines(tmp_path):
    said = f"{SAID}\n- Sundays: at nine\nUntil ten."
    assert read(tmp_path, TEXT.replace(SAID, said))[0][2] == said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("-- end", "Tested by Ada.\n\n-- end"),
        (SAID, f"{SAID}\nVerdict: good"),
        (SAID, f"{SAID}\n-- slow --\nUntil ten."),
        (f"[2] {B}", f"[2] {B}\n\nThe second is old."),
        (SAID, f"{SAID}\n[10:00:09] Tool: search('pool')"),
        ("Assistant: Yes", "Supervisor: Yes"),
    ],
    ids=["a note below", "a verdict", "a frame within", "a note on what was found", "a tool", "somebody else"],
)
def test_what_may_be_nobodys_is_refused(tmp_path, old, new):
    with pytest.raises(InputError) as refused:
        read(tmp_path, TEXT.replace(old, new))
    assert refused.value.hint


def test_a_diary_is_no_transcript(tmp_path):
    with pytest.raises(InputError, match="There is no table in it"):
        read(tmp_path, "Monday\n10:00 Lunch: soup\n11:00 Talks: two\n")
