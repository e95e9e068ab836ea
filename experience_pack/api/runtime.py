"""`ExperienceRuntime`: the names under which hosts know everything.

The functions stand in modules by subject and take the open store first; here they
become methods under the document's names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from experience_pack.api import asking
from experience_pack.api.core import Core
from experience_pack.api.later import Later

if TYPE_CHECKING:
    from experience_pack.api import (
        catalogue,
        goals,
        learning,
        portable,
        questions,
        reflecting,
    )
else:
    catalogue, goals, learning = Later("catalogue"), Later("goals"), Later("learning")
    portable, questions = Later("portable"), Later("questions")
    reflecting = Later("reflecting")


class ExperienceRuntime(Core):
    """Ask before each model call, feed back afterwards, and keep what was learned.

    Results are plain dicts and lists. Errors are `ExperiencePackError`s.
    """

    request = asking.request
    before_llm = asking.before_llm
    feedback = questions.feedback
    why = questions.why
    why_score = questions.why_score
    related = questions.related
    audit_logs = questions.audit_logs
    audit_get = questions.audit_get
    cleanup_audit = questions.cleanup_audit
    tick = questions.tick
    stats = questions.stats
    dashboard = questions.dashboard

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
    suggest_compilations = learning.suggest_compilations
    suggest_validations = learning.suggest_validations
    auto_compile = learning.auto_compile

    reflect = reflecting.reflect
    resume_reflections = reflecting.resume_reflections
    recent_messages = reflecting.recent_messages
    redistil_lessons = reflecting.redistil_lessons
    analyze_observations = reflecting.analyze_observations
    lesson_report = reflecting.lesson_report
    learning_status = reflecting.learning_status

    goal_add = goals.goal_add
    goal_update = goals.goal_update
    goal_list = goals.goal_list
    goal_delete = goals.goal_delete
    goal_state = goals.goal_state
    memory_tools = goals.memory_tools

    export_experiences = portable.export_experiences
    export_experience = portable.export_experience
    export_markdown = portable.export_markdown
    import_bundle = portable.import_bundle
