"""The mappings that people chose, kept for the next file with the same columns."""

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

FILE = "mappings.json"


def recall(folder: Path, columns: Sequence[str]) -> dict[str, str | None]:
    """The changes that a person made to the mapping of a file with these columns; none where there was no such file."""
    return dict(_mappings(folder).get(json.dumps(sorted(columns)), {}))


def remember(folder: Path, columns: Sequence[str], changes: Mapping[str, str | None]) -> None:
    """Keep the changes; nothing where the folder cannot be written."""
    mappings = _mappings(folder) | {json.dumps(sorted(columns)): dict(changes)}
    draft = folder / f".{FILE}.{os.getpid()}"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        draft.write_text(json.dumps({key: value for key, value in mappings.items() if value}), encoding="utf-8")
        draft.replace(folder / FILE)


def _mappings(folder: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        mappings = json.loads((folder / FILE).read_text("utf-8"))
        return mappings if isinstance(mappings, dict) else {}
    return {}
