"""What a notebook or a Python shell shows, as labels and values: `In [7]: ex["question"]`, `Out[7]: 'Who?'`."""

from __future__ import annotations

import re

from trace_core.endpoint.reading.formats.columns import with_tables
from trace_core.endpoint.reading.language.words import USUAL, field_named

_PROMPT = re.compile(r"^[ \t]{0,4}(?:In ?\[\d{0,4}\]:|>>>)[ \t]{0,4}(?P<said>[^\n]{0,400})$", re.MULTILINE)
_OUT = re.compile(r"\A\s{0,20}Out ?\[\d{0,4}\]:[ \t]{0,4}")
_PRINTED = re.compile(r"(?:print|display)\(.{1,200}\)|[\w.]{1,60}\.(?:to_string|to_markdown|head)\(.{0,40}\)")
_FEW = 2


def as_labels(text: str) -> str:
    """The text with what the session shows after the name of a part as `name: value`; unchanged where it is none."""
    prompts = list(_PROMPT.finditer(text))
    if len([prompt for prompt in prompts if _part(prompt["said"])]) < _FEW:
        return text
    ends = [prompt.start() for prompt in prompts[1:]] + [len(text)]
    parts, remarks = [], [text[: prompts[0].start()]]
    for prompt, end in zip(prompts, ends, strict=True):
        shown = _OUT.sub("", text[prompt.end() : end]).strip("\n")
        if part := _part(prompt["said"]):
            parts.append(f"{part}: {shown.strip()}\n\n")
        elif prompt["said"].startswith("#"):
            remarks.append(f"{prompt['said'].lstrip('# ')}\n{shown}\n\n")
        elif _PRINTED.fullmatch(prompt["said"]) and (table := with_tables(shown)) != shown:
            parts.append(f"{USUAL['contexts']}:\n{table}\n\n")
        else:
            parts.append(f"{prompt['said']}\n{shown}\n")
    return "".join([*remarks, *parts])


def _part(said: str) -> str:
    """The usual label of a part that is shown: `row["question"]`, `print(row.answer)`, `question`."""
    name = said.strip().removeprefix("print(").rstrip(") ")
    name = name.rpartition(".")[2] if "[" not in name else name.rpartition("[")[2].strip("\"']")
    field = field_named(name) if re.fullmatch(r"\w{1,40}", name) else None
    return USUAL.get(field or "", "")
