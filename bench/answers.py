"""Hand-written whole answers of every shape: which of their false sentences are flagged, which true ones kept?

    python bench/answers.py [FILE] [--labeler local|gpt] [--failing]

Each answer of `answers.jsonl` (or FILE) is judged as it is: yes or no, a word, a list, steps, a table, half a refusal,
among polite sentences. A refusal claims nothing here, so the shape `refusal` is left out. Prints a table by shape.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from trace_core.facts.labels import Status
from trace_core.labeling import Labeler, make_labeler
from trace_core.pipeline import evaluate
from trace_core.retrieval.embedding import embedder

FILE = Path(__file__).parent / "answers.jsonl"
LEFT_OUT = "refusal"


def failing(case: Mapping[str, Any], labeler: Labeler) -> dict[str, bool]:
    """Sentence → whether it is not labeled fully supported."""
    record = evaluate(case["question"], case["documents"], case["response"], labeler=labeler)
    if record.error or record.labels is None or record.response is None:
        raise SystemExit(f"not labeled: {case['id']}: {record.error}")
    statuses = record.labels.statuses(record.sentences().response_keys())
    return {s.text.strip(): statuses[s.key] is not Status.FULLY for s in record.response.sentences}


def main() -> int:
    """Judge every answer, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=FILE)
    parser.add_argument("--labeler", default="local")
    parser.add_argument("--failing", action="store_true", help="print the answers that are judged wrongly")
    asked = parser.parse_args()
    labeler = make_labeler(asked.labeler, embedder())
    answers: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    sentences: list[tuple[bool, bool]] = []
    for line in asked.file.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["shape"] == LEFT_OUT:
            continue
        said = failing(case, labeler)
        wanted = {text.strip(): label == "unsupported" for text, label in case["sentences"] if label != "nothing"}
        sentences += [(wanted[text], flag) for text, flag in said.items() if text in wanted]
        answers[case["shape"]].append((not case["adherence"], any(said.values())))
        if asked.failing and answers[case["shape"]][-1][0] != answers[case["shape"]][-1][1]:
            print(f"{case['id']}: {case['response']} | {' / '.join(case['documents'])}", file=sys.stderr)
    print(
        table(
            {
                **answers,
                "**all answers**": [one for rows in answers.values() for one in rows],
                "**their sentences**": sentences,
            }
        )
    )
    return 0


def table(found: Mapping[str, Sequence[tuple[bool, bool]]]) -> str:
    """By shape: how many right ones are kept, and how many wrong ones flagged, in Markdown."""
    lines = ["| shape | right ones kept | wrong ones flagged |", "| --- | ---: | ---: |"]
    for shape, rows in found.items():
        kept = [not flag for wrong, flag in rows if not wrong]
        flagged = [flag for wrong, flag in rows if wrong]
        lines.append(f"| {shape} | {sum(kept)} of {len(kept)} | {sum(flagged)} of {len(flagged)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
