"""Start the program."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; what it raises becomes a message and an exit code."""
    from experience_pack.cli.run import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
