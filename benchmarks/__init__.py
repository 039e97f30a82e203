"""How fast Treering is, as ratios to bare SQLite doing the same work in the same run."""
