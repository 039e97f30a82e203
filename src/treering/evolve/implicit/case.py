"""Read what followed a recall once, for all the memories that it showed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from treering.evolve.implicit import correction, outcome
from treering.evolve.implicit.correction import phrases
from treering.evolve.implicit.read import Sentence, clauses, is_command, sentences
from treering.evolve.implicit.use import Profile, Use, profiles, use
from treering.ledger.types import Memory

# A text that rates memories is data, and no rating.
_CLAIM = phrases(
    r"""(?:memor(?:y|ies)|recall(?:ed)?)\b.{0,60}\b(?:(?:un)?helpful|use(?:ful|less|d)|rat(?:ed?|ing)|score|feedback|
    reward|credit|(?:up|down)?vote|succeeded|failed|correct|right) |
    (?:(?:un)?helpful|use(?:ful|less)|rate|rating|score|feedback|reward|credit|(?:up|down)?vote)\b.{0,60}
    \b(?:memor(?:y|ies)|recall(?:ed)?)"""
)


class Verdict(NamedTuple):
    kind: str
    weight: float  # how sure it is, from 0 to 1
    evidence: str


IGNORED = Verdict("ignored", 0.0, "")


class Result(NamedTuple):
    """A tool's result, read."""

    lines: tuple[Sentence, ...]
    commands: tuple[Sentence, ...]
    is_wrong: bool
    is_elsewhere: bool  # for a cause that no memory could know
    is_going_on: bool  # not the last word

    @property
    def text(self) -> str:
        return self.lines[0].text if self.lines else "no output"


class Followed(NamedTuple):
    """All that came after a recall."""

    answer: tuple[Sentence, ...]
    results: tuple[Result, ...]
    reply: tuple[Sentence, ...]
    corrections: tuple[Sentence, ...]  # clauses in which the user says that something is not so, or not any more
    denials: tuple[Sentence, ...]  # clauses in which the user denies something, whatever it is
    findings: tuple[Sentence, ...]  # clauses in which a tool or the agent says that something is no longer what it was
    confessed: tuple[Sentence, ...]  # clauses about notes of the agent, where it says that they do not hold

    @property
    def acts(self) -> Iterator[Sentence]:
        """Yield the sentences in which a memory may be used."""
        yield from self.answer
        for result in self.results:
            yield from result.commands


class Case(NamedTuple):
    """One memory among those shown."""

    profile: Profile
    use: Use | None
    used: Sequence[Profile]  # all that were
    shown: Sequence[Profile]
    followed: Followed


def cases(shown: Sequence[Memory], followed: Followed) -> list[Case]:
    known = profiles(shown)
    acts = list(followed.acts)
    uses = [use(profile, acts) for profile in known]
    used = [profile for profile, found in zip(known, uses, strict=True) if found]
    return [Case(profile, found, used, known, followed) for profile, found in zip(known, uses, strict=True)]


def read(answer: str, results: Iterable[tuple[str, bool]], reply: str) -> Followed:
    said, gave, replied = _unclaimed(answer), tuple(_result(*result) for result in results), tuple(sentences(reply))
    is_asked = bool(said) and said[-1].text.endswith("?")
    lines = [*said, *(line for result in gave for line in result.lines)]
    findings = [clause for line in lines if correction.is_given_up(line) for clause in clauses(line)]
    confessed = [clause for line in said if correction.is_overturned(line) for clause in clauses(line)]
    confessed = list(filter(correction.is_noted, confessed))
    return Followed(
        said,
        gave,
        replied,
        tuple(_corrections(replied, is_asked)),
        tuple(clause for each in replied for clause in clauses(each) if correction.is_denied(clause)),
        tuple(filter(correction.is_given_up, findings)),
        tuple(confessed),
    )


def _corrections(reply: Sequence[Sentence], is_asked: bool) -> Iterator[Sentence]:
    """Yield the sentences that correct something; a "no" that answers a question does not."""
    for at, said in enumerate(reply):
        yield from filter(correction.is_correction, clauses(said))
        if at == 0 and not is_asked and correction.is_no(said):
            yield said


def _unclaimed(text: str, program: bool = False) -> tuple[Sentence, ...]:
    return tuple(said for said in sentences(text, program) if not _CLAIM.search(said.text))


def _result(text: str, failed: bool) -> Result:
    said = _unclaimed(text, program=True)
    lines = tuple(line for line in said if not is_command(line))
    return Result(
        lines,
        tuple(line for line in said if is_command(line)),
        failed or any(map(outcome.went_wrong, lines)),
        any(map(outcome.is_elsewhere, lines)),
        any(map(outcome.is_going_on, lines[-1:])),
    )
