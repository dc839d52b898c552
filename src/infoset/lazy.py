"""Names of a package that are imported when they are first used, so that the package loads quickly.

A package declares them by module, and once more for the type checker:

    __getattr__ = lazy_names(__name__, {"infoset.objects.money": ("Money",)})
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def lazy_names(package: str, modules: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package, from the modules to the names that each of them defines.

    >>> find = lazy_names("infoset.objects", {"infoset.objects.money": ("Money",)})
    >>> find("Money")
    <class 'infoset.objects.money.Money'>
    >>> find("Mony")
    Traceback (most recent call last):
    ...
    AttributeError: module 'infoset.objects' has no attribute 'Mony'
    """
    module_of = {name: module for module, names in modules.items() for name in names}

    def find(name: str) -> Any:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(module_of[name]), name)
        setattr(sys.modules[package], name, value)  # found at once from now on
        return value

    return find
