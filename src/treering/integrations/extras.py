"""What is said when a library is not installed."""

from __future__ import annotations

from treering.core.errors import TreeringError


class ExtraMissing(TreeringError, ImportError):
    """A library that only some need."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed: pip install 'treering[{extra}]'")
