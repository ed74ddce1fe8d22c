"""Contexts written in plain language: `[id] text`, `id: text`, lists, lines; one or several a line."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from itertools import islice
from typing import Any

from trace_core.endpoint.reading.language.ordinals import ORDINALS
from trace_core.endpoint.reading.language.series import BEFORE, Mark, in_series
from trace_core.endpoint.reading.language.text import LOGGED_TEXT, QUOTES, cells, literal, unquoted
from trace_core.endpoint.reading.language.values import only_value

_BULLET = r"[ \t]{0,8}(?:(?:[-*•]|\d{1,3}[.)])[ \t]{1,4})?"
_BRACKET = re.compile(r"\[([^\[\]\n]{1,64})\](?:[ \t]{0,4}:(?=\s))?")
_MARKED_BRACKET = re.compile(
    rf"^(?P<bullet>{_BULLET})(?P<mark>\*{{1,3}}|_{{1,3}}|`)(?P<id>\[[^\[\]\n]{{1,64}}\]:?)(?P=mark)(?P<colon>:?)",
    re.MULTILINE,
)
"""`**[p1]**`"""
_BOLD_ID = re.compile(
    rf"^(?P<bullet>{_BULLET})(?P<mark>\*\*|__|`)(?P<id>[\w.#/-]{{0,40}}\d[\w.#/-]{{0,20}})(?P=mark):?"
    r"(?=[ \t])(?![ \t]{1,2}[–—-])",
    re.MULTILINE,
)
"""`**p1** …`, where every item begins so."""
_LINKED = re.compile(rf"^(?P<bullet>{_BULLET})(?P<id>\[[^\[\]\n]{{1,64}}\])\(https?://[^()\s]{{1,400}}\)", re.MULTILINE)
_BRACKET_LINE = re.compile(rf"^{_BULLET}(?=\[)", re.MULTILINE)
_NOUN = (
    r"(?:(?:source|document|doc|chunk|passage|context|exhibit|excerpt|snippet|quelle|dokument|kontext|textstelle|abschnitt"
    r"|bron|fuente|contexto|documento|fragmento|contexte|extrait|fonte|brano)[ \t])?"
)
_NAME = rf"{_NOUN}[\"'`*]{{0,3}}(?P<id>[\w§][\w.#/-]{{0,63}})[\"'`*]{{0,3}}"
_COLON = re.compile(rf"(?:(?<=\s)|^){_NAME}[ \t]{{0,2}}:(?=\s)", re.MULTILINE | re.IGNORECASE)
_COLON_LINE = re.compile(rf"^{_BULLET}(?={_NAME}[ \t]{{0,2}}:\s)", re.MULTILINE | re.IGNORECASE)
_TEXTS = ("text", "content", "page_content", "context", "document", "passage", "chunk", "excerpt", "snippet", "inhalt",
          "auszug", "textstelle", "texte", "extrait", "texto", "fragmento", "testo")  # fmt: skip
_IDS = ("id", "doc_id", "doc id", "chunk id", "context id", "dok-id", "doc-id", "name", "key", "nr", "nr.", "no", "no.",
        "#")  # fmt: skip
"""The more telling first."""
_RELEVANT = ("relevant", "relevant?", "rel.", "pertinent", "pertinent ?", "relevante", "rilevante")
_YES = ("yes", "y", "true", "1", "x", "✓", "✔", "✅", "ja", "oui", "sí", "si", "sì")
_NAMED_LINE = re.compile(
    r"^[ \t]{0,8}(?:[-*•▹▸◦‣·][ \t]{1,4})?[*_`]{0,2}"
    r"(?:(?:chunk|document|doc|source|passage|context|quelle|dokument)[ \t])?"
    r"(?:(?P<id>[\w.#/-]{0,40}\d[\w.#/-]{0,20})[*_`]{0,2}[ \t]{1,2}[—–-](?=[ \t])"
    r"|(?P<key>[\w.#/-]{1,60})[ \t]{1,2}=(?=[ \t])|(?P<close>[\w.#/-]{0,20}\d)=(?=\S))[ \t]{0,2}",
    re.MULTILINE | re.IGNORECASE,
)
"""A line such as `▹ *HR-101* — text`."""
_YAML_ITEM = re.compile(r"[ \t]{0,8}- (?:id|text|content|page_content|doc_id)[ \t]{0,2}:[ \t]", re.IGNORECASE)
_YAML_KEY = re.compile(r"[ \t]{0,12}(- )?[ \t]{0,4}(\w{1,20})[ \t]{0,2}:[ \t](.*)")
_JOINT = re.compile(r"[\s,;.]{0,8}(?:/|(?:and|or|und|oder|et|ou|y|o)\b)?\s{0,8}")
_QUOTED_ITEM = re.compile(r"^(?P<bullet>[ \t]{0,8}- )\"(?P<text>[^\"\n]{1,5000})\"[ \t]{0,4}$", re.MULTILINE)
"""An item of a list in YAML."""
_END_OF_LINE = re.compile(r"[,;|]\s{0,4}\Z")
_END_OF_LINES = re.compile(r"(?:\n[ \t]{0,8}(?:[-*•]|\d{1,3}[.)])[ \t]{0,4}|[,|]\s{0,4})\Z")
_ITEM = re.compile(r"^[ \t]{0,8}(?:[-*•]|\(?(?P<number>\d{1,3})[.)])[ \t]{1,4}", re.MULTILINE)
_TEXT_IN_BRACKETS = re.compile(r"\[([^\[\]]{1,4000})\]")
_FENCED = re.compile(
    r"```(?:[\w-]{0,20}[ \t]{0,4}(?:id|name|title)=\"?(?P<id>[^\s\"`]{1,64})\"?|[\w-]{0,20})[ \t]{0,4}\n"
    r"(?P<text>[^`]{1,50000})```"
)
_RULE = re.compile(r"^[ \t]{0,4}[-=*_~]{3,60}[ \t]{0,4}$", re.MULTILINE)
_ONE = frozenset(
    "context document doc chunk passage kontext dokument textstelle contexte extrait contexto documento fragmento "
    "contesto ctx".split()
)
"""Last words of labels that name one context."""
_NO_IDS = frozenset(
    "warning note notes tip tips hint caution example examples important attention danger step fact answer question "
    "info information summary remark reminder notice hinweis achtung warnung tipp beispiel wichtig antwort frage "
    "anmerkung zusammenfassung nota aviso consejo ejemplo importante atención advertencia respuesta pregunta remarque "
    "conseil exemple réponse avertissement avviso consiglio esempio attenzione risposta domanda dica exemplo atenção "
    "resposta pergunta opmerking waarschuwing voorbeeld belangrijk antwoord vraag obs exempel viktigt varning svar "
    "uwaga wskazówka przykład ważne".split()
)
"""Words with which texts begin, and which are ids only where the query calls them relevant."""


def read_contexts(sections: Sequence[tuple[str, str, str]], relevant: Collection[str]) -> list[Any]:
    """The contexts in sections of (label, id after the label, body), as the JSON of a payload.

    `relevant` are the ids that the query calls relevant: they help to distinguish an id from a word. A context
    without an id gets none here; its position serves instead.
    """
    found: list[Any] = []
    for label, number, body in sections:
        if number:
            found.append({"id": number, "text": unquoted(body)})
        elif body:
            found += _split(body, label.split()[-1] not in _ONE, relevant)
    return found


def _split(body: str, plural: bool, relevant: Collection[str]) -> list[Any]:
    body = _QUOTED_ITEM.sub(r"\g<bullet>\g<text>", _unmarked(body))
    if (listed := listed_texts(body.rstrip(" )"))) is not None:
        return listed
    for read in (_fenced, _logged, _quotations, _table, _yaml, _named_lines):
        if found := read(body):
            return found
    start = _BRACKET_LINE.match(body)
    if start and _BRACKET.match(body, start.end()) and (bracketed := _brackets(body, relevant)):
        return _marked(body, bracketed)
    marks = in_series(body, plural)
    named = _colons(body, relevant) if _COLON_LINE.match(body) else []
    if named and not _begin_texts(body, [name for _, _, name in named], relevant):
        return _marked(body, marks if len(marks) > len(named) and not _begin_lines(body, _COLON_LINE) else named)
    if _ITEM.match(body) and (not marks or _begin_lines(body, _ITEM)):
        return _listed(body)
    if marks:
        return _marked(body, marks)
    if not plural:
        return [{"text": unquoted(body)}]
    parts = re.split(r"\n[ \t]*\n", body) if re.search(r"\n[ \t]*\n", body) else _unbroken(body)
    return [{"text": unquoted(part)} for part in parts if part.strip()]


def _begin_texts(body: str, names: Sequence[str], relevant: Collection[str]) -> bool:
    """Whether words before colons belong to the texts, as numbers before them are the ids: `1. Warning: hot`."""
    if not set(relevant).isdisjoint(names):
        return False
    words = all(len(name) > 1 and name.isalpha() for name in names)
    if relevant and words and all(one.isdigit() and 0 < int(one) <= len(names) for one in relevant):
        return True  # positions
    numbers = [item["number"] for item in _ITEM.finditer(body)]
    numbered = words and len(numbers) == len(names) and all(numbers)
    return numbered or any(name.lower() in _NO_IDS for name in names)


def _unmarked(body: str) -> str:
    """The body with the ids at the beginnings of its lines between brackets alone, without stars and links."""
    body = _LINKED.sub(r"\g<bullet>\g<id>", _MARKED_BRACKET.sub(r"\g<bullet>\g<id>\g<colon>", body))
    bold = len(_BOLD_ID.findall(body))
    lines = len([line for line in body.split("\n") if line.strip()])
    return _BOLD_ID.sub(r"\g<bullet>[\g<id>]", body) if bold == lines > 1 else body


def _quotations(body: str) -> list[Any]:
    """The texts between quotation marks, brackets or rules."""
    texts = quoted_parts(body) or _bracketed(body) or _ruled(body)
    marks = [_BRACKET.match(text) for text in texts]
    named = [(mark[1], text[mark.end() :]) for mark, text in zip(marks, texts, strict=True) if mark]
    if len(named) < len(texts):
        return [{"text": text} for text in texts]
    return [{"id": name.strip(), "text": text.strip()} for name, text in named]


def _begin_lines(body: str, pattern: re.Pattern[str]) -> bool:
    """Whether several lines begin so."""
    return len(list(islice(pattern.finditer(body), 2))) > 1


def _logged(body: str) -> list[Any] | None:
    """The contexts of lines such as `id=c1 score=0.8 text="…"`."""
    found = [(text["id"], text["text"]) for text in LOGGED_TEXT.finditer(body)]
    whole = found and not LOGGED_TEXT.sub("", body).strip(" \t\n-*•")
    return [{"id": name, "text": text} for name, text in found] if whole else None


def _fenced(body: str) -> list[Any] | None:
    """The contexts of a body that consists of blocks between three backticks, the first line naming each, or not."""
    blocks = list(_FENCED.finditer(body))
    if not blocks or _FENCED.sub("", body).strip():
        return None
    named = [(block["id"], block["text"].strip("\n")) for block in blocks]
    return [{"id": name, "text": text} if name else {"text": text} for name, text in named]


def _bracketed(body: str) -> list[str]:
    """The texts of `[One sentence.] [Another one.]`; none where brackets hold ids."""
    texts = [text.strip() for text in _TEXT_IN_BRACKETS.findall(body)]
    if len(texts) < 2 or _TEXT_IN_BRACKETS.sub("", body).strip(" \t\n,;"):
        return []
    return texts if all(text.endswith((".", "!", "?")) for text in texts) else []


def _ruled(body: str) -> list[str]:
    """The texts between lines of dashes."""
    parts = [part.strip() for part in _RULE.split(body)]
    return [part for part in parts if part] if len(parts) > 1 else []


def _unbroken(body: str) -> list[str]:
    """The lines; a line that continues a sentence is joined to the one before."""
    lines: list[str] = []
    for line in body.splitlines():
        if lines and line[:1].islower() and not lines[-1].rstrip().endswith(BEFORE):
            lines[-1] += f"\n{line}"
        else:
            lines.append(line)
    return lines


def quoted_parts(body: str) -> list[str]:
    """The texts of a body that consists only of quoted texts; else none."""
    found, place = [], 0
    while place < len(body):
        closing = QUOTES.get(body[place])
        end = body.find(closing, place + 1) if closing else -1
        if end < 0 or (body[place] == "'" and body[end + 1 : end + 2].isalnum()):
            return []
        found.append(body[place + 1 : end].strip())
        joint = _JOINT.match(body, end + 1)
        place = joint.end() if joint else end + 1
    return found


def listed_texts(body: str) -> list[Any] | None:
    """The body's list, in JSON's or Python's notation; none of numbers, which are ids."""
    if not body.startswith("["):
        return None
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        given = literal(body) or only_value(body)
    return given if isinstance(given, list) and given and not isinstance(given[0], int | float) else None


