"""Fit the decisions over the reader, and write `local.json` that ships.

    python bench/train_labeler.py DATA --kept FOLDER [--reader FILE] [--out FILE]

DATA holds `entailment/` and `ragbench/`; files named `*_test` are never opened. Whether a sentence is supported is
learned from statements that people and models wrote freely (`NATURAL`) and from edits (`EDITS`), every source with the
same weight and half of it true; nothing that the reader learned from, but for RAGBench's documents. What is relevant is
learned from RAGBench's validation rows and from written chunks, what supports what from RAGBench alone. Prints how each
source is judged by a fit on the others, with words alone beside it. Lines for the expected scores come last, each
fitted to validation rows under these decisions; `--lines` fits them alone, under the decisions that ship.
`--kept` keeps vectors and readings between runs. The same files give the same weights. Needs scikit-learn; minutes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from ragbench import Kept, records, training_files
from reader.answers import FILE as ANSWERS
from reader.pairs import NATURAL as FREE
from reader.pairs import (
    PUBLIC_HELD_EVERY,
    Chunk,
    Passage,
    chunks,
    chunks_kept_back,
    is_held,
    kept_back,
    passages,
    public_rows,
)
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from trace_core.facts.labels import Labels, Status
from trace_core.facts.records import Record, Sentences
from trace_core.labeling.local.decision import EXPECTED, FILE, LIMIT, WORDS, Decision, judge, packaged_decisions
from trace_core.labeling.local.evidence import (
    Evidence,
    Sample,
    pair_columns,
    relevance_columns,
    support_columns,
    word_columns,
)
from trace_core.labeling.local.labeler import expected_columns, reply_of
from trace_core.labeling.local.reader import WEIGHTS, PackagedReader
from trace_core.metrics.expected import expected_scores

SEED = 7
STRENGTH = 0.1
"""Inverse regularization strength of every regression."""
MOST = 700
"""Statements of one source."""
WRITTEN_ANEW = "*[a-z][a-z][a-z]*"
"""The files of passages with near copies and rewordings, half of them true."""
NATURAL = ("begin", "fever", "fool_me_twice", "wice", "ragbench")
EDITS = ("summedits", "written", "written anew")
WORDS_TOO = "cover document"
"""Of the columns of words the one that stands beside the reader's in the decision: the others do not pay on any source
left out, and cost near copies.
"""
LINES = {
    "context_utilization": ("utilized", "relevant"),
    "completeness": ("share",),
    "adherence": ("doubt", "match"),
}
"""What each expected score's line goes by; no columns paid that are not here."""
ADHERENT = 30
"""How many of a file's adherent rows stand for all of them in the lines."""
NEAREST, NEAR_SHARE = 11, 0.6
"""Of how many nearest chunks the others are drawn, and for what share of the questions."""

Array = NDArray[np.float64]
Columns = Mapping[str, Array]


class Statement(NamedTuple):
    """A sentence of a record's response: where it comes from, its place, and whether it is false."""

    source: str
    item: Sample
    row: int
    false: bool


def of_public(name: str, data: Path, rng: random.Random) -> Iterator[Statement]:
    """Held-out pairs of a public set, the premise beside up to three others."""
    rows = [row for row in public_rows(data / f"{name}.jsonl.gz") if is_held(row["premise"], PUBLIC_HELD_EVERY)]
    others = [row["premise"] for row in rows]
    for row in rng.sample(rows, min(MOST, len(rows))):
        documents = rng.sample(others, min(rng.randrange(4), len(others)))
        documents.insert(rng.randint(0, len(documents)), row["premise"])
        sentences = Sentences.split(documents, row["hypothesis"])
        if len(sentences.response) == 1:
            yield Statement(name, ("", sentences), 0, row["label"] != "entailment")


