"""Treering: a long-term memory for AI agents that improves itself with use, and can prove it.

    import treering

    with treering.open() as memory:
        note = memory.remember("Run migrations with a lock timeout of 5 s", type="procedural")
        memory.recall("how do I run migrations").hits

What is listed in `__all__` is public; everything else may change.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.compose import open
    from treering.evolve.implicit import ToolResult
    from treering.ledger.errors import InvalidInput, NotFound, ReadOnly, Refused, StoreError, TreeringError
    from treering.ledger.events import Event
    from treering.ledger.ledger import Undone
    from treering.ledger.types import Hit, Memory, Recall
    from treering.memory import Treering

__version__ = "0.1.0"
__all__ = [
    "Event",
    "Hit",
    "InvalidInput",
    "Memory",
    "NotFound",
    "ReadOnly",
    "Recall",
    "Refused",
    "StoreError",
    "ToolResult",
    "Treering",
    "TreeringError",
    "Undone",
    "open",
]

# Where each public name lives. They are loaded when first asked for: importing the package costs nothing.
_HOMES = {
    "Event": "treering.ledger.events",
    "Hit": "treering.ledger.types",
    "InvalidInput": "treering.ledger.errors",
    "Memory": "treering.ledger.types",
    "NotFound": "treering.ledger.errors",
    "ReadOnly": "treering.ledger.errors",
    "Recall": "treering.ledger.types",
    "Refused": "treering.ledger.errors",
    "StoreError": "treering.ledger.errors",
    "ToolResult": "treering.evolve.implicit",
    "Treering": "treering.memory",
    "TreeringError": "treering.ledger.errors",
    "Undone": "treering.ledger.ledger",
    "open": "treering.compose",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'treering' has no attribute {name!r}")
    module = __import__(_HOMES[name], fromlist=[name])
    value = globals()[name] = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOMES])
