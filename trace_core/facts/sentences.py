"""Sentences and their keys: lines form blocks, `sentencex` cuts paragraphs, and its errors are corrected."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise, takewhile
from typing import NamedTuple

import sentencex

from trace_core.facts.language import ENGLISH, language_of
from trace_core.facts.layout import citations

# Abbreviations at which a splitter errs, without their stop: English, and of other languages what `sentencex` lacks.
_TITLES = frozenset(
    """Mr Mrs Ms Mx Messrs Mme Mlle Mgr Dr Drs Prof Rev Hon Gen Col Lt Capt Cpt Cmdr Sgt Cpl Maj Adm Gov Sen Rep Pres
    Dir Supt Insp Mt Ft Mevr Dhr Sr Sra Sras dr prof mevr dhr sr sra""".split()
)
"""No sentence ends after one: a name follows. "Which rep." and "the gen." are no titles."""
_JOINING = frozenset(
    """approx aprox eq eqs ref refs incl resp ca ab abb abs bzw geb inkl mwst vgl cf vs e.g i.e str""".split()
)
"""In lower case. No sentence ends after one, either."""
_COUNTING = frozenset(
    """vol vols no nos nr num núm fig figs sec secs ch chap art arts para paras p pp pag pág tab tabs ver tel ext apt rm
    bldg est max min avg jan feb mar apr jun jul aug sep sept oct nov dec mins hr hrs yr yrs wk wks oz lb lbs ft in reg
    pos""".split()
)
"""In lower case: counting words, units, months. No sentence ends between one and a number."""
_ENDING = re.compile(
    r"(?:(?:(?<=\d|°)|(?<=\d\s))[lgmshtVAWKCFJN]|\b(?:[Mm]ay|[Nn]o|[Jj]an|[Ff]eb|[Ss]ept?|[Oo]ct|[Nn]ov|[Dd]ec|min|max|Jr"
    r"|Inc|Ltd|Co|Corp|k?m/h|[A-Za-z]{1,5}/[A-Za-z]{1,3}|[A-Z][a-z]+\s(?:St|Ave|Rd|Blvd)))\.\s+"
)
"""With the stop. These end a sentence, too, where a new one clearly begins: "It holds 2 l. It is red."""
_SMALL_WORD = (
    r"(?:(?:It|Its|The|This|That|These|Those|They|There|Then|An|In|On|At|If|When|While|You|Your|We|He|She|For|To|With"
    r"|And|But|Use|After|Before|Do|Please|Each|All|Both|No|Not|My|Our|Their|His|Her)\b|A\s[a-z])"
)
_OPENER = re.compile(_SMALL_WORD)  # a small word with a capital
_BEGINNING = re.compile(rf"{_SMALL_WORD}|[A-Z][a-z]+,?\s+[a-z]")
"""What clearly begins a sentence: a small word with a capital, or a capital before a small word."""
_GOES_ON = re.compile(
    r"(?i)(?:[,;(–-]|\b(?:an?|the|of|and|or|to|in|at|by|for|with|from|as|than|that|which|if|when|but|into|per|see))\Z"
)
"""The end of a line, or of what stands before a mark, after which its sentence goes on."""

