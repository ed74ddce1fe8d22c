"""Train the models over the outputs of reader and embedding model, and write the weights that ship.

    python bench/train_labeler.py path/to/ragbench --kept FOLDER

RAGBench's validation files teach what a judge calls relevant, utilized and supported; hand-written
passages that the reader was not trained on teach what is true. Files named `*_test` are never opened.
`--kept` caches vectors and reader outputs between runs. The same files give the same weights. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from fits import SEED, Array, Columns, balance, fit_logistic, fit_ridge, fit_trees, to_json
from ragbench import Kept, records, subject, training_files
from reader.answers import FILE as ANSWERS
from reader.pairs import Chunk, Passage, chunks, chunks_kept_back, kept_back, passages

from trace_core.facts.labels import Status
from trace_core.facts.records import Record, Sentences
from trace_core.labeling.local.columns import (
    document_columns,
    pair_columns,
    question_columns,
    record_columns,
    relevance_columns,
    response_columns,
)
from trace_core.labeling.local.evidence import Evidence, Item
from trace_core.labeling.local.models import FILE, Linear, Models

C_DOCUMENT, C_RESPONSE, C_PAIR, C_RECORD = 0.001, 0.01, 0.01, 0.001
"""Inverse regularization strength of the logistic models, chosen by leaving subjects out."""
NEAREST, NEAR_SHARE = 11, 0.6
"""Of how many nearest chunks the others are drawn, and for what share of the questions."""
WRITTEN_SHARE, CHUNKS_SHARE = 5.0, 6.0
"""The total weight of all sentences about written passages, and of those of written chunks, relative to RAGBench's."""
RELEVANT_TREES, SUPPORT_TREES = 240, 120
UTILIZED = (
    "answers",
    "answers below best",
    "question cos",
    "answer cos",
    "answer cos below best",
    "answer match",
    "answer match below best",
    "answer covered",
    "answer mean cos",
    "answer share",
    "answer share sum",
    "answer whole cos",
    "read alone",
    "read together",
    "place",
    "length",
    "short",
)
"""Of the question's columns those that also tell what is utilized."""
THRESHOLDS = {
    "relevant": 0.5,
    "relevant at all": 0.35,
    "share of best": 0.4,
    "utilized": 0.3,
    "supports": 0.25,
    "best support": 0.35,
    "unsupported": 0.57,
    "contradicts": 0.0,
    "partly": -2.0,
}
"""Chosen on held-out subjects and passages."""

RECORD_COLUMNS = {
    "context_relevance": (
        "relevant mean",
        "relevant mean logit",
        "relevant square",
        "sentences",
        "question best",
    ),
    "context_utilization": (
        "utilized mean",
        "utilized mean logit",
        "utilized square",
        "sentences",
        "answer refuses",
    ),
    "completeness": (
        "utilized of relevant",
        "product of relevant",
        "both of relevant",
        "relevant beyond",
        "answer refuses",
        "relevant mean",
        "utilized mean",
        "utilized mean logit",
        "relevant mean logit",
        "utilized best",
        "sentences",
        "answer words",
        "answer sentences",
        "unsupported most",
        "answer cos",
        "documents",
    ),
    "hallucination": (
        "unsupported most",
        "unsupported mean",
        "unsupported any",
        "unsupported two",
        "answer refuses",
        "answer sentences",
        "answer words",
        "question best",
        "answer cos",
        "answer cover",
        "utilized best",
        "utilized mean",
    ),
}


@dataclass
class Row:
    """One record, its features, and its labels."""

    record: Record
    file: str
    e: Evidence
    questions: Columns
    documents: Columns
    answers: Columns
    relevant: Array
    utilized: Array
    unsupported: Array
    supports: Array
    scores: Array

    @property
    def subject(self) -> str:
        """emanual_train → emanual."""
        return subject(self.file)


@dataclass
class Written:
    """One sentence about a written passage: its columns, and whether the passage supports it."""

    passage: str
    kind: str
    columns: dict[str, float]


def read_rows(found: Sequence[Record], file: str, kept: Kept) -> list[Row]:
    """Columns and truth of a file's records that have a sentence on both sides."""
    usable = [r for r in found if r.labels and r.sentences().response and any(r.sentences().documents)]
    gathered = kept.gather([(r.question, r.sentences()) for r in usable])
    return [_row(record, file, e) for record, e in zip(usable, gathered, strict=True)]


