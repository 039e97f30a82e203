"""Finding the right memory, saying why, and knowing when to stay silent."""
