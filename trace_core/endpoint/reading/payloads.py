"""An object of any shape → a payload: keys, test names and lists in any usual notation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from trace_core.endpoint.payload import ENGINES, MOST_TESTS, Context, Payload, QueryError
from trace_core.endpoint.reading.language.names import canonical, is_all, is_name
from trace_core.endpoint.reading.language.ordinals import at_position
from trace_core.endpoint.reading.language.plain_contexts import read_contexts
from trace_core.endpoint.reading.language.plain_tests import names_in
from trace_core.endpoint.reading.language.relevant_ids import like_ids, read_ids
from trace_core.endpoint.reading.language.roles import said_by
from trace_core.endpoint.reading.language.words import FIELD_OF, WISHES, field_named, plain_key
from trace_core.endpoint.registry import TESTS
from trace_core.strict import valid

_TEXT_ORDER = (
    "text", "page_content", "content", "passage", "chunk", "document", "context", "body", "chunk_text", "snippet",
    "inhalt", "texte", "texto", "testo",
)  # fmt: skip
_TEXT_KEYS = set(_TEXT_ORDER)
_ID_KEYS = (
    "id",
    "doc_id",
    "document_id",
    "context_id",
    "chunk_id",
    "ctx_id",
    "passage_id",
    "_id",
    "source_id",
    "identificador",
    "identifiant",
)
_HOLDERS = frozenset(
    "inputs input data outputs output result sample case item example row record payload fields kwargs".split()
)
"""Keys of objects that hold parts of the query."""
_MARKED = re.compile(r"\[([^\[\]\n]{1,64})\][ \t]{1,4}(\S.*)", re.DOTALL)
"""A context with its id before it."""
_RESULTS = frozenset("result output_text generated_text generation".split())
"""Keys of what a chain has written."""
_VERDICTS = frozenset("pass passed fail failed ok error success correct incorrect n/a none".split())
_EITHER = frozenset("true false yes no".split())
"""Verdicts beside an answer, and answers where there is no other."""
_FLAGS = ("relevant", "is_relevant", "pertinent", "relevante", "rilevante")
_YES, _NO = frozenset("true yes y 1 ja oui sí si sì".split()), frozenset("false no n 0 nein non nee não".split())
_RIGHT = ("reference", "expected", "gold", "target")
_SHOWN = 60  # characters of a wrong value quoted in an error


def read_payload(given: Mapping[str, Any]) -> Payload:
    """JSON of any shape → a payload. Raises `QueryError` naming the field and what was expected."""
    named = _named(valid(given))
    relevant = named.get("relevant_context_ids")
    contexts, placed = _contexts(_keyed(named.get("contexts"), relevant))
    if relevant is None:
        relevant = _flagged(named.get("contexts"), contexts)
    ids = _ids(relevant, contexts)
    known = [context.id for context in contexts]
    words = [i for i in ids if i not in known and not like_ids(i, known)] if isinstance(relevant, str) else []
    return Payload(
        tests=_tests(named.get("tests")),
        question=_text(named.get("question"), "question"),
        contexts=contexts,
        answer=_text(named.get("answer"), "answer"),
        ground_truth=_ground_truth(named.get("ground_truth")),
        relevant_context_ids=ids,
        extra=_extra(named.get("extra")),
        placed=placed,
        words=words,
    )


def _named(given: Mapping[str, Any]) -> dict[str, Any]:
    """The values under our names. Raises `QueryError` where two usual names for one field have different values.

    A name that is only like a label (`good answer`), or whose words say it, counts where no usual one is there.
    """
    given = {**_of_messages(given.get("messages")), **_unnested(given)}
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
    found = _with_result(found, given)
    return found if found.get("tests") else found | {"tests": told_tests(given)}


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


def told_tests(given: Mapping[str, Any]) -> object:
    """What a key such as `run` holds, if it is nothing but tests: `run: everything`."""
    for key, value in given.items():
        items = names_in(value, listed=True) if isinstance(value, str) else value
        if plain_key(key) in WISHES and isinstance(items, list) and items and all(map(_names_a_test, items)):
            return value
    return None


def _names_a_test(item: object) -> bool:
    return isinstance(item, str) and (is_name(item) or is_all(item))


def _usual(key: str) -> str | None:
    return FIELD_OF.get(plain_key(key))


def _worded(key: str) -> str | None:
    """The field that all words of a key speak of: `gold_passage_ids`."""
    said = said_by(key)
    return said.field if said and said.whole else None


def _unnested(given: Mapping[str, Any], depth: int = 3) -> dict[str, Any]:
    """The parts of the query, those from objects such as `inputs` or `sample` as well.

    What an object with the right answers calls an answer is the ground truth.
    """
    found: dict[str, Any] = {}
    for key, value in given.items():
        right = field_named(key) == "ground_truth" or plain_key(key).startswith(_RIGHT)
        tests = (
            field_named(key) == "tests" and isinstance(value, dict) and any(field_named(k) == "tests" for k in value)
        )
        if not isinstance(value, dict) or not depth or not (right or tests or plain_key(key) in _HOLDERS):
            found[key] = value
            continue
        inner = _unnested(value, depth - 1)
        answer = {name for name in inner if field_named(name) == "answer"} if right else set()
        found |= {"ground_truth" if name in answer else name: part for name, part in inner.items()}
    return found


def _of_messages(value: Any) -> dict[str, Any]:
    """The parts of a conversation: the last question and answer, and what tools returned between them."""
    turns = [turn for turn in value if isinstance(turn, Mapping)] if isinstance(value, list) else []
    said = [(turn.get("role"), turn.get("content")) for turn in turns if isinstance(turn.get("content"), str)]
    asked = max((place for place, (role, _) in enumerate(said) if role == "user"), default=-1)
    if asked < 0:
        return {}
    after = said[asked + 1 :]
    answer = next((text for role, text in reversed(after) if role == "assistant"), None)
    return {
        "question": said[asked][1],
        "answer": answer,
        "contexts": [text for role, text in after if role == "tool"] or None,
    }


def _wrong(field: str, expected: str, value: object) -> QueryError:
    shown = repr(value) if isinstance(value, str | int | float | None) else f"a {type(value).__name__}"
    shown = shown if len(shown) <= _SHOWN else shown[: _SHOWN - 1] + "…"
    return QueryError(f"{field} must be {expected}, not {shown}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _tests(value: object) -> list[str]:
    expected = "a list of names such as answer_accuracy"
    if value is None or value == []:
        raise QueryError("The query names no tests.", f"tests must be {expected}.")
    if isinstance(value, str):
        listed: list[Any] = names_in(value, listed=True)
    elif isinstance(value, dict) and value and all(isinstance(wanted, bool) for wanted in value.values()):
        listed = [name for name, wanted in value.items() if wanted]
    else:
        listed = [_name(item) for item in value] if isinstance(value, list) else []
    if not listed:
        raise _wrong("tests", expected, value)
    for i, name in enumerate(listed):
        if not isinstance(name, str) or not name.strip():
            raise _wrong(f"tests[{i}]", "a name such as answer_accuracy", name)
    names = list(dict.fromkeys(one for name in listed for one in (TESTS if is_all(name) else [canonical(name)])))
    if len(names) > MOST_TESTS:
        raise QueryError(f"The query names {len(names)} tests; at most {MOST_TESTS} are answered at once.")
    return names


def _name(item: object) -> object:
    """The name of a test, which may stand in an object."""
    return item.get("name", item) if isinstance(item, Mapping) else item


def _text(value: object, field: str) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if _is_number(value):
        return str(value)
    raise _wrong(field, "text", value)


def _contexts(value: object) -> tuple[list[Context], bool]:
    """The contexts, and whether any came without an id: its position from 1 is then its id."""
    if value is None:
        return [], False
    if isinstance(value, str):
        value = read_contexts([("context", "", value)], set()) if value.strip() else []
    elif isinstance(value, Mapping):
        texts = not _TEXT_KEYS & {plain_key(key) for key in value} and all(isinstance(t, str) for t in value.values())
        value = [{"id": key, "text": text} for key, text in value.items()] if texts else [value]
    if not isinstance(value, list):
        raise _wrong("contexts", 'a list of {"id": …, "text": …}', value)
    if value and all(_is_pair(item) for item in value):
        value = [{"id": name, "text": text} for name, text in value]
    marks = [_MARKED.match(item) for item in value if isinstance(item, str)]
    if len(marks) == len(value) > 1 and all(marks) and len({mark[1] for mark in marks if mark}) == len(marks):
        value = [{"id": mark[1], "text": mark[2]} for mark in marks if mark]
    found = [_context(item, i) for i, item in enumerate(value)]
    own = {identity for identity, _ in found if identity is not None}
    contexts = [Context(id=_place(i, own) if name is None else name, text=t) for i, (name, t) in enumerate(found)]
    return contexts, any(identity is None for identity, _ in found)


def _is_pair(item: object) -> bool:
    """Whether the item is an id and a text."""
    if not isinstance(item, list | tuple) or len(item) != 2:
        return False
    name, text = item
    return isinstance(name, str) and isinstance(text, str) and bool(name) and not re.search(r"\s", name)


def _keyed(contexts: object, relevant: object) -> object:
    """Contexts such as `c1=Some text.` with their ids, where a relevant id is among them."""
    if not isinstance(contexts, list) or not all(isinstance(item, str) for item in contexts):
        return contexts
    parts = [item.partition("=") for item in contexts]
    names = [name.strip() for name, _, _ in parts]
    said = re.split(r"[\s,;]+", relevant) if isinstance(relevant, str) else relevant
    wanted = {one for one in said if isinstance(one, str)} if isinstance(said, list) else set()
    distinct = all(mark for _, mark, _ in parts) and len(set(names)) == len(names)
    if not distinct or wanted.isdisjoint(names):
        return contexts
    return [{"id": name, "text": text.strip()} for name, (_, _, text) in zip(names, parts, strict=True)]


def _place(i: int, taken: set[str]) -> str:
    """A context's position as its id, unless another context has that id."""
    return f"{i + 1}" if f"{i + 1}" not in taken else f"{i + 1} (by place)"


