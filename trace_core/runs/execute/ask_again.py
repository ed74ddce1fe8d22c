"""Ask the judge again about response sentences that it left open, and recompute the record's scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from trace_core.diagnosis.rescoring import rescore
from trace_core.errors import InputError
from trace_core.facts.corrections import corrected
from trace_core.facts.labels import Status
from trace_core.facts.records import Record
from trace_core.labeling import GptLabeler, Reply
from trace_core.labeling.gpt import ASKED_AGAIN
from trace_core.llm import added
from trace_core.metrics import Scoring
from trace_core.metrics.base import UNLABELED
from trace_core.store.runs import RunStore
from trace_core.summary.columns import Mask, RunColumns, RunScores


def without_adherence(scores: RunScores) -> Mask:
    """Where adherence is undefined because a response sentence has no label and no labeled one fails."""
    return np.equal(scores.reasons["adherence"], UNLABELED)


def judged(columns: RunColumns) -> Mask:
    """Where a language model labeled the record, so that it can be asked again."""
    return np.isin(columns.labeler.astype(str), [GptLabeler.name])


def ask_again(store: RunStore, run_id: str, record_ids: Sequence[str], judge: GptLabeler) -> Iterator[str]:
    """Ask the judge about the sentences it left open in these records; each is stored before the next.

    Yields for each record, in words, which sentences are still open and why; "" where none is. Corrections are kept.
    Raises `InputError` for a record that another judge labeled, and the store's errors.
    """
    run = store.load_run(run_id)
    columns = store.columns(run_id)
    places = dict(zip(columns.id.tolist(), columns.position.tolist(), strict=True))
    for record_id in record_ids:
        reply = _reply(store.load_record(run_id, record_id), judge)
        record = _filled(store.load_record(run_id, record_id), reply, judge)  # a person may have corrected it meanwhile
        scored = rescore(record, Scoring.of_run(run.config))
        store.save_records(run_id, [scored], positions=[places[record_id]], usage=reply.usage)
        statuses = record.labeler_labels.statuses(record.sentences().response_keys()) if record.labeler_labels else {}
        left = ", ".join(key for key, status in statuses.items() if status is Status.UNLABELED)
        why = reply.problem or "the judge left them open again."
        yield f"Record {record_id}, sentences {left}: {why}" if left else ""


def _reply(record: Record, judge: GptLabeler) -> Reply:
    own = record.labeler_labels
    if own is None or (own.labeler, own.labeler_version) != (judge.name, judge.version):
        other = (own.labeler_version or own.labeler) if own else "nobody"
        raise InputError(
            f"Record {record.id!r} was labeled by {other}, not by {judge.version}.",
            "One record has one judge: correct its labels on the page Review.",
        )
    before = sum(note.startswith(ASKED_AGAIN) for note in record.cleaning)
    return judge.again(before).ask_open(record.question, record.sentences(), own)  # a cached reply is not read twice


def _filled(record: Record, reply: Reply, judge: GptLabeler) -> Record:
    """The record with the labels of the sentences in the reply; people's corrections still apply on top."""
    cleaned = reply.cleaned(record.sentences(), judge.name, judge.version)
    assert record.labeler_labels is not None  # noqa: S101  # it was asked about
    entries = {"sentence_support_information": cleaned.labels.sentence_support_information}
    labels = record.labeler_labels.model_copy(update=entries)
    raw = {"first": record.raw_reply, "asked_again": dict(reply.again)} if reply.again else record.raw_reply
    notes = [*record.cleaning, *reply.notes, *(note for note in cleaned.notes if note not in record.cleaning)]
    changed = {"labels": labels, "uncorrected": None, "raw_reply": raw, "cleaning": notes}
    return corrected(record.model_copy(update=changed | {"usage": added([record.usage, reply.usage])}))
