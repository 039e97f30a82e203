"""What a transcript tells, as events: what the user asked, and where the session got stuck."""

from __future__ import annotations

from treering.core.drafts import draft
from treering.core.events import PROMPTED, READ, RUBBED
from treering.core.prompts import tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.events import Data, Draft
    from treering.core.types import Context


def prompted(mark: str, prompt: str, context: Context) -> Draft:
    """A user asked for something. The words that say what are taken at once."""
    return draft(PROMPTED, {"mark": mark, "prompt": prompt, "tokens": tokens(prompt)}, context)


def rubbed(mark: str, kind: str, count: int, texts: Data, context: Context) -> Draft:
    """A session got stuck. `texts` has the tool, what it was tried with, the error and the reason, as far as known."""
    told = {name: text for name, text in texts.items() if text}
    return draft(RUBBED, {"mark": mark, "kind": kind, "count": count, **told}, context)


def read(file: str, mark: str, offset: int, carried: Data, context: Context) -> Draft:
    """A transcript was read up to here."""
    return draft(READ, {"file": file, "mark": mark, "offset": offset, "carried": carried}, context)
