"""A failed generation: the whole answer is empty, a placeholder or the text of an error."""

import pytest

from trace_core.facts.failed_generation import failed_generation

STACK = 'Traceback (most recent call last):\n  File "app.py", line 3, in <module>\nKeyError: "answer"'


FAILURES = {
    "empty": ["", " \n\t", "\u200b", *"... … - — *** <p></p> <div>\n<br/></div> <p>&nbsp;</p>".split(" ")],
    "placeholder": ["nan", " NaN ", "null", "None", "N/A", "#N/A", "[]", "{}"],
    "error text": [
        *("Request failed with status code 500", "AxiosError: Request failed with status 503", STACK),
        *("Request timed out.", "The read operation timed out", "Request timed out after 60 s.", "Connection error."),
        *("Too Many Requests", "500 Internal Server Error", "Error executing pipeline via HTTP API."),
        *('{"error": {"code": 429}}', "Error code: 429 - {'error': {'message': 'Rate limit reached'}}"),
        *("TimeoutError('the judge')", "TypeError: x is undefined\n    at answer (app.js:3:5)"),
        *("<async_generator object Chain.stream at 0x7F00>", "<bound method Chain.run of <app.Chain object at 0x7f>>"),
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
    ],
    "call of a tool": [
        '{"name": "search", "arguments": {"q": "tank"}}',
        '[{"tool": "search", "tool_input": "tank"}]',
        '<tool_call>\n{"name": "search", "arguments": {}}\n</tool_call>',
        '{"tool_calls": [{"type": "function", "function": {"name": "search", "arguments": "{}"}}]}',
        '{"type": "function", "function": {"name": "search", "arguments": "{}"}}',
    ],
}


@pytest.mark.parametrize(("text", "reason"), [(text, reason) for reason, texts in FAILURES.items() for text in texts])
def test_what_a_failed_pipeline_leaves_is_not_an_answer(text, reason):
    assert failed_generation(text) == reason


@pytest.mark.parametrize(
    "text",
    [
        *("0", "No.", "none of them", "Not Found", "N/A applies to tenants."),
        *("[1, 2]", "<br>", "<p>40</p>", "✓", "40 °", "是"),
        '{"name": "Ada", "year": 1815}',
        "The request timed out because the tank was empty.",
        "The pump timed out.",
        "Connection error codes are in chapter 3.",
        "The client shows “Request failed with status code 500”; restart it.",
        "500 Internal Server Error means that the server failed.",
        "ValueError: it is raised when an argument has the right type but a wrong value.",
        'A reply such as {"error": "quota"} tells you to wait.',
    ],
)
def test_an_answer_that_mentions_an_error_is_an_answer(text):
    assert failed_generation(text) is None
