"""What is in Qdrant: list, inspect, search and write collections. Any collection works that has a dense vector of the
model's size, named or not, whatever its payload: the path of the text is detected, and can be chosen."""

import re
import threading
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from operator import methodcaller
from typing import Any, NamedTuple

from trace_core.errors import InputError, QdrantUnreachable, RetrievalError, TraceError, UnknownCollection
from trace_core.facts.records import ID_KEYS, Document
from trace_core.facts.sentences import spans
from trace_core.models.embedding import Embedder, Vectors
from trace_core.retrieval.client import Qdrant
from trace_core.retrieval.payloads import document, first, flat, is_prose, text_field

MODEL_KEY, SOURCE_KEY = "embedding_model", "source"
DOCUMENT_FIELDS = ("document", SOURCE_KEY, "file_name", "filename", "document_id", "doc_id")
"""Where a payload may say which document a chunk is of; TRACE's own name is in `document`."""
MOST_POINTS = 20_000
"""Points read to list a collection's documents."""
CORRECT_FROM, INCORRECT_BELOW = 0.55, 0.43
"""How far a retrieval is trusted by its best score: defaults set on the demo's golden questions."""
DENSE = "dense"
_SMALL = 300  # points, of some 2,000 sentences: the embedder remembers twice as many texts
_SAMPLE = 100  # points whose payloads are read to find the text
_PAGE = 1000  # points or names per request
_NAME = re.compile(r"\w[\w .-]{0,98}[\w.-]|\w")


@dataclass(frozen=True, slots=True)
class VectorInfo:
    """One vector of a collection; its name may be "", and a sparse one has neither size nor distance."""

    name: str
    size: int = 0
    distance: str = ""
    kind: str = DENSE

    def __str__(self) -> str:
        parts = [str(self.size), self.distance] if self.size else []
        parts += [] if self.kind == DENSE else [self.kind]
        return f"{self.name + ': ' if self.name else ''}{', '.join(parts)}"


@dataclass(frozen=True, slots=True)
class CollectionInfo:
    """What a collection contains. `text_field` is the detected path, `None` where no field fits."""

    name: str
    points: int
    vectors: tuple[VectorInfo, ...]
    payload_fields: tuple[str, ...]
    text_field: str | None
    embedding_model: str | None


class Point(NamedTuple):
    """One chunk: a stable id, and its payload."""

    id: str
    payload: Mapping[str, Any]


class StoredDocument(NamedTuple):
    """One document: what its payloads call it, and its chunks in order."""

    name: str
    title: str | None
    chunks: tuple[Document, ...]


class Survey(NamedTuple):
    """The documents of the first `points` points; how many are without text, and their fields with some → points."""

    points: int
    documents: tuple[StoredDocument, ...]
    without: int
    elsewhere: Mapping[str, int]