def of_passages(name: str, held: Sequence[Passage], others: Sequence[Passage], rng: random.Random) -> list[Statement]:
    """Statements about held-out passages, each beside up to three others; half of them among other true ones."""
    said = [
        (passage, text, false)
        for passage in held
        for false, texts in ((False, passage.entailed), (True, [*passage.contradicted, *passage.open]))
        for text in texts
    ]
    found = []
    for passage, text, false in rng.sample(said, min(2 * MOST, len(said))):
        documents = [" ".join(rng.choice(others).sentences) for _ in range(rng.randrange(4))]
        documents.insert(rng.randint(0, len(documents)), " ".join(passage.sentences))
        company = [s for s in rng.sample(passage.entailed, min(2, len(passage.entailed))) if s != text]
        answer = [*company[:1], text, *company[1:]] if rng.random() < 0.5 else [text]
        sentences = Sentences.split(documents, " ".join(answer))
        if len(sentences.response) == len(answer):
            found.append(Statement(name, (passage.question, sentences), answer.index(text), false))
    return found


def of_records(rows: Sequence[Record], rng: random.Random) -> list[Statement]:
    """Sentences of RAGBench's answers: every one that GPT-4 calls unsupported, and as many supported ones at most."""
    found = []
    for record in rows:
        keys = record.sentences().response_keys()
        for row, status in enumerate((record.labels.statuses(keys) if record.labels else {}).values()):
            if status in (Status.FULLY, Status.UNSUPPORTED):
                item = (record.question, record.sentences())
                found.append(Statement("ragbench", item, row, status is Status.UNSUPPORTED))
    false, true = [s for s in found if s.false], [s for s in found if not s.false]
    return [*false, *rng.sample(true, min(max(MOST, len(false)), len(true)))]


def statements(data: Path, rows: Sequence[Record]) -> list[Statement]:
    """Every statement to fit on, of all sources."""
    rng = random.Random(SEED)
    held, anew = kept_back(passages())[0], kept_back(passages(WRITTEN_ANEW))[0]
    older = [p for p in held if p not in anew]
    return [
        *(s for name in FREE for s in of_public(name, data / "entailment", rng)),
        *of_passages("written", older, held, rng),
        *of_passages("written anew", anew, held, rng),
        *of_records(rows, rng),
    ]


class Set(NamedTuple):
    """Statements as numbers: k names of sources, columns, and whether each is false."""

    source: NDArray[np.str_]
    columns: Columns
    words: Columns
    false: Array

    def part(self, keep: NDArray[np.bool_]) -> Set:
        """The statements of the places to keep."""
        columns, words = ({n: v[keep] for n, v in one.items()} for one in (self.columns, self.words))
        return Set(self.source[keep], columns, words, self.false[keep])


def read(every: Sequence[Statement], kept: Kept) -> Set:
    """The columns of every statement that a decision is asked about: copies and what claims nothing are none."""
    items = [s.item for s in every]
    gathered = zip(every, kept.gather(items, asks=False), strict=True)
    asked = [(s, e) for s, e in gathered if e.claims[s.row] and e.sources[s.row] is None]
    places = [s.row for s, _ in asked]
    return Set(
        np.array([s.source for s, _ in asked]),
        _beside_words(joined([support_columns(e) for _, e in asked], places)),
        joined([word_columns(e.c) for _, e in asked], places),
        np.array([s.false for s, _ in asked], dtype=float),
    )


def _beside_words(columns: Columns) -> Columns:
    return {n: v for n, v in columns.items() if n.startswith(("entails", "contradicts")) or n == WORDS_TOO}


def joined(columns: Sequence[Columns], places: Sequence[int] | None = None) -> dict[str, Array]:
    """Columns of several records one after the other: all values, or the one in each record's place."""
    if places is not None:
        return {n: np.array([one[n][i] for one, i in zip(columns, places, strict=True)]) for n in columns[0]}
    return {name: np.concatenate([np.ravel(one[name]) for one in columns]) for name in columns[0]}


def labels_of(record: Record) -> Labels:
    """The labels of a row that has some."""
    assert record.labels
    return record.labels


