"""Two sentences that say one thing: what to do and what not, or a rule and its ground."""

from __future__ import annotations

import re

from treering.capture.catches import DECISION, LONGEST, SEMANTIC, TOLD, Catch, marked, stems
from treering.capture.saying import doubts
from treering.capture.saying.clear import cleaned, clear, lead

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.capture.saying.own import Sentence

_DENIES = re.compile(
    r"\b(?:don't|do not|dont|never|not|no|avoid|stop|isn't|aren't|without|instead of)\b", re.IGNORECASE
)
# A sentence that says what cannot be, before one that says what is.
_GROUND = re.compile(
    r"(?:^|[,;] (?:but )?)(?P<rest>[^,;]* (?:can't be|cannot be|can't have|must not be|mustn't be|shouldn't be) .*)$"
)


_BOTH = re.compile(r"(?:,| and| but) not |\b(?:instead of|rather than|always|use|only|but)\b", re.IGNORECASE)
_COMPLAINT = re.compile(r"i (?:hate|don't like|dislike|can't stand)\b", re.IGNORECASE)
_NEXT = re.compile(  # another task
    r"(?:now|next|then|and now|ok|okay|thanks|thx|can|could|would|please (?:fix|add|run)|fix|add|run|commit|push"
    r"|build|ship|start|go|implement"
    r"|rename|update|do it|try|revert|undo|and (?:please )?(?:fix|add|run))\b"
)
_FEW = 5  # words of a sentence that is only a word with the next one
_SHORT = 7  # words
_LONG = 25  # words


def joined(found: Sequence[tuple[int, Catch]], said: Sequence[Sentence]) -> list[Catch]:
    """Catches with the places of their sentences. Of two neighbours that speak of one thing one is made; and one that
    says only half of it gets the other half from the sentence beside it."""
    kept: list[Catch] = []
    places = {at for at, _ in found}
    last = -1  # the place of the last one, if another may be joined to it
    for at, catch in found:
        if at and last == at - 1 and not said[at].item and _one_thing(kept[-1], catch):
            kept[-1] = _both(kept[-1], catch)
            last = -1
        else:
            before = said[at - 1] if at and at - 1 not in places else None
            after = said[at + 1] if at + 1 < len(said) and at + 1 not in places else None
            kept.append(catch if said[at].item or catch.kind == TOLD else _whole(catch, before, after))
            last = at
    return kept


def _whole(catch: Catch, before: Sentence | None, after: Sentence | None) -> Catch:
    """A catch with the other half of what was meant: "rebase, please. we never merge"."""
    if before is not None and (ground := _ground(before)):
        return _with(catch, f"{ground} {catch.content}")
    if before is not None and (text := _half(before, _FEW)):
        return _with(catch, f"{text} {catch.content}")
    only_denies = denying(catch.content) and not _BOTH.search(catch.content)
    half = only_denies or len(catch.content.split()) < _SHORT or _COMPLAINT.match(catch.content)
    if not half:
        return catch
    if after is not None and not _NEXT.match(after.plain) and (text := _half(after, _LONG)):
        catch = _with(catch, f"{catch.content} {text}")
    return catch


def _half(sentence: Sentence, most: int) -> str:
    """What a sentence beside another adds to it, of so many words at the most."""
    if sentence.asks or sentence.item or doubts.once(sentence.plain) or doubts.wonders(sentence.plain):
        return ""
    text = sentence.text[lead(sentence.plain) :]
    return cleaned(text) if 0 < len(text.split()) <= most else ""


def _with(catch: Catch, content: str) -> Catch:
    """A catch that says more, under the mark that it has without."""
    return marked(catch)._replace(content=content) if len(content) <= LONGEST else catch


def denying(text: str) -> bool:
    """Whether it forbids something."""
    return bool(_DENIES.search(text))


def _one_thing(first: Catch, second: Catch) -> bool:
    if (first.kind == DECISION) != (second.kind == DECISION):
        return False
    if len(first.content) + len(second.content) >= LONGEST or first.content == second.content:
        return False
    if denying(first.content) != denying(second.content):
        return True
    return bool(stems(first.content) & stems(second.content))


def _both(first: Catch, second: Catch) -> Catch:
    """One of two, under the mark of the surer one: a prompt alone may show only that."""
    first, second = marked(first), marked(second)
    surer = second if second.confidence > first.confidence else first
    whole = f"{first.content} {second.content}"
    return surer._replace(kind=first.kind, content=whole, type=SEMANTIC, trigger="", action="")


def _ground(before: Sentence) -> str:
    found = _GROUND.search(before.plain)
    if found is None or before.asks or not clear(found["rest"]):
        return ""
    return cleaned(before.text[found.start("rest") :])
