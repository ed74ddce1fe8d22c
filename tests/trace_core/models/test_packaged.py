"""The packaged model is what it says it is, whatever else its package holds."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from trace_core.models import packaged_folder
from trace_core.models.packaged import PACKAGE, SHA256, TensorRows, content_hash, read_tensors

REPOSITORY = Path(__file__).parents[3]
REFUSED = "ModelError: The packaged embedding model's files are not the official ones."
FIND = "from trace_core.models import packaged_folder; print(packaged_folder())"


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, whose own code must not run; its files are links to the official ones."""
    model = tmp_path / PACKAGE / "model"
    shutil.copytree(packaged_folder(), model, copy_function=os.symlink)
    (tmp_path / PACKAGE / "__init__.py").write_text("raise SystemExit('its code was run')")
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
    assert content_hash(copy) != SHA256
    (copy / name).write_bytes(data)
    assert content_hash(copy) != SHA256


def test_a_file_that_was_laid_beside_the_official_ones_is_noticed(copy):
    assert content_hash(copy) == SHA256
    (copy / "2_Normalize").mkdir(exist_ok=True)
    (copy / "2_Normalize" / "config.json").write_bytes(b"{}")
    assert content_hash(copy) != SHA256


def test_tensors_are_read_as_safetensors_reads_them(tmp_path):
    path = tmp_path / "some.safetensors"
    arrays = {"a": np.arange(6, dtype=np.float16).reshape(2, 3), "b": np.ones(3, dtype=np.float32), "c": np.array([7])}
    save_file(arrays, path, metadata={"made": "here"})
    read = read_tensors(path)
    assert read.keys() == load_file(path).keys()
    assert all(np.array_equal(read[name], array) and read[name].dtype == array.dtype for name, array in arrays.items())


def test_rows_of_a_matrix_are_read_from_the_file(tmp_path):
    path = tmp_path / "some.safetensors"
    matrix = np.arange(12, dtype=np.float32).reshape(4, 3)
    save_file({"ones": np.ones(5, dtype=np.float32), "matrix": matrix}, path)
    indices = np.array([[3, 0, 3], [1, 1, 2]])
    assert np.array_equal(TensorRows(path, "matrix")[indices], matrix[indices])
