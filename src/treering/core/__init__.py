"""The rules of Treering, pure: no I/O, no clock, no randomness."""
