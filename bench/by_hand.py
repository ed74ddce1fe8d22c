"""What the benches over hand-written sentences and answers share: their arguments, and the judging of one answer."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from trace_core.facts.labels import Status
from trace_core.facts.sentences import Sentence
from trace_core.labeling import Labeler
from trace_core.pipeline import evaluate


def arguments(about: str | None, file: Path, failing: str) -> argparse.Namespace:
    """`file`, `labeler` and `failing` of the command line; `about` is the script's docstring."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", default=file)
    parser.add_argument("--labeler", default="local")
    parser.add_argument("--failing", action="store_true", help=failing)
    return parser.parse_args()


def judged(question: str, documents: Sequence[str], answer: str, labeler: Labeler) -> list[tuple[Sentence, bool]]:
    """Every sentence of the answer, and whether it is flagged: not labeled fully supported."""
    record = evaluate(question, list(documents), answer, labeler=labeler)
    if record.error or record.labels is None or record.response is None:
        raise SystemExit(f"not labeled: {answer}: {record.error}")
    statuses = record.labels.statuses(record.sentences().response_keys())
    return [(s, statuses[s.key] is not Status.FULLY) for s in record.response.sentences]
