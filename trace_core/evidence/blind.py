"""The evidence view of a blind review: the labels that the reviewer gave, and none of the labeler's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from trace_core.evidence.view import DocumentStatus, view
from trace_core.facts.labels import Labels, Status, Support
from trace_core.facts.records import Record


def blind_view(record: Record, changes: Sequence[tuple[str, str, Any]]) -> dict[str, Any]:
    """The data of `view`, from the reviewer's labels only; sentences without one are unlabeled.

    `changes` are field, sentence key and value as in `Correction`, with each pair of field and key at most once.
    """
    data = view(record.model_copy(update={"labels": _labels(changes)}))
    labeled = {key for field, key, _ in changes if field in ("relevant", "utilized")}
    for document in data["documents"]:
        for sentence in document["sentences"]:
            if sentence["key"] not in labeled:
                sentence["status"] = str(DocumentStatus.UNLABELED)
    return data


def _labels(changes: Sequence[tuple[str, str, Any]]) -> Labels:
    keys = {name: [key for field, key, value in changes if field == name and value is True]
            for name in ("relevant", "utilized")}  # fmt: skip
    statuses, supports = ({key: value for field, key, value in changes if field == name}
                          for name in ("supported", "supporting"))  # fmt: skip
    return Labels(
        labeler="hidden",
        all_relevant_sentence_keys=keys["relevant"],
        all_utilized_sentence_keys=keys["utilized"],
        unsupported_response_sentence_keys=[key for key, status in statuses.items() if status == Status.UNSUPPORTED],
        sentence_support_information=[
            Support(
                response_sentence_key=key, supporting_sentence_keys=supports.get(key, []),
                fully_supported=statuses[key] == Status.FULLY if key in statuses else None,
            )
            for key in {**supports, **statuses}
        ],
    )  # fmt: skip