def true_scores(record: Record) -> Mapping[str, float | None]:
    """The released scores of a row, which all rows here have."""
    assert record.ground_truth
    return record.ground_truth.scores


def balance(source: NDArray[np.str_], false: Array) -> Array:
    """Weights of mean 1 under which every source counts the same, and in each what is false as much as what is true."""
    names, counts = np.unique([f"{s} {t}" for s, t in zip(source, false, strict=True)], return_counts=True)
    weight = dict(zip(names, 1 / counts, strict=True))
    weights = np.array([weight[f"{s} {t}"] for s, t in zip(source, false, strict=True)])
    mean: float = weights.mean()
    return np.asarray(weights / mean, dtype=np.float64)


def fit(columns: Columns, truth: Array, weights: Array) -> Decision:
    """A regularized logistic regression over standardized columns."""
    values = np.stack([columns[name] for name in columns], axis=-1).astype(np.float64)
    spread = values.std(axis=0)
    mean, scale = values.mean(axis=0), np.where(spread > 1e-6, spread, 1.0)
    model = LogisticRegression(C=STRENGTH, max_iter=1000)
    model.fit(np.clip((values - mean) / scale, -LIMIT, LIMIT), truth, sample_weight=weights)
    return Decision(tuple(columns), mean, scale, np.ravel(model.coef_), float(np.ravel(model.intercept_)[0]))


def report(every: Set) -> Iterator[str]:
    """How each source is judged by a fit on the others, beside words alone."""
    yield "| source left out | statements | AUROC (words) | false flagged (words) | true kept (words) |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    for name in (*NATURAL, *EDITS):
        here, there = every.part(every.source == name), every.part(every.source != name)
        if len(np.unique(here.false)) < 2:
            continue
        weights, cells = balance(there.source, there.false), []
        for side in ("columns", "words"):
            p = fit(getattr(there, side), there.false, weights).probability(getattr(here, side))
            cells.append(
                (roc_auc_score(here.false, p), (p[here.false == 1] >= 0.5).mean(), (p[here.false == 0] < 0.5).mean())
            )
        (auroc, flagged, true), (a, b, c) = cells
        yield f"| {name} | {len(here.false)} | {auroc:.3f} ({a:.3f}) | {flagged:.0%} ({b:.0%}) | {true:.0%} ({c:.0%}) |"


def asked_of_chunks(kept: Kept) -> list[tuple[Evidence, Array]]:
    """Questions about the held-out chunks, each chunk among none to four others, and the truth of n sentences."""
    rng = random.Random(SEED)
    every = chunks_kept_back(chunks())[0]
    vectors = kept.embed([" ".join(chunk.sentences) for chunk in every])
    asked = [(at, *one) for at, chunk in enumerate(every) for one in chunk.questions]
    found: list[tuple[Sample, Array]] = []
    for at, question, helping in rng.sample(asked, min(MOST, len(asked))):
        chunk = every[at]
        together = [every[i] for i in _others(at, vectors @ kept.embed([question])[0], rng)]
        together = [other for other in together if other.sentences != chunk.sentences]
        together.insert(rng.randint(0, len(together)), chunk)
        if (sentences := _of_chunks(together)) is not None:
            marked = [c is chunk and i in helping for c in together for i in range(len(c.sentences))]
            found.append(((question, sentences), np.array(marked, dtype=float)))
    return list(zip(kept.gather([item for item, _ in found]), (marked for _, marked in found), strict=True))


def _others(at: int, near: Array, rng: random.Random) -> list[int]:
    """None to four other chunks: of the eleven nearest to the question, as a retriever returns them, or of all."""
    others = [int(i) for i in np.argsort(-near) if i != at]
    return rng.sample(others[:NEAREST] if rng.random() < NEAR_SHARE else others, rng.randrange(5))


