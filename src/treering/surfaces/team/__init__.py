"""A server for a team: MCP for agents and the dashboard for people, each for whoever shows a token."""
