"""What is in Qdrant: list, inspect, search and write collections.

Any collection works: one unnamed vector or named ones, any payload. The field that contains the
text is detected, and can be set.
"""

from __future__ import annotations

import re
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from trace_core.errors import (
    EmptyCollection,
    InputError,
    NoTextField,
    QdrantUnreachable,
    RetrievalError,
    UnknownCollection,
    VectorMismatch,
)
from trace_core.facts.records import Document, valid_text
from trace_core.retrieval.client import Qdrant, payload_dict
from trace_core.retrieval.embedding import Embedder, Vectors

TEXT_FIELDS = ("text", "page_content", "content", "document", "chunk", "passage", "body", "chunk_text")
TITLE_FIELDS = ("title", "name", "source", "file_name", "filename", "url")
ID_FIELDS = ("id", "doc_id", "document_id")
DOCUMENT_FIELDS = ("document",)
MODEL_KEY = "embedding_model"
SOURCE_KEY = "source"
_CONFLICT = 409
_SAMPLE = 20
_NAMES, _PAGE = 1000, 1000  # sources per request; points per request
_NAME = re.compile(r"\w[\w .-]{0,98}[\w.-]|\w")


@dataclass(frozen=True, slots=True)
class VectorInfo:
    """One vector of a collection; its name is "" if it is unnamed."""

    name: str
    size: int
    distance: str


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """What a collection contains. `text_field` is the detected one, `None` where no field fits."""

    name: str
    points: int
    vectors: tuple[VectorInfo, ...]
    payload_fields: tuple[str, ...]
    text_field: str | None
    embedding_model: str | None


@dataclass(frozen=True, slots=True)
class Point:
    """One chunk to write: a stable id, the text to embed, and the payload stored with it."""

    id: str
    payload: Mapping[str, Any]


