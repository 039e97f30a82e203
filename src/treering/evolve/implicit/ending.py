"""What came of a use: whether it failed, or succeeded, or may have done either."""

from __future__ import annotations

from treering.evolve.implicit import correction, outcome
from treering.evolve.implicit.case import IGNORED, Verdict
from treering.evolve.implicit.common import COMMON
from treering.evolve.implicit.reading import runs, stem, words
from treering.evolve.implicit.use import NAMED, is_repeated, met, weight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from treering.evolve.implicit.case import Case, Result
    from treering.evolve.implicit.profile import Profile
    from treering.evolve.implicit.reading import Sentence
    from treering.evolve.implicit.use import Use

# How sure each is, from 0 to 1.
PRAISED, PLEASED = 0.9, 0.5  # a user says that it worked; is content
WELL_NAMED, WELL = 0.8, 0.6  # a good result names the memory; follows its use
WRONG, COMPLAINED = 0.8, 0.8  # a failure names the memory; a user says that it did not work

_NEAR = 3  # lines of a result that belong together
_ELSE, _FEW = 3, 1  # words that a reply about what was done may have for something else; and one that does not say so
_LINK = 3  # letters, at least, of a word that links a result to what was done


def failed(case: Case) -> Verdict | None:
    """Only where the failure touches the memory, or there is nothing else that it could touch."""
    for result in case.followed.results:
        line = _blamed(case.profile, result)
        if line:
            return Verdict("failed", WRONG, line)
    for said in filter(outcome.is_complaint, case.followed.reply):
        is_named = weight(met(case.profile, said)) >= NAMED
        if is_named or (len(case.used) == 1 and _is_about(case, said)):
            return Verdict("failed", COMPLAINED, said.text)
    return None


def succeeded(case: Case, found: Use) -> Verdict | None:
    """Where the user says so, or a result that follows is good, and nothing speaks against it."""
    reply, results = case.followed.reply, case.followed.results
    if case.followed.corrections or correction.is_given_up(found.sentence) or any(map(outcome.is_complaint, reply)):
        return None
    praise = next(filter(outcome.is_praise, reply), None)
    if praise is not None:
        return Verdict("succeeded", PRAISED, praise.text) if _is_meant(case, praise) else IGNORED
    if (results and results[-1].is_going_on) or _is_unexplained(case) or any(map(correction.is_objection, reply)):
        return None
    good = _good(case, found)
    if good is not None:
        return good
    pleased = next((said.text for said in reply if outcome.is_pleased(said) and _is_meant(case, said)), "")
    return Verdict("succeeded", PLEASED, pleased) if pleased and not results else None


def is_doubtful(case: Case) -> bool:
    """Whether more came of it than is understood: then it says nothing."""
    reply = case.followed.reply
    if _is_unexplained(case) or case.followed.corrections or case.followed.denials or case.followed.findings:
        return True
    if any(not result.is_wrong and not result.is_going_on for result in case.followed.results):
        return True
    hints = (outcome.is_complaint, outcome.is_polite, correction.is_objection)
    return any(hint(said) for said in reply for hint in hints) or any(_is_comment(case, said) for said in reply)


def _good(case: Case, found: Use) -> Verdict | None:
    """A good result that names the memory; or one that follows its use, if nothing failed behind it."""
    results = case.followed.results
    good = [result for result in results if not result.is_wrong]
    named = next((line for result in good if (line := _named(case.profile, result.lines))), "")
    if named:
        return Verdict("succeeded", WELL_NAMED, named)
    if good and (results[-1] is good[-1] or len(case.used) > 1):
        for result in good:
            if found.sentence.coded or any(map(outcome.went_well, result.lines)) or _is_linked(found, result):
                return Verdict("succeeded", WELL, result.text)
    return None


def _named(profile: Profile, said: Sequence[Sentence]) -> str:
    """The first of some lines that, with those behind it, name a memory and do not repeat it; or nothing."""
    for at, line in enumerate(said):
        found = [term for each in said[at : at + _NEAR] for term in met(profile, each)]
        if weight(found) >= NAMED and not is_repeated(profile, line):
            return line.text
    return ""


def _blamed(profile: Profile, result: Result) -> str:
    """The line of a failure that names a memory: by its terms, or by the part that it stumbles over."""
    if not result.is_wrong or result.is_elsewhere:
        return ""
    lines = [line for line in result.lines if outcome.is_missing(line)]
    rare = profile.parts - COMMON
    missing = next(
        (each.text for each in lines if rare & each.forms or not profile.parts.isdisjoint(outcome.quoted(each))), ""
    )
    if any(map(outcome.is_tested, result.lines)):
        return missing
    return _named(profile, result.lines) or missing


def _is_unexplained(case: Case) -> bool:
    """Whether something failed that names none of the memories that were used."""
    wrong = [result for result in case.followed.results if result.is_wrong and not result.is_elsewhere]
    return any(not any(_blamed(profile, result) for profile in case.used) for result in wrong)


def _is_about(case: Case, said: Sentence) -> bool:
    """Whether a reply speaks of what was just done: by how it begins, or as it has few words for anything else."""
    known = case.profile.words.union(COMMON, case.use.sentence.forms if case.use else ())
    others = {stem(word) for run in runs(outcome.rest(said)) for word in words(run)} - known
    return len(others) <= (_ELSE if outcome.is_referring(said) or not outcome.is_complaint(said) else _FEW)


def _is_meant(case: Case, praise: Sentence) -> bool:
    """Whether a praise may be for this memory: it names it, or none at all."""
    own = any(True for _ in met(case.profile, praise))
    return (own or not any(True for profile in case.shown for _ in met(profile, praise))) and _is_about(case, praise)


def _is_comment(case: Case, said: Sentence) -> bool:
    """Whether the user states something about what the memory is about."""
    return not said.text.endswith("?") and not case.profile.words.isdisjoint(said.forms)


def _is_linked(found: Use, result: Result) -> bool:
    """Whether a result is about what was done: words of the sentence come back in it."""
    told = {form for form in found.sentence.forms if form not in COMMON and len(form) >= _LINK}
    return any(not told.isdisjoint(line.forms) for line in result.lines)
