"""Durable facts out of Markdown documents, by their structure alone: no model, no files, no clock."""

from __future__ import annotations

from treering.documents.harvest.changes import Changes, Fact, Known, changes
from treering.documents.harvest.facts import facts

__all__ = ["Changes", "Fact", "Known", "changes", "facts"]