class Collections:
    """The collections of one Qdrant, searched with one embedding model."""

    def __init__(self, qdrant: Qdrant, embedder: Embedder) -> None:
        self.qdrant = qdrant
        self.embedder = embedder

    def names(self) -> list[str]:
        """The names of all collections, sorted. Raises `QdrantUnreachable`."""
        found = self.qdrant.do(lambda client: client.get_collections())
        return sorted(collection.name for collection in found.collections)

    def describe(self, name: str) -> CollectionInfo:
        """Size, vectors and payload. Raises `UnknownCollection`."""
        info = self.qdrant.do(lambda client: client.get_collection(name), name)
        sample = self.qdrant.do(lambda client: client.scroll(name, limit=_SAMPLE)[0], name)
        payloads = [payload_dict(point.payload) for point in sample]
        return CollectionInfo(
            name=name,
            points=info.points_count or 0,
            vectors=_vectors(info.config.params.vectors),
            payload_fields=tuple(sorted({key for payload in payloads for key in payload})),
            text_field=_text_field(payloads),
            embedding_model=(info.config.metadata or {}).get(MODEL_KEY),
        )

    def search(
        self,
        name: str,
        question: str,
        top_k: int,
        *,
        vector: str | None = None,
        text_field: str | None = None,
    ) -> list[Document]:
        """The `top_k` nearest chunks, best first, ranks from 1.

        Raises `UnknownCollection`, `EmptyCollection`, `VectorMismatch`, `NoTextField`,
        `QdrantUnreachable`, `ModelError`.
        """
        info = self.describe(name)
        field = self._text_field(info, text_field)
        self.check_model(info)
        query = self.embedder.embed([question])[0]
        using = _fitting(info, len(query), self.embedder.name, vector)
        hits = self.qdrant.do(
            lambda client: (
                client.query_points(
                    name, query=query.tolist(), using=using.name or None, limit=top_k, with_payload=True
                ).points
            ),
            name,
        )
        found = [_hit(hit, field, using.distance) for hit in hits]
        documents = [document for document in found if document.text.strip()]
        if found and not documents:
            raise NoTextField(
                f"The field {field!r} of {name!r} holds no text.",
                f"Choose another: {', '.join(info.payload_fields)}.",
            )
        return [d.model_copy(update={"rank": rank}) for rank, d in enumerate(documents, start=1)]

    def check_model(self, info: CollectionInfo) -> None:
        """Raises `VectorMismatch` when the collection names another model as the one that embedded it."""
        if info.embedding_model and info.embedding_model != self.embedder.name:
            raise VectorMismatch(
                f"{info.name!r} was embedded with {info.embedding_model!r}, not {self.embedder.name!r}.",
                f"Set TRACE_EMBEDDING_MODEL={info.embedding_model}, or choose another collection.",
            )

    def create(self, name: str, size: int) -> None:
        """Create the collection, with the model's name stored in it, unless it exists.

        On a server the document names are indexed: a cloud refuses filters on fields without an index.
        """
        from qdrant_client import models
        from qdrant_client.http.exceptions import UnexpectedResponse

        params = models.VectorParams(size=size, distance=models.Distance.COSINE)
        metadata = {MODEL_KEY: self.embedder.name}

        def create(client: Any) -> None:
            if not client.collection_exists(name):
                try:
                    client.create_collection(name, vectors_config=params, metadata=metadata)
                except UnexpectedResponse as error:
                    if error.status_code != _CONFLICT:  # otherwise another writer has just created it
                        raise
            if not self.qdrant.embedded:
                client.create_payload_index(name, SOURCE_KEY, models.PayloadSchemaType.KEYWORD, wait=True)

        self.qdrant.do(create, name)

    def write(self, name: str, points: Sequence[Point], vectors: Vectors, info: CollectionInfo | None = None) -> None:
        """Write points and their vectors (n × d); writing the same ids again changes nothing.

        A caller that writes many batches looks the collection up once and passes its `info`. Raises
        `VectorMismatch` when another model embedded the collection.
        """
        from qdrant_client import models

        info = info or self.describe(name)
        self.check_model(info)
        using = _fitting(info, vectors.shape[1], self.embedder.name, None)
        shaped = [{using.name: v.tolist()} if using.name else v.tolist() for v in vectors]
        structs = [
            models.PointStruct(id=point.id, vector=vector, payload=dict(point.payload))
            for point, vector in zip(points, shaped, strict=True)
        ]
        self.qdrant.do(lambda client: client.upsert(name, structs, wait=True), name)

    def payloads(self, name: str, ids: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Id → stored payload, for the points that exist."""
        found = self.qdrant.do(lambda client: client.retrieve(name, list(ids), with_payload=True), name)
        return {str(point.id): dict(point.payload or {}) for point in found}

    def texts(self, name: str, ids: Sequence[str]) -> dict[str, str]:
        """Id → text of the chunks that exist, found by point id or by the id in the payload.

        Raises `UnknownCollection`, `NoTextField`, `QdrantUnreachable`.
        """
        field = self.describe(name).text_field
        if field is None:
            raise NoTextField(f"No payload field of {name!r} holds text.")
        points = [int(i) if i.isdigit() else i for i in ids if i.isdigit() or _is_uuid(i)]
        found = list(self.qdrant.do(lambda client: client.retrieve(name, points, with_payload=True), name))
        found += self._called(name, ids)
        read: dict[str, str] = {}
        for point in found:
            payload = payload_dict(point.payload)
            if isinstance(text := payload.get(field), str):
                read |= {key: text for key in (str(point.id), _first(payload, ID_FIELDS)) if key and key in ids}
        return read

    def _scrolled(self, name: str, to: Any) -> list[Any]:
        return list(self.qdrant.do(lambda client: client.scroll(name, to, limit=_PAGE)[0], name))

    def _called(self, name: str, ids: Sequence[str]) -> list[Any]:
        """The points whose payload has one of the ids; none where the server refuses to filter by payload."""
        from qdrant_client import models

        keys = [key for each in ID_FIELDS for key in (each, f"metadata.{each}")]
        found: list[Any] = []
        for start in range(0, len(ids), _NAMES):
            named = models.MatchAny(any=list(ids[start : start + _NAMES]))
            theirs = models.Filter(should=[models.FieldCondition(key=key, match=named) for key in keys])
            try:
                found += self._scrolled(name, theirs)
            except QdrantUnreachable:
                raise
            except RetrievalError:
                return found
        return found

    def look(self, name: str, limit: int, offset: Any = None) -> tuple[list[Point], Any]:
        """Some points in order of id, with dotted payload keys (`a.b`), and the offset of the next page."""
        found, following = self.qdrant.do(lambda client: client.scroll(name, limit=limit, offset=offset), name)
        return [Point(str(point.id), payload_dict(point.payload)) for point in found], following

    def chunks(self, name: str) -> Iterator[tuple[Document, str | None]]:
        """Every chunk that has text, read page by page, with the document name from its payload.

        Id, title and text are as in `search`, and so are the errors raised.
        """
        field = self._text_field(self.describe(name), None)
        offset = None
        while True:
            points, offset = self.look(name, _PAGE, offset)
            for point in points:
                document = _document(point.id, point.payload, field)
                if document.text.strip():
                    yield document, _first(point.payload, DOCUMENT_FIELDS)
            if offset is None:
                return

    def _text_field(self, info: CollectionInfo, chosen: str | None) -> str:
        if info.points == 0:
            raise EmptyCollection(f"The collection {info.name!r} is empty.", "Ingest documents, or choose another.")
        field = chosen or info.text_field
        if field is None:
            raise NoTextField(
                f"No payload field of {info.name!r} holds text.",
                f"Choose one of its fields: {', '.join(info.payload_fields) or 'it has none'}.",
            )
        return field

    def delete(self, name: str) -> None:
        """Remove a collection and everything in it. Raises `UnknownCollection`."""
        if name not in self.names():
            raise UnknownCollection(f"There is no collection {name!r} in {self.qdrant.place}.")
        self.qdrant.do(lambda client: client.delete_collection(name), name)

    def delete_older(self, name: str, sources: Sequence[str], keep: Set[bytes]) -> None:
        """Remove older versions of the `sources`: all their points whose id (16 bytes) is not in `keep`."""
        from qdrant_client import models

        for start in range(0, len(sources), _NAMES):
            named = models.MatchAny(any=list(sources[start : start + _NAMES]))
            theirs = models.Filter(must=[models.FieldCondition(key="source", match=named)])
            old = [i for i in self._ids(name, theirs) if not (isinstance(i, str) and uuid.UUID(i).bytes in keep)]
            for first in range(0, len(old), _PAGE):
                self._delete_points(name, old[first : first + _PAGE])

    def _delete_points(self, name: str, ids: list[Any]) -> None:
        from qdrant_client import models

        self.qdrant.do(lambda client: client.delete(name, models.PointIdsList(points=ids), wait=True), name)

    def _ids(self, name: str, chosen: Any) -> Iterator[Any]:
        """The ids of the points that a filter selects, read page by page."""
        offset = None
        while True:
            page, offset = self._page(name, chosen, offset)
            yield from page
            if offset is None:
                return

    def _page(self, name: str, chosen: Any, offset: Any) -> tuple[list[Any], Any]:
        found, following = self.qdrant.do(
            lambda client: client.scroll(name, chosen, limit=_PAGE, offset=offset, with_payload=False), name
        )
        return [point.id for point in found], following


def check_name(name: str) -> None:
    """Raises `InputError` for an invalid collection name: the embedded Qdrant makes a folder of it."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} cannot name a collection.",
            "Use up to 100 letters, digits, spaces, dots, hyphens and underscores; begin with a letter or digit.",
            field="collection",
        )


