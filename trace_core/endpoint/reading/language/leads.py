"""What the words before a text say that it is, as a story tells it: `a guest typed`, `and it came back with`, `it
should have said`, `the only article it pulled was this`, in nine languages.

Who does it matters as much as the verb: a person asks and a machine answers; a machine that asks back, a person who
answers or finds something, and whatever did not happen, tell nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from trace_core.datasets.text.translation import unaccented
from trace_core.endpoint.reading.language.described import ASKS_HOW
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.roles import ASKED, PASSAGES, RELEVANT, REPLIED, TEXTS, stems
from trace_core.endpoint.reading.language.words import field_named

_PHRASES = (
    (ASKS_HOW, "the"),
    (re.compile(r"\b(?:hits|results|entries|pages|sources|articles|excerpts|passages|snippets|documents|docs|chunks"
                r"|contexts|texts|paragraphs)[ ](?:came|come)[ ]back\Z", re.IGNORECASE), "passages found"),
    (re.compile(r"\bat[ ](?:its|their|his|her|our)[ ](?:disposal|hand)\b|\bat[ ]hand\b|\bzur[ ]verfügung\b"
                r"|\bà[ ](?:sa[ ]|leur[ ])?disposition\b|\ba[ ](?:su[ ])?disposición\b|\ba[ ](?:sua[ ])?disposizione\b"
                r"|\bà[ ]disposição\b|\btot[ ](?:zijn|haar)[ ]beschikking\b", re.IGNORECASE), ""),
    (re.compile(r"\b(?:came|comes|come)[ ]back[ ]with\b(?=[^.]{0,30}\b(?:passages?|documents?|docs?|chunks?|contexts?"
                r"|texts?|articles?|pages?|excerpts?|snippets?|sources?)\Z)", re.IGNORECASE), "found"),
    (re.compile(r"\b(?:came|comes|come)[ ]up[ ]with\b|\b(?:came|comes|shot|fired|wrote|got|spat|gave)[ ](?:back|out)\b",
                re.IGNORECASE), "replied"),
    (re.compile(r"\b(?:was|were|got)[ ]told\b", re.IGNORECASE), "got replied"),
    (re.compile(r"\b(?:came|come|coming)[ ]up\b|\b(?:working|worked)[ ]from\b|\blooked[ ]at\b"
                r"|\b(?:relied|relying|based|drew|drawing)[ ]on\b", re.IGNORECASE), "found"),
    (re.compile(r"\baurai(?:en)?t[ ]dû\b|\baurait[ ]fallu\b", re.IGNORECASE), "should"),
    (re.compile(r"\b(?:answer[ ](?:key|sheet)|mark(?:ing)?[ ]scheme|model[ ]answer|sample[ ]solution|klucz[ ]odpowiedzi"
                r"|antwoordmodel|modelantwoord|muster(?:lösung|antwort)|lösungsblatt|corrigé|gabarito|facit)\b",
                re.IGNORECASE), "should replied"),
    (re.compile(r"\b(?:on[ ]attendait|nous[ ]attendions|we[ ]expected|wir[ ](?:hatten[ ])?erwarte(?:te[nt]|t)"
                r"|esperábamos|ci[ ]aspettavamo|esperávamos|we[ ]verwachtten|vi[ ]väntade[ ]oss"
                r"|oczekiwaliśmy)\Z", re.IGNORECASE), "should replied"),
    (re.compile(r"\bcert[ao]\b", re.IGNORECASE), "correcto"),
    (re.compile(r"\btop[ ]hit\b", re.IGNORECASE), "hits"),
    (re.compile(r"\blaut[ ](?:der[ ])?lösung\b|\bexpected[ ](?:it|(?:the|our)[ ](?:bot|assistant|model|system))[ ]to"
                r"[ ](?:say|answer|reply|respond)\b", re.IGNORECASE), "should replied"),
    (re.compile(r"\b(?:al|au|ao|dem|unserem)[ ](?:chat)?(?:bot|asistente|assistant|assistente|assistenten|modelo|modèle"
                r"|modell|sistema|système|system)\b", re.IGNORECASE), ""),
    (re.compile(r"\baccording[ ]to\b(?=[ ](?:\w{1,20}[ ]){1,4}the[ ](?:right|correct|true|expected)[ ]answer)",
                re.IGNORECASE), ""),
    (re.compile(r"\baccept(?:ed|able)[ ](?:answers|responses)(?=[ ]are\b)", re.IGNORECASE), "should replied"),
    (re.compile(r"\b(?:knowledge[ ]base|wissensdatenbank)(?=[ ](?:gave|had|has|said|says|gab|hat|hatte|sagt)\b)",
                re.IGNORECASE), "source"),
    (re.compile(r"\bq(?=[ ](?:was|is)\b)", re.IGNORECASE), "question"),
    (re.compile(r"\bfind[ ]out\b", re.IGNORECASE), "know"),
    (re.compile(r"\b(?:typed|entered)[ ]in\b", re.IGNORECASE), "typed"),
    (re.compile(r"(?<=odpowiedź )to\Z", re.IGNORECASE), "jest"),
    (re.compile(r"\bwould[ ](?:be|have[ ]been)\b", re.IGNORECASE), "is"),
    (re.compile(r"\ba[ ]dit\b|(?<=\breplied[ ]{2})dit\b|(?<=\bbot[ ])dit\b|(?<=\bassistant[ ])dit\b|\bsa\Z",
                re.IGNORECASE), "said"),
    (re.compile(r"\b(?:behind|for|underlying)[ ](?:the|that|this|its)[ ](?:answer|reply|response)\b",
                re.IGNORECASE), ""),
    (re.compile(r"\bsystem[ ]prompt\b", re.IGNORECASE), "not"),
    (re.compile(r"\bcontest(?:ó|aron|ado|aba|a)\b", re.IGNORECASE), "respondió"),
    (re.compile(r"n['’]t\b|\bused[ ]to\b", re.IGNORECASE), "not"),
    (re.compile(r"\b(?:qu|l|d|s|j|n|c)['’]", re.IGNORECASE), ""),
)  # fmt: skip
"""Phrases, and words of another language's look, by words that mean the same."""
_WORD = re.compile(r"[^\W\d_]+")
_STRANGE = re.compile(r"[/|()\[\]]|(?<=\w[ ])[A-HJ-Z]\b")
"""A sign that no such clause has, or the letter of one of several texts."""
_NUMBER = re.compile(r"\w{0,20}\d\w{0,20}(?:[ ](?:[^\W\d_]{1,20}[ ])?(?P<of>[^\W\d_]{1,30}))?")
_CLAUSE = re.compile(r"[.!?;…:\u2600-\u27bf\U0001f000-\U0001faff](?:[\"”“»)]?\s)|\n")
_OF_MACHINE = re.compile(r"['’]s?[ ](?:question|query)\b", re.IGNORECASE)

