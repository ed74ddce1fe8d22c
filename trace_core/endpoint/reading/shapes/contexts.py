"""The contexts of an object and the ids of the relevant ones, each perhaps in a list of its own beside the texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from trace_core.endpoint.payload import Context, QueryError
from trace_core.endpoint.reading.language.ordinals import at_position
from trace_core.endpoint.reading.language.plain_contexts import read_contexts
from trace_core.endpoint.reading.language.relevant_ids import read_ids
from trace_core.endpoint.reading.language.words import plain_key
from trace_core.endpoint.reading.shapes.nested import lists_ids, of_item
from trace_core.endpoint.reading.shapes.values import flag, is_number, wrong

_TEXT_ORDER = (
    "text", "page_content", "content", "passage", "chunk", "document", "context", "body", "chunk_text", "snippet",
    "inhalt", "texte", "texto", "testo", "document_content", "node_text",
)  # fmt: skip
_TEXT_KEYS = set(_TEXT_ORDER)
_ID_KEYS = (
    "id", "doc_id", "document_id", "context_id", "chunk_id", "ctx_id", "passage_id", "_id", "source_id", "id_",
    "node_id", "identificador", "identifiant",
)  # fmt: skip
_MARKED = re.compile(r"\[([^\[\]\n]{1,64})\][ \t]{1,4}(\S.*)", re.DOTALL)
"""A context with its id before it."""
_FLAGS = ("relevant", "is_relevant", "pertinent", "relevante", "rilevante")


def contexts_of(value: object) -> tuple[list[Context], bool]:
    """The contexts, and whether any came without an id: its position from 1 is then its id."""
    if value is None:
        return [], False
    if isinstance(value, str):
        value = read_contexts([("context", "", value)], set()) if value.strip() else []
    elif isinstance(value, Mapping):
        texts = not _TEXT_KEYS & {plain_key(key) for key in value} and all(isinstance(t, str) for t in value.values())
        value = [{"id": key, "text": text} for key, text in value.items()] if texts else [value]
    if not isinstance(value, list):
        raise wrong("contexts", 'a list of {"id": …, "text": …}', value)
    if value and all(_is_pair(item) for item in value):
        value = [{"id": name, "text": text} for name, text in value]
    marks = [_MARKED.match(item) for item in value if isinstance(item, str)]
    if len(marks) == len(value) > 1 and all(marks) and len({mark[1] for mark in marks if mark}) == len(marks):
        value = [{"id": mark[1], "text": mark[2]} for mark in marks if mark]
    found = [_context(item, i) for i, item in enumerate(value)]
    own = {identity for identity, _ in found if identity is not None}
    contexts = [Context(id=_place(i, own) if name is None else name, text=t) for i, (name, t) in enumerate(found)]
    return contexts, any(identity is None for identity, _ in found)


def with_ids(contexts: object, beside: Mapping[str, Any]) -> object:
    """The contexts with the ids that another list gives them: `chunks` and `chunk_ids`.

    Raises `QueryError` where the ids are too few, too many, or others than the contexts' own.
    """
    keys = [key for key, held in beside.items() if lists_ids(key) and isinstance(held, list) and held]
    if not keys or not isinstance(contexts, list) or not contexts:
        return contexts
    texts: list[Any] = contexts
    ids: list[Any] = beside[keys[0]]
    if len(ids) == len(texts) == 1 and isinstance(ids[0], list) and isinstance(texts[0], list):
        (ids,), (texts,) = ids, texts  # a list for each question
    names = [str(one) for one in ids if isinstance(one, str) or is_number(one)]
    items = [of_item(item) if isinstance(item, Mapping) else {"text": item} for item in texts]
    own = [next((str(item[key]) for key in _ID_KEYS if item.get(key) is not None), "") for item in items]
    if own == names:
        return texts
    if any(own) or not len(set(names)) == len(names) == len(ids) == len(texts):
        raise QueryError(f"The ids in {keys[0]} do not match the contexts.", "Give each context its id.")
    return [{**item, "id": name} for item, name in zip(items, names, strict=True)]


def keyed(contexts: object, relevant: object) -> object:
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


def relevant_ids(value: object, contexts: Sequence[Context]) -> list[str]:
    """The relevant ids; a name that is a context's whole text, its id in another case, or its position in words, is
    replaced by that context's id, and so is a flag for each context.
    """
    if value is None:
        return []
    known = [context.id for context in contexts]
    if isinstance(value, str):
        value = _quoting(value, contexts) or read_ids(value, known)
    elif is_number(value):
        value = [value]
    if not isinstance(value, Sequence):
        raise wrong("relevant_context_ids", "a list of ids", value)
    if _are_flags(value, known):
        return [name for name, said in zip(known, value, strict=True) if flag(said, numbers=True)]
    ids = [_id(_of(item), f"relevant_context_ids[{i}]") for i, item in enumerate(value) if item != ""]
    by_text = {context.text.strip(): context.id for context in contexts}
    by_case = {name.casefold(): name for name in known}
    found = [by_text.get(name) or (name if name in known else by_case.get(name.casefold(), name)) for name in ids]
    return list(dict.fromkeys(name if name in known else at_position(name, known) or name for name in found))


def flagged(given: object, contexts: Sequence[Context]) -> list[str] | None:
    """The ids of the contexts that say of themselves that they are relevant; `None` where not each says something."""
    items = given if isinstance(given, list) else []
    plain = [{plain_key(k): v for k, v in item.items()} for item in items if isinstance(item, Mapping)]
    marks = [[item[key] for key in _FLAGS if item.get(key) is not None] for item in plain]
    said = [flag(mark[0], numbers=True) if mark else None for mark in marks]
    if not said or len(said) != len(contexts) or None in said:
        return None
    return [context.id for context, one in zip(contexts, said, strict=True) if one] or None


def _are_flags(value: Sequence[object], known: Sequence[str]) -> bool:
    """Whether the list has a truth value, or a yes or no, for each context, or only 0 and 1, which repeat."""
    if len(value) != len(known) or not value:
        return False
    repeated = len(set(map(str, value))) < len(value)
    numbers = repeated and all(is_number(one) and one in (0, 1) for one in value)
    return numbers or all(flag(one) is not None and str(one) not in known for one in value)


def _is_pair(item: object) -> bool:
    """Whether the item is an id and a text."""
    if not isinstance(item, list | tuple) or len(item) != 2:
        return False
    name, text = item
    return isinstance(name, str) and isinstance(text, str) and bool(name) and not re.search(r"\s", name)


def _place(i: int, taken: set[str]) -> str:
    """A context's position as its id, unless another context has that id."""
    return f"{i + 1}" if f"{i + 1}" not in taken else f"{i + 1} (by place)"