_WINDOW, _MARGIN = 1000, 100  # characters: `sentencex` is quadratic on some texts, so it never sees more
_SHORT = 60  # characters: of a shorter text, its record tells the language better
_NARROWEST = 40  # characters: no paragraph is wrapped at less
_MOST_NAMES = 4  # so many lines of a wrapped paragraph may all begin with a name
_NEAR = 60  # characters on either side of a cut that decide whether it is one
_MARKER = r"(?:[-*+•▪●◦‣·–—]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)])"  # of a list item
_LIST_MARK = re.compile(rf"^{_MARKER}(?:\s+|$)")
_FIRST_MARKER = re.compile(r"[-*+•▪●◦‣·]|\(?[1ai][.)]")  # opens a list even without a preceding empty line
_NUMBER, _ADDRESS = re.compile(r"\(?\d{1,2}[.)]"), re.compile(r"://|www\.|[@=\\`]")
_WORD, _NOT_PLAIN = re.compile(r"[^\W_]"), re.compile(r"[^\w\s,:;/-]")
_FENCE, _HEADING = (re.compile(r"`{3,}(?=[^`]*$)|~{3,}(?=[^~]*$)"), re.compile(r"#{1,6}\s|(\*\*|__)[^*_]+\1:?$"))
_LABEL = re.compile(r"[A-Z][\w-]*(?: [\w-]+){0,2}:\s+\S")  # "Title: …", "Side effects: …"
_ABBREVIATION = re.compile(r"^\W*(?:[^\W\d_]{1,5}|[^\W\d_]{1,4}\.(?:[\w-]{1,5}\.)*[\w-]{1,5})\.$")  # "min.", "d.w.z."
_OPENING = tuple("\"'“‘«([{„¿¡")
_RUNS_ON = tuple(".!?,;…。！？，；、-")  # how a line of prose ends, and a heading does not
_UPPER = r"(?=[^\W\d_a-zäöüß])"  # an upper-case letter, or a letter of a caseless script
_NUMERAL = re.compile(r"\(?\d|[IVXL]{2,}\b")
# Cuts to add: after "etc.", a bracket around sentences and an address; before an item within a line.
_FURTHER_CUT = re.compile(
    rf"\b(?:etc|usw)\.\s+{_UPPER}|(?:(?<![^\n])|(?<=[.!?]\s)|(?<=[.!?]\s\s)|(?<=[。！？]))[(\[（【][^()\[\]（）【】]*[.!?。！？][)\]）】]\s*{_UPPER}"
    rf"|://\S{{1,99}}[.!?]\s+{_UPPER}|\s(?=[•▪●◦‣]\s)|[:;]\s+(?=\(?\d{{1,2}}[.)]\s+[^\W\d_a-zäöüß])"
)
# What closes right after a sentence: emphasis in Markdown, a tag of HTML. `sentencex` cuts before it or not at all.
_CLOSING = re.compile(r"(?<=[\w)\]\"”’'»%][.!?])(?:\*{1,3}|_{1,3}|~~|</[A-Za-z][A-Za-z0-9]{0,10}>){1,9}(?=[\s<]|\Z)")
_BLOCK_TAG = re.compile(  # but not in "the tag `</p>`"
    r"(?i)(?:(?<=[^\s`'\"“])|(?<=\n))</(?:p|div|li|h[1-6]|tr|[uo]l|table|blockquote|section|article|d[dlt])>\s*"
)
_MARK = re.compile(r"[*_~]+")
_TAGS = re.compile(r"(?:\s*</[A-Za-z][A-Za-z0-9]{0,10}>)+\s*")
_ORDINAL_NOUN = re.compile(  # "am 3. Oktober", "im 19. Jahrhundert"
    r"(?:Janu|Febru)ar|März|April|Mai\b|Ju[nl]i|August|(?:Sept|Nov|Dez)ember|Oktober|Jahr\w|Jh|Weltkrieg|Auflage"
)
_NEXT_WORD = re.compile(r"[\"“‘(<-]|\[(?!\d)|[^\W\d_][\w’'-]*(?:[\s,;:]|[.!?]?$|[.!?]\s)")
_ACRONYM = re.compile(r"[A-Z]{2,}")  # "ASP.NET"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence: its key (`0a` in a document, `a` in a response), its text, and the offsets `[start, end)`
    of its span in the source text, in code points (both None if it was not found there)."""

    key: str
    text: str
    start: int | None
    end: int | None


class _Line(NamedTuple):
    start: int  # where its stripped text starts
    end: int  # where the next line starts
    text: str
    body: str  # its text after a list marker
    bar: str  # what separates its cells, "" for prose


@dataclass(slots=True)
class _Block:
    start: int
    body: int  # where its text starts after a list marker
    end: int
    whole: bool  # one sentence by its form, whatever full stops it contains


def letters(j: int) -> str:
    """Number `j` (0 or more) in bijective base 26: 0 is a, 25 is z, 26 is aa. Raises `ValueError` below 0."""
    if j < 0:
        raise ValueError(f"a sentence number is 0 or more, not {j}")
    return (letters(j // 26 - 1) if j > 25 else "") + chr(ord("a") + j % 26)


def spans(text: str, language: str | None = None) -> list[tuple[int, int]]:
    """Offsets `[start, end)` of the sentences, in code points. They tile the text: the first starts at 0, each ends
    where the next starts, the last ends at `len(text)`, and each contains more than whitespace. A text of whitespace
    alone has none. `language` is that of a text too short to tell. Linear in the text; never raises on any string."""
    # One character for one, so offsets stay valid. Rust rejects lone surrogates; and `sentencex` takes the text
    # between ‘ and a later ’ for a quotation and does not cut it: "rock ‘n roll … the band’s".
    safe = re.sub(r"(?<=\w)’(?=\w)", "ʼ", re.sub("[\ud800-\udfff]", "\ufffd", text))
    short = language and len(text) < _SHORT
    starts, language = [0], (language if short else language_of(safe)) or language or ENGLISH
    bare = _CLOSING.sub(_blanks_for, safe) if any(mark in safe for mark in ("*", "_", "~~", "</")) else safe
    for block in _blocks(safe):
        starts.append(block.start)
        if not block.whole and _NOT_PLAIN.search(safe, block.body, block.end):
            tags = {tag.end() for tag in _BLOCK_TAG.finditer(safe, block.start, block.end)} - {block.end}
            starts.extend(sorted(tags.union(_paragraph_starts(bare, block, language))))
    return _join(safe, _after_marks(safe, set(starts))) if text.strip() else []


def response_sentences(text: str, language: str | None = None) -> list[Sentence]:
    """The sentences of a response, keyed a, b, … z, aa, …; the text of each is its stripped span."""
    return [Sentence(letters(j), text[a:b].strip(), a, b) for j, (a, b) in enumerate(spans(text, language))]


def document_sentences(index: int, text: str, language: str | None = None) -> list[Sentence]:
    """The sentences of document number `index` (0 is the first), keyed 0a, 0b, … if `index` is 0."""
    return [Sentence(f"{index}{s.key}", s.text, s.start, s.end) for s in response_sentences(text, language)]


LONGEST_SEARCH = 100_000_000  # characters: a thousand sentences missing from 100 kB, searched in less than a second


def locate(text: str, pairs: Sequence[tuple[str, str]]) -> list[Sentence]:
    """The unchanged (key, sentence) pairs, each with the offsets `[start, end)` of its match in `text`. Whitespace is
    ignored on both sides. A sentence is looked for after the one before it, then from the beginning. An empty or
    missing one gets None, None. After failed searches have read `LONGEST_SEARCH` characters, all others do."""
    compact = "".join(text.split())
    places = [i for i, character in enumerate(text) if not character.isspace()]
    sentences, cursor, read = list[Sentence](), 0, 0
    for key, sentence in pairs:
        needle, at = "".join(sentence.split()), -1
        if needle and read < LONGEST_SEARCH:
            at = compact.find(needle, cursor)
            if at < 0:
                at, read = compact.find(needle), read + 2 * len(compact)
        start, end = (None, None) if at < 0 else (places[at], places[at + len(needle) - 1] + 1)
        cursor = cursor if at < 0 else at + len(needle)
        sentences.append(Sentence(key, sentence, start, end))
    return sentences


def _paragraphs(text: str) -> Iterator[list[_Line]]:
    """The lines between empty ones."""
    start, lines = 0, list[_Line]()
    for raw in [*text.splitlines(keepends=True), ""]:
        end = start + len(raw)
        if line := raw.strip():
            body = _LIST_MARK.sub("", line)
            bar = "|" if "|" in body else "\t" if "\t" in body else ""
            lines.append(_Line(end - len(raw.lstrip()), end, line, body, bar))
        elif lines:
            yield lines
            lines = []
        start = end


def _each_anew(lines: list[str]) -> bool:
    """Whether each line begins anew, and they are not the lines of one paragraph that was wrapped at a width."""
    if any(_first_word(line).islower() for line in lines[1:]) or any(map(_GOES_ON.search, lines[:-1])):
        return False
    width, has_case = max(map(len, lines), default=0), any(map(str.islower, chain(*lines)))
    words = [line.split()[0] if has_case else line[0] for line in lines]
    if not all(len(line) + len(below) >= width for line, below in zip(lines, words[1:], strict=False)):
        return True
    names = has_case and len(lines) <= _MOST_NAMES and width >= _NARROWEST  # that these begin the lines may be chance
    return has_case and (not names or any(map(_OPENER.match, lines[1:])))


def _first_word(text: str) -> str:
    """The letters that a text begins with: "iPhone" is not lower-case."""
    return "".join(takewhile(str.isalpha, text))


def _blocks(text: str) -> list[_Block]:
    blocks: list[_Block] = []
    fence = ""
    for lines in _paragraphs(text):
        anew = _each_anew([line.text for line in lines])
        for above, line, below in zip([None, *lines], lines, [*lines[1:], None], strict=False):
            inside, opening = fence, _FENCE.match(line.text)
            closing = inside and len(line.text) >= len(inside) and not line.text.strip(inside[0])
            fence = "" if closing else inside or (opening[0] if opening else "")
            whole = bool(inside or fence) or _is_whole(line, above, below)
            if inside or not (whole or not above or blocks[-1].whole or anew or _interrupts(line, above, blocks[-1])):
                blocks[-1].end = line.end
            else:
                blocks.append(_Block(line.start, line.start + len(line.text) - len(line.body), line.end, whole))
    return blocks


def _is_whole(line: _Line, above: _Line | None, below: _Line | None) -> bool:
    if line.bar and (line.text[0] == "|" or line.bar in (above and above.bar, below and below.bar)):
        return True
    if not _WORD.search(line.text) or _HEADING.match(line.text):
        return line.body != ""  # a lone marker waits for its item
    alone = not any(other and other.text.isupper() for other in (above, below))  # an all-caps paragraph is a paragraph
    return alone and line.text.isupper() and len(line.text) <= 80 and not line.text.endswith(_RUNS_ON)


def _interrupts(line: _Line, above: _Line, block: _Block) -> bool:
    """Whether this line starts a block without an empty line above: an item, a label, a mark of its own."""
    if line.body == line.text:
        return bool(_LABEL.match(line.text)) or not (line.text[0].isalnum() or line.text[0] in _OPENING)
    opens = block.body > block.start or bool(_FIRST_MARKER.match(line.text))
    return opens or above.text.endswith((*_RUNS_ON, ":", "："))


def _blanks_for(match: re.Match[str]) -> str:
    """Blanks, one for one, for what closes a sentence; not for the marks of "**1.**" or "**Dr.**", which go on."""
    words = _MARK.split(match.string[max(0, match.start() - _NEAR) : match.start()])[-1].split()
    is_short = bool(words) and words[-1].endswith(".") and len(words) < (3 if words[-1][:-1].isdigit() else 2)
    return match[0] if is_short and match[0].startswith(("*", "_", "~")) else " " * len(match[0])


def _cuts(text: str, start: int, end: int, language: str) -> Iterator[int]:
    """Where `sentencex` cuts `text[start:end]`, read through a window that advances to the last sure cut."""
    while start < end:
        window = re.sub(r"[^\S\n ]", " ", text[start : min(end, start + _WINDOW)])  # it panics on a no-break space
        sure = len(window) - (_MARGIN if start + _WINDOW < end else 0)
        boundaries = (cut["end_index"] for cut in sentencex.get_sentence_boundaries(language, window))
        cuts = [cut for cut in boundaries if 0 < cut <= sure]
        yield from (start + cut for cut in cuts)
        # If the last cut comes early, skip the whole window, or windows could overlap endlessly.
        start += cuts[-1] if cuts and cuts[-1] > _WINDOW // 2 else len(window)


def _paragraph_starts(text: str, block: _Block, language: str) -> list[int]:
    starts = {match.end() for match in _FURTHER_CUT.finditer(text, block.start, block.end)}
    if language == ENGLISH:
        ends = (match.end() for match in _ENDING.finditer(text, block.start, block.end))
        starts |= {end for end in ends if _BEGINNING.match(text, end, block.end)}
    for cut in _cuts(text, block.body, block.end, language):
        while cut < block.end and text[cut].isspace():
            cut += 1
        if _is_start(text[max(block.start, cut - _NEAR) : cut], text[cut : min(block.end, cut + _NEAR)], language):
            starts.add(cut)
    return sorted(starts)


def _is_start(before: str, after: str, language: str) -> bool:
    """Whether a sentence starts where `sentencex` cuts; a mark that closes a quotation may open one elsewhere."""
    token = before.split()[-1] if before.strip() else ""
    if not after or after[0] in ")]}）】」』" or not (before[-1:].isspace() or _is_joint(token, after)):
        return False
    if _first_word(after).islower() and token[-1:] in tuple(".!?"):
        return False
    if not token.endswith("."):
        return True
    word = token[:-1].lstrip("\"'“‘([{*_")
    counting = word.lower() in _COUNTING or (language != ENGLISH and _ABBREVIATION.search(token))
    ordinal = _NUMBER.fullmatch(token) and _ORDINAL_NOUN.match(after)
    joins = word in _TITLES or word.lower() in _JOINING or word.endswith("str")
    return not (joins or ordinal or (counting and _NUMERAL.match(after)))


def _is_joint(token: str, after: str) -> bool:
    """Whether two sentences meet here without a space ("It rained.Then"), not parts of an address or name."""
    stem = token.rstrip(')]"”’」』）】')
    if stem == "." or _ACRONYM.match(after):
        return False
    word = stem.rstrip(".!?")
    ends = not word or (len(word) > 1 and word[-2:].isalnum()) or word[-1] in ')]%"”’'
    plain = ends and not _ADDRESS.search(token) and bool(_NEXT_WORD.match(after))
    return plain or stem.endswith(tuple("。！？…｡"))


def _after_marks(text: str, starts: set[int]) -> list[int]:
    """The starts, where a mark that names a source belongs to the sentence before it and may stand for its stop."""
    for start, end in citations(text):
        before = text[max(0, start - _NEAR) : start].rpartition("\n")[2].rstrip()
        after = end
        while text[after : after + 1] == " ":
            after += 1
        ends = start in starts or (not _GOES_ON.search(before) and bool(_BEGINNING.match(text, after)))
        if before and not _LIST_MARK.fullmatch(before) and ends:
            starts.discard(start)
            starts.add(after)
    return sorted(starts - {len(text)})


def _join(text: str, starts: list[int]) -> list[tuple[int, int]]:
    """Spans from starts; a piece without a word of its own (a lone marker, a rule) is joined to its neighbour."""
    cuts: list[int] = []
    waiting = False  # the last piece is a marker or a wordless opening: the next piece belongs to it
    for start, end in pairwise([*dict.fromkeys(starts), len(text)]):
        piece = text[start:end]
        marker, wordless = _LIST_MARK.fullmatch(piece.strip()), not _WORD.search(piece) or bool(_TAGS.fullmatch(piece))
        if not cuts or not (waiting or (wordless and not marker)):
            cuts.append(start)
        waiting = bool(marker) or (wordless and (waiting or not start))
    if waiting and len(cuts) > 1:
        cuts.pop()
    return list(pairwise([*cuts, len(text)]))
