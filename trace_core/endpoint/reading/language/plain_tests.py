"""The tests that a person names in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from trace_core.endpoint.registry import TESTS

_OF_ANSWER = r" of (?:the|an|our|this|that) (?:answer|reply|response)"
_KNOWN = re.compile(
    rf"(?<!\w)(?:(?P<answer_accuracy>answers?[ _-]?accuracy|accuracy{_OF_ANSWER}"
    r"|antwortgenauigkeit|genauigkeit der antwort"
    r"|(?:exactitude|précision) de la réponse|(?:exactitud|precisión) de la respuesta|accuratezza della risposta"
    r"|(?:exatidão|precisão) da resposta|nauwkeurigheid van het antwoord|svarsnoggrannhet|svarets noggrannhet)"
    r"|(?P<context_recall>contexts?[ _-]?recall|recall of the (?:retrieved )?contexts?|kontext[ -]?recall"
    r"|rappel du contexte|recall del contexto"
    r"|(?:recall|richiamo) del contesto|recall do contexto|recall van de context)"
    r"|(?P<context_precision>contexts?[ _-]?precision|precision of the (?:retrieved )?contexts?|kontext[ -]?pr(?:ä"
    r"|e)[zc]ision|précision du contexte"
    r"|precisión del contexto|precisione del contesto|precisão do contexto|precisie van de context)"
    r"|(?P<faithfulness>faithfulness|(?<!and how )faithful|kontexttreue|quellentreue"
    r"|källtrohet|trohet mot (?:käll(?:orna|an)|kontexten)|brontrouw|getrouwheid"
    r"|fidélité|fidelidade?|fedeltà)"
    rf"|(?P<answer_relevancy>answers?[ _-]?relevanc[ey]|relevanc[ey]{_OF_ANSWER}|antwortrelevanz"
    r"|relevanz der antwort"
    r"|pertinence de la réponse|relevancia de la respuesta|(?:pertinenza|rilevanza) della risposta"
    r"|relevância da resposta|relevantie van het antwoord|antwoordrelevantie|svarsrelevans|svarets relevans)"
    r"|(?P<context_utilisation>contexts?[ _-]?utili[sz]ation|kontextnutzung|utilisation du contexte"
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
    "recall": "context_recall",
    "precision": "context_precision",
    "relevancy": "answer_relevancy",
    "utilisation": "context_utilisation",
    "utilization": "context_utilisation",
}
_AS_WELL = re.compile(r"[ ](?:and|&|\+|und|et|y|e)[ ](recall|precision|utili[sz]ation)\b", re.IGNORECASE)
_UNCHECKED = re.compile(r"^[ \t]{0,8}(?:[-*•][ \t]{1,4})?(?:\[ {0,2}\]|\( \)|☐|⬜|□)[^\n]*$", re.MULTILINE)
"""A box that is not ticked."""
_SPELLED = {name.replace("_", " "): name for name in TESTS} | {
    "answer relevance": "answer_relevancy",
    "context utilization": "context_utilisation",
}
_ALIKE = 0.86
"""How alike a misspelled name is to the right one, by `difflib`'s ratio."""
_MOST_WORDS = 60
_ALL = re.compile(r"(?:all|everything|every)(?: (?:the|of|them|six|six of them|tests?|metrics?|available)){0,4}", re.I)
_ALL_TESTS = re.compile(
    r"\b(?:(?:full|whole|complete) set of (?:the )?(?:available )?(?:tests|metrics)"
    r"|all (?:the )?(?:six )?(?:available )?(?:tests|metrics)|every (?:test|metric)|alle (?:sechs )?(?:tests|testen"
    r"|metriken)|tous les (?:six )?tests|toutes les (?:six )?(?:métriques|mesures)"
    r"|tod[oa]s (?:[ao]s )?(?:seis )?(?:testes|tests|métricas|pruebas)|todas las (?:seis )?(?:métricas|pruebas)"
    r"|tutti i (?:sei )?test|tutte le (?:sei )?metriche)\b",
    re.IGNORECASE,
)
_ALL_BEFORE = re.compile(
    r"\b(?:all|everything|every|alles|alle|tous|toutes|tout|todo|todos|todas|tudo|tutto|tutti|tutte)\b", re.IGNORECASE
)
_NOT = re.compile(
    r"\b(?:except(?: for)?|excluding|without|(?:(?<=everything )|(?<=all )|(?<=tests )|(?<=metrics ))but"
    r"|but not|other than|skip|ignore|leave out|scrap|forget|drop|cancel|vergiss|streiche?|oubliez?|olvida\w{0,3}"
    r"|(?:do not|don['’]t) \w{2,12}|not"
    r"|apart from|minus|save for|au(?:ß|ss)er|ohne|nicht|keine?|sauf|sans|pas (?:de|la|le)|excepto|exceto|menos|salvo"
    r"|sin|sem|behalve|zonder|niet|geen|tranne|eccetto|senza|oprócz|poza|bez|nie)\b",
    re.IGNORECASE,
)
_UNNEEDED = re.compile(
    r"(?:^|(?<=[.,;:!?\n]))[^.,;:!?\n]{0,80}\b(?:(?:is|are)(?: not|n['’]t) (?:needed|required|necessary|wanted)"
    r"|(?:can|may) be (?:skipped|left out|ignored)|unnecessary|brauch\w{1,3} (?:wir|ich|es|man) (?:hier )?nicht"
    r"|nicht nötig"
    r"|n['’](?:est|a) pas (?:besoin|nécessaire|utile|demandée?)|no (?:es|son|hace) (?:necesari\w{1,2}|falta)"
    r"|non (?:serve|servono|è necessari[ao])|hoeft niet|niet nodig|não (?:é|são) necessári\w{1,2})\b",
    re.IGNORECASE,
)
"""A clause that says what is not needed: `Context recall brauchen wir nicht`."""
_SENTENCE = re.compile(r"[;\n]|\.(?=\s|$)")
_CLAUSE = re.compile(r"[,;:\n]|\.(?=\s|$)|\b(?:only|just|but|nur|alleen|seulement|solo|sólo)\b")
_BETWEEN = re.compile(r"[,;\n/&|+]|\band\b|\.(?=\s|$)")
_ASKS = re.compile(
    r"\s{0,8}(?:(?:hi|hey|hello|please|pls|plz|kindly|(?:can|could) you|i|we|need|want|would like|run|score|compute"
    r"|calculate|evaluate|measure|check|test|tests?|metrics?|evaluation|for|the|of|bitte|merci|mesurez|calcula|mide)"
    r"(?:\s|:|,)\s{0,4}){0,6}",
    re.IGNORECASE,
)
"""The beginning of a request, before the names of tests."""
_LIKE_A_TEST = re.compile(
    r"[^\W\d_][\w-]{0,20}[ _]?(?:[\w-]{0,20}[ _]){0,2}[\w-]{0,20}"
    r"(?:ity|ness|ance|ence|ancy|ency|[iu]tion|ism|bias|recall|precision|bleu|rouge|f1|ität|heit|keit|ité|[id]dad|ità"
    r"|teit)|bleu|rouge|f1|meteor",
    re.IGNORECASE,
)
"""An unknown name that may be a test's: `toxicity`, `answer correctness`."""
_SENTENCES = re.compile(r"[.:;!?\n()](?:\s|$)|[\n;()]")
_ITEMS = re.compile(r"[,/&|+]|\b(?:and|und|et|y|e|en|i|och|oraz)\b")
_NO_NAME = {"this", "it", "these", "that", "them", "please", "the", "following", "my", "answer", "for", "me"}


