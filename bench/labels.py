"""Cases written by hand and never trained on: which labels does a labeler get right?

    python bench/labels.py [FILE …] [--labeler local|gpt] [--failing] [--write]

Without FILE it judges `cases.jsonl` and the five sets of everyday sentences; `contrasts.jsonl`, `rewordings.jsonl` and
`answers.jsonl` are others, and so are the `.json` files of a probe. Prints one line for each set: the share of
false sentences flagged (not fully supported) and of true ones kept; for broad questions precision and recall of the
relevant sentences; in brackets what words in common decide without any model. `--write` writes the figures of all
sentences that are judged alone to `everyday.json`, which the pages show.

A case of a line has `documents`, `question`, and one of: `answer` with `flagged`; `answer` with `sentences`, pairs of a
text and whether it is false; `relevant`, keys of document sentences; `sentence` with `supported` and `company`, true
sentences of the same answer; `document` and `claim` with `contradicts`. Of a probe: `cases`, (kind, true?, sentence);
`segments`, (text, true?, kind); `docs` with `needed` and `optional`, (document, sentence).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from trace_core.facts.labels import Status
from trace_core.facts.records import Document, Record, Response
from trace_core.facts.sentences import letters
from trace_core.labeling import Labeler, make_labeler
from trace_core.labeling.local import FIGURES
from trace_core.models.embedding import embedder
from trace_core.pipeline import label_all
from trace_core.summary.words import words_alone

HERE = Path(__file__).parent
FILES = [HERE / "cases.jsonl", *(HERE / f"everyday{n}.jsonl" for n in ("", "_second", "_third", "_fourth", "_fifth"))]
QUESTION = "What is said about it?"
ANSWER = "I do not know."
"""Where only relevance is judged, which does not depend on it."""


class Case(NamedTuple):
    """What is judged of one labeled record: texts of its answer, false or true, or its relevant sentences.

    `name` is the set; `relevant` and `optional` are keys, the latter neither right nor wrong.
    """

    name: str
    question: str
    documents: tuple[str, ...]
    answer: str
    false: tuple[tuple[str, bool], ...] = ()
    relevant: frozenset[str] | None = None
    optional: frozenset[str] = frozenset()


class Judgment(NamedTuple):
    """A text, whether it is false (or relevant), and whether it was flagged (or labeled relevant)."""

    text: str
    truth: bool
    flagged: bool
    answer: str


def cases(file: Path) -> Iterator[Case]:
    """The cases of a file: of a line each, or of a probe."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".json":
        for row in json.loads(text):
            yield from _probed(file.stem, row)
    else:
        for row in map(json.loads, text.splitlines()):
            yield from _written(file.stem, row)


def _probed(name: str, row: Mapping[str, Any]) -> Iterator[Case]:
    question = row["question"]
    if "docs" in row:
        documents = tuple(" ".join(d) for d in row["docs"])
        needed, optional = (frozenset(f"{d}{letters(s)}" for d, s in row[key]) for key in ("needed", "optional"))
        yield Case(f"{name} broad", question, documents, ANSWER, relevant=needed, optional=optional)
    elif "segments" in row:
        false = tuple((text.strip(), not true) for text, true, _ in row["segments"])
        other = " (not English)" if row["name"].startswith(("German", "French")) else ""
        answer = "".join(text for text, *_ in row["segments"])
        yield Case(f"{name}{other}", question, tuple(row["documents"]), answer, false)
    else:
        for _, true, sentence in row["cases"]:
            yield Case(name, question, tuple(row["documents"]), sentence, ((sentence, not true),))


def _written(name: str, row: Mapping[str, Any]) -> Iterator[Case]:
    question, documents = row.get("question", QUESTION), tuple(row.get("documents") or [row["document"]])
    own = f"{name} {row.get('set', '')}".strip()
    if "relevant" in row:
        yield Case(own, question, documents, ANSWER, relevant=frozenset(row["relevant"]))
    elif "company" in row:
        company, sentence = row["company"], row["sentence"]
        false = ((sentence, not row["supported"]),)
        yield Case(name, question, documents, sentence, false)
        yield Case(
            f"{name} within an answer", question, documents, " ".join([*company[:1], sentence, *company[1:]]), false
        )
    elif isinstance(row.get("sentences"), list):
        answer = row["answer"] if "answer" in row else row["response"]
        judged = [(text, truth in (True, "unsupported")) for text, truth in row["sentences"] if truth != "nothing"]
        yield Case(own, question, documents, answer, tuple(judged))
    elif "claim" in row:
        yield Case(own, question, documents, row["claim"], ((row["claim"], row["contradicts"]),))
    else:  # without `flagged`: a language that the labeler may not read
        yield Case(own, question, documents, row["answer"], ((row["answer"], row.get("flagged", True)),))


