from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import experience_pack
from experience_pack.api import ExperienceRuntime, Workspace
from experience_pack.api.core import WORKSPACE
from experience_pack.errors import (
    FormatError,
    NotFoundError,
    RefusedError,
    StorageError,
    UsageError,
)
from experience_pack.hosts.gateway import ExperienceGateway
from experience_pack.model.settings import BY_KEY
from experience_pack.workspace import location
from tests.runtime_host import add, host, mature

RESULT_KEYS = {
    "decision", "output", "prefill", "origin", "sources", "candidates", "rejected",
    "recall_candidates", "decision_id", "chain_injected", "composite", "tier",
    "degraded",
}  # fmt: skip
"""R1 of the document."""

QUICK_START = """
from experience_pack import ExperienceRuntime

runtime = ExperienceRuntime(
    db_path="my_app/exp.db",
    data_providers={"finance": my_finance_provider},
    llm=my_llm_call,
)

def handle(user_input, context):
    r = runtime.request(user_input, context)

    if r["decision"] == "execute":
        return r["output"]

    if r["decision"] == "assist":
        prompt = inject_prefill(user_input, r["prefill"], r["origin"])
        reply = my_llm_call(prompt)
        runtime.feedback(r, llm_output=reply)
        return reply

    reply = my_llm_call(user_input)
    runtime.feedback(r, llm_output=reply)

    if user_confirms(reply):
        runtime.compile_experience(reply, source_type="llm_output",
                                   origin_type="user_confirmed")
    return reply
"""
"""The document's quick start, word by word but for the name of the import."""


@pytest.fixture
def rt() -> Iterator[ExperienceRuntime]:
    with host() as runtime:
        yield runtime


def test_the_documents_quick_start_runs_as_it_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    prompts: list[str] = []

    def my_llm_call(prompt: str) -> str:
        prompts.append(prompt)
        return "海豹文件夹的文档先按类型分类，再归档。"

    names: dict[str, Any] = {
        "my_finance_provider": lambda _, __: {},
        "my_llm_call": my_llm_call,
        "inject_prefill": lambda text, prefill, _: f"{prefill}\n{text}",
        "user_confirms": lambda _: True,
    }
    exec(QUICK_START, names)
    handle, runtime = names["handle"], names["runtime"]
    first = handle("海豹文件夹的文档怎么分类", {})
    second = handle("海豹文件夹的文档怎么分类", {})

    assert first == second == "海豹文件夹的文档先按类型分类，再归档。"
    assert Path("my_app/exp.db").exists()
    assert "海豹文件夹的文档先按类型分类" in prompts[1]
    (kept,) = runtime.list_experiences()
    assert kept["name"] == "海豹文件夹的文档怎么分类"
    assert [row["decision"] for row in runtime.audit_logs()] == ["assist", "delegate"]
    runtime.close()


def test_an_answer_has_exactly_the_documents_keys(rt: ExperienceRuntime) -> None:
    mature(rt, "backup the database")
    add(rt, "整理文档", "process")

    for text in ("backup the database", "整理文档", "nothing"):
        result = rt.request(text)
        assert result.keys() == RESULT_KEYS
        json.dumps(result)


def test_a_mature_item_answers_without_a_model(rt: ExperienceRuntime) -> None:
    mature(
        rt, "备份数据库", exec={"template": {"reply": "已备份 {库}"}}, requires=["库"]
    )
    result = rt.request("备份数据库", {"库": "订单"})

    assert (result["decision"], result["output"]) == ("execute", "已备份 订单")
    assert result["prefill"] == ""
    assert result["sources"][0]["relation"] == "match"