_ASKS = stems(
    "asked asks ask emailed mailed messaged texted inquired enquired typed types typte getypt getippt tippte entered "
    "wondered gefragt fragt fragte demand pregunt chiest chied domand pergunt vroeg gevraagd fragade undrade zapyta "
    "spyta"
)
_KNOWS = frozenset("know wissen savoir saber sapere weten veta wiedziec".split())
_WANTED = stems("want quis wollte mochte voulai voulu quiso queria quer volev voluto wilde ville chcial")
_SEARCHES = stems(
    "searched queried query gesucht suchte busco buscado cherche cercato zocht gezocht sokte szukal pesquisou procurou"
)
"""After these `for` leads to the words that were looked for."""
_FOR = frozenset("for nach naar efter".split())
_REPLIES = (*REPLIED, *stems("respond repond contest rispos geantwort geantwoord beantwort odpisal"))
_SAYS = stems(
    "said says say told tells tell wrote writes claimed claims stated states generated produced gave reads sagte "
    "gesagt sagt behauptete schrieb schreibt geschrieben sagen meint gab steht stand dire affirm dijo dicho decir "
    "detto disse dice dire diz dizer dito escrib escrit scritto ecrit escreve schreef skrev napisal zei gezegd zeggen "
    "sade sagt saga powiedzia generer genero generat spuckt"
)
_TOPICS = (*TEXTS, *PASSAGES, *stems("texten textern textes textos testi tekst stukje merkblatt"))
_FINDS = stems(
    "found finds retrieved pulled fetched surfaced gefunden fand trouve encontr recuper trovat gevonden vond hittade "
    "hittat znalaz remont"
)
_FETCHED = stems("retrieved fetched recuper abgerufen")
"""What people say that they did where their search did it: `we retrieved two passages`."""
_HITS = stems("got returned results hits index knowledge ergebnis resultat resultad risultat")
_SHOULD = stems(
    "should ought supposed sollen sollte mussen devrait debi debe tendria dovrebbe dovuto dever moeten borde skulle "
    "powinien powinna powinno"
)
_TRUE = stems(
    "true truth gold reference referen expected erwartet correct richtig korrekt attendu esperad "
    "attes verwacht juist giust ratt poprawn oczekiwan bonne ideal right solution losung muster model-answer facit "
    "modelantw gabarito corrige solucion soluzion"
)
_REFERENCES = stems("referenc referenz referent riferiment solution losung soluzion solucion facit")
_ADVERBS = ("ly", "mente", "ement")
_REPLIED = re.compile("geantwortet|beantwortet|antwortete|geantwoord")
_MACHINES = stems(
    "bot chatbot assistant assistent asistent asystent machine model modell modele modelo modello system sistema "
    "systeem helper copilot chatgpt gemini claude kiosk search retriever helper tool app agent rag demo gpt llm "
    "script pipeline software engine assistente robot"
)
_MACHINE = frozenset("it ai ki ia".split())
_ASKERS = stems(
    "customer client kund klant klient user utilisat usuari utent gebruiker anvandar uzytkowni visitor visit besucher "
    "bezoeker pupil student schuler eleve alumn leerling elev reader leser guest gast gaste ospit caller patient "
    "member someone somebody tenant mieter besokar travell traveler"
)
"""Who asks a machine."""
_PERSONS = (
    *_ASKERS,
    *stems(
        "people person boss chef teacher lehrer colleague kolleg collega friend expert lawyer doctor human librarian "
        "mother father receptionist"
    ),
)
_PERSON = frozenset("we he she they ich wir je nous yo nosotros io noi eu nos ik wij jag vi ja you".split())
_FIRST = frozenset("we ich wir je nous yo nosotros io noi eu ik wij jag vi".split())
_PASSIVE = frozenset(
    "was were got gets get being been received receives wurde wurden worden erhielt bekam bekommen recibio recibido "
    "recu ricevuto recebeu kreeg werd blev fick dostal dostala fue ete stato".split()
)
_DENIED = frozenset(
    "not never no without instead ignored missed overlooked skipped forgot failed wrong wrongly falsch nicht nie kein "
    "keine keinen ne pas jamais nunca jamas non mai nao niet nooit geen inte aldrig nigdy rather almost could might "
    "would called titled named headed entitled genannt intitule titulado intitolato getiteld tytul like unlike if "
    "whether according previously formerly originally".split()
)
"""Nothing of the kind has happened, or a title follows."""
_NEGATED = frozenset("not never nicht nie kein keine ne pas jamais nunca non mai nao niet geen inte".split())
_MISLEADING = _DENIED - frozenset("would according previously formerly originally almost rather without kein".split())
"""Words that make a clause tell something else than its verb."""
_SUPPOSED = re.compile(
    r"\b(?:would|should|ought|hätte|würde|sollte|aurait|devrait|habría|debería|tendría|avrebbe|dovrebbe|teria|deveria|zou"
    r"|had moeten|borde|skulle|powinien|powinna)\b",
    re.IGNORECASE,
)
"""Words of what was not said."""
_CHANGED = stems("changed replaced updated reworded geandert ersetzt modifi remplac cambiad modificat alterad gewijzigd")
_MENTIONS = stems("mention includ erwahn mencion menzion vermeld")
_MOST_SEARCHED, _FEW = 6, 4
_COPULAS = frozenset(
    "is was were are be been war ware ist sind waren lautete lautet gewesen est etait serait etaient es era eran fue "
    "seria son sono erano sarebbe sao eram foi is waren zijn zou ar var vore byl byla bylo jest".split()
)
_FILLS = frozenset(
    "des du del della either single uns "
    "put cited tutor best first label standard utilise utilisee utilises utilizo usato utilizzato gebruikte gebruikt "
    "verwendet verwendete genutzt anvande uzyl posee posta gestellte this these those the following which here as "
    "below above namely with in order i e its him her them me us back up all one two three four five six seven eight "
    "nine only just own had have has did do got get given sent used my our your their a an of to by then also too for "
    "on at diese dieser dieses diesen folgende folgenden folgendes dazu daraufhin dafur ihm ihr ihn er es sie so wie "
    "folgt mit und zwei drei vier beiden namlich hatte hat haben habe unseren unserem unsere unser den dem der die "
    "das ein eine zu y lo siguiente siguientes esto estos este estas al la el le les los las un una ces ceci cet "
    "cette suivant suivante suivants suivantes voici deux trois ainsi il elle a notre nos que ha he ho han con cui "
    "questo questi questa queste seguente seguenti alla allo cosi nostro nostra isto esses estes seguinte seguintes "
    "ao aos o os as do da por aan op het de een dit deze volgende dat wie onze ons heeft had hij denna dessa detta "
    "foljande till som den att vi har var nasza naszego ten te to nastepujace nas".split()
)
"""What may stand between the telling word and the text."""
_HANGING = frozenset(
    "the a an to in of from on at by about der die das den dem des ein eine le la les el los las il lo un una de het "
    "een du do da zu im am o os as den det till que dass che dat att ze".split()
)
"""The last word of a sentence that goes on within the quotation marks: `it said the “green” one`."""


