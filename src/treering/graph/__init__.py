"""The knowledge graph: what texts name and tell, which names are one, and pictures of it."""
