"""Durable facts out of Markdown documents, by their structure alone: no model, no files, no clock."""

from __future__ import annotations

from treering.harvest.changes import changes
from treering.harvest.facts import facts
from treering.harvest.types import Changes, Fact, Known

__all__ = ["Changes", "Fact", "Known", "changes", "facts"]
