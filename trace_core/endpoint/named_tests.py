"""The six tests of POST /trace: what they share in one query, each one's function, and its names, texts and costs."""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from trace_core.endpoint.judge import LlmJudge
from trace_core.endpoint.payload import Payload, TooMuch
from trace_core.errors import LabelingError
from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Document, Record, Response
from trace_core.facts.refusal import opens_by_declining
from trace_core.facts.sentences import response_sentences
from trace_core.facts.words import tokens
from trace_core.labeling import Labeler
from trace_core.metrics.overlap import answer_likeness, exact_match, recall, token_f1
from trace_core.models.embedding import Embedder
from trace_core.pipeline import MOST_SENTENCES, check_sentences, label

MOST_CHARACTERS = 4000
"""Of a text that is embedded: the packaged model reads 256 tokens, which are never longer than this."""


class Tools(NamedTuple):
    """What tests compute with; `seconds` and `sentences` limit one query."""

    embedder: Embedder
    labeler: Labeler
    judge: LlmJudge | None = None
    seconds: float = 60.0
    sentences: int = MOST_SENTENCES


class Workspace:
    """One query's texts, read once for all tests. Methods raise `TraceError`."""

    def __init__(self, payload: Payload, tools: Tools) -> None:
        self._payload, self._tools = payload, tools
        self.judge, self.labeler = tools.judge, tools.labeler.name
        self._deadline = time.monotonic() + tools.seconds

    def similarity(self, one: str, other: str) -> float:
        """Cosine of the two texts' vectors, in [−1, 1]; only the beginning of a long text is used."""
        self._check_time()
        first, second = self._tools.embedder.embed([one[:MOST_CHARACTERS], other[:MOST_CHARACTERS]])
        return min(1.0, max(-1.0, float(first @ second)))

    def label(self) -> tuple[Record, Labels]:
        """The query as a labeled record, and its labels: one labeling for all tests that need it."""
        record = self._record
        if record.error:
            raise LabelingError(record.error.message, record.error.hint, usage=record.usage)
        assert record.labels is not None  # noqa: S101  # else there is an error
        return record, record.labels

    @cached_property
    def _record(self) -> Record:
        payload = self._payload
        documents = [Document(id=c.id, rank=i + 1, text=c.text) for i, c in enumerate(payload.contexts)]
        response = Response(text=payload.answer or "")
        record = Record(id="trace", question=payload.question or "", documents=documents, response=response)
        try:
            check_sentences(record, self._tools.sentences)
        except LabelingError as error:
            raise TooMuch(error.message, error.hint) from None
        return label(record, self._tools.labeler, lambda share: self._check_time())

    def _check_time(self) -> None:
        if time.monotonic() > self._deadline:
            message = f"The query took longer than {self._tools.seconds:g} s."
            raise LabelingError(message, "Send fewer or shorter contexts.")


class Result(NamedTuple):
    """A score in [0, 1] and how it was computed; `None` is undefined, with the reason in the details."""

    score: float | None
    details: dict[str, Any]


class NamedTest(NamedTuple):
    """A test's texts and function, defined in this one place. `needs` are fields of the payload, `with_judge` is the
    definition where there is a judge, if another, and `ragas` what the engine `ragas` computes under this name."""

    needs: tuple[str, ...]
    question: str
    definition: str
    cost: str
    details: Mapping[str, str]
    ragas: str
    compute: Callable[[Payload, Workspace], Result]
    with_judge: str = ""


def _answer_accuracy(payload: Payload, workspace: Workspace) -> Result:
    answer, candidates = payload.answer or "", []
    exact = next((truth for truth in payload.truths if exact_match(answer, truth)), None)
    for truth in payload.truths if exact is None else [exact]:
        f1, similarity = token_f1(answer, truth), None
        if exact is not None:
            score, method = 1.0, "exact_match"
        elif workspace.judge:
            score, method = workspace.judge.rate(payload.question or "", answer, truth), "judge"
        else:
            similarity = workspace.similarity(answer, truth)
            score, method = answer_likeness(f1, similarity), "token_f1_and_similarity"
        details = {"method": method, "best_ground_truth": truth, "token_f1": f1, "similarity": similarity}
        candidates.append(Result(score, details))
    return max(candidates, key=lambda result: result.score or 0.0)


