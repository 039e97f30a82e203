"""Real coding agents with a scripted model: each in a network namespace that has loopback alone, and a home that is
thrown away. `make agents` runs all; `make test` a short part."""
