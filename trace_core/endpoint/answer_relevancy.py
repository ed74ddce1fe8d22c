"""Answer relevancy: does the answer address the question?"""

from __future__ import annotations

from trace_core.endpoint.base import NamedTest, Result
from trace_core.endpoint.payload import Payload
from trace_core.endpoint.workspace import Workspace
from trace_core.facts.refusal import opens_by_declining
from trace_core.facts.sentences import response_sentences


def _compute(payload: Payload, workspace: Workspace) -> Result:
    question, answer = payload.question or "", payload.answer or ""
    if opens_by_declining(s.text for s in response_sentences(answer[:2000])):
        return Result(0.0, {"method": "refusal", "refusal": True})
    if workspace.judge is None:
        near = max(0.0, workspace.similarity(question, answer))
        return Result(near, {"method": "embedding_similarity", "refusal": False})
    generated = workspace.judge.questions_for(answer)
    near = sum(workspace.similarity(question, other) for other in generated) / len(generated) if generated else 0.0
    details = {"method": "generated_questions", "refusal": not generated, "generated_questions": generated}
    return Result(min(1.0, max(0.0, near)), details)


ANSWER_RELEVANCY = NamedTest(
    name="answer_relevancy",
    needs=("question", "answer"),
    question="Does the answer address the question?",
    definition="max(0, cosine of question and answer); 0 for an answer that opens with a refusal. It measures "
    "whether they speak of the same, not whether the answer is right.",
    judged="The judge writes questions that the answer would answer: the mean cosine between them and the "
    "question; 0 if the judge finds that the answer evades.",
    cost="0 calls; with a judge 1, and none for a refusal",
    details={
        "method": "embedding_similarity, generated_questions or refusal",
        "refusal": "whether the answer declines to answer",
        "generated_questions": "the judge's questions, where there is a judge",
    },
    ragas="ResponseRelevancy: the generated-question method, one call for each of three questions.",
    compute=_compute,
    calls=lambda payload: 1,
    ragas_calls=lambda payload: 3,
)
