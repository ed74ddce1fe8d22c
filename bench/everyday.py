"""Hand-written everyday sentences, never trained on: which false ones are flagged, which true ones kept?

    python bench/everyday.py [FILE] [--labeler local|gpt] [--failing]

Each sentence of `everyday.jsonl` (or FILE) is judged against its documents twice: alone, and as the second
of three sentences of an answer whose other two are true. Flagged: not fully supported. Prints a table by kind.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from by_hand import arguments, judged

from trace_core.labeling import Labeler, make_labeler
from trace_core.retrieval.embedding import embedder

FILE = Path(__file__).parent / "everyday.jsonl"
GREETINGS = ("Sure, I'd be happy to help!", "I hope this helps.")


def flagged(case: Mapping[str, Any], labeler: Labeler, before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether the sentence, between others of the same answer, is not labeled fully supported."""
    answer = " ".join([*before, case["sentence"], *after])
    start = len(" ".join([*before, ""]))
    end = start + len(case["sentence"])
    return any(
        flag
        for s, flag in judged(case["question"], case["documents"], answer, labeler)
        if s.start is not None and s.end is not None and s.start < end and s.end > start
    )


def main() -> int:
    """Judge every sentence, print the table."""
    asked = arguments(__doc__, FILE, "print the sentences that are judged wrongly, alone")
    labeler = make_labeler(asked.labeler, embedder())
    cases = [json.loads(line) for line in asked.file.read_text(encoding="utf-8").splitlines()]
    found: dict[tuple[bool, str], list[tuple[bool, bool, bool]]] = defaultdict(list)
    for case in cases:
        alone = flagged(case, labeler, [], [])
        within = flagged(case, labeler, case["company"][:1], case["company"][1:])
        polite = flagged(case, labeler, GREETINGS[:1], GREETINGS[1:])
        found[case["supported"], case["kind"]].append((alone, within, polite))
        if asked.failing and alone == case["supported"]:
            print(f"{case['kind']}: {case['sentence']} | {' / '.join(case['documents'])}", file=sys.stderr)
    print(table(found))
    return 0


def table(found: Mapping[tuple[bool, str], Sequence[tuple[bool, bool, bool]]]) -> str:
    """The share of correct judgments by kind, in Markdown, and how often a greeting changes the judgment."""
    lines = ["| kind | n | right alone | right within an answer |", "| --- | ---: | ---: | ---: |"]
    for truth, name in ((False, "false sentences flagged"), (True, "true sentences kept")):
        kinds = {kind: rows for (supported, kind), rows in found.items() if supported is truth}
        kinds[f"**{name}**"] = [row for rows in kinds.values() for row in rows]
        for kind, rows in kinds.items():
            right = [sum(row[place] is not truth for row in rows) / len(rows) for place in (0, 1)]
            lines.append(f"| {kind} | {len(rows)} | {right[0]:.0%} | {right[1]:.0%} |")
    every = [row for rows in found.values() for row in rows]
    changed = sum(alone != polite for alone, _, polite in every)
    return "\n".join([*lines, "", f"A greeting before and after changes {changed} of {len(every)} judgments."])


if __name__ == "__main__":
    sys.exit(main())
