from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pages.components.shared import services
from trace_core.retrieval.client import SERVER_FROM


def draw(points: int) -> None:
    from pages.components.corpus.look import show_list
    from trace_core.retrieval import CollectionInfo

    show_list([CollectionInfo("manuals", points, (), (), "text", None)])


@pytest.mark.parametrize(
    ("points", "embedded", "said"),
    [(SERVER_FROM, True, ["manuals"]), (SERVER_FROM - 1, True, []), (SERVER_FROM, False, [])],
)
def test_a_collection_that_has_outgrown_the_embedded_qdrant_says_so(
    monkeypatch: pytest.MonkeyPatch, points: int, embedded: bool, said: list[str]
) -> None:
    monkeypatch.setattr(
        services, "collections", lambda: SimpleNamespace(qdrant=SimpleNamespace(embedded=embedded))
    )  # fmt: skip
    page = AppTest.from_function(draw, kwargs={"points": points}, default_timeout=60).run()
    assert not page.exception
    assert [warning.value.split("**")[1] for warning in page.warning] == said
