"""Every tool, as one frozen table. A model can propose: none of them accepts, rejects, promotes, purges or undoes."""

from __future__ import annotations

from treering.core.errors import InvalidInput
from treering.mcp.tools.evolving import EVOLVING
from treering.mcp.tools.remembering import REMEMBERING
from treering.mcp.tools.skilled import SKILLED
from treering.mcp.tools.tending import TENDING
from treering.mcp.tools.tool import Tool

__all__ = ["ALL", "DEFAULT", "TOOLS", "chosen"]

TOOLS = (*REMEMBERING, *SKILLED, *EVOLVING, *TENDING)
ALL = "all"
# What an agent needs every day. Each tool costs whoever reads the list, so the rest is for those who ask.
DEFAULT = tuple(tool.name for tool in (*REMEMBERING, *SKILLED))


def chosen(names: str = "") -> tuple[Tool, ...]:
    """The tools of a list of names with commas, `all` of them, or those that are offered unasked."""
    if names == ALL:
        return TOOLS
    known = {tool.name: tool for tool in TOOLS}
    wanted = [name for part in names.split(",") if (name := part.strip())] if names else [*DEFAULT]
    for name in wanted:
        if name not in known:
            raise InvalidInput(f"there is no tool {name!r}: there is {', '.join(known)}, or all")
    if not wanted:
        raise InvalidInput(f"name at least one tool: there is {', '.join(known)}, or all")
    return tuple(tool for tool in TOOLS if tool.name in wanted)
