"""How well contradictions are found, and how seldom they are seen where there are none."""