def _of_chunks(together: Sequence[Chunk]) -> Sentences | None:
    """The chunks as documents; `None` where they are not split as they were written."""
    sentences = Sentences.split([" ".join(c.sentences) for c in together], "")
    same = all(len(d) == len(c.sentences) for d, c in zip(sentences.documents, together, strict=True))
    return sentences if same else None


def relevant(
    rows: Sequence[Record], of_rows: Sequence[Evidence], asked: Sequence[tuple[Evidence, Array]]
) -> dict[str, Decision]:
    """What GPT-4 calls relevant, generously, and what was written as relevant, strictly: half and half."""
    columns = joined([relevance_columns(e.c, e.answers) for e in (*of_rows, *(e for e, _ in asked))])
    generous = [np.isin(r.sentences().document_keys(), labels_of(r).all_relevant_sentence_keys or []) for r in rows]
    truth = np.concatenate([*(one.astype(float) for one in generous), *(marked for _, marked in asked)])
    first = sum(map(len, generous))
    weights = np.where(np.arange(len(truth)) < first, 1 / max(first, 1), 1 / max(len(truth) - first, 1))
    weights /= weights.mean()
    return {"relevant": fit(columns, truth, weights), f"{WORDS}relevant": fit(_of_words(columns), truth, weights)}


def _of_words(columns: Columns) -> Columns:
    return {name: columns[name] for name in ("cover", "sentences")}


def supports(rows: Sequence[Record], of_rows: Sequence[Evidence]) -> dict[str, Decision]:
    """What GPT-4 names as support."""
    truth = []
    for record in rows:
        named = {
            s.response_sentence_key: s.supporting_sentence_keys
            for s in labels_of(record).sentence_support_information or ()
        }
        keys = record.sentences().document_keys()
        truth.append([np.isin(keys, named.get(k, [])) for k in record.sentences().response_keys()])
    columns = joined([pair_columns(e) for e in of_rows])
    flat = np.concatenate([np.ravel(one) for one in truth]).astype(float)
    same = np.ones(len(flat))
    return {"supports": fit(columns, flat, same), f"{WORDS}supports": fit(_of_words(columns), flat, same)}


def to_json(model: Decision) -> dict[str, Any]:
    """The bias, and the mean, scale and weight of each column."""
    parts = zip(model.columns, model.mean, model.scale, model.weight, strict=True)
    columns = {column: [float(f"{value:.6g}") for value in values] for column, *values in parts}
    return {"bias": round(model.bias, 6), "columns": columns}


class Scores(NamedTuple):
    """What the expected scores of k rows go by: names of files, columns, true scores, and how many rows each row
    stands for.
    """

    file: NDArray[np.str_]
    columns: Columns
    truth: Columns
    weights: Array


def scores(files: Mapping[str, Sequence[Record]], kept: Kept, decisions: Mapping[str, Decision]) -> Scores:
    """All rows of a file that are not adherent, and the first ones that are, which stand for all of these."""
    rows: list[tuple[str, Record, float]] = []
    for name, every in files.items():
        for truth, most in ((0, len(every)), (1, ADHERENT)):
            side = [r for r in every if true_scores(r)["adherence"] == truth]
            rows += [(name, r, len(side) / min(most, len(side))) for r in side[:most]]
    columns = []
    for e, (_, r, _) in zip(kept.gather([(r.question, r.sentences()) for _, r, _ in rows]), rows, strict=True):
        judgment = judge(e, decisions)
        probabilities = reply_of(r.sentences(), judgment, {}).probabilities
        assert probabilities
        columns.append(expected_columns(judgment, probabilities, r.sentences()))
    return Scores(
        np.array([name for name, _, _ in rows]),
        {name: np.array([one[name] for one in columns]) for name in columns[0]},
        {name: np.array([true_scores(r)[name] for _, r, _ in rows]) for name in LINES},
        np.array([weight for *_, weight in rows]),
    )