def _context_recall(payload: Payload, workspace: Workspace) -> Result:
    relevant = list(dict.fromkeys(payload.relevant_context_ids))
    ids = {context.id for context in payload.contexts}
    details = {
        "relevant_context_ids": relevant,
        "found_relevant_count": len(ids & set(relevant)),
        "total_relevant_count": len(relevant),
    }
    return Result(recall(relevant, ids), details)


def _context_precision(payload: Payload, workspace: Workspace) -> Result:
    ids, relevant = {context.id for context in payload.contexts}, set(payload.relevant_context_ids)
    return Result(recall(ids, relevant), {"relevant_count": len(ids & relevant), "provided_count": len(ids)})


def _faithfulness(payload: Payload, workspace: Workspace) -> Result:
    if not any(tokens(context.text) for context in payload.contexts):
        return Result(None, {"undefined": "the contexts contain no words"})
    record, labels = workspace.label()
    answer = record.sentences().response
    statuses = labels.statuses([sentence.key for sentence in answer])
    owner = {sentence.key: document.id for document in record.documents for sentence in document.sentences}
    entries, rows = labels.entries, []
    for sentence in answer:
        entry = entries.get(sentence.key)
        supports = [owner[key] for key in (entry.supporting_sentence_keys if entry else []) if key in owner]
        rows.append(
            {
                "key": sentence.key,
                "text": sentence.text,
                "status": statuses[sentence.key].value,
                "supporting_context_ids": list(dict.fromkeys(supports)),
                "explanation": entry and entry.explanation,
            }
        )
    counts = Counter(statuses.values())
    total = len(statuses) - counts[Status.UNLABELED]
    details = {
        "supported_count": counts[Status.FULLY],
        "sentence_count": total,
        "unlabeled_count": counts[Status.UNLABELED],
        "sentences": rows,
        "labeler": workspace.labeler,
    }
    if not total:
        return Result(None, details | {"undefined": "no answer sentence was labeled"})
    return Result(counts[Status.FULLY] / total, details)


def _answer_relevancy(payload: Payload, workspace: Workspace) -> Result:
    question, answer = payload.question or "", payload.answer or ""
    if opens_by_declining(s.text for s in response_sentences(answer[:2000])):
        return Result(0.0, {"method": "refusal", "refusal": True})
    if workspace.judge is None:
        near = max(0.0, workspace.similarity(question, answer))
        return Result(near, {"method": "embedding_similarity", "refusal": False})
    others = workspace.judge.questions_for(answer)
    near = sum(workspace.similarity(question, other) for other in others) / len(others) if others else 0.0
    details = {"method": "generated_questions", "refusal": not others, "generated_questions": others}
    return Result(min(1.0, max(0.0, near)), details)


def _context_utilisation(payload: Payload, workspace: Workspace) -> Result:
    record, labels = workspace.label()
    total, keys = sum(tokens(context.text) for context in payload.contexts), labels.all_utilized_sentence_keys
    if keys is None:
        return Result(None, {"undefined": "the labels lack all_utilized_sentence_keys", "context_tokens_total": total})
    if not total:
        return Result(None, {"undefined": "the contexts contain no words"})
    basis = [(document, s) for document in record.documents for s in document.sentences if s.key in keys]
    overlap = sum(tokens(sentence.text) for _, sentence in basis)
    details = {
        "overlap_tokens": overlap,
        "context_tokens_total": total,
        "utilized_sentences": [{"context_id": document.id, "text": sentence.text} for document, sentence in basis],
        "labeler": workspace.labeler,
    }
    return Result(overlap / total, details)