_HELPING = frozenset("has had have hat hatte a avait ha habia ho heeft had har hade did".split())
_COUNTS_AS_TRUE = re.compile(
    r"\b(?:counts?|gilt|gelten|comptent?|valen?|conta(?:no|m)?|telt|tellen|räknas|liczy się|is|are|would be|ist|sind"
    r"|est|sont|es|son|è|sono|zijn|é|são|är|jest|są)\b(?: \w{1,8}){0,2} (?:correct|right|accepted|acceptable|richtig"
    r"|korrekt|akzeptiert|correct[eo]?s?|accepté\w{0,2}|acceptables?|correct[ao]s?|aceptad[ao]s|válid[ao]s?|corrett[oaie]"
    r"|giust[oaie]|accettat[oaie]|juist|goed|corret[ao]s?|aceit[ao]s?|rätt|godkänt|poprawn\w{1,2})\s*\Z",
    re.IGNORECASE,
)
"""`“…” or “…” counts as correct`."""
_AS = re.compile(
    r"(?:as|als|comme|como|come|som|jako) (?:(?:the|an?|die|la|le|el|il|de|het|o) )?(?P<what>[^\W\d_][\w ]{2,40})",
    re.IGNORECASE,
)
"""`“…” as the ground truth`"""
_ABOUT_A_QUESTION = re.compile(
    r"(?:\A|\s)(?:for|about|zu|für|pour|para|per|voor|over|för|dla)"
    r"(?: (?:the|die|la|de|het|den) (?:question|query|frage|pregunta|domanda|pergunta|vraag))?[ \t]*\Z",
    re.IGNORECASE,
)


