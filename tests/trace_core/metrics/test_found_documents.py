"""Which documents a golden question finds, by the names that people give them."""

import pytest

from trace_core.facts.records import Document
from trace_core.metrics.found_documents import document_scores

TANK = Document(id="docs/setup/tank.md#3", rank=1, title="The tank › Filling", text="It holds 2 litres.")


@pytest.mark.parametrize(
    "name",
    [
        "docs/setup/tank.md#3",
        "docs/setup/tank.md",
        "setup/tank.md",
        "Setup/Tank.md ",
        "tank.md",
        "The tank",
        "The tank › Filling",
    ],
)
def test_a_document_is_found_by_its_path_from_any_folder_on_its_id_or_its_title(name):
    assert document_scores([name], [TANK]) == (1, 1)


@pytest.mark.parametrize(
    "name", ["up/tank.md", "ank.md", "docs/setup", "setup", "docs", "tank", "other/setup/tank.md", "/"]
)
def test_a_mere_part_of_a_name_is_another_document(name):
    assert document_scores([name], [TANK]) == (0, 0)
