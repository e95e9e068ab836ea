"""Every error the package raises, each with its exit code and a next step."""

from __future__ import annotations

from collections.abc import Sequence


class ExperiencePackError(Exception):
    """Say what went wrong; the class gives the exit code, `hint` the next step."""

    exit_code = 1
    hint = ""

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        if hint is not None:
            self.hint = hint


class UsageError(ExperiencePackError):
    """The request itself cannot be carried out as it was put."""

    exit_code = 2


class VersionError(ExperiencePackError):
    """A file has a newer or an unknown format version."""

    exit_code = 3
    hint = "Update experience-pack, then try again; the file was not touched."


class RefusedError(ExperiencePackError):
    """Input was refused before anything was written."""

    exit_code = 4


class FormatError(RefusedError):
    """A document does not have the form it should; `faults` lists every one.

    A fault is a pair of the path in the document (`logic.path[0].action`) and a
    sentence about it.
    """

    def __init__(
        self, subject: str, faults: Sequence[tuple[str, str]], *, hint: str = ""
    ) -> None:
        self.subject = subject
        self.faults = tuple(faults)
        lines = [f"{path}: {text}" if path else text for path, text in self.faults]
        if len(lines) == 1:
            message = f"{subject}: {lines[0]}"
        else:
            message = f"{subject}: {len(lines)} faults\n  " + "\n  ".join(lines)
        super().__init__(message, hint=hint)


class StorageError(ExperiencePackError):
    """No space, a failed read or write, or a server that went away."""

    exit_code = 5
    hint = "Make room, or mend what failed, then try again; nothing is half written."


class AccessError(ExperiencePackError):
    """The file or folder may not be written (or read) by this user."""

    exit_code = 6
    hint = "Give yourself the right to it, or choose another folder."


class LockedError(ExperiencePackError):
    """Another process holds the lock."""

    exit_code = 7
    hint = "Wait for the other command to finish, then try again."


class IntegrityError(ExperiencePackError):
    """Stored data is damaged or contradicts itself."""

    exit_code = 8


class DigestError(ExperiencePackError):
    """A digest or a signature does not match."""

    exit_code = 9


class NotFoundError(ExperiencePackError):
    """Nothing answers to that name."""

    exit_code = 10


class CheckFailedError(ExperiencePackError):
    """A check ran to its end and found something."""

    exit_code = 11