class _Seen(NamedTuple):
    """A telling word: its place, what it tells, and whether it is a verb."""

    place: int
    kind: str
    verb: bool


def last_clause(gap: str) -> str:
    """The clause before a text."""
    gap = gap.rstrip(" \t\n:：,—–-")
    ends = list(_CLAUSE.finditer(gap))
    return gap[ends[-1].end() :] if ends else gap


def told_by(clause: str, text: str = "") -> str | None:
    """The field of the text after the clause; `None` where the clause does not tell, or tells two things."""
    if without_names(clause) != clause or _STRANGE.search(clause) or _numbered(clause):
        return None
    if named := "question" if asks_about(clause, text) else field_named(clause.strip(" \t*_#>-•")):
        return named
    words = _words(clause)
    if not words or not _DENIED.isdisjoint(words) or words[-1] in _HANGING:
        return None
    if any(word.startswith(RELEVANT) for word in words):
        return None
    seen = [one for place, word in enumerate(words) if (one := _seen(word, place, words))]
    if not seen and len(words) <= _FEW:
        return _speaker(words)
    if not seen or not _leads(words, seen[-1]):
        return _written(words, text)
    kinds = {one.kind for one in seen}
    if "true" in kinds:
        return _truth(kinds, words)
    if "say" in kinds:
        kinds = _without_say(words, seen)
    if len(kinds) != 1 or not _by_the_right_one(clause, words, seen):
        return _written(words, text)
    return kinds.pop() or None


