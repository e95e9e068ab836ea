"""`host`: connect the agents that a person works with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from experience_pack.cli import output
from experience_pack.cli.session import Session, command
from experience_pack.hosts.installers import doctor, install, ledger
from experience_pack.hosts.installers.hosts import HOSTS, PROJECT, SCOPES, USER, Host
from experience_pack.hosts.installers.ledger import Install, Options

_NAMES = [host.name for host in HOSTS]

_HOST = click.argument("name", metavar="HOST", type=click.Choice(_NAMES))
_SCOPE = click.option(
    "--scope",
    type=click.Choice(SCOPES),
    help="The project's settings, or your own; the project's where the host has any.",
)
_PROFILE = click.option(
    "--profile",
    type=click.Choice(["core", "full"]),
    default="core",
    show_default=True,
    help="Tools that the host's model sees.",
)


@click.group(name="host")
def host_command() -> None:
    """Connect the agents that you work with, and take it back to the byte.

    \b
    experience-pack host install claude-code --hooks
    experience-pack host doctor claude-code
    experience-pack host uninstall claude-code
    """  # noqa: D301


@command(name="install")
@_HOST
@_SCOPE
@click.option("--hooks", is_flag=True, help="Ask before each model call.")
@click.option("--capture", is_flag=True, help="Keep an episode of each turn.")
@_PROFILE
@click.option("--print", "only_print", is_flag=True, help="Write nothing, show it.")
def _install(
    session: Session,
    name: str,
    scope: str | None,
    hooks: bool,
    capture: bool,
    profile: str,
    only_print: bool,
) -> None:
    """Write what HOST needs into its settings; comments and order stay.

    \b
    experience-pack host install codex --scope user --hooks
    experience-pack host install trae --print

    Capturing is off unless you ask for it. The same again changes nothing.
    """  # noqa: D301
    host = install.host_of(name)
    options = _options(session, host, scope)._replace(
        hooks=hooks, capture=capture, profile=profile
    )
    if only_print or host.prints:
        text = install.snippet(options)
        session.print({"snippet": text}, lambda: output.result(text))
        if host.note:
            output.note(host.note)
        return
    made = install.install(options)
    session.print(_json(made), lambda: _say_installed(host, made))


def _options(session: Session, host: Host, scope: str | None) -> Options:
    """Name the installation that is meant; what it holds is still open."""
    chosen = scope or (PROJECT if PROJECT in host.server.files else USER)
    project = str(_project(session)) if chosen == PROJECT else ""
    return Options(host.name, chosen, project)


def _project(session: Session) -> Path:
    """Give the project's folder: the workspace's, else where the command runs."""
    from experience_pack.workspace import location

    found = location.find(session.start)
    return found.parent if found else session.start.resolve()


def _json(made: Install) -> dict[str, object]:
    files = list(dict.fromkeys(done.file for done in made.done))
    return {**made.options._asdict(), "files": files}


def _say_installed(host: Host, made: Install) -> None:
    for file in dict.fromkeys(done.file for done in made.done):
        output.result(f"wrote {file}")
    if host.note:
        output.note(host.note)
    trusted = any("hooks.state" in done.text for done in made.done)
    if host.name == "codex" and made.options.hooks and not trusted:
        output.note("Codex skips the hooks until you trust them: `/hooks` in Codex.")
    output.note(f"Next: `experience-pack host doctor {host.name}`.")


@command(name="uninstall")
@_HOST
@_SCOPE
def _uninstall(session: Session, name: str, scope: str | None) -> None:
    """Take out of HOST's settings what was written, and nothing else."""
    options = _options(session, install.host_of(name), scope)
    _say_changes(session, install.uninstall(*options[:3]))


@command(name="pause")
@_HOST
@_SCOPE
def _pause(session: Session, name: str, scope: str | None) -> None:
    """Take it out of HOST's settings for now; `resume` puts it back."""
    options = _options(session, install.host_of(name), scope)
    _say_changes(session, install.pause(*options[:3]))


@command(name="resume")
@_HOST
@_SCOPE
def _resume(session: Session, name: str, scope: str | None) -> None:
    """Put back into HOST's settings what `pause` took out."""
    host = install.host_of(name)
    options = _options(session, host, scope)
    made = install.resume(*options[:3])
    session.print(_json(made), lambda: _say_installed(host, made))


def _say_changes(session: Session, said: Sequence[tuple[str, str]]) -> None:
    last = dict(said)
    value = [{"file": file, "change": change} for file, change in last.items()]

    def say() -> None:
        for file, change in last.items():
            output.result(f"{change}: {file}")

    session.print(value, say)


@command(name="doctor")
@_HOST
@_SCOPE
def _doctor(session: Session, name: str, scope: str | None) -> int:
    """Start what HOST was told to start, speak to it, and measure an answer."""
    from experience_pack.cli.run import FOUND_SOMETHING

    options = _options(session, install.host_of(name), scope)
    found = doctor.examine(install.known(*options[:3]))
    value = found._asdict()

    def say() -> None:
        output.result(f"speaks MCP {found.version} with {found.tools} tools")
        output.result(f"first answer after {found.start_seconds * 1000:.0f} ms")
        output.result(f"a tool answers in {found.answer_seconds * 1000:.1f} ms")
        for file in found.missing:
            output.result(f"not there any more: {file}")

    session.print(value, say)
    return FOUND_SOMETHING if found.missing else 0


@command(name="print")
@_HOST
@_SCOPE
@click.option("--hooks", is_flag=True)
@click.option("--capture", is_flag=True)
@_PROFILE
def _print(
    session: Session,
    name: str,
    scope: str | None,
    hooks: bool,
    capture: bool,
    profile: str,
) -> None:
    """Show what `install` would write for HOST, to be pasted by hand."""
    host = install.host_of(name)
    options = _options(session, host, scope)._replace(
        hooks=hooks, capture=capture, profile=profile
    )
    text = install.snippet(options)
    session.print({"snippet": text}, lambda: output.result(text))


@command(name="list")
def _list(session: Session) -> None:
    """List the hosts, and what is installed for them."""
    known = {one.options.host: one for one in ledger.installs()}

    def say() -> None:
        rows = [(host.name, host.title, _state(known.get(host.name))) for host in HOSTS]
        output.table(rows, (16, 16))

    session.print([_json(one) for one in ledger.installs()], say)


def _state(found: Install | None) -> str:
    if found is None:
        return ""
    return f"{found.options.scope}{'' if found.done else ', paused'}"


for _part in (_install, _uninstall, _pause, _resume, _doctor, _print, _list):
    host_command.add_command(_part)
