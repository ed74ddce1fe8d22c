"""Train the local labeler on RAGBench's validation and train files, and choose by leaving subjects out.

    python bench/train_labeler.py path/to/ragbench --vectors FOLDER           # the leave-one-subset-out table
    python bench/train_labeler.py path/to/ragbench --vectors FOLDER --write   # and the weights that ship

Files named `*_test` are never opened. `--vectors` keeps the sentence vectors between runs. The same files
give the same weights. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from contradictions import KINDS, contradictions
from numpy.typing import NDArray
from ragbench import SUBJECTS, KeptVectors, records, subject, training_files
from short_sentences import short_sentences
from sklearn.linear_model import LogisticRegression, Ridge

from trace_core.facts.labels import Status
from trace_core.facts.records import Record, Sentences
from trace_core.labeling.local.compare import Comparison
from trace_core.labeling.local.document_features import document_columns
from trace_core.labeling.local.exchange_features import exchanged
from trace_core.labeling.local.labeler import Item, _texts, compare, joined, of_answers
from trace_core.labeling.local.pair_features import pair_columns
from trace_core.labeling.local.record_features import record_columns
from trace_core.labeling.local.response_features import response_columns, short
from trace_core.labeling.local.texts import read
from trace_core.labeling.local.weights import FILE, LIMIT, Model, Weights, each

Array = NDArray[np.float64]
Columns = Mapping[str, Array]

SEED = 7
CHANGED_OF_EACH_KIND = 200
"""So many contradictions of a kind are made from a file."""
C_DOCUMENT, C_RESPONSE, C_CONTRADICTION, C_PAIR, C_RECORD = 0.001, 0.01, 0.1, 0.01, 0.001
"""Inverse strength of regularization of the logistic models, chosen by leaving subjects out."""
RIDGE = 1000.0
REAL_SHARE, REAL_SHARE_SHORT = 0.1, 1.0
"""What a released row weighs beside a made contradiction, for the two models of contradictions."""
OF_RECORD = (
    "other answers", "worst answer", "answer cover", "answer least cover", "answer refuses", "first", "last",
    "sentences", "document sentences", "question best", "question mean", "cos second", "cos top 4", "cos mean",
    "cos question", "cover question", "question aligned", "refusal by question",
)  # fmt: skip
"""Columns of the whole record and of the question. A short sentence is held against what supports it, not against its
company: made records have fewer sentences than real ones, and that is not what makes an answer wrong."""
_NOTHING = read("")
OF_EXCHANGE = frozenset(exchanged(_NOTHING, [_NOTHING], [0.0], frozenset(), frozenset()))
"""Columns for the model of short sentences alone."""
THRESHOLDS = {
    "relevant": 0.35,
    "utilized": 0.3,
    "supports": 0.25,
    "unsupported": 0.45,
    "contradicts": 0.54,
    "contradicts short": 0.58,
    "best support": 0.35,
    "unsupported alone": 0.14,
    "near": 0.2,
}
"""Chosen on the held-out subjects: see docs/labeler.md."""

RECORD_COLUMNS = {
    "context_relevance": (
        "relevant mean", "relevant mean logit", "relevant square", "sentences", "utilized mean",
        "answer refuses", "question best",
    ),
    "context_utilization": (
        "utilized mean", "utilized mean logit", "utilized square", "sentences", "answer refuses",
    ),
    "completeness": (
        "utilized of relevant", "product of relevant", "both of relevant", "relevant beyond", "answer refuses",
        "relevant mean", "utilized mean", "utilized mean logit", "relevant mean logit", "utilized best",
        "sentences", "answer words", "answer sentences", "unsupported most", "answer cos", "documents",
    ),
    "hallucination": (
        "unsupported most", "unsupported mean", "unsupported any", "unsupported two", "answer refuses",
        "answer sentences", "answer words", "question best", "answer cos", "answer cover", "utilized best",
        "utilized mean",
    ),
}  # fmt: skip


@dataclass
class Row:
    """One record, what is measured of it, and what its labels say."""

    record: Record
    file: str
    c: Comparison
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
class Made:
    """A made contradiction (or its untouched twin): the columns of its sentence."""

    subject: str
    kind: str
    twin: dict[str, float]
    changed: dict[str, float]


def read_row(record: Record, file: str, embedder: KeptVectors) -> Row | None:
    """Columns and truth of a record; `None` without a sentence on either side."""
    labels, sentences = record.labels, record.sentences()
    c = compared((record.question, sentences), embedder)
    if c is None or not c.m or labels is None:
        return None
    document_keys, response_keys = sentences.document_keys(), sentences.response_keys()
    statuses = labels.statuses(response_keys)
    supporting = {
        s.response_sentence_key: s.supporting_sentence_keys for s in labels.sentence_support_information or []
    }
    truth = record.ground_truth.scores if record.ground_truth else {}
    return Row(
        record=record,
        file=file,
        c=c,
        documents=document_columns(c),
        answers=response_columns(c),
        relevant=np.isin(document_keys, labels.all_relevant_sentence_keys or []).astype(float),
        utilized=np.isin(document_keys, labels.all_utilized_sentence_keys or []).astype(float),
        unsupported=np.array([statuses[k] is Status.UNSUPPORTED for k in response_keys], dtype=float),
        supports=np.array([[d in supporting.get(k, []) for d in document_keys] for k in response_keys], dtype=float),
        scores=np.array(
            [truth[n] for n in ("context_relevance", "context_utilization", "completeness", "adherence")], dtype=float
        ),
    )


def compared(item: Item, embedder: KeptVectors) -> Comparison | None:
    """A question and its sentences as matrices."""
    texts = _texts(item)
    return compare(item, dict(zip(texts, embedder.embed(texts), strict=True)))


def made_of(subject_: str, kind: str, right: Item, wrong: Item, place: int, embedder: KeptVectors) -> Made:
    """The columns of the response sentence at that place, as it was and as it was changed."""
    both = (compared(item, embedder) for item in (right, wrong))
    twin, changed = ({name: float(v[place]) for name, v in response_columns(c).items()} for c in both if c is not None)
    return Made(subject_, kind, twin, changed)


def read_made(records_: Sequence[Record], of: str, embedder: KeptVectors, seed: int) -> list[Made]:
    """Contradictions of every kind made from a file's records."""
    found = []
    for kind in KINDS:
        for made in contradictions(records_, kind, CHANGED_OF_EACH_KIND, seed):
            right, wrong = ((r.question, r.sentences()) for r in (made.record, made.changed_record()))
            found.append(made_of(of, kind, right, wrong, made.place, embedder))
    return found