class Collections:
    """The collections of one Qdrant, searched with one embedding model. Its methods raise `RetrievalError`."""

    def __init__(self, qdrant: Qdrant, embedder: Embedder) -> None:
        self.qdrant = qdrant
        self.embedder = embedder

    def names(self) -> list[str]:
        """The names of all collections, sorted."""
        return sorted(one.name for one in self.qdrant.do(methodcaller("get_collections")).collections)

    def describe(self, name: str) -> CollectionInfo:
        """Size, vectors and payload."""
        info = self.qdrant.do(methodcaller("get_collection", name), name)
        payloads = [point.payload for point in islice(self._every(name, _SAMPLE), _SAMPLE)]
        fields = tuple(sorted({key for payload in payloads for key in payload}))
        vectors, model = _vectors(info.config.params), (info.config.metadata or {}).get(MODEL_KEY)
        return CollectionInfo(name, info.points_count or 0, vectors, fields, text_field(payloads), model)

    def check(
        self, name: str, vector: str | None = None, text_field: str | None = None
    ) -> tuple[CollectionInfo, str, VectorInfo]:
        """What a search in the collection uses: its description, the text's path and the vector. Raises for an unknown
        or an empty collection, and where no or no single vector fits."""
        info = self.describe(name)
        field = _field_of(info, text_field)
        self.check_model(info)
        return info, field, _fitting(info, self.embedder.embed([name]).shape[1], self.embedder.name, vector)

    def search(
        self, name: str, question: str, top_k: int, *, vector: str | None = None, text_field: str | None = None
    ) -> list[Document]:
        """The `top_k` nearest chunks, best first, ranks from 1. Raises `ModelError`, too."""
        info, field, using = self.check(name, vector, text_field)
        query = self.embedder.embed([question])[0]
        documents: list[Document] = []
        for limit in (top_k, 10 * top_k, 100 * top_k):  # a point without text gets no rank
            ask = methodcaller("query_points", name, query=query.tolist(), using=using.name or None, limit=limit)
            hits = self.qdrant.do(ask, name).points
            nearest = (document(str(h.id), flat(h.payload), field, _similarity(h.score, using.distance)) for h in hits)
            documents = [each for each in nearest if each.text.strip()][:top_k]
            if len(documents) == top_k or len(hits) < limit:
                break
        if not documents:
            raise _without_text(info, field)
        return [each.model_copy(update={"rank": rank}) for rank, each in enumerate(documents, start=1)]

    def check_model(self, info: CollectionInfo) -> None:
        """Raises `RetrievalError` when the collection names another model as the one that embedded it."""
        if info.embedding_model and info.embedding_model != self.embedder.name:
            message = f"{info.name!r} was embedded with {info.embedding_model!r}, not {self.embedder.name!r}."
            hint = f"Set TRACE_EMBEDDING_MODEL={info.embedding_model}, or choose another collection."
            raise RetrievalError(message, hint)

    def create(self, name: str, size: int) -> None:
        """Create the collection, with the model's name stored in it, unless it exists."""
        from qdrant_client import models

        params = models.VectorParams(size=size, distance=models.Distance.COSINE)
        metadata = {MODEL_KEY: self.embedder.name}
        try:
            self.qdrant.do(methodcaller("create_collection", name, vectors_config=params, metadata=metadata))
        except RetrievalError:
            if name not in self.names():  # otherwise another writer has just created it
                raise
        if not self.qdrant.embedded:  # a cloud refuses filters on fields without an index
            index = models.PayloadSchemaType.KEYWORD
            self.qdrant.do(methodcaller("create_payload_index", name, SOURCE_KEY, index, wait=True), name)

    def write(self, info: CollectionInfo, points: Sequence[Point], vectors: Vectors) -> None:
        """Write points and their vectors (n × d) into the collection that `describe` says this of."""
        from qdrant_client import models

        self.check_model(info)
        using = _fitting(info, vectors.shape[1], self.embedder.name, None)
        by_name = {using.name: vectors.tolist()} if using.name else vectors.tolist()
        ids, payloads = [point.id for point in points], [dict(point.payload) for point in points]
        batch = models.Batch(ids=ids, vectors=by_name, payloads=payloads)
        self.qdrant.do(methodcaller("upsert", info.name, batch, wait=True), info.name)

    def payloads(self, name: str, ids: Sequence[int | str]) -> dict[str, dict[str, Any]]:
        """Id → stored payload, for the points that exist."""
        records = self.qdrant.do(methodcaller("retrieve", name, list(ids), with_payload=True), name)
        return {str(record.id): dict(record.payload or {}) for record in records}

    def texts(self, name: str, ids: Sequence[str]) -> dict[str, str]:
        """Id → text of the chunks that exist, by point id or, where the server filters so, by the payload's id."""
        field = _field_of(self.describe(name), None)
        payloads = {point: flat(payload) for point, payload in self.payloads(name, _point_ids(ids)).items()}
        keys = [key for each in ID_KEYS for key in (each, f"metadata.{each}")]
        try:
            for point_id, payload in self._where(name, keys, ids):
                payloads[point_id] = dict(payload)
        except QdrantUnreachable:
            raise
        except RetrievalError:
            pass
        texts: dict[str, str] = {}
        for point, payload in payloads.items():
            if isinstance(text := payload.get(field), str):
                texts |= {key: text for key in (point, first(payload, ID_KEYS)) if key and key in ids}
        return texts

    def documents(self, name: str, ids: Sequence[str]) -> list[Document]:
        """The chunks of these ids, in their order. Raises `RetrievalError` for an id that is not there."""
        texts = self.texts(name, ids)
        if absent := [each for each in ids if each not in texts]:
            message = f"The collection {name!r} has no document with the id {absent[0]!r}."
            raise RetrievalError(message, "Choose the collection that the rows were made from.")
        return [Document(id=each, rank=rank, text=texts[each]) for rank, each in enumerate(ids, start=1)]

    def survey(self, name: str, text_field: str | None = None) -> Survey:
        """The documents of a collection as `search` reads them, and what it cannot read."""
        info = self.describe(name)
        field = _field_of(info, text_field)
        names = [each for each in DOCUMENT_FIELDS if each != field]
        documents: dict[str, list[tuple[float, Document]]] = {}
        elsewhere: Counter[str] = Counter()
        total = without = 0
        for point in islice(self._every(name), MOST_POINTS):
            total += 1
            chunk = document(point.id, point.payload, field)
            if chunk.text.strip():
                order = point.payload.get("chunk")
                of_document = documents.setdefault(first(point.payload, names) or chunk.id, [])
                of_document.append((order if isinstance(order, int) else len(of_document), chunk))
            else:
                without += 1
                elsewhere.update(path for path, text in point.payload.items() if is_prose(text))
        listing = (
            StoredDocument(each, chunks[0][1].title, tuple(c for _, c in sorted(chunks, key=lambda one: one[0])))
            for each, chunks in sorted(documents.items())
        )
        return Survey(total, tuple(listing), without, dict(elsewhere.most_common()))

    def closest(self, question: str, texts: Sequence[str]) -> list[tuple[int, int]]:
        """Start and end, in code points, of the sentence in each text that is nearest to the question."""
        cuts = [spans(text) or [(0, len(text))] for text in texts]
        sentences = [text[begin:end] for text, of_text in zip(texts, cuts, strict=True) for begin, end in of_text]
        near = iter((self.embedder.embed(sentences) @ self.embedder.embed([question])[0]).tolist())
        return [max(zip(islice(near, len(each)), each, strict=True))[1] for each in cuts]

    def prepare(self, name: str = "") -> None:
        """Embed the sentences of a small collection, or of every one, so that the first question need not wait."""
        with suppress(TraceError):  # what cannot be read is said when it is asked
            for info in map(self.describe, [name] if name else self.names()):
                for chunk, _ in self.chunks(info.name) if info.text_field and info.points <= _SMALL else ():
                    if not threading.main_thread().is_alive():  # the process ends, and waits for this
                        return
                    self.embedder.embed([chunk.text[begin:end].strip() for begin, end in spans(chunk.text)])

    def chunks(self, name: str) -> Iterator[tuple[Document, str | None]]:
        """Every chunk that has text, as `search` reads it, with the document name from its payload."""
        field = _field_of(self.describe(name), None)
        for point in self._every(name):
            chunk = document(point.id, point.payload, field)
            if chunk.text.strip():
                yield chunk, first(point.payload, ("document",))

    def delete(self, name: str) -> None:
        """Remove a collection and everything in it."""
        if name not in self.names():
            raise UnknownCollection(f"There is no collection {name!r} in {self.qdrant.place}.")
        self.qdrant.do(methodcaller("delete_collection", name), name)

    def delete_document(self, name: str, document_name: str, text_field: str | None = None) -> int:
        """Remove every chunk of the document that `survey` calls so; returns how many."""
        names = [each for each in DOCUMENT_FIELDS if each != _field_of(self.describe(name), text_field)]
        ids = [p.id for p in self._every(name) if (first(p.payload, (*names, *ID_KEYS)) or p.id) == document_name]
        self._remove(name, ids)
        return len(ids)

    def delete_older(self, name: str, sources: Sequence[str], keep: Set[bytes]) -> None:
        """Remove older versions of the `sources`: all their points whose id (16 bytes) is not in `keep`."""
        ids = (point.id for point in self._where(name, [SOURCE_KEY], sources, with_payload=False))
        self._remove(name, [i for i in ids if i.isdecimal() or uuid.UUID(i).bytes not in keep])

    def _remove(self, name: str, ids: Iterable[str]) -> None:
        from qdrant_client import models

        point_ids = _point_ids(ids)
        for at in range(0, len(point_ids), _PAGE):
            points = models.PointIdsList(points=point_ids[at : at + _PAGE])
            self.qdrant.do(methodcaller("delete", name, points, wait=True), name)

    def _where(self, name: str, keys: Sequence[str], values: Sequence[str], **options: Any) -> Iterator[Point]:
        """The points in whose payload one of the keys has one of the values; else as `_every`."""
        from qdrant_client import models

        for start in range(0, len(values), _PAGE):
            match = models.MatchAny(any=list(values[start : start + _PAGE]))
            theirs = models.Filter(should=[models.FieldCondition(key=key, match=match) for key in keys])
            yield from self._every(name, scroll_filter=theirs, **options)

    def _every(self, name: str, page: int = _PAGE, **options: Any) -> Iterator[Point]:
        """All points in order of id, their payloads flat (`a.b`); `options` are those of Qdrant's scroll."""
        offset, more = None, True
        while more:
            scroll = methodcaller("scroll", name, limit=page, offset=offset, **options)
            points, offset = self.qdrant.do(scroll, name)
            yield from (Point(str(point.id), flat(point.payload)) for point in points)
            more = offset is not None