def told_after(clause: str, text: str) -> str | None:
    """The field of a text that the clause follows: `“…?” asked the guest`, `“…” was the only passage it got`."""
    words = clause.split()
    if named := _AS.fullmatch(clause.strip()):
        return field_named(named["what"])
    if _COUNTS_AS_TRUE.search(clause) and _DENIED.isdisjoint(_words(clause)):
        return "ground_truth"
    helping = next((place for place, word in enumerate(words) if unaccented(word.lower()) not in _HELPING), len(words))
    verbs = helping + (helping < len(words) and _is_verb(words[helping]))
    return told_by(" ".join([*words[verbs:], *words[:verbs]]), text)


def _is_verb(word: str) -> bool:
    """Whether a clause after a text may begin with the word: the one who does it comes next."""
    plain = unaccented(word.lower())
    seen = _seen(plain, 0, [plain])
    return plain in _COPULAS or plain.startswith(_WANTED) or bool(seen and seen.verb)


def asks_about(clause: str, text: str) -> bool:
    """Whether the clause leads to a question that something was found or said for: `the three hits for “…?”`."""
    return text.rstrip().endswith(("?", "？")) and _ABOUT_A_QUESTION.search(clause) is not None


def tells_contexts(line: str) -> bool:
    """Whether a line that leads to a list speaks of texts, or of finding them: `Retrieved these three for “…”:`."""
    return any(word.startswith((*_TOPICS, *_FINDS, *_HITS)) for word in _words(line))


def contradicts(gap: str, field: str) -> bool:
    """Whether the clause before a text tells something else than the field, or that the wrong one did it, or none."""
    clause = without_names(last_clause(gap))
    words = [word for word in _words(clause) if word not in _PERSON]  # `I'd like to know … of the answer`
    seen = [one for place, word in enumerate(words) if (one := _seen(word, place, words))]
    kinds = [kind for one in seen if (kind := _sayer(words, seen, one) if one.kind == "say" else one.kind)]
    if not kinds:
        return False
    if not _NEGATED.isdisjoint(words):
        return True
    if "true" in kinds:
        return any(map(_machine, words)) and not any(word.startswith(_SHOULD) for word in words)
    if field == "contexts" and (not _DENIED.isdisjoint(words) or any(word.startswith(RELEVANT) for word in words)):
        return True
    return kinds[-1] != field or not _by_the_right_one(clause, words, seen)


