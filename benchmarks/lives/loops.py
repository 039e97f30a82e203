"""Switch every loop that acts unasked off in turn, and compare with all of them on, life by life."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any, NamedTuple

from benchmarks import report
from benchmarks.lives import runs
from benchmarks.lives.score import COLUMNS, figures
from treering.ledger.capturable import KINDS


class Loop(NamedTuple):
    """Something that Treering does unasked, and the settings that switch it off."""

    name: str
    off: Mapping[str, str]


LOOPS = (
    Loop("briefing", {"briefing_tokens": "0"}),
    Loop("prompt hook", {"prompt_tokens": "0"}),
    Loop("ageing", {"skip_steps": "hygiene"}),
    Loop("promotion", {"skip_steps": "to_project to_user"}),
    Loop("consolidation", {"skip_steps": "episodes"}),
    Loop("graph", {"skip_steps": "graph"}),
    Loop("contradictions", {"skip_steps": "contradictions"}),
    Loop("weights", {"learn_weights": "false", "skip_steps": "weights"}),
    Loop("learned terms", {"learn_terms": "false"}),
    Loop("company", {"learn_company": "false"}),
    Loop("prior", {"learn_prior": "false"}),
    Loop("Q", {"use_q": "false"}),
    Loop("swaps", {"swap": "0"}),
    Loop("evolution", {"evolve_hours": "0", "evolve_judgements": "0", "evolve_processes": "0"}),
    *(Loop(f"capture: {kind}", {"capture": " ".join(each for each in KINDS if each != kind)}) for kind in KINDS),
)
COMPARED = tuple(name for name, _, _ in COLUMNS)


def table(paths: Sequence[Path], plan: runs.Plan, names: Sequence[str]) -> str:
    """Return a row for each loop: what changes when it is switched off, and how sure that is."""
    chosen = [loop for loop in LOOPS if not names or loop.name in names]
    plans = [plan, *(plan._replace(settings={**plan.settings, **loop.off}) for loop in chosen)]
    played = runs.play_all([(path, one) for one in plans for path in paths], plan.jobs)
    whole, *others = [played[at : at + len(paths)] for at in range(0, len(played), len(paths))]
    rows = [[loop.name, *_differences(whole, off)] for loop, off in zip(chosen, others, strict=True)]
    return report.lines(["without", *COMPARED], rows)


def _differences(whole: Sequence[dict[str, Any]], off: Sequence[dict[str, Any]]) -> list[str]:
    """Return the mean of the differences of each life, and its standard error."""
    pairs = [(figures(on["counts"]), figures(without["counts"])) for on, without in zip(whole, off, strict=True)]
    return [_difference([(on[name], without[name]) for on, without in pairs]) for name in COMPARED]


def _difference(pairs: Sequence[tuple[float | None, float | None]]) -> str:
    found = [after - before for before, after in pairs if before is not None and after is not None]
    if not found:
        return "-"
    if not any(found):
        return "0"
    error = stdev(found) / len(found) ** 0.5 if len(found) > 1 else 0.0
    return f"{mean(found):+.3g} ± {error:.2g}"