def read_short(embedder: KeptVectors) -> list[Made]:
    """The made short sentences, in the order of `short_sentences`."""
    found = []
    for made in short_sentences(SEED):
        right, wrong = ((made.question, Sentences.split(made.documents, r)) for r in made.responses())
        found.append(made_of("short", made.kind, right, wrong, len(made.before), embedder))
    return found


def balance(subjects: Iterable[str]) -> Array:
    """Weights that give a subject with four times the rows only twice the say; mean 1."""
    names = np.array(list(subjects))
    unique, places, counts = np.unique(names, return_inverse=True, return_counts=True)
    weights = 1.0 / np.sqrt(counts[places])
    return weights / weights.mean() if len(unique) else weights


def fit_logistic(columns: Columns, truth: Array, weights: Array, c: float) -> Model:
    """A regularized logistic regression over standardized columns."""
    model = standard(columns)
    found = LogisticRegression(C=c, max_iter=500).fit(scaled(model, columns), truth, sample_weight=weights)
    return with_weights(model, found.coef_[0], float(found.intercept_[0]))


def fit_ridge(columns: Columns, truth: Array, weights: Array) -> Model:
    """A ridge regression over standardized columns."""
    model = standard(columns)
    found = Ridge(alpha=RIDGE).fit(scaled(model, columns), truth, sample_weight=weights)
    return with_weights(model, found.coef_, float(found.intercept_))


