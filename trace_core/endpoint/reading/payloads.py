"""An object of any shape → a payload: keys, test names and lists in any usual notation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trace_core.endpoint.payload import ENGINES, Payload, QueryError
from trace_core.endpoint.reading.language.relevant_ids import like_ids
from trace_core.endpoint.reading.language.roles import said_by
from trace_core.endpoint.reading.language.words import FIELD_OF, field_named, plain_key
from trace_core.endpoint.reading.shapes.contexts import contexts_of, flagged, keyed, relevant_ids, with_ids
from trace_core.endpoint.reading.shapes.nested import of_item, of_messages, of_one_row, unnested
from trace_core.endpoint.reading.shapes.values import is_number, wrong
from trace_core.endpoint.reading.shapes.wanted import tests_of, told_tests
from trace_core.facts.strict import valid

_RESULTS = frozenset("result output_text generated_text generation".split())
"""Keys of what a chain has written."""
_HITS = frozenset("results hits matches search_results retrieval_results retrieved found top_k".split())
_TEXTS = frozenset("text content page_content chunk passage body snippet".split())
"""Keys of what a search has found, and of the text of each."""
_VERDICTS = frozenset("pass passed fail failed ok error success correct incorrect n/a none".split())
_EITHER = frozenset("true false yes no".split())
"""Verdicts beside an answer, and answers where there is no other."""


def read_payload(given: Mapping[str, Any]) -> Payload:
    """JSON of any shape → a payload. Raises `QueryError` naming the field and what was expected."""
    given = valid(given)
    given = of_one_row({**of_messages(given.get("messages")), **unnested(given)})
    named = _named(given)
    relevant = named.get("relevant_context_ids")
    listed = with_ids(named.get("contexts"), given)
    contexts, placed = contexts_of(keyed(listed, relevant))
    if relevant is None:
        relevant = flagged(listed, contexts)
    ids = relevant_ids(relevant, contexts)
    known = [context.id for context in contexts]
    words = [i for i in ids if i not in known and not like_ids(i, known)] if isinstance(relevant, str) else []
    return Payload(
        tests=tests_of(named.get("tests"), given),
        question=_text(named.get("question"), "question"),
        contexts=contexts,
        answer=_text(named.get("answer"), "answer"),
        ground_truth=_ground_truth(named.get("ground_truth")),
        relevant_context_ids=ids,
        extra=_extra(named.get("extra")),
        placed=placed,
        words=words,
    )


def tells_tests(given: Mapping[str, Any]) -> bool:
    """Whether the object says which tests are wanted."""
    return bool(_named(unnested(valid(given))).get("tests"))


def _named(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values under our names. Raises `QueryError` where two usual names for one field have different values.

    A name that is only like a label (`good answer`), or whose words say it, counts where no usual one is there.
    """
    found: dict[str, Any] = {}
    keys: dict[str, str] = {}
    for named in (_usual, field_named, _worded):
        known = set(found)
        for key, value in given.items():
            field = named(key)
            if field is None or value is None or field in known:
                continue
            if field in found and found[field] != value:
                raise QueryError(f"{keys[field]} and {key} both give the {field}, and differ.", "Give one of them.")
            found[field], keys[field] = value, key
    found = _with_result(_with_hits(found, given), given)
    return found if found.get("tests") else found | {"tests": told_tests(given)}


def _with_hits(found: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The parts with what a search calls its results, if each of them has a text, as the contexts."""
    lists = [value for key, value in given.items() if plain_key(key) in _HITS and _have_texts(value)]
    return found | {"contexts": lists[0]} if len(lists) == 1 and "contexts" not in found else found


def _have_texts(value: object) -> bool:
    items = value if isinstance(value, list) else []
    return bool(items) and all(isinstance(item, Mapping) and not _TEXTS.isdisjoint(of_item(item)) for item in items)


def _with_result(found: dict[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The parts with what a chain calls its result as the answer: `query`, `result`, `source_documents`.

    Beside another answer it is unclear which one is the chain's, as the other may be the right one.
    """
    if "question" not in found and "contexts" not in found:
        return found
    results = {plain_key(key): value for key, value in given.items() if plain_key(key) in _RESULTS}
    answer = {found["answer"]} if isinstance(found.get("answer"), str) else set()
    verdicts = _VERDICTS | (_EITHER if answer else frozenset())
    texts = {value for value in results.values() if isinstance(value, str) and plain_key(value) not in verdicts}
    if len(texts | answer) > 1:
        raise QueryError(f"{' and '.join(results)} may be the answer, beside another.", "Name the answer alone answer.")
    return found if "answer" in found or not texts else found | {"answer": texts.pop()}


def _usual(key: str) -> str | None:
    return FIELD_OF.get(plain_key(key))


def _worded(key: str) -> str | None:
    """The field that all words of a key speak of: `gold_passage_ids`."""
    said = said_by(plain_key(key).replace("_", " "))
    return said.field if said and said.whole else None


def _text(value: object, field: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if is_number(value):
        return str(value)
    raise wrong(field, "text", value)


def _ground_truth(value: object) -> str | list[str] | None:
    if not isinstance(value, list):
        return _text(value, "ground_truth")
    texts = [_text(item, f"ground_truth[{i}]") for i, item in enumerate(value)]
    return [text for text in texts if text is not None]


def _extra(value: object) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise wrong("extra", "an object", value)
    if value.get("engine") not in (None, *ENGINES):
        raise wrong("extra.engine", f"one of {', '.join(ENGINES)}", value["engine"])
    if not isinstance(value.get("labeler"), str | None):
        raise wrong("extra.labeler", "a labeler's name", value["labeler"])
    return value
