"""Cases written by hand and never trained on: which labels does a labeler get right?

    python bench/labels.py [FILE …] [--labeler local|gpt] [--failing]

Without FILE it judges `cases.jsonl` and the five sets of everyday sentences; `contrasts.jsonl`, `rewordings.jsonl` and
`answers.jsonl` are others. Prints one line for each set: the share of
false sentences flagged (not fully supported) and of true ones kept; for broad questions precision and recall of the
relevant sentences.

A case has `documents`, `question`, and one of: `answer` with `flagged`; `answer` with `sentences`, pairs of a text and
whether it is false; `relevant`, keys of document sentences; `sentence` with `supported` and `company`, true sentences
of the same answer; `document` and `claim` with `contradicts`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from trace_core.facts.labels import Status
from trace_core.facts.records import Record
from trace_core.labeling import Labeler, make_labeler
from trace_core.pipeline import evaluate
from trace_core.retrieval.embedding import embedder

HERE = Path(__file__).parent
FILES = [HERE / "cases.jsonl", *(HERE / f"everyday{n}.jsonl" for n in ("", "_second", "_third", "_fourth", "_fifth"))]
QUESTION = "What is said about it?"
ANSWER = "I do not know."
"""Where only relevance is judged, which does not depend on it."""

Judgment = tuple[str, bool, bool]
"""A text, whether it is false (or relevant), and whether it was flagged (or labeled relevant)."""


def main() -> int:
    """Judge every case, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=FILES)
    parser.add_argument("--labeler", default="local")
    parser.add_argument("--failing", action="store_true", help="print what is judged wrongly")
    asked = parser.parse_args()
    labeler = make_labeler(asked.labeler, embedder())
    print("| set | false ones flagged (relevant: precision) | true ones kept (recall) |\n| --- | ---: | ---: |")
    for file in asked.files:
        found = defaultdict(list)
        for line in file.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            for kind, judgment in judged(case, labeler):
                found[f"{file.stem} {kind}".strip()].append(judgment)
                if asked.failing and judgment[1] != judgment[2]:
                    print(f"{kind}: {judgment[0]!r} | {' / '.join(case.get('documents', []))}", file=sys.stderr)
        for kind, rows in found.items():
            print(line_of(kind, rows), flush=True)
    return 0


def judged(case: Mapping[str, Any], labeler: Labeler) -> Iterator[tuple[str, Judgment]]:
    """The judgments of one case, each with the name of its set."""
    question = case.get("question", QUESTION)
    documents = case.get("documents") or [case["document"]]
    name = case.get("set", "")
    if "relevant" in case:
        yield from ((name, one) for one in _relevant(labels(question, documents, ANSWER, labeler), case["relevant"]))
    elif "company" in case:
        company, sentence, truth = case["company"], case["sentence"], not case["supported"]
        yield "", (sentence, truth, flagged(labels(question, documents, sentence, labeler), sentence))
        whole = " ".join([*company[:1], sentence, *company[1:]])
        yield "within an answer", (sentence, truth, flagged(labels(question, documents, whole, labeler), sentence))
    elif isinstance(case.get("sentences"), list):
        record = labels(question, documents, case["answer"] if "answer" in case else case["response"], labeler)
        for text, truth in case["sentences"]:
            if truth != "nothing":
                yield name, (text, truth in (True, "unsupported"), flagged(record, text))
    elif "claim" in case:
        record = labels(question, documents, case["claim"], labeler)
        yield name, (case["claim"], case["contradicts"], flagged(record, case["claim"]))
    elif "flagged" in case:
        record = labels(question, documents, case["answer"], labeler)
        yield name, (case["answer"], case["flagged"], flagged(record, case["answer"]))
    else:  # a language that the labeler may not read
        record = labels(question, documents, case["answer"], labeler)
        yield name, (case["answer"], True, flagged(record, case["answer"]))


def labels(question: str, documents: Sequence[str], answer: str, labeler: Labeler) -> Record:
    """The labeled record."""
    record = evaluate(question, list(documents), answer, labeler=labeler)
    if record.error:
        raise SystemExit(f"not labeled: {answer}: {record.error}")
    return record


def flagged(record: Record, text: str) -> bool:
    """Whether a sentence that the text lies in is not labeled fully supported; a text of no sentence, or that is no
    answer, is.
    """
    if record.labels is None or record.response is None:
        return True
    statuses = record.labels.statuses(record.sentences().response_keys())
    start = record.response.text.find(text)
    spans = [s for s in record.response.sentences if s.start is not None and s.end is not None]
    inside = [s for s in spans if s.start < start + len(text) and s.end > start]
    return not inside or any(statuses[s.key] is not Status.FULLY for s in inside)


def _relevant(record: Record, wanted: Sequence[str]) -> Iterator[Judgment]:
    assert record.labels
    found = record.labels.all_relevant_sentence_keys or []
    for document in record.documents:
        for s in document.sentences:
            yield s.text, s.key in wanted, s.key in found


def line_of(kind: str, rows: Sequence[Judgment]) -> str:
    """One line of the table, in Markdown."""
    if kind.endswith("broad"):
        both = sum(a and b for _, a, b in rows)
        parts = (both, sum(b for *_, b in rows)), (both, sum(a for _, a, _ in rows))
    else:
        false, true = [b for _, a, b in rows if a], [b for _, a, b in rows if not a]
        parts = (sum(false), len(false)), (len(true) - sum(true), len(true))
    return f"| {kind} | " + " | ".join(f"{a} of {n} ({a / n:.0%})" if n else "" for a, n in parts) + " |"


if __name__ == "__main__":
    sys.exit(main())