def test_an_exception_after_the_workflow_leaves_it_to_the_model() -> None:
    def finance(_: Any, __: Any) -> Any:
        return {"expense": 10_001}

    run = {
        "workflow": [{"name": "load", "provider": "finance"}],
        "template": {"reply": "本月支出 {expense} 元"},
        "exception_rules": [{"if": "expense > 10000", "then": "delegate"}],
    }
    with host(data_providers={"finance": finance}) as rt:
        mature(rt, "月度汇总", exec=run)
        result = rt.request("月度汇总")

        assert result["decision"] == "delegate"
        assert result["rejected"][0]["factor"] == "exception"


def test_a_reference_for_recall_is_visible_but_not_injected(
    rt: ExperienceRuntime,
) -> None:
    add(rt, "海豹资料", "reference", reuse_mode="delegate_only")
    result = rt.request("海豹资料")

    assert (result["decision"], result["rejected"]) == ("delegate", [])
    assert [one["name"] for one in result["recall_candidates"]] == ["海豹资料"]
    assert result["prefill"] == ""


def test_a_chain_is_injected_only_where_a_model_reads_it(
    rt: ExperienceRuntime,
) -> None:
    basis = add(rt, "know the formats", "process")
    add(rt, "sort documents", "process", prerequisites=["know the formats"])
    mature(rt, "backup the database", extends=basis)

    assert rt.request("sort documents")["chain_injected"] == [basis]
    assert "[Prerequisites]" in rt.request("sort documents")["prefill"]
    assert rt.request("backup the database")["chain_injected"] == []


def test_an_unreviewed_prerequisite_is_not_injected(rt: ExperienceRuntime) -> None:
    with host() as other:
        add(other, "know the formats", "process")
        rt.import_bundle(other.export_experiences())
    add(rt, "sort documents", "process", prerequisites=["know the formats"])

    assert rt.request("sort documents")["chain_injected"] == []


def test_a_parent_takes_over_from_a_demoted_variant(rt: ExperienceRuntime) -> None:
    parent = add(rt, "财务复盘", "process")
    child = add(rt, "消费财务复盘", "process")
    rt.set_parent(child, parent)
    for rating in (1, 1, 1, -1, -1):
        rt.feedback(rt.request("消费财务复盘"), user_rating=rating)
    result = rt.request("消费财务复盘")

    assert result["sources"][0]["id"] == parent
    assert result["rejected"][0]["factor"] == "branch_demoted"


def test_the_variant_of_the_context_comes_first_and_the_base_without_it(
    rt: ExperienceRuntime,
) -> None:
    base = add(rt, "写摘要", "process", match={"tags": ["摘要"]})
    branch = add(rt, "写摘要", "process", match={"tags": ["摘要", "实证"]})
    rt.set_parent(branch, base)

    with_tag = rt.request("写摘要", {"tags": ["摘要", "实证"]})
    assert with_tag["sources"][0]["id"] == branch
    assert [one["id"] for one in rt.family_tree("写摘要")] == [base]
    assert rt.list_families() == [{"family": "写摘要", "members": 2}]


def test_categories_that_ask_for_evidence_warn(rt: ExperienceRuntime) -> None:
    add(rt, "核对报销", "process", category="financial_analysis")

    assert "没有留存证据" in rt.request("核对报销")["prefill"]


def test_what_comes_with_a_pack_waits_until_it_is_authorised(
    rt: ExperienceRuntime,
) -> None:
    with host() as other:
        mature(other, "backup the database")
        bundle = other.export_experiences()
    (identity,) = rt.import_bundle(bundle)["ids"].values()
    before = rt.request("backup the database")
    rt.authorize_experience(identity)

    assert before["decision"] == "delegate"
    assert rt.request("backup the database")["decision"] == "execute"


def test_an_edit_takes_the_right_to_execute_away(rt: ExperienceRuntime) -> None:
    identity = mature(rt, "backup the database")
    rt.update_experience(identity, description="another text", note="reworded")

    assert rt.request("backup the database")["decision"] == "assist"
    assert rt.get_versions(identity)[0]["note"] == "reworded"


