"""A whole day of an agent with hooks, and somebody who kills them."""
