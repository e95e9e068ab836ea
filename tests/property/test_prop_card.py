from __future__ import annotations

import pytest
import rfc8785
from hypothesis import given, settings

from experience_pack.formats.canonical import canonical
from experience_pack.formats.card import parse, render_experience
from experience_pack.model import Experience
from tests.strategies import experiences, json_values

pytestmark = pytest.mark.property


@settings(max_examples=1000, deadline=None)
@given(experiences())
def test_a_card_comes_back_as_the_same_experience_and_the_same_bytes(
    experience: Experience,
) -> None:
    card = render_experience(experience)
    again = parse(card)

    assert again == experience
    assert render_experience(again) == card


@settings(max_examples=300, deadline=None)
@given(experiences())
def test_a_card_converted_to_crlf_is_the_same_experience(
    experience: Experience,
) -> None:
    converted = render_experience(experience).replace("\n", "\r\n")

    assert parse(converted) == experience


@settings(max_examples=300, deadline=None)
@given(experiences())
def test_reading_and_writing_a_record_changes_nothing(experience: Experience) -> None:
    assert Experience.from_dict(experience.to_dict()) == experience


@settings(max_examples=1000, deadline=None)
@given(json_values)
def test_canonical_json_agrees_with_the_reference_implementation(value: object) -> None:
    assert canonical(value).encode() == rfc8785.dumps(value)  # type: ignore[arg-type]
