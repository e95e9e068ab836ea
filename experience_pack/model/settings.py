"""Every configuration key, its default, and what it is for.

The values of the runtime document keep their defaults (row R10). What only code can
give (`encoder`, `data_providers`, `llm`) is an argument of `ExperienceRuntime`.
"""

from __future__ import annotations

from typing import NamedTuple

from experience_pack.model.values import Json


class Setting(NamedTuple):
    """One key of `config.json`."""

    key: str
    default: Json
    text: str
    scope: str = "any"
    """Whose file can say it: `any`, only the workspace's `own`, or only a `person`'s,
    since a project's file may be anybody's."""


SETTINGS = (
    Setting("name", "", "Name of the project, shown in pages and packs.", "own"),
    Setting("created_at", "", "When the workspace was made.", "own"),
    Setting("runtime_version", "", "Release that made the workspace.", "own"),
    Setting("language", "", "Language of pages: `en`, `zh`; empty: the reader's."),
    Setting("mask_len", 80, "Characters of a request that pages show; 0 hides all."),
    Setting("automatic_threshold", 0.75, "Confidence from which an item is mature."),
    Setting("assist_threshold", 0.35, "Confidence from which an item assists."),
    Setting("min_similarity", 0.10, "Similarity below which nothing is a candidate."),
    Setting(
        "matching.policy",
        "calibrated",
        "What lets an item execute: `calibrated` (how probably it is meant, where "
        "there are vectors) or `document` (similarity).",
    ),
    Setting("matching.semantic", default=True, text="Use the prepared model."),
    Setting("error_budget", 0.01, "Share of requests that may be executed wrongly."),
    Setting("formula_weights.base", 0.50, "Weight of the base in the confidence."),
    Setting("formula_weights.uf", 0.20, "Weight of recent use."),
    Setting("formula_weights.ua", 0.15, "Weight of what people said."),
    Setting("formula_weights.freshness", 0.15, "Weight of freshness."),
    Setting("goal_inject.policy", "hybrid", "When goals are shown: `hybrid`, `off`."),
    Setting("goal_inject.start", default=True, text="Show goals as a task starts."),
    Setting("goal_inject.probability", 0.15, "Chance of a reminder in between."),
    Setting("goal_inject.max_per_task", 3, "Most reminders in one task."),
    Setting("audit_retention_days", 0, "Days that decisions are kept; 0 for ever."),
    Setting("auto_compile_limit", 5, "Most experiences that one run compiles."),
    Setting("max_source_chars", 8000, "Characters of source given to a model."),
    Setting("composite_max_parts", 3, "Most experiences in one assembled assist."),
    Setting("composite_max_per_family", 1, "Most of one family among them."),
    Setting(
        "review.non_interactive",
        default=False,
        text="Let approvals come without a terminal; only you can say so yourself.",
        scope="person",
    ),
    Setting("reflection.enabled", default=True, text="Let work here be reflected on."),
    Setting(
        "reflection.automatic",
        default=False,
        text="Reflect after each finished task; its end goes to your model.",
        scope="person",
    ),
    Setting(
        "lessons.delivery",
        "advisory",
        "How approved lessons go to a model: `advisory`, `strict`, `off`.",
    ),
    Setting("lessons.max_chars", 12000, "Most characters of lessons in one input."),
    Setting(
        "lessons.context",
        default=True,
        text="Also give core, recent and monthly lessons once a session.",
    ),
    Setting(
        "learning.capture",
        default=False,
        text="Keep finished exchanges, redacted, for `learn analyze`.",
        scope="person",
    ),
    Setting(
        "learning.retention_days",
        7,
        "Days that the text of what was analysed is kept: 7, 14 or 30.",
        scope="person",
    ),
    Setting("trust.signers", "", "File of allowed signers; packs have to be signed."),
    Setting("trust.required", "", "Signers that every pack needs, comma separated."),
    Setting(
        "model.command",
        "",
        "Program that answers as a model: prompt on stdin, answer on stdout, as "
        "`claude -p`.",
        scope="person",
    ),
    Setting(
        "model.endpoint",
        "",
        "OpenAI-compatible address that is asked instead, as `http://127.0.0.1:11434/v1`.",
        scope="person",
    ),
    Setting("model.name", "", "Name of the model at that address.", "person"),
    Setting(
        "model.key_env",
        "",
        "Name of the environment variable that holds the key; never the key itself.",
        scope="person",
    ),
    Setting("model.timeout", 90.0, "Seconds that a model may take.", "person"),
)  # fmt: skip
"""All keys, in the order of the documentation."""

BY_KEY = {setting.key: setting for setting in SETTINGS}
