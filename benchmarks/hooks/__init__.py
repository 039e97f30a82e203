"""How long a hook keeps an agent waiting."""
