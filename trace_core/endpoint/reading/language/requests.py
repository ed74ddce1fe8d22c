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


def _skipped(word: str) -> bool:
    return around(word) or not word[0].isalnum()
