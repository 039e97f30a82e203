"""Improve the memory: judge, compare and estimate what recalls showed."""
