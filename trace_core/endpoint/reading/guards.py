"""What holds of every right reading; one that breaks it is refused, because a wrong value would be scored in silence.

The values of JSON and of programs end where their quotation marks do, so they are not held against this.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from trace_core.datasets.words import words_of
from trace_core.endpoint.payload import Payload, QueryError
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.ordinals import is_ordinal
from trace_core.endpoint.reading.language.plain_tests import only_names
from trace_core.endpoint.reading.language.relevance import only_positions, tells_relevance, tells_search
from trace_core.endpoint.reading.language.roles import ASKED, REPLIED, said_by
from trace_core.endpoint.reading.language.words import LABEL, field_named
from trace_core.endpoint.reading.leads.marks import spans_of
from trace_core.endpoint.reading.leads.told import last_clause, tells_contexts, told_by
from trace_core.endpoint.reading.margins import like_signature
from trace_core.endpoint.reading.markers import hold_markers
from trace_core.endpoint.reading.sections import line_start
from trace_core.endpoint.registry import needs_of

_LIKE_LABEL = re.compile(
    r"^[ \t]{0,8}(?:([A-Z][\w'’/ -]{1,30}?|[a-z]\w{1,20}(?: \w{1,20})?)[ \t]{0,4}(?::|=|→)(?:[ \t]|$)"
    r"|([A-Z][\w'’/ -]{1,70}?|[a-z]\w{1,20}(?: \w{1,20}){0,3}):[ \t]{0,4}$)",
    re.MULTILINE,
)
"""A short one before a text, or a longer one alone on its line."""
_LIST_OF_TEXTS = re.compile(
    r"\[ ?[\"'“]|\"[^\"\n]{1,5000}\"(?:[ ]\([^()\n]{1,60}\))?[ ]?[,;][ ]?\"|“[^”\n]{1,5000}”[ ]?[,;][ ]?“"
)
"""The beginning of a text that is a list of quoted texts."""
_OPENS = re.compile(r"<(?P<name>[A-Za-z][\w:-]{0,40})(?:\s[^<>]{0,400})?>")
_CLOSES = re.compile(r"</(?P<name>[A-Za-z][\w:-]{0,40})\s{0,4}>\s{0,8}\Z")
_NEVER_CLOSED = frozenset("br hr img p li input meta link col td tr th dt dd".split())
_PARTS = frozenset("id text content body relevant".split())
"""Names of elements that say what a context consists of."""
_CODE_BEGINS = re.compile(r"[A-Za-z_]\w{0,30}(?:\(\w{0,20}(?: ?= ?)?|[ ]?=[ ]?)[\"'`\[{]")
"""A call, or a value given to a name."""
_CODE_ENDS = re.compile(r"[\"'`]\s{0,4}[)\]}]{0,3}[,;]\Z|[\"'`]\s{0,4}[)\]}]{1,3}\Z")
_CUT_OFF = re.compile(r"\A[\]})]|[\[{(]\Z|\\(?:begin|end)\{\w{1,20}\*?\}\Z|\A\\item\b|\\item\[?\Z")
_QUOTED_FIRST = re.compile(r"[\"“„][^\"“”\n]{0,5000}[\"“”](?:[ \t]{0,4}\n|[^\n\"]{2,200}:[ \t]{0,4}\n)")
_LAST_BRACKETS = re.compile(r"\n[ \t]{0,8}[)\]}]{1,3}[;,.]?\Z")
"""A bracket or a command at the wrong end."""
_LIST_OF_CALLS = re.compile(r"\[[ ]?[A-Za-z_]\w{0,40}\(")
_PAIRS = re.compile(r"(?<!\S)(?P<name>[A-Za-z_]\w{0,30})=(?:\"|[\w.-]{1,40}(?:\s|\Z))")
_ABOUT = frozenset("id text score trace status level msg rank took latency".split())
"""Names in a log beside those of the parts."""
_STAMPED = re.compile(
    r"\n[ \t]{0,8}(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?|\[\d{1,2}:\d\d(?::\d\d)?\][ \t]{1,4}\w[\w .'’-]{0,30}:"
    r"|\w[\w .'’-]{0,30}[ ,]{1,2}[(\[]?\d{1,2}:\d\d(?::\d\d)?[)\]]?:(?:\s|\Z)"
    r"|(?:In|Out)[ ]?\[\d{1,4}\]:|>>>[ ])"
)
"""A line that begins as those of a log, a chat or a notebook."""
_RELEVANCE = re.compile(r"relevan|pertinen|rilevan|istotn", re.IGNORECASE)
_TOLD = re.compile(r"\n[ \t]{0,4}\n[ \t]{0,4}(?P<lead>[^\n:\"“”„«»]{3,80}):[ \t]{0,4}\n?[\"“„«]")
"""A paragraph that says what a quotation is."""
_COLUMNS = re.compile(r"\S[ ]{3}[ ]{0,200}\S")
_BRACKETED = re.compile(rf"^[ \t]{{0,8}}[\[【«](?:{LABEL})[ \t]?[\w.-]{{0,20}}[\]】»]", re.IGNORECASE | re.MULTILINE)
_SECOND = re.compile(r"^[ \t]{0,4}B[ \t]?[:：]", re.MULTILINE)
"""The second of a list of contexts whose first was taken for an answer, `A:`."""
_SEVERAL, _FEW_WORDS = 2, 5
_OTHERS = (*ASKED, *REPLIED)
_LINE_LABEL = re.compile(r"\n[ \t]{0,8}(?P<label>[^\W\d_](?:[^\W\d_]|[ '’-]){1,40}?)(?::|[ \t]{1,4}[-–—])(?=\s)")
_AFTER_QUESTION = re.compile(
    r"[^\n]{1,2000}[?？][ \t]{0,4}\n[ \t]{0,8}([^\W\d_][^\W_]{3,20}(?: [^\W\d_]{1,20}){0,4}:)[ \t](?!\s)"
)
"""A label after a question that has ended."""
_NAMED = re.compile(r"(?P<ends>.)\n[ \t]{0,4}[^\W\d_]{2,20}(?:_[^\W\d_]{1,20}){1,4}:[ \t]")
"""The end of a line, and a name of several words below it, as keys are written."""
_CHOICES = frozenset("option options choice choices optionen opciones opzioni final short".split())
"""`Answer options:` belongs to a question, `Final answer:` to an answer."""
_ROW = re.compile(r"^[ \t]{0,8}\|[^\n]{0,4000}\|[ \t]{0,8}$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]{0,8}(?:\(?\d{1,2}[.)]|[-+*•]|#\d{1,2}|\[\w{1,20}\])[ \t]", re.MULTILINE)
_MAIL = re.compile(
    r"\n[^\n]{0,100}(?:wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|napisała?)"
    r"[ \xa0]?:[ \t]{0,4}\n[ \t]{0,4}>"
)
"""The mail that is answered."""
_REMARK = re.compile(
    r"\n[ \t]{0,4}[-=*~]{2,10}[ \t][^\n]{1,40}[ \t][-=*~]{2,10}\Z"
    r"|\n[ \t]{0,4}(?:difficulty|explanation|rationale|rating|scores?)(?: [^\W\d_]{1,12}){0,4}:[ \t][^\n]{1,100}\Z"
    r"|\n[ \t]{0,4}\((?:sorry|n\.?b\.?|i|we|ich|wir|je|nous)\b[^()]{0,200}\)\Z",
    re.IGNORECASE,
)
"""A heading between rules, something about the sample, or words between parentheses, at the end of a text."""
_BARRED = re.compile(r"(?<=\S)[ \t](?://|\|{1,2})[ \t][^\W\d_][^\W_ ]{1,20}:(?=[ \t])")
"""A label after a bar, on a line of labels."""
_MARKED = re.compile(r"(?<=\s)\[[\w.-]{1,20}\](?=\s)")
_ABOUT_THE_SAMPLE = re.compile(
    r"(\n[ \t]{0,4}(?:explanation|reasoning|rationale|category|difficulty|model|author|rating|scores?|tags|latency"
    r"|version"
    r"|comments?|remarks?|anmerkung|bemerkung|kommentar|erklärung|kategorie|remarque|commentaire|explication|catégorie"
    r"|comentario|explicación|categoría|observación|commento|spiegazione|opmerking|uitleg|komentarz|uwaga)"
    r"[ \t]{0,2}(?::|\n))",
    re.IGNORECASE,
)
"""A label of something that is about the sample, not a part of it."""
_EDITED = re.compile(r"(?:edit|p\.? ?s\.?|correction|update|sorry|oops|wait|ah wait|actually)\b\W", re.IGNORECASE)
_ADDED = re.compile(r"(?:nachtrag|ergänzung|addendum|naschrift|tillägg)\b", re.IGNORECASE)
_TO_A_READER = re.compile(
    r"\A(?:let me|i |i['’]|we |if you|please|can you|could you|happy to|feel free|hope|looking forward|bitte|ich "
    r"|wir |falls|je |nous |merci|por favor|si |quedo|per favore|ik |graag|proszę)",
    re.IGNORECASE,
)
_ABOUT_IT = re.compile(
    r"\A(?:let me know|lasst? mich wissen|tenez-moi|laat (?:het )?me)\b"
    r"|\A(?:i|we|ich|wir|je|nous|ik)\b.{0,200}\b"
    r"(?:example|sample|scores?|results?|metrics?|tests?|evaluat\w{1,4}|beispiel"
    r"|ergebnis\w{0,3}|exemple|ejemplo|voorbeeld)\b",
    re.IGNORECASE,
)
"""How a paragraph begins that is for whoever reads the query; an answer may itself speak to a reader."""
_LABEL_AFTER = re.compile(r"[.,;]?[ ]{1,4}[^\W\d_]{3,20}(?:[ ][^\W\d_]{1,20}){0,2}:[ ]")
"""Words and a colon right after a quotation on its line."""
_A_WORD = re.compile(r"[a-z]{2,15}")
_NO_ID = re.compile(r"\d{1,2}:\d\d(?::\d\d)?|id|text|content|[^\"]{0,200}\".{0,200}")
"""A time, a name of a part of a context, or something quoted."""
_LEAD_IN = re.compile(r"(?:[^\s:]{1,40}[ ]){1,11}[^\s:]{1,40}[ \xa0]?:")
_MARKS = ('"', "“", "„", "«", "‘", "'")
_FOR_A_READER = 300
"""The most characters of a last paragraph that speaks to whoever reads the query."""


def held(payload: Payload, text: str) -> Payload:
    """The payload that was read in the text. Raises `QueryError` where a value shows that it was not understood."""
    texts = [text for text in (payload.question, payload.answer, *payload.truths) if text]
    values = [*texts, *(context.text for context in payload.contexts if context.text)]
    _hold_contexts([context.text for context in payload.contexts])
    for value in values:
        _hold(value)
    for part in texts:
        _hold_last_line(part)
    _hold_end(payload, text)
    truths = [(truth, _OTHERS) for truth in payload.truths]
    for said, others in ((payload.question, REPLIED), (payload.answer, ASKED), *truths):
        if said and (label := _other_label(said, others)):
            raise _unclear(label)
    _hold_lists(payload)
    _hold_ids(payload)
    hold_markers(payload, text)
    last = payload.contexts[-1].text if payload.contexts else ""
    lacks = {need for need in needs_of(payload.tests) if payload.lacks(need)}
    _hold_quotations(values, text, bool(lacks))
    if "\n\n" in last and "answer" in lacks:
        raise _unclear(last.rpartition("\n\n")[2])  # it may be the answer
    if lacks:
        _without_a_strange_label(values)
    return payload


def _hold_quotations(values: Sequence[str], text: str, lacks: bool) -> None:
    """Raise for a text that is only a lead-in, or that begins with a quotation, ends it and leads to the next part's:
    `“One.” and “Two.” The system said “Three.”`. Within a line of other words a sentence in quotation marks is enough.
    """
    for value in values:
        if _LEAD_IN.fullmatch(value) and (told_by(value) or said_by(value[:-1].rstrip()) or _quoted_after(value, text)):
            raise _unclear(value)
        spans = spans_of(value)
        if not value.startswith(_MARKS):
            if lacks and any(_leads_to(value[end + 1 : start]) for (_, end), (start, _) in pairwise(spans)):
                raise _unclear(value)
            continue
        if spans and _LABEL_AFTER.match(value, spans[0][1] + 1):
            raise _unclear(value[spans[0][1] + 1 :])
        if len(spans) == 1 and _two_sentences(value, spans[0][1]):
            raise _unclear(value[spans[0][1] + 1 :])
        between = [last_clause(value[end + 1 : start]) for (_, end), (start, _) in pairwise(spans)]
        ended = bool(between) and value[: spans[0][1]].endswith((".", "!", "?"))
        leads = any(told_by(clause) or tells_contexts(clause) for clause in between)
        if (leads and lacks) or ((leads or ended) and _within_a_line(value[: spans[0][1]], text)):
            raise _unclear(value[spans[0][1] + 1 :])


def _two_sentences(value: str, end: int) -> bool:
    """Whether a whole sentence is quoted, and another one follows that is not."""
    after = value[end + 1 :].lstrip()
    return value[:end].rstrip().endswith((".", "!", "?")) and after[:1].isupper() and len(after.split()) >= _SEVERAL


def _leads_to(between: str) -> bool:
    """Whether a clause between two quotations ends with a colon and says that the next one is another part."""
    return between.rstrip().endswith(":") and told_by(last_clause(between)) is not None


def _quoted_after(value: str, text: str) -> bool:
    """Whether a quotation stands below the value."""
    end = text.find(value) + len(value)
    return text[end : end + 20].lstrip().startswith(_MARKS)


def _within_a_line(value: str, text: str) -> bool:
    """Whether more than a label stands before the value on its line."""
    place = text.find(value)
    head = text[line_start(text, place) : place]
    return len(head.split()) > _FEW_WORDS or re.search(r"[.!?,;][ \t]", head) is not None


def _hold_last_line(said: str) -> None:
    """Raise for a last line that says which contexts are relevant, in words that no rule knows."""
    _, broken, last = said.rpartition("\n")
    if broken and _RELEVANCE.search(last) and tells_relevance(last):
        raise _unclear(last)


def _other_label(value: str, others: tuple[str, ...]) -> str:
    """A line's beginning that names something about the sample, or another part of it; empty where there is none."""
    if about := _ABOUT_THE_SAMPLE.search(value) or (others is REPLIED and _AFTER_QUESTION.match(value)):
        return about[1] or about[0]
    if (named := _NAMED.search(value)) and named["ends"] not in ":{":  # which lead to lines of settings
        return named[0][1:]
    for line in _LINE_LABEL.finditer(value):
        words = words_of(line["label"])
        if len(words) <= _FEW_WORDS and _CHOICES.isdisjoint(words) and any(word.startswith(others) for word in words):
            return line[0]
        ends = value.find("\n", line.end())
        told = value[line.end() : ends if ends > 0 else len(value)]
        if only_names(told) and without_names(told) != told:
            return line[0]
    return ""


