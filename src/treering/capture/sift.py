"""Sift a session's turns for what is worth keeping, and sum the session up as an episode."""

from __future__ import annotations

from collections.abc import Sequence

from treering.capture.fixes import command as run
from treering.capture.fixes import fixes, is_edit, name
from treering.capture.statements import statements
from treering.capture.turns import (
    AGENT,
    EPISODE,
    EPISODIC,
    USER,
    Catch,
    Did,
    Said,
    Turn,
    distinct,
    left,
    marked,
)
from treering.judge.learned import NOTHING, Learned
from treering.text.sentences import LONGEST_SENTENCE
from treering.text.transcripts import commands
from treering.text.transcripts.lines import short
from treering.text.wishes import LONGEST, asks_to_keep, own, retracts
from treering.text.words import folded, substantive

CONFIDENCE = 0.6
_LONGEST_ASKED = 100  # characters
_LONGEST_SAID = 100  # characters
_LONGEST_COMMAND = 40  # characters
_MOST_FILES = 3
_MOST_COMMANDS = 2


def episode(turns: Sequence[Turn]) -> Catch | None:
    """Return what was asked and done in a sentence or two, or None if either is missing."""
    asked, wanted = _first_request(turns)
    files = [*dict.fromkeys(name(turn.target) for turn in turns if isinstance(turn, Did) and is_edit(turn) and turn.ok)]
    ran = _last_commands(turns)
    if asked is None or not (files or any(ok for _, ok in ran)):
        return None
    parts = [f'The user wanted: "{wanted}".']
    if files:
        more = f" and {len(files) - _MOST_FILES} more" if len(files) > _MOST_FILES else ""
        parts.append(f"Changed {', '.join(files[:_MOST_FILES])}{more}.")
    parts += [f"`{command}` {'passed' if ok else 'failed'} in the end." for command, ok in ran]
    if said := _closing(turns):
        parts.append(f'The agent said: "{said}".')
    content = " ".join(parts)
    if len(content) > LONGEST:
        content = " ".join(parts[:-1])[:LONGEST]
    return marked(Catch(EPISODE, content, EPISODIC, confidence=CONFIDENCE, line=asked.line, by=AGENT))


def _first_request(turns: Sequence[Turn]) -> tuple[Said | None, str]:
    """Return the first request that is no question, or else the first question."""
    requests = [
        (turn, text) for turn in turns if isinstance(turn, Said) and turn.who == USER and (text := _request(turn))
    ]
    return next((each for each in requests if not each[1].endswith("?")), requests[0] if requests else (None, ""))


def _request(turn: Said) -> str:
    """Return what a prompt asks for, without what it says for later."""
    said = [each.text for each in own(turn.text) if not asks_to_keep(each.text)]
    text = " ".join(said) or _first_line(turn.text)
    return short(text.replace('"', "'"), _LONGEST_ASKED) if substantive(text) else ""


def _first_line(text: str) -> str:
    """Return the line before what somebody pasted, or one that has no end."""
    first = text.strip().partition("\n")[0].strip()
    return first.rstrip(":") if first.endswith(":") or len(first) > LONGEST_SENTENCE else ""


def _closing(turns: Sequence[Turn]) -> str:
    """Return what the agent said last of its work, unless it only repeats somebody."""
    said = (turn for turn in reversed(turns) if isinstance(turn, Said) and turn.who == AGENT)
    for turn in said:
        stated = [each for each in own(turn.text) if not each.asks]
        if stated and not any('"' in each.text or "://" in each.text for each in stated):
            text = " ".join(each.text for each in stated).replace('"', "'")
            if substantive(text):
                return short(text, _LONGEST_SAID).rstrip(".")
    return ""


def _last_commands(turns: Sequence[Turn]) -> list[tuple[str, bool]]:
    """Return the last commands that did something, with how they ended."""
    ended: dict[str, bool] = {}
    for turn in turns:
        if isinstance(turn, Did) and run(turn) and turn.ok is not None and not commands.looks(turn.command):
            command = short(run(turn), _LONGEST_COMMAND)
            ended.pop(command, None)
            ended[command] = turn.ok
    return [*ended.items()][-_MOST_COMMANDS:]


def statement(text: str, before: str = "", learned: Learned = NOTHING, faint: bool = False) -> list[Catch]:
    """Return what is worth keeping of one prompt, before its session is known; with `faint`, also what is only if it
    replaces a memory."""
    return [marked(one) for one in distinct(statements(text, before, learned, faint))]


def besides(text: str) -> str:
    """Return a prompt without the sentences that are kept of it: what it asks, apart from what it states."""
    if not (kept := [folded(each.content) for each in statement(text)]):
        return text
    return " ".join(each.text for each in own(text) if not any(_within(each.text, words) for words in kept))


def _within(text: str, kept: Sequence[str]) -> bool:
    """Tell whether most of the words of a sentence are kept."""
    words = folded(text)
    return 2 * sum(word in kept for word in words) > len(words)


def catch(turns: Sequence[Turn], learned: Learned = NOTHING) -> list[Catch]:
    """Return what is worth keeping, each thing once, in the order in which it was said or done."""
    found: list[Catch] = []
    last = ""  # the line of the last prompt
    before = ""  # what the agent said last
    for turn in turns:
        if isinstance(turn, Did):
            continue
        if turn.who == AGENT:
            before = turn.text
            continue
        for retraction in retracts(turn.text):
            found = left(found, retraction, last)
        found += [one._replace(line=turn.line) for one in statements(turn.text, before, learned, faint=True)]
        last = turn.line
    kept: dict[str, Catch] = {}
    fixed = fixes(turns) if any(isinstance(turn, Did) for turn in turns) else ()
    for each in map(marked, [*distinct(found), *fixed]):
        if each.mark not in kept or kept[each.mark].confidence < each.confidence:
            kept[each.mark] = each
    return [*kept.values()]
