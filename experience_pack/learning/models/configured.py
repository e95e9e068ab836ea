"""The model that the person configured, if any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from experience_pack.learning.models.command import CommandModel
from experience_pack.learning.models.endpoint import EndpointModel
from experience_pack.model.replies import Model


def configured(settings: Mapping[str, Any]) -> Model | None:
    """Give the model that the settings name; a command stands over an endpoint.

    None where neither is named. Nothing is asked or started yet.
    """
    timeout = float(settings["model.timeout"])
    if settings["model.command"]:
        return CommandModel(settings["model.command"], timeout)
    if settings["model.endpoint"]:
        return EndpointModel(
            settings["model.endpoint"],
            settings["model.name"],
            settings["model.key_env"],
            timeout,
        )
    return None
