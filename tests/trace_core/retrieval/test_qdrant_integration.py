"""With a real Qdrant server: this runs where `QDRANT_URL` is set (and `QDRANT_API_KEY`, if it needs one).

Its collections have names of their own and are removed again; nothing else is touched.
"""

import os
import uuid

import pytest
from qdrant_client import models
from qdrant_server import FILTER, TANK

from trace_core.errors import UnknownCollection
from trace_core.retrieval import Collections, open_qdrant
from trace_core.retrieval.ingest import ingest
from trace_core.retrieval.sources import Source
from trace_core.settings import load


@pytest.mark.skipif(not os.environ.get("QDRANT_URL"), reason="no real Qdrant: set QDRANT_URL to run this")
@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
def test_documents_go_in_come_out_and_are_replaced_under_a_clouds_strict_mode(model):
    qdrant, name = open_qdrant(load()), f"trace-test-{uuid.uuid4()}"
    real = Collections(qdrant, model)
    strict = models.StrictModeConfig(enabled=True, unindexed_filtering_retrieve=False, unindexed_filtering_update=False)
    try:
        with pytest.raises(UnknownCollection):
            real.describe(name)
        for _ in range(2):
            ingest(real, name, [Source("a", TANK), Source("b", FILTER)])
        info = real.describe(name)
        assert (name in real.names(), info.points, info.text_field) == (True, 2, "text")
        assert [d.text for d in real.search(name, "How often is the filter changed?", 1)] == [FILTER]
        qdrant.do(lambda client: client.update_collection(name, strict_mode_config=strict))
        ingest(real, name, [Source("a", "It is empty.")])
        assert {d.text for d in real.search(name, "water", 5)} == {"It is empty.", FILTER}
    finally:
        qdrant.do(lambda client: client.delete_collection(name))
        qdrant.close()
