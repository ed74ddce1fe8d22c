"""The question and the documents in a logged prompt, and prompts that are left whole."""

import json

import pytest

from trace_core.datasets import read_dataset
from trace_core.datasets.labeled import prompted

ASKED, SAID = "How tall is the tower?", "30 m."
A, B = "The tower is 30 m tall.", "It stands in Lund."


def read(tmp_path, row):
    path = tmp_path / "rows.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    [item] = read_dataset(path, name="rows.jsonl").items
    return item.question, item.documents, item.response


@pytest.mark.parametrize(
    "prompt",
    [
        f"Answer briefly.\n\nContext: [1] {A}\n[2] {B}\n\nQuestion: {ASKED}\nAnswer:",
        f"### Documents\n[1] {A}\n[2] {B}\n\n### Question\n{ASKED}",
        f"Q: {ASKED}\n\nSources:\n[1] {A}\n[2] {B}\n\nA:",
    ],
)
def test_a_prompt_is_split_into_question_and_documents(tmp_path, prompt):
    assert read(tmp_path, {"prompt": prompt, "completion": SAID}) == (ASKED, [A, B], SAID)
    messages = [{"role": "user", "content": prompt}, {"role": "assistant", "content": SAID}]
    assert read(tmp_path, {"messages": messages}) == (ASKED, [A, B], SAID)


@pytest.mark.parametrize(
    "prompt",
    [
        f"Context: {A}\nQuestion: Where?\nAnswer: In Lund.\nContext: {B}\nQuestion: {ASKED}\nAnswer:",
        f"Context: {A}\nQuestion:\nAnswer:",
        f"Context: {A}\nQuestion: {ASKED}\n{B}",
        f"Question: {ASKED}\nAnswer:",
        f"{ASKED}\nPlease tell me.",
        ASKED,
    ],
)
def test_a_prompt_of_other_parts_stays_whole(tmp_path, prompt):
    assert prompted(prompt) is None
    assert read(tmp_path, {"prompt": prompt, "completion": SAID}) == (prompt, None, SAID)


def test_documents_beside_a_prompt_are_those_of_the_row(tmp_path):
    prompt = f"Context: {A}\nQuestion: {ASKED}"
    assert read(tmp_path, {"prompt": prompt, "contexts": [B], "completion": SAID}) == (prompt, [B], SAID)
