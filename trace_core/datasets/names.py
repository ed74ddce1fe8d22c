"""The names that people and their tools give to the parts of a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from unicodedata import combining, normalize

ALIASES: Mapping[str, tuple[str, ...]] = {
    "id": ("question_id", "query_id", "example_id", "sample_id", "request_id", "record_id", "row_id", "qid", "uid",
           "_id"),
    "question": ("user_input", "query", "user_query", "user_question", "question_text", "input", "inputs", "prompt",
                 "query_text", "questions", "request", "user_message", "q", "query_str",
                 "attributes_input_value", "input_value", "frage", "fragestellung", "nutzerfrage",
                 "pregunta", "question_utilisateur"),
    "documents": ("retrieved_contexts", "retrieval_context", "retrieved_context", "contexts", "retrieved_documents",
                  "retrieved_docs", "retrieved_chunks", "source_documents", "source_nodes", "context", "passages",
                  "retrieved_passages", "retrieved_texts", "passage", "chunks", "docs", "document", "ctxs",
                  "sources", "source_texts", "attributes_retrieval_documents", "retrieval_documents", "snippets",
                  "excerpts", "kontext", "kontexte", "dokumente", "gefundene_dokumente", "abgerufene_dokumente",
                  "quellen", "textstellen", "contexte", "contextes", "extraits", "documents_recuperes", "contexto",
                  "contextos", "documentos", "documentos_recuperados", "fuentes", "fragmentos", "retrieved",
                  "retriever_resources", "ctx", "context_docs", "matches", "points", "hits", "search_results",
                  "file_search_results", "grounding_data", "retrieved_text"),
    "response": ("answer", "output", "outputs", "completion", "result", "reply", "attributes_output_value",
                 "output_value", "antwort", "respuesta", "reponse"),
    "reference_answer": (
        "reference", "ground_truth", "ground_truths", "expected_answer", "expected_output", "expected_outputs",
        "expected_response", "gold_answer", "gold_answers", "golden_answer", "golden_answers", "gold_response",
        "golden_response", "human_answer", "expert_answer", "sme_answer", "gt_answer",
        "gt_answers", "reference_response", "reference_output", "reference_outputs", "reference_answers",
        "correct_answer", "correct_answers", "ideal_answer", "model_solution", "musterlosung", "musterloesung",
        "ideal", "expectations", "targets", "target", "gold", "answers", "musterantwort", "referenzantwort",
        "erwartete_antwort", "erwartung", "richtige_antwort", "respuesta_esperada", "respuesta_correcta",
        "respuesta_de_referencia", "reponse_attendue", "reponse_correcte", "reponse_de_reference",
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
    "bot_answer", "bot_response", "chatbot_answer", "chatbot_response", "agent_answer", "agent_response",
    "agent_output", "assistant_answer", "assistant_response", "ai_answer", "ai_response", "generated_output",
    "generation", "actual", "pred", "pred_answer", "pred_response", "bot_antwort", "ki_antwort", "generierte_antwort",
    "reponse_du_bot", "reponse_generee", "respuesta_del_bot", "respuesta_generada",
)  # fmt: skip
"""Names that mark a system's output: an `answer` column beside one is the expected answer."""

CONTAINERS = {
    "question": ("input", "inputs", "request", "vars"),
    "response": ("output", "outputs", "response"),
    "reference_answer": ("expected_output", "expected_outputs", "expectations", "reference", "reference_outputs",
                         "label"),
}  # fmt: skip
"""Columns that may contain objects, where the part has a name of its own (`inputs.question`)."""

WITHIN = {
    "question": ("question", "query", "user_input", "input", "prompt", "user_query", "user_question", "message"),
    "response": ("answer", "response", "output", "result", "generated_answer", "completion", "output_text", "text",
                 "content", "reply", "data"),
    "reference_answer": ("answer", "expected_response", "expected_answer", "expected_output", "response", "output",
                         "reference", "ground_truth", "text", "value", "gold"),
}  # fmt: skip
"""The part's names within such an object."""

