"""What holds in every test."""

from __future__ import annotations

import os

# Chance has a say only in the tests that are about it.
os.environ["TREERING_SWAP"] = "0"