def judged(every: Sequence[Case], labeler: Labeler) -> dict[str, list[list[Judgment]]]:
    """Set → the judgments of each of its cases."""
    distinct = list(dict.fromkeys((c.question, c.documents, c.answer) for c in every))
    records = [
        Record(
            id=str(i),
            question=question,
            documents=[Document(id=str(k), rank=k + 1, text=text) for k, text in enumerate(documents)],
            response=Response(text=answer),
        )
        for i, (question, documents, answer) in enumerate(distinct)
    ]
    labeled = dict(zip(distinct, label_all(records, labeler), strict=True))
    found = defaultdict(list)
    for case in every:
        record = labeled[case.question, case.documents, case.answer]
        if record.error:
            raise SystemExit(f"not labeled: {case.answer}: {record.error}")
        if case.relevant is None:
            found[case.name].append([Judgment(t, f, flagged(record, t), case.answer) for t, f in case.false])
        else:
            found[case.name].append(list(_relevant(record, case)))
    return found


def flagged(record: Record, text: str) -> bool:
    """Whether a sentence that the text lies in is not labeled fully supported; a text of no sentence, or that is no
    answer, is.
    """
    if record.labels is None or record.response is None:
        return True
    statuses = record.labels.statuses(record.sentences().response_keys())
    start = record.response.text.find(text)
    inside = [s for s in record.response.sentences if (s.start or 0) < start + len(text) and (s.end or 0) > start]
    return not inside or any(statuses[s.key] is not Status.FULLY for s in inside)


def _relevant(record: Record, case: Case) -> Iterator[Judgment]:
    assert record.labels
    found = record.labels.all_relevant_sentence_keys or []
    for document in record.documents:
        for s in document.sentences:
            if s.key not in case.optional:
                yield Judgment(s.text, s.key in (case.relevant or ()), s.key in found, case.question)


def parts(kind: str, rows: Sequence[Sequence[Judgment]]) -> list[tuple[int, int]]:
    """False ones flagged of all, and true ones kept; of broad questions precision, recall, and how many find none."""
    flat = [one for of_case in rows for one in of_case]
    if kind.endswith("broad"):
        both, empty = sum(j.truth and j.flagged for j in flat), sum(not any(j.flagged for j in r) for r in rows)
        found, wanted = sum(j.flagged for j in flat), sum(j.truth for j in flat)
        return [(both, found), (both, wanted), (empty, len(rows))]
    false, true = [j.flagged for j in flat if j.truth], [j.flagged for j in flat if not j.truth]
    return [(sum(false), len(false)), (len(true) - sum(true), len(true))]


def line_of(kind: str, rows: Sequence[Sequence[Judgment]], words: Sequence[Sequence[Judgment]]) -> str:
    """One line of the table, in Markdown."""
    shares = [
        f"{a} of {n} ({a / n:.0%}; words {b / m if m else 0:.0%})" if n else ""
        for (a, n), (b, m) in zip(parts(kind, rows), parts(kind, words), strict=True)
    ]
    if len(shares) > 2:
        shares[1] += f", none found for {parts(kind, rows)[2][0]} of {len(rows)}"
    return f"| {kind} | " + " | ".join(shares[:2]) + " |"


def figures(version: str, alone: Sequence[Judgment], sets: Sequence[str]) -> dict[str, Any]:
    """What the pages show of sentences judged alone."""
    false, true = [j.flagged for j in alone if j.truth], [j.flagged for j in alone if not j.truth]
    return {
        "labeler_version": version,
        "sets": list(sets),
        "false_sentences": len(false),
        "passed": len(false) - sum(false),
        "true_sentences": len(true),
        "kept": len(true) - sum(true),
        "false_flagged_per_hundred": round(100 * sum(false) / len(false)),
        "true_kept_per_hundred": round(100 * (1 - sum(true) / len(true))),
    }


def main() -> int:
    """Judge every case, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*", default=FILES)
    parser.add_argument("--labeler", default="local")
    parser.add_argument("--failing", action="store_true", help="print what is judged wrongly")
    parser.add_argument("--write", action="store_true", help=f"write {FIGURES.name}")
    asked = parser.parse_args()
    labeler, words = make_labeler(asked.labeler, embedder()), words_alone()
    alone: list[Judgment] = []
    print("| set | false ones flagged (relevant: precision) | true ones kept (recall) |\n| --- | ---: | ---: |")
    for file in asked.files:
        every = list(cases(file))
        beside = judged(every, words)
        for kind, rows in judged(every, labeler).items():
            print(line_of(kind, rows, beside[kind]), flush=True)
            flat = [one for of_case in rows for one in of_case]
            alone += [one for one in flat if kind == file.stem and file.stem.startswith("everyday")]
            for one in flat if asked.failing else ():
                if one.truth != one.flagged:
                    print(f"{kind}: {'missed' if one.truth else 'wrong'}: {one.text!r} | {one.answer}", file=sys.stderr)
    if asked.write:
        sets = [file.stem for file in asked.files if file.stem.startswith("everyday")]
        FIGURES.write_text(json.dumps(figures(labeler.version, alone, sets), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
