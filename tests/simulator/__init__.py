"""Simulate a machine: processes that share one store, a clock and a disk, all interleaved by a seed.

The code under test is the real one. Only what it stands on is simulated: time, chance, the calls to the
disk, and which process runs next. The same seed gives the same life.
"""
