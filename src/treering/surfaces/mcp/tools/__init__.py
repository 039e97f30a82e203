"""List every tool. A model can propose: none of those that it may call accepts, rejects, promotes, purges or
undoes."""

from __future__ import annotations

from treering.ledger.errors import InvalidInput
from treering.surfaces.mcp.tools.everyday import REMEMBERING
from treering.surfaces.mcp.tools.evolve import EVOLVING
from treering.surfaces.mcp.tools.review import APP
from treering.surfaces.mcp.tools.tool import Tool
from treering.surfaces.mcp.tools.upkeep import MAINTENANCE, SKILLED

TOOLS = (*REMEMBERING, *SKILLED, *EVOLVING, *MAINTENANCE, *(tool for tool in APP if not tool.only_app))
ALL = "all"
# What an agent needs every day. Each tool costs whoever reads the list, so the rest is for those who ask.
DEFAULT = tuple(tool.name for tool in (*REMEMBERING, *SKILLED))


def chosen(names: str = "") -> tuple[Tool, ...]:
    """Return the tools of a list of names with commas, `all` of them, or the default ones."""
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
