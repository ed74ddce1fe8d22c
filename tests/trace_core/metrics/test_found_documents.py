"""Which documents a golden question finds, by the names that people give them."""

import pytest

from trace_core.facts.records import Document
from trace_core.metrics.found_documents import document_scores

TANK = Document(id="docs/setup/tank.md#3", rank=1, title="The tank › Filling", text="It holds 2 litres.")


ITS = ["docs/setup/tank.md#3", "docs/setup/tank.md", "setup/tank.md", "Setup/Tank.md ", "tank.md", "The tank"]
ITS += ["The tank › Filling"]
PARTS = ["up/tank.md", "ank.md", "docs/setup", "setup", "docs", "tank", "other/setup/tank.md", "/"]


@pytest.mark.parametrize("name", [*ITS, *PARTS])
def test_a_document_is_found_by_its_path_from_any_folder_or_its_title_not_by_a_part(name):
    assert document_scores([name], [TANK]) == ((1, 1) if name in ITS else (0, 0))
