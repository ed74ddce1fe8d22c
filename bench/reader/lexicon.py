# ruff: noqa: E501  # lists of words, filled to the line
"""Words that reverse a sentence's meaning, and words that keep it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

OPPOSITES = [
    pair.split("/")
    for pair in """
    open/closed opens/closes opened/closed opening/closing before/after above/below over/under inside/outside indoors/outdoors
    left/right top/bottom front/back first/last earlier/later early/late upper/lower north/south east/west northern/southern
    eastern/western up/down upstairs/downstairs upward/downward increase/decrease increases/decreases increased/decreased
    increasing/decreasing rise/fall rises/falls rose/fell raise/lower raises/lowers raised/lowered higher/lower highest/lowest
    high/low more/less most/least greater/smaller larger/smaller largest/smallest large/small big/small long/short longer/shorter
    tall/short wide/narrow thick/thin heavy/light heavier/lighter hot/cold warm/cool warmer/cooler wet/dry full/empty fast/slow
    faster/slower quickly/slowly strong/weak stronger/weaker hard/soft old/new older/younger oldest/youngest oldest/newest
    old/young rich/poor cheap/expensive cheaper/dearer free/paid public/private common/rare frequently/rarely often/seldom
    always/never everyone/nobody everything/nothing everywhere/nowhere all/none both/neither with/without include/exclude
    includes/excludes included/excluded including/excluding allowed/forbidden permitted/prohibited required/optional
    mandatory/voluntary possible/impossible able/unable safe/dangerous healthy/ill positive/negative active/inactive
    visible/hidden present/absent alive/dead male/female man/woman men/women father/mother son/daughter brother/sister
    husband/wife uncle/aunt king/queen day/night morning/evening morning/afternoon daily/weekly weekly/monthly monthly/yearly
    summer/winter spring/autumn begin/end begins/ends began/ended start/stop starts/stops started/stopped starting/ending
    turn_on/turn_off switched_on/switched_off on/off into/out_of add/remove adds/removes added/removed adding/removing
    insert/remove connect/disconnect connected/disconnected lock/unlock locked/unlocked attach/detach enable/disable
    enabled/disabled enables/disables tighten/loosen push/pull pushes/pulls press/release lift/lower enter/leave enters/leaves
    arrive/depart arrives/departs arrival/departure accept/reject accepts/rejects accepted/rejected approve/reject
    approved/rejected win/lose won/lost wins/loses buy/sell buys/sells bought/sold lend/borrow lent/borrowed import/export
    gain/loss profit/loss success/failure succeed/fail succeeded/failed improve/worsen improves/worsens improved/worsened
    better/worse best/worst good/bad cause/prevent causes/prevents caused/prevented causing/preventing help/hinder
    promote/inhibit promotes/inhibits activate/inhibit activates/inhibits stimulates/suppresses upregulated/downregulated
    maximum/minimum max/min majority/minority many/few ancient/modern domestic/foreign internal/external interior/exterior
    vertical/horizontal rough/smooth sharp/blunt deep/shallow clean/dirty bright/dark loud/quiet sweet/sour raw/cooked
    fresh/stale natural/artificial manual/automatic manually/automatically temporary/permanent temporarily/permanently
    permanent/provisional singular/plural simple/complex easy/difficult easily/hardly true/false correct/wrong correctly/wrongly
    guilty/innocent married/single friend/enemy ally/enemy attack/defend attacked/defended victory/defeat war/peace
    love/hate loves/hates loved/hated remember/forget agree/disagree agreed/disagreed same/different similar/different
    together/apart near/far nearby/distant forward/backward clockwise/counterclockwise odd/even input/output sender/receiver
    teacher/student employer/employee landlord/tenant buyer/seller winner/loser guest/host parent/child ancestor/descendant
    predecessor/successor acid/base solid/liquid rural/urban amateur/professional adult/child adults/children
    until/from since/before because_of/despite because/although due_to/in_spite_of only/not_only at_least/at_most
    more_than/less_than fewer_than/more_than up_to/at_least no_more_than/no_less_than within/after prior_to/after
    """.split()
    for pair in [pair.replace("_", " ")]
]
"""Used in both directions; each turns most sentences into one that contradicts the original."""

NOT_SAID = [
    pair.split("/")
    for pair in """
    some/all many/all most/all several/all often/always usually/always sometimes/always sometimes/never generally/always
    may/must can/must could/must might/will may/will should/must may/should recommended/required probably/certainly
    possible/certain part/all partly/wholly partially/completely almost/exactly about/exactly one/every suggests/proves
    likely/certain planned/completed expected/confirmed associated_with/caused_by rarely/never hardly_any/no
    """.split()
    for pair in [pair.replace("_", " ")]
]
"""The first does not imply the second; the second mostly implies the first."""

SAME = [
    group.split("/")
    for group in """
    begin/start begins/starts began/started purchase/buy purchased/bought assist/help assists/helps obtain/get obtained/got
    require/need requires/needs required/needed permit/allow permits/allows permitted/allowed large/big small/little
    quick/fast quickly/fast rapidly/quickly approximately/about roughly/about difficult/hard simple/easy
    child/kid children/kids automobile/car physician/doctor illness/disease finish/end finishes/ends finished/ended
    close/shut ill/sick error/mistake errors/mistakes reply/answer attempt/try attempts/tries choose/select chooses/selects
    chosen/selected remain/stay remains/stays enough/sufficient whole/entire entire/complete correct/right wrong/incorrect
    usually/normally often/frequently rarely/seldom therefore/thus however/but movie/film autumn/fall
    display/show displays/shows displayed/shown verify/check employ/use utilize/use uses/employs
    used/employed contain/hold contains/holds construct/build constructed/built reside/live resided/lived demonstrate/show
    demonstrates/shows demonstrated/showed reduce/lower reduces/lowers reduced/lowered increase/raise grow/increase
    prior_to/before subsequently/afterwards due_to/because_of because/since although/though until/till
    must/has_to may/can cannot/can_not can't/cannot don't/do_not doesn't/does_not isn't/is_not won't/will_not
    every/each all_of_the/all_the at_least/no_fewer_than more_than/over less_than/under each_year/annually
    yearly/annually every_day/daily every_week/weekly every_month/monthly not_allowed/forbidden prohibited/not_allowed
    photograph/photo photographs/photos telephone/phone bicycle/bike television/TV laboratory/lab company/firm
    street/road garbage/rubbish sofa/couch holiday/vacation elevator/lift located/situated founded/established
    created/made wrote/authored won/received died/passed_away lawyer/attorney evidence/proof danger/risk
    """.split()
    for group in [group.replace("_", " ")]
]
"""Exchanging them changes nothing that a reader would question."""

UNITS = [
    group.split("/")
    for group in """
    litres/gallons/millilitres liters/gallons/milliliters kilograms/pounds/grams kg/lb/g grams/ounces/milligrams mg/g
    metres/feet/centimetres meters/feet/centimeters kilometres/miles/metres kilometers/miles/meters km/miles/m
    centimetres/inches/millimetres cm/inches/mm mm/cm seconds/minutes/hours minutes/hours/seconds hours/days/minutes
    days/weeks/months weeks/months/days months/years/weeks years/months/decades degrees/percent percent/points euros/dollars/pounds
    dollars/euros/cents watts/volts/kilowatts volts/amps/watts MB/GB/KB GB/TB/MB psi/bar bar/psi million/billion/thousand
    billion/million thousand/million hundred/thousand times/percent °C/°F mL/L hectares/acres acres/hectares
    """.split()
    for group in [group]
]
"""Another unit in place of the first."""

CALENDAR = [
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "Mondays Tuesdays Wednesdays Thursdays Fridays Saturdays Sundays".split(),
    "January February March April May June July August September October November December".split(),
]
SPELLED = "zero one two three four five six seven eight nine ten eleven twelve".split()
PREFIXES = [
    "According to the document, ",
    "The text says that ",
    "As stated in the documents, ",
    "Based on the context, ",
    "The passage notes that ",
    "Yes, ",
    "In short, ",
    "Note that ",
    "It is stated that ",
    "In fact, ",
    "So ",
    "According to the manual, ",
    "The documents show that ",
    "Overall, ",
    "Additionally, ",
    "Also, ",
    "To answer your question, ",
]
IMPERATIVES = frozenset(
    """press turn remove insert push pull check clean use open close connect disconnect select choose click tap set
    place put hold keep make ensure wait add take install replace switch adjust plug unplug rinse wash dry store
    contact call read follow avoid attach lift slide fill pour shake apply wear see enter type save start stop""".split()
)

_SMALL_FIRST = frozenset(
    "the a an this these it you in on if when after to all each there for at its they he she we some most".split()
)


def raised(text: str) -> str:
    """The text with an upper-case first letter."""
    return text[:1].upper() + text[1:]


def lowered(text: str) -> str:
    """The text with a lower-case first letter, unless its first word is a name or an abbreviation."""
    first = text.split(" ")[0]
    known = first.lower() in _SMALL_FIRST
    return text[:1].lower() + text[1:] if known else text


FOLDER = Path("/usr/share/wordnet")
_POS = {"n": "noun", "v": "verb", "a": "adj", "s": "adj", "r": "adv"}
_MOST_SISTERS = 12


@dataclass
class Synset:
    """Words that share a meaning, and the targets of its pointers."""

    words: list[str]
    hypernyms: list[str] = field(default_factory=list)
    hyponyms: list[str] = field(default_factory=list)
    opposites: list[tuple[int, str, int]] = field(default_factory=list)


class WordNet:
    """Relations of single, lower-case, common words, by their most frequent meaning."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._synsets: dict[str, Synset] = {}
        self._senses: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self._tagged: dict[str, dict[str, int]] = defaultdict(dict)
        for pos in ("noun", "verb", "adj", "adv"):
            self._read_data(folder / f"data.{pos}", pos)
            self._read_index(folder / f"index.{pos}", pos)

    def part(self, word: str) -> str:
        """The part of speech in which the word has the most tagged senses; empty if unknown."""
        counts = self._tagged.get(word, {})
        return max(counts, key=lambda pos: counts[pos]) if counts else ""

    def opposites(self, word: str) -> list[str]:
        """Antonyms of any common meaning."""
        found = []
        for pos, senses in self._senses.get(word, {}).items():
            for synset in (self._synsets[s] for s in senses[:3]):
                for source, other, target in synset.opposites:
                    if word in synset.words and (source == 0 or synset.words[source - 1] == word):
                        words = self._synsets[other].words
                        found += words[:1] if target == 0 else [words[target - 1]]
                        assert pos
        return [w for w in dict.fromkeys(found) if w.isalpha()]

    def sisters(self, noun: str) -> list[str]:
        """Other common nouns under the same hypernym, in the noun's first meaning."""
        senses = self._senses.get(noun, {}).get("noun", [])
        if not senses:
            return []
        found = []
        for parent in self._synsets[senses[0]].hypernyms:
            for child in self._synsets[parent].hyponyms:
                words = self._synsets[child].words
                if child != senses[0] and noun not in words:
                    found += [w for w in words[:1] if self._common(w, "noun")]
        return found[: 4 * _MOST_SISTERS]

    def synonyms(self, word: str) -> list[str]:
        """Common words that have, in the same part of speech, the same first meaning as this one."""
        pos = self.part(word)
        senses = self._senses.get(word, {}).get(pos, [])
        if not senses or len(senses) > 4:
            return []
        return [
            w
            for w in self._synsets[senses[0]].words
            if w != word and self._common(w, pos) and self._senses[w][pos][0] == senses[0]
        ]

    def _common(self, word: str, pos: str) -> bool:
        return word.isalpha() and word.islower() and self._tagged.get(word, {}).get(pos, 0) > 0

    def _read_data(self, file: Path, pos: str) -> None:
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            parts = line.split(" ")
            count = int(parts[3], 16)
            words = [parts[4 + 2 * i].split("(")[0] for i in range(count)]
            synset = Synset(words)
            at = 4 + 2 * count
            for i in range(int(parts[at])):
                symbol, offset, kind, ends = parts[at + 1 + 4 * i : at + 5 + 4 * i]
                other = f"{_POS[kind]}{offset}"
                if symbol == "@":
                    synset.hypernyms.append(other)
                elif symbol == "~":
                    synset.hyponyms.append(other)
                elif symbol == "!":
                    synset.opposites.append((int(ends[:2], 16), other, int(ends[2:], 16)))
            self._synsets[f"{pos}{parts[0]}"] = synset

    def _read_index(self, file: Path, pos: str) -> None:
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):
                continue
            parts = line.split()
            senses = int(parts[2])
            self._senses[parts[0]][pos] = [f"{pos}{offset}" for offset in parts[-senses:]]
            self._tagged[parts[0]][pos] = int(parts[-senses - 1])
