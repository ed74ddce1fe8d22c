"""Hand-written pairs of a document and a claim: which claims that contradict it are flagged, which others kept?

    python bench/contrasts.py [FILE] [--labeler local|gpt] [--failing]

The pairs of `contrasts.jsonl` (or FILE) differ in order, time, unit, bound, duty, role or number, a third of them in
almost no word besides, a third in almost every word. Those of `rewordings.jsonl` are near copies, most of them reworded
as language models do and still true. Prints a table by kind.
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

FILE = Path(__file__).parent / "contrasts.jsonl"
QUESTION = "What is said about it?"


def main() -> int:
    """Judge every claim, print the table."""
    asked = arguments(__doc__, FILE, "print the claims that are judged wrongly")
    labeler = make_labeler(asked.labeler, embedder())
    found: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for line in asked.file.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        question = case.get("question", QUESTION)
        flagged = any(flag for _, flag in judged(question, [case["document"]], case["claim"], labeler))
        found[case["kind"]].append((case["contradicts"], flagged))
        if asked.failing and flagged != case["contradicts"]:
            print(f"{case['kind']}: {case['claim']} | {case['document']}", file=sys.stderr)
    print(table({**found, "**all**": [one for rows in found.values() for one in rows]}))
    return 0


def table(found: Mapping[str, Sequence[tuple[bool, bool]]]) -> str:
    """By kind: the share of contradicting claims flagged and of the others kept, in Markdown."""
    lines = ["| kind | contradicting, flagged | others, kept |", "| --- | ---: | ---: |"]
    for kind, rows in found.items():
        flagged = [flag for contradicts, flag in rows if contradicts]
        kept = [not flag for contradicts, flag in rows if not contradicts]
        lines.append(f"| {kind} | {sum(flagged)} of {len(flagged)} | {sum(kept)} of {len(kept)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