def _unclear(part: str) -> QueryError:
    return QueryError(
        f"It is unclear whether {part.strip()[:60]!r} belongs to the text before it.",
        "Put it before the first part, or send JSON.",
    )


def _hold_contexts(texts: Sequence[str]) -> None:
    """Raise for contexts that are a mark alone, rows of a table, or items that kept their bullets."""
    if empty := next((text for text in texts if text and not re.search(r"\w", text)), None):
        raise QueryError(f"{empty[:40]!r} was read as a context, which it cannot be.", "Send JSON instead.")
    if texts and not any(text.strip() for text in texts):
        raise QueryError("The contexts were read without any text.", "Send JSON instead.")
    for text in texts:
        last = text.rpartition("\n")[2] if "\n" in text else ""
        if tells_search(last) or only_positions(last) or (_RELEVANCE.search(last) and tells_relevance(last)):
            raise _unclear(last)
        if told := next((one for one in _TOLD.finditer(text) if said_by(one["lead"])), None):
            raise _unclear(told[0])
    if len(texts) < _SEVERAL:
        return
    *others, last = texts
    if "\n\n" in last and not any("\n" in text for text in others):
        raise _unclear(last.rpartition("\n\n")[2])
    if all(_COLUMNS.search(text) for text in texts):
        raise QueryError("The columns of the table of contexts were not understood.", "Send JSON instead.")
    mark = texts[0].partition(" ")[0]
    if mark and not re.search(r"\w", mark) and all(text.startswith(f"{mark} ") for text in texts):
        raise QueryError(f"It is unclear whether {mark!r} before each context belongs to it.", "Send JSON instead.")


