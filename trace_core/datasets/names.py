"""The names that tools give to the parts of a row: one table, our field → their names. A name may be a path:
`outputs.answer` is the part `answer` of the column `outputs`."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from trace_core.facts.records import ID_KEYS, TEXT_KEYS, TITLE_KEYS


def _in(containers: str, parts: str) -> str:
    return " ".join(f"{container}.{part}" for container in containers.split() for part in parts.split())


_QUESTIONS = "question query user_input input prompt user_query user_question"
_ANSWERS = "answer response output result generated_answer completion output_text text content"
_DOCUMENTS = "documents context contexts retrieved_docs retrieved_contexts retrieved_documents source_documents"
_REFERENCES = "answer expected expected_response expected_answer expected_output response output reference ground_truth"
_FIELDS = {
    "id": "question_id query_id example_id sample_id record_id row_id qid _id",
    "question": "user_input query user_query user_question question_text prompt query_text query_str main_input "
    "attributes.input.value input_value questions queries q "
    f"{_in('inputs input vars request dataset_item_data', _QUESTIONS)} "
    "inputs.messages input.messages request.messages input inputs request",
    "documents": "retrieved_contexts retrieval_context retrieved_context retrieved_documents retrieved_docs "
    "retrieved_chunks retrieved_passages source_documents source_nodes contexts context passages passage chunks chunk "
    "docs document ctxs attributes.retrieval.documents retrieval_documents retrieved_contents "
    f"{_in('outputs output', f'{_DOCUMENTS} source_nodes')} "
    f"{_in('inputs input vars', 'context contexts documents retrieved_contexts')}",
    "response": "answer output outputs completion result reply attributes.output.value output_value main_output "
    "evaluation_task_output predicted_answer prediction predictions predicted_output generated_answer "
    "generated_response generated_text generated_texts generated_output actual_output actual_answer actual_response "
    "model_response model_output model_answer llm_answer llm_response llm_output rag_answer rag_response bot_answer "
    f"bot_response assistant_response generation {_in('outputs output evaluation_task_output', _ANSWERS)} "
    "response.output response.answer inputs.response",
    "reference_answer": "reference ground_truth ground_truths expected_answer expected_output expected_outputs "
    "expected_response gt gold_answer gold_answers golden_answer golden_answers gt_answer gt_answers "
    "ground_truth_answer reference_response reference_output reference_answers correct_answer correct_answers "
    "ideal_answer ideal target targets gold expected expectations answers generation_gt "
    f"{_in('reference reference_outputs expected expected_output expected_outputs expectations vars', _REFERENCES)} "
    "inputs.ground_truth",
    "expected_documents": "reference_context_ids relevant_context_ids relevant_documents relevant_docs "
    "relevant_doc_ids expected_document_ids expected_doc_ids expected_context_ids gold_doc_ids retrieval_gt",
    "document_ids": "retrieved_context_ids context_ids retrieved_ids retrieved_doc_ids doc_ids",
    "document_titles": "titles",
    "category": "question_type query_type synthesizer_name",
    "generation_model_name": "model_name generator model model_id provider.id",
    "metrics": "predicted_scores trace_scores",
    "ground_truth_scores": "true_scores",
}
NAMES: Mapping[str, tuple[str, ...]] = {field: tuple(names.split()) for field, names in _FIELDS.items()}
"""Our field → its other names, the likeliest first; a field's own name comes before them."""
_ALL = frozenset((*NAMES, *(name for names in NAMES.values() for name in names)))
UNSURE = frozenset(("answer", "result"))
"""Names of the answer that people also give to the right answer."""
SCORE_KEYS = ("score", "relevance_score", "similarity")
INNER_KEYS = ("kwargs", "node", "document", "payload", "init_parameters", "_source")
"""The keys of a document's score, and of what wraps it."""
PART_KEYS = (*TEXT_KEYS, *ID_KEYS, *TITLE_KEYS, *SCORE_KEYS, *INNER_KEYS, "metadata", "meta")
_SECOND = re.compile(r"\s\(\d{1,3}\)$")
_BETWEEN = re.compile(r"[\s\-/]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WITH_NUMBER = re.compile(r"(.*?\D)(\d{1,3})")


@lru_cache(maxsize=10_000)
def plain_name(column: str) -> str:
    """`Retrieved Contexts`, `retrievedContexts` and `retrieved-contexts:` → `retrieved_contexts`."""
    name = _SECOND.sub("", column.strip(" \t\r\n?:;,!"))
    return _BETWEEN.sub("_", _HUMP.sub("_", name)).lower()


def ranks(column: str, field: str) -> int | None:
    """The place of the column's name in the field's list; null where the name is not there."""
    plain, names = plain_name(column), (field, *NAMES.get(field, ()))
    return names.index(plain) if plain in names else None


def repeats_headings(row: Mapping[str, Any]) -> bool:
    """Whether a row's cells are headings again: as in the second line of a table with headings in two levels."""
    cells = [(column, cell) for column, cell in row.items() if cell not in (None, "")]
    return len(cells) > 1 and all(
        isinstance(cell, str) and (cell == column or (len(cell) < 40 and plain_name(cell) in _ALL))
        for column, cell in cells
    )


def number_series(columns: Iterable[str]) -> list[str]:
    """`context_1`, `context_2` … → `context_*`: numbered names of documents."""
    matches = (_WITH_NUMBER.fullmatch(column) for column in columns)
    starts = (match[1] for match in matches if match and ranks(match[1].rstrip(" _-"), "documents") is not None)
    return [f"{start}*" for start in dict.fromkeys(starts)]
