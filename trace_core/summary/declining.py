"""Declining as a 2 × 2: does a run answer what can be answered, and decline what cannot?"""

import numpy as np

from trace_core.summary.columns import Mask, RunScores

ROWS = {"answerable": "There is an answer", "unanswerable": "There is none", "unknown": "Could not tell"}
"""Whether the documents have an answer → in words."""


def declining(scores: RunScores, only: Mask | None = None) -> dict[str, dict[str, int]] | None:
    """Whether there is an answer (`ROWS`) → how many records `answered` and how many `declined`, by words or verdict.
    Golden questions say whether there is one, else labels that certify it; `None` where neither tells of any record, of
    all or of those `only`. Records without labels or without a sentence of an answer are left out."""
    columns, numbers = scores.columns, scores.columns.numbers
    golden, relevant = numbers["unanswerable"], numbers["relevant"]
    certain = (numbers["certified"] == 1) & ~np.isnan(relevant)
    unanswerable = np.where(np.isnan(golden), np.where(certain, relevant == 0, np.nan), golden)
    there = ~(columns.failed | columns.pending | columns.failed_generation) & (numbers["response_sentences"] > 0)
    there &= True if only is None else only
    if np.isnan(unanswerable[there]).all():
        return None
    refusals = (numbers["refusal"] == 1) | (scores.verdicts == "declined")
    rows = {"answerable": unanswerable == 0, "unanswerable": unanswerable == 1, "unknown": np.isnan(unanswerable)}
    return {
        name: {"answered": int((there & row & ~refusals).sum()), "declined": int((there & row & refusals).sum())}
        for name, row in rows.items()
    }
