"""One notation for what can be written in several: `€35k` → `35000 euros`, `3rd of May` → `3 May`, `16:00` → `4 pm`.
Documents and answers are read in it: differences are then of content. What is not made of words is no content."""

import re
from collections.abc import Callable, Iterable, Sequence, Set
from functools import lru_cache
from html import unescape

from text_to_num import alpha2digit

from trace_core.facts.words import NUMERALS
from trace_core.models import packaged_folder

_DIGITS = r"\d+(?:\.\d+)?"
_MONTHS = "January February March April May June July August September October November December".split()
_MONTH = rf"(?:{'|'.join(_MONTHS)}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
_TH, _YEAR = r"(?:st|nd|rd|th)?", r"(?:,? (\d{4}))?"
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_CURRENCIES = {
    **dict.fromkeys(("€", "EUR", "euro"), "euros"),
    **dict.fromkeys(("US$", "$", "USD", "dollar"), "dollars"),
    **dict.fromkeys(("£", "GBP", "pound"), "pounds"),
    **dict.fromkeys(("¥", "JPY"), "yen"),
    **dict.fromkeys(("CHF", "franc"), "francs"),
}
_SPELLINGS = """
mm = millimetres; cm = centimetres; m, meters, meter = metres; km, kilometers = kilometres; ft = feet; " =
inches; m², m2 = square metres; km² = square kilometres; m³ = cubic metres; mg = milligrams; g = grams; kg,
kilos = kilograms; lb, lbs = pounds; oz = ounces; ml, mL = millilitres; cl = centilitres; l, L, liters, liter =
litres; ms = milliseconds; s, sec, secs = seconds; min, mins = minutes; h, hr, hrs = hours; wk, wks = weeks; yr,
yrs = years; kB, KB = kilobytes; MB = megabytes; GB = gigabytes; TB = terabytes; W = watts; kW = kilowatts; MW =
megawatts; kWh = kilowatt hours; V = volts; Hz = hertz; MHz = megahertz; GHz = gigahertz; °C, ° C = degrees
Celsius; °F = degrees Fahrenheit; km/h, kph = kilometres per hour; mph = miles per hour; kbit/s = kilobits per
second; Mbit/s = megabits per second; per cent, pct = percent
"""
_UNITS = {
    spelling: unit
    for spellings, unit in (entry.split(" = ") for entry in " ".join(_SPELLINGS.split()).split("; "))
    for spelling in spellings.split(", ")
}
"""Abbreviations and other spellings of units, where they follow a number."""
_SCALES = {
    **{"k": 1e3, "K": 1e3, "M": 1e6, "m": 1e6, "mn": 1e6, "bn": 1e9, "B": 1e9, "tn": 1e12},
    **{"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12},
}
_FRACTIONS = {"½": "0.5", "¼": "0.25", "¾": "0.75", "⅓": "1/3", "⅔": "2/3"}
_ROMANS = [tens + ones for tens in ("", "X", "XX") for ones in ("", *"I II III IV V VI VII VIII IX".split())]


def _number(value: float) -> str:
    return f"{value:.6f}".rstrip("0").rstrip(".")


def _either(words: object) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))  # type: ignore[call-overload]


def _to_scale(match: re.Match[str]) -> str:
    return _number(float(match[1]) * (_SCALES.get(match[2]) or _SCALES[match[2].lower()]))


def _money(match: re.Match[str]) -> str:
    scale = _SCALES[match["scale"]] if match["scale"] else 1
    return f"{_number(float(match['value']) * scale)} {_CURRENCIES[match['sign']]}"


def _date(day: str, month: str, year: str | None) -> str:
    """A day of a month that is given as a number, or by the beginning of its name."""
    name = _MONTHS[int(month) - 1] if month.isdecimal() else next(one for one in _MONTHS if one[:3] == month[:3])
    return f"{int(day)} {name}" + (f" {year}" if year else "")


def _in_digits(match: re.Match[str]) -> str:
    """3.5.2024 and, where one number can only be the day or the text says which is, 3/5/2024."""
    first, mark, second, year = match.groups()
    order = re.search(r"(?i)day/month|dd/mm|month/day|mm/dd", match.string)
    day_first = mark == "." or int(first) > 12 or (order is not None and order[0][0] in "dD")
    if not (day_first or int(second) > 12 or order):
        return match[0]
    day, month = (first, second) if day_first else (second, first)
    return _date(day, month, year) if 1 <= int(month) <= 12 and int(day) <= 31 else match[0]


