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
from trace_core.models.packaged import PACKAGE, TensorRows, read_tensors

REPOSITORY = Path(__file__).parents[3]
REFUSED = "ModelError: The packaged embedding model's files are not the official ones."
FIND = "from trace_core.models import packaged_folder; print(packaged_folder())"


@pytest.fixture
def copy(tmp_path):
    """A copy of the package, whose own code must not run."""
    model = tmp_path / PACKAGE / "model"
    shutil.copytree(packaged_folder(), model)
    (tmp_path / PACKAGE / "__init__.py").write_text("raise SystemExit('its code was run')")
    return model


def find(model):
    """The outcome of a process whose packaged model lies there."""
    path = os.pathsep.join([str(model.parents[1]), str(REPOSITORY)])
    command = [sys.executable, "-c", FIND]
    return subprocess.run(command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False)


def test_an_untouched_copy_is_accepted_and_none_of_its_code_is_run(copy):
    done = find(copy)
    assert (done.returncode, done.stdout.strip()) == (0, str(copy))


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "1_Pooling/config.json"])
def test_a_tampered_copy_is_refused(copy, name):
    data = bytearray((copy / name).read_bytes())
    data[-1] ^= 1
    (copy / name).write_bytes(data)
    done = find(copy)
    assert done.returncode == 1
    assert REFUSED in done.stderr


@pytest.mark.parametrize("name", ["pytorch_model.bin", "2_Normalize/config.json"])
def test_a_file_that_was_laid_beside_the_official_ones_is_refused(copy, name):
    (copy / name).parent.mkdir(exist_ok=True)
    (copy / name).write_bytes(b"{}")
    assert REFUSED in find(copy).stderr


def test_a_copy_without_weights_is_refused(copy):
    (copy / "model.safetensors").unlink()
    assert REFUSED in find(copy).stderr


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
