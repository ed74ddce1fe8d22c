"""What may follow a quoted text in a story: its sentence ends there, or goes on with words that are not about it."""

from __future__ import annotations

import re

from trace_core.datasets.words import words_of
from trace_core.endpoint.reading.language.plain_tests import only_names
from trace_core.endpoint.reading.language.roles import RELEVANT
from trace_core.endpoint.reading.leads.told import is_machine
from trace_core.endpoint.reading.leads.words import TOPICS, TRUE

_GOES_ON = re.compile(
    r"[ \t]{0,4}(?:[.,;:!?)…]|\n|\Z|[-–—]|(?:and|or|but|while|whereas|when|our|it|ein|aus|zurück|y|e|und|oder|ou|o"
    r"|aber|et|mais|alors|pero|mientras|based|given|after|having|nach|nachdem|ayant|habiendo|avendo|après|tras|después"
    r"|dopo|ma|mentre|en|maar|och|men|i|a|ale|oraz|lub|sowie|plus)\b|(?:op|terug|ab)(?=[ ]?(?:[.,;!?\n]|\Z)))",
    re.IGNORECASE,
)
"""What may follow a quoted text; a sentence that goes on otherwise has quoted a part of what was said."""
FINAL = re.compile(
    r"[ ](?P<verbs>(?:[^\W\d_]{0,8}ge[^\W\d_]{2,12}(?:t|en|d)|beantwortet|beantwoord|erwidert|erhalten|wissen|weten"
    r"|erfahren|antworten|sagen|lauten|heißen|sein)(?:[ ](?:sollen|müssen|wollen|moeten|hat|hatte|haben|heeft))?)"
    r"(?=[ ]?(?:[.,;!?\n]|\Z|(?:und|aber|en|maar)\b))"
)
"""The verbs at the end of a German or Dutch clause: `Der Bot hat „…“ geantwortet.`"""
_TYPED_INTO = re.compile(
    r"[ ](?:into|to|in|at|an|dans|à|en|al?|nel|no|na|till|do|w)[ ](?P<what>(?:[^\W\d_]{1,14}[ ]){0,3}[^\W\d_]{2,20})"
    r"(?=[ ]?(?:[.,;!?\n]|\Z|(?:and|und|et|y|e|en|och|i)\b))"
)
"""`Someone typed “…” into the help bot.`"""
_ASIDE = re.compile(r"[ ]\((?P<said>[^()\d\"“”„«»]{12,200})\)(?=[.,;!?\s]|\Z)")
"""`(yes, it really reads like that)`"""
_BEGINS = re.compile(
    r"[ \t]{1,4}(?:[¿¡A-ZÀ-ÞŁŚŻŹ\"“„«]|(?:the|what|my|he|she|they|i|is|does|did|how|can|please|pls|thx|we|this|these"
    r"|sources?|pages?|articles?|passages?|answer|question|bot|expected|correct"
    r"|[a-z]{3,10} ?\d{1,2}(?=:))\b)"
)
"""The next sentence, as people write who know no capitals, too."""
_STOPS = (".", "!", "?", "…")


def ends(text: str, place: int, said: str) -> bool:
    """Whether the sentence does not go on at the place, after what is `said`, with words about that."""
    rest = text[place:].partition("\n")[0]
    sentence = said.endswith(_STOPS) and (_BEGINS.match(text, place) or only_names(rest))
    return bool(sentence or _GOES_ON.match(text, place)) or _is_aside(text, place) or _goes_to_machine(text, place)


def _is_aside(text: str, place: int) -> bool:
    """Whether words between parentheses follow, of which none may tell what the text is."""
    aside = _ASIDE.match(text, place)
    telling = (*RELEVANT, *TRUE, *TOPICS)
    return aside is not None and not any(word.startswith(telling) for word in words_of(aside["said"]))


def _goes_to_machine(text: str, place: int) -> bool:
    into = _TYPED_INTO.match(text, place)
    return into is not None and any(map(is_machine, words_of(into["what"])))
