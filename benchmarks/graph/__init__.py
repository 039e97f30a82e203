"""What is read out of notes for the graph, and what the graph is worth to recall."""