def standard(columns: Columns) -> Model:
    """Means and spreads of the columns, no weights yet."""
    values = np.stack([np.asarray(v, dtype=np.float64) for v in columns.values()], axis=-1)
    spread = values.std(axis=0)
    return Model(tuple(columns), values.mean(axis=0), np.where(spread > 1e-6, spread, 1.0), np.ones(len(spread)), 0.0)


def scaled(model: Model, columns: Columns) -> Array:
    """Standardized columns, held within the limit."""
    return np.clip(model.terms(columns), -LIMIT, LIMIT)


def with_weights(model: Model, weight: Array, bias: float) -> Model:
    """The model with what was learned."""
    return Model(model.columns, model.mean, model.scale, np.asarray(weight, dtype=np.float64), bias)


def sentence_models(rows: Sequence[Row], made: Sequence[Made]) -> dict[str, Model]:
    """The models of single sentences."""
    documents = joined([r.documents for r in rows])
    by_document = balance(r.subject for r in rows for _ in range(r.c.n))
    truth = {name: np.concatenate([getattr(r, name) for r in rows]) for name in ("relevant", "utilized")}
    real = judged(rows).without(OF_EXCHANGE)
    return {
        **{name: fit_logistic(documents, truth[name], by_document, C_DOCUMENT) for name in truth},
        "unsupported": fit_logistic(real.columns, real.unsupported, real.weights, C_RESPONSE),
        "contradicts": contradiction_model([m for m in made if m.subject != "short"], real, REAL_SHARE),
        "contradicts short": short_model(rows, made),
    }


def short_model(rows: Sequence[Row], made: Sequence[Made]) -> Model:
    """What contradicts, among short sentences."""
    real = judged(rows)
    brief = [m for m in made if short(m.changed)]
    return contradiction_model(brief, real.where(short(real.columns)).without(OF_RECORD), REAL_SHARE_SHORT)


@dataclass
class Judged:
    """Response sentences of the released rows: their columns, whether unsupported, and their weights."""

    columns: Columns
    unsupported: Array
    weights: Array

    def where(self, chosen: NDArray[np.bool_]) -> Judged:
        """Some of them."""
        columns = {name: values[chosen] for name, values in self.columns.items()}
        return Judged(columns, self.unsupported[chosen], self.weights[chosen])

    def without(self, names: Collection[str]) -> Judged:
        """All of them, without some columns."""
        columns = {name: values for name, values in self.columns.items() if name not in names}
        return Judged(columns, self.unsupported, self.weights)


def judged(rows: Sequence[Row]) -> Judged:
    """The response sentences of all rows."""
    weights = balance(r.subject for r in rows for _ in range(r.c.m))
    return Judged(joined([r.answers for r in rows]), np.concatenate([r.unsupported for r in rows]), weights)


def contradiction_model(made: Sequence[Made], real: Judged, share: float) -> Model:
    """Changed sentences against their twins; a released row has `share` of their say."""
    pairs = {n: np.array([v for m in made for v in (m.twin[n], m.changed[n])]) for n in real.columns}
    of_kind = balance(f"{m.subject} {m.kind}" for m in made for _ in range(2))
    both = {n: np.concatenate([pairs[n], values]) for n, values in real.columns.items()}
    says = np.concatenate([np.tile([0.0, 1.0], len(made)), real.unsupported])
    return fit_logistic(both, says, np.concatenate([of_kind, share * real.weights]), C_CONTRADICTION)


Said = dict[str, list[Array]]


