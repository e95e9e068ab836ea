from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from experience_pack.api.runtime import ExperienceRuntime
from experience_pack.api.workspace import Workspace
from experience_pack.learning.portability import Project, freed, portability
from experience_pack.model import Experience

FIXTURES = Path(__file__).parents[1] / "fixtures/portability"
ROWS: list[dict[str, Any]] = json.loads((FIXTURES / "sources.json").read_text("utf-8"))


def workspace(folder: Path) -> ExperienceRuntime:
    folder.mkdir()
    Workspace(folder).init()
    return Workspace(folder).runtime()


@pytest.mark.parametrize("row", ROWS, ids=[row["what"] for row in ROWS])
def test_placeholders_stand_for_what_ties(row: dict[str, Any], tmp_path: Path) -> None:
    root = tmp_path / row["project"]
    with workspace(root) as core:
        text = row["text"].replace("$ROOT", str(root))
        plain = core.compile_experience(text, dry_run=True)
        found = core.compile_experience(text, dry_run=True, portable=True)
    assert isinstance(plain, dict)
    assert isinstance(found, dict)
    project = Project(row["project"], str(root))
    one = Experience.from_dict(found)

    assert found["exec"]["template"]["reply"] == row["template"]
    assert portability(one, project).score == 1
    before = portability(Experience.from_dict(plain), project).score
    assert (before < 1) is ("{" in row["template"].replace("{{", ""))


@pytest.mark.parametrize(
    ("name", "other", "request_", "text"),
    [
        (
            "shop",
            "bakery",
            "where is the report of shop",
            "The report of shop is at $ROOT/out/report.csv, as bob@corp-mail.io says.",
        ),
        (
            "海豹书店",
            "企鹅面包房",
            "海豹书店的报表在哪里",
            "海豹书店的报表在 $ROOT/out/report.csv，请问 bob@corp-mail.io。",
        ),
    ],
)
def test_what_was_freed_runs_in_another_project(
    name: str, other: str, request_: str, text: str, tmp_path: Path
) -> None:
    root, elsewhere = tmp_path / name, tmp_path / other
    with workspace(root) as core:
        source = text.replace("$ROOT", str(root))
        made = core.compile_experience(
            source, "report", "user_confirmed", request=request_, portable=True
        )
        bundle = core.export_experience(str(made))
        told = json.dumps(core.get_experience(str(made)), ensure_ascii=False)
    with workspace(elsewhere) as core:
        core.import_bundle(bundle)
        (one,) = core.list_experiences()
        core.authorize_experience(one["id"], score=0.9)
        asked = request_.replace(name, "")
        context = {"email": "eve@corp-mail.io"}
        answer = core.request(" ".join(asked.split()), context)
        without = core.request(" ".join(asked.split()))

    for trace in (name, str(root), "bob"):
        assert trace not in told
    assert answer["decision"] == "execute", answer
    assert answer["output"] == text.replace("$ROOT", str(elsewhere)).replace(
        name, other
    ).replace("bob", "eve")
    assert without["decision"] == "assist"


def test_rules_and_calls_are_left_and_lower_the_score() -> None:
    one = Experience.from_dict(
        {
            "id": "exp_one",
            "kind": "reflex",
            "name": "copy",
            "match": {"keywords": ["shop", "copy"]},
            "exec": {
                "workflow": [
                    {"name": "a", "provider": "b", "params": {"to": "/home/bob/x"}}
                ]
            },
        }
    )
    done = freed(one, Project("shop", "/srv/shop"))

    assert done.experience.match.keywords == ("copy",)
    assert done.experience.exec == one.exec
    assert portability(done.experience).score < 1


def test_values_say_what_stood_there() -> None:
    one = Experience.from_dict(
        {"id": "exp_one", "kind": "process", "name": "x", "notes": "/srv/shop/a.txt"}
    )
    done = freed(one, Project("shop", "/srv/shop"))

    assert done.experience.notes == "{project}/a.txt"
    assert done.values == {"project": "/srv/shop"}
