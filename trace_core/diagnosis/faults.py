"""The one vocabulary of faults: each has one name, one meaning and one next step, wherever it is shown. Faults are
data, in the order in which they are tried. A record's status is the first fault whose conditions hold; those listed as
`beside` it may hold as well. Conditions compare a quantity (`signs.quantities`) with a threshold, whose default is
given here and can be changed. What the sources call a pattern is kept in `PATTERNS`."""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.signs import Mask as Mask
from trace_core.diagnosis.signs import Quantities
from trace_core.facts.records import Finding

Thresholds = Mapping[str, Mapping[str, float]]  # name of a fault → quantity → threshold
_COMPARE: Mapping[str, Callable[..., Any]] = {"<": operator.lt, ">": operator.gt, "≥": operator.ge, "≤": operator.le}
_TONES = ("neutral", "warn", "warn", "bad")  # by severity
_WRONG = "contradicted unsupported"
_OF_ANSWERS = f"{_WRONG} missed_document incomplete noise"
"""The faults of an answer that was given, beside which further ones are told."""


@cache
def conditions(when: str) -> list[list[tuple[str, str, float]]]:
    """The alternatives in `"a < 0.5, b ≥ 0.7 or c > 1"`, each with its conditions: quantity, comparison, threshold."""
    parts = [[part.split() for part in one.split(",") if part] for one in when.split(" or ")]
    return [[(quantity, sign, float(threshold)) for quantity, sign, threshold in one] for one in parts]


@dataclass(frozen=True, slots=True)
class Fault:
    """What can be said of a record: it holds `when` all conditions of one alternative do. `title` is its name for
    people. Severity: 3 wrong, 2 weak, 1 worth knowing, 0 no fault. `tone`, good, warn, bad, neutral or unknown, follows
    from it unless given; `metric` is the metric concerned. Where `unsure` holds, the labels that decide are doubtful,
    and it `yields` to another that holds. It may accompany the statuses in `beside`; one that never `leads` is no
    status itself, and one that is `measured` needs a second measurement, and is told of a run only."""

    name: str
    severity: int
    title: str
    when: str
    meaning: str
    fix: str
    tone: str = ""
    metric: str = ""
    unsure: str = ""
    yields: str = ""
    beside: str = ""
    leads: bool = True
    measured: bool = False

    @property
    def quantities(self) -> list[str]:
        """What its conditions compare, of all alternatives."""
        return [quantity for alternative in conditions(self.when) for quantity, *_ in alternative]