def _hold_lists(payload: Payload) -> None:
    """Raise for a list of contexts that was taken for a part of the question or of the answer."""
    question = payload.question or ""
    items = max(len(_ITEM.findall(question)), len(_MARKED.findall(question)))
    if _ROW.search(question) or (not payload.contexts and items >= _SEVERAL):
        raise QueryError("It is unclear what the list after the question holds.", "Write Contexts: before it.")
    if second := _SECOND.search(payload.answer or ""):
        raise QueryError(f"It is unclear whether {second[0].strip()!r} begins a context.", "Send JSON instead.")


def held_beside(prose: str) -> None:
    """Raise for prose around an object that corrects what the object says."""
    if edited := next((part for part in map(str.strip, prose.split("\n")) if _EDITED.match(part)), None):
        raise QueryError(f"It is unclear what {edited[:60]!r} changes.", "Send one JSON object that is right.")


def _hold(value: str) -> None:
    shown = value[:40]
    if _LIST_OF_TEXTS.match(value):
        raise QueryError(f"It is unclear where the parts of {shown!r} end.", "Send JSON instead.")
    if _tag_left(value):
        raise QueryError(f"The markup around {shown!r} was not understood.", "Send JSON instead.")
    if _quote_left(value):
        raise QueryError(f"It is unclear where the quotation of {shown!r} begins.", "Send JSON instead.")
    if _code_left(value):
        raise QueryError(f"The code around {shown!r} was not understood.", "Send JSON instead.")
    if _log_left(value):
        raise QueryError(f"It is unclear where {shown!r} ends in the log or chat.", "Send JSON instead.")
    if beside := _MAIL.search(value) or _REMARK.search(value):
        raise _unclear(beside[0])
    if barred := _BARRED.search(value):
        raise _unclear(barred[0])
    if named := _BRACKETED.search(value.partition("\n")[2]):
        raise QueryError(f"{named[0].strip()!r} stands within a text and may be a label.", "Send JSON instead.")


