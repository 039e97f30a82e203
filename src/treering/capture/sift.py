"""Sift a session's turns for what is worth keeping, and sum the session up as an episode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from treering.capture.fixes import command as run
from treering.capture.fixes import fixes, is_edit, name
from treering.capture.repeats import distinct, joined, left
from treering.capture.sentences import doubts
from treering.capture.sentences.correct import correcting, denies
from treering.capture.sentences.decisions import decided
from treering.capture.sentences.doubts import reported
from treering.capture.sentences.own import LONGEST_SENTENCE, Sentence, sentences
from treering.capture.sentences.standing import only_lasts, standing
from treering.capture.sentences.told import telling
from treering.capture.turns import (
    AGENT,
    CORRECTION,
    EPISODE,
    EPISODIC,
    LONGEST,
    PREFERENCE,
    TOLD,
    USER,
    Catch,
    Did,
    Said,
    Turn,
    marked,
)
from treering.text.transcripts import commands
from treering.text.transcripts.lines import short
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
    said = sentences(turn.text)
    pairs = zip(said, [None, *said], strict=False)
    text = " ".join(each.text for each, before in pairs if not telling(each, before)) or _first_line(turn.text)
    return short(text.replace('"', "'"), _LONGEST_ASKED) if substantive(text) else ""


def _first_line(text: str) -> str:
    """Return the line before what somebody pasted, or one that has no end."""
    first = text.strip().partition("\n")[0].strip()
    return first.rstrip(":") if first.endswith(":") or len(first) > LONGEST_SENTENCE else ""


def _closing(turns: Sequence[Turn]) -> str:
    """Return what the agent said last of its work, unless it only repeats somebody."""
    said = (turn for turn in reversed(turns) if isinstance(turn, Said) and turn.who == AGENT)
    for turn in said:
        stated = [each for each in sentences(turn.text) if not each.asks]
        if stated and not any(reported(each.plain) or "://" in each.text for each in stated):
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


def statement(text: str) -> list[Catch]:
    """Return what is worth keeping of one prompt, before its session is known."""
    return catch([Said(USER, text)])


def tells(text: str) -> bool:
    """Tell whether a prompt says that something is to be kept."""
    return any(each.kind == TOLD for each in statement(text))


def besides(text: str) -> str:
    """Return a prompt without the sentences that are kept of it: what it asks, apart from what it states."""
    if not (kept := [folded(each.content) for each in statement(text)]):
        return text
    return " ".join(each.text for each in sentences(text) if not any(_within(each.text, words) for words in kept))


def _within(text: str, kept: Sequence[str]) -> bool:
    """Tell whether most of the words of a sentence are kept."""
    words = folded(text)
    return 2 * sum(word in kept for word in words) > len(words)


def catch(turns: Sequence[Turn]) -> list[Catch]:
    """Return what is worth keeping, each thing once, in the order in which it was said or done."""
    found: list[Catch] = []
    recent: set[str] = set()  # the lines since the last prompt, itself, and the one before it
    prompts: list[str] = []
    refused = late = False  # late: the agent has done or said something before
    for turn in turns:
        if isinstance(turn, Did):
            refused, late = turn.ok is None, True
            continue
        if turn.who == USER:
            found = _after_prompt(turn, found, recent, refused, late)
            recent = {turn.line, *prompts[-1:]}
            prompts.append(turn.line)
        else:
            found += [each._replace(line=turn.line, by=AGENT) for each in _agent(turn)]
            recent.add(turn.line)
            late = True
        refused = refused and turn.who == AGENT
    kept: dict[str, Catch] = {}
    for each in map(marked, [*distinct(found), *fixes(turns)]):
        if each.mark not in kept or kept[each.mark].confidence < each.confidence:
            kept[each.mark] = each
    return [*kept.values()]


def _after_prompt(turn: Said, before: list[Catch], recent: set[str], refused: bool, late: bool) -> list[Catch]:
    """Return all that is caught after a prompt, which may add to earlier catches and take some back."""
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