def line(name: str, of: Scores, rows: NDArray[np.bool_]) -> Decision:
    """The logistic line to a score of these rows, each of which is true by its score and false by the rest of it.

    Like the decision about a sentence, that about adherence is balanced: half of every file counts as adherent.
    """
    columns = {column: np.tile(of.columns[column][rows], 2) for column in LINES[name]}
    share = of.truth[name][rows]
    weights = balance(of.file[rows], share) if name == "adherence" else of.weights[rows]
    both = np.concatenate([weights * share, weights * (1 - share)])
    return fit(columns, np.repeat([1.0, 0.0], len(share)), both / weights.mean())


def lines_report(of: Scores) -> Iterator[str]:
    """How each file's scores are judged by lines fitted to the others: adherence by AUROC, the others by RMSE."""
    names = np.unique(of.file)
    yield f"\n| line (arithmetic) | {' | '.join(names)} |\n| --- |{' ---: |' * len(names)}"
    for name in LINES:
        cells = []
        for file in names:
            here, weights = of.file == file, of.weights[of.file == file]
            columns = {column: values[here] for column, values in of.columns.items()}
            truth = of.truth[name][here]
            plain = [
                getattr(expected_scores(dict(zip(columns, one, strict=True))), name)
                for one in zip(*columns.values(), strict=True)
            ]
            pair = [
                roc_auc_score(truth, score, sample_weight=weights)
                if name == "adherence"
                else np.sqrt(np.average((score - truth) ** 2, weights=weights))
                for score in (line(name, of, ~here).probability(columns), np.array(plain))
            ]
            cells.append(f"{pair[0]:.3f} ({pair[1]:.3f})")
        yield f"| {name} | {' | '.join(cells)} |"


def usable_rows(folder: Path) -> dict[str, list[Record]]:
    """RAGBench's validation file → its rows that have labels and a sentence on both sides."""
    files = {}
    for file in training_files(folder):
        if file.stem != ANSWERS:
            rows = [r for r in records(file) if r.labels and r.sentences().response and any(r.sentences().documents)]
            files[file.stem] = [r for r in rows if labels_of(r).sentence_support_information is not None]
    return files


def main() -> int:
    """Fit, print the report, write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--kept", type=Path, help="keep vectors and readings in this folder")
    parser.add_argument("--reader", type=Path, default=WEIGHTS, help="the reader's weights, by default those that ship")
    parser.add_argument("--out", type=Path, default=FILE)
    parser.add_argument("--most", type=int, default=100, help="rows of each of RAGBench's files, by default 100")
    parser.add_argument("--lines", action="store_true", help="fit only the lines, under the decisions that ship")
    options = parser.parse_args()
    kept = Kept(options.kept, PackagedReader(options.reader))
    files = usable_rows(options.data / "ragbench")
    decisions = {name: one for name, one in packaged_decisions().items() if not name.startswith(EXPECTED)}
    if not options.lines:
        decisions = fit_decisions(options.data, [r for every in files.values() for r in every[: options.most]], kept)
    of = scores(files, kept, decisions)
    kept.keep()
    print("\n".join(lines_report(of)))
    decisions |= {f"{EXPECTED}{name}": line(name, of, of.weights > 0) for name in LINES}
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(to_json(model))}" for name, model in decisions.items())
    options.out.write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
    return 0


def fit_decisions(data: Path, rows: Sequence[Record], kept: Kept) -> dict[str, Decision]:
    """Every decision but the lines; prints how each source is judged."""
    every = read(statements(data, rows), kept)
    kept.keep()
    print("\n".join(report(every)), flush=True)
    of_rows = kept.gather([(r.question, r.sentences()) for r in rows])
    kept.keep()
    weights = balance(every.source, every.false)
    decisions = {
        "unsupported": fit(every.columns, every.false, weights),
        f"{WORDS}unsupported": fit(every.words, every.false, weights),
        **relevant(rows, of_rows, asked_of_chunks(kept)),
        **supports(rows, of_rows),
    }
    kept.keep()
    return decisions


if __name__ == "__main__":
    sys.exit(main())