def _numbered(clause: str) -> bool:
    """Whether the clause has a number that does not count the texts: an id, which would be dropped."""
    return any(not (n["of"] and unaccented(n["of"].lower()).startswith(_TOPICS)) for n in _NUMBER.finditer(clause))


def _words(clause: str) -> list[str]:
    for phrase, word in _PHRASES:
        clause = phrase.sub(f" {word} ", clause)
    return ["ich" if word == "I" else unaccented(word.lower()).replace("ł", "l") for word in _WORD.findall(clause)]


def _seen(word: str, place: int, words: Sequence[str]) -> _Seen | None:
    if word.startswith(_TRUE) and (word.endswith(_ADVERBS) or _REPLIED.match(" ".join(words[place + 1 : place + 2]))):
        return None  # `correctly answered`, `richtig geantwortet`
    if word.startswith((*_SHOULD, *_TRUE)):
        return _Seen(place, "true", False)
    if word in _KNOWS:
        wants = any(one.startswith(_WANTED) for one in words) and _FIRST.isdisjoint(words)
        return _Seen(place, "question", True) if wants else None
    for stems_of, kind, verb in (
        ((*_ASKS, *_SEARCHES), "question", True), ((*ASKED, "prompt"), "question", False), (_TOPICS, "contexts", False),
        (_FINDS, "contexts", True), (_REPLIES, "answer", True), (_SAYS, "say", True),
    ):  # fmt: skip
        if word.startswith(stems_of):
            return _Seen(place, kind, verb)
    return None


def _leads(words: Sequence[str], last: _Seen) -> bool:
    """Whether nothing but small words, and who was asked, stands between the last telling word and the text."""
    after = list(enumerate(words))[last.place + 1 :]
    if any(word in _FOR for _, word in after):
        return words[last.place].startswith(_SEARCHES) and words[-1] in _FOR and len(after) <= _MOST_SEARCHED
    for place, word in after:
        if word in _COPULAS:
            told = place == last.place + 1 or not last.verb or words[place - 1] in _COPULAS
            if not told:
                return False
        elif not (word in _FILLS or _person(word) or any(map(_machine, words[place : place + 3]))):
            return False
    return True


def _truth(kinds: set[str], words: Sequence[str]) -> str | None:
    """What should have been said; what should have been found or asked is none."""
    if kinds & {"question", "contexts"}:
        return None
    if not any(word.startswith(_SHOULD) for word in words) and any(map(_machine, words)):
        return None  # the machine has answered right, or says that it has
    said = kinds & {"answer", "say"} or words[-1] in _COPULAS or words[-1].startswith(_REFERENCES)
    return "ground_truth" if said else None


def _without_say(words: Sequence[str], seen: Sequence[_Seen]) -> set[str]:
    """What `said` tells depends on who says it: a machine answers, a source is cited; of anyone else it is unknown."""
    kinds = {one.kind for one in seen} - {"say"}
    verb = next(one for one in seen if one.kind == "say")
    if _sayer(words, seen, verb) == "answer" and not any(map(_person, words[: verb.place])):
        return kinds | {"answer"}
    return kinds if _sayer(words, seen, verb) == "contexts" and kinds == {"contexts"} else {"", *kinds}


def _sayer(words: Sequence[str], seen: Sequence[_Seen], verb: _Seen) -> str:
    """What is told by whoever says something: the first before the verb that is a source, or a machine."""
    topic = next((one.place for one in seen if one.kind == "contexts" and one.place < verb.place), len(words))
    machine = next((place for place, word in enumerate(words[: verb.place]) if _machine(word)), len(words))
    return "contexts" if topic < machine else "answer" if machine < topic else ""