def names_in(section: str, listed: bool) -> list[str]:
    """The names in a list of tests (`listed`), or in the text after "Evaluate" in a sentence.

    An unknown name is kept, so that the reply can report it. A name that is ruled out ("except …", "not …")
    is dropped.
    """
    names: list[str] = []
    wanted, ruled_out = _parted(_UNCHECKED.sub("", section))
    for item in _BETWEEN.split(wanted):
        names += _names_of(item, listed)
    return [name for name in names if name not in ruled_out]


def canonical(name: str) -> str:
    """A test's canonical name from another spelling; an unknown name is unchanged."""
    known = _KNOWN.fullmatch(name.strip().replace("-", " "))
    return (known.lastgroup if known else None) or _SHORT.get(name.strip().lower()) or name.strip()


def misspelled(preamble: str) -> list[str]:
    """The tests whose names stand in the text with a letter or two wrong."""
    words = [word.strip(".,:;!?()") for word in _parted(preamble)[0].split()[:_MOST_WORDS]]
    parts = [part for place, word in enumerate(words) for part in (word, " ".join(words[place : place + 2]))]
    return list(dict.fromkeys(name for part in parts if (name := _nearest(part))))


def _nearest(name: str) -> str | None:
    """The test that a misspelled name means."""
    plain = " ".join(re.split(r"[\s_-]+", name.lower())[:3])
    near = get_close_matches(plain[:40], _SPELLED, n=1, cutoff=_ALIKE)
    return _SPELLED[near[0]] if near else None


