"""Ragas' own classes next to ours, with one judge: `python bench/ragas_side_by_side.py`.

Needs TRACE_RAGAS_PYTHON, the interpreter of an environment with requirements-ragas.txt. The judge is a local server
that follows the same rules for both: a statement holds if a context sentence says it word for word, an answer is
accurate if it says the same as the ground truth, and the question for an answer is made of its words. So differences
in the results come from the definitions. Prints values, calls and seconds for each example.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from judge_server import Answer, Asked, completion, judge_server  # noqa: E402  # after the path is set

from trace_core.endpoint import TESTS, Payload, Tools, run_tests  # noqa: E402
from trace_core.endpoint.judge import LlmJudge  # noqa: E402
from trace_core.endpoint.ragas import ragas_from  # noqa: E402
from trace_core.labeling import make_labeler  # noqa: E402
from trace_core.llm import llm_from  # noqa: E402
from trace_core.models.embedding import embedder  # noqa: E402
from trace_core.settings import Settings, load  # noqa: E402

QUESTION = "Where do tigers live, and what do they eat?"
CONTEXTS = [
    {"id": "c1", "text": "Tigers live in the forests of Asia. They swim well."},
    {"id": "c2", "text": "Tigers eat deer. They hunt at night."},
    {"id": "c3", "text": "Lions live in Africa."},
]
EXAMPLES: dict[str, dict[str, Any]] = {
    "all supported": {
        "answer": "Tigers live in the forests of Asia. Tigers eat deer.",
        "ground_truth": "Tigers live in the forests of Asia. Tigers eat deer",
        "relevant_context_ids": ["c1", "c2"],
    },
    "half supported": {
        "answer": "Tigers live in the forests of Asia. Tigers eat grass.",
        "ground_truth": "Forests of Asia, and deer.",
        "relevant_context_ids": ["c1", "c2", "c4"],
    },
    "nothing supported": {
        "answer": "Tigers live at the North Pole. Tigers eat penguins.",
        "ground_truth": ["Forests of Asia, and deer.", "Asia; deer"],
        "relevant_context_ids": ["c4"],
    },
}
_INPUT = re.compile(r"Now perform the same with the following input\s*input: (\{.*\})\s*Output:", re.DOTALL)


def sentences(text: str) -> list[str]:
    """The sentences of an example's text, without punctuation."""
    return [part.strip().lower() for part in text.split(".") if part.strip()]


def answered(asked: Asked) -> Answer:
    """The judge's reply, by one rule for both sides."""
    last = asked.body["messages"][-1]["content"]
    ragas = _INPUT.search(last)
    return completion(for_ragas(json.loads(ragas[1])) if ragas else for_us(json.loads(last)))


def question_for(answer: str) -> str:
    """The question that the judge generates for an answer."""
    return f"What is said by: {answer.split('.')[0]}?"


def for_ragas(given: dict[str, Any]) -> dict[str, Any]:
    """The replies to Ragas' prompts, identified by their input."""
    match given:
        case {"user_answer": answer, "reference_answer": truth}:
            return {"rating": 4 if sentences(answer) == sentences(truth) else 0}
        case {"context": context, "statements": statements}:
            held = sentences(context)
            said = [{"statement": s, "reason": "…", "verdict": int(s.lower().strip(" .") in held)} for s in statements]
            return {"statements": said}
        case {"context": context, "answer": answer}:
            useful = bool(set(sentences(context)) & set(sentences(answer)))
            return {"reason": "…", "verdict": int(useful)}
        case {"response": answer}:
            return {"question": question_for(answer), "noncommittal": 0}
        case {"answer": answer}:
            return {"statements": [f"{s}." for s in answer.rstrip(".").split(". ")]}
    raise ValueError(f"a prompt of another kind: {list(given)}")


def for_us(given: dict[str, Any]) -> dict[str, Any]:
    """The replies to our prompts, identified by their data."""
    if "ground_truth" in given:
        same = sentences(given["answer"]) == sentences(given["ground_truth"])
        return {"explanation": "…", "rating": 4 if same else 0}
    if "answer" in given:
        return {"explanation": "…", "evades": False, "questions": [question_for(given["answer"])] * 3}
    keys = {text.lower().strip(" ."): key for document in given["documents"] for key, text in document}
    found = [(key, keys.get(text.lower().strip(" ."))) for key, text in given["response"]]
    support = [
        {
            "response_sentence_key": key,
            "explanation": "…",
            "supporting_sentence_keys": [said] if said else [],
            "fully_supported": bool(said),
        }
        for key, said in found
    ]
    used = sorted({s for _, s in found if s})
    return {
        "relevance_explanation": "…",
        "all_relevant_sentence_keys": used,
        "overall_supported_explanation": "…",
        "overall_supported": all(s for _, s in found),
        "sentence_support_information": support,
        "all_utilized_sentence_keys": used,
    }


def shown(score: float | None) -> str:
    """A score, or a mark for none."""
    return "null" if score is None else f"{score:.3f}"


def main() -> int:
    """Run every example with both engines."""
    if load().ragas_python is None:
        print("Set TRACE_RAGAS_PYTHON: see requirements-ragas.txt.", file=sys.stderr)
        return 2
    embedder().embed(["load"])
    with TemporaryDirectory() as folder, judge_server(answered) as judge:
        settings = Settings(
            OPENAI_API_KEY="none",
            OPENAI_BASE_URL=judge.url,
            TRACE_DATA_DIR=folder,
            TRACE_RAGAS_PYTHON=load().ragas_python,
        )
        llm = llm_from(settings)
        tools = Tools(embedder(), make_labeler("gpt", embedder(), llm), LlmJudge(llm))
        ragas = ragas_from(settings, embedder())
        for name, example in EXAMPLES.items():
            payload = Payload.model_validate(
                {"tests": list(TESTS), "question": QUESTION, "contexts": CONTEXTS, **example}
            )
            rows = []
            for engine in (None, ragas):
                start, before = time.perf_counter(), judge.calls
                reply = run_tests(payload, tools, engine)
                rows.append((reply["evaluation_scores"], judge.calls - before, time.perf_counter() - start))
            (ours, our_calls, our_seconds), (theirs, their_calls, their_seconds) = rows
            print(f"\n{name:<22} {'native':>8} {'ragas':>8}")
            for test in TESTS:
                same = "same" if shown(ours[test]) == shown(theirs[test]) else "differs"
                print(f"  {test:<20} {shown(ours[test]):>8} {shown(theirs[test]):>8}  {same}")
            print(f"  {'calls':<20} {our_calls:>8} {their_calls:>8}")
            print(f"  {'seconds':<20} {our_seconds:>8.2f} {their_seconds:>8.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
