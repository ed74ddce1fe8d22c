"""Small text functions shared by the readers of plain language."""

from __future__ import annotations

import ast
import re
import warnings
from textwrap import dedent
from typing import Any

_JOINED = re.compile(r"(?<=[\"'])[,)]{0,3}[ \t]{0,4}(?:,|\)|\b(?:and|und|et|y))$")
_BLOCK = re.compile(r"([|>])[+-]?[ \t]{0,4}\n")
_SAID = re.compile(
    r"(\"[^\"\n]{1,4000}[.!?]\"|“[^”\n]{1,4000}[.!?]”|«[^»\n]{1,4000}[.!?]\s?»)[?.!,;]?[ \t]+[^\W\d_][^\"“”«»\n:]*\Z"
)
"""A quoted text that ends like a sentence, and a remark after it."""
LOGGED_TEXT = re.compile(
    r"(?<![\w-])(?:(?:(?:doc|document|chunk|ctx|context|passage|source)_?)?id|doc|document|chunk|passage|source|hit)="
    r"\"?(?P<id>[\w./#:-]{1,64})\"?[ \t]{1,4}"
    r"(?:[a-z_]{1,12}=[\w.]{1,20}[ \t]{1,4}){0,3}(?:text|content|passage|chunk|body)=\"(?P<text>[^\"]{0,20000})\""
)
"""A document in a log."""
TEXT_FIRST = re.compile(
    r"(?<![\w-])(?P<text>(?:text|content|passage|chunk|body)=\"[^\"]{0,20000}\")"
    r"(?P<rest>(?:[ \t]{1,4}[a-z_]{1,12}=[\w.]{1,20}){0,3}?)"
    r"[ \t]{1,4}(?P<id>(?:(?:(?:doc|document|chunk|ctx|context|passage|source)_?)?id|doc|document|source|hit)="
    r"\"?[\w./#:-]{1,64}\"?)(?=\s|\Z)"
)
"""The same with its text before its id."""
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
QUOTES = {'"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»", "„": "“"}
_TRIPLE = '"""'
_ABSENT = re.compile(
    r"\(?(?:n/?a|-|–|none|null|tbd|todo|not (?:given|available|known|applicable)|unknown|missing|\?+|néant|keine?"
    r"|aucune?|nessun[oa]?|ningun[oa]|nenhuma?|geen|brak|ingen|未作成|未定|なし|无)?(?:[,;:)].{0,80})?\)?\.?",
    re.IGNORECASE,
)
"""A text that says that there is none: `n/a`, `(tbd, waiting for the team)`."""
_SAID_ABSENT = re.compile(
    r"[(\[<–—-]{1,3}[ \t]{0,4}(?:[^()\[\]<>.!?\n]{0,60} )?(?:n/?a|none|no|not|nothing|missing|empty|unknown|unavailable"
    r"|tbd|todo|pending|later|fehlt|fehlend|keine?|leer|nicht|offen|absente?|manquante?|aucune?|vide|pas|sin|falta"
    r"|ning[uú]na?|vac[ií][oa]|mancante|assente|nessuna?|vuot[oa]|ontbreekt|geen|leeg|sem|nenhuma?|vazi[oa]|brak|puste)"
    r"(?: [^()\[\]<>.!?\n]{0,60})?[ \t]{0,4}[)\]>–—-]{1,3}\.?|[_*]{1,2}no response[_*]{1,2}",
    re.IGNORECASE,
)
"""The same between brackets or dashes, in any words: `(none recorded)`, `– fehlt im Export –`, `_No response_`."""
LONGEST_LITERAL = 200_000
"""The most characters that are parsed as Python."""


def literal(text: str) -> Any:
    """The value of a Python literal; `None` where the text is none, or is too long."""
    if len(text) > LONGEST_LITERAL:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def unquoted(text: str) -> str:
    """The text without trailing separators, and without quotation marks or YAML's `|` around all of it."""
    if block := _BLOCK.match(text.lstrip()):
        lines = dedent(text.lstrip()[block.end() :]).strip()
        return lines if block[1] == "|" else " ".join(lines.split("\n"))
    text = text.strip()
    if "\n" not in text or not text.rpartition("\n")[2].lstrip().startswith("|"):  # unless it is a row of a table
        text = text.removesuffix("//").rstrip("|" if "\n" in text else ";|").rstrip()
    if "\n" not in text and '"' not in text:  # beside quotation marks a comma belongs to code
        text = text.rstrip(",")
    if (joined := _JOINED.search(text)) and text[0] in "\"'" and text.count(text[0], 0, joined.start()) == 2:
        text = text[: joined.start()]
    if said := _SAID.match(text):
        text = said[1]
    if len(text) > 2 * len(_TRIPLE) and text.startswith(_TRIPLE) and text.endswith(_TRIPLE):
        return text[len(_TRIPLE) : -len(_TRIPLE)].strip()
    closing = QUOTES.get(text[:1])
    whole = len(text) > 1 and closing and text.endswith(closing) and closing not in _APOSTROPHE.sub("", text[1:-1])
    return text[1:-1].strip() if whole else text


def says_none(body: str) -> bool:
    """Whether the text says that there is none."""
    return bool(_ABSENT.fullmatch(body) or said_none(body))


def said_none(body: str) -> bool:
    """Whether the text says so between brackets or dashes."""
    return _SAID_ABSENT.fullmatch(body) is not None


def cells(line: str) -> list[str]:
    """The cells of a row of a Markdown table; none where the line is no such row."""
    line = line.strip()
    return [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
