"""What can be told of a cluster without a model: path, branches, references, name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from experience_pack.learning.clusters import (
    TEXT,
    Cluster,
    slug,
    trajectory_of,
    words_of,
)
from experience_pack.learning.likeness import groups
from experience_pack.learning.parameters import parametrised
from experience_pack.model import (
    Branch,
    Episode,
    Execution,
    Experience,
    Logic,
    Match,
    Origin,
    Step,
    Trigger,
    WorkflowStep,
    new_id,
)
from experience_pack.text.tokens import derive_keywords

EXEMPLARS = 5
"""Requests that are kept as utterances that mean it: more say the same again."""


def inferred(cluster: Cluster, base: Experience | None, origin: str) -> Experience:
    """Give the experience of a cluster, as a branch of `base` if there is one."""
    last = cluster.episodes[-1]
    suffix = f" ({', '.join(cluster.tags)})" if base else ""
    general = base.match.tags if base else (last.type,)
    kind = cluster.kind
    requires, execution = _execution(cluster)
    return Experience(
        id=new_id(),
        kind=kind,
        name=cluster.name + suffix,
        category=base.category if base else "",
        family=(base.family or base.name) if base else "",
        parent_id=base.id if base else "",
        reuse_mode="assist_only" if kind == "process" else "",
        requires=requires,
        trigger=Trigger(event=last.type, frequency="recurring"),
        match=Match(
            tags=tuple(dict.fromkeys([*general, *cluster.tags])),
            keywords=derive_keywords(f"{cluster.name} {' '.join(cluster.tags)}"),
        ),
        logic=_logic(cluster),
        exec=execution,
        exemplars=tuple(_requests(cluster.episodes)),
        origin=Origin(
            type=origin,
            source=cluster.source,
            reason=f"came up {len(cluster.episodes)} times",
            episode_ids=tuple(one.id for one in cluster.episodes),
        ),
    )


def _requests(episodes: Sequence[Episode]) -> list[str]:
    """Give what was asked, each wording once, where most asked for the same."""
    asked = [request for one in episodes if (request := words_of(one, "request"))]
    alike = max(groups(asked), key=len, default=[])
    if 2 * len(alike) <= len(episodes):
        return []
    return [*dict.fromkeys(asked[place] for place in alike)][:EXEMPLARS]


def _logic(cluster: Cluster) -> Logic:
    cited = [ref for one in cluster.episodes for ref in _references(one.meta)]
    return Logic(
        path=tuple(_path(cluster)),
        branches=tuple(_branches(cluster.episodes)),
        references=tuple(dict.fromkeys(cited)),
    )


def _path(cluster: Cluster) -> Iterator[Step]:
    """Give the steps of the run that went best, each once, else the method's lines."""
    if steps := best_run(cluster.episodes):
        for step in steps:
            yield Step(action=str(step["action"]).strip(), tool=_tool(step))
    elif cluster.mode != TEXT:
        for line in cluster.episodes[-1].text.splitlines():
            if line.strip():
                yield Step(action=line.strip())


def best_run(episodes: Sequence[Episode]) -> list[Mapping[str, Any]]:
    """Give the steps of the newest run with the fewest failures, repeats left out."""
    runs = [run for one in reversed(episodes) if (run := trajectory_of(one))]
    steps = min(runs, key=_failures, default=[])
    return [
        step
        for at, step in enumerate(steps)
        if at == 0 or slug(str(steps[at - 1]["action"])) != slug(str(step["action"]))
    ]


def _failures(steps: Sequence[Mapping[str, Any]]) -> int:
    return sum(step.get("ok") is False for step in steps)


def _branches(episodes: Sequence[Episode]) -> list[Branch]:
    """Give what to mind where a step failed, and how often that was."""
    seen: dict[tuple[str, str], int] = {}
    for one in episodes:
        for step in trajectory_of(one):
            error = str(step.get("error") or "").strip()
            if step.get("ok") is False and error:
                place = str(step["action"]).strip(), error
                seen[place] = seen.get(place, 0) + 1
    return [
        Branch(if_=action, then=error, why=f"failed {times} times" if times > 1 else "")
        for (action, error), times in sorted(seen.items())
    ]


def _execution(cluster: Cluster) -> tuple[tuple[str, ...], Execution]:
    """Give what it needs and how it runs: a template, a workflow, or not at all."""
    if cluster.kind == "result":
        made = parametrised([one.text for one in cluster.episodes])
        return made.requires, Execution(template={"reply": made.template})
    if cluster.kind == "reflex":
        steps = best_run(cluster.episodes)
        return (), Execution(workflow=tuple(_workflow(steps)))
    return (), Execution()


def _workflow(steps: Sequence[Mapping[str, Any]]) -> Iterator[WorkflowStep]:
    for step in steps:
        name = str(step["action"]).strip()
        given = step.get("params")
        params = dict(given) if isinstance(given, Mapping) else {}
        yield WorkflowStep(name=name, provider=_tool(step), params=params)


def _tool(step: Mapping[str, object]) -> str:
    return str(step.get("tool", ""))


def _references(given: Mapping[str, object]) -> list[str]:
    found = given.get("references", ())
    listed = found if isinstance(found, list | tuple) else ()
    return [one for one in listed if isinstance(one, str)]