def _clock(hour: int, minute: int) -> str:
    if minute == 0 and hour % 12 == 0:
        return "noon" if hour == 12 else "midnight"
    return f"{(hour - 1) % 12 + 1}" + (f":{minute:02d}" if minute else "") + (" am" if hour < 12 else " pm")


def _of_twelve(match: re.Match[str]) -> str:
    hour, minute = int(match["hour"]), int(match["minute"] or 0)
    if not 1 <= hour <= 12:
        return match[0]
    ends = match[0].endswith(".") and not match.string[match.end() :].strip(" \n")
    return _clock(hour % 12 + 12 * (match["half"] in "pP"), minute) + "." * ends


def _of_twenty_four(match: re.Match[str]) -> str:
    """16:00 and 06:00; what 9:00 means is open, unless the text has an hour beyond 12."""
    hour, minute = int(match[1]), int(match[2])
    sure = hour > 12 or hour == 0 or match[1][0] == "0" or re.search(r"\b(?:1[3-9]|2[0-4]):[0-5]\d", match.string)
    return _clock(hour % 24, minute) if hour <= 24 and sure else match[0]


def _spoken_time(match: re.Match[str]) -> str:
    """Half past two in the afternoon, nine o'clock at night."""
    word = match["hour"].lower()
    hour = int(word) if word.isdecimal() else NUMERALS.index(word)
    steps = {"half": 30, "quarter": 15, "a quarter": 15}
    step = steps.get(match["step"].lower(), 0) if match["step"] else 0
    minute = step if (match["way"] or "past").lower() == "past" else -step
    part = match["part"].lower()
    late = part in ("afternoon", "evening") or (part == "night" and hour > 5)
    total = (hour % 12 + 12 * late) * 60 + minute
    return _clock(total // 60 % 24, total % 60)


def _roman(match: re.Match[str]) -> str:
    return f"{match[1]} {_ROMANS.index(match[2])}"


def _limit(match: re.Match[str]) -> str:
    return f"the {match[2]}{match[3]} at {'least' if match[1].lower() == 'min' else 'most'} "


def _share(match: re.Match[str]) -> str:
    shares = {"half": "50", "a quarter": "25", "one quarter": "25", "3/4": "75"}
    return f"{shares[match[1].lower()]} percent of{match[2] or ''}"


_SIGN, _WORD = _either([s for s in _CURRENCIES if not s.islower()]), _either([w for w in _CURRENCIES if w.islower()])
_SCALE = _either(_SCALES)
_HOUR = rf"\b(?P<hour>\d{{1,2}}|{'|'.join(NUMERALS[1:])})"

Rule = tuple[str, str | Callable[[re.Match[str]], str]]
_TYPESET: tuple[Rule, ...] = (
    (r"\{,\}", ","),
    (r"\\[,;: ]|~(?=\\)", " "),
    (r"\^?\{?\\circ\}?", "°"),
    (r"\\(?:mathrm|text|mathbf|mathit)\{([^{}]*)\}", r"\1"),
    (r"\\([%$€£])", r"\1"),
    (r"(?<!\w)\$([^$]{1,80})\$", r"\1"),
)
"""Formulas: `$1{,}240\\,^{\\circ}\\mathrm{C}$`."""
_EARLY: tuple[Rule, ...] = (
    (r"(?<![\w.,])(\d{1,3})((?: \d{3})+)(?![\w,]|\.\d)", lambda m: m[1] + m[2].replace(" ", "")),
    (r"(?<![\w.,])(\d{1,3}(?:,\d{3})+)(?![\d,])", lambda m: m[1].replace(",", "")),
    (rf"(?i)\b({_DIGITS})\s?(thousand|million|billion|trillion)\b", _to_scale),
    (r"(?i)\b(two|three)[ -](thirds|quarters)\b", lambda m: f"{2 + (len(m[1]) > 3)}/{3 if m[2][0] in 'tT' else 4}"),
)
_RULES: tuple[Rule, ...] = (
    (r"(?<=\d)\s?([½¼¾])", lambda m: _FRACTIONS[m[1]][1:]),
    (r"[½¼¾⅓⅔]", lambda m: _FRACTIONS[m[0]]),
    (r"(?<![\w.,])(\d{1,3}(?:\.\d{3})+),(\d{1,2})(?!\d)", lambda m: f"{m[1].replace('.', '')}.{m[2]}"),
    (r"(?<![\w.,])(\d+),(\d{1,2})(?=\s?[^\W\d_%]|\s?[%€$£])(?!,)", r"\1.\2"),
    (r"(?<![\w.])(\d+\.(?:\d*[1-9])?)0+(?=\s?(?:€|euro|dollar|pound))", lambda m: m[1].rstrip(".")),
    # Dates and days
    (r"(?<![\w/-])(\d{4})-(0[1-9]|1[0-2])-(\d\d)(?![\w-])", lambda m: _date(m[3], m[2], m[1])),
    (r"(?<![\w./])(\d{1,2})([./])(\d{1,2})\2(\d{4})(?![\w/])", _in_digits),
    (r"(?i) \((?:day/month/year|month/day/year|dd/mm/yyyy|mm/dd/yyyy)\)", ""),
    (rf"\b(?:the )?(\d{{1,2}}){_TH}(?: of)? ({_MONTH}){_YEAR}(?!\w)", lambda m: _date(*m.groups())),
    (rf"\b({_MONTH}) (?:the )?([12]?\d|3[01]){_TH}{_YEAR}(?![\w:])(?! ?[ap]\.?m)", lambda m: _date(m[2], m[1], m[3])),
    (r"\b(Mon|Tue|Tues|Wed|Thu|Thurs?|Fri|Sat|Sun)\.(?=,|\s)", lambda m: next(d for d in _DAYS if d[:3] == m[1][:3])),
    # Times of day
    (r"\b(?:12 (?:noon|midday)|midday)\b", "noon"),
    (rf"(?i){_HOUR}(?:[:.](?P<minute>[0-5]\d))? ?(?P<half>[ap])\.? ?m\b\.?", _of_twelve),
    (r"(?<![\d:.,])([01]?\d|2[0-4]):([0-5]\d)(?![:\d])", _of_twenty_four),
    (
        rf"(?i)\b(?:(?P<step>half|(?:a )?quarter) (?P<way>past|to) )?{_HOUR}(?: o['’]clock)?"
        r" (?:in the (?=morning|afternoon|evening)|at (?=night))(?P<part>morning|afternoon|evening|night)\b",
        _spoken_time,
    ),
    (r"(?<=\d)\s?[–—]\s?(?=[\d€$£])", " to "),
    (r"(?<=\b\d)-(?=\d{1,2}\b(?!-))", " to "),
    # Money, shares and scales
    (rf"(?P<sign>{_SIGN})\s?(?P<value>{_DIGITS})(?:\s?(?P<scale>{_SCALE})\b)?", _money),
    (rf"\b(?P<value>{_DIGITS})\s?(?:(?P<scale>{_SCALE})\s?)?(?P<sign>{_SIGN})(?!\w)", _money),
    (rf"\b({_DIGITS})\s?({_either([s for s in _SCALES if s.islower() and s != 'm'])})\b(?! ?\d)", _to_scale),
    (r"(?<=\d)\s?%", " percent"),
    (r"(?i)\b(half|(?:a|one) quarter|3/4) of( the| all| its| their)?\b", _share),
    (r"(?i)\bhalf (the|all|its|their)\b", r"50 percent of \1"),
    (r"(?i)\b(?:a|one) third of\b", "1/3 of"),
    (r"(?i)\bhalf an hour\b", "30 minutes"),
    (r"(?i)\bhalf an? (?=\w)", "0.5 "),
    (rf"(?i)\b({_DIGITS}) and a half\b", lambda m: _number(float(m[1]) + 0.5)),
    # Units, and what they are for
    (
        rf"(?<=\d)(?!(?<=\b1\d\d0)s\b|(?<=\b20\d0)s\b)[ -]?({_either(_UNITS)})(?![\w²³/°])(\.(?= [a-z]))?",
        lambda m: " " + _UNITS[m[1]],
    ),
    (r"(?<=\d)\s?[x×]\s?(?=\d)", " by "),
    (r"(?i)(?:(?<= )per |(?<=[a-z]) ?/ ?)(?=(?:day|week|month|year|night|person)\b)", "a "),
    (r"(?i)\bone (?=(?:second|minute|hour|day|week|month|year|euro|dollar|pound|percent|metre|litre|gram)\b)", "1 "),
    # Bounds
    (r"[≥⩾]\s?|>=\s?", "at least "),
    (r"[≤⩽]\s?|<=\s?", "at most "),
    (r"(?<=[\s(])>\s?(?=\d)", "more than "),
    (r"(?<=[\s(])<\s?(?=\d)", "less than "),
    (r"(?i)\b(?:no|not) (?:less|fewer) than (?=\d)|\b(?:a )?minimum of (?=\d)", "at least "),
    (r"(?i)\b(?:no|not) more than (?=\d)|\b(?:a )?maximum of (?=\d)|\bup to (?=\d)", "at most "),
    (r"(?i)\bnot (\w+) more than (?=\d)", r"\1 at most "),
    (r"(?i)\bnot (?:to )?exceed (?=\d)", "be at most "),
    (r"(?i)\blimited to (?=\d)", "at most "),
    (r"(?i)\b(?:the )?(min|max)imum ((?:\w+ ){1,3}?)(is|are|was) (?=\d)", _limit),
    # Ranks
    (r"(?i)\b(1st|2nd|3rd|[4-9]th|1[0-2]th)\b", lambda m: _ORDINALS[int(m[1][:-2]) - 1]),
    (rf"\b([A-Z][a-z]+) ({_either([n for n in _ROMANS if len(n) > 1])})\b", _roman),
    (r"\b([Cc]hapter|[Pp]art|[Ss]ection|[Vv]olume|[Aa]ct|[Pp]hase|[Tt]ype|[Ll]evel|War) ([IVX])\b", _roman),
    (r"(?i)\b(?:approx\.|approximately|roughly|circa|ca\.|c\.) ?(?=\d)|~ ?(?=\d)", "about "),
    (r"(?i)\bminus (?=\d)", "-"),
    (r"\s&\s", " and "),
)
_BEFORE_WORDS = tuple((re.compile(pattern), to) for pattern, to in _EARLY)
_FORMULA = tuple((re.compile(pattern), to) for pattern, to in _TYPESET)
_AFTER_WORDS = tuple((re.compile(pattern), to) for pattern, to in (*_EARLY, *_RULES))
_CHANGEABLE = re.compile(
    r"[\d½¼¾⅓⅔&]|\b(?:[IVX]{2,}|one|half|quarters?|thirds?|noon|midday|o['’]clock)\b"
    r"|\b(?:chapter|part|section|volume|act|phase|type|level|war) [IVX]\b",
    re.IGNORECASE,
)
"""What a text has that any of the rules may change."""
_NUMBER_WORD = re.compile(
    r"(?i)\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    r"|hundred|thousand|million|billion)\b"
)
_UNSEEN = re.compile(
    r"\x1b\[[0-9;]{0,9}[A-Za-z]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]"
    "|[\u200b-\u200f\u202a-\u202e\u2060\ufeff]"
)
"""Control sequences and characters without width: they say nothing."""
_WIDE = {0xFF01 + i: 0x21 + i for i in range(94)} | dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u202f\u3000"), " ")
"""Characters of full width, and spaces of every width."""
_LONGEST = 5_000
_PART = re.compile(r"\w+")
_AMOUNT = re.compile(r"\d+(?:st|nd|rd|th|am|pm|s)?")
_LEAST_SHARE = 0.5
"""The least share of a sentence's words that the model's vocabulary, the documents or the question have."""