_FAULTS = (
    Fault(
        "empty",
        3,
        "empty answer",
        "failed_generation ≥ 1",
        "There is no answer: nothing, a placeholder or an error's text. It is counted apart and not scored.",
        "Find out why the generator gave none: an error, a filter or a token limit.",
        tone="warn",
    ),
    Fault(
        "nothing_relevant",
        2,
        "nothing relevant retrieved",
        "nothing_relevant ≥ 1, answerable ≥ 1, refusal ≥ 1"
        " or nothing_relevant ≥ 1, grounded < 1, contradicted < 1, refusal < 1, unanswerable < 1",
        "Nothing that was retrieved bears on the question, although an answer was given or expected.",
        "Check whether the collection contains the answer. If so, improve the search or raise top_k; if not, let"
        " the generator decline.",
        tone="bad",
        metric="context_relevance",
        unsure="nearness ≥ 0.35",
    ),
    Fault(
        "refused",
        2,
        "refused although the documents answer",
        "answerable ≥ 1, refusal ≥ 1, document_recall > 0, completeness < 0.6"
        " or certified ≥ 1, unanswerable < 1, nothing_relevant < 1, refusal ≥ 1, completeness < 0.6"
        " or certified ≥ 1, unanswerable < 1, denial ≥ 1, missed ≥ 1",
        "The answer declines, although relevant text was retrieved.",
        "Read the relevant sentences. If they answer the question, soften the prompt or the refusal threshold.",
        metric="completeness",
        unsure="nearness < 0.65",
    ),
    Fault(
        "declined",
        0,
        "declined",
        "refusal ≥ 1 or certified < 1, denial ≥ 1 or unanswerable ≥ 1, nothing_relevant ≥ 1, adherence ≥ 1",
        "The answer says that it cannot answer: rightly or not, a judge, a person or a golden question tells.",
        "Read the nearest passage. If it answers the question, soften the prompt or the refusal threshold.",
        unsure="nearness ≥ 0.35, nearness < 0.65",
    ),
    Fault(
        "contradicted",
        3,
        "contradicted claim",
        "adherence < 1, contradicted ≥ 1",
        "A statement of the answer contradicts a document.",
        "Check names, numbers and negations against the documents before an answer is shown.",
        metric="adherence",
        unsure="doubt < 0.9",
    ),
    Fault(
        "unsupported",
        3,
        "unsupported claim",
        "adherence < 1",
        "A statement of the answer is not fully supported by the documents.",
        "Have the generator answer from the documents alone, and check each claim before it is shown.",
        metric="adherence",
        unsure="doubt < 0.9",
        beside="nothing_relevant",
    ),
    Fault(
        "unlabeled",
        0,
        "not enough labels",
        "lacking > 0 or nothing_relevant ≥ 1, grounded ≥ 1",
        "Too little is labeled to judge the record, or its labels do not fit together.",
        "Label these records again, or by hand on the page Review.",
        tone="unknown",
    ),
    Fault(
        "missed_document",
        2,
        "expected document missed",
        "document_recall < 0.5 or several ≥ 1, document_recall < 1",
        "The retriever did not bring a document that the golden question expects.",
        "Add the document if the collection lacks it. If not, improve the search, or raise top_k and rerank.",
        beside=f"{_WRONG} nothing_relevant",
    ),
    Fault(
        "incomplete",
        2,
        "relevant left out",
        "missed ≥ 1, completeness < 0.8 or missed ≥ 1, utilization < 0.6 or missed ≥ 1, retrieved ≥ 0.7, used ≤ 0.5",
        "Relevant text was retrieved and did not reach the answer.",
        "Ask the generator to cover every relevant point, and put the best documents first.",
        metric="completeness",
        unsure="left_out < 1.5 or covered ≥ 0.5",
        yields="noise",
        beside=f"{_WRONG} missed_document noise",
    ),
    Fault(
        "noise",
        2,
        "relevant among much noise",
        "relevance < 0.5, idle_chunks > 5",
        "Most of the retrieved documents contain nothing relevant.",
        "Rerank, and keep fewer documents.",
        metric="context_relevance",
        beside=f"{_WRONG} incomplete",
    ),
    Fault(
        "late",
        1,
        "relevant text comes late",
        "first_relevant > 3",
        "The first document with anything relevant is not among the first three.",
        "Rerank: the best document belongs first.",
        beside=f"{_OF_ANSWERS} refused",
        leads=False,
    ),
    Fault(
        "stray",
        1,
        "answer rests on irrelevant text",
        "noise_sensitivity > 0",
        "Part of the answer rests only on sentences that are not relevant to the question.",
        "Rerank or filter the documents before the generator reads them.",
        beside=_OF_ANSWERS,
        leads=False,
    ),
    Fault(
        "mismatch",
        2,
        "retrieval–answer mismatch",
        "contribution_support < 0.5",
        "The documents that contribute most are not those that the answer rests on.",
        "Rerank, put the best documents first, or correct the retrieval before answering (CRAG).",
        measured=True,
    ),
    Fault(
        "led_astray",
        2,
        "led astray by a document",
        "noise_relevant > 0 or noise_irrelevant > 0",
        "Part of the answer is wrong by the reference, and a document supports it.",
        "Where the document fits the question, check it against the reference; else rerank or filter the context.",
        measured=True,
    ),
    Fault(
        "healthy",
        0,
        "healthy",
        "",
        "According to the labels, retrieval and generation both did their work.",
        "The labels show nothing to fix: keep watching it.",
        tone="good",
        unsure="doubt ≥ 0.45",
    ),
)
FAULTS: Mapping[str, Fault] = {fault.name: fault for fault in _FAULTS}
_CODES = {name: code for code, name in enumerate(("", *FAULTS))}
PATTERNS = {
    "hallucination": ("adherence < 1", _WRONG),
    "hallucination risk": ("relevant_text < 0.3, used ≥ 0.7", f"{_WRONG} noise"),
    "answered without ground": ("unanswerable ≥ 1, refusal < 1, adherence < 1", _WRONG),
    "retriever noise": ("relevance < 0.5, retrieved < 0.7", "nothing_relevant noise"),
    "good retrieval, poor generation": ("retrieved ≥ 0.7, used ≤ 0.5, missed ≥ 1", "incomplete"),
    "low utilization": ("used < 0.4, missed ≥ 1", "incomplete"),
    "low completeness": ("completeness < 0.6, missed ≥ 1", "incomplete"),
    "conservative": ("completeness < 0.6, adherence ≥ 1, missed ≥ 1", "incomplete"),
    "global-query failure": ("several ≥ 1", "incomplete missed_document"),
    "balanced but low": ("rmse_aggregation < 0.15, average < 0.5", f"nothing_relevant {_WRONG} incomplete"),
    "noise sensitivity": ("noise_sensitivity > 0", "stray"),
    "refusal": ("refusal ≥ 1", "refused declined"),
    "healthy": ("retrieved ≥ 0.7, used ≥ 0.7, completeness ≥ 0.7, adherence ≥ 1", "healthy"),
}
"""The sources' name of a pattern → its conditions, by their thresholds, and the faults that it is a name of."""


