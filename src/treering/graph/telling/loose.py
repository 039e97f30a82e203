"""What a note tells without a known verb or a known name: who speaks, and what something is done by."""

from __future__ import annotations

from treering.graph.names.tokens import SIGN, WORD
from treering.graph.telling.predicates import Predicate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.graph.names.guesses import Spot
    from treering.graph.names.tokens import Token
    from treering.graph.telling.sentence import Sentence

_MOST_NAMES = 3  # words of the name of somebody who speaks
_PASSIVE = 0.7  # how sure it is that what is done by a thing uses it
_BEING = frozenset("is are was were be been being get gets got".split())
_BY = frozenset(("by", "through", "via"))
LOOSE = _BY | {":"}  # without one of these, or a guess, there is nothing to be read loosely
_IRREGULAR = frozenset(
    """sent made built run kept held written read shown drawn driven fed set put given taken done led sold paid bought
    brought caught found got seen known grown thrown spun cut split met told taught""".split()
)


def passive(sentence: Sentence, at: int) -> Predicate | None:
    """ "the charts are drawn by Kelp": any participle will do."""
    lows = sentence.lows
    if not 0 < at < len(lows) - 2 or lows[at - 1] not in _BEING or lows[at + 1] not in _BY:
        return None
    is_participle = lows[at].endswith("ed") or lows[at] in _IRREGULAR
    return Predicate((lows[at], lows[at + 1]), "uses", False, _PASSIVE) if is_participle else None


def speaker(found: Sequence[Token], spots: Sequence[Spot]) -> int:
    """The token behind the name and the colon that a text begins with: who speaks is not spoken of. 0 for none."""
    for at, token in enumerate(found[: _MOST_NAMES + 1]):
        if token.kind == SIGN and token.low == ":":
            is_person = spots[0].first == 0 and spots[0].type == "person" and spots[0].last <= at
            return at + 1 if is_person or (at > 1 and spots[0].first > at) else 0
        if token.kind != WORD or not token.text[0].isupper():
            return 0
    return 0
