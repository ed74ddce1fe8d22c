"""A reading that shows that the query was not understood is refused, whatever way it was read."""

import pytest

from trace_core.endpoint import QueryError, parse_query

BEGINNING = "Please run faithfulness and answer relevancy.\n\nQuestion: When does it open?\n"


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("Context: <fragment id='7' lang=\"en\">It opens at nine.\nAnswer: At nine.", "markup"),
        ("Context: It opens at nine.\nAnswer: At nine.</reply>\n</sample>", "markup"),
        ('Context: c(d1 = "It opens at nine.",\nAnswer: At nine.', "code"),
        ('Context: passage = "It opens at nine.",\nAnswer: At nine.', "code"),
        ('Context: score=0.8 rank=1 text="It opens at nine."\nAnswer: At nine.', "log"),
        ("Context: It opens at nine.\nAnswer: At nine.\n2024-05-03T10:14:04 gateway closed", "log"),
        ("Context: It opens at nine.\nAnswer: At nine.\n\nEDIT: the answer should be ten.", "belongs to"),
        ("Context: It opens at nine.\nAnswer: At nine.\n\nOh: answer relevancy is what matters most", "belongs to"),
        ("Answer: At nine.\nContext 1: It opens at nine.\nContext 2: Tea.\n\nso the first helped me", "belongs to"),
        ("Contexts:\n§ It opens at nine.\n§ Tea is free.\nAnswer: At nine.", "before each context"),
        ("Context: It opens at nine.\nAnswer: At nine.\nFollow-up question: and on Sundays?", "belongs to"),
        ("Context: It opens at nine.\nAnswer: At nine.\nCategory: opening hours", "belongs to"),
        ("Context: It opens.\nAnswer: At nine.\nGround truth: At 9.\nWrong replies: at ten", "belongs to"),
        ("+ [a] It opens at nine.\n- [b] Tea is free.\nAnswer: At nine.", "list after the question"),
        ("| a | It opens at nine. |\n| b | Tea is free. |\nAnswer: At nine.", "list after the question"),
        ('Context: It opens at nine.\n"""\nAnswer: At nine.', "code"),
        ("Context: [Document(page_content='It opens at nine.')\nAnswer: At nine.", "code"),
        ("Context: \\item[It opens at nine.\nAnswer: At nine.", "code"),
        ("Context: It opens at nine.\nAnswer: At nine.\n[reply b] At ten.\n[answer b] At ten.", "may be a label"),
        ("A: It opens at nine.\nB: Tea is free.", "begins a context"),
        ("Answer: At nine.\nContexts:\nf1   0.9   It opens at nine.\nf2   0.4   Tea is free.", "columns"),
        ("Answer: At nine.\nContexts:\n[a1] It opens at nine.\nRelevant: a1, 77", "no context has"),
        ("Answer: At nine.\nContexts:\n[a1] It opens at nine.\nRelevant: a1, perhaps", "no context has"),
    ],
)  # fmt: skip
def test_a_value_that_holds_what_was_not_understood_is_refused(rest, said):
    with pytest.raises(QueryError, match=said):
        parse_query(BEGINNING + rest)


@pytest.mark.parametrize(
    "answer",
    [
        "<b>At nine</b>, from <i>May</i>.",
        'The screen has 24"',
        'print("nine")',
        "hours = [9, 10]",
        'He said "nine" (or "ten").',
        "At nine, set PORT=80 in the file.",
        "It opens:\n\nat nine.",
    ],
)
def test_a_text_with_marks_of_its_own_is_kept(answer):
    assert parse_query(f"{BEGINNING}Context: It opens.\nAnswer: {answer}").payload.answer == answer


def test_the_values_of_json_are_what_they_say():
    query = '{"tests": ["answer_relevancy"], "question": "<q>?", "answer": "text=\\"a\\" id=2 </p>"}'
    assert parse_query(query).payload.answer == 'text="a" id=2 </p>'


def test_prose_beside_an_object_may_not_correct_it():
    query = '{"tests": ["answer_relevancy"], "question": "Who?", "answer": "Ada."}'
    assert parse_query(f"Here it is:\n{query}\nMany thanks!").payload.answer == "Ada."
    with pytest.raises(QueryError, match="changes"):
        parse_query(f"{query}\n\nSorry, the answer is Bob.")


PARTS = ("Answer: At nine.", "Context 1: It opens at nine.\nContext 2: Tea is free.", "Ground truth: at 9")
TAILS = (
    "\n\nBob Miller", "\n\nbob",
    "\n\nP.S. the bot is new, be kind.", "\n\nEDIT: the question has a typo", "\n</request>",
    "\n2024-05-03T10:14:04Z INFO done", "\n[10:04] Bob: ok", "\n\nOn Mon, Ann wrote:\n> hello", "\n```", "\n);",
    "\n\nScore: ?", "\nCategory: billing", "\n\nLet me know if anything is unclear", "\n\\end{document}",
    "\n\nI also have a second example that I will send later.",
)  # fmt: skip


@pytest.mark.parametrize("last", PARTS)
@pytest.mark.parametrize("tail", TAILS)
def test_what_follows_the_last_part_is_dropped_or_refused(tail, last):
    others = [part for part in PARTS if part != last]
    query = "\n".join([f"{BEGINNING}{others[0]}", others[1], last])
    try:
        read = parse_query(query + tail).payload
    except QueryError:
        return
    assert read == parse_query(query).payload


@pytest.mark.parametrize("last", PARTS)
@pytest.mark.parametrize(
    "line", ["Difficulty: hard", "\n(sorry, a long one)\n", "[12:01] Bob: hm", "</part>", "--- page 2 ---", "Score: 4"]
)
def test_what_stands_between_two_parts_is_dropped_or_refused(line, last):
    query = "\n".join([f"{BEGINNING}{last}", "{}", *(part for part in PARTS if part != last)])
    try:
        read = parse_query(query.format(line)).payload
    except QueryError:
        return
    assert read == parse_query(query.replace("{}\n", "")).payload
