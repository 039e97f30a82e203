"""What is worth keeping of a session's turns."""

from __future__ import annotations

from treering.capture.catches import CORRECTION, PREFERENCE, TOLD, Catch, marked
from treering.capture.fixes import fixes
from treering.capture.joining import joined
from treering.capture.repeating import apart, left
from treering.capture.saying import doubts
from treering.capture.saying.correcting import correcting, denies
from treering.capture.saying.deciding import decided
from treering.capture.saying.lasting import only_lasts
from treering.capture.saying.own import sentences
from treering.capture.saying.standing import standing
from treering.capture.saying.telling import telling
from treering.capture.turns import AGENT, USER, Did, Said

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from treering.capture.saying.own import Sentence
    from treering.capture.turns import Turn

__all__ = ["Catch", "catch", "statement", "tells"]


def statement(text: str) -> list[Catch]:
    """What is worth keeping of one prompt, before anything is known of its session."""
    return catch([Said(USER, text)])


def tells(text: str) -> bool:
    """Whether a prompt says of something that it is to be kept."""
    return any(each.kind == TOLD for each in statement(text))


def catch(turns: Sequence[Turn]) -> list[Catch]:
    """What is worth keeping, each thing once, in the order in which it was said or done."""
    found: list[Catch] = []
    recent: set[str] = set()  # the lines since the last prompt, itself, and the one before it
    prompts: list[str] = []
    refused = late = False  # late: the agent has done or said something before
    for turn in turns:
        if isinstance(turn, Did):
            refused, late = turn.ok is None, True
            continue
        if turn.who == USER:
            found = _heard(turn, found, recent, refused, late)
            recent = {turn.line, *prompts[-1:]}
            prompts.append(turn.line)
        else:
            found += [each._replace(line=turn.line, by=AGENT) for each in _agent(turn)]
            recent.add(turn.line)
            late = True
        refused = refused and turn.who == AGENT
    kept: dict[str, Catch] = {}
    for each in map(marked, [*apart(found), *fixes(turns)]):
        if each.mark not in kept or kept[each.mark].confidence < each.confidence:
            kept[each.mark] = each
    return [*kept.values()]


def _heard(turn: Said, before: list[Catch], recent: set[str], refused: bool, late: bool) -> list[Catch]:
    """All that is caught after a prompt: it may add to what was caught before it, and take some of it back."""
    said = sentences(turn.text)
    plain = " ".join(each.plain for each in said)
    if not said or doubts.plays_role(plain):
        return before
    kept = left(before, said, recent)
    sarcastic, long = doubts.sarcastic(plain), len(plain) > doubts.LONGEST_OWN
    found: list[tuple[int, Catch]] = []
    for at, sentence in enumerate(said):
        if doubts.takes_back(sentence.plain):
            found = []
        if found and found[-1][0] in (at - 1, at - 2) and only_lasts(sentence):
            continue  # it belongs to what was caught
        if (each := _one(said, at, refused, late)) and not (
            each.kind != TOLD and (sarcastic or long or doubts.laughs(sentence.plain))
        ):
            found.append((at, each._replace(line=turn.line)))
    return kept + joined(found, said)


def _one(said: list[Sentence], at: int, refused: bool, late: bool) -> Catch | None:
    sentence, before = said[at], said[at - 1] if at else None
    if told := telling(sentence, before):
        return told
    denied = refused or denies(sentence.plain) or (at == 1 and denies(said[0].plain))
    after = said[at + 1] if at + 1 < len(said) else None
    if found := decided(sentence, after, by_agent=False) or standing(sentence, said[at + 1 : at + 3], late):
        return found._replace(kind=CORRECTION) if found.kind == PREFERENCE and denies(sentence.plain) else found
    return correcting(sentence, denied, after, late)


def _agent(turn: Said) -> Iterator[Catch]:
    said = sentences(turn.text)
    for at, sentence in enumerate(said):
        after = said[at + 1] if at + 1 < len(said) else None
        if found := decided(sentence, after, by_agent=True):
            yield found
