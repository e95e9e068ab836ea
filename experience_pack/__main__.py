"""Start the program."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; what it raises becomes a message and an exit code.

    A hook goes its own way before anything else is loaded: a host waits for it.
    """
    if sys.platform != "win32" and sys.getfilesystemencoding() != "utf-8":
        _restart_in_utf8()
    if sys.argv[1:2] == ["hook"] and "--help" not in sys.argv:
        from experience_pack.hosts.hooks.run import main as hook

        hook(sys.argv[2:])
    from experience_pack.cli.run import run

    sys.exit(run(sys.argv[1:]))


def _restart_in_utf8() -> None:
    """Begin anew with file names in UTF-8, which a running Python cannot change.

    In a GBK or Latin-1 locale a card would have a name that nobody else's git reads,
    or none at all (PEP 540).
    """
    # -P: the folder that it is called in has no say in what is imported
    start = [sys.executable, "-P", "-X", "utf8", "-m", "experience_pack"]
    words = [*map(os.fsencode, start), *map(_in_utf8, sys.argv[1:])]
    os.execv(sys.executable, words)  # noqa: S606  # ourselves


def _in_utf8(word: str) -> bytes:
    """Give what a person typed in UTF-8, but for the name of what is there already."""
    place = os.path.dirname(word)  # noqa: PTH120  # at the start of every command
    if os.path.lexists(word) or (place and os.path.lexists(place)):
        return os.fsencode(word)
    return word.encode("utf-8", "surrogateescape")


if __name__ == "__main__":
    main()
