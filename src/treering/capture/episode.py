"""A session in a sentence or two: what was wanted, and what was done."""

from __future__ import annotations

from treering.capture.catches import EPISODE, EPISODIC, LONGEST, Catch, marked
from treering.capture.changes import command as run
from treering.capture.changes import is_edit, name
from treering.capture.saying.doubts import reported
from treering.capture.saying.own import LONGEST_SENTENCE, sentences
from treering.capture.saying.telling import telling
from treering.capture.turns import AGENT, USER, Did, Said
from treering.core.prompts import substantive
from treering.transcripts import commands
from treering.transcripts.lines import short

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.capture.turns import Turn

CONFIDENCE = 0.6
_LONGEST_ASKED = 100  # characters
_LONGEST_SAID = 100  # characters
_LONGEST_COMMAND = 40  # characters
_MOST_FILES = 3
_MOST_COMMANDS = 2


def episode(turns: Sequence[Turn]) -> Catch | None:
    """What happened, or None if nothing was asked for or nothing was done."""
    asked, wanted = _asked(turns)
    files = [*dict.fromkeys(name(turn.target) for turn in turns if isinstance(turn, Did) and is_edit(turn) and turn.ok)]
    ran = _ran(turns)
    if asked is None or not (files or any(ok for _, ok in ran)):
        return None
    told = [f'The user wanted: "{wanted}".']
    if files:
        more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
        told.append(f"Changed {', '.join(files[:_MOST_FILES])}{more}.")
    told += [f"`{command}` {'passed' if ok else 'failed'} in the end." for command, ok in ran]
    if said := _closing(turns):
        told.append(f'The agent said: "{said}".')
    content = " ".join(told)
    if len(content) > LONGEST:
        content = " ".join(told[:-1])[:LONGEST]
    return marked(Catch(EPISODE, content, EPISODIC, confidence=CONFIDENCE, line=asked.line, by=AGENT))


def _asked(turns: Sequence[Turn]) -> tuple[Said | None, str]:
    """The first wish that is no question, or else the first question."""
    wishes = [(turn, wish) for turn in turns if isinstance(turn, Said) and turn.who == USER and (wish := _wanted(turn))]
    return next((each for each in wishes if not each[1].endswith("?")), wishes[0] if wishes else (None, ""))


def _wanted(turn: Said) -> str:
    """What a prompt asks for, without what it says for later."""
    said = sentences(turn.text)
    pairs = zip(said, [None, *said], strict=False)
    text = " ".join(each.text for each, before in pairs if not telling(each, before)) or _announced(turn.text)
    return short(text.replace('"', "'"), _LONGEST_ASKED) if substantive(text) else ""


def _announced(text: str) -> str:
    """The line before what somebody pasted, or one that has no end."""
    first = text.strip().partition("\n")[0].strip()
    return first.rstrip(":") if first.endswith(":") or len(first) > LONGEST_SENTENCE else ""


def _closing(turns: Sequence[Turn]) -> str:
    """What the agent said last of its work, unless it only repeats somebody."""
    said = (turn for turn in reversed(turns) if isinstance(turn, Said) and turn.who == AGENT)
    for turn in said:
        told = [each for each in sentences(turn.text) if not each.asks]
        if told and not any(reported(each.plain) or "://" in each.text for each in told):
            text = " ".join(each.text for each in told).replace('"', "'")
            if substantive(text):
                return short(text, _LONGEST_SAID).rstrip(".")
    return ""


def _ran(turns: Sequence[Turn]) -> list[tuple[str, bool]]:
    """The last commands that did something, with how they ended."""
    ended: dict[str, bool] = {}
    for turn in turns:
        if isinstance(turn, Did) and run(turn) and turn.ok is not None and not commands.looks(turn.command):
            command = short(run(turn), _LONGEST_COMMAND)
            ended.pop(command, None)
            ended[command] = turn.ok
    return [*ended.items()][-_MOST_COMMANDS:]
