"""The part of a row that the words of a column's name speak of, for names that no tool uses: `Bürgerfrage`,
`Draft reply by AI`, `gold.answer`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from trace_core.datasets.names import DOCUMENT_NAMES, HOLDERS, LONGEST_NAME, QUESTION_NAMES, plain_name
from trace_core.datasets.text.translation import BOUNDARY, english, unaccented

Role = Literal["question", "documents", "response", "reference_answer", "answer"]
"""Fields of a row; `answer` is one that may be the system's or the right one."""

_MOST_WORDS = 12
_RUN = re.compile(r"\[[^\[\]\s:]{1,80}:[^\[\]]{1,80}\] ")
"""A model and its provider before a prompt, as promptfoo names the columns of what that model said."""
_BREAK = re.compile(rf"(?<=[a-z])(?=[A-Z0-9])|(?<=[0-9])(?=[a-zA-Z])|{BOUNDARY}|[\W_]+")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_QUESTIONS = _set(
    "question questions query prompt enquiry inquiry request ask asked frage fragen anfrage anfragen pregunta "
    "preguntas consulta consultas demande demandes domanda domande vraag vragen pergunta perguntas fraga fragor pytanie"
)
_ANSWERS = _set(
    "answer answers answered response responses reply replies replied output said say completion antwort "
    "antworten respondido repondu risposto respuesta respuestas reponse reponses risposta risposte antwoord "
    "antwoorden resposta respostas svar odpowiedz"
)
_SURELY_TEXTS = _set(
    "context contexts ctx ctxs passage passages chunk chunks document documents doc docs snippet snippets excerpt "
    "excerpts kontext kontexte dokument dokumente textstelle textstellen contexte contextes extrait extraits contexto "
    "contextos documento documentos fragmento fragmentos passaggio passaggi estratto estratti pasaje pasajes brano "
    "brani passagem passagens avsnitt"
)
_SOURCES = _set("source sources quelle quellen fuente fuentes fonte fontes fonti")
_DOCUMENTS = (
    _SURELY_TEXTS
    | _SOURCES
    | _set(
        "extract extracts article articles paragraph paragraphs evidence clause clauses section sections hits "
        "retrieved cited gevonden fundstelle fundstellen auszug abschnitt"
    )
)
_SEVERAL = _set(
    "contexts documents docs passages chunks sources snippets excerpts articles paragraphs kontexte dokumente quellen "
    "textstellen contextes extraits contextos documentos fuentes fragmentos"
)
_HINT = re.compile(r"\s{0,4}\([^()\s]{1,30} [^()]{1,60}\)\s{0,4}$")
"""What a heading says in brackets at its end: `Excerpts (separated by ||)`."""
_ENDINGS = (
    "frage", "antwort", "quelle", "auszug", "kategorie", "thema", "bewertung", "kommentar", "textstelle", "vraag",
    "antwoord", "fraga", "svar",
)  # fmt: skip
"""The last part of a compound in a Germanic language, which counts as a word."""
_EXPECTING = _set(
    "ideal expected gold golden correct reference should deberia aurait devrait dovrebbe deveria hatte sollen "
    "erwartet erwartete erwartetes erwarteten attendu attendus attendue attendues esperado esperados "
    "esperada esperadas atteso attesi attesa attese verwacht verwachte oczekiwana oczekiwany oczekiwane ratt forvantat "
    "referenz richtige richtiges richtigen korrekte correcta correcte esatta giusta corrette juiste juist"
)
"""Words for what is expected, answers and documents alike."""
_RIGHT = (
    _set(
        "best ref truth target approved canon canonical official key true "
        "right desired accepted acceptable verified curated written muster musterantwort soll sollantwort "
        "referenzantwort ideale expert sme human editor "
        "partner teacher professor lecturer specialist supervisor lawyer doctor staff reviewer annotator instructor "
        "consultant physician nurse pharmacist solicitor attorney auditor librarian "
        "officer trainer curator conservateur lehrer dozent would corrected "
        "facit wzorcowa"
    )
    | _EXPECTING
)
"""Words that tell the right answer, or a person's, from the system's."""
_TALKERS = _set("bot chatbot assistant assistent assistente asistente ai ki ia gpt llm rag copilot robot")
_PERSONS = _set(
    "user customer client guest visitor caller driver reader patient student citizen passenger player kunde nutzer "
    "usuario cliente usager voyageur visiteur"
)
_SAID = _set("message messages msg text utterance turn input types typed wrote")
"""Words that, beside a talker's or a person's and no other, are what that one said."""
_DRAFTS = _set("suggestion suggestions suggested proposal vorschlag suggerimento sugerencia")
"""What a bot proposes to say."""
_RESULTS = _set("result results")
"""Answers, where another word says whose or which: `actual result`."""
_SEARCH = _set("search retrieval retriever vector index")
"""Words that make results documents."""
_MACHINE = _TALKERS | _set(
    "assistenten model system agent tool npc generated predicted actual draft produced app machine output generierte "
    "generee generada systemets llama claude gemini mistral mixtral qwen deepseek gemma"
)
_ELSE = _set(
    "id ids nr number count num no score scores rating grade date time times timestamp seconds latency ms type "
    "category language lang length len title titles url urls link links comment comments note notes status rank "
    "author name names tokens cost correctness accuracy relevance relevancy faithfulness quality precision recall "
    "feedback version has is was pair template bemerkung meta metadata config settings params page pages remark "
    "remarks"
)
"""Words of a column about a part, not of the part."""
_FOUND = _set("found fetched pulled dug search retrieval")
"""What a system did for its texts."""
_LIKELY_TEXTS = _FOUND | _set(
    "text texts content contents body material materials kb knowledge base manual handbook policy wiki faq leaflet "
    "notice notices regulation law rule entry entries record records hit page pages result results shown "
    "info news story"
)
"""Words that retrieved texts may have in their names, and much else."""
_WRONG = _set(
    "hallucinated hallucination incorrect wrong false bad negative rejected distractor distractors worst comparison "
    "baseline confronto vergleich comparaison"
)
"""Words of answers that nobody gives."""
_NO_CATEGORY = (_ELSE | _ANSWERS | _DOCUMENTS | _WRONG | _set("error errors failure issue fehler")) - {
    "category",
    "type",
}
_ASIDE = _set(
    "step steps option options choice choices rater turn turns instruction instructions example examples claim claims "
    "fact facts rubric criterion criteria"
)
"""Words of texts that belong to a question, and were not retrieved."""
_NO_TEXTS = _ELSE | _QUESTIONS | _ANSWERS | _RIGHT | _WRONG | _ASIDE
_RANKS = _set("rank position rang rango posizione platz posicion posicao pozycja positie")
_AROUND = _SEARCH | _set(
    "meta metadata extra extras debug info details additional trace rag log data diagnostics knowledge grounding"
)
"""Words for what stands around a question and its answer."""
_EARLIER = _set("history previous prev earlier last profile")
_LAST = _set("by to on at from correct right ok")
"""Last words of such a column: `last reply by`."""
_WHAT = _set("what which was welche welches wat quel quelle quale qual cual vad hva jaka")
_WOULD = _set("would should ware sollte zou serait sarebbe seria skulle bylaby")
"""Words of a heading that asks people for the right answer."""
_EXPECTED = _EXPECTING | _set("qrels soll sollte sollten relevant must needed required")
"""Words that tell the documents that should be found from those that were."""
_FILES = _DOCUMENTS | _set(
    "file files title titles titel protocol protokoll plik pliki fonte fonti datei dateien fichier fichiers archivo "
    "found find"
)

