"""Experiences as they are kept: reading, editing, versions, relations."""

from __future__ import annotations

from collections.abc import Sequence

from experience_pack.api.asking import note_served
from experience_pack.api.named import resolve
from experience_pack.api.shown import (
    entry_shown,
    experience_shown,
    matching,
    versions_shown,
)
from experience_pack.formats.walk import texts_of
from experience_pack.hosts.mcp.tool import (
    FLAG,
    ID,
    LISTED,
    OBJECT,
    READS,
    REMOVES,
    SETS,
    TEXT,
    TEXTS,
    WHOLE,
    Schema,
    Tool,
    UnattendedRuntime,
    gives,
    one_of,
    said,
    takes,
)
from experience_pack.model import KINDS
from experience_pack.model.values import Json
from experience_pack.store import experiences

_CONTENT = gives(id=TEXT, kind=TEXT, name=TEXT, description=TEXT, logic=OBJECT)


def _get(core: UnattendedRuntime, exp_id: str) -> Json:
    identity = resolve(core.store, exp_id)
    found = experience_shown(core.store, core.host.policy, identity)
    note_served(core, "\n".join(text for _, text in texts_of(found)))
    return found


def _list(
    core: UnattendedRuntime,
    words: Sequence[str] = (),
    tag: str = "",
    limit: int = 50,
    **fields: str,
) -> Json:
    found = [*matching(core.store, fields, words, tag)][:limit]
    return [entry_shown(*one) for one in found]


def _update(
    core: UnattendedRuntime,
    exp_id: str,
    fields: dict[str, Json],
    note: str = "",
) -> Json:
    identity = resolve(core.store, exp_id)
    core.update_experience(identity, note, **fields)
    return _content(core, identity)


def _delete(core: UnattendedRuntime, exp_id: str, reason: str = "") -> Json:
    identity = resolve(core.store, exp_id, part=False)
    with core.saving() as tx:
        return experiences.delete(tx, identity, reason).to_dict()


def _versions(
    core: UnattendedRuntime,
    exp_id: str,
    changes: bool = False,  # noqa: FBT001, FBT002 - an argument by name
) -> Json:
    return versions_shown(core.store, exp_id, with_changes=changes)


def _restore(core: UnattendedRuntime, exp_id: str, version: int) -> Json:
    core.restore_version(exp_id, version)
    return _content(core, exp_id)


def _set_parent(core: UnattendedRuntime, exp_id: str, parent: str) -> Json:
    child = resolve(core.store, exp_id)
    core.set_parent(child, resolve(core.store, parent))
    return _content(core, child)


def _set_prerequisites(
    core: UnattendedRuntime,
    exp_id: str,
    prerequisites: Sequence[str],
) -> Json:
    identity = resolve(core.store, exp_id)
    core.set_prerequisites(identity, prerequisites)
    return _content(core, identity)


def _set_extends(core: UnattendedRuntime, exp_id: str, extends: str) -> Json:
    identity = resolve(core.store, exp_id)
    core.set_extends(identity, extends)
    return _content(core, identity)


def _set_category(core: UnattendedRuntime, exp_id: str, category: str) -> Json:
    identity = resolve(core.store, exp_id)
    core.set_category(identity, category)
    return _content(core, identity)


def _content(core: UnattendedRuntime, identity: str) -> Json:
    return experiences.get(core.store, identity).to_dict()


def _sets(name: str, title: str, text: str, arguments: Schema, call: object) -> Tool:
    assert callable(call)
    return Tool(f"experience_{name}", title, text, SETS, arguments, _CONTENT, call)


TOOLS = (
    Tool(
        "experience_get",
        "Show an experience",
        "Show one experience in full, with its confidence here.",
        READS,
        takes("exp_id", exp_id=ID),
        gives(
            id=TEXT,
            kind=TEXT,
            name=TEXT,
            digest=TEXT,
            created_at=TEXT,
            updated_at=TEXT,
            backlinks={"type": "array"},
            confidence=OBJECT,
        ),
        _get,
    ),
    Tool(
        "experience_list",
        "List experiences",
        "List experiences, the last changed first; all words have to occur.",
        READS,
        takes(
            words=TEXTS,
            kind=one_of(*KINDS),
            category=TEXT,
            family=TEXT,
            tag=TEXT,
            limit=said(WHOLE, "At most so many; 50 unless given."),
        ),
        LISTED,
        _list,
        long=True,
    ),
    _sets(
        "update",
        "Change an experience",
        "Change fields; the old text stays a version, and an approval has to be "
        "given anew.",
        takes(
            "exp_id",
            "fields",
            exp_id=ID,
            fields=said(OBJECT, "Fields of the experience with their new values."),
            note=said(TEXT, "Why."),
        ),
        _update,
    ),
    Tool(
        "experience_delete",
        "Delete an experience",
        "Delete one experience; its versions stay and can be restored.",
        REMOVES,
        takes("exp_id", exp_id=ID, reason=TEXT),
        gives(id=TEXT, name=TEXT, reason=TEXT, deleted_at=TEXT),
        _delete,
    ),
    Tool(
        "experience_versions",
        "List versions",
        "List the versions of an experience, the newest first.",
        READS,
        takes("exp_id", exp_id=ID, changes=said(FLAG, "With what each one changed.")),
        LISTED,
        _versions,
    ),
    _sets(
        "restore",
        "Restore a version",
        "Make an older version the newest, also of a deleted experience.",
        takes("exp_id", "version", exp_id=said(TEXT, "The whole id."), version=WHOLE),
        _restore,
    ),
    _sets(
        "set_parent",
        "Make a variant",
        "Put an experience below a more general one, into its family.",
        takes("exp_id", "parent", exp_id=ID, parent=ID),
        _set_parent,
    ),
    _sets(
        "set_prerequisites",
        "Set what comes first",
        "State what an experience needs first.",
        takes(
            "exp_id",
            "prerequisites",
            exp_id=ID,
            prerequisites=said(TEXTS, "Ids or names; they take the old ones' place."),
        ),
        _set_prerequisites,
    ),
    _sets(
        "set_extends",
        "Set what it goes beyond",
        "State what an experience goes beyond; empty takes it away.",
        takes("exp_id", "extends", exp_id=ID, extends=said(TEXT, "Id or name.")),
        _set_extends,
    ),
    _sets(
        "set_category",
        "Set the category",
        "Put an experience into a category.",
        takes("exp_id", "category", exp_id=ID, category=TEXT),
        _set_category,
    ),
)
