from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from experience_pack.cli.app import COMMANDS
from tests.shared_data import shared
from tests.shell import Shell

EXAMPLE = Path(__file__).parents[2] / "examples" / "packs" / "python-release"


@pytest.fixture
def xp(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Shell:
    """A shell in a fresh project folder without a workspace."""
    project = tmp_path / "项目 one"
    project.mkdir()
    monkeypatch.chdir(project)
    return Shell(capsys)


@pytest.fixture
def project(xp: Shell) -> Shell:
    """A shell in a project with a workspace of one experience."""
    xp("init")
    xp("add", "--name", "整理文档", "--step", "先分类", "--tag", "文档")
    return xp


def test_init_says_where_the_workspace_is_and_can_be_run_again(xp: Shell) -> None:
    first = xp("init")
    config = Path(".experience/config.json").read_text("utf-8")
    xp("init")

    assert ".experience" in first
    assert Path(".experience/config.json").read_text("utf-8") == config
    assert str(Path.cwd()) not in config


def test_a_command_without_a_workspace_says_how_to_make_one(xp: Shell) -> None:
    xp("list", code=10)

    assert "`experience-pack init` makes one" in xp.err


def test_a_workspace_is_found_from_a_folder_below(
    project: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = Path("src/deep")
    below.mkdir(parents=True)
    monkeypatch.chdir(below)

    assert "整理文档" in project("list")


def test_an_experience_can_be_found_by_name_id_and_start_of_the_id(
    project: Shell,
) -> None:
    (one,) = project.json("list")

    for words in (one["name"], one["id"], one["id"][:9], one["id"][4:12]):
        assert project.json("show", words)["id"] == one["id"]


def test_an_unknown_experience_is_exit_10(project: Shell) -> None:
    project("show", "nobody", code=10)

    assert "`experience-pack list`" in project.err


def test_a_habit_and_a_lesson_are_added_from_options(project: Shell) -> None:
    project("add", "--kind", "habit", "--name", "h", "--when", "改表前", "--do", "备份")
    lesson = ("--kind", "lesson", "--name", "l", "--text", "never do it", "--avoid")
    project("add", *lesson)

    kinds = {one["name"]: one for one in project.json("list")}
    assert kinds["h"]["when"] == "改表前"
    assert kinds["l"]["polarity"] == "avoid"


def test_an_edited_card_is_taken_in_by_sync(project: Shell) -> None:
    (card,) = Path(".experience/experiences").rglob("*.md")
    card.write_text(card.read_text("utf-8").replace("先分类", "先备份"), "utf-8")
    project("sync", "--check", code=11)
    project("sync")

    assert "先备份" in project("show", "整理文档")
    assert Path(".experience/dashboard.html").exists()
    notes = [one["note"] for one in project.json("versions", "整理文档")]
    assert notes == ["edited card", "added"]


def test_a_version_is_restored_and_its_changes_are_shown(project: Shell) -> None:
    first = project.json("versions", "整理文档")[0]["id"]
    project("category", "set", "整理文档", "document_processing")
    changes = project.json("versions", "整理文档", "--diff")[0]["changes"]
    project("restore", "整理文档", str(first))

    assert [change["path"] for change in changes] == ["category"]
    assert "category" not in project.json("show", "整理文档")


def test_deleting_keeps_the_way_back(project: Shell) -> None:
    identity = project.json("list")[0]["id"]
    version = project.json("versions", identity)[0]["id"]
    project("delete", "整理文档", "--reason", "old")
    assert project.json("list") == []
    project("restore", identity, str(version))

    assert [one["id"] for one in project.json("list")] == [identity]


def test_relations_make_families_and_refuse_circles(project: Shell) -> None:
    project("add", "--name", "整理合同")
    project("link", "整理合同", "parent", "整理文档")
    project("link", "整理文档", "parent", "整理合同", code=4)

    assert "leads back to itself" in project.err
    tree = project.json("families")["整理文档"]
    assert [node["name"] for node in tree] == ["整理合同"]


def test_a_pack_goes_out_and_comes_in_under_ids_of_its_own(project: Shell) -> None:
    project("pack", "new", "docs", "--tag", "文档")
    project("pack", "export", "docs", "-o", "docs.xpack")
    project("init", "../other")
    plan = project.json("pack", "import", "docs.xpack", "--workspace", "../other")

    assert plan["counts"] == {"new": 1}
    assert plan["items"][0]["id"] != plan["items"][0]["source_id"]
    again = project.json("pack", "import", "docs.xpack", "--workspace", "../other")
    assert again["counts"] == {"same": 1}
    assert again["receipt"] is None


def test_a_dry_run_writes_nothing(project: Shell) -> None:
    plan = project.json("pack", "import", str(EXAMPLE), "--dry-run")

    assert plan["counts"]["new"] == 14
    assert len(project.json("list")) == 1


def test_an_import_is_taken_back(project: Shell) -> None:
    project("pack", "import", str(EXAMPLE))
    assert len(project.json("list")) == 15
    done = project.json("undo")

    assert len(done["removed"]) == 14
    assert [one["name"] for one in project.json("list")] == ["整理文档"]
    assert len(list(Path(".experience/experiences").rglob("*.md"))) == 1
    project("undo", code=10)


def test_what_was_edited_since_an_import_is_kept_by_undo(project: Shell) -> None:
    project("pack", "import", str(EXAMPLE))
    project("category", "set", "Announce a release", "general")

    assert len(project.json("undo")["kept"]) == 1
    assert project.json("show", "Announce a release")["category"] == "general"


def test_another_wording_is_a_conflict_that_overwrite_decides(project: Shell) -> None:
    project("pack", "import", str(EXAMPLE), "--mode", "preserve")
    (card,) = Path(".experience/experiences").rglob("announce-a-release-*.md")
    text = card.read_text("utf-8")
    words = project.json("show", "Announce a release")["description"]
    card.write_text(text.replace(words, "我们的说法"), "utf-8")
    project("sync")
    source = Path("changed")
    _changed_copy(source)
    skipped = project.json("pack", "import", str(source), "--mode", "preserve")
    taken = project.json(
        "pack",
        "import",
        str(source),
        "--mode",
        "preserve",
        "--on-conflict",
        "overwrite",
    )

    assert skipped["counts"]["conflict"] == 1
    assert taken["counts"]["overwritten"] == 1


def _changed_copy(target: Path) -> None:
    """Write the example with one description changed."""
    from dataclasses import replace

    from experience_pack.packs.destination import write_pack
    from experience_pack.packs.export import export_pack
    from experience_pack.packs.incoming import read_incoming
    from experience_pack.store import Store, experiences

    incoming = read_incoming(EXAMPLE)
    store = Store.in_memory()
    with store.transaction() as tx:
        for one in incoming.experiences:
            changed = replace(one, description="other words")
            named = one.name == "Announce a release"
            experiences.save(tx, changed if named else one)
    write_pack(export_pack(store, incoming.info).files, target)


@pytest.mark.parametrize("ending", [".xpack", ".json", ""])
def test_every_form_of_a_pack_is_verified_and_round_trips(
    project: Shell, ending: str
) -> None:
    project("pack", "export", "-o", f"all{ending}")

    found = project.json("pack", "verify", f"all{ending}", "--roundtrip")
    assert found["roundtrip"]["differing"] == []


def test_a_review_text_holds_every_word(project: Shell) -> None:
    project("pack", "export", "-o", "review.md")
    text = Path("review.md").read_text("utf-8")

    assert "整理文档" in text
    assert "先分类" in text


def test_a_changed_pack_is_exit_9_and_writes_nothing(project: Shell) -> None:
    project("pack", "export", "-o", "all")
    (card,) = Path("all/cards").rglob("*.md")
    card.write_text(card.read_text("utf-8") + "x", "utf-8")
    project("pack", "import", "all", code=9)

    assert card.relative_to("all").as_posix() in project.err


def test_experiences_of_the_documents_format_come_in(project: Shell) -> None:
    document = Path(__file__).parents[1] / "fixtures" / "versions" / "document-v2.json"
    Path("v2.json").write_text(
        json.dumps({"experiences": [json.loads(document.read_text("utf-8"))]})
    )
    project("pack", "import", "v2.json", "--mode", "preserve")
    project("convert", "to", "json", "-o", "back.json")
    back = json.loads(Path("back.json").read_text("utf-8"))["experiences"]

    assert "月度消费复盘" in {one["name"] for one in back}


def test_the_faults_of_a_bundle_are_all_named(project: Shell) -> None:
    bad = {"experiences": [{"name": "a", "logic": {"path": [{"action": 1}]}}, 7]}
    Path("bad.json").write_text(json.dumps(bad))
    project("pack", "import", "bad.json", code=4)

    assert "experiences[0].logic.path[0].action" in project.err
    assert "experiences[1]" in project.err


def test_an_id_given_twice_is_named_at_both_places(project: Shell) -> None:
    one = {"id": "exp_x", "kind": "lesson", "name": "a"}
    Path("twice.json").write_text(json.dumps([one, {**one, "name": "b"}]))
    project("pack", "import", "twice.json", code=4)

    assert "experiences[1].id: experiences[0] has it too" in project.err


def test_every_file_that_is_no_json_is_refused_as_a_bundle_and_as_a_config(
    project: Shell,
) -> None:
    for file in sorted(shared("json_parsing").glob("n_*.json")):
        project("pack", "import", str(file), code=4)
        config = Path(".experience/config.json")
        kept = config.read_bytes()
        config.write_bytes(file.read_bytes())
        project("config", "list", code=4)
        config.write_bytes(kept)

    assert project.json("list")


def test_every_file_that_is_json_fails_only_on_the_schema(project: Shell) -> None:
    for file in sorted(shared("json_parsing").glob("y_*.json")):
        project("pack", "import", str(file), code=4)
        twice = "is given twice" in project.err
        assert twice == ("duplicated_key" in file.name)
        assert twice or "not valid JSON" not in project.err


def test_json_that_is_no_configuration_is_refused_in_words(project: Shell) -> None:
    config = Path(".experience/config.json")
    for file in sorted(shared("json_parsing").glob("y_*.json")):
        config.write_bytes(file.read_bytes())
        project("config", "list", code=4)
        assert "config.json" in project.err


def test_agent_skills_come_in_once_and_update_afterwards(project: Shell) -> None:
    skill = Path("skills/deploy/SKILL.md")
    skill.parent.mkdir(parents=True)
    text = (
        "---\nname: deploy\ndescription: Use when deploying.\n---\n# Deploy\n\n1. Go\n"
    )
    skill.write_text(text)
    first = project.json("convert", "from", "skill", "skills")
    again = project.json("convert", "from", "skill", "skills")
    skill.write_text(text + "2. Check\n")
    changed = project.json("convert", "from", "skill", "skills")

    assert [one["counts"] for one in (first, again, changed)] == [
        {"new": 1}, {"same": 1}, {"changed": 1}
    ]  # fmt: skip


def test_settings_are_set_checked_and_overridden(
    project: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    project("config", "set", "mask_len", "40")
    assert project.json("config", "get", "mask_len") == 40
    project("config", "set", "mask_len", "many", code=2)
    project("config", "set", "no_such_key", "1", code=2)
    monkeypatch.setenv("EXPERIENCE_PACK_MASK_LEN", "7")

    assert project.json("config", "get", "mask_len") == 7


def test_a_snapshot_of_a_pack_file_installs_nothing(project: Shell) -> None:
    project("snapshot", "--pack", str(EXAMPLE), "-o", "page.html")

    assert "Announce a release" in Path("page.html").read_text("utf-8")
    assert len(project.json("list")) == 1


def test_status_names_what_waits(project: Shell) -> None:
    project("pack", "import", str(EXAMPLE))
    found = project.json("status")

    assert found["experiences"] == 15
    assert found["unreviewed"] == 14


def test_the_demo_runs_in_a_folder_of_its_own(xp: Shell) -> None:
    found = xp.json("demo", "--out", "try")

    assert found["experiences"] == 42
    assert Path(found["snapshot"]).exists()
    xp("demo", "--out", "try", code=2)


def test_a_user_workspace_is_private(xp: Shell) -> None:
    xp("init", "--user")
    place = Path(xp.json("status", "--user")["workspace"])

    assert place.stat().st_mode & 0o777 == 0o700
    assert (place / "exp.db").stat().st_mode & 0o777 == 0o600


def test_a_mistyped_command_is_answered_with_the_nearest(xp: Shell) -> None:
    xp("snapshto", code=2)

    assert "Did you mean 'snapshot'?" in xp.err


def test_a_newer_store_is_refused_untouched(project: Shell) -> None:
    import sqlite3

    store = Path(".experience/exp.db")
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA user_version=200")
    connection.close()
    before = store.read_bytes()
    project("list", code=3)

    assert store.read_bytes() == before


def test_terminal_escapes_in_a_name_are_shown_not_obeyed(project: Shell) -> None:
    project("add", "--name", "evil \x1b[2J name")

    assert "\x1b[2J" not in project("list")


def start(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Start the program as a process of its own."""
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True, text=True, check=False, encoding="utf-8",
        cwd=Path(__file__).parents[2],
    )  # fmt: skip


HEAVY = (
    "asyncio", "importlib.metadata", "git", "jinja2", "jsonschema", "markdown_it",
    "mcp", "numpy", "onnxruntime", "sqlite3", "yaml", "dataclasses", "filelock",
    "platformdirs", "semver",
)  # fmt: skip


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from experience_pack.cli.run import run; run(['--help']);"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )

    assert start("-c", code).stdout.endswith("[]\n")


def test_help_names_every_command() -> None:
    text = start("-m", "experience_pack", "--help").stdout

    assert all(f"  {name}" in text for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_text(xp: Shell, name: str) -> None:
    assert len(xp(name, "--help").splitlines()) > 4


def test_an_interrupted_command_is_exit_130(
    xp: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("experience_pack.cli.workspace.folders.create", interrupt)
    xp("init", code=130)


def test_a_closed_pipe_is_no_error(project: Shell) -> None:
    for _ in range(3):
        project("pack", "import", str(EXAMPLE))
    line = f"{sys.executable} -m experience_pack show --card 整理文档 | head -c 1"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        line, shell=True, capture_output=True, text=True, check=False, env=environment
    )

    assert "Traceback" not in done.stderr
    assert done.stdout == "-"
