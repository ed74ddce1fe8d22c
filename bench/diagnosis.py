"""Whether the first diagnosis is the injected fault: RAGBench's validation rows with faults injected.

    python bench/diagnosis.py path/to/ragbench                  recorded labels, every healthy row
    python bench/diagnosis.py path/to/ragbench --local 40       and the local labeler on 40 seeded rows per fault
    python bench/diagnosis.py                                   the whole answers of `verdicts*.jsonl` alone, by both

Markdown goes to standard output; docs/diagnosis.md contains it. The faults are defined in `bench/faults`.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

from faults.rows import FAULTS, Row, healthy
from ragbench import records, subject

from trace_core.diagnosis.faults import FAULTS as DIAGNOSES
from trace_core.diagnosis.rescoring import rescore
from trace_core.diagnosis.verdict import examine
from trace_core.facts.labels import Labels, Support
from trace_core.facts.records import Document, Record, Response
from trace_core.facts.sentences import Sentence, letters
from trace_core.labeling import make_labeler
from trace_core.metrics import score
from trace_core.models.embedding import embedder
from trace_core.pipeline import label_all

SEED = 7
OTHERS = 30
"""Rows of the same file that provide sentences or names of other answers."""
ANSWERS = {
    "Whole answers": Path(__file__).with_name("verdicts.jsonl"),
    "Whole answers, written without sight of the code": Path(__file__).with_name("verdicts_blind.jsonl"),
}
UNSURE = "unsure"
FALSE = ("contradicted", "unsupported")
Made = dict[str, list[Record]]
"""Fault → the rows with it."""


def rows(folder: Path) -> list[Row]:
    """The healthy rows of the validation files, each with others to take from; deterministic."""
    files = {file.stem: records(file) for file in sorted(folder.glob("*_validation.jsonl"))}
    rng = random.Random(SEED)
    found = []
    for name, own in files.items():
        elsewhere = [r for other, rs in files.items() if subject(other) != subject(name) for r in rs if r.documents]
        for record in own:
            if healthy(record):
                texts = {d.text for d in record.documents}
                apart = [o for o in own if o.question != record.question and not texts & {d.text for d in o.documents}]
                found.append(Row(record, elsewhere, rng.sample(apart, min(OTHERS, len(apart)))))
    return found


def with_faults(found: Sequence[Row]) -> Made:
    """Every fault in every row where it is possible."""
    made: Made = {}
    for name, (_, fault) in FAULTS.items():
        rng = random.Random(f"{SEED} {name}")
        made[name] = [record for row in found if (record := fault(row, rng)) is not None]
    return made


def drawn(made: Made, most: int) -> Made:
    """Rows of each fault, up to a limit, drawn by their questions: a row more or less elsewhere changes no draw."""
    by_question = {
        name: sorted(each, key=lambda r: crc32(f"{SEED} {r.question} {r.id}".encode())) for name, each in made.items()
    }
    return {name: each[:most] for name, each in by_question.items()}


def labeled(made: Made) -> Made:
    """The rows with the local labeler's labels."""
    labeler = make_labeler("local", embedder())
    bare = {name: [r.model_copy(update={"labels": None}) for r in each] for name, each in made.items()}
    return {name: list(label_all(each, labeler)) for name, each in bare.items()}


def confusion(made: Made) -> dict[str, Counter[str]]:
    """Fault → how often each verdict was given, and how many faults were named and unsure."""
    found: dict[str, Counter[str]] = {}
    for name, each in made.items():
        verdicts = [examine(r, score(r.labels, r.sentences())).verdict for r in each]
        found[name] = Counter(verdict.name for verdict in verdicts)
        found[name][UNSURE] = sum(v.confidence == "unsure" and v.name != "healthy" for v in verdicts)
    return found


def page(title: str, found: dict[str, Counter[str]], *, certified: bool = True) -> str:
    """A confusion matrix and its totals, in Markdown."""
    columns = [name for name in (*DIAGNOSES, UNSURE) if any(counted[name] for counted in found.values())]
    head = ["what was done", "n", "right", *columns]
    lines = ["| " + " | ".join(head) + " |", "| --- " + "| ---: " * (len(head) - 1) + "|"]
    right, total, shown = 0, 0, 0.0
    for name, counted in found.items():
        wanted, n = FAULTS[name][0], counted.total() - counted[UNSURE]
        if wanted == "refused" and not certified:  # rightly or wrongly, the local model cannot tell
            wanted = "declined"
        cells = [f"**{counted[c]}**" if c == wanted else str(counted[c] or "") for c in columns]
        lines.append(f"| {name} | {n} | {counted[wanted] / n:.1%} | " + " | ".join(cells) + " |")
        if wanted != "healthy":
            right, total, shown = right + counted[wanted], total + n, shown + counted[wanted] / n
    calm = found["untouched"]
    n = calm.total() - calm[UNSURE]
    alarms = 1 - (calm["healthy"] + calm[UNSURE]) / n
    return (
        f"## {title}\n\n" + "\n".join(lines) + f"\n\nFirst diagnosis right: **{right / total:.1%}** of {total:,} rows "
        f"with a fault, {shown / (len(found) - 1):.1%} as the mean of the faults. "
        f"Alarm on untouched healthy rows: **{alarms:.1%}** of {n:,}, and {calm[UNSURE] / n:.1%} are grey (unsure).\n"
    )