def _row(record: Record, file: str, e: Evidence) -> Row:
    labels, sentences = record.labels, record.sentences()
    assert labels is not None
    document_keys, response_keys = sentences.document_keys(), sentences.response_keys()
    statuses = labels.statuses(response_keys)
    supporting = {
        s.response_sentence_key: s.supporting_sentence_keys for s in labels.sentence_support_information or []
    }
    truth = record.ground_truth.scores if record.ground_truth else {}
    questions = question_columns(e)
    return Row(
        record=record,
        file=file,
        e=e,
        questions=questions,
        documents=document_columns(e, questions),
        answers=response_columns(e),
        relevant=np.isin(document_keys, labels.all_relevant_sentence_keys or []).astype(float),
        utilized=np.isin(document_keys, labels.all_utilized_sentence_keys or []).astype(float),
        unsupported=np.array([statuses[k] is Status.UNSUPPORTED for k in response_keys], dtype=float),
        supports=np.array([[d in supporting.get(k, []) for d in document_keys] for k in response_keys], dtype=float),
        scores=np.array(
            [truth[n] for n in ("context_relevance", "context_utilization", "completeness", "adherence")], dtype=float
        ),
    )


def written_items(held: Sequence[Passage], seed: int) -> list[tuple[Item, int, str, str]]:
    """Records made from passages: question, documents, an answer of one to three sentences; position, kind, passage.

    One to four documents include the passage; half of the sentences are alone in the answer, half are not.
    """
    rng = random.Random(seed)
    found = []
    for passage in held:
        sides = (("true", passage.entailed), ("contradicted", passage.contradicted), ("open", passage.open))
        for kind, sentence in ((kind, s) for kind, said in sides for s in said):
            documents = [" ".join(rng.choice(held).sentences) for _ in range(rng.randrange(4))]
            documents.insert(rng.randint(0, len(documents)), " ".join(passage.sentences))
            company = [s for s in rng.sample(passage.entailed, 2) if s != sentence] if rng.random() < 0.5 else []
            answer = [*company[:1], sentence, *company[1:]]
            sentences = Sentences.split(documents, " ".join(answer))
            if len(sentences.response) == len(answer):
                found.append(((passage.question, sentences), len(company[:1]), kind, passage.sentences[0]))
    return found


def read_written(kept: Kept, seed: int = SEED) -> list[Written]:
    """The columns of every sentence about the held-out passages."""
    items = written_items(kept_back(passages())[0], seed)
    gathered = kept.gather([item for item, *_ in items])
    return [
        Written(passage, kind, {name: float(v[place]) for name, v in response_columns(e).items()})
        for (_, place, kind, passage), e in zip(items, gathered, strict=True)
    ]


@dataclass
class ByHand:
    """The hand-written texts held out from the reader's training."""

    written: list[Written]
    asked: list[Asked]


@dataclass
class Asked:
    """One question about a written chunk among others: columns and truth of every document sentence."""

    chunk: str
    columns: Columns
    relevant: Array


def read_asked(kept: Kept, seed: int = SEED) -> list[Asked]:
    """Every question about the chunks that the reader did not learn from, each chunk among none to four others."""
    rng = random.Random(seed)
    every = chunks_kept_back(chunks())[0]
    vectors = kept.embed([" ".join(chunk.sentences) for chunk in every])
    found: list[tuple[Item, Array, str]] = []
    for at, chunk in enumerate(every):
        for question, helping in chunk.questions:
            together = [every[i] for i in _others(at, vectors @ kept.embed([question])[0], rng)]
            together.insert(rng.randint(0, len(together)), chunk)
            if (sentences := _of_chunks(together)) is not None:
                marked = [c is chunk and i in helping for c in together for i in range(len(c.sentences))]
                found.append(((question, sentences), np.array(marked, dtype=float), chunk.sentences[0]))
    gathered = kept.gather([item for item, *_ in found])
    return [Asked(name, question_columns(e), marked) for (_, marked, name), e in zip(found, gathered, strict=True)]


def _others(at: int, near: Array, rng: random.Random) -> list[int]:
    """None to four other chunks: of the eleven nearest to the question, as a retriever returns them, or of all."""
    others = [int(i) for i in np.argsort(-near) if i != at]
    return rng.sample(others[:NEAREST] if rng.random() < NEAR_SHARE else others, rng.randrange(5))


def _of_chunks(together: Sequence[Chunk]) -> Sentences | None:
    """The chunks as documents; `None` where they are not split as they were written."""
    sentences = Sentences.split([" ".join(c.sentences) for c in together], "")
    same = all(len(d) == len(c.sentences) for d, c in zip(sentences.documents, together, strict=True))
    return sentences if same else None


def joined(columns: Sequence[Mapping[str, Any]]) -> dict[str, Array]:
    """Columns of several records, one after the other."""
    return {name: np.concatenate([np.ravel(one[name]) for one in columns]) for name in columns[0]}


