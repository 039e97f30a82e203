"""Markdown in: lines become blocks, and markup becomes text."""
