"""What consolidation makes of a thousand labelled episodes: groups, summaries, and recall before and after."""
