"""Hand-written whole answers of every shape: which of their false sentences are flagged, which true ones kept?

    python bench/answers.py [FILE] [--labeler local|gpt] [--failing]

Each answer of `answers.jsonl` (or FILE) is judged as it is: yes or no, a word, a list, steps, a table, half a refusal,
among polite sentences. A refusal claims nothing here, so the shape `refusal` is left out. Prints a table by shape.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from by_hand import arguments, judged

from trace_core.labeling import make_labeler
from trace_core.retrieval.embedding import embedder

FILE = Path(__file__).parent / "answers.jsonl"
LEFT_OUT = "refusal"


def main() -> int:
    """Judge every answer, print the table."""
    asked = arguments(__doc__, FILE, "print the answers that are judged wrongly")
    labeler = make_labeler(asked.labeler, embedder())
    answers: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    sentences: list[tuple[bool, bool]] = []
    for line in asked.file.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        if case["shape"] == LEFT_OUT:
            continue
        flags = judged(case["question"], case["documents"], case["response"], labeler)
        said = {sentence.text.strip(): flag for sentence, flag in flags}
        wanted = {text.strip(): label == "unsupported" for text, label in case["sentences"] if label != "nothing"}
        sentences += [(wanted[text], flag) for text, flag in said.items() if text in wanted]
        wrong, flagged = not case["adherence"], any(said.values())
        answers[case["shape"]].append((wrong, flagged))
        if asked.failing and wrong != flagged:
            print(f"{case['id']}: {case['response']} | {' / '.join(case['documents'])}", file=sys.stderr)
    every = [one for rows in answers.values() for one in rows]
    print(table({**answers, "**all answers**": every, "**their sentences**": sentences}))
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
