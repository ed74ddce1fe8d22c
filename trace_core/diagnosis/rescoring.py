"""Re-score one record under a convention: scores and findings follow from its labels, without asking a judge."""

from trace_core.diagnosis.verdict import examine
from trace_core.facts.failed_generation import FAILED_GENERATION
from trace_core.facts.records import Record
from trace_core.metrics import Scoring, score_labels, undefined


def without_error(record: Record) -> Record:
    """The record without its error (which becomes a cleaning note), if it has labels, whoever gave them later."""
    if record.error is None or record.labels is None:
        return record
    note = f"failed before it was labeled ({record.error.step}): {record.error.message}"
    return record.model_copy(update={"error": None, "cleaning": list(dict.fromkeys([*record.cleaning, note]))})


def rescore(record: Record, scoring: str | Scoring) -> Record:
    """The record with the scores, verdict and findings that follow from its labels under the convention."""
    record = without_error(record)
    if reason := record.failed_generation:
        scores = undefined(f"{FAILED_GENERATION}: {reason}", scoring)
    elif record.labels is None:
        scores = undefined(f"failed: {record.error.message}" if record.error else "not labeled", scoring)
    else:
        scores = score_labels(record.labels, record.sentences(), scoring)
    return with_verdict(record.model_copy(update={"scores": scores}))


def with_verdict(record: Record) -> Record:
    """The record with the verdict and the findings that follow from its labels and scores; none without scores."""
    if record.scores is None:
        return record.model_copy(update={"verdict": None, "findings": []})
    return record.model_copy(update=examine(record, record.scores)._asdict())
