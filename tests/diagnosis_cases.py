"""Hand-written cases of the diagnosis: the record, and the expected findings.

What is supported is written as in `metric_examples.labels`: `a+0b` fully supported by 0b, `a-` unsupported, `a-0b`
partly, `a!0b` contradicted by 0b.
"""

from dataclasses import dataclass, field

from metric_examples import labels

from trace_core.diagnosis.faults import FAULTS
from trace_core.facts.labels import Labels, Probabilities
from trace_core.facts.records import Document, Record, Response

MACHINE = (
    "The tank holds 1.8 litres. Fill it with cold water.",  # 0a 0b
    "Descale the machine every two months. Use citric acid. Rinse twice.",  # 1a 1b 1c
)
DECLINES = "I cannot answer this from the documents."
SHOP = tuple(f"Shop {i} opens at nine. It sells bread." for i in range(12))


@dataclass(frozen=True)
class Case:
    """One record with its labels, and the expected result."""

    name: str
    verdict: str
    """Its name and its tone."""
    answer: str
    lists: str
    """What is relevant / utilized / supported."""
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    findings: frozenset[str] = frozenset()
    not_findings: frozenset[str] = frozenset()
    documents: tuple[str, ...] = MACHINE
    question: str = "?"
    more: dict[str, object] = field(default_factory=dict)

    def record(self) -> Record:
        """The record with its labels, not yet scored."""
        made = [Document(id=str(i), rank=i + 1, text=text) for i, text in enumerate(self.documents)]
        response = Response(text=self.answer)
        return Record(id="1", question=self.question, documents=made, response=response, labels=self.labels())

    def labels(self) -> Labels:
        """The labels, with contradictions filled in."""
        relevant, utilized, support = self.lists.split("/")
        made = labels(relevant, utilized, support.replace("!", "-"), **self.more)
        against = dict(mark.split("!") for mark in support.split() if "!" in mark)
        for i, entry in enumerate(made.sentence_support_information or []):
            if key := against.get(entry.response_sentence_key):
                changed = {"supporting_sentence_keys": [], "contradicting_sentence_keys": [key]}
                made.sentence_support_information[i] = entry.model_copy(update=changed)
        return made


def names(*words: str) -> frozenset[str]:
    """A set of finding names."""
    return frozenset(words)


ALARMS = names(*(name for name, fault in FAULTS.items() if fault.severity > 1))

