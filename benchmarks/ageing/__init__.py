"""How memories age: a simulated year under each policy, and how long hygiene takes."""
