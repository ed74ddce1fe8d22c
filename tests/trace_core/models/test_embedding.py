import numpy as np
import pytest

from trace_core.models.embedding import Embedder


def test_vectors_have_384_dimensions_and_length_1(model):
    vectors = model.embed(["The tank holds water.", "", "🙂", "word " * 2000])
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_order_is_kept_with_duplicates_and_remembered_texts(model):
    texts = ["order one", "order two", "order one", "order three"]
    alone = {text: Embedder.embed(model, [text])[0] for text in ("order two", "order one")}
    vectors = model.embed(texts)
    assert np.array_equal(vectors[0], vectors[2])
    assert vectors[0] == pytest.approx(alone["order one"], abs=1e-5)
    assert vectors[1] == pytest.approx(alone["order two"], abs=1e-5)
    assert vectors[3] == pytest.approx(model.embed(["order three"])[0], abs=1e-5)
