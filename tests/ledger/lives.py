"""Memories of any age, made by hand, and what a policy does with one."""

from __future__ import annotations

from typing import Any

from treering.ledger.ageing import DAY, POLICIES, Limits, Step
from treering.ledger.types import Memory

NOW = 20_000 * DAY


HOUR = DAY // 24


LIMITS = Limits()


AGEING = ("created", "active", "consolidated", "archived")


def made(status: str = "active", idle: int = 0, **fields: Any) -> Memory:
    """A memory that was made, and last used, so long ago."""
    then = NOW - idle
    memory = Memory("a-1", "x", "semantic", status=status, created=then, updated=then)
    return memory._replace(**fields)


def step(name: str, memory: Memory, rings: int = 0, limits: Limits = LIMITS) -> Step | None:
    return POLICIES[name](memory, NOW, rings, limits)


def to(name: str, memory: Memory, rings: int = 0, limits: Limits = LIMITS) -> str:
    """Where a policy moves a memory; nothing if it stays."""
    found = step(name, memory, rings, limits)
    return found.to if found else ""