def _shape(name: str) -> str:
    """The common shape of the ids of one series: c1 and c12 become c0."""
    return re.sub(r"\d+", "0", name.casefold())


def _brackets(body: str, relevant: Collection[str]) -> list[Mark]:
    """(start, end, id) of the brackets that begin a context, not of those that cite one."""
    starts = {match.end() for match in _BRACKET_LINE.finditer(body)}
    found: list[Mark] = []
    seen: set[str] = set()
    for match in _BRACKET.finditer(body):
        name = match[1].strip()
        at_line = match.start() in starts
        if not name or (not at_line and (name in seen or not _continues(body, match, found, name, relevant))):
            continue
        found.append((match.start(), match.end(), name))
        seen.add(name)
    return found


def _continues(body: str, match: re.Match[str], found: list[Mark], name: str, relevant: Collection[str]) -> bool:
    """Whether a bracket within a line looks like the next in the series of the first one."""
    first = found[0][2] if found else name
    if name in relevant or _shape(name) == _shape(first):
        return True
    before = body[max(0, match.start() - 8) : match.start()].rstrip()
    like = any(map(str.isdigit, name)) == any(map(str.isdigit, first))
    return like and before.endswith(BEFORE)


def _colons(body: str, relevant: Collection[str]) -> list[Mark]:
    """(start, end, id) of each `id:` that begins a context, not of a word before a colon in its text."""
    starts = {match.end() for match in _COLON_LINE.finditer(body)}
    every = len(starts) == body.strip().count("\n") + 1
    found: list[Mark] = []
    seen: set[str] = set()
    for match in _COLON.finditer(body):
        name = match["id"]
        first = found[0][2] if found else name
        series = _shape(name) == _shape(first) and (not found or "0" in _shape(first))
        words = match.start() in starts and (every or "0" not in _shape(first) + _shape(name))
        if name not in seen and (series or name in relevant or words):
            found.append((match.start(), match.end(), name))
            seen.add(name)
    return found


