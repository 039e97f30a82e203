from __future__ import annotations

from tests.surfaces.hook.conftest import agent, home, shop

__all__ = ["agent", "home", "shop"]
