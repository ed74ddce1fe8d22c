"""Tests that a wish rules out: `except recall`, `no ejecutes faithfulness`, `Recall brauchen wir nicht`, `recall: no`.

What is only stressed (`not only recall`, `don't forget recall`) is wanted all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from trace_core.endpoint.reading.language.name_lists import names_listed
from trace_core.endpoint.reading.language.names import known_in, names_set, without_names
from trace_core.endpoint.reading.language.requests import core

_ONLY = (
    r"(?:only|just|solely|merely|nur|bloß|lediglich|seulement|uniquement|juste|solo|sólo|solamente|únicamente|soltanto"
    r"|só|apenas|somente|alleen|enkel|bara|endast|tylko)"
)
_NOT_ONLY = re.compile(rf"\b(?:not|nicht|pas|non|no|n[ãa]o|niet|inte|nie) {_ONLY}\b", re.IGNORECASE)
_SURE = re.compile(
    r"\b(?:without|ohne|sans|sin|sem|senza|zonder|utan|bez) (?:any |jeden )?(?:doubt|further|fail|hurry|zweifel|eile"
    r"|doute|faute|problème|duda|falta|prisa|problema|dúvida|dubbio|twijfel|tvekan|wątpienia)\b",
    re.IGNORECASE,
)
"""What sounds like a denial and is none."""
_KEPT = re.compile(
    r"\b(?:do not|don['’]t|never|cannot|can['’]t|no|non|n[ãa]o|niet|inte|nie|nicht|ne|n['’])[ ]?(?:zu |te )?"
    r"(?:(?:skip|forget|omit|miss|leave out|ignore|drop|overlook|hesitate)\b|vergess\w{1,3}|auslass\w{1,3}"
    r"|weglass\w{1,3}|(?:oubli|omet|hésit)\w{1,5} pas|(?:olvid|omit)\w{1,4}|dimentic\w{1,5}"
    r"|esque[cç]\w{1,4}|verget\w{0,3}"
    r"|overslaan|glöm\w{0,3}|zapom\w{2,7}|pomij\w{1,4})",
    re.IGNORECASE,
)
"""What is not to be left out."""
_VERBS = (
    r"(?:no (?:(?:me|te|se|nos|la|lo|las|los) )?(?:ejecut|corr[ae]|calcul|mid|evalú|evalu|hag|uses?\b|utilic|inclu"
    r"|quier|quer|necesit|lanc|prueb|comprueb|pases?\b|apliq|pong|revis|hace falta|es necesari|son necesari)\w{0,6}"
    r"|non (?:(?:mi|ti|ci|vi|lo|la) )?(?:esegu|calcol|misur|valut|usar|usat|includ|vogli|serv|far|fat|fai\b|lanci"
    r"|applic|controll|verific|è necessari|occorr)\w{0,6}"
    r"|n[ãa]o (?:(?:me|te|se) )?(?:execut|rod|calcul|meç|mede|avali|us[ea]|inclu|quer|precis|faç|faz|aplic|verifi"
    r"|é necessári)\w{0,6}"
    r"|(?:ne |n['’])\w{2,14}(?: \w{2,9})? (?:pas|jamais|plus)(?: besoin)?)"
)
"""A verb that is denied before it, in Spanish, Italian, Portuguese and French."""
_NOT = re.compile(
    r"\b(?:except(?: for)?|excluding|without|(?:(?<=everything )|(?<=all )|(?<=tests )|(?<=metrics ))but"
    r"|but not|other than|skip|ignore|leave out|scrap|forget|drop|cancel|avoid|vergiss|streiche?|oubliez?|olvida\w{0,3}"
    r"|(?:do not|don['’]t|(?:should|must)(?: not|n['’]t)(?: be)?) \w{2,12}|nada de|laisse[rz]? tomber"
    r"|evita\w{0,3}|évite[rz]?|vermeide\w?|(?:lass|laat)\w{0,2} (?=[^.,;:!?\n]{1,60}\bweg\b)"
    r"|salt(?:a|ate|ar|e|ez|en|iamo)|sáltate|sauter?|sautez|omit(?:e|a|id|an|ir)|omett(?:i|ete|ere|ez|re)|omets|pul(?:a|e|ar)"
    r"|überspring\w{0,3}|tralascia\w{0,2}|esclud\w{1,4}|exclu(?:ye|ya|id|ir|ez|re|is|a|i)|overslaan|hoppa över"
    r"|pomiń(?:cie)?|pominąć|sla (?=[^.,;:!?\n]{1,60}\bover\b)"
    r"|no need (?:to \w{2,12}|for)"
    r"|never mind|not"
    rf"|{_VERBS}"
    r"|no (?=(?:answer|context)[ _-]?(?:acc|rec|prec|rel|util)|faithful|accuracy|recall|precision|relevanc|utili)"
    r"|instead of|rather than|anstelle|(?:an)?statt|au lieu de|plutôt que|en (?:vez|lugar) de|invece d[ie]|anziché"
    r"|in plaats van|em vez de|istället för|zamiast"
    r"|apart from|minus|save for|au(?:ß|ss)er|ohne|nicht|keine?|sauf|sans|pas (?:de|la|le|besoin d)|excepto|exceto"
    r"|menos|salvo|sin|sem|behalve|zonder|niet|geen|tranne|eccetto|senza|inte|utom|oprócz|poza|bez|nie)\b",
    re.IGNORECASE,
)
_NO = r"(?:no|false|off|nein|nee|nej|não|disabled|n/a|skip(?:ped)?|0)"
_END = r"(?=[ \t]{0,2}(?:[.,;!\n)]|\Z))"
_UNNEEDED = re.compile(
    r"(?:^|(?<=[.,;:!?\n]))[^.,;:!?\n]{0,80}\b(?:(?:is|are)(?: not|n['’]t) (?:needed|required|necessary|wanted)"
    r"|(?:can|may) be (?:skipped|left out|ignored|dropped|omitted)|unnecessary"
    rf"|(?:weg|raus|außen vor|achterwege){_END}|(?:weg|aus|raus)lassen"
    r"|streichen|überspringen|weglaten|overslaan|schrappen|utelämnas?"
    rf"|(?:no|false|off|disabled|later|nein|nee|nej){_END}|(?:is|are) out of scope|(?:ist|sind) (?:mir )?egal"
    r"|brauch\w{1,3} (?:wir|ich|es|man|sie)(?: [^\W\d_]{2,10}){0,2} nicht"
    r"|nicht (?:nötig|aus|auszuführen|ausführen|berechnen|messen|prüfen|testen|bewerten|auswerten|rechnen|durchführen"
    r"|gebraucht|gewünscht|laufen)"
    r"|n['’](?:est|a) pas (?:besoin|nécessaire|utile|demandée?)|no (?:es|son|hace) (?:necesari\w{1,2}|falta)"
    r"|non (?:serve|servono|è necessari[ao])|hoeft niet|niet (?:nodig|uit|uitvoeren|berekenen|meten|draaien|testen)"
    r"|inte (?:behövs|köras|beräknas)|não (?:é|são) necessári\w{1,2})\b",
    re.IGNORECASE,
)
"""A clause that says what is not needed: `Context recall brauchen wir nicht`."""
_OFF = re.compile(
    rf"(?:^|(?<=[,;\n(]))[^,;:=()\n]{{0,80}}(?:[:=][ \t]{{0,4}}{_NO}|\([ \t]?{_NO}[ \t]?\)"
    rf"|[:=]?[ \t]{{0,4}}[✗✘✖❌☒🚫]\ufe0f?){_END}",
    re.IGNORECASE,
)
"""`recall: no`, `recall (off)`, `recall ✗`."""
_AFTER = re.compile(rf"(?:^|(?<=[.,;:!?\n]))[^.,;:!?\n]{{0,80}}\b(?P<ends>nicht|niet|inte){_END}", re.IGNORECASE)
"""A clause that ends with a denial."""
_STRUCK = re.compile(r"~~[^~\n]{1,100}~~")
_ALL_BEFORE = re.compile(
    r"\b(?:all|everything|every|alles|alle|tous|toutes|tout|todo|todos|todas|tudo|tutto|tutti|tutte)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"[;\n]|[.!?](?=[\s\"”»)]|$)")
_CLAUSE = re.compile(
    r"[,;:\n]|[.!?](?=[\s\"”»)]|$)|\s[–—-]\s"
    r"|\b(?:only|just|but|nur|aber|sondern|alleen|maar|seulement|mais|solo|sólo|pero|sino|ma|mas|men|utan|ale|lecz)\b"
)
_DENIES = re.compile(
    r"\b(?:no|nor|neither|never|cannot|not|nicht|niet|inte|non|n[ãa]o|ne|ingen|ninguna?|nessuna?|nenhuma?|aucune?|żaden)\b|n['’]t\b",
    re.IGNORECASE,
)
_LEFT_OUT = re.compile(
    r"\b(?:excluded|skipped|omitted|dropped|left out|ausgeschlossen|ausgelassen|weggelassen|exclue?s?|exclu[íi]d[ao]s?"
    r"|esclus[oaie]|uitgesloten|overgeslagen|uteslutn?[ae]?|pominięte)\b",
    re.IGNORECASE,
)
_PARTS = re.compile(
    r"[,;:!?()\n]|[.!?](?=[\s\"”»)]|$)|\s[–—-]\s|\b(?:and|but|so|because|since|if|und|aber|weil|et|mais|y|pero|e|ma|en|maar|mas|och"
    r"|men|i|ale)\b",
    re.IGNORECASE,
)
_DISMISSES = re.compile(
    r"\b(?:(?:can|could|may) wait|another (?:time|day)|next time|for later|later on|superfluous|pointless|redundant"
    r"|overkill|useless|hold off|put off|postponed?|spare (?:me|us)"
    r"|später|nächstes mal|andermal|kann warten|überflüssig|entbehrlich|unnötig|entfällt|entfallen|verzicht\w{1,4}"
    r"|spar\w{0,3} (?:wir|euch|dir|ihr|mir|uns|sie)|wurs(?:ch)?t|schnuppe"
    r"|plus tard|prochaine fois|une autre fois|peu(?:ven)?t attendre|superflue?s?|inutile?s?"
    r"|(?:en|me) (?:fiche|fout|moque)"
    r"|peu importe|de côté"
    r"|para (?:luego|después|depois|más tarde|mais tarde|otr[oa] (?:día|vez|ocasión)|outr[oa] (?:dia|vez))"
    r"|(?:próxima|otra|outra) vez|puede\w? esperar|pode\w? esperar|innecesari\w{1,2}|desnecessári\w{1,2}|sobran?"
    r"|da (?:igual|lo mismo)|tanto faz|mais tarde|dispens\w{1,4}"
    r"|più tardi|un['’]altra volta|prossima volta|può aspettare|possono aspettare|superflu[oaie]|inutil[ei]"
    r"|fa lo stesso"
    r"|lascia\w{0,3} (?:perdere|stare)"
    r"|(?:andere|volgende) keer|kan wachten|overbodig|onnodig|laat maar|senare|(?:annan|nästa) gång|kan vänta"
    r"|överflödig\w{0,1}|onödig\w{0,1}|strunta|później|(?:następnym|innym) razem|może poczekać|zbędn\w{1,3}"
    r"|niepotrzebn\w{1,3})\b",
    re.IGNORECASE,
)
"""Words that put something off or call it needless."""
_NO_WISH = frozenset("no not nah nope nein nicht nee niet nej inte non pas no não nie don t ne n".split())
_OF_IT = frozenset(
    "i we one it that this them those these ich wir man es das die den sie mir uns je j on nous y en la le les lo las "
    "los yo me nos mi ci li eu nós a o os as ik wij dat het jag vi det ja my go jej tego nu "
    "do does want need care like will would brauche brauchen will wollen möchte möchten veux veut voulons besoin ai a "
    "avons quiero queremos necesito necesitamos quiere voglio vogliamo serve servono interessa interesa interessiert "
    "intéresse quero queremos preciso precisamos wil willen hoef hoeft hoeven nodig vill behöver chcę potrzebuję "
    "really actually thanks thank you now today here time this diesmal heute jetzt hier danke gar wirklich plus du "
    "tout cette fois merci ahora hoy esta vez gracias ora oggi stavolta grazie agora hoje obrigado obrigada vandaag "
    "bedankt tack dziękuję dela dele disso elle lui ervan ello ella".split()
)
"""Words beside a denial that take back what was named before: `no la quiero`, `I don't want it`."""
_SAYINGS = re.compile(
    r"[,;:!?()\n]|[.!?](?=[\s\"”»)]|$)|\s[–—-]\s"
    r"|\b(?:and|but|so|because|since|und|aber|weil|et|mais|y|pero|ma|maar|mas|och|men|ale)\b",
    re.IGNORECASE,
)
"""What stands between what is said of one test and of another."""
_MOST_WORDS = 6
_FEW_LETTERS = 5
"""Of `no`, `nein` and `n/a`, which are read elsewhere."""
_WORDS = re.compile(r"[^\W\d_]{1,20}")
_AND = re.compile(r"\s(?:and|und|et|y|e|en|och|i)\s", re.IGNORECASE)
_LONGEST, _MOST = 2000, 200


def excluded(text: str) -> tuple[str, set[str]]:
    """The text without the tests that it rules out, and their names."""
    for stressed in (_NOT_ONLY, _KEPT, _SURE):
        text = stressed.sub(" ", text)
    dropped: list[str] = []

    def drop(said: re.Match[str]) -> str:
        ends = said.groupdict().get("ends")
        if ends and not _only_names(said[0].removesuffix(ends)):
            return said[0]
        kept, clause = _last_wish(said[0])
        dropped.append(clause)
        return f"{kept};"

    for unneeded in (_AFTER, _OFF, _UNNEEDED):
        text = unneeded.sub(drop, text)
    wanted, denied = _without_denied(text)
    return wanted, denied.union(*(known_in(clause) for clause in dropped))


def without_struck(text: str) -> str:
    """The text without what is struck out in it."""
    return _STRUCK.sub("; ", text)


def says_all(text: str) -> bool:
    """Whether the text speaks of everything."""
    return _ALL_BEFORE.search(text) is not None or names_set(text)


def denies(lead: str) -> bool:
    """Whether the words before a colon rule out what stands after it: `Not needed: …`, `Skipped tests: …`."""
    return any(words.search(lead) for words in (_NOT, _DENIES, _LEFT_OUT))


def denial_left(wanted: str) -> str:
    """A part of what is `wanted` where a test stands beside a word that denies something; empty where there is none."""
    parts = islice(_PARTS.split(wanted), _MOST)
    return next((part.strip() for part in parts if _DENIES.search(part) and next(known_in(part), None)), "")


def dismissal_left(text: str) -> str:
    """A part where a test is put off or taken back in other words: `deja recall para luego`, `recall, no la quiero`.

    Empty where there is none.
    """
    named = False
    for part in islice(_SAYINGS.split(text), _MOST):
        left = without_names(part)
        words = [word.lower() for word in _WORDS.findall(part[:_LONGEST])]
        short = named and len(words) <= _MOST_WORDS
        if (_DISMISSES.search(part) and (left != part or short)) or (short and _takes_back(words)):
            return part.strip()
        ends = left.rstrip("*_\"'`")
        named = (named and not part.strip()) or (left != part and ends != ends.rstrip())
    return ""


def _takes_back(words: Sequence[str]) -> bool:
    """Whether the words deny a wish for what was named before, and say nothing else."""
    denied = sum(map(len, words)) > _FEW_LETTERS and not _NO_WISH.isdisjoint(words)
    return denied and (_NO_WISH | _OF_IT).issuperset(words)


def _last_wish(clause: str) -> tuple[str, str]:
    """What a clause wishes for before it rules something out, and the rest: `measure recall`, `faithfulness not`."""
    joints = list(_AND.finditer(clause))
    head = clause[: joints[-1].start()] if joints else ""
    left = without_names(head)
    apart = left != head and not left.endswith(" ") and next(known_in(clause[len(head) :]), None)
    return (head, clause[len(head) :]) if apart else ("", clause)


def _only_names(clause: str) -> bool:
    """Whether the clause is a test's name with words of a request: `Answer Relevancy bitte`."""
    return next(known_in(clause), None) is not None and not core(without_names(clause))


def _without_denied(text: str) -> tuple[str, set[str]]:
    kept: list[str] = []
    denied: set[str] = set()
    place = 0
    while found := _NOT.search(text, place):
        kept.append(text[place : found.start()])
        every = _ALL_BEFORE.search(text, place, found.start())
        end = (_SENTENCE if every else _CLAUSE).search(text, found.end())
        place = end.start() if end else len(text)
        clause = text[found.end() : place][:_LONGEST]
        names = {*known_in(clause), *names_listed(clause, short=True)}
        if not names and _DENIES.fullmatch(found[0]):
            kept[-1] += found[0]  # it may deny what stands before it
        denied |= names
    return "; ".join([*kept, text[place:]]), denied
