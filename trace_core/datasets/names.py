"""The names that people and their tools give to the parts of a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any
from unicodedata import combining, normalize

ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("question_id", "query_id", "example_id", "sample_id", "request_id", "record_id", "row_id", "qid", "uid",
           "_id"),
    "question": ("user_input", "query", "user_query", "user_question", "question_text", "input", "inputs", "prompt",
                 "query_text", "questions", "queries", "request", "user_message", "q", "query_str",
                 "attributes_input_value", "input_value", "main_input", "frage", "fragestellung", "nutzerfrage",
                 "pregunta", "question_utilisateur"),
    "documents": ("retrieved_contexts", "retrieval_context", "retrieved_context", "contexts", "retrieved_documents",
                  "retrieved_docs", "retrieved_chunks", "source_documents", "source_nodes", "context", "passages",
                  "retrieved_passages", "retrieved_texts", "passage", "chunks", "docs", "document", "ctxs",
                  "sources", "source_texts", "attributes_retrieval_documents", "retrieval_documents", "snippets",
                  "excerpts", "kontext", "kontexte", "dokumente", "gefundene_dokumente", "abgerufene_dokumente",
                  "quellen", "textstellen", "contexte", "contextes", "extraits", "documents_recuperes", "contexto",
                  "contextos", "documentos", "documentos_recuperados", "fuentes", "fragmentos", "retrieved",
                  "retriever_resources", "ctx", "context_docs", "matches", "points", "hits", "search_results",
                  "file_search_results", "grounding_data", "retrieved_text", "retrieved_contents", "knowledge",
                  "retrieval_result", "retrieval_results"),
    "response": ("answer", "output", "outputs", "completion", "result", "reply", "attributes_output_value",
                 "output_value", "main_output", "evaluation_task_output", "antwort", "respuesta", "reponse"),
    "reference_answer": (
        "reference", "ground_truth", "ground_truths", "expected_answer", "expected_output", "expected_outputs",
        "expected_response", "gt", "gold_answer", "gold_answers", "golden_answer", "golden_answers", "gold_response",
        "golden_response", "human_answer", "expert_answer", "sme_answer", "gt_answer",
        "gt_answers", "reference_response", "reference_output", "reference_outputs", "reference_answers",
        "correct_answer", "correct_answers", "ideal_answer", "model_solution", "musterlosung", "musterloesung",
        "ideal", "expectations", "targets", "target", "gold", "answers", "musterantwort", "referenzantwort",
        "erwartete_antwort", "erwartung", "richtige_antwort", "respuesta_esperada", "respuesta_correcta",
        "respuesta_de_referencia", "reponse_attendue", "reponse_correcte", "reponse_de_reference",
        "ground_truth_answer", "expected", "facit", "generation_gt",
    ),
    "expected_documents": ("reference_context_ids", "relevant_context_ids", "relevant_documents", "relevant_docs",
                           "relevant_doc_ids", "expected_document_ids", "expected_doc_ids", "expected_context_ids",
                           "wiki_links",
                           "expected_retrieved_context", "gold_doc_ids", "retrieval_gt"),
    "document_ids": ("retrieved_context_ids", "context_ids", "retrieved_ids", "retrieved_doc_ids", "doc_ids"),
    "document_titles": ("titles",),
    "document_scores": ("retrieve_scores",),
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
    "bot_answer", "bot_response", "chatbot_answer", "chatbot_response", "agent_answer", "agent_response",
    "agent_output", "assistant_answer", "assistant_response", "ai_answer", "ai_response", "generated_output",
    "generation", "actual", "model_prediction", "pred", "pred_answer", "pred_response", "bot_antwort", "ki_antwort",
    "generierte_antwort", "generated_texts", "sampled", "reponse_du_bot", "reponse_generee", "respuesta_del_bot",
    "respuesta_generada",
)  # fmt: skip
"""Names that mark a system's output: an `answer` column beside one is the expected answer."""

CONTAINERS = {
    "question": ("input", "inputs", "request", "vars", "dataset_item_data"),
    "response": ("output", "outputs", "evaluation_task_output", "response"),
    "reference_answer": ("expected_output", "expected_outputs", "expected", "expectations", "reference",
                         "reference_outputs", "label"),
}  # fmt: skip
"""Columns that may contain objects, where the part has a name of its own (`inputs.question`)."""
HOLDERS = frozenset(name for names in CONTAINERS.values() for name in names)
"""All of them."""

WITHIN = {
    "question": ("question", "query", "user_input", "input", "prompt", "user_query", "user_question", "message"),
    "response": ("answer", "response", "output", "result", "generated_answer", "completion", "output_text", "text",
                 "content", "reply", "data", "pred", "prediction"),
    "reference_answer": ("answer", "expected_response", "expected_answer", "expected_output", "response", "output",
                         "reference", "ground_truth", "text", "value", "gold"),
}  # fmt: skip
"""The part's names within such an object."""

CHATS = ("messages", "conversation", "transcript", "chat", "dialogue", "dialog")
"""Columns that may hold a conversation."""
QUESTION_NAMES = frozenset(("question", *ALIASES["question"])) - {"questions", "queries"}
"""Names of a column of questions; the plurals more often name a list of rows."""
DOCUMENT_NAMES = frozenset(("documents", *ALIASES["documents"]))
KNOWN = frozenset(("response", *PREDICTED, *ALIASES, *(name for names in ALIASES.values() for name in names)))
"""Names that tools use; for others their words count."""
_UNIT = re.compile(r"\s{0,4}[(\[](?:text|json|string|str|list|array|free text|required|optional)[)\]]$", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s\-./\[\]]+")
_PREFIX = re.compile(r"[a-z]{1,12}__(?=[a-z])")
LONGEST_NAME = 200
"""The longest name, in characters, that is looked at; a longer one is nobody's."""


def plain_name(column: object) -> str:
    """`Retrieved Contexts`, `retrievedContexts` and `retrieved-contexts:` → `retrieved_contexts`; no accents.

    A type in brackets and a prefix before `__` are left out: `rag__question (text)` → `question`.
    """
    name = str(column)
    return _plain(name) if len(name) <= LONGEST_NAME else name


@lru_cache(maxsize=10_000)  # files repeat their names in every row
def _plain(name: str) -> str:
    bare = _UNIT.sub("", name.strip(" \t\r\n?:;,.!")).rstrip("]")
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", bare)
    plain = _PREFIX.sub("", _BETWEEN.sub("_", words).lower(), count=1)
    return plain if plain.isascii() else "".join(c for c in normalize("NFKD", plain) if not combining(c))


def first_of(item: Mapping[str, Any], keys: Iterable[str], kind: Any) -> Any:
    """The value of the first key that is present with that type; `document.content` and `documentContent` are
    `document_content`.
    """
    for key in keys:  # as they are, first: this is called for every document of every row
        if isinstance(found := item.get(key), kind):
            return found
    if all(isinstance(name, str) and name.islower() and "." not in name for name in item):
        return None
    plain = {plain_name(key): value for key, value in item.items()}
    return next((plain[key] for key in keys if isinstance(plain.get(key), kind)), None)