_LINKS = _set("of the de do da dos das del des du di dei delle degli los las der den die van")
"""Words that only link others: `IDs dos documentos esperados`."""


def names_expected_ids(column: str) -> bool:
    """Whether a list of ids is of documents that should be found: `gold_pids`, `relevant_docs`."""
    return not _EXPECTED.isdisjoint(words_of(column))


_KNOWN = (
    _QUESTIONS | _ANSWERS | _DOCUMENTS | _RIGHT | _MACHINE | _PERSONS | _SAID | _RESULTS | _ELSE | _LIKELY_TEXTS
    | _WRONG | _ASIDE | _EXPECTED | _FILES
)  # fmt: skip
"""Words that stand here in their own language."""


def names_expected(column: str) -> bool:
    """Whether the name speaks of documents that should be found: `Articles attendus`, `Should have found`."""
    words = words_of(_HINT.sub("", column)) if len(column) <= LONGEST_NAME else ()
    if "ids" in words and not _EXPECTED.isdisjoint(words):
        return (_EXPECTED | _FILES | _LINKS | {"ids"}).issuperset(words)
    other = (_ELSE - _FILES) | _ANSWERS | _QUESTIONS | _WRONG
    return not (_EXPECTED.isdisjoint(words) or _FILES.isdisjoint(words)) and other.isdisjoint(words)


