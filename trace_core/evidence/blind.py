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
    said = {(field, key): value for field, key, value in changes}
    data = view(record.model_copy(update={"labels": _labels(said)}))
    told = {key for field, key in said if field in ("relevant", "utilized")}
    for document in data["documents"]:
        for sentence in document["sentences"]:
            if sentence["key"] not in told:
                sentence["status"] = str(DocumentStatus.UNLABELED)
    return data


def _labels(said: dict[tuple[str, str], Any]) -> Labels:
    def listed(wanted: str, value: object) -> list[str]:
        return [key for (field, key), given in said.items() if field == wanted and given == value]

    answered = dict.fromkeys(key for field, key in said if field in ("supported", "supporting"))
    return Labels(
        labeler="hidden",
        all_relevant_sentence_keys=listed("relevant", True),
        all_utilized_sentence_keys=listed("utilized", True),
        unsupported_response_sentence_keys=listed("supported", Status.UNSUPPORTED),
        sentence_support_information=[_support(key, said) for key in answered],
    )


def _support(key: str, said: dict[tuple[str, str], Any]) -> Support:
    status = said.get(("supported", key))
    return Support(
        response_sentence_key=key,
        supporting_sentence_keys=said.get(("supporting", key), []),
        fully_supported=None if status is None else status == Status.FULLY,
    )