def test_versions_are_listed_and_restored_as_the_document_shows(
    rt: ExperienceRuntime,
) -> None:
    identity = add(rt, "整理文档", "process")
    rt.update_experience(identity, name="V2", note="改名")
    versions = rt.get_versions(identity)
    rt.restore_version(identity, versions[-1]["id"])

    assert [set(one) for one in versions] == [{"id", "note", "created_at"}] * 2
    assert rt.get_experience(identity)["name"] == "整理文档"


def test_before_llm_bypasses_assists_or_proceeds(rt: ExperienceRuntime) -> None:
    mature(rt, "backup the database")
    add(rt, "整理文档", "process")

    assert rt.before_llm("backup the database")["output"] == "done: backup the database"
    assert rt.before_llm("整理文档")["action"] == "assist"
    assert "整理文档" in rt.before_llm("整理文档")["prefill"]
    assert rt.before_llm("帮我整理海豹文件夹的文档")["action"] == "assist"
    assert rt.before_llm("nothing").keys() == {"action", "decision_id"}


def test_the_gateway_asks_first_and_learns_what_was_confirmed(
    rt: ExperienceRuntime,
) -> None:
    asked: list[tuple[str, str]] = []

    def model(system: str, prompt: str) -> dict[str, Any]:
        asked.append((system, prompt))
        return {"success": True, "text": "Use `pg_dump orders`."}

    gateway = ExperienceGateway(rt, model)
    first = gateway.ask("how to dump the orders")
    identity = gateway.confirm_and_compile("how to dump the orders", first["reply"])
    gateway.ask("how to dump the orders")
    rt.authorize_experience(identity)
    third = gateway.ask("how to dump the orders")

    assert (first["decision"], third["decision"]) == ("delegate", "execute")
    assert third["reply"] == "Use `pg_dump orders`."
    assert [bool(system) for system, _ in asked] == [False, True]


def test_a_model_that_fails_is_an_error_of_the_gateway(rt: ExperienceRuntime) -> None:
    gateway = ExperienceGateway(rt, lambda _, __: {"success": False, "text": "half"})

    with pytest.raises(StorageError, match="no answer"):
        gateway.ask("anything")


def test_goals_remind_at_the_start_on_words_of_change_and_by_chance() -> None:
    chances = iter([0.15, 0.1499])
    with host(chance=lambda: next(chances)) as rt:
        goal = rt.goal_add("发布 1.0", keywords=["发布"])
        reminded = [
            "发布 1.0" in rt.request(text, {"task_id": "t"})["prefill"]
            for text in ("甲", "乙", "丙", "我们的目标是什么", "目标")
        ]

        assert reminded == [True, False, True, True, False]
        assert rt.goal_state()["goal_inject_stats"]["by_reason"] == {
            "start": 1,
            "keyword": 1,
            "chance": 1,
        }
        assert "发布 1.0" in rt.request("甲", {"task_id": "other"})["prefill"]
        rt.goal_update(goal, status="done")
        assert rt.goal_list("active") == []


def test_goals_stay_away_from_what_executes_and_where_they_are_off() -> None:
    with host(default_goal_inject_policy="off") as rt:
        rt.goal_add("release 1.0")
        assert rt.request("our goal")["prefill"] == ""
    with host() as rt:
        rt.goal_add("release 1.0")
        mature(rt, "backup the database")
        assert rt.request("backup the database")["prefill"] == ""
        assert rt.before_llm("anything else")["action"] == "proceed"


def test_memory_tools_can_be_called_by_an_agent(rt: ExperienceRuntime) -> None:
    rt.goal_add("发布 1.0")
    tools = {tool["name"]: tool for tool in rt.memory_tools()}

    state = tools["experience_goal_state"]["call"]()
    assert state["goals"][0]["title"] == "发布 1.0"
    assert tools["experience_request"]["call"](text="x")["decision"] == "delegate"


