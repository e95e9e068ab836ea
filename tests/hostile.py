"""An experience that says one thing in every field that is a text."""

from __future__ import annotations

from experience_pack.model import Experience, Link, Logic, Match, Requests, Step


def everywhere(at: int, text: str) -> Experience:
    """Give an experience with a payload in every field that is a text."""
    return Experience(
        id=f"exp_{at:026d}",
        kind="process",
        name=text,
        description=text,
        category=text[:60],
        family=text[:60],
        notes=text,
        when=text,
        do=text,
        text=text,
        quote=text,
        source=text,
        exemplars=(text,),
        tests=Requests(must_match=(text,), must_not_match=(text,)),
        links=(Link(relation=text[:40], target=text[:80], note=text),),
        logic=Logic(
            goal=text,
            triggers=(text,),
            references=(text,),
            path=(Step(action=text, tool=text, input=text, expect=text, verify=text),),
        ),
        match=Match(tags=(text[:60], "shared"), keywords=(text,)),
        extra={"unknown": text},
    )
