"""The labeler `decisions`: a decision model answers typed questions with probabilities, and writes no text. One request
a record: for each document sentence, whether it helps to answer the question; for each response sentence, which
document sentence supports it. Labels are what is more likely than not. OpenAI's Decisions are a public beta."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Any

from trace_core.errors import LabelingError
from trace_core.facts.labels import Probabilities
from trace_core.facts.records import Sentences
from trace_core.labeling.base import OnShare, Reply, Size
from trace_core.labeling.gpt import messages_about
from trace_core.llm import Llm, Message, estimate_tokens, total_usage
from trace_core.llm.messages import Rejection
from trace_core.llm.prompts import DECISIONS, GENERAL, HELPS, NONE, OTHERS, SEVERAL, SUPPORTS
from trace_core.metrics.expected import expected_scores, sums

MODEL = "gpt-6-luna"
"""The only model that takes such questions; a server may name it with more around it, as in TRACE_MODEL."""
MOST_QUESTIONS, MOST_CHOICES = 400, 255  # the most that one request and one question may hold
_LIKELY = 0.5  # the probability from which a label is given
_TOGETHER = 2  # the least number of sentences that `several` stands for
_BETA = (
    f"Decisions are a public beta: the server must offer /decisions with the model {MODEL}. Without it, use another "
    "labeler, as TRACE_LABELER=gpt."
)


@dataclass(slots=True)
class Answers:
    """What the model answered: by document key the probability that it helps, by response key its choices. A question
    that the model refused has no answer; `refusals` are the keys. `raw` are the answers as they came."""

    helps: dict[str, float] = field(default_factory=dict)
    choices: dict[str, Mapping[str, float]] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)
    raw: list[object] = field(default_factory=list)


class DecisionsLabeler:
    """Labels from a decision model on an OpenAI-compatible server."""

    name = "decisions"

    def __init__(self, llm: Llm) -> None:
        self.llm = llm if MODEL in llm.model else llm.with_model(MODEL)

    @property
    def version(self) -> str:
        """The model, the version of the questions and their hash."""
        return f"{self.llm.model} / {DECISIONS.id}"

    def label(self, question: str, sentences: Sentences, progress: OnShare | None = None) -> Reply:
        """Label one record. Raises `LlmError` if no reply came, `LabelingError` if no question was answered."""
        requests = list(_requests(question, sentences))
        answers, usages, notes = Answers(), [], list[str]()
        for n, (messages, questions) in enumerate(requests, start=1):
            try:
                part, usage, words = self.llm.decide(messages, questions, partial(read, questions))
            except Rejection as error:
                error.hint = f"{error.hint} {_BETA}"
                raise
            _join(answers, part)
            usages.append(usage)
            notes += [f"reply: {note}" for note in words]
            if progress:
                progress(n / len(requests))
        usage, original = total_usage(usages), {"answers": answers.raw}
        if answers.refusals and not answers.helps and not answers.choices:
            message = "The model refused every question about this record."
            raise LabelingError(message, "Use another labeler.", usage=usage, raw=original)
        if answers.refusals:
            keys = ", ".join(answers.refusals)
            notes.append(f"reply: the model refused to judge {keys}: unlabeled, and not among what is relevant or used")
        return _reply(answers, sentences, usage, notes, original)


def _requests(question: str, sentences: Sentences) -> Iterator[tuple[list[Message], list[dict[str, Any]]]]:
    """The messages and questions of each request: one, unless there are too many sentences for it."""
    keys, size = sentences.document_keys(), MOST_CHOICES - len(OTHERS)
    others = [{"value": value, "description": words} for value, words in OTHERS.items()]
    for start in range(0, max(1, len(keys)), size):
        part = keys[start : start + size]
        choices = [{"value": value} for value in part] + (others if len(part) > 1 else others[1:])
        questions: list[dict[str, Any]] = [
            *({"type": "predicate", "name": key, "instructions": HELPS.format(key=key)} for key in part),
            *(
                {"type": "choice", "name": key, "instructions": SUPPORTS.format(key=key), "choices": choices}
                for key in sentences.response_keys()
            ),
        ]
        documents = [[one for one in document if one.key in part] for document in sentences.documents]
        messages = messages_about(question, sentences, documents, DECISIONS)
        yield from ((messages, questions[i : i + MOST_QUESTIONS]) for i in range(0, len(questions), MOST_QUESTIONS))


def requests_size(question: str, sentences: Sentences) -> Size:
    """What labeling a record takes."""
    requests = list(_requests(question, sentences))
    tokens = sum(estimate_tokens(json.dumps(request, ensure_ascii=False)) for request in requests)
    return Size(len(requests), tokens, sum(len(questions) for _, questions in requests))


def read(questions: Sequence[Mapping[str, Any]], answers: object) -> Answers:
    """The answers to these questions, in their order. Raises `ValueError` if they are not answers to them."""
    if not isinstance(answers, list) or len(answers) != len(questions):
        raise ValueError(f"{len(questions)} answers were asked for")
    result = Answers(raw=[answers])
    for answer, question in zip(answers, questions, strict=True):
        key, kind = question["name"], answer.get("type") if isinstance(answer, dict) else None
        if kind == "refusal":
            result.refusals.append(key)
        elif kind != question["type"]:
            raise ValueError(f"the answer for {key} is no {question['type']}")
        elif kind == "predicate":
            result.helps[key] = _probability(answer.get("probability"))
        else:
            values = {choice["value"] for choice in question["choices"]}
            pairs = [(one["value"], _probability(one["probability"])) for one in answer["probabilities"]]
            result.choices[key] = {value: p for value, p in pairs if value in values}
            if NONE not in result.choices[key]:
                raise ValueError(f"the answer for {key} has no probability of {NONE}")
    return result


def _probability(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError(f"{value!r} is not a probability")
    return float(value)


def _join(whole: Answers, part: Answers) -> None:
    """Add the answers about a part of the documents: nothing supports a sentence if nothing in any part does."""
    whole.helps |= part.helps
    whole.raw += part.raw
    whole.refusals += [key for key in part.refusals if key not in whole.refusals]
    for key, choices in part.choices.items():
        before = whole.choices.get(key, choices)
        several = max(p.get(SEVERAL, 0.0) for p in (before, choices))
        least = {name: min(p.get(name, 0.0) for p in (before, choices)) for name in (GENERAL, NONE)}
        whole.choices[key] = {**before, **choices, SEVERAL: several, **least}
    for key in whole.refusals:  # of one part: what the others say is not the whole
        whole.choices.pop(key, None)


def _reply(
    answers: Answers, sentences: Sentences, usage: Mapping[str, float], notes: list[str], original: Any
) -> Reply:
    documents, responses = sentences.document_keys(), sentences.response_keys()
    uses = {key: _uses(choices, documents) for key, choices in answers.choices.items()}
    utilized = {key: 1 - prod(1 - use.get(key, 0.0) for use in uses.values()) for key in documents}
    doubts = {key: choices[NONE] for key, choices in answers.choices.items()}
    supports = {key: _supports(answers.choices[key], uses[key]) for key in uses}
    supporting = {key for support in supports.values() for key in support}
    probabilities = Probabilities(
        relevant=_round(answers.helps),
        utilized=_round(utilized) if len(uses) == len(responses) else {},
        unsupported=_round(doubts),
    )
    relevant = [key for key in documents if answers.helps.get(key, 0.0) >= _LIKELY]
    failing = [key for key in responses if doubts.get(key, 0.0) >= _LIKELY]
    raw = {
        "relevance_explanation": f"The decision model finds {len(relevant)} of {len(documents)} document sentences "
        "more likely than not to help to answer the question.",
        "all_relevant_sentence_keys": relevant if answers.helps or not documents else None,
        "overall_supported": not failing if len(uses) == len(responses) else None,
        "sentence_support_information": [
            {
                "response_sentence_key": key,
                "explanation": f"To the decision model, the probability that nothing supports it is {doubts[key]:.2f}.",
                "supporting_sentence_keys": supports[key],
                "fully_supported": key not in failing,
            }
            for key in responses
            if key in uses
        ],
        "all_utilized_sentence_keys": [key for key in documents if utilized[key] >= _LIKELY or key in supporting]
        if uses or not responses
        else None,
    }
    expected = expected_scores(sums(probabilities, sentences))
    return Reply(raw, probabilities, expected, usage=usage, notes=notes, original=original)


def _uses(choices: Mapping[str, float], documents: Sequence[str]) -> dict[str, float]:
    """How likely the sentence rests on each document sentence, alone or as one of the two or more of `several`."""
    alone = {key: choices[key] for key in documents if choices.get(key)}
    total = sum(alone.values())
    return {key: min(1.0, p + choices.get(SEVERAL, 0.0) * min(1.0, _TOGETHER * p / total)) for key, p in alone.items()}


def _supports(choices: Mapping[str, float], uses: Mapping[str, float]) -> list[str]:
    """What supports a sentence: the likeliest of all but `none`; for `several`, those that are likely among them."""
    if choices[NONE] >= _LIKELY:
        return []
    best = max((value for value in choices if value != NONE), key=lambda value: choices[value])
    if best != SEVERAL:
        return [best]
    first = sorted(uses, key=lambda key: -uses[key])[:_TOGETHER]
    return [key for key in uses if key in first or uses[key] >= _LIKELY]


def _round(values: Mapping[str, float]) -> dict[str, float]:
    return {key: round(p, 6) for key, p in values.items()}
