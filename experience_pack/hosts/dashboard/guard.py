"""Who may ask the dashboard: a table of rules, each with the answer it gives.

Any page that is open in a browser, and any process of the machine, can reach a
loopback port. A wrong `Host` is DNS rebinding, a foreign `Origin` or fetch site is
another page; the token, which only the person's terminal shows, keeps out other
users of the machine.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import NamedTuple

READING = ("GET", "HEAD")
WRITING = ("POST",)

BEARER = "Bearer "


class Asked(NamedTuple):
    """What a request says about itself; what it does not say is empty."""

    method: str
    path: str
    host: str
    origin: str = ""
    site: str = ""
    """Of `Sec-Fetch-Site`: `same-origin`, `cross-site`, `none` …"""
    authorisation: str = ""
    content: str = ""
    """Media type of what it brings."""


class House(NamedTuple):
    """What the dashboard knows of itself."""

    port: int
    token: str
    writable: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Give the hosts by which it may be called."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")


class Rule(NamedTuple):
    """One reason to refuse."""

    status: int
    says: str
    refuses: Callable[[House, Asked], bool]


def is_private(path: str) -> bool:
    """Tell whether a path gives or takes something of the workspace."""
    return path.startswith("/api/")


def _has_token(house: House, asked: Asked) -> bool:
    given = asked.authorisation.removeprefix(BEARER)
    known = asked.authorisation.startswith(BEARER)
    return known and hmac.compare_digest(given.encode(), house.token.encode())


RULES: tuple[Rule, ...] = (
    Rule(403, "wrong host", lambda house, asked: asked.host not in house.names),
    Rule(
        403,
        "another page asks",
        lambda _, asked: asked.origin not in ("", f"http://{asked.host}"),
    ),
    Rule(
        403,
        "another page asks",
        lambda _, asked: asked.site not in ("", "same-origin", "none"),
    ),
    Rule(
        405,
        "only reading",
        lambda house, asked: (
            asked.method not in READING
            and not (house.writable and asked.method in WRITING)
        ),
    ),
    Rule(
        401,
        "the code is missing or wrong",
        lambda house, asked: is_private(asked.path) and not _has_token(house, asked),
    ),
    Rule(
        415,
        "not JSON",
        lambda _, asked: (
            asked.method in WRITING and asked.content != "application/json"
        ),
    ),
)
"""In the order in which they are asked; the first that refuses answers."""


def refusal(house: House, asked: Asked) -> Rule | None:
    """Give the rule that refuses a request, or None where it may go on."""
    return next((rule for rule in RULES if rule.refuses(house, asked)), None)
