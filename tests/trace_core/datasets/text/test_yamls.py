"""YAML as rows: texts as they are written, and what is refused."""

import pytest

from trace_core.datasets import read_dataset
from trace_core.datasets.text.yamls import yaml_documents
from trace_core.errors import InputError

ASKED, OTHER = "When does it open?", "Is it free?"
FOUND, SAID = "It opens at nine.", "At nine."
ROW = f"question: {ASKED}\ncontexts:\n- {FOUND}\nanswer: {SAID}\n"
INDENTED = "".join(f"  {line}\n" for line in ROW.splitlines())
WHOLE = (ASKED, [FOUND], SAID)


def read(tmp_path, text):
    path = tmp_path / "rows.yaml"
    path.write_bytes(text.encode())
    return read_dataset(path, name="rows.yaml")


def parts(item):
    return item.question, item.documents, item.response


@pytest.mark.parametrize(
    "text",
    [
        f"- {INDENTED.strip()}\n- {INDENTED.strip()}\n",
        f"version: 3\nquestions:\n- {INDENTED.strip()}\n- {INDENTED.strip()}\n",
        f"one:\n{INDENTED}two:\n{INDENTED}",
        f"---\n{ROW}---\n{ROW}...\n",
        f"\ufeff# tests\r\n---\r\n{ROW}\r\n---\r\n{ROW}",
        "prompts: ['{{question}}']\nproviders:\n- id: openai:gpt-4o\ntests:\n" + 2 * f"- vars: {{question: {ASKED}, "
        f"contexts: [{FOUND}], answer: {SAID}}}\n",
    ],
)
def test_rows_stand_alone_under_a_name_or_in_documents_of_their_own(tmp_path, text):
    found = read(tmp_path, text)
    assert [parts(item)[:2] for item in found.items] == [WHOLE[:2], WHOLE[:2]]
    assert not found.errors


@pytest.mark.parametrize("said", ["no", "18:00", "1.10", "007", "on", "'null'", '"~"', "!!int 3", "2024-05-01"])
def test_a_text_is_what_is_written(said):
    assert yaml_documents(f"answer: {said}", "rows.yaml") == [{"answer": said.removeprefix("!!int ").strip("'\"")}]


@pytest.mark.parametrize("nothing", ["", "~", "null"])
def test_nothing_is_none(tmp_path, nothing):
    [item] = read(tmp_path, f"- question: {OTHER}\n  answer: {nothing}\n").items
    assert item.response is None


@pytest.mark.parametrize(
    ("mark", "said"), [("|", f"{SAID}\nOr ten."), (">", f"{SAID} Or ten."), (">+", f"{SAID} Or ten.")]
)
def test_a_block_ends_with_its_text(tmp_path, mark, said):
    [item] = read(tmp_path, f"- question: {OTHER}\n  answer: {mark}\n    {SAID}\n    Or ten.\n\n").items
    assert item.response == said


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", r"The alias \*a is not read \(line 2\)\. Write what"),
        ("[" * 100_000, r"More than 100 lists and objects lie within each other \(line 1\)"),
        (
            f"- question: {ASKED}\n  document: A.\n  document: B.\n",
            r"'document' is there twice in one object \(line 3\)",
        ),
        (f"- question: {ASKED}\n  answer: {{{{answer}}}}\n", r"A name was expected before the colon \(line 2\)"),
        ("- question: What is it: a bridge?\n", r"This is not YAML \(mapping values are not allowed.*, line 1\)"),
        (f"- question: {ASKED}\n\tanswer: {SAID}\n", r"This is not YAML \(.*tab character.*, line 2\)"),
        ("- question: \a\n", r"This is not YAML \(unacceptable character"),
        ("retriever:\n  top_k: 5\n", "A list of rows was expected"),
        ("# nothing\n", "holds no rows"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(tmp_path, text, wrong):
    with pytest.raises(InputError, match=wrong):
        read(tmp_path, text)
