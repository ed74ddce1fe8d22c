"""Logs of conversations: a row for each question, with what was found and said until the next one."""

import pytest

from trace_core.datasets import read_dataset
from trace_core.datasets.labeled import logged_rows
from trace_core.errors import InputError

ASKED, OTHER = "When does the pool open?", "Do I need a cap?"
A, B, C = "The pool opens at seven.", "On Sundays it opens at nine.", "Caps are worn in all pools."
SAID, SAID_TOO = "It opens at seven.", "Yes, in all pools."
ROWS = [
    {"question": ASKED, "documents": [A, B], "response": SAID},
    {"question": OTHER, "documents": [C], "response": SAID_TOO},
]
SYSTEM, USER, FOUND, BOT = "SYSTEM", "USER", "RETRIEVED (pool.md, score 0.91)", "ASSISTANT"


def lines(user=USER, found=FOUND, bot=BOT, start="[2025-03-01 10:00:0{}] ", end="{}: {}\n"):
    """A session's lines."""
    said = [("SYSTEM", "session 3 started (channel=web)"), (user, ASKED), (found, A), (found, B), (bot, SAID)]
    said += [(user, OTHER), (found, C), (bot, SAID_TOO), ("SYSTEM", "session 3 closed")]
    return [start.format(at) + end.format(*each) for at, each in enumerate(said)]


def rows(found):
    return [row for _, row in logged_rows(found, "bot.log")]


SESSIONS = {
    "upper case": lines(),
    "titles": lines("User", "Source (pool.md)", "Bot"),
    "lower case": lines("customer", "chunk", "agent"),
    "numbered": lines("Customer", "Chunk 1", "Chatbot"),
    "an id": lines("User", "Context [doc-7]", "AI"),
    "German": lines("Nutzer", "Textstelle", "Assistent"),
    "Spanish": lines("Usuario", "Fragmento", "Asistente"),
    "with levels": lines(start="2025-03-01T10:00:0{}.120Z INFO "),
    "time of day": lines(start="10:00:0{} "),
    "dashes": lines(start="2025-03-01 10:00:0{},120 - "),
    "names in brackets": lines(end="[{}] {}\n", found="RETRIEVED"),
    "names in brackets, with colons": lines(end="[{}]: {}\n", found="RETRIEVED"),
    "Windows": [line.replace("\n", "\r\n") for line in lines()],
    "trouble": [*lines()[:4], "[2025-03-01 10:00:04] WARNING: the model is slow\n", *lines()[4:]],
    "a greeting": [lines()[0], "[2025-03-01 10:00:01] ASSISTANT: Hello! How can I help?\n", *lines()[1:]],
}


@pytest.mark.parametrize("found", SESSIONS.values(), ids=SESSIONS)
def test_speakers_tell_the_parts_of_each_row(found):
    assert rows(found) == ROWS


def test_a_log_of_a_session_is_read_as_a_file(tmp_path):
    path = tmp_path / "session.log"
    path.write_text("".join(lines()), encoding="utf-8")
    found = [(row.question, row.documents, row.response) for row in read_dataset(path, name="session.log").items]
    assert found == [(ASKED, [A, B], SAID), (OTHER, [C], SAID_TOO)]


def test_lines_without_a_time_go_on_with_what_was_said():
    found = lines()
    found[4] = found[4].rstrip("\n") + "\n\nUSER: is what the sign says.\n"
    assert rows(found)[0]["response"] == f"{SAID}\n\nUSER: is what the sign says."


def test_several_sources_of_a_line_are_documents_each():
    found = lines("User", "Sources", "Bot")
    found[2:4] = [f"[2025-03-01 10:00:02] Sources:\n1. {A}\n2. {B}\n"]
    assert rows(found) == ROWS


def test_a_question_without_an_answer_has_none():
    found = [line("BOT: Hello! How can I help?"), line("BOT: Just ask me."), *lines(bot="BOT")]
    assert rows(each for each in found if SAID not in each)[0] == {"question": ASKED, "documents": [A, B]}


def test_what_only_the_bot_says_is_no_row():
    assert [row["question"] for row in rows(lines()[:5])] == [ASKED]


def line(said):
    return f"[2025-03-01 10:00:09] {said}\n"


REFUSED = {
    "two at a time": [line(f"USER: {ASKED}"), line(f"USER: {OTHER}"), line(f"BOT: {SAID}"), line(f"BOT: {SAID_TOO}")],
    "two who answer": [*lines(), line("USER: Is it free?"), line("AGENT: A colleague takes over.")],
    "no question": [line(f"RETRIEVED: {A}"), line(f"ASSISTANT: {SAID}")],
    "nobody answers": [line(f"USER: {ASKED}"), line(f"RETRIEVED: {A}")],
    "ids": [line("USER: 17"), line("AGENT: web-01"), line("USER: 18"), line("AGENT: web-02")],
    "counts": [line(f"USER: {ASKED}"), line("RETRIEVED: 3 chunks"), line(f"BOT: {SAID}")],
    "names of files": [line(f"USER: {ASKED}"), line("SOURCES: pool.md, caps.md"), line(f"BOT: {SAID}")],
    "a tool": [*lines()[:2], line("TOOL: search('pool')"), *lines()[2:]],
    "other lines": [*lines()[:2], line("GET /chat 200 31ms"), *lines()[2:]],
    "sessions": [each.replace("] ", f"] [s-{at % 2}] ") for at, each in enumerate(lines())],
    "a late tool": [*lines() * 9, line("TOOL: search('pool')"), *lines()],
    "no time": [each.split("] ")[1] for each in lines()],
    "commands": [line("USER: /start"), line("BOT: /help"), line("USER: /ask"), line("BOT: {}")],
}


@pytest.mark.parametrize("found", REFUSED.values(), ids=REFUSED)
def test_other_logs_are_refused(found):
    with pytest.raises(InputError) as refused:
        rows(found)
    assert refused.value.hint


def test_questions_with_ids_are_told_by_them_as_ever():
    found = [line("[req=a1] question: How deep is it?"), line(f"[req=b2] question: {OTHER}")]
    found += [line("[req=a1] answer: Two metres deep."), line(f"[req=b2] answer: {SAID_TOO}")]
    assert [row["req"] for row in rows(found)] == ["a1", "b2", "a1", "b2"]


@pytest.mark.parametrize(
    "found",
    [
        [line("USER: " + "a" * 1_000_000), line("BOT: " + "b" * 1_000_000)],
        [line("USER" + " (" * 500_000), line("USER: a?")],
        [line(" " * 1_000_000 + "USER: a?"), line("BOT: \x00\u2028.")],
        [line("USER: \udcff?"), line("BOT: \ud800.")],
        [line("A" * 1_000_000 + ": b")] * 2,
    ],
)
def test_hostile_logs_are_read_or_refused(found):
    try:
        read = rows(found)
    except InputError:
        return
    assert all(isinstance(row, dict | InputError) for row in read)
