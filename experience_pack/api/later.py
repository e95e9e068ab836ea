"""Methods whose modules are loaded when they are first called, for a request waits."""

from __future__ import annotations

import importlib
from typing import Any


class Later:
    """Stands for a module of this package; its functions become methods of a class."""

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return _Method(self._module, name)


class _Method:
    """Puts the function in its own place when it is first asked for."""

    def __init__(self, module: str, function: str) -> None:
        self._module = module
        self._function = function

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner, self._name = owner, name

    def __get__(self, instance: object, owner: type) -> Any:
        module = importlib.import_module(f"experience_pack.api.{self._module}")
        function = getattr(module, self._function)
        setattr(self._owner, self._name, function)
        return function.__get__(instance, owner)
