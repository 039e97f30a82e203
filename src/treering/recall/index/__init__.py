"""Memories made ready for scoring, and their vectors."""
