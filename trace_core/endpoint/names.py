"""The one table of names: what callers call the parts of a query and the six tests, in any spelling. A name is compared
without regard to case, spaces, `_` and `-`, as a key of an object and as a label before a text."""

import difflib
import re
from collections.abc import Mapping

from trace_core.facts.records import ID_KEYS, TEXT_KEYS

FIELDS: Mapping[str, str] = {
    "tests": "tests test metrics metric evaluate evaluation evaluations checks "
    "metriken métriques mesures métricas pruebas",
    "question": "question user_question query user_query user_input input prompt Q frage pregunta",
    "contexts": "contexts context documents document docs doc passages passage chunks chunk retrieved_contexts "
    "retrieved_context retrieval_context retrieved_documents retrieved_docs source_documents retrieved_chunks "
    "retrieved_passages kontexte kontext dokumente contextes contexte contextos contexto documentos",
    "answer": "answer response output actual_output generated_answer model_answer predicted_answer prediction "
    "model_response A antwort réponse respuesta",
    "ground_truth": "ground_truth ground_truths reference references reference_answer reference_answers "
    "expected_answer expected_answers expected_output correct_answer gold_answer GT referenz référence referencia",
    "relevant_context_ids": "relevant_context_ids relevant_contexts relevant_context relevant_ids relevant "
    "relevant_documents relevant_document_ids relevant_docs relevant_doc_ids reference_context_ids relevante "
    "pertinents relevantes",
    "extra": "extra options",
}
"""Field → its names; one of capitals alone (`Q`, `A`, `GT`) is a label only as it is written here."""
CONTEXT: Mapping[str, str] = {"id": " ".join(ID_KEYS), "text": " ".join(TEXT_KEYS)}
"""The same for the parts of a context."""
ALIASES: Mapping[str, str] = {
    "answer_accuracy": "answers_accuracy response_accuracy",
    "context_recall": "contexts_recall",
    "context_precision": "contexts_precision",
    "faithfulness": "groundedness",
    "answer_relevancy": "answer_relevance answers_relevancy answers_relevance response_relevancy response_relevance",
    "context_utilisation": "context_utilization contexts_utilisation contexts_utilization utilisation utilization",
}
"""Test → its other names."""
ALL = "all all_six all_tests all_metrics all_six_tests all_six_metrics"  # the names of all six together
OTHERS: Mapping[str, str] = {
    "answer_accuracy": "accuracy correctness answer_correctness factual_correctness answer_similarity "
    "semantic_similarity answer_semantic_similarity exact_match",
    "context_recall": "recall context_entity_recall context_entities_recall",
    "context_precision": "precision context_relevance context_relevancy context_adherence",
    "faithfulness": "hallucination hallucinations factuality adherence noise_sensitivity",
    "answer_relevancy": "relevance relevancy",
}
"""Test → what others compute that comes near it: never computed here, only mentioned."""
_REQUEST = frozenset("please run compute evaluate test tests metric metrics the this for of on and".split())
"""The words that a request may have beside the names of tests. Any other word is not understood."""
_SEPARATOR = re.compile(r"[,;&+\n]|\s(?:and|und|et|y)\s")
_TOKEN = re.compile(r"\w[\w.-]*")
_MARKS = " \t-*•.!\"'`[]()"


def bare_name(name: str) -> str:
    """The letters and digits of a name, in lower case."""
    return "".join(character for character in name.casefold() if character.isalnum())


def _table(names: Mapping[str, str]) -> dict[str, str]:
    return {bare_name(name): field for field, others in names.items() for name in (field, *others.split())}


_FIELD, _PART, _TEST, _OTHER = _table(FIELDS), _table(CONTEXT), _table(ALIASES), _table(OTHERS)
_ALL = frozenset(map(bare_name, ALL.split()))


def field_of(name: str) -> str | None:
    """The field that this name means."""
    return _FIELD.get(bare_name(name))


def part_of(name: str) -> str | None:
    """The part of a context that this name means."""
    return _PART.get(bare_name(name))


def tests_of(name: str) -> list[str]:
    """The tests of that name: one, all six, or none."""
    return list(ALIASES) if bare_name(name) in _ALL else [_TEST[bare_name(name)]] if bare_name(name) in _TEST else []


def nearest_test(name: str) -> str | None:
    """The test that comes near one of another name."""
    other = bare_name(name[:60])
    near = difflib.get_close_matches(other, _TEST, n=1, cutoff=0.7)
    return _OTHER.get(other) or (_TEST[near[0]] if near else None)


def named_tests(text: str) -> list[str]:
    """The tests in a list of names. Raises `ValueError` for anything that is not the name of a test. The name of a test
    that does not exist is kept as it stands, if it is one word or known from elsewhere."""
    names: list[str] = []
    for item in _SEPARATOR.split(text):
        name = item.strip(_MARKS)
        tests = tests_of(name) or read_request(name)
        if tests is None:
            if not _TOKEN.fullmatch(name) and bare_name(name) not in _OTHER:
                raise ValueError(f"{name[:60]!r} is not the name of a test")
            tests = [name]
        names += tests
    return list(dict.fromkeys(names))


def read_request(text: str) -> list[str] | None:
    """The tests that a request names, `None` if it holds any other word."""
    tests: list[str] = []
    tokens = [token.strip(".-") for token in _TOKEN.findall(text)]
    at = 0
    while at < len(tokens):
        options = {length: tests_of(" ".join(tokens[at : at + length])) for length in (3, 2, 1)}
        length = next((length for length, option in options.items() if option), 1)
        if not options[length] and tokens[at].casefold() not in _REQUEST:
            return None
        tests += options[length]
        at += length
    return list(dict.fromkeys(tests))
