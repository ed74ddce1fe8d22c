"""Declining as a 2 × 2: does a run answer what can be answered, and decline what cannot?"""

from __future__ import annotations

import numpy as np

from trace_core.summary.columns import RunColumns

UNCERTAIN = "local"
"""A labeler that judges and does not certify: whether the documents answer a question, it cannot tell."""
ROWS = {"answerable": "An answer is there", "unanswerable": "No answer is there", "unknown": "Could not tell"}
"""Whether the documents have an answer → in words."""


def declining(columns: RunColumns) -> dict[str, dict[str, int]] | None:
    """Whether there is an answer (`ROWS`) → how many records `answered` and how many `declined`.

    Golden questions say whether there is one, else labels of a judge or a person: something relevant was retrieved.
    `None` where neither tells of any record. Records without an answer text are left out.
    """
    golden, relevant = columns.facts["unanswerable"], columns.counts.relevant
    certain = (columns.labeler != UNCERTAIN) & ~np.isnan(relevant)
    unanswerable = np.where(np.isnan(golden), np.where(certain, relevant == 0, np.nan), golden)
    if np.isnan(unanswerable).all():
        return None
    answered = ~(columns.failed | columns.pending | columns.failed_generation) & ~np.isnan(columns.facts["refusal"])
    declined = columns.facts["refusal"] == 1
    masks = {"answerable": unanswerable == 0, "unanswerable": unanswerable == 1, "unknown": np.isnan(unanswerable)}
    return {
        name: {
            "answered": int((mask & answered & ~declined).sum()),
            "declined": int((mask & answered & declined).sum()),
        }
        for name, mask in masks.items()
    }
