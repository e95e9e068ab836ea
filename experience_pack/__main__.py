"""Start the program."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; what it raises becomes a message and an exit code.

    A hook goes its own way before anything else is loaded: a host waits for it.
    """
    if sys.argv[1:2] == ["hook"] and "--help" not in sys.argv:
        from experience_pack.hosts.hooks.run import main as hook

        hook(sys.argv[2:])
    from experience_pack.cli.run import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
