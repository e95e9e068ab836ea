"""`ExperienceRuntime`: the names under which hosts know everything.

The functions stand in modules by subject and take the open store first; here they
become methods under the document's names.
"""

from __future__ import annotations

from typing import Any

from experience_pack.api import asking, catalogue, goals, learning
from experience_pack.api.core import Core


class ExperienceRuntime(Core):
    """Ask before each model call, feed back afterwards, and keep what was learned.

    Results are plain dicts and lists. Errors are `ExperiencePackError`s.
    """

    request = asking.request
    before_llm = asking.before_llm
    feedback = asking.feedback
    why = asking.why
    why_score = asking.why_score
    related = asking.related
    audit_logs = asking.audit_logs
    audit_get = asking.audit_get
    cleanup_audit = asking.cleanup_audit
    tick = asking.tick
    stats = asking.stats
    dashboard = asking.dashboard

    create_experience = catalogue.create_experience
    get_experience = catalogue.get_experience
    list_experiences = catalogue.list_experiences
    update_experience = catalogue.update_experience
    delete_experience = catalogue.delete_experience
    get_versions = catalogue.get_versions
    restore_version = catalogue.restore_version
    authorize_experience = catalogue.authorize_experience
    set_parent = catalogue.set_parent
    set_prerequisites = catalogue.set_prerequisites
    set_extends = catalogue.set_extends
    list_families = catalogue.list_families
    family_tree = catalogue.family_tree
    class_of = catalogue.class_of
    class_params = catalogue.class_params
    list_classes = catalogue.list_classes
    register_class = catalogue.register_class
    set_category = catalogue.set_category
    save_episode = catalogue.save_episode
    get_episode = catalogue.get_episode
    evidence = catalogue.evidence

    compile_experience = learning.compile_experience

    goal_add = goals.goal_add
    goal_update = goals.goal_update
    goal_list = goals.goal_list
    goal_delete = goals.goal_delete
    goal_state = goals.goal_state
    memory_tools = goals.memory_tools

    def export_experiences(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Give some experiences, or all, as a JSON bundle."""
        from experience_pack.api import portable  # packs load slower than an answer

        return portable.export_experiences(self, *args, **options)

    def export_experience(self, exp_id: str, **options: Any) -> dict[str, Any]:
        """Give one experience as a JSON bundle."""
        from experience_pack.api import portable

        return portable.export_experience(self, exp_id, **options)

    def export_markdown(self, *args: Any, **options: Any) -> str:
        """Give some experiences, or all, as one text for review."""
        from experience_pack.api import portable

        return portable.export_markdown(self, *args, **options)

    def import_bundle(self, bundle: Any, **options: Any) -> dict[str, Any]:
        """Take in a bundle; see `portable.import_bundle`."""
        from experience_pack.api import portable

        return portable.import_bundle(self, bundle, **options)
