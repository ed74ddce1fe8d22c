"""Answer accuracy: does the answer say what the ground truth says?"""

from __future__ import annotations

from trace_core.endpoint.base import NamedTest, Result
from trace_core.endpoint.payload import Payload
from trace_core.endpoint.workspace import Workspace
from trace_core.metrics.overlap import answer_likeness, exact_match, token_f1


def _compute(payload: Payload, workspace: Workspace) -> Result:
    answer, truths = payload.answer or "", payload.truths
    for truth in truths:
        if exact_match(answer, truth):
            return _result(1.0, "exact_match", truth, 1.0, None)
    if workspace.judge:
        rated = [(workspace.judge.rate(payload.question or "", answer, truth), truth) for truth in truths]
        score, truth = max(rated, key=lambda row: row[0])
        return _result(score, "judge", truth, token_f1(answer, truth), None)
    found = []
    for truth in truths:
        f1, similarity = token_f1(answer, truth), workspace.similarity(answer, truth)
        found.append((answer_likeness(f1, similarity), truth, f1, similarity))
    score, truth, f1, similarity = max(found, key=lambda row: row[0])
    return _result(score, "token_f1_and_similarity", truth, f1, similarity)


def _result(score: float, method: str, truth: str, f1: float, similarity: float | None) -> Result:
    return Result(score, {"method": method, "best_ground_truth": truth, "token_f1": f1, "similarity": similarity})


ANSWER_ACCURACY = NamedTest(
    name="answer_accuracy",
    needs=("answer", "ground_truth"),
    question="Does the answer say what the ground truth says?",
    definition="Best over the ground truths: 1 on an exact match after SQuAD's normalization (case, punctuation "
    "and articles do not count), else (token F1 + max(0, cosine)) ÷ 2, which stays below 1.",
    judged="Where there is no exact match, the judge's rating of the answer against each ground truth.",
    cost="0 calls; with a judge 1 for each ground truth, unless one matches exactly",
    details={
        "method": "exact_match, token_f1_and_similarity or judge",
        "best_ground_truth": "the ground truth with the highest score",
        "token_f1": "harmonic mean of token precision and recall against it",
        "similarity": "cosine of the two texts' embeddings; null where it was not needed",
    },
    ragas="AnswerAccuracy: a judge rates twice, 0, 2 or 4, and the mean is divided by 4; another quantity "
    "than the native one, equal at an exact match if the judge agrees.",
    compute=_compute,
    calls=lambda payload: len(payload.truths),
    ragas_calls=lambda payload: 2 * len(payload.truths),
)
