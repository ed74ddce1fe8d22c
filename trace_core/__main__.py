"""The commands: `python -m trace_core …`.

JSON on standard output, progress on standard error. Exit codes: 0 done, 1 done with failed records,
2 bad input, 3 a gate was not met, 130 stopped by Ctrl-C, 143 by SIGTERM.
"""

from __future__ import annotations

import sys

from trace_core.commands.stopping import Stopped, ending, stopping


def main() -> None:
    """Run a command, which a signal stops from the first moment on."""
    try:
        with stopping():
            with ending():
                from trace_core.commands.app import run  # a second of imports
            run()
    except Stopped as stop:
        print(f"\n{stop.words}", file=sys.stderr)
        sys.exit(stop.code)


if __name__ == "__main__":
    main()