def _marked(body: str, markers: list[Mark]) -> list[Any]:
    ends = [start for start, _, _ in markers[1:]] + [len(body)]
    texts = [_trimmed(body[after:end]) for (_, after, _), end in zip(markers, ends, strict=True)]
    names = [name for _, _, name in markers]
    if all(ORDINALS.get(name.lower()) == str(place) for place, name in enumerate(names, start=1)):
        return [{"text": text} for text in texts]
    return [{"id": name, "text": text} for name, text in zip(names, texts, strict=True)]


def _trimmed(text: str) -> str:
    """A context's text without a separator or the next item's bullet at its end; code keeps its semicolon."""
    text = text.strip(" \t")
    return unquoted((_END_OF_LINES if "\n" in text.strip() else _END_OF_LINE).sub("", text))


def _listed(body: str) -> list[Any]:
    """A list with bullets or numbers; a number is its item's id, unless it is only the item's position."""
    marks = list(_ITEM.finditer(body))
    ends = [mark.start() for mark in marks[1:]] + [len(body)]
    items = []
    for mark, end in zip(marks, ends, strict=True):
        text = unquoted(_END_OF_LINES.sub("", body[mark.end() : end]))
        items.append({"id": mark["number"], "text": text} if mark["number"] else {"text": text})
    if all(item.get("id") in (None, str(place)) for place, item in enumerate(items, start=1)):
        return [{"text": item["text"]} for item in items]
    return items


