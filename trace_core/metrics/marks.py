"""Labels as one table: for each kind, the class that a labeler or a person gives each sentence of a record."""

from collections.abc import Mapping

from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Sentences

YES_NO = ("no", "yes")
CLASSES: Mapping[str, tuple[str, ...]] = {
    "relevant": YES_NO,
    "utilized": YES_NO,
    "supported": tuple(status.value for status in Status),
    "supporting": YES_NO,
}
"""Kind of label → possible classes. `supporting` is about pairs: "a 0b" says whether 0b supports a."""


def marks(labels: Labels, sentences: Sentences) -> dict[str, dict[str, str]]:
    """Kind → sentence key → class. A kind is absent if the labels lack its list."""
    documents, response = sentences.document_keys(), sentences.response_keys()
    table: dict[str, dict[str, str]] = {}
    lists = {"relevant": labels.all_relevant_sentence_keys, "utilized": labels.all_utilized_sentence_keys}
    for kind, keys in lists.items():
        if keys is not None:
            table[kind] = {key: YES_NO[key in keys] for key in documents}
    if labels.sentence_support_information is not None:
        table["supported"] = {key: status.value for key, status in labels.statuses(response).items()}
        basis = {s.response_sentence_key: set(s.supporting_sentence_keys) for s in labels.sentence_support_information}
        table["supporting"] = {f"{a} {d}": YES_NO[d in basis.get(a, ())] for a in response for d in documents}
    return table
