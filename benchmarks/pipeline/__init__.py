"""How long it takes to look after a large memory, step by step."""
