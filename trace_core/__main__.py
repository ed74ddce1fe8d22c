"""The command line: `python -m trace_core …`. JSON goes to standard output, progress to standard error. Exit codes: 0
done, 1 done with failed records, 2 bad input, 3 gate not met, 130 stopped by Ctrl-C, 143 by SIGTERM."""

import signal
import sys

from trace_core.commands.stopping import Stop, on_first_signal, stopping


def main() -> None:
    """Run a command, which signals can stop from the start."""
    try:
        with stopping():
            with on_first_signal(signal.raise_signal):  # nothing has started, and libraries may be half imported
                from trace_core.commands.app import run_command  # importing takes a second
            run_command()
    except Stop as stop:
        print(f"\n{stop.message}", file=sys.stderr)
        sys.exit(stop.code)


if __name__ == "__main__":
    main()
