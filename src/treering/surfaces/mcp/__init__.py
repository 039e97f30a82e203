"""Offer the memory as an MCP server: tools, resources and prompts for agents, over standard input
or HTTP.

`tools` holds what each tool does, and knows nothing of the wire; `server` offers it through the
official SDK, which is an extra; `worker` and `http` serve it.
"""