TESTS: Mapping[str, NamedTest] = {
    "answer_accuracy": NamedTest(
        needs=("answer", "ground_truth"),
        question="Does the answer say what the ground truth says?",
        definition="Best over the ground truths: 1 on an exact match after SQuAD's normalization (case, punctuation "
        "and articles do not count), else (token F1 + max(0, cosine)) ÷ 2, which stays below 1.",
        with_judge="Where there is no exact match, the judge's rating of the answer against each ground truth.",
        cost="0 calls; with a judge 1 for each ground truth, unless one matches exactly",
        details={
            "method": "exact_match, token_f1_and_similarity or judge",
            "best_ground_truth": "the ground truth with the highest score",
            "token_f1": "harmonic mean of token precision and recall against it",
            "similarity": "cosine of the two texts' embeddings; null where it was not needed",
        },
        ragas="AnswerAccuracy: a judge rates twice, 0, 2 or 4, and the mean is divided by 4; another quantity "
        "than the native one, equal at an exact match if the judge agrees.",
        compute=_answer_accuracy,
    ),
    "context_recall": NamedTest(
        needs=("contexts", "relevant_context_ids"),
        question="Were the relevant contexts provided?",
        definition="|relevant ∩ provided| ÷ |relevant|, over unique ids.",
        cost="0 calls",
        details={
            "relevant_context_ids": "the relevant ids, each once",
            "found_relevant_count": "how many of them are among the provided contexts",
            "total_relevant_count": "how many there are",
        },
        ragas="IDBasedContextRecall: the same quantity.",
        compute=_context_recall,
    ),
    "context_precision": NamedTest(
        needs=("contexts", "relevant_context_ids"),
        question="Are the provided contexts relevant?",
        definition="|relevant ∩ provided| ÷ |provided|, over unique ids.",
        cost="0 calls",
        details={
            "relevant_count": "how many of the provided contexts are relevant",
            "provided_count": "how many contexts with different ids are provided",
        },
        ragas="IDBasedContextPrecision: the same quantity.",
        compute=_context_precision,
    ),
    "faithfulness": NamedTest(
        needs=("answer", "contexts"),
        question="Is what the answer says supported by the contexts?",
        definition="Fully supported answer sentences ÷ labeled answer sentences. A ground truth is not used.",
        with_judge="The same, on the judge's labels.",
        cost="one labeling, shared with context_utilisation: 0 calls with the local labeler, 1 with a judge",
        details={
            "supported_count": "answer sentences that the contexts fully support",
            "sentence_count": "answer sentences that were labeled",
            "unlabeled_count": "answer sentences that the labeler left out; they do not count",
            "sentences": "each answer sentence: status, the ids of its supporting contexts, why",
            "labeler": "who made the labels",
        },
        ragas="Faithfulness: a judge cuts the answer into statements, and says of each whether the contexts "
        "support it. Ours counts sentences; the two agree where each sentence is one statement.",
        compute=_faithfulness,
    ),
    "answer_relevancy": NamedTest(
        needs=("question", "answer"),
        question="Does the answer address the question?",
        definition="max(0, cosine of question and answer); 0 for an answer that opens with a refusal. It measures "
        "whether they are about the same thing, not whether the answer is right.",
        with_judge="The judge writes questions that the answer would answer: the mean cosine between them and the "
        "question; 0 if the judge finds that the answer evades.",
        cost="0 calls; with a judge 1, and none for a refusal",
        details={
            "method": "embedding_similarity, generated_questions or refusal",
            "refusal": "whether the answer declines to answer",
            "generated_questions": "the judge's questions, where there is a judge",
        },
        ragas="ResponseRelevancy: the generated-question method, one call for each of three questions.",
        compute=_answer_relevancy,
    ),
    "context_utilisation": NamedTest(
        needs=("question", "contexts", "answer"),
        question="How much of the provided text did the answer use?",
        definition="Tokens of the utilized context sentences ÷ tokens of all contexts. A sentence is utilized if the "
        "labeler says that the answer rests on it. Not the context_utilization of the four metrics, which counts "
        "sentences under a convention. (The source of this endpoint prints 0.86 for 3 of 10 tokens in its first "
        "example; six of the ten are in the utilized sentence.)",
        with_judge="The same, on the judge's labels.",
        cost="one labeling, shared with faithfulness: 0 calls with the local labeler, 1 with a judge",
        details={
            "overlap_tokens": "tokens of the utilized sentences",
            "context_tokens_total": "tokens of all contexts",
            "utilized_sentences": "the utilized sentences and the context of each",
            "labeler": "who made the labels",
        },
        ragas="ContextUtilization: the mean precision over the ranking of contexts that a judge calls useful for "
        "the answer; another quantity under a like name.",
        compute=_context_utilisation,
    ),
}