def _parted(text: str) -> tuple[str, set[str]]:
    """The text without the tests it rules out, and their names."""
    dropped = [match[0] for match in _UNNEEDED.finditer(text)]
    wanted, ruled_out = _without_denied(_UNNEEDED.sub(";", text))
    return wanted, ruled_out.union(*(_known(clause) for clause in dropped))


def _without_denied(text: str) -> tuple[str, set[str]]:
    found = _NOT.search(text)
    if found is None:
        return text, set()
    rest = text[found.end() :]
    end = _SENTENCE.search(rest) if _ALL_BEFORE.search(text[: found.start()]) else _CLAUSE.search(rest)
    clause, after = (rest[: end.start()], rest[end.start() :]) if end else (rest, "")
    wanted, more = _without_denied(after)
    return f"{text[: found.start()]}; {wanted}", more | set(_known(clause))


def names_before(preamble: str) -> list[str]:
    """The known tests named before the first label."""
    wanted, ruled_out = _parted(_UNCHECKED.sub("", preamble))
    names = [name for sentence in _SENTENCES.split(wanted) for name in _listed(sentence)]
    if _ALL_TESTS.search(wanted) or (ruled_out and not names and _ALL_BEFORE.search(wanted)):
        names = list(TESTS)
    return [name for name in names if name not in ruled_out]


def _listed(sentence: str) -> list[str]:
    """The known tests named in a sentence, and unknown ones where it lists nothing but names."""
    known = list(_known(sentence))
    begins = _ASKS.match(sentence)
    items = [item.strip(" -*•`'\"") for item in _ITEMS.split(sentence[begins.end() if begins else 0 :])]
    alone = [bool(_KNOWN.fullmatch(item)) for item in items]
    if any(alone) and all(one or _LIKE_A_TEST.fullmatch(item) for one, item in zip(alone, items, strict=True)):
        return [name for item in items for name in list(_known(item)) or ["_".join(item.lower().split())]]
    return known


def names_denied(text: str) -> set[str]:
    """The known tests that the text rules out."""
    return _parted(text)[1]


def _names_of(item: str, listed: bool) -> list[str]:
    known = list(_known(item))
    word = re.sub(r"^\d{1,2}[.)]\s{0,4}", "", item.strip(" \t*•-\"'`[](){}:_"))
    if known:
        return known
    if word.lower() in _SHORT:
        return [_SHORT[word.lower()]]
    if _ALL.fullmatch(word):
        return list(TESTS)
    if not re.fullmatch(r"[\w -]{1,60}", word) or not re.search(r"[^\W\d_]", word):
        return []
    words = word.lower().split()
    if near := _nearest(word):
        return [near]
    most = 3 if listed else 1
    return ["_".join(words)] if len(words) <= most and not _NO_NAME & set(words) else []


def without_names(text: str) -> str:
    """The text without the names of tests."""
    return _CHARACTER.sub(" ", _KNOWN.sub(" ", text))


def _known(text: str) -> Iterator[str]:
    """The tests named in the text; after one of the contexts another may stand without that word."""
    yield from (_CHARACTERS[name] for name in _CHARACTER.findall(text))
    for match in _KNOWN.finditer(text):
        if match.lastgroup:
            yield match.lastgroup
            more = _AS_WELL.match(text, match.end()) if match.lastgroup.startswith("context") else None
            if more:
                yield _SHORT[more[1].lower()]