class Badge(NamedTuple):
    """A status as it is shown: its name for people and its tone. Where it is unsure, it says so and is grey."""

    title: str
    tone: str


def look(name: str, doubtful: bool = False) -> Badge:
    """How the status of that name is shown; one that there is not (of a failed record) is not scored."""
    fault = FAULTS.get(name)
    if fault and not doubtful:
        return Badge(fault.title, fault.tone or _TONES[fault.severity])
    return Badge(f"{fault.title}, unsure" if fault else "not scored", "unknown")


def holds(when: str, values: Quantities, limits: Mapping[str, float] = MappingProxyType({})) -> Mask:
    """Where all conditions of an alternative hold, `limits` in place of its thresholds; what is unknown meets none."""
    mask = np.zeros(len(next(iter(values.values()))), dtype=bool)
    for alternative in conditions(when):
        if all(quantity in values for quantity, *_ in alternative):
            parts = (_COMPARE[sign](values[name], limits.get(name, least)) for name, sign, least in alternative)
            mask |= reduce(operator.and_, parts, True)
    return mask


def statuses(values: Quantities, thresholds: Thresholds | None = None) -> NDArray[np.object_]:
    """The name of each record's status."""
    masks = _masks(values, thresholds)
    names = np.full(len(values["adherence"]), "healthy", dtype=object)
    for fault in reversed([fault for fault in FAULTS.values() if fault.leads and not fault.measured]):
        names[masks[fault.name]] = fault.name
        if fault.yields:
            names[(names == fault.name) & holds(fault.unsure, values) & masks[fault.yields]] = fault.yields
    return names


def _masks(values: Quantities, thresholds: Thresholds | None) -> dict[str, Mask]:
    """Fault → where its conditions hold, whatever else does."""
    return {name: holds(fault.when, values, (thresholds or {}).get(name, {})) for name, fault in FAULTS.items()}


def _codes(names: NDArray[np.object_]) -> NDArray[np.int8]:
    """Numbers in place of the names: arrays of these are compared a hundred times as fast."""
    return np.array([_CODES[name] for name in names.tolist()], dtype=np.int8)


def unsure(values: Quantities, names: NDArray[np.object_]) -> Mask:
    """Where the labels that decide a record's status are doubtful."""
    codes, mask = _codes(names), np.zeros(len(names), dtype=bool)
    for name, fault in FAULTS.items():
        if fault.unsure:
            mask |= (codes == _CODES[name]) & holds(fault.unsure, values)
    return mask


def matches(values: Quantities, names: NDArray[np.object_], thresholds: Thresholds | None = None) -> dict[str, Mask]:
    """Fault → which records have it, given each record's status ("" for a record that has none)."""
    codes = _codes(names)
    beside = {name: [_CODES[other] for other in fault.beside.split()] for name, fault in FAULTS.items()}
    return {
        name: (codes == _CODES[name]) | (mask & (FAULTS[name].measured | np.isin(codes, beside[name])))
        for name, mask in _masks(values, thresholds).items()
    }


def measured_findings(values: Quantities) -> dict[str, Mask]:
    """Fault that a second measurement tells → which records have it."""
    return {name: holds(fault.when, values) for name, fault in FAULTS.items() if fault.measured}


def findings(values: Quantities, name: str, thresholds: Thresholds | None = None) -> list[Finding]:
    """A single record's faults beside and with its status, the worst first."""
    masks = matches(values, np.array([name], dtype=object), thresholds)
    patterns = {title: of.split() for title, (when, of) in PATTERNS.items() if holds(when, values)[0]}
    return [
        Finding(
            name=name,
            severity=fault.severity,
            title=fault.title,
            meaning=fault.meaning,
            fix=fault.fix,
            sources=[title for title, of in patterns.items() if name in of and title != fault.title],
        )
        for name, fault in sorted(FAULTS.items(), key=lambda one: -one[1].severity)
        if masks[name][0]
    ]
