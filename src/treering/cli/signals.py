"""The signals that proposals are made of, for people and for programs."""

from __future__ import annotations

from treering.core.signals import INTERRUPTED
from treering.moment import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from treering.cli.render import Page
    from treering.proposals.signals import Signals


def telling(signals: Signals, limit: int | None) -> dict[str, Any]:
    """For programs."""
    return {
        "reuse": {
            "memories_tracked": len(signals.reuse),
            "total_surfaces": sum(one.times for one in signals.reuse),
            "last_updated": _last(signals),
            "top_reused": [
                {"memory": one.memory, "count": one.times, "sessions": len(one.sessions), "projects": [*one.projects]}
                for one in signals.reuse[:limit]
            ],
        },
        "misses": {
            "total": signals.misses,
            "unique_prompts": signals.unique,
            "top_clusters": [
                {"count": len(gap.prompts), "distinct": gap.distinct, "tokens": [*gap.tokens]}
                for gap in signals.gaps[:limit]
            ],
        },
        "friction": {
            "prompts": signals.asked,
            "asked_again": [
                {"count": len(gap.prompts), "tokens": [*gap.tokens]}
                for gap in signals.repeated[:limit]
                if len(gap.prompts) > 1
            ],
            "places": [
                {
                    "kind": one.kind,
                    "count": len(one.rubs),
                    "tries": sum(rub.tries for rub in one.rubs),
                    "about": [*one.about],
                }
                for one in signals.rubbing[:limit]
            ],
            "interruptions": sum(rub.kind == INTERRUPTED for rub in signals.rubs),
        },
    }


def told(signals: Signals, limit: int | None, page: Page) -> Iterator[str]:
    """For people."""
    yield page.bold("Treering — self-evolving memory stats")
    yield from ("", "reuse:")
    yield f"  memories tracked: {len(signals.reuse):,}"
    yield f"  total surfaces: {sum(one.times for one in signals.reuse):,}"
    yield f"  last updated: {_last(signals) or 'never'}"
    if signals.reuse:
        yield "  top reused:"
        yield from (
            f"    • {one.memory} count={one.times} sessions={len(one.sessions)}" for one in signals.reuse[:limit]
        )
    yield from ("", "routing misses:")
    yield f"  total: {signals.misses:,}"
    yield f"  unique prompts: {signals.unique:,}"
    if signals.gaps:
        yield "  top clusters:"
        yield from (f"    • count={len(gap.prompts)} tokens=[{', '.join(gap.tokens)}]" for gap in signals.gaps[:limit])
    yield from _rubbing(signals, limit)
    yield ""


def _rubbing(signals: Signals, limit: int | None) -> Iterator[str]:
    again = [gap for gap in signals.repeated if len(gap.prompts) > 1]
    if not signals.asked and not signals.rubs:
        return
    yield from ("", "friction:")
    yield f"  prompts read: {signals.asked:,}"
    yield from (f"    • asked again count={len(gap.prompts)} tokens=[{', '.join(gap.tokens)}]" for gap in again[:limit])
    halted = sum(rub.kind == INTERRUPTED for rub in signals.rubs)
    yield f"  places: {len(signals.rubs):,}" + (f", of which {halted:,} interruptions" if halted else "")
    for one in signals.rubbing[:limit]:
        tries = sum(rub.tries for rub in one.rubs)
        yield f"    • {one.kind} count={len(one.rubs)} tries={tries} about=[{', '.join(one.about)}]"


def _last(signals: Signals) -> str:
    return shown(max(one.last for one in signals.reuse)) if signals.reuse else ""
