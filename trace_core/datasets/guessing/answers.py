"""Which column holds the system's answer, and which one the right answer."""

from __future__ import annotations

from functools import partial

from trace_core.datasets.guessing.columns import Columns
from trace_core.datasets.guessing.fitting import is_yes_or_no
from trace_core.datasets.names import ALIASES, CHATS, CONTAINERS, PREDICTED, WITHIN, plain_name
from trace_core.datasets.words import names_owner, role_of, tells_a_run, words_of

_JUDGEMENTS = {"judgement", "judgment", "verdict", "hallucination"}


def take_response(known: Columns) -> None:
    """Take the column of the system's answers, unless several may hold them."""
    if known.take("response", ["response"]):
        return
    beside = [f"{holder}_response" for holder in CONTAINERS["question"]]
    strong = [n for n in (*PREDICTED, *beside) if n in known.named and known.fits("response", known.named[n])]
    for asked, said in (("q", "a"), ("query", "result"), ("want", "got"), ("expected", "generated")):
        if known.has(asked, said) and known.fits("response", known.named[said]):
            strong.append(said)
    strong = known.outermost(strong)
    if len(strong) > 1:
        strong = [name for name in strong if not known.is_null(known.named[name])] or strong[:1]
    if len(strong) == 1 or (known.has("query", "data", "documents") and not strong):
        known.take("response", strong or ["data"])
        return
    if strong:
        known.unclear(strong)
    elif not known.take("response", known.spoken("response")):
        _weak_response(known)


def _weak_response(known: Columns) -> None:
    if known.has("instruction"):
        return
    names = [
        *ALIASES["response"],
        *(f"{h}_{name}" for h in CONTAINERS["response"][:-1] for name in WITHIN["response"]),
    ]
    references = {"reference_answer", *ALIASES["reference_answer"]} - {"answers"}
    if not references.isdisjoint(known.named) and known.holds("answers", str):
        names.append("answers")
    if plain_name(known.fields.get("question", "")) == "message":  # Cohere's chat
        names.append("text")
    if _is_examples(known):  # the output of an example is the expected answer
        names = [name for name in names if not name.startswith("output")]
    if _is_golden(known):
        names.remove("answer")
    held = set(CONTAINERS["response"]) & set(known.named)
    names = [n for n in names if not any(n.startswith(f"{holder}_") for holder in held)]
    free = [n for n in names if n in known.named and known.named[n] not in known.fields.values()]
    free = [n for n in free if known.fits("response", known.named[n]) and not known.lists(known.named[n])]
    fitting = _told_by_citations(known, free)
    if len(fitting) == 1:
        known.take("response", fitting)
    elif fitting:
        known.unclear(fitting)
    elif plain_name(known.fields.get("question", "")) in CHATS:
        known.fields["response"] = known.fields["question"]
    elif not known.take("response", [] if _is_golden(known) else known.spoken("answer")):
        _unclear_response(known)


def _told_by_citations(known: Columns, names: list[str]) -> list[str]:
    """The only one of the names whose texts cite documents, else all; an `answer` that cites may be a person's."""
    citing = known.citing(names)
    return names if citing in ([], ["answer"]) else citing


def _unclear_response(known: Columns) -> None:
    """Say which columns' words speak of an answer, where there are several."""
    several = known.speaking("response") or known.speaking("answer")
    if len(several) > 1:
        known.unclear(several)
    elif {"question", "documents"} <= {*known.fields}:
        known.take("response", ["text"])  # Flowise


def _is_golden(known: Columns) -> bool:
    """Whether it is a set of questions with evidence: its answers are the right ones, if no others are."""
    marks = {"evidence_list", "wiki_links", "reasoning_types"} & set(known.named)
    if marks and "documents" not in known.fields:
        return True
    right = {"reference_answer", *ALIASES["reference_answer"]} & set(known.named)
    run = any(map(tells_a_run, known.columns))
    return not right and not run and any(map(known.lists_facts, known.columns))


def _is_examples(known: Columns) -> bool:
    run = {"error", "execution_time", "run_type", "trace_id"} & set(known.named)
    return not run and (known.has("dataset_id") or known.has("example_id", "metadata"))


def take_reference(known: Columns) -> None:
    """Take the column of right answers."""
    names = ["reference_answer", *ALIASES["reference_answer"]]
    if known.has("reference") and any(name.startswith("expected") for name in known.named):
        names = [name for name in names if name != "reference"] + ["reference"]  # it may be a citation
    if _is_triple(known):
        names = [name for name in names if name != "reference"]
    for holder in CONTAINERS["reference_answer"]:
        names += [f"{holder}_{name}" for name in WITHIN["reference_answer"]]
    for holder in CONTAINERS["question"]:
        names += [f"{holder}_{name}" for name in ("reference_answer", *ALIASES["reference_answer"])]
    response = plain_name(known.fields.get("response", ""))
    sure = response in (*PREDICTED, "result") or role_of(known.fields.get("response", "")) == "response"
    sure = sure or known.citing((response, "answer")) == [response]
    names += _short_names(known, response)
    if sure and known.holds("label", list):  # doccano
        names.append("label")
    listed = "answer" in known.named and response != "answer" and known.lists(known.named["answer"])
    if listed or sure or _is_golden(known):
        names += ["answer", "long_answer"]
    if _is_examples(known):
        names += ["output", "outputs", *(f"{h}_{n}" for h in ("output", "outputs") for n in WITHIN["response"])]
    names = [name for name in names if not (name in known.named and _is_judged(known, name))]
    if not known.take("reference_answer", names):
        beside = [name for name in known.spoken("answer") if sure and not names_owner(known.named[name])]
        known.take("reference_answer", known.spoken("reference_answer", partial(_is_no_verdict, known)) or beside)


def _short_names(known: Columns, response: str) -> list[str]:
    """`want` beside `got`; `ref` where it has sentences beside documents: else it names a source, or holds them."""
    told = "documents" in known.fields and known.are_sentences("ref", str)
    return ["want"] * (response == "got") + ["ref"] * told


def _is_no_verdict(known: Columns, name: str) -> bool:
    """Whether not all cells say yes or no beside answers that do not."""
    said = known.values(known.fields.get("response", ""))
    return not all(map(is_yes_or_no, known.values(known.named[name]))) or not said or any(map(is_yes_or_no, said))


def _is_judged(known: Columns, name: str) -> bool:
    """Whether the column says yes or no, as a column of judgements beside it, and not what the answers say."""
    judged = any(
        not _JUDGEMENTS.isdisjoint(words_of(c)) and (said := known.values(c)) and all(map(is_yes_or_no, said))
        for c in known.columns
    )
    return judged and bool(known.values(known.named[name])) and not _is_no_verdict(known, name)


def _is_triple(known: Columns) -> bool:
    """Whether it has input, output, reference and no documents: the reference may be the document or the answer."""
    if not known.has("input", "output", "reference") or "documents" in known.fields:
        return False
    known.notes.append(
        "The column reference may hold the document or the right answer: it is not read. "
        "Say which: documents=reference or reference_answer=reference."
    )
    return True