def check_name(name: str) -> None:
    """Raises `InputError` for an invalid collection name: the embedded Qdrant makes a folder of it."""
    if not _NAME.fullmatch(name):
        hint = "Use up to 100 letters, digits, spaces, dots, hyphens and underscores; begin with a letter or digit."
        raise InputError(f"{name!r} cannot name a collection.", hint, field="collection")


def _vectors(params: Any) -> tuple[VectorInfo, ...]:
    vectors = params.vectors or {}
    infos = []
    for name, of in vectors.items() if isinstance(vectors, Mapping) else [("", vectors)]:
        kind = "multivector" if of.multivector_config else DENSE
        infos.append(VectorInfo(name, of.size, str(of.distance.value).lower(), kind))
    return (*infos, *(VectorInfo(name, kind="sparse") for name in params.sparse_vectors or {}))


def _point_ids(texts: Iterable[str]) -> list[int | str]:
    """Those of the texts that may be ids of points: numbers and UUIDs."""
    ids: list[int | str] = []
    for text in texts:
        with suppress(ValueError):
            ids.append(int(text) if text.isdecimal() else str(uuid.UUID(text)))
    return ids


def _fitting(info: CollectionInfo, size: int, model: str, name: str | None) -> VectorInfo:
    """The vector to search: the one of that name, else the only dense one with the model's size."""
    fits = [v for v in info.vectors if v.kind == DENSE and v.size == size and name in (None, v.name)]
    if len(fits) == 1:
        return fits[0]
    if fits:
        names = ", ".join(v.name or "the one without a name" for v in fits)
        message = f"{info.name!r} has {len(fits)} vectors of {size} dimensions: {names}."
        hint = "Name the one to search: --vector NAME, or choose it on the page Collections."
        raise RetrievalError(message, hint)
    what = f"no vector {name!r}" if name else "no dense vector"
    others = "; ".join(map(str, info.vectors)) or "none"
    message = f"{info.name!r} has {what} of {size} dimensions for the model {model!r}, but: {others}."
    hint = "Choose another vector or collection, or set TRACE_EMBEDDING_MODEL to the model that made this one."
    raise RetrievalError(message, hint)


