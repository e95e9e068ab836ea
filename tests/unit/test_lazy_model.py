from __future__ import annotations

import ast
import sys
from pathlib import Path
from subprocess import run

import pytest

from experience_pack import model


def named_for_type_checkers() -> set[str]:
    tree = ast.parse(Path(model.__file__).read_text("utf-8"))
    return {
        alias.name
        for block in tree.body
        if isinstance(block, ast.If)
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }


def test_every_name_that_type_checkers_see_is_there() -> None:
    names = named_for_type_checkers()

    assert names == set(model._MODULES)
    assert all(hasattr(model, name) for name in names)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Experiences'"):
        model.Experiences  # noqa: B018


def test_the_package_alone_loads_none_of_its_modules() -> None:
    script = (
        "import sys, experience_pack.model\n"
        "print([n for n in sys.modules if n.startswith('experience_pack.model.')])"
    )
    done = run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )

    assert done.stdout.strip() == "[]"
