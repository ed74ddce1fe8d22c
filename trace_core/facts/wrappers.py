"""What wraps an answer and is no part of it: thoughts, tokens of a chat template, a fence, an envelope, a label. Every
form is declared here. The text as it came is kept beside the answer, and a note says what was taken off."""

import json
import re
from collections.abc import Callable, Mapping
from functools import partial

_TAGS = "think|thinking|thoughts?|reasoning|reflection|scratchpad|seed:think"
_THOUGHT = re.compile(  # not in "the tag `<think>`"
    rf"(?i)(?<![`'\"“])(?:(?P<opens><(?:{_TAGS})>|\[THINK\]|◁think▷|<\|(?:begin_of_thought|start_thinking)\|>"
    r"|<\|channel\|>(?:analysis|commentary)\b[^<>]{0,60}(?:<\|constrain\|>\w{0,20})?<\|message\|>|<\|channel>thought\b"
    r"|\Aanalysis(?-i:(?=[A-Z])))"
    rf"|</(?:{_TAGS})>|\[/THINK\]|◁/think▷|<\|(?:end_of_thought|end_thinking)\|>|<channel\|>"
    r"|<\|channel\|>final\b[^<>]{0,60}(?:<\|constrain\|>\w{0,20})?<\|message\|>|assistantfinal)"
)
"""Where thoughts open, and where they end: by tags, by channels."""
_LOG = re.compile(r"(?is)\A\s*(?:thought|reasoning|action|observation):.*\bfinal answer:")
"""An agent's log, before what it answers."""
_ECHO = re.compile(r"(?s)\A\s*(?:<s>\s*)?\[INST\].*\[/INST\](?=\s*\S)")  # the prompt, repeated before the answer
_CHAT = r"(?:<[|｜][^<>|｜\s]{1,40}[|｜]>|</?s>|<(?:eos|bos|pad|unk|EOT)>|<(?:end|start)_of_turn>|\[/?INST\]|<</?SYS>>)"
_NEXT_TURN = re.compile(
    rf"{_CHAT}\s{{0,9}}(?:<\|im_start\|>|<\|start_header_id\|>|<\|start\|>|<start_of_turn>|<\|user\|>|\[INST\]).*",
    re.DOTALL,
)
_FIRST_TOKENS = re.compile(rf"\A(?:\s*{_CHAT}(?:\s*(?:assistant|model)(?=[\s<]))?)+")
_LAST_TOKENS = re.compile(rf"{_CHAT}\s*\Z")
_TAGGED_ANSWER = re.compile(r"(?s)\A.*?<(answer|final_answer|final|response|output|result)>(.*?)(?:</\1>\s*)?\Z")
_FENCE, _PROSE = "```", frozenset(("", "text", "txt", "plaintext", "plain", "markdown", "md", "json", "html", "xml"))
"""What a fence's first line says of a text that is no code."""
_ANSWERS = frozenset("answer finalanswer response output result text content completion reply message".split())
_LABEL = re.compile(
    r"(?im)^[ \t*_#>]{0,9}final answer[ \t*_]{0,9}:[ \t*_]{0,9}|\A[\s*_#>]{0,9}answer[*_]{0,3}:[\s*_]{0,9}"
)
_BREAKS_LINES = re.compile(r"[.!?]\\n|\\n\\n")
_WRITTEN_BREAK = re.compile(r"(?:\\r)?\\n(?![a-zà-ÿ])")


def without_thoughts(text: str) -> str:
    """The text without a model's thoughts; an end alone ends all before it, a beginning alone opens all after it."""
    parts: list[str] = []
    start, thinking = 0, False
    text = _LOG.sub("", text)
    for mark in _THOUGHT.finditer(text):
        if mark["opens"]:
            parts += [] if thinking else [text[start : mark.start()]]
            thinking = True
        else:
            parts, start, thinking = parts if thinking else [], mark.end(), False
    return "".join(parts if thinking else [*parts, text[start:]])


def _without_tokens(text: str) -> str:
    text = _NEXT_TURN.sub("", _FIRST_TOKENS.sub("", _ECHO.sub("", text)))
    while token := _LAST_TOKENS.search(text[-100:]):
        text = text[: max(0, len(text) - 100) + token.start()]
    return text


def _without_fence(text: str) -> str:
    whole = text.strip()
    if not (whole.startswith(_FENCE) and whole.endswith(_FENCE) and whole.count(_FENCE) == 2):
        return text
    language, _, inside = whole[3:-3].partition("\n")
    return inside if inside.strip() and language.strip().lower() in _PROSE else text


def _without_envelope(text: str) -> str:
    """The answer in a JSON object, or the object's fields as lines if it has no field for the answer."""
    whole = text.strip()
    if not (whole.startswith("{") and whole.endswith("}")):
        return text
    try:
        value = json.loads(whole)
    except (ValueError, RecursionError):
        return text
    if not isinstance(value, Mapping) or "error" in value:
        return text
    answers = [v for name, v in value.items() if re.sub(r"[\W_]", "", name).lower() in _ANSWERS and isinstance(v, str)]
    if len(answers) == 1:
        return answers[0]
    flat = value and all(isinstance(field, str | int | float) for field in value.values())
    return "\n".join(f"{name.replace('_', ' ')}: {field}" for name, field in value.items()) if flat else text


_WRAPPERS: Mapping[str, Callable[[str], str]] = {
    "thoughts": without_thoughts,
    "tokens of a chat template": _without_tokens,
    "tags around the answer": partial(_TAGGED_ANSWER.sub, r"\2"),
    "a fence": _without_fence,
    "a JSON envelope": _without_envelope,
    "a label": partial(_LABEL.sub, ""),
    r"written line breaks (\n)": lambda text: (
        _WRITTEN_BREAK.sub("\n", text) if "\n" not in text.strip() and _BREAKS_LINES.search(text) else text
    ),
}
"""Name → takes it off a text; the text itself where it is not there."""
_DEEPEST = 4  # wrappers within one another


def strip_wrappers(text: str) -> tuple[str, list[str]]:
    """The answer within a text, and the names of what was taken off, none of a bare answer. Never raises.

    >>> strip_wrappers("<think>Perhaps 900?</think> It is 1,240.</s>")
    ('It is 1,240.', ['thoughts', 'tokens of a chat template'])
    """
    inside, names = text, dict[str, None]()
    for _ in range(_DEEPEST):
        before = inside
        for name, take_off in _WRAPPERS.items():
            if (rest := take_off(inside)) != inside:
                inside, names[name] = rest, None
        if inside == before:
            break
    return (inside.strip(), list(names)) if names else (text, [])