CASES = [
    Case(
        "one fact asked, one fact found, one fact told",
        "healthy good",
        "The tank holds 1.8 litres.",
        "0a / 0a / a+0a",
        says=("Healthy: grounded and complete, says the file's labeler.",),
        never=("0.05", "target", "below"),
        not_findings=ALARMS,
    ),
    Case(
        "one fact in one of five chunks is as good as it can be",
        "healthy good",
        "Shop 3 opens at nine.",
        "3a / 3a / a+3a",
        documents=SHOP[:5],
        says=("grounded and complete",),
        not_findings=ALARMS,
    ),
    Case(
        "everything relevant told",
        "healthy good",
        "Descale it every two months. Use citric acid. Rinse twice.",
        "1a 1b 1c / 1a 1b 1c / a+1a b+1b c+1c",
        says=("grounded and complete",),
        not_findings=ALARMS,
    ),
    Case(
        "most of the relevant told: what is left out is quoted, and nothing is called complete",
        "healthy good",
        "Descale it every two months. Use citric acid. Rinse twice. The tank holds 1.8 litres.",
        "0a 0b 1a 1b 1c / 0a 1a 1b 1c / a+1a b+1b c+1c d+0a",
        says=("grounded", "4 of 5", "“Fill it with cold water”"),
        never=("complete",),
        not_findings=ALARMS,
    ),
    Case(
        "nothing relevant, and the answer declines: that is right",
        "declined neutral",
        DECLINES,
        "/ / a+supported_without_sentence",
        says=("Declined: rightly", "finds nothing relevant in the 5 sentences of 2 documents"),
        never=("contradicts",),
        not_findings=ALARMS | names("healthy"),
    ),
    Case(
        "nothing relevant, and the answer says in unusual words that the documents lack it",
        "declined neutral",
        "They give fares and times, but whether there is a dining car stays open.",
        "/ / a+supported_without_sentence",
        says=("Declined: rightly",),
        not_findings=ALARMS | names("healthy"),
    ),
    Case(
        "the nearest sentence is quoted where a labeler knows how near it came",
        "declined neutral",
        DECLINES,
        "/ / a+supported_without_sentence",
        says=("The nearest passage is 0b, “Fill it with cold water” (relevant with probability 0.20)",),
        never=("contradicts",),
        more={"probabilities": Probabilities(relevant={"0a": 0.1, "0b": 0.2, "1a": 0.02})},
    ),
    Case(
        "nothing relevant, and the answer makes something up",
        "nothing_relevant bad",
        "The warranty lasts two years.",
        "/ / a-",
        says=("finds nothing relevant", "“The warranty lasts two years”"),
        findings=names("unsupported"),
        not_findings=names("incomplete", "healthy"),
    ),
    Case(
        "nothing is called relevant, but the answer contradicts a document, which is then about the matter",
        "contradicted bad",
        "The tank holds 9 litres.",
        "/ / a!0a",
        says=("“The tank holds 9 litres”", "0a, “The tank holds 1.8 litres”"),
        not_findings=names("nothing_relevant"),
    ),
    Case(
        "a refusal although a document says it",
        "refused warn",
        "I cannot answer this from the documents.",
        "0b / / a+supported_without_sentence",
        says=("Refused although the documents answer", "0b, “Fill it with cold water”"),
        never=("contradicts",),
        not_findings=names("healthy", "incomplete", "unsupported"),
    ),
    Case(
        "an answer that opens by declining and then answers is an answer",
        "healthy good",
        "The documents do not mention the colour. The tank holds 1.8 litres.",
        "0a / 0a / a+supported_without_sentence b+0a",
        says=("grounded",),
        not_findings=ALARMS,
    ),
    Case(
        "an answer that opens by declining and then makes something up",
        "unsupported bad",
        "The documents do not mention the price. The tank costs 500 dollars.",
        "0a / / a+general b-",
        says=("Unsupported claim", "“The tank costs 500 dollars”"),
        never=("declines",),
        not_findings=names("refused", "healthy"),
    ),
    Case(
        "a claim without support",
        "unsupported bad",
        "The tank holds 1.8 litres. It is made of steel.",
        "0a / 0a / a+0a b-",
        says=("Unsupported claim", "“It is made of steel”"),
        never=("complete",),
        not_findings=names("healthy", "incomplete", "contradicted"),
    ),
    Case(
        "a claim with half a support",
        "unsupported bad",
        "The tank holds 1.8 litres of hot water.",
        "0a / 0a / a-0a",
        says=("only partly supported",),
    ),
    Case(
        "a claim without support in an answer that leaves out as well: both are said",
        "unsupported bad",
        "It is made of steel.",
        "1a 1b 1c / / a-",
        says=("“It is made of steel”", "“Descale the machine every two months”"),
        findings=names("incomplete"),
    ),
    Case(
        "a contradicted claim comes before an unsupported one, with both sentences",
        "contradicted bad",
        "It is made of steel. The tank holds 2.8 litres.",
        "0a / 0a / a- b!0a",
        says=("“The tank holds 2.8 litres”", "“The tank holds 1.8 litres”"),
        not_findings=names("healthy", "unsupported"),
    ),
    Case(
        "relevant text left out",
        "incomplete warn",
        "Descale it every two months.",
        "1a 1b 1c / 1a / a+1a",
        says=("leaves out 2 of 3", "“Use citric acid”", "1 more"),
        never=("grounded and complete",),
        not_findings=names("healthy", "unsupported"),
    ),
    Case(
        "one of two is left out, which the labeler is not sure to be relevant: it is left out, and unsure",
        "incomplete unknown",
        "The tank holds 1.8 litres.",
        "0a 0b / 0a / a+0a",
        says=("Relevant left out, unsure", "1 of 2", "“Fill"),
        not_findings=names("healthy"),
        more={"probabilities": Probabilities(relevant={"0a": 0.9, "0b": 0.6}, utilized={"0a": 0.9, "0b": 0.2})},
    ),
    Case(
        "one relevant chunk among eleven others",
        "noise warn",
        "Shop 3 opens at nine.",
        "3a / 3a / a+3a",
        documents=SHOP,
        says=("1 of 12 documents",),
        not_findings=names("incomplete", "healthy", "unsupported"),
    ),
    Case(
        "an empty answer",
        "empty warn",
        "  ",
        "0a / /",
        says=("Empty answer: the pipeline failed, and its answer is empty.",),
        never=("grounded", "left out"),
        not_findings=names("incomplete", "unsupported", "healthy"),
    ),
    Case(
        "the text of an error instead of an answer",
        "empty warn",
        "Request failed with status code 500",
        "0a / /",
        says=("the pipeline failed, and its answer is the text of an error, “Request failed with status code 500”.",),
    ),
    Case(
        "a sentence without a label, quoted",
        "unlabeled unknown",
        "The tank holds 1.8 litres. It is red.",
        "0a / 0a / a+0a",
        says=("Not enough labels", "“It is red”"),
        not_findings=ALARMS | names("healthy"),
    ),
    Case(
        "a claim without support, of which the labeler is not sure",
        "unsupported unknown",
        "The tank holds 1.8 litres. It is made of steel.",
        "0a / 0a / a+0a b-",
        says=("Unsupported claim, unsure", "“It is made of steel”"),
        more={"probabilities": Probabilities(unsupported={"a": 0.1, "b": 0.88})},
    ),
    Case(
        "everything supported, of which the labeler is not sure",
        "healthy unknown",
        "The tank holds 1.8 litres.",
        "0a / 0a / a+0a",
        says=("grounded and complete",),
        more={"probabilities": Probabilities(unsupported={"a": 0.47})},
    ),
    Case(
        "a false sentence and a true one that the labeler doubts less: the false one is named",
        "unsupported bad",
        "The tank holds 1.8 litres. It is made of steel. Fill it with cold water.",
        "0a 0b / 0a 0b / a- b- c+0b",
        says=("sentence b, “It is made of steel” (also a)",),
        more={"probabilities": Probabilities(unsupported={"a": 0.7, "b": 0.95, "c": 0.1})},
    ),
    Case(
        "of several left out, those of the question's other part come first, though another is more relevant",
        "incomplete warn",
        "The tank holds 1.8 litres.",
        "0a 0b 1a / 0a / a+0a",
        says=("leaves out 2 of 3 relevant sentences: 1a, “Descale the machine every two months”, and 1 more",),
        question="How much does the tank hold, and when must I descale the machine?",
        more={"probabilities": Probabilities(relevant={"0a": 0.9, "0b": 0.9, "1a": 0.7})},
    ),
    Case(
        "nothing is called relevant, but the answer rests on a document: the labels do not fit together",
        "unlabeled unknown",
        "The tank holds 1.8 litres.",
        "/ 0a / a+0a",
        says=("Not enough labels: the answer rests on the documents",),
        not_findings=ALARMS | names("healthy"),
    ),
    Case(
        "a refusal that a judge calls unsupported, as the documents answer",
        "refused warn",
        DECLINES,
        "0b / / a-",
        says=("Refused although the documents answer", "0b"),
        not_findings=names("healthy", "unsupported", "declined"),
    ),
    Case(
        "the local model cannot tell whether an answer rightly declines",
        "declined neutral",
        DECLINES,
        "0b / / a-",
        says=("Declined: the answer declines. Whether rightly, the local model cannot tell", "0b, “Fill"),
        not_findings=ALARMS | names("healthy"),
        more={"labeler": "local", "probabilities": Probabilities(relevant={"0a": 0.1, "0b": 0.8})},
    ),
    Case(
        "a refusal that also says what the documents are about still declines",
        "declined neutral",
        "The documents do not mention bicycles. They are about a machine.",
        "/ 1a / a+general b+1a",
        says=("Declined: rightly",),
        not_findings=ALARMS | names("healthy"),
    ),
]

BY_NAME = {case.name: case for case in CASES}

# Published patterns: four scores (relevance, utilization, completeness, adherence), and the names the source gives.
SEED_PATTERNS = [
    ("003, example 2", (0.95, 0.50, 0.85, 0.70), {"good retrieval, poor generation", "hallucination"}),
    ("001, utilization", (0.9, 0.3, 0.3, 1.0), {"good retrieval, poor generation", "low utilization"}),
    ("001, pattern 2", (0.75, 0.55, 0.50, 1.0), {"conservative", "low completeness"}),
    ("001, pattern 3", (0.75, 0.80, 0.85, 1.0), {"healthy"}),
    ("000, worked example", (0.20, 0.75, 0.75, 0.0), {"hallucination", "hallucination risk"}),
    ("003, balanced but low", (0.30, 0.30, 0.30, 0.30), {"balanced but low", "hallucination"}),
]