def role_of(column: str) -> Role | None:
    """The part that the column's name speaks of; `None` for none, for two, and for something about a part.

    In a path the last name counts; those before it tell the right answer from the system's.
    """
    if column[:1] == "[" and "{{" in column and _RUN.match(column):
        return "response"
    if len(column) > LONGEST_NAME:
        return None
    holder, _, name = column.rpartition(".")
    if not holder or not name.isidentifier():
        return _role(column)
    role = _role(name)
    if not (_ELSE | _EARLIER).isdisjoint(words_of(holder)) or (
        role == "documents" and not _EXPECTED.isdisjoint(words_of(holder))
    ):
        return None
    told_before = role in (None, "answer") or _ANSWERS.issuperset(words_of(name))  # `output` may be the right one
    return (_role(column) or role) if told_before else role


@lru_cache(maxsize=10_000)  # files repeat their names in every row
def _role(column: str) -> Role | None:
    words, bare = words_of(column), _HINT.sub("", column)
    if not 0 < len(words) <= _MOST_WORDS or not (_ELSE | _WRONG).isdisjoint(words):
        return None
    if (last := words_of(bare)[-1:]) and _grades(bare, last[0]):
        return None
    said = [not part.isdisjoint(words) for part in (_QUESTIONS, _ANSWERS, _DOCUMENTS)]
    if not any(said):
        return _of_speaker(words)
    if sum(said) != 1 or words == ["answered"]:
        return None
    if said[0]:
        return None if "system" in words else "question"
    if said[2]:
        return "documents" if _EXPECTED.isdisjoint(words) else None
    if not _RIGHT.isdisjoint(words) or (_MACHINE.isdisjoint(words) and _asks_what(column)):
        return "reference_answer"
    return "answer" if _MACHINE.isdisjoint(words) else "response"


def _bare(column: str) -> list[str]:
    """The words of a name in its own language."""
    return [word for word in _BREAK.split(unaccented(column).lower()) if word]


def _asks_what(column: str) -> bool:
    """Whether the name asks what something should be: `Qual seria a resposta correta?`"""
    words = _bare(column)
    return words[0] in _WHAT and not _WOULD.isdisjoint(words)


def _grades(column: str, last: str) -> bool:
    """Whether the name ends as that of a grade: `answer correct`, `Risposta corretta?`; not so `Risposta corretta`."""
    if _asks_what(column):
        return False
    said = _bare(column)[-1]
    return said in _LAST or (last in _LAST | _RIGHT and column.rstrip().endswith(("?", "？")))


def _of_speaker(words: Sequence[str]) -> Role | None:
    """The part in `Bot`, `guest message` or `actual result`."""
    if _TALKERS.issuperset(words):
        return "answer"
    if not _TALKERS.isdisjoint(words) and (_TALKERS | _SAID | _DRAFTS).issuperset(words):
        return "response"
    if not _PERSONS.isdisjoint(words) and not _SAID.isdisjoint(words) and (_PERSONS | _SAID).issuperset(words):
        return "question"
    if _RESULTS.isdisjoint(words):
        return None
    if not _SEARCH.isdisjoint(words):
        return "documents" if _EXPECTED.isdisjoint(words) else None
    return "reference_answer" if not _RIGHT.isdisjoint(words) else None if _MACHINE.isdisjoint(words) else "response"


def names_category(column: str) -> bool:
    """Whether the name is that of a question's category or topic: `Thema`, `Question type`, `カテゴリ`."""
    words = words_of(column) if len(column) <= LONGEST_NAME else ()
    named = "category" in words or ("type" in words and not _QUESTIONS.isdisjoint(words))
    return named and (_NO_CATEGORY - _QUESTIONS).isdisjoint(words)


def names_kind(column: str) -> bool:
    """Whether the name says `type` and no more, which may be the question's, or that of a log's record."""
    return tuple(words_of(column)) == ("type",)