def _tag_left(value: str) -> bool:
    """Whether the value begins with a tag that it does not close, or ends with one that it does not open."""
    opened, closed = _OPENS.match(value), _CLOSES.search(value, max(0, len(value) - 60))
    if opened and opened["name"].lower() not in _NEVER_CLOSED and f"</{opened['name']}" not in value:
        return not opened[0].endswith("/>")
    if opened and (opened["name"].lower() in _PARTS or field_named(opened["name"])):
        return True
    return bool(closed and f"<{closed['name']}" not in value)


def _quote_left(value: str) -> bool:
    """Whether the value is a sentence with a quotation mark at its end alone."""
    return value.endswith(('."', '!"', '?"')) and value.count('"') == 1


def _code_left(value: str) -> bool:
    """Whether the value begins or ends as a part of a program, which its own brackets and marks do not complete."""
    if value.count('"""') % 2 or value.count("```") % 2 or _CUT_OFF.search(value) or _LIST_OF_CALLS.match(value):
        return True
    ends = _CODE_ENDS.search(value, max(0, len(value) - 8)) or _LAST_BRACKETS.search(value, max(0, len(value) - 16))
    if _QUOTED_FIRST.match(value):
        return True
    return bool(ends or _CODE_BEGINS.match(value)) and not _balanced(value.removesuffix(";"))


