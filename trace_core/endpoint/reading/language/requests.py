"""The words of a request in nine languages: those that ask, and those that stand around what is asked for."""

from __future__ import annotations

import re

_ASKS = frozenset(
    "would interested interessiert interessieren intéresse intéressent interesa interesan interessa interessano "
    "interesseert intresserar interesuje "
    "need needs want wants like love please pls plz kindly can could run score evaluate measure check compute "
    "calculate "
    "bitte brauche brauch bräuchte brauchen bräuchten möchte möchten hätte hätten will wollen könnt könntet kannst "
    "könntest prüf prüfe prüft berechne berechnet berechnen "
    "voudrais voudrions aimerais aimerions veux voulons besoin faudrait pouvez pourriez peux svp calculez mesurez "
    "quiero quisiera queremos quisiéramos necesito necesitamos gustaría puedes podéis podrías calcula calculad mide "
    "vorrei vorremmo voglio vogliamo serve servirebbe bisogno puoi potete potresti calcola misura "
    "quero queria queremos queríamos gostaria preciso precisamos pode podem poderia calcule meça "
    "graag wil willen zou nodig kun kunnen kan bereken "
    "vill skulle behöver beräkna "
    "chcę chcemy chciałbym chciałabym potrzebuję potrzebujemy poproszę proszę prosimy oblicz".split()
)
"""Words of whoever asks; a text that only speaks of a test has none."""
_AROUND = frozenset(
    "hi hey hello i we you me us get have give do test tests metric metrics evaluation result results value "
    "values the a an of for on in this that these those it one sample case example below above here now again "
    "both also too as well just only then and let's d ll next following and und et e y en och oraz thx thanks thank ty "
    "row rows record entry pair item ticket zeile eintrag ligne fila riga linha rij rad wiersz "
    "am m curious about keen on "
    "asap today somebody someone anyone anybody nothing else more be nice good great its their his her "
    "hallo ich wir mir uns mal die der das den dem für zu von diesen diesem dieses fall beispiel noch auch nur messen "
    "prüfen danke einmal bitte seine ihre deren "
    "je nous la le les l de du pour sur ce cet cette cas exemple merci s il sa son ses leur seulement te "
    "vous plaît plait aussi avoir mesurer calculer "
    "me nos el los las del por favor para este esta caso ejemplo gracias también calcular medir su sus solo sólo "
    "solamente "
    "mi ci il lo gli per favore di questo questa caso esempio grazie anche calcolare misurare sapere sua suo solo "
    "soltanto "
    "o os as do da dos das esse este exemplo também obrigado obrigada calcular medir sua seu só apenas "
    "alsjeblieft alstublieft van het een dit deze geval voorbeeld ook even dank alleen haar zijn "
    "jag vi ha få tack för det här den detta exempel också endast bara dess "
    "mi nam dla ten tego przykładu też tylko jej jego o".split()
)
_ORDERS = frozenset(
    "run score evaluate eval measure check compute calculate do apply perform execute give get need want like try use "
    "auswerten auswerte werte aus berechne berechnen prüfe prüfen messe rechne laufen "
    "durchlaufen rechnen lassen durch teste testen möchte brauche "
    "lance lancez lancer calcule calculez calculer évalue évaluez évaluer mesure mesurez fais faites exécute passe "
    "passez tourner veux voudrais "
    "calcula calcular evalúa evaluar evaluad mide ejecuta ejecutar haz corre pasa quiero necesito "
    "calcola calcolate valuta valutate misura esegui fai fate lancia voglio vorrei "
    "calcule avalie avalia avaliar execute rode faça meça quero preciso "
    "bereken evalueer meet draai doe voer uit wil graag "
    "beräkna utvärdera kör mät gör vill oblicz policz policzyć obliczyć uruchom sprawdź oceń zrób chcę poproszę".split()
)
"""Words of whoever wants something done."""
_SAMPLE = frozenset(
    "on for over with against to por sobre na an auf für zu sur pour su op voor na på för hier diesem diese dieses "
    "dieser das den dem ce cet cette ces esto este esta estos isso isto esse essa questo questa questi dit deze det "
    "detta denna ten to tym tego de del las los les le la mal uns einmal bitte please pls können could can you sample "
    "example record row following des d'accord s'il vous te plaît stp svp favor per alsjeblieft tack proszę "
    "dich euch mir nos me ici here's ones case pair object json yaml".split()
)
_WHERE = frozenset("is are here below above found find in see ist sind hier unten voici siehe there's that".split())
"""Words beside which `everything` is what is sent, not what is wanted."""
NOTE = re.compile(
    r"(?:p\.? ?s\.?|n\.? ?b\.?|note|addendum|nachtrag|ergänzung|anmerkung|remarque|nota|naschrift|opmerking|uwaga"
    r"|tillägg)",
    re.IGNORECASE,
)
"""What opens a last line, which may be about the tests."""
_WORDS = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*|\d+|[^\w\s]")
_MARKS = " \t-*•`'\"_’"


def asks(text: str) -> bool:
    """Whether someone asks for something in the text."""
    return any(word.lower() in _ASKS for word in re.findall(r"[^\W\d_]+", text))


def around(word: str) -> bool:
    """Whether the word may stand around what is asked for."""
    return word.lower() in _ASKS or word.lower() in _AROUND


def core(item: str) -> str:
    """What is left of an item without the words of a request around it: `could you check bias for me` → `bias`."""
    words = list(_WORDS.finditer(item))
    first = next((place for place, word in enumerate(words) if not _skipped(word[0])), len(words))
    last = next((place for place in range(len(words), first, -1) if not _skipped(words[place - 1][0])), first)
    return item[words[first].start() : words[last - 1].end()].strip(_MARKS) if first < last else ""


_ELIDED = re.compile(r"\b[ld]['’](?=[^\W\d_])", re.IGNORECASE)
"""A French or Italian article before a vowel."""


def ordered(sentence: str) -> tuple[str, bool]:
    """What is left of a sentence without the words of a request anywhere in it, and whether it asks for something.

    Nothing is left of a sentence that tells where something stands.
    """
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*|\*", _ELIDED.sub("", sentence))
    lower = [word.lower() for word in words]
    if not _WHERE.isdisjoint(lower):
        return "", False
    left = [word for word in words if not _spare(word.lower())]
    polite = not {"please", "pls", "plz", "bitte", "svp", "stp", "proszę"}.isdisjoint(lower)
    return " ".join(left), polite or not _ORDERS.isdisjoint(lower)


def _spare(word: str) -> bool:
    return word in _ORDERS or word in _SAMPLE or (around(word) and word not in ("six", "seis", "sei"))


def _skipped(word: str) -> bool:
    return around(word) or not word[0].isalnum()
