"""The memory as an MCP server: tools, resources and prompts for agents, over standard input or over HTTP.

`tools` holds what each tool does, and knows nothing of the wire; `server` offers it through the official SDK, which is
an extra; `stdio` and `http` serve it; `worker` is the one thread that touches the store.
"""