def test_categories_are_registered_listed_and_set(rt: ExperienceRuntime) -> None:
    identity = add(rt, "check a contract", "process", family="invoice")
    rt.register_class("legal", assist_only=True, half_life_days=30.0)

    assert rt.class_of(identity) == "financial_analysis"
    rt.set_category(identity, "legal")
    assert rt.class_of(identity) == "legal"
    assert rt.class_params("legal")["assist_only"] is True
    assert rt.class_params("unheard of")["half_life_days"] == 14.0
    assert {"general", "legal"} <= {one["name"] for one in rt.list_classes()}
    assert rt.stats()["classes"] == {"legal": 1}


def test_evidence_leads_to_episodes_and_references(rt: ExperienceRuntime) -> None:
    episode = rt.save_episode("report", {"total": 3}, user_validated=True)
    origin = {"type": "user_confirmed", "episode_ids": [episode, "gone"]}
    logic = {"references": ["docs/a.md"]}
    identity = add(rt, "report", "process", origin=origin, logic=logic)

    assert rt.get_episode(episode)["text"] == '{"total": 3}'
    assert [one.get("found") for one in rt.evidence(identity)] == [True, False, None]


def test_a_bundle_comes_back_under_other_ids_and_with_its_links(
    rt: ExperienceRuntime,
) -> None:
    basis = add(rt, "认识格式", "process")
    add(rt, "整理文档", "process", prerequisites=[basis])
    with host() as other:
        dry = other.import_bundle(rt.export_experiences(), dry_run=True)
        done = other.import_bundle(rt.export_experiences())

        assert (dry["counts"], dry["receipt"]) == ({"new": 2}, None)
        (linked,) = [
            one["id"] for one in other.list_experiences() if one["name"] == "整理文档"
        ]
        assert other.get_experience(linked)["prerequisites"] == [done["ids"][basis]]


def test_a_document_of_the_v2_format_comes_in_by_its_own_id(
    rt: ExperienceRuntime,
) -> None:
    path = Path(__file__).parents[1] / "fixtures" / "versions" / "document-v2.json"
    document = json.loads(path.read_text("utf-8"))
    rt.import_bundle({"experiences": [document]}, mode="preserve")

    assert rt.get_experience(document["id"])["name"] == "月度消费复盘"
    assert "月度消费复盘" in rt.export_markdown([document["id"]])


def test_the_dashboard_is_the_snapshot_with_masked_decisions() -> None:
    with host(mask_len=4) as rt:
        rt.request("整理海豹文件夹")
        found = rt.dashboard(recent=10)

        assert found["format"] == "snapshot"
        assert found["decisions"][0]["input"] == "整理海豹…"
        assert "candidates" not in found["decisions"][0]
        assert found["goal_inject_stats"]["total"] == 0


def test_the_store_of_the_workspace_is_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotFoundError, match="no workspace"):
        ExperienceRuntime()
    Workspace(tmp_path).init()
    with ExperienceRuntime() as rt:
        identity = add(rt, "整理文档", "process")
    cards = list((tmp_path / ".experience" / "experiences").rglob("*.md"))

    assert [identity[4:12] in card.name for card in cards] == [True]
    assert Workspace(tmp_path).sync() == []
    with Workspace(tmp_path).runtime() as again:
        assert again.request("整理文档")["decision"] == "assist"


def test_settings_of_the_workspace_hold_and_arguments_stand_over_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Workspace().init()
    with ExperienceRuntime() as rt:
        assert rt.folder is not None
        rt.folder.config.set("assist_threshold", 0.9)
    with ExperienceRuntime() as rt:
        assert rt.host.policy.assist_threshold == 0.9
    with ExperienceRuntime(assist_threshold=0.5) as rt:
        assert rt.host.policy.assist_threshold == 0.5


