"""The data of the Judge page: a run's records with what serves as their truth."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.components.shared import services
from trace_core import review
from trace_core.facts.records import Record, Truth
from trace_core.review import PeopleAgreement
from trace_core.runs.analyse.comparable import run_of
from trace_core.runs.analyse.pairing import pair
from trace_core.store.runs import Run
from trace_core.summary.peers import PEERS

AGAINST_ROWS = "rows"
_KEPT = 4


@st.cache_resource(max_entries=_KEPT, show_spinner="Reading the run …")
def pairs_of(run_id: str, revision: int, truth: str, truth_revision: int) -> list[Record]:
    """The run's records; with another run as `truth`, its labels serve as the ground truth.

    They do so only where documents and answer are the same: labels of other sentences would not apply.
    """
    store = services.store().runs
    records = list(store.records(run_id))
    if truth == AGAINST_ROWS:
        return records
    labels = {record.id: (record.labels, _texts(record)) for record in store.records(truth)}
    found = pair(run_of(store, run_id)["records"], run_of(store, truth)["records"])
    partner = {str(one["id"]): str(other["id"]) for one, other in found.pairs}
    return [
        record.model_copy(update={"ground_truth": Truth(labels=said) if said and texts == _texts(record) else None})
        for record in records
        for said, texts in [labels.get(partner.get(record.id, ""), (None, 0))]
    ]


def _texts(record: Record) -> int:
    """A hash that is equal for the same documents and answer."""
    return hash((tuple(one.text for one in record.documents), record.response.text if record.response else None))


@st.cache_resource(max_entries=_KEPT, show_spinner=False)
def people_of(run_id: str, revision: int) -> PeopleAgreement:
    """The agreement of labeler and people over the run."""
    return review.agreement(list(services.store().runs.records(run_id)))


def peers_of(run: Run, records: list[Record]) -> list[dict[str, Any]]:
    """The rows' other columns, in the records' order, if they include a published peer's values."""
    if not run.dataset_id:
        return []
    wanted = {field for fields in PEERS.values() for field in fields.values()}
    rows = {row.record_id: row.row for row in services.store().datasets.rows(run.dataset_id)}
    found = [{name: rows.get(record.id, {}).get(name) for name in wanted} for record in records]
    return found if any(value is not None for row in found for value in row.values()) else []
