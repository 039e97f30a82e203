"""How fast Treering recalls, and what that takes: beside bare FTS5 and bare exact vector search on the same notes."""
