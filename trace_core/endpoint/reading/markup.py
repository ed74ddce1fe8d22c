"""Labels in HTML, LaTeX or brackets, rewritten as `Label: text` on lines of their own."""

from __future__ import annotations

import re
from html import unescape

from trace_core.endpoint.reading.language.words import LABEL, NUMBER, name_different_parts

_NUMBER = f"(?P<number>{NUMBER})?"
_BOLD = re.compile(
    r"<(?P<tag>b|strong|h[1-6]|th|td|dt|li|p|div|span)(?:[ \t][^<>\n]{0,100})?>[ \t]{0,8}"
    rf"(?P<label>{LABEL}){_NUMBER}"
    r"[ \t]{0,4}(?::|:?</(?P=tag)>[ \t]{0,4}:?)",
    re.IGNORECASE,
)
_BREAK = re.compile(r"<(?:br|/?(?:p|li|ul|ol|div|tr|td|th|dt|dd|dl|table|h[1-6]))\b[^<>\n]{0,100}>", re.IGNORECASE)
_INLINE = re.compile(r"</?(?:b|strong|i|em|u|span|code|a|small|tt)\b[^<>\n]{0,300}>", re.IGNORECASE)
_ITEMS = re.compile(
    r"^[ \t]{0,12}\\(?:begin|end)\{(?:itemize|enumerate|description|quote)\}[ \t]{0,8}\n?", re.MULTILINE
)
_ITEM = re.compile(r"\\item(?P<id>\[[^\[\]\n]{1,64}\])?[ \t]{0,4}")
_LATEX = re.compile(
    r"\\(?:(?:textbf|textit|emph|underline|(?:sub){0,2}section\*?|paragraph)\{|item\[)[ \t]{0,4}"
    rf"(?P<label>{LABEL}){_NUMBER}[ \t]{{0,4}}:?[ \t]{{0,4}}[\}}\]][ \t]{{0,4}}:?",
    re.IGNORECASE,
)
_BRACKETS = re.compile(
    rf"^[ \t]{{0,8}}[\[【«〔［][ \t\xa0]{{0,4}}(?P<label>{LABEL})"
    r"(?P<number>[ \t]{1,4}[\w.#/-]{1,40}|\d{1,3})?[ \t\xa0]{0,4}:?"
    r"[ \t]{0,4}[\]】»〕］][ \t]{0,4}:?",
    re.IGNORECASE | re.MULTILINE,
)


_WIKI = re.compile(r"^h[1-6]\. ", re.MULTILINE)
_WIKI_ITEM = re.compile(r"^#{1,3} ", re.MULTILINE)
"""A heading, and an item of a numbered list, in a ticket."""
_OPENED = re.compile(rf"\((?P<label>{LABEL}){_NUMBER}[ \t]{{0,4}}:", re.IGNORECASE)


def without_markup(text: str) -> str:
    """The text with such labels as plain ones, where two different ones are written that way; else unchanged.

    Of a text in HTML all common tags go, because its contexts are HTML as well.
    """
    if len(_WIKI.findall(text)) > 1:
        text = _WIKI_ITEM.sub("- ", text)
    for pattern in (_BOLD, _LATEX, _BRACKETS):
        if name_different_parts(pattern, text):
            text = pattern.sub(_plain, text)
            if pattern is _LATEX:
                text = _ITEM.sub(lambda item: f"{item['id'] or '-'} ", _ITEMS.sub("", text))
                text = re.sub(r"(?<=\w)~(?=\w)", " ", text.replace("\\-", ""))
            if pattern is _BOLD:
                text = unescape(_INLINE.sub("", _BREAK.sub("\n", text)))
    if name_different_parts(_OPENED, text):
        text = _unwrapped(text)
    return text


def _plain(label: re.Match[str]) -> str:
    number = (label["number"] or "").strip()
    return f"\n{label['label']}{f' [{number}]' if number else ''}: "


def _unwrapped(text: str) -> str:
    """`(question: Who?) (answer: Ann (the cook))` → each of them on a line, without the parentheses around it."""
    found, place = [], 0
    while match := _OPENED.search(text, place):
        end, depth = match.end(), 1
        while end < len(text) and depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        closed = end - 1 if not depth else end
        found += [text[place : match.start()], "\n", text[match.start() + 1 : closed], "\n"]
        place = end
    return "".join([*found, text[place:]])