def _context(item: object, i: int) -> tuple[str | None, str]:
    """One context's id, if any, and its text."""
    if isinstance(item, str):
        return None, item
    if not isinstance(item, Mapping):
        raise wrong(f"contexts[{i}]", 'an object {"id": …, "text": …}', item)
    plain = of_item(item)
    if len(plain) == 1 and not _TEXT_KEYS & set(plain) and not set(_ID_KEYS) & set(plain):
        ((name, text),) = item.items()
        if isinstance(text, str):
            return str(name), text
    text = next((plain[key] for key in _TEXT_ORDER if key in plain), None)
    identity = next((plain[key] for key in _ID_KEYS if plain.get(key) is not None), None)
    if not isinstance(text, str):
        raise wrong(f"contexts[{i}].text", "text", text)
    return (None if identity is None else _id(identity, f"contexts[{i}].id")), text


def _id(value: object, field: str) -> str:
    if isinstance(value, str) and value.strip():
        return value.strip()
    if is_number(value):
        return str(value)
    raise wrong(field, "an id (text or a number)", value)


def _quoting(text: str, contexts: Sequence[Context]) -> list[str]:
    """The ids of the contexts quoted in full, where the text contains nothing else."""
    found = []
    for context in sorted(contexts, key=lambda context: -len(context.text)):
        if context.text.strip() and context.text in text:
            found.append(context.id)
            text = text.replace(context.text, "")
    order = [context.id for context in contexts]
    return sorted(found, key=order.index) if found and not re.search(r"\w", text.replace(" and ", "")) else []


def _of(item: object) -> object:
    """The id of a relevant context given as an object."""
    if isinstance(item, Mapping):
        plain = {plain_key(key): part for key, part in item.items()}
        return next((plain[key] for key in (*_ID_KEYS, *_TEXT_ORDER) if plain.get(key) is not None), item)
    return item