def may_hold_documents(holder: str) -> bool:
    """Whether the documents in an object of that name may be those of the row: `metadata`, not `history`."""
    words = words_of(holder) if len(holder) <= LONGEST_NAME and plain_name(holder) not in HOLDERS else ()
    return bool(words) and all(word in _AROUND or word in _DOCUMENTS for word in words)


def is_text_key(key: str) -> bool:
    """Whether a key says that its value is a text, in any language: `texto`, `Inhalt`, `answer.text`."""
    key = key.rpartition(".")[2]
    return len(key) <= LONGEST_NAME and tuple(words_of(key)) in (("text",), ("content",))


def names_rank(column: str) -> bool:
    """Whether a column counts the documents of a question, by its words."""
    words = words_of(column) if len(column) <= LONGEST_NAME else ()
    return not _RANKS.isdisjoint(words) or tuple(words) == ("k",)


def names_owner(column: str) -> bool:
    """Whether the name of an answer says whose it is: `claude_answer`, which may be another system's."""
    return not (_ANSWERS | {"final", "text"}).issuperset(words_of(column))


def may_name_a_bot(column: str) -> bool:
    """Whether the name fits what a bot says and the bot's own name alike: `Bot`."""
    return _TALKERS.issuperset(words_of(column))


def speaks_of_a_bot(name: str) -> bool:
    """Whether a speaker's name tells that it is a bot: `Library Bot`."""
    return len(name) <= LONGEST_NAME and not _TALKERS.isdisjoint(words_of(name))


def may_name_a_model(column: str) -> bool:
    """Whether the name fits what a model says and the model's own name alike: `answer.model`."""
    return tuple(words_of(column)[-1:]) == ("model",)


def may_be_texts(column: str) -> bool:
    """Whether the name of a column that speaks of no part may be that of retrieved texts: `product_texts`."""
    words = words_of(column) if len(column) <= LONGEST_NAME and role_of(column) is None else ()
    return not _LIKELY_TEXTS.isdisjoint(words) and _NO_TEXTS.isdisjoint(words)


def may_be_found(column: str) -> bool:
    """Whether it may be that of texts because it speaks of finding: `What it dug up`."""
    return may_be_texts(column) and not _FOUND.isdisjoint(words_of(column))


def may_name_files(column: str) -> bool:
    """Whether the name fits texts and names of files alike: `Source 1`, `KB article`."""
    words = words_of(column)
    known = plain_name(column) in DOCUMENT_NAMES or not _SURELY_TEXTS.isdisjoint(words)
    return not (known and _SOURCES.isdisjoint(words))


def names_a_text(word: str) -> bool:
    """Whether the word before a number means a retrieved text: `Chunk 1`, `Quelle 2`; `Article 3` may be a law's."""
    return not (_SURELY_TEXTS | _SOURCES | {"text", "result", "hit", "citation"}).isdisjoint(words_of(word))


def words_of(column: str) -> Sequence[str]:
    """The words of a name, lower case, without accents and numbers, in English where their meaning is known; Germanic
    compounds by their last part, too.
    """
    words = [word.lower() for word in _BREAK.split(unaccented(column)) if word and not word.isdigit()]
    parts = [ending for word in words for ending in _ENDINGS if word.endswith(ending)]
    each = [*parts, *words]  # the last word stays the last
    return [meaning for word in each for meaning in ((word,) if word in _KNOWN else english(word))]


def tells_a_run(column: str) -> bool:
    """Whether the column is about a system's run: its model, its time, its tokens."""
    return not {"model", "latency", "tokens", "cost"}.isdisjoint(words_of(column))


def tells_the_past(column: str) -> bool:
    """Whether the name is that of a conversation before the question: `dialogue_history`."""
    return "history" in words_of(column)


def asks(column: str) -> bool:
    """Whether a column is one of questions, by its whole name or by its words."""
    return plain_name(column) in QUESTION_NAMES or role_of(column) == "question"


def holds_documents(column: str) -> bool:
    """Whether a column is one of retrieved documents, by its whole name or by its words."""
    return plain_name(column) in DOCUMENT_NAMES or role_of(column) == "documents"


def names_a_question(word: str) -> bool:
    """Whether the word means a question."""
    return word in _QUESTIONS


def names_several(column: str) -> bool:
    """Whether the name says that a cell holds several documents: `Retrieved passages`."""
    return not _SEVERAL.isdisjoint(words_of(column))
