"""Offer the memory as an MCP server: tools, resources and prompts for agents, over standard input
or HTTP.

`tools` holds what each tool does, and `offer` what is offered: neither knows the SDK, an extra. `server` offers it
through the SDK, `worker` has the store, and `stdio` and `http` serve.
"""
