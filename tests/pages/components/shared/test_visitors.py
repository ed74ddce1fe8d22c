"""What visitors of the public demo are not told."""

from __future__ import annotations

from pathlib import Path

from pages.components.shared.visitors import without_places
from trace_core.settings import Settings


def test_folders_and_servers_of_the_host_are_not_told(tmp_path: Path) -> None:
    settings = Settings(TRACE_DATA_DIR=tmp_path, QDRANT_URL="https://u:p@cluster.example:6333", _env_file=None)
    said = f"embedded, {tmp_path}/qdrant; Qdrant at https://cluster.example:6333 does not answer; {Path.home()}/x"
    assert without_places(said, settings) == (
        "embedded, (a folder)/qdrant; Qdrant at (a server) does not answer; (a folder)/x"
    )
