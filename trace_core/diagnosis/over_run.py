"""The diagnosis of a run: its most common fault, in one sentence."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.diagnose import DIAGNOSES, FAULTLESS
from trace_core.metrics.base import Values

PREFIX = "diagnosis-"
"""The prefix of a diagnosis' name among findings: in the filter and in addresses."""


@dataclass(frozen=True, slots=True)
class RunDiagnosis:
    """`grounded` of `judged` answers are; `counts` gives the records per diagnosis; `commonest` is a fault or "".

    `records` are those with a diagnosis, to which those that `failed` do not belong.
    """

    grounded: int
    judged: int
    records: int
    counts: dict[str, int]
    commonest: str
    failed: int = 0

    @property
    def text(self) -> str:
        """How many answers are grounded, the commonest fault with its share, where to start, and how many failed."""
        said = f"{self.answers}; {self.fault}" if self.records else "No record is scored yet."
        return f"{said} {self.failures}".strip()

    @property
    def failures(self) -> str:
        """How many records failed; empty for none."""
        total = self.records + self.failed
        return f"{self.failed:,} of {total:,} {'records' if total > 1 else 'record'} failed." if self.failed else ""

    @property
    def answers(self) -> str:
        """How many of the judged answers are grounded."""
        return f"{self.grounded:,} of {self.judged:,} answers are grounded" if self.judged else "No answer is judged"

    @property
    def fault(self) -> str:
        """The commonest fault with its share, and where to start."""
        if not self.commonest:
            open_ones = self.counts.get("unlabeled", 0)
            rest = f", and {open_ones:,} of {self.records:,} records have not enough labels." if open_ones else "."
            return f"no record shows a fault{rest}"
        n, fault = self.counts[self.commonest], DIAGNOSES[self.commonest]
        return (
            f"the commonest fault is “{fault.title}”, in {n:,} of {self.records:,} records "
            f"({n / self.records:.0%}). To start: {fault.start}."
        )

    def to_dict(self) -> dict[str, Any]:
        """The diagnosis as strict JSON."""
        return {"text": self.text, **asdict(self)}


def over_run(names: NDArray[np.object_], adherence: Values, failed: int = 0) -> RunDiagnosis:
    """The run's diagnosis, from each record's diagnosis ("" if none) and adherence (NaN if undefined), and the number
    of failed records.
    """
    found = Counter(name for name in names.tolist() if name)
    faults = [name for name in DIAGNOSES if name not in FAULTLESS and found[name]]
    known = adherence[(names != "") & ~np.isnan(adherence)]
    return RunDiagnosis(
        grounded=int((known == 1).sum()),
        judged=len(known),
        records=found.total(),
        counts={name: found[name] for name in DIAGNOSES if found[name]},
        commonest=max(faults, key=lambda name: found[name], default=""),
        failed=failed,
    )