def _vectors(params: Any) -> tuple[VectorInfo, ...]:
    if params is None:
        return ()
    named = params if isinstance(params, Mapping) else {"": params}
    return tuple(VectorInfo(name, p.size, str(p.distance.value).lower()) for name, p in named.items())


def _is_uuid(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True


def _fitting(info: CollectionInfo, size: int, model: str, chosen: str | None) -> VectorInfo:
    """The vector to search: the chosen one, else the first with the model's size."""
    candidates = [v for v in info.vectors if chosen is None or v.name == chosen]
    for vector in candidates:
        if vector.size == size:
            return vector
    sizes = ", ".join(f"{v.name or 'the vector'} has {v.size}" for v in candidates) or "it has no such vector"
    raise VectorMismatch(
        f"{info.name!r} does not fit the model {model!r}: the model makes {size} dimensions, {sizes}.",
        "Set TRACE_EMBEDDING_MODEL to the model that made the collection, or choose another collection.",
    )


def _text_field(payloads: Sequence[Mapping[str, Any]]) -> str | None:
    """The text field: one with a usual name and prose, else the one with the longest prose, else a usual name."""
    lengths: dict[str, int] = defaultdict(int)
    for payload in payloads:
        for field, value in payload.items():
            if isinstance(value, str) and value.strip():
                lengths[field] += len(value) if _is_prose(value.strip()) else 0
    usual = [field for field in TEXT_FIELDS if field in lengths]
    prose = [field for field in usual if lengths[field]]
    if not prose and any(lengths.values()):
        return max(lengths, key=lambda field: lengths[field])
    return next(iter(prose or usual), None)


def _is_prose(text: str) -> bool:
    """Whether the text has more than one word; a script beyond ASCII may have no spaces between words."""
    return " " in text or not text.isascii()


def _hit(hit: Any, field: str, distance: str) -> Document:
    document = _document(str(hit.id), payload_dict(hit.payload), field)
    return document.model_copy(update={"retrieval_score": _similarity(hit.score, distance)})


def _document(point_id: str, payload: Mapping[str, Any], field: str) -> Document:
    text = payload.get(field)
    return Document(
        id=_first(payload, ID_FIELDS) or point_id,
        rank=0,
        title=_first(payload, TITLE_FIELDS),
        text=str(valid_text(text)) if isinstance(text, str) else "",
    )


def _similarity(score: float, distance: str) -> float | None:
    """Qdrant's score as a similarity, higher is nearer; `None` where there is none."""
    if distance == "euclid":
        return 1 - score * score / 2  # the cosine, since all vectors have length 1
    return None if distance == "manhattan" else score


def _first(payload: Mapping[str, Any], fields: Sequence[str]) -> str | None:
    for field in fields:
        for name in (field, f"metadata.{field}"):
            value = payload.get(name)
            if isinstance(value, str | int) and str(value).strip():
                return str(value)
    return None
