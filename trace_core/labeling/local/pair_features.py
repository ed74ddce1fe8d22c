"""The features of a response sentence and a document sentence: does the latter support the former?"""

from __future__ import annotations

import numpy as np

from trace_core.labeling.local.compare import Array
from trace_core.labeling.local.document_features import softmax
from trace_core.labeling.local.log_odds import Array as Wide
from trace_core.labeling.local.log_odds import logit
from trace_core.labeling.local.premises import Evidence
from trace_core.labeling.local.reader import ENTAILS


def pair_columns(e: Evidence, utilized: Wide) -> dict[str, Array]:
    """Name → m × n values; `utilized` contains the document sentences' n probabilities."""
    c, wide = e.c, np.broadcast_to
    shape = (c.m, c.n)
    numbers = np.array([[min(2, len(a.numbers & d.numbers)) for d in c.documents.texts] for a in c.answer.texts])
    before = np.stack([c.beside(row, 1) for row in c.match])
    after = np.stack([c.beside(row, -1) for row in c.match])
    return {
        "read alone": e.alone(ENTAILS),
        "read together": e.together(ENTAILS),
        "cos": c.cos,
        "cos below best": c.cos - c.cos.max(axis=1, keepdims=True),
        "cos above mean": c.cos - c.cos.mean(axis=1, keepdims=True),
        "cover": c.cover,
        "cover below best": c.cover - c.cover.max(axis=1, keepdims=True),
        "covered": c.covered,
        "match": c.match,
        "match below best": c.match - c.match.max(axis=1, keepdims=True),
        "match below other answers": c.match - c.match.max(axis=0, keepdims=True),
        "share": softmax(c.match, 1),
        "best": wide(c.match.max(axis=1, keepdims=True), shape),
        "before": before,
        "after": after,
        "numbers": numbers.reshape(shape),
        "utilized": wide(logit(utilized)[None, :], shape),
        "sentences": wide(np.log(c.n), shape),
    }
