"""Where a memory was put to use, and where it is only named."""

from __future__ import annotations

from itertools import pairwise

from treering.core.tuples import NamedTuple
from treering.evolve.echo import echoed
from treering.evolve.implicit.phrases import phrases
from treering.evolve.implicit.profile import is_made_by, plain, shape
from treering.evolve.implicit.terms import CODE, ENOUGH, SMALL, SUBJECT, WORD, Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence, Set

    from treering.evolve.implicit.profile import Profile
    from treering.evolve.implicit.reading import Sentence

_IN_CODE = 1.0  # point more, where a term stands in code: it was put to use
_COUNTED = 1.0  # point more for a small number beside its subject: the retry limit at 5
_WHOLE = 1.0  # point more, where all is there that the memory says
_FIRST, _UNWRITTEN = 2 / 3, 1 / 3  # of the points of a name that may be a word, and that is written as one
_WORDY = 4.0  # points, at least, where nothing but words is shared
_SHARE = 0.5  # and of all that the memory says
NAMED = 2.0  # points of terms by which a failure or a correction names a memory
_GOES_ON = ("-", "_", "/")  # signs behind a word that it goes on with
_BEHIND = 3  # words before a term in which a negation is looked for
_NEGATORS = frozenset(
    "not isn't no without never instead rather doesn't don't didn't wasn't aren't nor neither".split()
)
# How an agent tells what it knows, and how it tells what it does with it.
_RECITAL = phrases(
    r"""from (?:my )?memory | according to (?:my|the) (?:memory|notes?) | i (?:recall|remember|know)(?: that)? |
    as (?:far as )?i (?:recall|remember|know) | you (?:told|said|mentioned) | my (?:notes?|memory) (?:say|says|tells?) |
    relevant memor(?:y|ies) | memor(?:y|ies): | what i know | noted:"""
)
_KEEPING = "noted?|told|been|keep|remember|recall|bear|sav|stor|learn|know|understand|see|read|mention|said"
_ACTING = phrases(
    rf"""so | then | therefore | hence | let me |
    i(?:'ve| have|'ll| will|'m| am|'d)(?: now| just| also)? (?!{_KEEPING})\w+ | i (?!{_KEEPING})\w+ed |
    i (?:ran|put|set|wrote|made|took|chose|built|sent|did|went|kept|left|found)"""
)


class Use(NamedTuple):
    points: float
    sentence: Sentence


def use(profile: Profile, acts: Sequence[Sentence]) -> Use | None:
    """The sentence that shows it best. What is worded takes two sentences at times."""
    fresh = [
        (at, said, found)
        for at, said in enumerate(acts)
        if (found := _found(profile, said)) and not is_repeated(profile, said)
    ]
    uses = [Use(_points(profile, found, [said]), said) for _, said, found in fresh]
    for (at, one, mine), (next_at, other, theirs) in pairwise(fresh):
        if next_at == at + 1:
            uses.append(Use(_points(profile, [*mine, *theirs], [one, other]), one))
    best = max(uses, key=lambda found: found.points, default=None)
    return best if best is not None and best.points >= ENOUGH else None


def is_repeated(profile: Profile, said: Sentence) -> bool:
    """Whether a sentence only says what the memory says. A command is done, and not said."""
    if said.code:
        return False
    words = plain(said)
    if any(copy in words for copy in profile.copies):
        return True
    if _ACTING.search(said.text):
        return False
    return _RECITAL.search(said.text) is not None or echoed(said.text, [profile.content])


def met(profile: Profile, said: Sentence) -> Iterator[Term]:
    """The terms of a memory that are in a sentence."""
    yield from meets(profile.terms, said)
    for command in profile.commands:
        if _is_run(command, said.low):
            yield Term(command, CODE, True, command)
    for pattern in profile.patterns:
        if any(is_made_by(pattern, form) for form in said.forms):
            yield Term("*".join(pattern), CODE, True, "*".join(pattern))
    if profile.shapes:
        for word in said.text.replace("`", " ").split():
            if shape(word.strip(",.;:")) in profile.shapes:
                yield Term(word.lower(), CODE, True, word)


