"""Ragas' own classes, run by a separate interpreter: Ragas and this project need different OpenAI SDKs. Imports nothing
of this project. Standard input and output are JSON, one object per line: it reads a job, writes `{"embed": [texts]}`
and reads `{"vectors": …}`, and finally writes `{"results": …}`."""

import asyncio
import json
import math
import os
import re
import sys
import time
import warnings
from collections.abc import Awaitable, Callable
from importlib.metadata import version
from typing import Any


def _say(message: dict[str, Any]) -> None:
    print(json.dumps(message), file=sys.__stdout__, flush=True)


def _vectors(texts: list[str]) -> list[list[float]]:
    _say({"embed": texts})
    answer: list[list[float]] = json.loads(sys.stdin.readline())["vectors"]
    return answer


def _scores(job: dict[str, Any]) -> dict[str, Callable[[], Awaitable[float]]]:
    """Test name → the function that computes it; nothing runs before it is called."""
    from openai import AsyncOpenAI
    from ragas import SingleTurnSample
    from ragas.embeddings.base import BaseRagasEmbedding
    from ragas.llms import llm_factory
    from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall
    from ragas.metrics.collections import AnswerAccuracy, AnswerRelevancy, ContextUtilization, Faithfulness

    class Embedding(BaseRagasEmbedding):  # type: ignore[misc]
        """The embedding model of the parent process."""

        def embed_text(self, text: str, **kwargs: Any) -> list[float]:
            return _vectors([text])[0]

        async def aembed_text(self, text: str, **kwargs: Any) -> list[float]:
            return _vectors([text])[0]

        async def aembed_texts(self, texts: list[str], **kwargs: Any) -> list[list[float]]:
            return _vectors(texts)

    sample = {"user_input": job["question"], "response": job["answer"]}
    with_contexts = sample | {"retrieved_contexts": job["contexts"]}
    ids = SingleTurnSample(retrieved_context_ids=job["ids"], reference_context_ids=job["relevant"])
    by_ids = {"context_recall", "context_precision"}
    llm = None if set(job["tests"]) <= by_ids else llm_factory(job["model"], client=AsyncOpenAI())

    async def accuracy() -> float:
        ratings = [await value(AnswerAccuracy(llm=llm), sample | {"reference": truth}) for truth in job["truths"]]
        return max((one for one in ratings if not math.isnan(one)), default=math.nan)

    async def value(metric: Any, parts: dict[str, Any]) -> float:
        return float((await metric.ascore(**parts)).value)

    return {
        "answer_accuracy": accuracy,
        "context_recall": lambda: IDBasedContextRecall().single_turn_ascore(ids),
        "context_precision": lambda: IDBasedContextPrecision().single_turn_ascore(ids),
        "faithfulness": lambda: value(Faithfulness(llm=llm), with_contexts),
        "answer_relevancy": lambda: value(AnswerRelevancy(llm=llm, embeddings=Embedding()), sample),
        "context_utilisation": lambda: value(ContextUtilization(llm=llm), with_contexts),
    }


async def _run(job: dict[str, Any]) -> dict[str, Any]:
    scores, results = _scores(job), {}
    for name in job["tests"]:
        start = time.perf_counter()
        result: dict[str, Any] = {"score": None}
        try:
            value = float(await scores[name]())
            result |= {"error": "Ragas gave no number (NaN)."} if math.isnan(value) else {"score": value}
        except Exception as error:  # noqa: BLE001  # whatever Ragas raises is this test's error, not the others'
            result["error"] = f"{type(error).__name__}: {_without_key(str(error))[:300]}"
        result["seconds"] = round(time.perf_counter() - start, 3)
        results[name] = result
    return results


def _without_key(message: str) -> str:
    """A message without the key: a server's message may repeat the key, or both ends of it."""
    return re.sub(r"sk-\S+", "…", message.replace(os.environ.get("OPENAI_API_KEY") or "sk-", "…"))


def main() -> None:
    """Process one job."""
    warnings.simplefilter("ignore")
    sys.stdout = sys.stderr  # output printed by a library must not mix with the messages
    job = json.loads(sys.stdin.readline())
    try:
        _say({"results": asyncio.run(_run(job)), "version": version("ragas")})
    except ImportError as error:
        _say({"failed": f"Ragas cannot be imported ({error})."})


if __name__ == "__main__":
    main()