@lru_cache(maxsize=20_000)
def normal(text: str) -> str:
    """The text in one notation; unchanged where it has no number, or is too long for a sentence. Never raises."""
    if len(text) > _LONGEST:
        return text
    text = _plain(text)
    if _NUMBER_WORD.search(text):
        for pattern, to in _BEFORE_WORDS:
            text = pattern.sub(to, text)
        text = alpha2digit(text, "en", 1)
    if not _CHANGEABLE.search(text):
        return text
    for pattern, to in _AFTER_WORDS:
        text = pattern.sub(to, text)
    return text


def _plain(text: str) -> str:
    """The text without entities, full width, characters that are not seen, and the commands of formulas."""
    text = _UNSEEN.sub("", unescape(text).translate(_WIDE))
    if "\\" in text or "{,}" in text:
        for pattern, to in _FORMULA:
            text = pattern.sub(to, text)
    return text


def unreadable(response: Sequence[str], vocabulary: Iterable[str]) -> list[int]:
    """The places of sentences of which less than half are known words, or that repeat one word. Where a response has
    words, its sentences without any are layout."""
    parts = [_PART.findall(text.lower()) for text in response]
    if not any(parts):
        return list(range(len(parts)))
    if strange := [row for row, words in enumerate(parts) if _is_strange(words, _vocabulary())]:
        every = _vocabulary() | {word for text in vocabulary for word in _PART.findall(text.lower())}
        strange = [row for row in strange if _is_strange(parts[row], every)]
    echoes = [row for row, words in enumerate(parts) if len(words) > 2 and len(set(words)) == 1]
    return [*strange, *echoes]


def _is_strange(words: Sequence[str], vocabulary: Set[str]) -> bool:
    return sum(word in vocabulary or bool(_AMOUNT.fullmatch(word)) for word in words) < _LEAST_SHARE * len(words)


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """The packaged model's whole words, without single letters."""
    lines = (packaged_folder() / "vocab.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for word in lines if len(word) > 1 and word.isalpha()) | {"a", "i"}
