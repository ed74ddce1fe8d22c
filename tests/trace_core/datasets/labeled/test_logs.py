"""Lines of a service's log: which of them say something, and logs that are refused."""

import pytest

from trace_core.datasets.labeled import logged_rows
from trace_core.errors import InputError

ASKED = "2025-07-01 08:00:00 INFO [req=a1] question: How tall is the tower?\n"
FOUND = "2025-07-01 08:00:01 INFO [req=a1] document: The tower is 30 m tall.\n"
SAID = "2025-07-01 08:00:02 INFO [req=a1] answer: It is 30 m tall.\n"


def rows(*lines):
    return [row for _, row in logged_rows(lines, "bot.log")]


@pytest.mark.parametrize(
    ("line", "row"),
    [
        ("[req=a1] document 2 id=k7 score=0.4: Tall.", {"req": "a1", "id": "k7", "score": "0.4", "documents": "Tall."}),
        ("user said: What? req=a1", {"question": "What? req=a1"}),
        ('req=a1 answer="It \\"is\\"."', {"req": "a1", "answer": 'It "is".'}),
        ('api {"request": "a1", "answer": "It is."}', {"request_id": "a1", "answer": "It is."}),
        ("[req=a1] answer: One.\n  Two: three.", {"req": "a1", "response": "One.\n  Two: three."}),
    ],
)
def test_a_line_gives_its_pairs_and_its_text(line, row):
    start = "2025-07-01 08:00:03 INFO "
    assert rows(ASKED, FOUND, SAID, *f"{start}{line}\n".splitlines(keepends=True))[3] == row


@pytest.mark.parametrize(
    "line",
    [
        "2025-07-01 08:00:03 ERROR [req=a1] answer: It is not known.\n",
        "2025-07-01 08:00:03 INFO [req=a1] hits=5 source=web answer=ok\n",
        "2025-07-01 08:00:03 INFO [req=a1] question id: 17\n",
        '2025-07-01 08:00:03 INFO msg="a question: none\n',
        "2025-07-01 08:00:03 INFO started\n",
    ],
)
def test_a_line_without_text_or_with_trouble_is_no_row(line):
    assert len(rows(ASKED, FOUND, SAID, line)) == 3


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([], "neither a time nor a level"),
        (["question: How tall is it?\n", "answer: 30 m.\n"], "neither a time nor a level"),
        ([FOUND, SAID], "No line of it has a question"),
        ([ASKED.replace("[req=a1] ", ""), FOUND.replace("[req=a1] ", ""), SAID], "to which question they belong"),
        ([ASKED, FOUND.replace("The tower is 30 m tall.", "3 found"), SAID], "do not have the texts"),
        ([ASKED.replace("How tall is the tower?", "GET /ask HTTP/1.1"), FOUND, SAID], "do not have the texts"),
    ],
)
def test_a_log_that_tells_no_rows_is_refused(lines, why):
    with pytest.raises(InputError, match=why):
        rows(*lines)


@pytest.mark.parametrize("request_id", ["req-7f31", "trace 12", "3f2c9a1e-0000-4000-8000-0000000000a1"])
def test_the_id_of_a_request_may_stand_in_brackets(request_id):
    other = [line.replace("req=a1", "req-other-9") for line in (ASKED, FOUND, SAID)]
    lines = [line.replace("req=a1", request_id) for line in (ASKED, FOUND, SAID)]
    assert [row["request_id"] for row in rows(*lines, *other)] == [request_id] * 3 + ["req-other-9"] * 3


def test_a_thread_in_brackets_is_no_request():
    with pytest.raises(InputError, match="to which question they belong"):
        rows(*(line.replace("req=a1", "http-nio-8080-exec-1") for line in (ASKED, FOUND, SAID)))


def test_a_score_in_brackets_before_the_text_is_passed_over():
    found = FOUND.replace("document:", "rag.retriever - retrieved chunk 1 (score=0.8):")
    assert rows(ASKED, found, SAID)[1] == {"req": "a1", "score": "0.8", "documents": "The tower is 30 m tall."}