def _by_the_right_one(clause: str, words: Sequence[str], seen: Sequence[_Seen]) -> bool:
    """Whether a machine has not asked, and no person has answered or found, unless in the passive voice."""
    verb = next((one for one in seen if one.verb), None)
    if verb is None:
        before = words[: seen[0].place]
        if seen[0].kind == "contexts" and any(map(_person, before)) and not any(map(_machine, before)):
            return False
        return not (any(map(_machine, before)) and _OF_MACHINE.search(clause))
    before = words[: verb.place]
    passive = not _PASSIVE.isdisjoint(before) or (words[-1] in _COPULAS and verb.place == 0)
    wrong_one = _machine if verb.kind == "question" else _person
    ours = words[verb.place].startswith(_FETCHED) and _FIRST.issuperset(word for word in before if _person(word))
    noun_first = any(not one.verb and one.place < verb.place for one in seen) and verb.kind == "question"
    return passive or noun_first or ours or not any(map(wrong_one, before))


def _speaker(words: Sequence[str]) -> str | None:
    """What stands after the one who speaks alone: `Visitor:`, `Our bot:`."""
    named = [word for word in words if word not in _FILLS]
    if not named:
        return None
    return "answer" if all(map(_machine, named)) else "question" if all(w.startswith(_ASKERS) for w in named) else None


def opens(clause: str) -> bool:
    """Whether a customer says or writes something; at the beginning of a story this is what the machine was asked."""
    words = _words(clause)
    asker = any(word.startswith(_ASKERS) for word in words[:-1])
    says = bool(words) and words[-1].startswith(_SAYS) and asker and not any(map(_machine, words))
    return says and _DENIED.isdisjoint(words) and _PASSIVE.isdisjoint(words)


def _written(words: Sequence[str], text: str) -> str | None:
    """What a person has written is a question where it ends like one."""
    asks = text.rstrip().endswith(("?", "？")) and len(words) > 1
    says = words[-1].startswith(_SAYS) and any(map(_person, words[:-1])) and not any(map(_machine, words))
    return "question" if asks and says and _PASSIVE.isdisjoint(words) else None


def _machine(word: str) -> bool:
    return word in _MACHINE or word.startswith(_MACHINES)


def _person(word: str) -> bool:
    return word in _PERSON or word.startswith(_PERSONS)


def tells_of(clause: str) -> list[str]:
    """The kinds of the telling words in the clause, in order, with who does it: `machine`, `person`."""
    words = _words(clause)
    found = []
    for place, word in enumerate(words):
        if seen := _seen(word, place, words):
            found.append(seen.kind)
        elif _machine(word) or _person(word):
            found.append("machine" if _machine(word) else "person")
        elif not _DENIED.isdisjoint({word}):
            found.append("denied")
    return found


def misleads(clause: str, role: str) -> bool:
    """Whether the clause says that something did not happen, or that the wrong one did it, or what is relevant."""
    words = _words(without_names(clause))
    if not _MISLEADING.isdisjoint(words) or any(word.startswith((*RELEVANT, *_MENTIONS)) for word in words):
        return True
    if (role == "answer" and _SUPPOSED.search(clause)) or (role == "contexts" and any(w.startswith(_CHANGED) for w in words)):
        return True
    machine, should = any(map(_machine, words)), any(word.startswith(_SHOULD) for word in words)
    if role == "answer" and not machine and _PASSIVE.isdisjoint(words) and any(w.startswith(_ASKERS) for w in words):
        return True
    seen = [one for place, word in enumerate(words) if (one := _seen(word, place, words))]
    if any(one.kind == "true" for one in seen):
        other = any(one.verb and one.kind in ("question", "contexts") for one in seen)
        return (should and other) or (machine and not should and words[-1] in _COPULAS)
    acts = [one for one in seen if one.kind != "say"]
    return bool(acts) and not _by_the_right_one(clause, words, acts)