def _balanced(value: str) -> bool:
    """Whether brackets and quotation marks have partners; after a comma the list that they stand in goes on."""
    brackets = all(value.count(a) == value.count(b) for a, b in ("()", "[]", "{}"))
    return brackets and value.count('"') % 2 == 0 and not value.endswith(",")


def _log_left(value: str) -> bool:
    names = [pair["name"] for pair in _PAIRS.finditer(value)]
    known = [name for name in names if name in _ABOUT or field_named(name)]
    return (len(names) > 1 and bool(known)) or bool(_STAMPED.search(value))


def _hold_end(payload: Payload, text: str) -> None:
    """Raise where the query's last paragraph or line says something about the query, and a value ends with it."""
    before, gap, last = text.rstrip().rpartition("\n\n")
    line = f"\n{text.rstrip().rpartition(chr(10))[2].strip()}"
    texts = [context.text for context in payload.contexts]
    ends = [said for said in (payload.answer, payload.question, *payload.truths) if said]
    if any(f"\n{one}".endswith(line) for one in texts) and (
        _STAMPED.match(line) or _ABOUT_THE_SAMPLE.match(f"{line}\n")
    ):
        raise _unclear(line)
    if not (gap and before and 0 < len(last.strip()) <= _FOR_A_READER):
        return
    last = last.strip()
    longer = any(said.endswith(last) and said != last for said in (*ends, *texts))
    if not longer and (last not in texts or len(texts) < _SEVERAL):
        return
    to_a_reader = (_ABOUT_IT if (payload.answer or "").endswith(last) else _TO_A_READER).search(last)
    if _EDITED.match(last) or _ADDED.match(last) or without_names(last) != last or tells_relevance(last) or to_a_reader:
        raise _unclear(last)
    if longer and (like_signature(last) or _A_WORD.fullmatch(last)):
        raise _unclear(last)


