"""The names of the tests, in any spelling and in several languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from trace_core.endpoint.reading.language.requests import around
from trace_core.endpoint.registry import TESTS

_OF_ANSWER = r" of (?:the|an|our|this|that) (?:answer|reply|response)"
_KNOWN = re.compile(
    rf"(?<!\w)(?:(?P<answer_accuracy>(?:answers?|ans)[ _-]?(?:accuracy|acc)|accuracy{_OF_ANSWER}"
    r"|antwortgenauigkeit|genauigkeit der antwort"
    r"|(?:exactitude|précision) de la réponse|(?:exactitud|precisión) de la respuesta|accuratezza della risposta"
    r"|(?:exatidão|precisão) da resposta|nauwkeurigheid van het antwoord|svarsnoggrannhet|svarets noggrannhet)"
    r"|(?P<context_recall>(?:contexts?|ctx)[ _-]?recall|recall of the (?:retrieved )?contexts?|kontext[ -]?recall"
    r"|rappel du contexte|recall del contexto"
    r"|(?:recall|richiamo) del contesto|recall do contexto|recall van de context)"
    r"|(?P<context_precision>(?:contexts?|ctx)[ _-]?precision|precision of the (?:retrieved )?contexts?"
    r"|kontext[ -]?pr(?:ä|e)[zc]ision|précision du contexte"
    r"|precisión del contexto|precisione del contesto|precisão do contexto|precisie van de context)"
    r"|(?P<faithfulness>faithfulness|(?<!and how )faithful|kontexttreue|quellentreue"
    r"|källtrohet|trohet mot (?:käll(?:orna|an)|kontexten)|brontrouw|getrouwheid"
    r"|fidélité|fidelidade?|fedeltà)"
    rf"|(?P<answer_relevancy>(?:answers?|ans|responses?)[ _-]?relevanc[ey]|relevanc[ey] to (?:the|its) question"
    rf"|relevanc[ey]{_OF_ANSWER}|antwortrelevanz"
    r"|relevanz der antwort"
    r"|pertinence de la réponse|relevancia de la respuesta|(?:pertinenza|rilevanza) della risposta"
    r"|relevância da resposta|relevantie van het antwoord|antwoordrelevantie|svarsrelevans|svarets relevans)"
    r"|(?P<context_utilisation>(?:contexts?|ctx)[ _-]?utili[sz]ation|kontextnutzung|utilisation du contexte"
    r"|(?:uso|utilización) del contexto|(?:uso|utilizzo) del contesto|(?:uso|utilização) do contexto"
    r"|gebruik van de context))(?![^\W_]{4})",
    re.IGNORECASE,
)
_CHARACTERS = {
    "忠実性": "faithfulness", "忠実度": "faithfulness", "忠实度": "faithfulness",
    "回答の関連性": "answer_relevancy", "回答関連性": "answer_relevancy", "答案相关性": "answer_relevancy",
    "回答の正確性": "answer_accuracy", "回答正確性": "answer_accuracy", "答案准确性": "answer_accuracy",
    "コンテキスト再現率": "context_recall", "上下文召回率": "context_recall",
    "コンテキスト適合率": "context_precision", "コンテキスト精度": "context_precision",
    "上下文精确率": "context_precision",
    "コンテキスト利用率": "context_utilisation", "上下文利用率": "context_utilisation",
}  # fmt: skip
"""Names in Japanese and Chinese, which no blanks separate from other words."""
_CHARACTER = re.compile("|".join(map(re.escape, _CHARACTERS)))
_SHORT = {
    "accuracy": "answer_accuracy",
    "acc": "answer_accuracy",
    "recall": "context_recall",
    "precision": "context_precision",
    "relevancy": "answer_relevancy",
    **dict.fromkeys(
        "relevance relevanz pertinence relevancia pertinencia pertinenza rilevanza relevância relevantie "
        "relevans".split(),
        "answer_relevancy",
    ),
    **dict.fromkeys("genauigkeit exactitude exactitud accuratezza exatidão nauwkeurigheid".split(), "answer_accuracy"),
    "präzision": "context_precision",
    "utilisation": "context_utilisation",
    "utilization": "context_utilisation",
}
_AS_WELL = re.compile(r"[ ](?:and|&|\+|und|et|y|e)[ ](recall|precision|utili[sz]ation)\b", re.IGNORECASE)
_SPELLED = {name.replace("_", " "): name for name in TESTS} | {
    "answer relevance": "answer_relevancy",
    "context utilization": "context_utilisation",
}
_KIND = re.compile(r"[ _](?:metric|score|test|check|evaluator)\Z", re.IGNORECASE)
"""What a name may end with."""
_ALIKE = 0.86
"""How alike a misspelled name is to the right one, by `difflib`'s ratio."""
_ANOTHER = re.compile(r"\d|^(?:un|non|in|dis)")
"""What a mistake of spelling does not write: `faithfulness2`, `unfaithfulness`."""
_ALL = re.compile(
    r"(?:all|everything|every|alles|alle|allemaal|tous|toutes|tout|tod[oa]s?|tudo|tutt[oaie]|allt|alla|wszystkie"
    r"|wszystko)(?: (?:the|of|them|rest|others|remaining|restlichen|übrigen"
    r"|six|six of them|tests?|metrics?|available|sechs|zes|sex|sześć|metriken|les|l[ao]s|[ao]s|i|le|seis"
    r"|e sei|sei|de|testerna|testów|métriques|métricas|metriche|metrieken|testes|tester|testy"
    r"|pruebas|mätvärden|metryki)){0,4}",
    re.IGNORECASE,
)
_SET = re.compile(
    r"(?:full|whole|complete|entire|ganze|komplette|volle|hele|volledige)[ ]"
    r"(?:set|suite|battery|range|programme?|programm|palette|batterie)"
    r"|(?:(?:conjunto|batería) complet[oa]|ensemble complet|batterie complète|batteria completa|bateria completa)"
    r"(?: (?:m[ée]tri\w{1,6}|tests?|pruebas|testes))?",
    re.IGNORECASE,
)
"""Words for all tests as one."""
_ENDINGS = tuple(
    "ity ness ance ence ancy ency ition ution ism bias recall precision bleu rouge f1 ität heit keit ité idad dade ità "
    "teit itet ość encia ancia ência ância enza anza entie antie enz score similarity match".split()
)
_OTHERS = frozenset("bleu rouge f1 meteor mrr ndcg bertscore tone style safety cost speed coverage grammar".split())
_NO_TESTS = frozenset(
    "urgency priority university community city facility identity business emergency agency currency activity "
    "witness once since hence instance chance advance finance insurance entrance distance balance priorität universität"
    " università universidad universidade cidade cità ciudad stad instance".split()
)
"""Words of such endings that name no test."""
_NEVER_IN_NAMES = frozenset(
    "the a an our my your his her its their this that these those of for in on at to with from by as is are was not no "
    "also then so if or der die das den dem ein eine im am zu von für le la les un une de du des en pour sur el los "
    "las del il lo gli di da het een van op o os do em det".split()
)
_MOST_IN_NAMES = 3