def relevant_model(rows: Sequence[Row], asked: Sequence[Asked]) -> dict[str, Any]:
    """Trained on released rows, whose judge is generous, and written chunks, which are strict, each with its weight."""
    columns = joined([*(r.questions for r in rows), *(a.columns for a in asked)])
    truth = np.concatenate([*(r.relevant for r in rows), *(a.relevant for a in asked)])
    weights = balance(r.subject for r in rows for _ in range(r.e.c.n))
    written = sum(len(a.relevant) for a in asked)
    share = CHUNKS_SHARE * len(weights) / max(written, 1)
    return fit_trees(columns, truth, np.concatenate([weights, np.full(written, share)]), trees=RELEVANT_TREES)


def utilized_model(rows: Sequence[Row]) -> Linear:
    """What GPT-4 calls utilized."""
    columns = joined([{name: r.documents[name] for name in UTILIZED} for r in rows])
    weights = balance(r.subject for r in rows for _ in range(r.e.c.n))
    return fit_logistic(columns, np.concatenate([r.utilized for r in rows]), weights, C_DOCUMENT)


def judged_model(rows: Sequence[Row]) -> Linear:
    """What GPT-4 calls unsupported: only for the estimates."""
    weights = balance(r.subject for r in rows for _ in range(r.e.c.m))
    return fit_logistic(
        joined([r.answers for r in rows]), np.concatenate([r.unsupported for r in rows]), weights, C_RESPONSE
    )


def unsupported_model(rows: Sequence[Row], written: Sequence[Written]) -> dict[str, Any]:
    """Trained on released rows and written passages, each with its weight."""
    columns = joined([*(r.answers for r in rows), *({n: [v] for n, v in w.columns.items()} for w in written)])
    truth = np.concatenate([*(r.unsupported for r in rows), [float(w.kind != "true") for w in written]])
    weights = balance(r.subject for r in rows for _ in range(r.e.c.m))
    share = WRITTEN_SHARE * len(weights) / max(len(written), 1)
    return fit_trees(columns, truth, np.concatenate([weights, np.full(len(written), share)]), SUPPORT_TREES)


def train(rows: Sequence[Row], hand: ByHand) -> dict[str, Any]:
    """All models. Those of records and pairs are trained on sentence models that did not see their subject."""
    relevant = relevant_model(rows, hand.asked)
    trees = Models.from_json(json.dumps({"thresholds": {}, "models": {"relevant": relevant}})).trees["relevant"]
    utilized: dict[int, Array] = {}
    record: dict[int, dict[str, float]] = {}
    for name in sorted({r.subject for r in rows}):
        others = [r for r in rows if r.subject != name]
        used, judged = utilized_model(others), judged_model(others)
        for i, r in enumerate(rows):
            if r.subject == name:
                utilized[i], relevance = used.probability(r.documents), trees.probability(r.questions)
                doubt = np.where(r.e.copies | ~r.e.claims, 0.0, judged.probability(r.answers))
                record[i] = relevance_columns(r.e.c, relevance) | record_columns(r.e, relevance, utilized[i], doubt)
    found = {"utilized": utilized_model(rows), "judged": judged_model(rows)}
    weights, scores = balance(r.subject for r in rows), np.stack([r.scores for r in rows])
    for place, (name, columns) in enumerate(RECORD_COLUMNS.items()):
        values = {c: np.array([record[i][c] for i in range(len(rows))]) for c in columns}
        if name == "hallucination":
            found[name] = fit_logistic(values, 1 - scores[:, place], weights, C_RECORD)
        else:
            found[name] = fit_ridge(values, scores[:, place], weights)
    pairs = joined([pair_columns(r.e, utilized[i]) for i, r in enumerate(rows)])
    by_pair = balance(r.subject for r in rows for _ in range(r.e.c.m * r.e.c.n))
    found["supports"] = fit_logistic(pairs, np.concatenate([r.supports.ravel() for r in rows]), by_pair, C_PAIR)
    trained = {"relevant": relevant, "unsupported": unsupported_model(rows, hand.written)}
    return trained | {name: to_json(model) for name, model in found.items()}


def read_all(folder: Path, kept: Kept, say: Callable[[str], None]) -> list[Row]:
    """Every row of the training files, without the answers from which the reader learned."""
    rows: list[Row] = []
    for file in training_files(folder):
        if file.stem != ANSWERS:
            say(f"reading {file.name}")
            rows += read_rows(records(file), file.stem, kept)
            kept.keep()
    return rows


def main() -> int:
    """Train, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kept", type=Path, help="keep vectors and readings in this folder")
    asked = parser.parse_args()
    kept = Kept(asked.kept)
    hand = ByHand(read_written(kept), read_asked(kept))
    models = train(read_all(asked.folder, kept, lambda text: print(text, file=sys.stderr)), hand)
    listed = ",\n".join(f"{json.dumps(name)}: {json.dumps(model)}" for name, model in models.items())
    FILE.write_text(f'{{"thresholds": {json.dumps(THRESHOLDS)},\n"models": {{\n{listed}\n}}}}\n', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
