"""The names that people and their tools give to the parts of a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("question_id", "query_id", "example_id", "sample_id", "request_id", "record_id", "row_id", "qid", "uid",
           "_id"),
    "question": ("user_input", "query", "user_query", "user_question", "question_text", "input", "inputs", "prompt",
                 "request", "user_message", "frage", "pregunta"),
    "documents": ("retrieved_contexts", "retrieval_context", "retrieved_context", "contexts", "retrieved_documents",
                  "retrieved_docs", "retrieved_chunks", "source_documents", "source_nodes", "context", "passages",
                  "passage", "chunks", "docs", "document", "kontext", "kontexte", "dokumente", "contexte", "contexto",
                  "contextos", "retrieved"),
    "response": ("answer", "output", "outputs", "result", "completion", "reply", "antwort", "respuesta", "réponse",
                 "reponse"),
    "reference_answer": (
        "reference", "ground_truth", "ground_truths", "expected_answer", "expected_output", "expected_outputs",
        "expected_response", "gold_answer", "gold_answers", "golden_answer", "golden_answers", "gt_answer",
        "gt_answers", "reference_response", "reference_output", "reference_outputs", "reference_answers",
        "correct_answer", "correct_answers", "ideal_answer", "expectations", "targets", "target", "gold", "answers",
        "musterantwort", "referenzantwort", "erwartete_antwort", "respuesta_esperada", "réponse_attendue",
        "ground_truth_answer", "expected",
    ),
    "expected_documents": ("reference_context_ids", "relevant_context_ids", "relevant_documents", "relevant_docs",
                           "relevant_doc_ids", "expected_document_ids", "expected_doc_ids", "expected_context_ids",
                           "expected_retrieved_context", "gold_doc_ids"),
    "document_ids": ("retrieved_context_ids", "context_ids", "retrieved_ids", "retrieved_doc_ids", "doc_ids"),
    "document_titles": ("titles",),
    "category": ("question_type", "query_type", "synthesizer_name"),
    "generation_model_name": ("model_name", "generator", "model", "model_id"),
    "metrics": ("predicted_scores", "trace_scores"),
    "ground_truth_scores": ("true_scores",),
}  # fmt: skip
"""Our field → its other usual names, the likeliest first; case and word breaks are ignored."""

PREDICTED = (
    "predicted_answer", "prediction", "predictions", "predicted_output", "generated_answer", "generated_response",
    "generated_text", "actual_output", "actual_answer", "actual_response", "model_response", "model_output",
    "model_answer", "llm_answer", "llm_response", "llm_output", "rag_answer", "rag_response", "system_answer",
    "bot_answer", "bot_response", "generation", "actual",
)  # fmt: skip
"""Names that mark a system's output: an `answer` column beside one is the expected answer."""

CONTAINERS = {
    "question": ("input", "inputs", "request"),
    "response": ("output", "outputs", "response"),
    "reference_answer": ("expected_output", "expected_outputs", "expectations", "reference", "reference_outputs"),
}
"""Columns that may contain objects, where the part has a name of its own (`inputs.question`)."""

WITHIN = {
    "question": ("question", "query", "user_input", "input", "prompt", "user_query", "user_question", "message"),
    "response": ("answer", "response", "output", "result", "generated_answer", "completion", "output_text", "text",
                 "content", "reply", "data"),
    "reference_answer": ("answer", "expected_response", "expected_answer", "expected_output", "response", "output",
                         "reference", "ground_truth", "text", "value"),
}  # fmt: skip
"""The part's names within such an object."""

QUESTION_NAMES = frozenset(("question", *ALIASES["question"]))
_NUMBERED = re.compile(
    r"(context|document|doc|passage|chunk|kontext|dokument|retrieved_context|retrieved_document|retrieved_chunk)_?(\d{1,3})"
)


def plain_name(column: str) -> str:
    """`Retrieved Contexts`, `retrievedContexts` and `retrieved-contexts` → `retrieved_contexts`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", str(column).strip())
    return re.sub(r"[\s\-./]+", "_", words).lower()


def numbered(columns: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Columns that differ only in a number, under a starred name: `context_*` → context_1, context_2."""
    found: dict[str, list[tuple[int, str]]] = {}
    for column in columns:
        if match := _NUMBERED.fullmatch(plain_name(column)):
            *_, last = re.finditer(r"\d+", column)
            star = f"{column[: last.start()]}*{column[last.end() :]}".strip()
            found.setdefault(star, []).append((int(match[2]), column))
    return {star: tuple(column for _, column in sorted(each)) for star, each in found.items()}
