"""How kernels are compiled: once, and cached for the next process where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(*signature: Any, **options: Any) -> Callable[[Function], Function]:
    """Compile a function when it is first called, with these options of numba's.

    With a signature it is compiled now, and can be handed to another one as a pointer.

    What was compiled is kept beside the source, or where numba else finds a folder that it may
    write to. Where there is none, every process compiles for itself; and so it does with functions
    from elsewhere, a game in a user's file say, which goes by more than one name.
    """

    def decorate(function: Function) -> Function:
        jit: Any = numba.njit
        made: Function
        if not function.__module__.startswith("infoset."):
            made = jit(*signature, **options)(function)
            return made
        try:
            made = jit(*signature, cache=True, **options)(function)
        except RuntimeError:  # nowhere to keep it
            made = jit(*signature, **options)(function)
        return made

    return decorate
