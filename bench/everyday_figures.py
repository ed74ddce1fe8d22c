"""How many false everyday sentences the packaged labeler passes: `python bench/everyday_figures.py`.

Judges those of every `everyday*.jsonl` alone, and writes the figures that the page Ask shows beside adherence.
"""

from __future__ import annotations

import json

from labels import FILES, flagged, labels

from trace_core.labeling import make_labeler
from trace_core.labeling.local import FIGURES
from trace_core.retrieval.embedding import embedder


def main() -> None:
    """Judge the sentences and write the figures."""
    labeler = make_labeler("local", embedder())
    files = [file for file in FILES if file.stem.startswith("everyday")]
    cases = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    false = [case for case in cases if not case["supported"]]
    judged = (flagged(labels(c["question"], c["documents"], c["sentence"], labeler), c["sentence"]) for c in false)
    figures = {"labeler_version": labeler.version, "false_sentences": len(false), "passed": len(false) - sum(judged)}
    FIGURES.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(figures)


if __name__ == "__main__":
    main()