def is_table(lines: Sequence[str]) -> bool:
    """Whether the lines begin a Markdown table with a column of ids and one of texts."""
    columns = _columns([cells(line) for line in lines[:3]])
    return columns is not None and columns[1] is not None


def _columns(rows: Sequence[Sequence[str]]) -> tuple[int, int | None, int | None] | None:
    """A Markdown table's columns of texts, ids and marks of relevance; null where the rows are no table with texts."""
    if len(rows) < 3 or not rows[1] or not all(set(cell) <= set(":- ") for cell in rows[1]):
        return None
    names = [cell.lower() for cell in rows[0]]
    text = next((i for i, name in enumerate(names) if name in _TEXTS), None)
    if text is None or any(len(row) != len(names) for row in rows):
        return None
    identity, relevant = (
        next((names.index(name) for name in known if name in names), None) for known in (_IDS, _RELEVANT)
    )
    return text, identity, relevant


def _table(body: str) -> list[Any] | None:
    """The contexts of a Markdown table with a column of texts, and one of ids."""
    rows = [row for line in body.splitlines() if (row := cells(line))]
    if (columns := _columns(rows)) is None:
        return None
    text, identity, relevant = columns
    found = []
    for row in rows[2:]:
        mark = "(relevant) " if relevant is not None and row[relevant].lower() in _YES else ""
        found.append(({"id": row[identity]} if identity is not None else {}) | {"text": f"{mark}{row[text]}"})
    return found


def _named_lines(body: str) -> list[Any] | None:
    """The contexts of several lines that all begin with an id and a dash, or a name and an equals sign."""
    marks = [
        (line.start(), line.end(), line["id"] or line["key"] or line["close"]) for line in _NAMED_LINE.finditer(body)
    ]
    return _marked(body, marks) if len(marks) > 1 and len(marks) == body.count("\n") + 1 else None


def _yaml(body: str) -> list[Any] | None:
    """Items that begin with `- id:` or `- text:`, with their other keys on separate lines."""
    lines = [line for line in body.splitlines() if line.strip()]
    if not lines or not _YAML_ITEM.match(lines[0]):
        return None
    items: list[dict[str, str]] = []
    for line in lines:
        key = _YAML_KEY.match(line)
        if key is None:
            return None
        if key[1]:
            items.append({})
        if (name := key[2].lower()) in (*_TEXTS, *_IDS):
            items[-1]["text" if name in _TEXTS else "id"] = unquoted(key[3])
    return items if all("text" in item for item in items) else None
