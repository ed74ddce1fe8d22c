"""What is measured of a whole record, from its sentences' probabilities: what do its scores come to?"""

from __future__ import annotations

import numpy as np

from trace_core.labeling.local.compare import Array, Comparison
from trace_core.labeling.local.weights import Array as Wide
from trace_core.labeling.local.weights import logit


def record_columns(c: Comparison, relevant: Wide, utilized: Wide, unsupported: Wide) -> dict[str, float]:
    """Name → value, for a record with n ≥ 1 document sentences.

    `relevant` and `utilized` hold n probabilities, `unsupported` m.
    """
    found = {
        "sentences": np.log(c.n),
        "documents": np.log(len(np.unique(c.document))),
        "answer sentences": np.log1p(c.m),
        "answer words": np.log1p(sum(len(t.tokens) for t in c.answer.texts)),
        "answer refuses": sum(t.refusal for t in c.answer.texts) / max(c.m, 1),
        "question best": c.question_cos.max(),
        "question mean": c.question_cos.mean(),
        "answer cos": _mean_best(c.cos, c.m),
        "answer cover": _mean_best(c.cover, c.m),
    }
    for name, p in (("relevant", relevant), ("utilized", utilized)):
        found |= {
            f"{name} mean": p.mean(),
            f"{name} mean logit": logit(p.mean()),
            f"{name} best": p.max(),
            f"{name} square": (p**2).mean(),
            f"{name} spread": p.std(),
            f"{name} sum": np.log(p.sum()),
            f"{name} likely": _soft_share(p),
        }
    both = np.minimum(relevant, utilized)
    found |= {
        "utilized of relevant": utilized.sum() / (relevant.sum() + 1e-6),
        "both of relevant": both.sum() / (relevant.sum() + 1e-6),
        "product of relevant": (relevant * utilized).sum() / (relevant.sum() + 1e-6),
        "relevant beyond": np.maximum(relevant - utilized, 0).mean(),
    }
    u = unsupported if len(unsupported) else np.zeros(1)
    top = np.sort(u)[-2:]
    found |= {
        "unsupported most": logit(u.max()),
        "unsupported mean": u.mean(),
        "unsupported any": 1 - np.prod(1 - u),
        "unsupported two": top.mean(),
    }
    return {name: float(value) for name, value in found.items()}


def _mean_best(values: Array, m: int) -> float:
    return float(values.max(axis=1).mean()) if m else 0.0


def _soft_share(p: Wide) -> float:
    """Share of sentences that are more likely than not, without a jump at one half."""
    return float((1 / (1 + np.exp(-12 * (p - 0.5)))).mean())