def _hold_ids(payload: Payload) -> None:
    """Raise for relevant ids that are no ids of contexts, beside others that are."""
    if marked := next((name for name in payload.relevant_context_ids if re.search(r"[<>{}\"=]", name)), None):
        raise QueryError(f"{marked!r} stands among the relevant ids, which it cannot be.", "Send JSON instead.")
    if said := next(
        (name for name in payload.relevant_context_ids if " " in name and name.endswith((".", "!", "?"))), None
    ):
        raise QueryError(f"{said[:40]!r} stands among the relevant ids, which it cannot be.", "Send JSON instead.")
    known = {context.id for context in payload.contexts}
    if strange_id := next(filter(_NO_ID.fullmatch, known), None):
        raise QueryError(f"{strange_id[:40]!r} was read as a context's id, which it cannot be.", "Send JSON instead.")
    strange = [name for name in payload.relevant_context_ids if name not in known]
    if strange and len(strange) < len(payload.relevant_context_ids):
        kinds = {_kind(name) for name in known}
        odd = next((name for name in strange if name in payload.words or _kind(name) not in kinds), None)
        if odd is not None and not is_ordinal(odd):
            raise QueryError(f"{odd!r} stands among the relevant ids, but no context has it.", "Send JSON instead.")


def _kind(name: str) -> tuple[bool, bool]:
    """Whether an id has digits, and whether it has letters."""
    return any(map(str.isdigit, name)), any(map(str.isalpha, name))


def _without_a_strange_label(values: Sequence[str]) -> None:
    """Raise for a line that begins like a label, where something is missing: it may stand there, and the text would
    be scored with it.
    """
    for value in values:
        if strange := _LIKE_LABEL.search(value.partition("\n")[2]):
            raise QueryError(
                f"Something is missing, and {strange[1] or strange[2]!r} may be a label that is not known.",
                "Write Question: Contexts: Answer: Ground truth: Relevant ids: before the parts, or send JSON.",
            )
