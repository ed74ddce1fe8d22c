"""Labels that no list knows: what the words of a line's beginning say that the text after it is.

`Réponses de référence :`, `Trechos recuperados:`, `Answer received ......`, `Quelle 1:`. Words are compared by their
stems, without accents, in ten languages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from trace_core.datasets.words import words_of
from trace_core.endpoint.reading.language.names import without_names
from trace_core.endpoint.reading.language.words import USUAL, field_named


def stems(words: str) -> tuple[str, ...]:
    """The beginnings of words, as written without accents."""
    return tuple(words.split())


ASKED = stems(
    "question query enquir inquir utterance frage anfrage pregunt pergunt domand vraag pytani fraga "
    "sporsmal otazk kerdes"
)
REPLIED = stems(
    "answer response reply replie antwort repons respuest rispost respost antwoord odpowied svar odpov vastaus valasz "
    "completion output"
)
TEXTS = stems(
    "context kontext kontekst contest document dokument passag pasaj chunk snippet excerpt extrait estratt fragment "
    "source quelle fuente fonte fonti bron zrodł zrodl zrode kalla trecho textstelle fundstelle stukken auszug auszuge "
    "abschnitt evidence exhibit brano brani kalltext footnote fussnot fußnot underlag bilag leaflet brochur broschur"
)
PASSAGES = stems(
    "article artikel artikkel articol articul artigo artyku paragraph paragraf absatz absatze alinea parraf stycke "
    "akapit page pages seite seiten sida entry entries section hits treffer"
)
"""Words for texts that stand for more in labels, and in a story only for what was found."""
_TEXT = frozenset(
    "doc docs stellen fundstellen text texts texte textes texto textos testo testi tekst teksten teksty".split()
)
_TRUE = stems(
    "true truth should gold reference referenz referent referenc riferiment facit expected erwartet correct richtig "
    "korrekt muster soll attendu esperad attes juist verwacht wzorcow oczekiwan accept akzeptier poprawn prawidlow "
    "verdad verita verite gabarito soluzion solution solucion soluc losung corrig "
    "ideal right target"
)
RELEVANT = stems("relevan pertinent rilevant istotn useful helpful needed supporting")
_TESTS = stems(
    "test metric measur assess metrik metri metryk evaluat evalua evalue avaliar avaliac valuta bewert check mesure "
    "misur medida prueba teste prova bada ocen matt"
)
_UNRELATED = stems("irrelevan unrelated wrong falsch")
_OWNERS = frozenset(
    "what eval bot chatbot model modell modele modelo modello system systems assistant assistent asistente ai ki ia "
    "llm rag user users customer customers client clients kunde kunden cliente utilisateur usuario utente gebruiker "
    "uzytkownik "
    "our my your the their its his her s der die das des dem den vom von le la les l de du d el los las del dell della "
    "il lo di dal het een van op do da dos das o a os as und y e et i and or is was were are ist war sind est etait es "
    "era e to from by in for of at on we i you they it asked asks need find finds want run that be received receive "
    "retrieved "
    "fetched pulled back "
    "search retriever found returned got given usr presented posed posta posee posta data typed "
    "wanted requested required gefunden gevonden recuperados recuperes trouves gewunscht gewunschter te zu generated "
    "actual final id ids ground terrain terreno base fundamental following these all used shown "
    "put under review had which it gestellte gestellten prufende geprufte zu "
    "posta posto".split()
)
"""Words beside the one that says what follows: whose it is, articles, verbs."""
_WORDS = _OWNERS | _TEXT
_KNOWN_STEMS = (*ASKED, *REPLIED, *TEXTS, *_TRUE, *RELEVANT, *_TESTS)
"""The words of labels, whole and by their stems."""
_OBTAINED = frozenset(
    "generated predicted produced got actual received obtained "
    "erhalten bekommen geliefert obtenu recu reçu obtenido recibido ottenuto ricevuto "
    "obtido recebido gekregen ontvangen fick erholl otrzymano".split()
)
"""What came, beside what was expected: `Expected: …`, `Got: …`."""
_SAYING = frozenset("say said have been sagen gesagt haben dire dit decir dicho zeggen".split())
"""`It should have said:`."""
_IDS = frozenset(("id", "ids"))
_FINDERS = frozenset(("retriever", "search"))
_RETRIEVED = frozenset("retrieved fetched found returned pulled gefunden trouve recuperado gevonden trovato".split())
"""What a search did: `We fetched:`."""
_ELSE = frozenset(
    "date time times score scores rating grade type status priority version number count length latency seconds name "
    "title author language model_name url link key rate quality requested_by due reason comment note not no nicht "
    "geen pas non why how when who where".split()
)
"""Words of a line about a part, not of the part."""
_MOST_WORDS, _LONGEST_ALONE = 10, 4
_ASIDE = r"(?:[ \t]{0,2}\((?P<aside>[^()\n]{1,60})\))?"
_ID = r"(?:[ \t.]{0,2}(?P<id>\[[^\[\]\n]{1,64}\]|#?\d{1,4}|(?<=[ \t.])[A-Za-z]))?"
_MARK = r"(?P<mark>[ \t]{0,8}(?:(?:[#>*_`•+-]{1,6}|\(?[a-z\d]{1,2}[.)])[ \t]{0,4}){0,3})"
_LABEL = rf"{_MARK}(?P<label>[^\W\d_](?:[^\W\d_]|[ '’_-]|\.(?=[^\W\d_])|,(?= [^\W\d_])){{1,70}}?){_ID}{_ASIDE}"
_BEFORE_TEXT = re.compile(
    rf"^{_LABEL}[*_`]{{0,3}}[ \t]{{0,4}}"
    r"(?P<ends>[:：]|=(?!=)|→|⇒|[-=]>|\.{4,60}[ \t]{0,4}:?|\t{1,3}|[ ]{2,30}(?=\S))"
    r"[*_`]{0,3}[ \t]{0,8}",
    re.MULTILINE,
)
_ALONE = re.compile(rf"^{_LABEL}[*_`]{{0,3}}\.?[ \t]{{0,4}}$", re.MULTILINE)
_RULED = re.compile(
    rf"^[=#*~-]{{2,10}}[ \t]{_LABEL}[ \t]{{0,4}}:?[ \t]{{0,4}}[=#*~-]{{2,10}}[ \t]{{0,4}}$", re.MULTILINE
)
"""A label between rules: `--- articles used (contexts) ---`."""
_SURE = frozenset(":：=→⇒.")
_VERBS = tuple(f" {verb}" for verb in "is was are were ist war sind lautet est était es era è jest to".split())
"""The last words of a line that leads to a text: `and the reference answer in my textbook is`."""
_QUOTED_NEXT = re.compile(r"\s{1,40}(?:>|```|[\"“«„]|[-*•][ \t]|\[)")


class Said(NamedTuple):
    """What a label's words say: the field, and whether each of its words is known."""

    field: str
    whole: bool


