"""Texts read as statements: words, quantities, sentences, and what they claim."""
