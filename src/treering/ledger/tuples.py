"""Provide `NamedTuple` without the cost of importing `typing`.

Importing `typing` or `dataclasses` costs a fresh process as much as opening the store and reading a
memory from it. This does what `typing.NamedTuple` does at run time; type checkers see the real one.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from typing import NamedTuple as NamedTuple
else:
    _OWN = frozenset({"__module__", "__qualname__", "__annotations__"})

    class _Meta(type):
        def __new__(mcs, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> type:
            if not bases:
                return super().__new__(mcs, name, bases, body)
            # Texts, as every module that uses this has `from __future__ import annotations`.
            fields = list(body["__annotations__"])
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in _OWN and key not in fields:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Meta):
        pass