def _field_of(info: CollectionInfo, field: str | None) -> str:
    if info.points == 0:
        raise RetrievalError(f"The collection {info.name!r} is empty.", "Ingest documents, or choose another.")
    field = field or info.text_field
    if field is None:
        raise _without_text(info)
    return field


def _without_text(info: CollectionInfo, field: str = "") -> RetrievalError:
    message = f"The field {field!r} of {info.name!r} contains no text." if field else f"{info.name!r} contains no text."
    return RetrievalError(message, f"Choose one of its fields: {', '.join(info.payload_fields) or 'it has none'}.")


def _similarity(score: float, distance: str) -> float | None:
    """Qdrant's score as a similarity, higher is nearer; `None` where there is none."""
    if distance == "euclid":
        return 1 - score * score / 2  # the cosine, since all vectors have length 1
    return None if distance == "manhattan" else score


def retrieval_action(
    confidence: float | None, *, correct_from: float = CORRECT_FROM, incorrect_below: float = INCORRECT_BELOW
) -> str | None:
    """`correct`, `ambiguous` or `incorrect` by the best score, as in CRAG (arXiv:2401.15884); `None` without one."""
    if confidence is None:
        return None
    return "correct" if confidence >= correct_from else "incorrect" if confidence < incorrect_below else "ambiguous"
