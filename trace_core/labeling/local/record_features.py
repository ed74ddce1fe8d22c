"""The features of a whole record, from its sentences' probabilities: what will its scores be?"""

from __future__ import annotations

import numpy as np

from trace_core.labeling.local.compare import Array, Comparison
from trace_core.labeling.local.log_odds import Array as Wide
from trace_core.labeling.local.log_odds import logit
from trace_core.labeling.local.premises import Evidence


def relevance_columns(c: Comparison, relevant: Wide) -> dict[str, float]:
    """Name → value, from the question and n ≥ 1 document sentences alone."""
    return {
        "sentences": float(np.log(c.n)),
        "documents": float(np.log(len(np.unique(c.document)))),
        "question best": float(c.question_cos.max()),
        "question mean": float(c.question_cos.mean()),
    } | _of_probabilities("relevant", relevant)


def _of_probabilities(name: str, p: Wide) -> dict[str, float]:
    return {
        f"{name} mean": float(p.mean()),
        f"{name} mean logit": float(logit(p.mean())),
        f"{name} best": float(p.max()),
        f"{name} square": float((p**2).mean()),
        f"{name} spread": float(p.std()),
        f"{name} sum": float(np.log(p.sum())),
        f"{name} likely": _soft_share(p),
    }


def record_columns(e: Evidence, relevant: Wide, utilized: Wide, unsupported: Wide) -> dict[str, float]:
    """Name → value, for a record with n ≥ 1 document sentences.

    `relevant` and `utilized` contain n probabilities, `unsupported` m. Sentences that claim nothing do not count.
    """
    c, claims = e.c, e.claims
    texts = [t for t, says in zip(c.answer.texts, claims, strict=True) if says]
    found = {
        "answer sentences": np.log1p(len(texts)),
        "answer words": np.log1p(sum(len(t.tokens) for t in texts)),
        "answer refuses": sum(t.refusal for t in c.answer.texts) / max(c.m, 1),
        "answer cos": _mean_best(c.cos[claims]),
        "answer cover": _mean_best(c.cover[claims]),
    }
    found |= relevance_columns(c, relevant) | _of_probabilities("utilized", utilized)
    both = np.minimum(relevant, utilized)
    found |= {
        "utilized of relevant": utilized.sum() / (relevant.sum() + 1e-6),
        "both of relevant": both.sum() / (relevant.sum() + 1e-6),
        "product of relevant": (relevant * utilized).sum() / (relevant.sum() + 1e-6),
        "relevant beyond": np.maximum(relevant - utilized, 0).mean(),
    }
    u = unsupported[claims] if claims.any() else np.zeros(1)
    top = np.sort(u)[-2:]
    found |= {
        "unsupported most": logit(u.max()),
        "unsupported mean": u.mean(),
        "unsupported any": 1 - np.prod(1 - u),
        "unsupported two": top.mean(),
    }
    return {name: float(value) for name, value in found.items()}


def _mean_best(values: Array) -> float:
    return float(values.max(axis=1).mean()) if len(values) else 0.0


def _soft_share(p: Wide) -> float:
    """The share of sentences with a probability above one half, with a smooth threshold."""
    return float((1 / (1 + np.exp(-12 * (p - 0.5)))).mean())
