"""Graphs without weights: batches, threads, processors, and the packaged model, whatever else its package holds.

`test_torch.py` compares what they say with torch.
"""

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from trace_core import models
from trace_core.errors import ModelError
from trace_core.labeling.local.reader import WEIGHTS
from trace_core.models import OnnxModel, onnx, packaged_folder
from trace_core.models.embedding import GRAPH

REPOSITORY = Path(__file__).parents[3]
FOLDER = Path(models.__file__).parent
LONGEST = 160
REFUSED = "ModelError: The packaged embedding model's files are not the official ones."
FIND = "from trace_core.models import packaged_folder; print(packaged_folder())"
CLAIM, TEXT = "It holds two litres. ", "The tank of the machine holds 1.8 litres of water. "


@pytest.mark.parametrize(
    ("quota", "limit"),
    [
        *(("max 100000", 8), ("200000 100000", 2), ("150000 100000", 2)),
        *(("50000 100000", 1), ("1600000 100000", 8), ("", 8)),
    ],
)
def test_a_container_uses_no_more_processors_than_its_quota_allows(quota, limit, tmp_path, monkeypatch):
    monkeypatch.setattr(onnx, "QUOTA", tmp_path / "cpu.max")
    if quota:
        (tmp_path / "cpu.max").write_text(f"{quota}\n")
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(8)))
    assert onnx.threads() == limit