QUESTION_NAMES = frozenset(("question", *ALIASES["question"])) - {"questions"}
"""Names of a column of questions; `questions` more often names a list of rows."""
DOCUMENT_NAMES = frozenset(("documents", *ALIASES["documents"]))
_KNOWN = frozenset(name for names in (*ALIASES.values(), PREDICTED) for name in names)
_NUMBERED = re.compile(
    r"(?:retrieved_)?(?:context|document|doc|passage|chunk|source|snippet|excerpt|kontext|dokument|quelle|textstelle"
    r"|contexte|extrait|source_text|contexto|documento|fuente|fragmento)s?_?(\d{1,3})(?:_text)?"
)
_SEVERAL = frozenset(
    "contexts documents docs passages chunks sources snippets excerpts articles paragraphs kontexte dokumente "
    "quellen textstellen contextes extraits contextos documentos fuentes fragmentos".split()
)
_SOURCES = frozenset(("source", "sources", "quelle", "quellen", "fuente", "fuentes"))
_UNIT = re.compile(r"\s{0,4}[(\[](?:text|json|string|str|list|array|free text|required|optional)[)\]]$", re.IGNORECASE)
_THEIR_S = re.compile(r"['’]s\b")
_BETWEEN = re.compile(r"[\s\-./\[\]]+")
_PREFIX = re.compile(r"[a-z]{1,12}__(?=[a-z])")
_OWNED = re.compile(
    r"(?:(question|pregunta|frage)|reponse|respuesta|antwort)_(?:de_la|de_l|del|de|du|des|der|vom|von)[_'’]"
    r"(?:usager|utilisateur|client|usuario|cliente|nutzers?|kunden|asistente|assistant|chatbots?|bots?|modele|modelo"
    r"|modells|systeme|sistema|systems|agente?|assistenten|ia|ki)"
)
"""`Question de l'usager`, `Respuesta del asistente`: whose question, whose answer."""
_PERSON = r"(?:user|customer|client|visitor|caller|patient|student|member|guest|kunden?)s?"
_MACHINE = r"(?:bot|chatbot|copilot|ai|ia|ki|assistant|model|llm|rag|gpt)"
_ANSWER = r"(?:answer|response|reply|antwort|respuesta|reponse)"
_THEIRS = re.compile(
    rf"(?P<question>{_PERSON}_(?:question|query|frage|prompt|request))"
    rf"|{_MACHINE}_(?:{_ANSWER}|message)|{_ANSWER}_{_MACHINE}"
)
"""`Customer question`, `Bot reply`, `Antwort KI`: the owner before or after."""


def plain_name(column: str) -> str:
    """`Retrieved Contexts`, `retrievedContexts` and `retrieved-contexts:` → `retrieved_contexts`; no accents.

    A type in brackets and a prefix before `__` are left out: `rag__question (text)` → `question`.
    """
    bare = _THEIR_S.sub("", _UNIT.sub("", str(column).strip(" \t\r\n?:;,.!")).rstrip("]"))
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", bare)
    plain = _PREFIX.sub("", _BETWEEN.sub("_", words).lower(), count=1)
    plain = plain if plain.isascii() else "".join(c for c in normalize("NFKD", plain) if not combining(c))
    owned = _OWNED.fullmatch(plain)
    if owned is None and plain not in _KNOWN and (theirs := _THEIRS.fullmatch(plain)):
        return "user_question" if theirs["question"] else "generated_answer"
    return ("question" if owned[1] else "generated_answer") if owned else plain


def may_name_files(column: str) -> bool:
    """Whether a column's name fits texts and their sources alike: `Source 1`."""
    return not _SOURCES.isdisjoint(plain_name(column).split("_"))


def names_several(column: str) -> bool:
    """Whether a column's name says that a cell holds several documents: `Retrieved passages`."""
    return not _SEVERAL.isdisjoint(plain_name(column).split("_"))


def told_apart(columns: Sequence[str]) -> list[str]:
    """The columns; those that share the name of a document are numbered: `Context` → `Context 1`, `Context 2`."""
    seen: dict[str, int] = {}
    found = []
    for column in columns:
        if columns.count(column) > 1 and _NUMBERED.fullmatch(f"{plain_name(column)}_1"):
            seen[column] = seen.get(column, 0) + 1
            column = f"{column.strip()} {seen[column]}"
        found.append(column)
    return found


def numbered(columns: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Columns that differ only in a number, under a starred name: `context_*` → context_1, context_2."""
    found: dict[str, list[tuple[int, str]]] = {}
    for column in columns:
        if match := _NUMBERED.fullmatch(plain_name(column)):
            *_, last = re.finditer(r"\d+", column)
            star = f"{column[: last.start()]}*{column[last.end() :]}".strip()
            found.setdefault(star, []).append((int(match[1]), column))
    return {star: tuple(column for _, column in sorted(each)) for star, each in found.items()}
