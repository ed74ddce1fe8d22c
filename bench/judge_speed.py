"""Speed and cost of the GPT judge: `python bench/judge_speed.py`.

500 examples of the demo's own texts, a judge that takes 1 s per reply, and a limit of 600 requests a minute. Prints the
wall time and the minimum that the limit allows, then calls and prompt tokens per example (estimated: 4 ASCII
characters per token) and the calls that Ragas and TruLens make by their published formulas.
"""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from judge_server import MODEL, Asked, completion, judge_server  # noqa: E402  # after the path is set

from trace_core import demo  # noqa: E402
from trace_core.facts.records import Record  # noqa: E402
from trace_core.labeling import GptLabeler  # noqa: E402
from trace_core.llm import Limits, Llm, estimate_tokens  # noqa: E402
from trace_core.pipeline import label_all  # noqa: E402

EXAMPLES, PER_MINUTE, REPLY_SECONDS, CONCURRENCY = 500, 600, 1.0, 16


def labels(asked: Asked) -> dict[str, object]:
    """Every response sentence supported by the first document sentence."""
    return {
        "relevance_explanation": "0a.", "all_relevant_sentence_keys": ["0a"],
        "overall_supported_explanation": "0a.", "overall_supported": True,
        "sentence_support_information": [
            {"response_sentence_key": k, "explanation": "", "supporting_sentence_keys": ["0a"], "fully_supported": True}
            for k, _ in asked.material["response"]
        ],
        "all_utilized_sentence_keys": ["0a"],
    }  # fmt: skip


def examples() -> list[Record]:
    """The scored examples repeated, each with a unique question."""
    found = itertools.islice(itertools.cycle(demo.examples()), EXAMPLES)
    return [
        record.model_copy(update={"id": str(n), "question": f"{record.question} ({n})", "labels": None, "error": None})
        for n, record in enumerate(found)
    ]


def main() -> None:
    """Run the measurement once."""
    records = examples()
    limit = (EXAMPLES - 1) * 60 / PER_MINUTE + REPLY_SECONDS
    with judge_server(lambda asked: completion(labels(asked), wait=REPLY_SECONDS)) as server:
        llm = Llm(
            MODEL, "sk-test-0123456789", base_url=server.url, shown=server.url,
            limits=Limits(requests_per_minute=PER_MINUTE, concurrency=CONCURRENCY),
        )  # fmt: skip
        llm.models()  # the SDK is loaded and the connection is open
        start = time.perf_counter()
        done = list(label_all(records, GptLabeler(llm), CONCURRENCY))
        seconds = time.perf_counter() - start
        llm.close()
        tokens = [sum(estimate_tokens(m["content"]) for m in asked.body["messages"]) for asked in server.asked]
        calls = server.calls
    failed = sum(record.error is not None for record in done)
    print(f"{len(done)} examples, {failed} failed, {calls / len(done):.2f} calls an example")
    print(f"wall {seconds:.2f} s, the limit alone {limit:.2f} s: {seconds / limit:.3f} × (at most 1.05)")
    contexts = statistics.mean(len(record.documents) for record in records)
    sentences = statistics.mean(len(record.sentences().response) for record in records)
    print(f"prompt tokens an example: {sum(tokens) / len(done):.0f} (k = {contexts:.1f} contexts, s = {sentences:.1f})")
    for name, formula, value in (
        ("ours", "1", calls / len(done)),
        ("Ragas", "10 + 2k", 10 + 2 * contexts),
        ("TruLens", "s + k + 2", sentences + contexts + 2),
    ):
        print(f"calls an example  {name:<8} {formula:<10} {value:5.1f}")


if __name__ == "__main__":
    main()
