from __future__ import annotations

import sys
from pathlib import Path
from subprocess import run

import pytest

from experience_pack.model import Experience
from experience_pack.runtime.encoder import TAG_LENGTH, encode, numbers_in
from experience_pack.store import Store, experiences

FIXTURES = Path(__file__).parents[1] / "fixtures" / "matching"


def rows(name: str) -> list[tuple[str, ...]]:
    lines = (FIXTURES / name).read_text("utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if not line.startswith("#")]


@pytest.mark.parametrize(("text", "numbers"), rows("numbers.tsv"))
def test_numbers_are_read_in_plain_form(text: str, numbers: str) -> None:
    assert numbers_in(text) == tuple(numbers.split())


def test_a_state_has_task_words_and_search_terms() -> None:
    state = encode("帮我整理海豹文件夹的文档")

    assert state.task_tokens() == ["整理", "海豹文件夹", "文档"]
    assert {"整理", "海豹", "文档"} <= set(state.terms)
    assert len(set(state.terms)) == len(state.terms)


@pytest.mark.parametrize("key", ["task", "intent", "action", "event"])
def test_the_context_gives_tags_that_are_searched_for(key: str) -> None:
    state = encode("go", {key: "File_Organize"})

    assert state.tags == {"file_organize"}
    assert state.terms == ("go", "file_organize", "file", "organize")


def test_lists_of_tags_and_numbers_are_tags_too() -> None:
    state = encode("压缩到300字", {"tags": ["论文", "实证"], "expense": 5000})

    assert state.tags == {"论文", "实证", "300"}
    assert state.numbers == ("300",)
    assert state.context["expense"] == 5000


def test_long_texts_and_data_are_no_tags() -> None:
    context = {"task": "x" * (TAG_LENGTH + 1), "intent": 7, "event": ["a", 3]}

    assert encode("go", context).tags == {"a"}
    assert encode("go", context).event == ""


def test_the_event_is_case_folded() -> None:
    assert encode("", {"event": " Monthly_Review "}).event == "monthly_review"


def test_a_first_answer_loads_no_dataclasses(tmp_path: Path) -> None:
    path = tmp_path / "exp.db"
    store = Store.open(path, create=True)
    with store.transaction() as tx:
        experiences.save(tx, Experience(id="a", kind="process", name="整理文档"))
    store.close()
    script = (
        "import sys, pathlib\n"
        "from experience_pack.store import Store\n"
        "from experience_pack.runtime.encoder import encode\n"
        "from experience_pack.runtime.matcher import match\n"
        "store = Store.open(pathlib.Path(sys.argv[1]))\n"
        "print(match(store, encode('整理文档'))[0].id)\n"
        "heavy = {'dataclasses', 'inspect', 'enum34', 'secrets', 'logging', 'click'}\n"
        "print(*sorted(heavy & sys.modules.keys()))\n"
    )
    done = run(
        [sys.executable, "-c", script, str(path)],
        capture_output=True, text=True, check=True,
        cwd=Path(__file__).parents[2],
    )  # fmt: skip

    assert done.stdout.split("\n")[:2] == ["a", ""]
