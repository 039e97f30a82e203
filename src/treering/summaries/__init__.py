"""Episodes become knowledge: which belong together, what they say in short, and what a summary left out."""
