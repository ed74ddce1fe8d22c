"""Short ways to write a judge's reply and to clean it, for the tests of labels."""

from trace_core.facts.cleaning import clean
from trace_core.facts.sentences import letters

DOCUMENT = [f"{i}{letters(j)}" for i in range(3) for j in range(6)]  # 0a … 0f, 1a … 1f, 2a … 2f
RESPONSE = ["a", "b", "c"]
KEY_LISTS = ["all_relevant_sentence_keys", "all_utilized_sentence_keys", "unsupported_response_sentence_keys"]


def cleaned(raw, document=DOCUMENT, response=RESPONSE):
    """The cleaned labels and the notes."""
    return clean(raw, document, response)


def relevant(*items, document=DOCUMENT):
    """The document keys that remain of a list."""
    return cleaned({"all_relevant_sentence_keys": list(items)}, document).labels.all_relevant_sentence_keys


def unsupported(*items, response=RESPONSE):
    """The response keys that remain of a list."""
    raw = {"unsupported_response_sentence_keys": list(items)}
    return cleaned(raw, response=response).labels.unsupported_response_sentence_keys


def notes(raw, **keys):
    """The notes, except those on response sentences without an entry."""
    return [note for note in cleaned(raw, **keys).notes if "no entry for" not in note]


def entry(key="a", supporting=(), fully=True, **more):
    """The judge's entry for one response sentence."""
    return {"response_sentence_key": key, "supporting_sentence_keys": list(supporting), "fully_supported": fully} | more


def supports(*entries, **more):
    """Key → (fully supported, supporting keys)."""
    found = cleaned({"sentence_support_information": list(entries), **more}).labels.sentence_support_information
    return {s.response_sentence_key: (s.fully_supported, s.supporting_sentence_keys) for s in found}


def tidy():
    """A reply that needs no cleaning."""
    return {
        "relevance_explanation": "Document 0 defines it.",
        "all_relevant_sentence_keys": ["0a", "1b"],
        "overall_supported_explanation": "Every sentence is supported.",
        "overall_supported": True,
        "sentence_support_information": [
            entry("a", ["0a"], True, explanation="Said in 0a."),
            entry("b", ["1b", "general"], True, explanation="Said in 1b."),
            entry("c", [], True, explanation=None),
        ],
        "all_utilized_sentence_keys": ["0a"],
    }