def _is_run(command: str, low: str) -> bool:
    """Whether a command stands in a text as it is, and not as the beginning of another: make test, make test-fast."""
    at = low.find(command)
    while at >= 0:
        before, behind = low[at - 1 : at], low[at + len(command) : at + len(command) + 1]
        if not (before.isalnum() or behind.isalnum() or behind in _GOES_ON):
            return True
        at = low.find(command, at + 1)
    return False


def meets(terms: Iterable[Term], said: Sentence) -> Iterator[Term]:
    for term in terms:
        if term.form in said.forms or (" " in term.form and (f" {term.form} " in said.line or term.form in said.low)):
            yield term._replace(points=term.points * _written(term, said))


def _written(term: Term, said: Sentence) -> float:
    """The share of its points that a term has, by how it is written. The first word of a sentence is no proof."""
    if not term.needs or term.form in said.coded or (term.needs == "name" and " " in term.form):
        return 1.0
    if term.needs == "name" and term.form in said.named:
        return 1.0
    is_first = term.needs == "name" and said.line.startswith(f" {term.form} ")
    return _FIRST if is_first else _UNWRITTEN


def weight(found: Iterable[Term]) -> float:
    """The points of some terms. Of the forms of one run, the best counts."""
    best: dict[str, float] = {}
    for term in found:
        best[term.of] = max(term.points, best.get(term.of, 0.0))
    return sum(best.values())


def _found(profile: Profile, said: Sentence) -> list[Term]:
    if said.text.endswith("?"):
        return []  # an offer
    return [term for term in met(profile, said) if not is_denied(term.form, said)]


def _points(profile: Profile, found: Sequence[Term], said: Iterable[Sentence]) -> float:
    """Nothing if only the subject came up, or a few words that may be there by accident.

    What others have too shows the subject at least.
    """
    telling = [term for term in found if term.said]
    if not telling:
        return 0.0
    has_subject = len(telling) < len(found)
    is_counted = has_subject and any(_is_bare(profile, term) for term in telling)
    is_strong = is_counted or any(term.points > WORD for term in telling)
    points = weight(found) + _COUNTED * is_counted
    points += SUBJECT * (has_subject or any(True for each in said for _ in meets(profile.shared, each)))
    points += _IN_CODE * any(term.form in each.coded for each in said for term in telling)
    is_number = all(term.form[:1].isdigit() for term in telling)
    if (is_strong or len(telling) > 1) and (has_subject or not is_number):
        points += _WHOLE * _is_whole(profile, {term.form for term in found})
    least = max(_WORDY, _SHARE * sum(term.points for term in profile.terms if term.said))
    return points if is_strong or points >= least else 0.0


def _is_whole(profile: Profile, forms: Set[str]) -> bool:
    """Whether all is there that a memory says of its subject; of each name, not only a piece."""
    best: dict[str, float] = {}
    for term in profile.terms:
        if term.said:
            best[term.of] = max(term.points, best.get(term.of, 0.0))
    there = {term.of for term in profile.terms if term.form in forms and term.points == best.get(term.of)}
    return there >= best.keys()


def _is_bare(profile: Profile, term: Term) -> bool:
    """Whether it is a small number that stands alone: with a unit, it is to be met with that."""
    if not term.said or term.points > SMALL or not term.form.isdigit():
        return False
    return all(other.of != term.of or other.form == term.form for other in profile.terms)


def is_denied(form: str, said: Sentence) -> bool:
    """Whether a negation stands right before it."""
    before = said.low[: max(said.low.find(form), 0)].rpartition(",")[2].replace("`", " ").split()[-_BEHIND:]
    return not _NEGATORS.isdisjoint(before)
