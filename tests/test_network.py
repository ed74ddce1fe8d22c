"""Nothing leaves the machine: no address outside it is contacted, and no file is left in the home folder."""

import os
import subprocess
import sys

import network_watch
import pytest

pytestmark = pytest.mark.process
WAIT = 14
"""Seconds: onnxruntime's telemetry sends after about ten."""


@pytest.fixture(scope="module")
def watched():
    if reason := network_watch.reason_not_to_watch():
        pytest.skip(reason)
    return network_watch


def test_a_process_that_labels_and_waits_contacts_nobody_and_leaves_no_file(watched):
    seen = watched.labeling(WAIT, CI="")
    assert (seen.addresses, seen.files, seen.status) == ([], [], 0)


def test_the_watch_sees_an_address_and_a_file(watched):
    program = "import pathlib, socket; (pathlib.Path.home() / 'x').touch(); "
    program += "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).connect(('192.0.2.1', 9))"
    seen = watched.watch([sys.executable, "-c", program])
    assert seen.addresses == ["192.0.2.1"]
    assert [file.rpartition("/")[2] for file in seen.files] == ["x"]


@pytest.mark.parametrize("entry", ["trace_core", "trace_core.commands.app", "trace_core.pytest_plugin"])
def test_telemetry_is_off_whatever_the_environment_says(entry):
    words = f"import {entry}, os; print(os.environ['ORT_DISABLE_TELEMETRY'], os.environ['HF_HUB_DISABLE_TELEMETRY'])"
    environment = os.environ | {"ORT_DISABLE_TELEMETRY": "0", "HF_HUB_DISABLE_TELEMETRY": "0", "CI": ""}
    done = subprocess.run(
        [sys.executable, "-c", words], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["1", "1"]
