"""Words, numbers and negations: the parts of a sentence that can be counted and compared without a model."""

import re
from functools import lru_cache
from threading import Lock

import snowballstemmer

TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,:]\d+)*%?")  # a word or a number, as spelled
_TOKENS = re.compile(r"\w+")
NUMERALS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(NUMERALS)}
NEGATION = re.compile(r"\b(?:not|no|never|none|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
STOPWORDS = frozenset(
    """a about above after again against all also am an and any are as at be because been before being
    below between both but by can could did do does doing down during each either few for from further get
    had has have having he her here hers him his how i if in into is it its itself just let may me might
    more most must my no nor not of off on once only or other our out over own rather same shall she should
    so some such than that the their them then there these they this those through to too under until up us
    use used uses using very was we were what when where which while who whom why will with would you your
    it's that's what's don't doesn't isn't aren't can't cannot""".split()
)
_stemmer = snowballstemmer.stemmer("english")
_stemming = Lock()  # the stemmer stores the word it works on, so threads must take turns


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The English stem of a lower-case word."""
    with _stemming:
        return str(_stemmer.stemWord(word))


def bare(text: str) -> str:
    """Only the words and numbers, lower-cased; two sentences with the same result are copies."""
    return " ".join(_TOKENS.findall(text.lower()))


def content(text: str) -> frozenset[str]:
    """The content words of a text, as stems and numbers."""
    return frozenset(common_form(m.group()) for m in TOKEN.finditer(text) if m.group().lower() not in STOPWORDS)


def is_negation(word: str) -> bool:
    """Whether a lower-case word is a negation by itself."""
    return NEGATION.fullmatch(word) is not None or word.endswith(("n't", "n’t"))


def number_word(word: str) -> str | None:
    """three → 3; `None` for anything but zero and two to twelve in letters."""
    return None if word == "one" else _NUMBER_WORDS.get(word)


def normal_number(number: str) -> str:
    """A number in digits, normalized: 1,000 → 1000, 2.50 → 2.5, 007 → 7."""
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", number):
        number = number.replace(",", "")
    whole, point, decimals = number.replace(",", ".").partition(".")
    decimals = decimals.rstrip("0")
    return (whole.lstrip("0") or "0") + (point + decimals if decimals else "")


def common_form(token: str) -> str:
    """The form that a token of `TOKEN` shares with others of the same meaning: its number or its stem."""
    lower = token.lower().replace("’", "'")
    return number_word(lower) or (normal_number(token) if token[0].isdigit() else stem(lower))


def tokens(text: str) -> int:
    """The number of tokens in the text, 0 or more: runs of Unicode word characters (`\\w+`)."""
    return len(_TOKENS.findall(text))