def like_a_test(item: str) -> bool:
    """Whether an unknown name may be a test's: `toxicity`, `answer correctness`."""
    words = re.split(r"[\s_-]+", item.lower())
    if not 0 < len(words) <= _MOST_IN_NAMES or not all(word.isalnum() and len(word) > 1 for word in words):
        return False
    if not _NEVER_IN_NAMES.isdisjoint(words) or any(map(around, words)) or words[-1] in _NO_TESTS:
        return False
    return (words[-1].endswith(_ENDINGS) or words[-1] in _OTHERS) and without_names(item) == item


def is_name(item: str) -> bool:
    """Whether the item is a known test's whole name, perhaps a short one."""
    return canonical(item) in TESTS


def is_all(item: str) -> bool:
    """Whether the item stands for all tests: `everything`, `all six metrics`, `*`."""
    return item.strip() == "*" or _ALL.fullmatch(item.strip(" \t_-.\"'[]").replace("_", " ")) is not None


def is_set(item: str) -> bool:
    """Whether the item stands for all tests taken as one: `the full set`."""
    return _SET.fullmatch(item.strip()) is not None


def names_set(text: str) -> bool:
    """Whether the text speaks of the tests taken as one."""
    return _SET.search(text) is not None


def canonical(name: str) -> str:
    """A test's canonical name from another spelling; an unknown name is unchanged."""
    plain = name.strip().replace("-", " ")
    known = _KNOWN.fullmatch(plain) or _KNOWN.fullmatch(_KIND.sub("", plain))
    return (known.lastgroup if known else None) or _SHORT.get(name.strip().lower()) or name.strip()


def nearest(name: str) -> str | None:
    """The test that a misspelled name means; `None` where it may be several tests' name, or another test's."""
    plain = " ".join(re.split(r"[\s_-]+", name.strip().lower())[:3])
    near = get_close_matches(plain[:40], _SPELLED, n=len(TESTS), cutoff=_ALIKE)
    tests = {_SPELLED[one] for one in near}
    return tests.pop() if len(tests) == 1 and not _ANOTHER.search(plain) else None


def without_names(text: str) -> str:
    """The text without the names of tests."""
    return _CHARACTER.sub(" ", _KNOWN.sub(" ", text))


def known_in(text: str) -> Iterator[str]:
    """The tests named in the text; after one of the contexts another may stand without that word."""
    yield from (_CHARACTERS[name] for name in _CHARACTER.findall(text))
    for match in _KNOWN.finditer(text):
        if match.lastgroup:
            yield match.lastgroup
            more = _AS_WELL.match(text, match.end()) if match.lastgroup.startswith("context") else None
            if more:
                yield _SHORT[more[1].lower()]
