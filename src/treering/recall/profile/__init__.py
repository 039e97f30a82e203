"""Memories made ready for scoring, and where their vectors lie."""
