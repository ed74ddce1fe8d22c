"""How many false everyday sentences the packaged labeler passes: `python bench/everyday_figures.py`.

Judges those of every `everyday*.jsonl` alone, and writes the figures that the page Ask shows beside adherence.
"""

from __future__ import annotations

import json

from everyday import FILE, flagged

from trace_core.labeling import make_labeler
from trace_core.labeling.local import FIGURES
from trace_core.retrieval.embedding import embedder


def main() -> None:
    """Judge the sentences and write the figures."""
    labeler = make_labeler("local", embedder())
    files = sorted(FILE.parent.glob("everyday*.jsonl"))
    cases = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    false = [case for case in cases if not case["supported"]]
    passed = sum(not flagged(case, labeler, [], []) for case in false)
    figures = {"labeler_version": labeler.version, "false_sentences": len(false), "passed": passed}
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(figures)


if __name__ == "__main__":
    main()