def said_by(label: str) -> Said | None:
    """The field that the words of a label name; `None` for none, for two, and for something about a part."""
    words = [] if without_names(label) != label else words_of(label)  # what a test's name says is no part's
    if not 0 < len(words) <= _MOST_WORDS or not _ELSE.isdisjoint(words) or _any(words, _UNRELATED):
        return None
    field = _field_of(words)
    if field is None:
        return None
    known = (field != "answer" or _any(words, REPLIED)) and "target" not in words  # `Got:` counts only where wanted
    return Said(field, known and all(word in _WORDS or word.startswith(_KNOWN_STEMS) for word in words))


def _any(words: Collection[str], stems: tuple[str, ...]) -> bool:
    return any(word.startswith(stems) for word in words)


def _field_of(words: Collection[str]) -> str | None:
    asked, replied, texts, true = (_any(words, stems) for stems in (ASKED, REPLIED, TEXTS, _TRUE))
    texts = texts or not _TEXT.isdisjoint(words)
    if _any(words, RELEVANT) or (true and (texts or not _RETRIEVED.isdisjoint(words))):
        return "relevant_context_ids" if not (asked or replied) else None
    if asked + replied + texts > 1:
        return None
    if not _IDS.isdisjoint(words):
        return "relevant_context_ids" if true and "ids" in words and not (asked or replied) else None
    if not (asked or replied or texts or true) and not _RETRIEVED.isdisjoint(words) and _OWNERS.issuperset(words):
        return "contexts"
    if not (asked or replied or texts or true or _FINDERS.intersection(words)) and _OBTAINED.intersection(words):
        return "answer" if (_OWNERS | _OBTAINED).issuperset(words) else None
    if "asked" in words and _OWNERS.issuperset(words):
        return "question"
    if true:
        said = _OWNERS | _SAYING
        return "ground_truth" if replied or all(w in said or w.startswith(_TRUE) for w in words) else None
    if asked or replied or texts:
        return "question" if asked else "answer" if replied else "contexts"
    return "tests" if _any(words, _TESTS) else None