def _context(item: object, i: int) -> tuple[str | None, str]:
    """One context's id, if any, and its text."""
    if isinstance(item, str):
        return None, item
    if not isinstance(item, Mapping):
        raise _wrong(f"contexts[{i}]", 'an object {"id": …, "text": …}', item)
    plain = {plain_key(key): part for key, part in _unnested(item).items()}
    about = plain.get("metadata")
    plain = {**(about if isinstance(about, Mapping) else {}), **plain}
    if len(plain) == 1 and not _TEXT_KEYS & set(plain) and not set(_ID_KEYS) & set(plain):
        ((name, text),) = item.items()
        if isinstance(text, str):
            return str(name), text
    text = next((plain[key] for key in _TEXT_ORDER if key in plain), None)
    identity = next((plain[key] for key in _ID_KEYS if plain.get(key) is not None), None)
    if not isinstance(text, str):
        raise _wrong(f"contexts[{i}].text", "text", text)
    return (None if identity is None else _id(identity, f"contexts[{i}].id")), text


def _id(value: object, field: str) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if _is_number(value):
        return str(value)
    raise _wrong(field, "an id (text or a number)", value)


def _ids(value: object, contexts: Sequence[Context]) -> list[str]:
    """The relevant ids; a name that is a context's whole text, its id in another case, or its position in words, is
    replaced by that context's id.
    """
    if value is None:
        return []
    known = [context.id for context in contexts]
    if isinstance(value, str):
        value = _quoting(value, contexts) or read_ids(value, known)
    elif _is_number(value):
        value = [value]
    if not isinstance(value, Sequence):
        raise _wrong("relevant_context_ids", "a list of ids", value)
    ids = [_id(_of(item), f"relevant_context_ids[{i}]") for i, item in enumerate(value) if item != ""]
    by_text = {context.text.strip(): context.id for context in contexts}
    by_case = {name.casefold(): name for name in known}
    found = [by_text.get(name) or (name if name in known else by_case.get(name.casefold(), name)) for name in ids]
    return list(dict.fromkeys(name if name in known else at_position(name, known) or name for name in found))