def apply(models: Mapping[str, Model], rows: Sequence[Row]) -> Said:
    """Probabilities of every sentence, one array a row."""
    documents, answers = joined([r.documents for r in rows]), joined([r.answers for r in rows])
    said: Said = {}
    in_documents = {name: models[name].probability(documents) for name in ("relevant", "utilized")}
    for found, sizes in ((in_documents, [r.c.n for r in rows]), (of_answers(models, answers), [r.c.m for r in rows])):
        for name, values in found.items():
            said[name] = [cut[name] for cut in each({name: values}, sizes)]
    return said


def train(rows: Sequence[Row], made: Sequence[Made]) -> Weights:
    """All models. Those of records and pairs learn from sentence models that did not see their subject."""
    held_out: dict[int, dict[str, Array]] = {}
    for name in sorted({r.subject for r in rows}):
        models = sentence_models([r for r in rows if r.subject != name], [m for m in made if m.subject != name])
        inside = [i for i, r in enumerate(rows) if r.subject == name]
        said = apply(models, [rows[i] for i in inside])
        for place, i in enumerate(inside):
            held_out[i] = {kind: values[place] for kind, values in said.items()}
    found = sentence_models(rows, made)
    record = [record_columns(r.c, *(held_out[i][n] for n in ("relevant", "utilized", "unsupported")))
              for i, r in enumerate(rows)]  # fmt: skip
    weights = balance(r.subject for r in rows)
    scores = np.stack([r.scores for r in rows])
    for place, (name, columns) in enumerate(RECORD_COLUMNS.items()):
        values = {c: np.array([one[c] for one in record]) for c in columns}
        if name == "hallucination":
            found[name] = fit_logistic(values, 1 - scores[:, place], weights, C_RECORD)
        else:
            found[name] = fit_ridge(values, scores[:, place], weights)
    pairs = [{n: np.asarray(v).ravel() for n, v in pair_columns(r.c, held_out[i]["utilized"]).items()}
             for i, r in enumerate(rows)]  # fmt: skip
    by_pair = balance(r.subject for r in rows for _ in range(r.c.m * r.c.n))
    found["supports"] = fit_logistic(joined(pairs), np.concatenate([r.supports.ravel() for r in rows]), by_pair, C_PAIR)
    return Weights(found, THRESHOLDS)


def without(name: str, rows: Sequence[Row], made: Sequence[Made]) -> Weights:
    """Weights trained without a subject."""
    return train([r for r in rows if r.subject != name], [m for m in made if m.subject != name])


def read_all(folder: Path, embedder: KeptVectors, say: Callable[[str], None]) -> tuple[list[Row], list[Made]]:
    """Every row and made contradiction of the training files."""
    rows: list[Row] = []
    made: list[Made] = []
    for file in training_files(folder):
        say(f"reading {file.name}")
        found = records(file)
        read = [read_row(r, file.stem, embedder) for r in found]
        rows += [r for r in read if r is not None]
        made += read_made(found, subject(file.stem), embedder, SEED)
        embedder.keep()
    return rows, made + read_short(embedder)


def main() -> int:
    """Train, print the table, write the weights if asked."""
    from labeler_table import table
    from short_table import short_table

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vectors", type=Path, help="keep the sentence vectors in this folder")
    parser.add_argument("--write", action="store_true", help="write the weights that ship")
    parser.add_argument("--no-table", action="store_true", help="do not leave subjects out")
    asked = parser.parse_args()
    embedder = KeptVectors(asked.vectors)
    rows, made = read_all(asked.folder, embedder, lambda text: print(text, file=sys.stderr))
    weights = train(rows, made)
    if asked.write:
        FILE.write_text(weights.to_json(), encoding="utf-8")
        print(f"wrote {FILE.name}, {FILE.stat().st_size / 1000:.0f} kB", file=sys.stderr)
    if not asked.no_table:
        print(short_table(weights, rows, made, embedder), end="\n\n", flush=True)
        held = {name: without(name, rows, made) for name in SUBJECTS}
        print(table(asked.folder, held, rows, embedder))
        embedder.keep()
    return 0


if __name__ == "__main__":
    sys.exit(main())
