"""Several documents in one cell of text, and one document that only looks like several."""

import pytest

from trace_core.datasets.cells import are_listed, parts_of

A, B, C = "The valve opens at 3 bar.", "Close it by hand, then wait.", "Wait ten minutes."
LONG = "has fallen below the limit that is written on the plate beside it"
SEVERAL = {
    "dashes": f"{A}\n---\n{B}",
    "stars": f"{A}\n\n* * *\n\n{B}\n",
    "equals": f"{A}\r\n=====\r\n{B}",
    "long dashes": f"{A}\n———\n{B}",
    "bars": f"{A} || {B}",
    "three bars": f"{A} ||| {B}",
    "bars without spaces": f"{A}||{B}",
    "mark": f"{A}<sep>{B}",
    "mark in brackets": f"{A} [SEP] {B}",
    "numbers in brackets": f"[1] {A}\n[2] {B}",
    "numbers in brackets on one line": f"[1] {A} [2] {B}",
    "numbers from 0": f"[0] {A}\n[1] {B}",
    "numbers and dashes": f"[1] {A}\n---\n[2] {B}",
    "numbers on lines of their own": f"[1]\n{A}\n\n[2]\n{B}",
    "labels": f"Document 1: {A}\nDocument 2: {B}",
    "labels in brackets": f"[Chunk 1] {A}\n[Chunk 2] {B}",
    "tags": f'<doc id="1">{A}</doc>\n<doc id="2">{B}</doc>',
    "tags on lines of their own": f"<context>\n{A}\n</context>\n<context>\n{B}\n</context>\n",
    "labels above the texts": f"Passage 1:\n{A}\n\nPassage 2:\n{B}",
    "labels, bold": f"**Source 1:** {A}\n**Source 2:** {B}",
    "labels, German": f"Quelle 1 - {A}\nQuelle 2 - {B}",
}
LINED = {
    "lines": f"{A}\n{B}",
    "blank lines": f"{A}\n\n{B}",
    "bullets": f"- {A}\n- {B}",
    "round bullets": f"• {A}\n• {B}",
    "numbers": f"1. {A}\n2. {B}",
    "numbers in round brackets": f"(1) {A}\n(2) {B}",
    "one bar": f"{A} | {B}",
    "line breaks of the web": f"{A}<br>{B}",
    "a heading": f"{A}\n---\n{B}",
}
"""Where the column's name is a plural."""
ONE = {
    "two lines": f"{A}\n{B}",
    "steps": f"Step 1: {A}\nStep 2: {B}",
    "a law": f"Article 1: {A}\nArticle 2: {B}",
    "paragraphs of a law": f"(1) {A}\n(2) {B}",
    "a list": f"1. {A}\n2. {B}",
    "an underlined heading": f"Valves\n------\n{A}",
    "a heading after a rule": f"{A}\n\n---\n\n# Valves\n{B}",
    "a citation": f"{A} [1] {B}",
    "citations out of order": f"[2] {A}\n[1] {B}",
    "a table": f"| a | b |\n|---|---|\n| {A} | {B} |",
    "an or": "Use if (a || b) in the code.",
    "a year": f"2024. {A}",
}


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.parametrize("lined", [True, False])
def test_what_stands_between_documents_parts_them(name, lined):
    assert parts_of(SEVERAL[name], lined=lined) == [A, B]


@pytest.mark.parametrize("name", LINED)
def test_lines_are_documents_where_the_name_says_several(name):
    assert parts_of(LINED[name], lined=True) == [A, B]


@pytest.mark.parametrize("name", ONE)
def test_one_document_stays_one(name):
    assert parts_of(ONE[name], lined=False) == [ONE[name]]


def test_documents_of_several_lines_are_parted_at_their_numbers():
    assert parts_of(f"1. {A}\n{C}\n2. {B}", lined=True) == [f"{A}\n{C}", B]
    assert parts_of(f"[1] {A}\n{C}\n[2] {B}", lined=False) == [f"{A}\n{C}", B]


def test_a_single_document_loses_its_number():
    assert parts_of(f"[1] {A}", lined=False) == [A]
    assert parts_of(f"[7] {A}", lined=False) == [f"[7] {A}"]


@pytest.mark.parametrize(
    "marks", ["1) 2)", "1. 2.", "(1) (2)", "• •", "① ②", "Kontekst_1: Kontekst_2:", "【文書1】 【文書2】"]
)
def test_a_column_of_lists_holds_their_items_even_where_there_is_only_one(marks):
    first, second = (mark.replace("_", " ") for mark in marks.split())
    cells = [f"{first} {A}\n{second} {B}", f"{first} {C}", None]
    assert are_listed(cells)
    assert parts_of(cells[0], lined=False, listed=True) == [A, B]
    assert parts_of(cells[1], lined=False, listed=True) == [C]


@pytest.mark.parametrize(
    "cells",
    [
        [f"1. {A}\n2. {B}"],
        [f"1. {A}\n2. {B}", f"1. {B}\n2. {C}"],
        [f"1. {A}\n2. {B}", C],
        [f"1. {A}", f"1. {B}", f"1. {C}"],
        [f"1. {A}\n2. {B}", f"1. {A}\n2. {B}\n3. {C}", f"1. {B}\n2. {C}"],
        [f"1. {A}\n3. {B}", f"1. {C}"],
        ["1) valve\n2) pump", "1) tank"],
        [],
    ],
)
def test_lists_may_be_what_a_document_says(cells):
    assert not are_listed(cells)


def test_lists_of_one_length_are_the_top_k():
    assert are_listed([f"1. {A}\n2. {B}", f"1. {B}\n2. {C}", f"1. {C}\n2. {A}"])
    passages = [f"Valve {n} opens to the left. It closes by itself as soon as the pressure {LONG}." for n in range(6)]
    assert are_listed([f"1. {one}\n2. {other}" for one, other in zip(passages[::2], passages[1::2], strict=True)])


def test_procedures_of_one_length_stay_whole():
    steps = [f"1. Open the settings.\n2. Choose page {n}.\n3. Restart the device." for n in range(4)]
    assert not are_listed(steps)


def test_a_single_bullet_goes_where_the_name_says_several():
    assert parts_of(f"• {A}", lined=True) == [A]
    assert parts_of(f"• {A}", lined=False) == [f"• {A}"]


@pytest.mark.parametrize("text", [f"<doc>{A}</doc> {B}", f"<doc>{A}", f"<doc>{A}<doc>{B}</doc></doc>", f"<b>{A}</b>"])
def test_tags_that_are_not_around_each_document_stay(text):
    assert parts_of(text, lined=False) == [text]