def _quoting(text: str, contexts: Sequence[Context]) -> list[str]:
    """The ids of the contexts quoted in full, where the text contains nothing else."""
    found = []
    for context in sorted(contexts, key=lambda context: -len(context.text)):
        if context.text.strip() and context.text in text:
            found.append(context.id)
            text = text.replace(context.text, "")
    order = [context.id for context in contexts]
    return sorted(found, key=order.index) if found and not re.search(r"\w", text.replace(" and ", "")) else []


def _flagged(given: object, contexts: Sequence[Context]) -> list[str] | None:
    """The ids of the contexts that say of themselves that they are relevant; `None` where not each says something."""
    items = given if isinstance(given, list) else []
    plain = [{plain_key(k): v for k, v in item.items()} for item in items if isinstance(item, Mapping)]
    said = [next((str(item[key]).lower() for key in _FLAGS if item.get(key) is not None), "") for item in plain]
    if not said or len(said) != len(contexts) or not all(one in _YES or one in _NO for one in said):
        return None
    return [context.id for context, one in zip(contexts, said, strict=True) if one in _YES] or None


def _of(item: object) -> object:
    """The id of a relevant context given as an object."""
    if isinstance(item, Mapping):
        plain = {plain_key(key): part for key, part in item.items()}
        return next((plain[key] for key in (*_ID_KEYS, *_TEXT_ORDER) if plain.get(key) is not None), item)
    return item


def _ground_truth(value: object) -> str | list[str] | None:
    if not isinstance(value, list):
        return _text(value, "ground_truth")
    texts = [_text(item, f"ground_truth[{i}]") for i, item in enumerate(value)]
    return [text for text in texts if text is not None]


def _extra(value: object) -> dict[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong("extra", "an object", value)
    if value.get("engine") not in (None, *ENGINES):
        raise _wrong("extra.engine", f"one of {', '.join(ENGINES)}", value["engine"])
    if not isinstance(value.get("labeler"), str | None):
        raise _wrong("extra.labeler", "a labeler's name", value["labeler"])
    return value
