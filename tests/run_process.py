"""A process that works on a run until it is done or killed: URL RUN_ID CALLS CONCURRENCY SECONDS [LEAVE].

With LEAVE its main thread ends after that number of seconds, like a server's that is asked to end. Every call
of its labeler is written to the file CALLS before it is answered.
"""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from run_examples import Counting  # noqa: E402

from trace_core.runs.execute.engine import Engine  # noqa: E402
from trace_core.runs.execute.worker import Worker  # noqa: E402
from trace_core.settings import Settings  # noqa: E402
from trace_core.store.store import open_store  # noqa: E402


class Noting(Counting):
    def __init__(self, path, seconds):
        super().__init__(seconds)
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def label(self, question, sentences, progress=None):
        os.write(self.file, f"{question}\n".encode())
        return super().label(question, sentences, progress)


def work(say, url, run, calls, concurrency, seconds, leave=None):
    labeler = Noting(calls, float(seconds))
    settings = Settings(TRACE_CONCURRENCY=int(concurrency), _env_file=None)
    engine = Engine(open_store(url), settings, worker_of=lambda config: Worker(config, labeler))
    say("begins")
    engine.recover()
    engine.start(run)
    engine.wait(run, leave and float(leave))
    if leave:
        return
    progress = engine.progress(run)
    engine.close()
    say((progress.status, progress.reason))


if __name__ == "__main__":
    work(lambda word: None, *sys.argv[1:])