def main() -> int:
    """Print the page."""
    if len(sys.argv) not in (1, 2, 4):
        print(__doc__, file=sys.stderr)
        return 2
    for title, file in ANSWERS.items():
        print(answers_page(title, file))
    if len(sys.argv) == 1:
        return 0
    made = with_faults(rows(Path(sys.argv[1])))
    print(page("Recorded labels", confusion(made)))
    if len(sys.argv) == 4:
        few = drawn(made, int(sys.argv[3]))
        told = f"The local labeler, at most {sys.argv[3]} rows a fault"
        labeled_rows = labeled(few)
        print(page(told, confusion(labeled_rows), certified=False))
    return 0


def whole_answer(case: dict[str, Any]) -> Record:
    """A whole answer with its documents, sentence by sentence, and its recorded labels."""
    documents = [
        Document(id=str(i), rank=i + 1, text=" ".join(texts), sentences=_sentences(texts, str(i)))
        for i, texts in enumerate(case["documents"])
    ]
    response = Response(text=" ".join(case["response"]), sentences=_sentences(case["response"]))
    entries = []
    for mark in case["support"].split():
        key, sign, named = mark[0], mark[1], mark[2:].split(",") if mark[2:] else []
        keys = {"supporting_sentence_keys" if sign == "+" else "contradicting_sentence_keys": named}
        entries.append(Support(response_sentence_key=key, fully_supported=sign == "+", **keys))
    labels = Labels(
        all_relevant_sentence_keys=case["relevant"].split(),
        all_utilized_sentence_keys=case["utilized"].split(),
        sentence_support_information=entries,
    )
    return Record(id="1", question=case["question"], documents=documents, response=response, labels=labels)


def _sentences(texts: Sequence[str], prefix: str = "") -> list[Sentence]:
    return [Sentence(f"{prefix}{letters(i)}", text, None, None) for i, text in enumerate(texts)]


def answers_page(title: str, file: Path) -> str:
    """The share of whole answers with the right verdict and, where it is about a sentence, the right one, by kind."""
    cases = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    by_labels = [whole_answer(case) for case in cases]
    by_model = label_all([r.model_copy(update={"labels": None}) for r in by_labels], make_labeler("local", embedder()))
    right: dict[str, Counter[str]] = {}
    for case, *pair in zip(cases, by_labels, by_model, strict=True):
        counts = right.setdefault(case["kind"], Counter())
        counts["n"] += 1
        for who, record in zip(("recorded", "local"), pair, strict=True):
            verdict = rescore(record, "trace").verdict
            assert verdict
            counts[who] += int(_is_right(verdict.name, case["status"], certified=who == "recorded"))
            counts[f"{who}, named"] += int(verdict.sentence == case.get("about", verdict.sentence))
            counts[f"{who}, unsure"] += int(verdict.confidence == "unsure")
    columns = [f"{who}{what}" for who in ("recorded", "local") for what in ("", ", named", ", unsure")]
    lines = ["| answer | n | " + " | ".join(columns) + " |", "| --- " + "| ---: " * (len(columns) + 1) + "|"]
    for kind, counts in [*right.items(), ("all", sum(right.values(), Counter()))]:
        lines.append(f"| {kind} | {counts['n']} | " + " | ".join(str(counts[c]) for c in columns) + " |")
    return f"## {title}\n\n" + "\n".join(lines) + "\n"


def _is_right(name: str, wanted: str, *, certified: bool) -> bool:
    """Whether the verdict is the right one; the local model may call a contradicted claim unsupported, and a refusal it
    can only call declined.
    """
    if certified:
        return name == wanted
    return name == ("declined" if wanted == "refused" else wanted) or (name in FALSE and wanted in FALSE)


if __name__ == "__main__":
    sys.exit(main())
