"""The knowledge graph's pure side: what a text names and tells, which names are one, and pictures of it."""
