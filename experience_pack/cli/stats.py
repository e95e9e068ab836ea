"""`stats`, `tick`: what is here in numbers, and letting recent use fade."""

from __future__ import annotations

from experience_pack.cli import output
from experience_pack.cli.asking import runtime
from experience_pack.cli.session import Session, command


@command(name="stats")
def stats_command(session: Session) -> None:
    """Say in numbers what is here and what was decided."""
    with runtime(session) as core:
        found = core.stats()

    def say() -> None:
        rows = [("experiences", str(found["experiences"]))]
        for group in ("kinds", "classes", "decisions"):
            rows += [(f"  {name}", str(found[group][name])) for name in found[group]]
        rows += [("compiled", str(found["compile_count"]))]
        rows += [("  with a model", str(found["llm_compile_count"]))]
        output.table(rows, (24,))

    session.print(found, say)


@command(name="tick")
def tick_command(session: Session) -> None:
    """Let recent use fade, and remove decisions beyond their days."""
    with runtime(session) as core:
        found = core.tick()
    text = (
        f"{found['experiences']} faded, {found['fell_asleep']} fell asleep, "
        f"{found['decisions_removed']} decisions removed"
    )
    session.print(found, lambda: output.result(text))
