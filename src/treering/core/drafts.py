"""What every decision says in the same way: who decided it, where, about what, and resting on what."""

from __future__ import annotations

from treering.core.codec import encode
from treering.core.errors import InvalidInput
from treering.core.events import Draft
from treering.core.types import ACTORS, one_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.events import Data
    from treering.core.types import Context

LONGEST_NAME = 500  # characters of a project, session, space, tag or language: they are names, not texts


def draft(kind: str, data: Data, context: Context, subject: str = "", causes: tuple[str, ...] = ()) -> Draft:
    """An event that somebody who stands here has decided on."""
    check(context)
    return Draft(kind, encode(data), context.actor, context.space, context.project, context.session, subject, causes)


def check(context: Context) -> None:
    one_of("actor", context.actor, ACTORS)
    check_names(context.space, context.project, context.session)


def check_names(*names: str) -> None:
    """Refuse what is no name: several lines, or a text."""
    for name in names:
        if len(name) > LONGEST_NAME:
            raise InvalidInput(f"a name of {len(name):,} characters is longer than {LONGEST_NAME}: {name[:40]!r}…")
        if name and not name.isprintable():
            raise InvalidInput(f"a name must be of one line that can be read: {name[:40]!r}")


def reasoned(reason: str) -> Data:
    return {"reason": reason} if reason else {}