def test_the_setting_says_how_many_processors_the_models_use(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRACE_THREADS", "3")
    assert onnx.threads() == 3


@pytest.fixture(scope="module")
def reader():
    return OnnxModel(FOLDER / "reader.onnx", LONGEST, WEIGHTS)


def test_a_pair_in_whole_numbers_is_read_alike_alone_and_among_others(reader):
    pairs = [(TEXT * times, CLAIM) for times in range(1, 12)]
    alone = [reader.run([pair])[0][0] for pair in pairs]
    assert reader.run(pairs)[0] == pytest.approx(np.stack(alone), abs=0.05)


def test_a_second_text_that_fills_the_model_alone_is_cut_as_well(reader):
    one, other = (reader.run([(TEXT, "word " * times)])[0] for times in (158, 2000))
    assert np.array_equal(one, other)


def test_a_batch_has_no_more_tokens_than_the_most(monkeypatch):
    model = OnnxModel(GRAPH, 256)
    texts = [TEXT * times for times in (1, 2, 3, 7, 40, *([1] * 60))]
    shapes = []
    monkeypatch.setattr(onnx, "TOKENS", 300)
    monkeypatch.setattr(onnx, "_TOGETHER", 50)
    arrays = onnx._arrays
    monkeypatch.setattr(onnx, "_arrays", lambda *read: shapes.append(arrays(*read)["mask"].shape) or arrays(*read))
    assert model.run(texts)[0].shape == (65, 384)
    assert sum(n for n, _ in shapes) == 65
    assert max(n * tokens for n, tokens in shapes) <= onnx.TOKENS
    assert max(tokens for _, tokens in shapes) == 256


def test_a_batch_of_long_texts_ends_before_one_of_less_than_seven_tenths():
    tokenizer = onnx._tokenizer(onnx.packaged_folder() / "tokenizer.json")
    texts = ["tank " * words for words in (198, 160, 155, 98, 94, 20)]
    batches = onnx._batches(texts, tokenizer, 256)
    assert [[len(ids) for ids, _ in read] for _, read in batches] == [[200, 162, 157], [100, 96], [22]]


def test_whoever_is_told_may_stop_it():
    class Enough(Exception):
        pass

    told = []

    def stop(done):
        told.append(done)
        raise Enough

    with pytest.raises(Enough):
        OnnxModel(GRAPH, 256).run([TEXT] * 2000, stop)
    assert 0 < told[0] < 2000


def test_threads_share_one_model():
    model = OnnxModel(GRAPH, 256)
    with ThreadPoolExecutor(10) as pool:
        found = list(pool.map(lambda i: model.run([TEXT * (i % 5 + 1), CLAIM])[0], range(10)))
    assert np.array(found[5:]) == pytest.approx(np.array(found[:5]), abs=1e-6)


def test_a_graph_that_cannot_be_read_is_an_error_with_a_hint(tmp_path):
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no graph")
    with pytest.raises(ModelError, match=r"'broken' could not be loaded .*make install"):
        OnnxModel(broken, LONGEST).run(["text"])


def test_the_graphs_are_those_that_the_script_writes(tmp_path):
    subprocess.run([sys.executable, "bench/graphs.py", tmp_path], cwd=REPOSITORY, check=True, capture_output=True)
    for graph in FOLDER.glob("*.onnx"):
        assert graph.read_bytes() == (tmp_path / graph.name).read_bytes()


# What a model gave for its latest texts


class Model:
    def __init__(self):
        self.texts = []

    def __call__(self, texts):
        self.texts += texts
        return np.array([[len("".join(text)), 1] for text in texts], dtype=np.float32)


def test_a_text_is_computed_once_and_its_row_stands_at_every_place():
    model, recent = Model(), onnx.Recent(10)
    assert recent.rows(["a", "bcd", "a"], model).tolist() == [[1, 1], [3, 1], [1, 1]]
    assert recent.rows(["bcd", ("b", "cd"), "a\ud800"], model).tolist() == [[3, 1], [3, 1], [2, 1]]
    assert model.texts == ["a", "bcd", ("b", "cd"), "a\ud800"]


def test_the_texts_used_longest_ago_are_forgotten():
    model, recent = Model(), onnx.Recent(2)
    for text in ("a", "b", "a", "c", "a", "b"):
        recent.rows([text], model)
    assert model.texts == ["a", "b", "c", "b"]


# The packaged model


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, whose own code must not run; its files are links to the official ones."""
    model = tmp_path / onnx.PACKAGE / "model"
    shutil.copytree(packaged_folder(), model, copy_function=os.symlink)
    (tmp_path / onnx.PACKAGE / "__init__.py").write_text("raise SystemExit('its code was run')")
    return model


@pytest.mark.parametrize("changed", [False, True])
def test_a_copy_is_accepted_only_untouched_and_its_code_is_not_run(copy, changed):
    if changed:
        (copy / "pytorch_model.bin").write_bytes(b"{}")
    path = os.pathsep.join([str(copy.parents[1]), str(REPOSITORY)])
    command, env = [sys.executable, "-c", FIND], os.environ | {"PYTHONPATH": path}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == ((1, "") if changed else (0, str(copy)))
    assert (REFUSED in done.stderr) is changed


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "1_Pooling/config.json"])
def test_a_file_that_was_changed_or_taken_away_is_noticed(copy, name):
    data = bytearray((copy / name).read_bytes())
    data[-1] ^= 1
    (copy / name).unlink()
    assert onnx.content_hash(copy) != onnx.SHA256
    (copy / name).write_bytes(data)
    assert onnx.content_hash(copy) != onnx.SHA256


def test_a_file_that_was_laid_beside_the_official_ones_is_noticed(copy):
    assert onnx.content_hash(copy) == onnx.SHA256
    (copy / "2_Normalize").mkdir(exist_ok=True)
    (copy / "2_Normalize" / "config.json").write_bytes(b"{}")
    assert onnx.content_hash(copy) != onnx.SHA256


def test_tensors_are_read_as_safetensors_reads_them(tmp_path):
    path = tmp_path / "some.safetensors"
    arrays = {"a": np.arange(6, dtype=np.float16).reshape(2, 3), "b": np.ones(3, dtype=np.float32), "c": np.array([7])}
    save_file(arrays, path, metadata={"made": "here"})
    read = onnx.read_tensors(path)
    assert read.keys() == load_file(path).keys()
    assert all(np.array_equal(read[name], array) and read[name].dtype == array.dtype for name, array in arrays.items())


def test_rows_of_a_matrix_are_read_from_the_file(tmp_path):
    path = tmp_path / "some.safetensors"
    matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
    save_file({"ones": np.ones(5, dtype=np.float32), "matrix": matrix}, path)
    indices = np.array([[3, 0, 3], [1, 1, 2]])
    assert np.array_equal(onnx.TensorRows(path, "matrix")[indices], matrix[indices])
