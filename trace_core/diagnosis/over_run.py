"""The diagnosis of a run in one sentence, and what its retrieval brought."""

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.diagnosis.faults import FAULTS, Mask
from trace_core.diagnosis.signs import Quantities
from trace_core.errors import counted
from trace_core.metrics import METRICS
from trace_core.metrics.base import Values

NO_ANSWER = ("empty", "refused", "declined")
"""Verdicts on what gives no answer that could be grounded."""


@dataclass(frozen=True, slots=True)
class RunDiagnosis:
    """`grounded` of `judged` answers are; `counts` gives the `records` by verdict, of which failed ones have none, and
    `unsure` how many of these are unsure. The `commonest` fault is the one that is most often sure, if any is."""

    grounded: int
    judged: int
    records: int
    counts: dict[str, int]
    unsure: dict[str, int]
    commonest: str
    failed: int

    @property
    def text(self) -> str:
        """How many answers are grounded, the commonest fault with its share, where to start, and how many failed."""
        answers = f"{self.answers}; {self.fault}" if self.records else "No record is scored yet."
        return f"{answers} {self.failures}".strip()

    @property
    def answers(self) -> str:
        """How many of the judged answers are grounded."""
        return f"{self.grounded:,} of {self.judged:,} answers are grounded" if self.judged else "No answer was judged"

    @property
    def failures(self) -> str:
        """How many records failed; empty for none."""
        return f"{self.failed:,} of {counted(self.records + self.failed, 'record')} failed." if self.failed else ""

    @property
    def fault(self) -> str:
        """The commonest fault with its share, and where to start."""
        if not self.commonest:
            lacking = self.counts.get("unlabeled", 0)
            rest = f", and {lacking:,} of {self.records:,} records have too few labels" if lacking else ""
            return f"no record shows a fault{rest}."
        n, fault, unsure = self.commonest_sure, FAULTS[self.commonest], self.unsure.get(self.commonest, 0)
        share = f"in {n or unsure:,} of {self.records:,} records ({(n or unsure) / self.records:.0%})"
        if not n:
            return f"no fault is sure; the commonest unsure one is “{fault.title}”, {share}. To start: Read a few."
        rest = f", unsure in {unsure:,} more" if unsure else ""
        return f"the commonest fault is “{fault.title}”, {share}{rest}. To start: {fault.fix}"

    @property
    def commonest_sure(self) -> int:
        """How many records surely have the commonest fault."""
        return self.counts.get(self.commonest, 0) - self.unsure.get(self.commonest, 0)

    def to_dict(self) -> dict[str, Any]:
        """The diagnosis as strict JSON."""
        return {"text": self.text, **asdict(self)}


def run_diagnosis(verdicts: NDArray[np.object_], unsure: Mask, adherence: Values, failed: int = 0) -> RunDiagnosis:
    """The run's diagnosis, by each record's verdict ("" for none), whether that is unsure, and adherence (NaN:
    undefined), and `failed` ones."""
    by_name, doubts = Counter(verdicts.tolist()), Counter(verdicts[unsure].tolist())
    without = [verdicts == name for name in ("", *NO_ANSWER)]
    del by_name[""]
    counts = {name: by_name[name] for name in FAULTS if name in by_name}
    faults = [name for name in counts if FAULTS[name].severity > 1]
    values = adherence[~np.any(without, axis=0) & ~np.isnan(adherence)]
    return RunDiagnosis(
        grounded=int((values == 1).sum()),
        judged=len(values),
        records=by_name.total(),
        counts=counts,
        unsure=dict(doubts),
        commonest=max(faults, key=lambda name: (counts[name] - doubts[name], counts[name]), default=""),
        failed=failed,
    )


def retrieval_text(values: Quantities) -> str:
    """The judgment of a run's retrieval in words; each figure covers the records where it is known."""
    names = ("relevance", "first_relevant", "context_relevance")
    share, rank, relevance = (values[name][~np.isnan(values[name])] for name in names)
    text, metric = "", METRICS["context_relevance"]
    if len(share):
        text += f"On average {share.mean():.0%} of a record's documents contain something relevant"
        text += " (target: at least 50%). "
    if len(rank):
        text += f"The first relevant document comes at rank {rank.mean():.1f} on average. "
    if metric.suggestion is not None and len(relevance):
        below = int((relevance < metric.suggestion).sum())
        text += f"{below:,} of {len(relevance):,} records ({below / len(relevance):.0%}) would miss a target of "
        text += f"{metric.suggestion} for {metric.label.lower()}."
    return text.rstrip()