DOCUMENTED = {
    "automatic_threshold": 0.75,
    "assist_threshold": 0.35,
    "min_similarity": 0.10,
    "formula_weights.base": 0.50,
    "formula_weights.uf": 0.20,
    "formula_weights.ua": 0.15,
    "formula_weights.freshness": 0.15,
    "goal_inject.policy": "hybrid",
    "goal_inject.start": True,
    "goal_inject.probability": 0.15,
    "audit_retention_days": 0,
    "auto_compile_limit": 5,
    "max_source_chars": 8000,
    "composite_max_parts": 3,
    "composite_max_per_family": 1,
}


@pytest.mark.parametrize(("key", "value"), DOCUMENTED.items())
def test_every_setting_of_the_document_has_its_default(key: str, value: Any) -> None:
    with host() as rt:
        assert rt.settings[key] == value == BY_KEY[key].default


def test_weights_are_given_as_the_document_gives_them() -> None:
    weights = {"base": 0.4, "uf": 0.3, "ua": 0.2, "freshness": 0.1}
    with host(formula_weights=weights) as rt:
        identity = add(rt, "整理文档", "process")

        assert rt.why_score(identity)["weights"] == weights
        assert rt.why_score(identity)["score"] == pytest.approx(0.30)


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(UsageError, match="there is no setting speed"):
        host(speed=3)


def test_the_host_may_encode_requests_itself() -> None:
    from experience_pack.runtime.encoder import encode

    def shouted(text: str, context: Any) -> Any:
        return encode(text.lower().rstrip("!"), context)

    with host(encoder=shouted) as rt:
        mature(rt, "backup the database")

        assert rt.request("BACKUP THE DATABASE!!!")["decision"] == "execute"


def test_what_is_wrong_is_an_error_of_ours_with_its_place(
    rt: ExperienceRuntime,
) -> None:
    identity = add(rt, "整理文档", "process")
    with pytest.raises(FormatError, match="logic"):
        rt.update_experience(identity, logic="no object")
    with pytest.raises(UsageError, match="never executes"):
        rt.authorize_experience(identity)
    with pytest.raises(UsageError, match="here already"):
        rt.create_experience({"id": identity, "name": "x"})
    with pytest.raises(RefusedError, match="leads back"):
        rt.set_prerequisites(identity, [identity])
    with pytest.raises(UsageError, match="a text, not a int"):
        rt.request(3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="decision_id"):
        rt.feedback({}, user_rating=1)


def test_the_public_names_are_those_of_the_document() -> None:
    assert set(experience_pack.__all__) >= {"ExperienceRuntime", "Workspace"}
    names = (
        "request before_llm feedback compile_experience save_episode get_episode "
        "evidence set_parent set_prerequisites set_extends list_families family_tree "
        "update_experience get_versions restore_version authorize_experience "
        "audit_logs audit_get cleanup_audit stats tick dashboard export_experiences "
        "export_experience export_markdown import_bundle class_of class_params "
        "list_classes register_class set_category memory_tools goal_add goal_update "
        "goal_list goal_state goal_delete"
    )

    assert [
        name for name in names.split() if not hasattr(ExperienceRuntime, name)
    ] == []


def test_a_store_in_the_workspaces_folder_belongs_to_the_workspace() -> None:
    assert WORKSPACE == location.FOLDER


def test_a_request_loads_no_records() -> None:
    code = (
        "import sys; from experience_pack import ExperienceRuntime;"
        "rt = ExperienceRuntime(':memory:'); rt.request('整理文档');"
        "print('dataclasses' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"


def test_embedding_loads_nothing_but_the_standard_library() -> None:
    code = (
        "import sys; from experience_pack import ExperienceRuntime;"
        "rt = ExperienceRuntime(':memory:'); rt.request('整理文档');"
        "heavy = {'click', 'jinja2', 'git', 'yaml', 'jsonschema', 'platformdirs',"
        " 'filelock', 'numpy', 'onnxruntime', 'mcp'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", experience_pack.__all__)
def test_every_public_name_is_where_a_host_imports_it(name: str) -> None:
    assert getattr(experience_pack, name)
