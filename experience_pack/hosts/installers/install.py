"""Put a host's settings in place, take them out, and rest in between."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from experience_pack.errors import NotFoundError, UsageError
from experience_pack.hosts.installers import codex_trust, edits, launch, ledger
from experience_pack.hosts.installers.edits import BLOCK, JSON, LISTED, TOML, WHOLE
from experience_pack.hosts.installers.hosts import BY_NAME, PROJECT, Host, Place
from experience_pack.hosts.installers.ledger import Install, Options
from experience_pack.resources import read_resource, script


def host_of(name: str) -> Host:
    """Give a host by its name."""
    if name not in BY_NAME:
        raise UsageError(f"there is no host {name!r}", hint=f"{', '.join(BY_NAME)}")
    return BY_NAME[name]


def install(options: Options) -> Install:
    """Write what a host needs; the same again changes nothing, other options do.

    If one file cannot be written, those before it are put back.
    """
    entries = [*entries_of(options)]
    there = find(options.host, options.scope, options.project)
    if there is not None and there.options == options and _stands(there, entries):
        return there
    if there is not None:
        _take_out(there)
    done: list[edits.Done] = []
    try:
        for entry in entries:
            done.append(edits.put(entry))  # noqa: PERF401  # undone where one fails
    except BaseException:
        _take_out(Install(options, tuple(done)))
        raise
    made = Install(options, tuple(done))
    ledger.put(made)
    if options.host == "codex" and options.hooks:
        made = made._replace(done=(*made.done, *codex_trust.trust(options)))
        ledger.put(made)
    return made


def uninstall(host: str, scope: str, project: str) -> list[tuple[str, str]]:
    """Take out what was written and nothing else; give `(file, what happened)`."""
    there = known(host, scope, project)
    said = _take_out(there)
    ledger.drop(there)
    return said


def pause(host: str, scope: str, project: str) -> list[tuple[str, str]]:
    """Take everything out and remember what was asked for."""
    there = known(host, scope, project)
    said = _take_out(there)
    ledger.put(Install(there.options))
    return said


def resume(host: str, scope: str, project: str) -> Install:
    """Put back what a pause took out."""
    return install(known(host, scope, project).options)


def find(host: str, scope: str, project: str) -> Install | None:
    """Give an installation, None where there is none."""
    for one in ledger.installs():
        if one.key == (host, scope, project):
            return one
    return None


def known(host: str, scope: str, project: str) -> Install:
    """Give an installation; a `NotFoundError` where there is none."""
    found = find(host_of(host).name, scope, project)
    if found is None:
        raise NotFoundError(
            f"nothing was installed for {host} ({scope})",
            hint=f"`experience-pack host install {host} --scope {scope}`",
        )
    return found


def entries_of(options: Options) -> Iterator[edits.Entry]:
    """Give what an installation writes, file by file."""
    host = host_of(options.host)
    project = Path(options.project or ".")
    yield _server(host, options, project)
    if options.hooks or options.capture:
        yield from _hooks(host, options, project)
    if options.scope == PROJECT and host.contract:
        guide = read_resource("site_templates", "workspace", "PROMPT_GUIDE.md")
        yield edits.Entry(project / host.contract, BLOCK, value=guide)


def snippet(options: Options) -> str:
    """Give what an installation writes, to be pasted by hand."""
    parts = []
    for entry in entries_of(options):
        shown = entry.value
        if entry.form in (JSON, LISTED, TOML):
            shown = _nested(entry)
        parts.append(f"{entry.file}\n\n{shown}".rstrip())
    return "\n\n".join(parts)


def _nested(entry: edits.Entry) -> str:
    if entry.form == TOML:
        return edits.table_of(entry)
    value = [entry.value] if entry.form == LISTED else entry.value
    for key in reversed(entry.path):
        value = {key: value}
    return json.dumps(value, ensure_ascii=False, indent=2)


def _server(host: Host, options: Options, project: Path) -> edits.Entry:
    file = _file(host, host.server, options.scope, project)
    workspace = project if options.scope == PROJECT else None
    started = launch.server(workspace=workspace, profile=options.profile)
    form = TOML if file.suffix == ".toml" else JSON
    return edits.Entry(file, form, host.server.path, host.shape(started))


def _hooks(host: Host, options: Options, project: Path) -> Iterator[edits.Entry]:
    if host.script is not None:
        yield _script(host, options, project)
        return
    if host.hooks is None:
        raise UsageError(
            f"{host.title} runs nothing before a model call",
            hint="Install without --hooks; its model asks by the contract.",
        )
    asking = host.hooks.asking if options.hooks else ()
    ending = (host.hooks.ending,) if options.capture else ()
    file = _file(host, host.hooks.place, options.scope, project)
    for event in (*asking, *ending):
        value = host.hooks.shape(launch.hook(host.name, event))
        path = (*host.hooks.place.path, event)
        yield edits.Entry(file, LISTED, path, value, host.hooks.head)


def _script(host: Host, options: Options, project: Path) -> edits.Entry:
    assert host.script is not None
    file = _file(host, host.script, options.scope, project)
    command = launch.hook(host.name, "")
    told = {
        "command": [*command.words[:-3]],
        "environment": command.environment,
        "asks": options.hooks,
        "captures": options.capture,
    }
    text = script(*host.source.split("/"))
    stated = json.dumps(told, ensure_ascii=False)
    return edits.Entry(file, WHOLE, value=text.replace("__SETTINGS__", stated))


def _file(host: Host, place: Place, scope: str, project: Path) -> Path:
    if scope not in place.files:
        there = " or ".join(place.files)
        raise UsageError(f"{host.title} has {there} settings only")
    return place.files[scope](project)


def gone_from(there: Install) -> list[str]:
    """Give the files that no longer say what was written into them."""
    texts = {done.file: edits.read(Path(done.file)) or "" for done in there.done}
    gone = []
    for done in reversed(there.done):
        rest = edits.rest_of(done, texts[done.file])
        if rest == texts[done.file]:
            gone.append(done.file)
        texts[done.file] = rest
    return gone


def _stands(there: Install, entries: list[edits.Entry]) -> bool:
    """Tell whether all that was written is there still, for the same entries."""
    texts = {done.file: edits.read(Path(done.file)) or "" for done in there.done}
    whole = all(done.text in texts[done.file] for done in there.done)
    wrote = {(done.file, done.path) for done in there.done}
    return whole and {(str(one.file), one.path) for one in entries} <= wrote


def _take_out(there: Install) -> list[tuple[str, str]]:
    return [(done.file, edits.take_out(done)) for done in reversed(there.done)]
