"""A process that imports a run file: URL FILE. It prints when it starts, and at the end whether the run was new."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT)]

from trace_core.errors import RunTaken  # noqa: E402
from trace_core.runs.files.importing import import_run  # noqa: E402
from trace_core.store.runs import RunStore  # noqa: E402


def main(url, file):
    store = RunStore(url)
    store.list_runs()  # opens the database, which is not part of the import
    print("begins", flush=True)
    try:
        print("new" if import_run(store, Path(file))[1] else "there")
    except RunTaken:
        print("taken")


if __name__ == "__main__":
    main(*sys.argv[1:])
