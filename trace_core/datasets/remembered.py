"""The mappings that people chose, kept for the next file with the same columns."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

FILE = "mappings.json"


def recall(folder: Path, columns: Sequence[str]) -> dict[str, str | None]:
    """The changes that a person made to the mapping of a file with these columns; none where there was no such file."""
    return dict(_all(folder).get(json.dumps(sorted(columns)), {}))


def remember(folder: Path, columns: Sequence[str], changes: Mapping[str, str | None]) -> None:
    """Keep the changes; nothing where the folder cannot be written."""
    known = _all(folder)
    known.pop(key := json.dumps(sorted(columns)), None)
    known |= {key: dict(changes)} if changes else {}
    aside = folder / f".{FILE}.{os.getpid()}"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        aside.write_text(json.dumps(known), encoding="utf-8")
        aside.replace(folder / FILE)


def _all(folder: Path) -> dict[str, Any]:
    try:
        found = json.loads((folder / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
