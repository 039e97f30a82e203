"""How long what makes the memory better takes on large stores, and what it finds there."""
