"""Find the right memory, say why, and know when to stay silent."""