def relabeled(text: str, known: Collection[str], wanted: Collection[str]) -> str:
    """The text with the usual label in the place of each strange one, where no usual label names that part (`known`).

    A label of which not all words are known counts only where its part is `wanted`; so does one of relevant ids, and
    one that only dots, tabs or spaces part from its text, unless there are two of that kind.
    """
    parts, place = [], 0
    for label in _strange(text, known, wanted):
        parts += [text[place : label.start], f"{label.name}: "]
        place = label.end
    return "".join([*parts, text[place:]])


class _Label(NamedTuple):
    start: int
    end: int
    field: str
    whole: bool
    ends: str
    name: str


def _strange(text: str, known: Collection[str], wanted: Collection[str]) -> Iterator[_Label]:
    """The strange labels that count, in order."""
    found = sorted((*_before_texts(text), *_alone(text)), key=lambda label: label.start)
    found = [label for label in found if label.field not in known]
    by_kind = {ends: {label.field for label in found if label.ends == ends} for ends in {one.ends for one in found}}
    for label in found:
        asked = label.field in wanted
        sure = label.whole and (asked or label.field != "relevant_context_ids")
        if (asked or sure) if label.ends in _SURE else (sure and len(by_kind[label.ends]) > 1):
            yield label


def _before_texts(text: str) -> Iterator[_Label]:
    for match in _BEFORE_TEXT.finditer(text):
        if label := _label(match, match["ends"][:1]):
            yield label


def _alone(text: str) -> Iterator[_Label]:
    """Labels on lines of their own: between rules, headings, and what is said before a quotation or a list."""
    yield from (label for match in _RULED.finditer(text) if (label := _label(match, ":")))
    for match in _ALONE.finditer(text):
        heading = match["mark"].strip(" \t>") or match["label"].isupper() or _QUOTED_NEXT.match(text, match.end())
        few = match["label"].count(" ") < _LONGEST_ALONE and text[: match.start()].endswith("\n\n")
        leads = match["label"].endswith(_VERBS)
        if (heading or few or leads) and (label := _label(match, ":")):
            yield label


def _label(match: re.Match[str], ends: str) -> _Label | None:
    named = field_named(match["aside"] or "")
    said = Said(named, True) if named else said_by(match["label"])
    if said is None and ends == ".":  # a line of a form about something else ends the part before it
        said = Said("unused", True)
    if said is None:
        return None
    said = Said(said.field, said.whole or "_" in match["label"])  # `vérité_terrain`: no text begins so
    name = f"Context {match['id']}" if match["id"] and said.field == "contexts" else USUAL[said.field]
    return _Label(match.start(), match.end(), *said, ends, name)
