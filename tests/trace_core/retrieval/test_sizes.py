from trace_core.retrieval import advice


def test_a_small_embedded_collection_needs_no_advice():
    assert advice(19_999, embedded=True) is None


def test_a_large_embedded_collection_is_sent_to_a_server():
    said = advice(20_000, embedded=True)
    assert said.startswith("20,000 chunks are many")
    assert "QDRANT_URL" in said


def test_a_server_holds_any_number():
    assert advice(10_000_000, embedded=False) is None
