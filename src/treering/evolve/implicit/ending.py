"""Judge how the use of a memory ended: contradicted, failed, succeeded, or in doubt."""

from __future__ import annotations

from collections.abc import Sequence

from treering.evolve.implicit import correction, outcome
from treering.evolve.implicit.case import IGNORED, Case, Result, Verdict
from treering.evolve.implicit.read import COMMON, Sentence, part, runs, sentences, stem, words
from treering.evolve.implicit.use import NAMED, Profile, Use, is_denied, is_repeated, meets, met, weight

# How sure each is: the user knows; an agent or a program may have looked in the wrong place.
BY_USER, BY_FINDING = 0.9, 0.7


def contradicted(case: Case) -> Verdict | None:
    """Return the verdict if the user, the agent or a tool contradicts the memory."""
    followed = case.followed
    for said in followed.corrections:
        if _is_corrected(case, said) or _is_denied(case, said):
            return Verdict("contradicted", BY_USER, said.text)
    for said in followed.denials:
        if _is_denied(case, said):
            return Verdict("contradicted", BY_USER, said.text)
    for said in (*followed.findings, *followed.confessed):
        if _is_found_wrong(case, said):
            return Verdict("contradicted", BY_FINDING, said.text)
    return None


def _is_found_wrong(case: Case, said: Sentence) -> bool:
    """Tell whether a finding is about this memory and does not repeat the memory's own words."""
    found = list(met(case.profile, said))
    is_named = weight(found) >= NAMED
    if said in case.followed.confessed:
        is_named = is_named or any(term.form in case.profile.head for term in found)
    if not is_named or is_repeated(case.profile, said):
        return False
    return not any(map(correction.is_given_up, sentences(case.profile.content)))


def _is_corrected(case: Case, said: Sentence) -> bool:
    """Tell whether a correction is about this memory, by its wording."""
    is_used, is_only = case.use is not None, case.use is not None and len(case.used) == 1
    if is_used and correction.is_all(said, len(case.used)):
        return True
    old = part(said, correction.without_new(said.text))
    found = list(met(case.profile, old))
    is_near = any((term.said and is_used) or term.form in case.profile.head for term in found)
    if correction.is_change(said) or correction.is_since(said):
        if any(term.points >= NAMED for term in found) or (is_near and (is_used or correction.is_change(said))):
            return True
        if is_only and (correction.is_pointing(said) or any(True for _ in meets(case.profile.shared, old))):
            return True
        return correction.is_change(said) and _is_counted(case, said)
    if correction.is_untrue(said):
        return is_near
    # A bare no, and the same subject with another value.
    return is_used and is_near and not any(term.said for term in found)


def _is_denied(case: Case, said: Sentence) -> bool:
    """Tell whether a negation stands before what the memory says; a number alone may be another one."""
    for term in met(case.profile, said):
        if term.said and is_denied(term.form, said):
            is_number = term.form.isdigit() and len(case.profile.words & said.forms) > 1
            if case.use is not None or term.points >= NAMED or is_number:
                return True
    return False


def _is_counted(case: Case, said: Sentence) -> bool:
    """Tell whether a correction gives a new number, and only this memory has a number."""
    if not case.profile.counts or not any(form[:1].isdigit() for form in said.forms):
        return False
    forms = {term.form for term in meets(case.profile.shared, said) if not term.said}
    rivals = [each for each in case.shown if each.counts and not forms.isdisjoint(term.form for term in each.shared)]
    return rivals == [case.profile]


# How sure each is, from 0 to 1.
PRAISED, PLEASED = 0.9, 0.5  # a user says that it worked; is content
WELL_NAMED, WELL = 0.8, 0.6  # a good result names the memory; follows its use
WRONG, COMPLAINED = 0.8, 0.8  # a failure names the memory; a user says that it did not work

_NEAR = 3  # lines of a result that belong together
_ELSE, _FEW = 3, 1  # words that a reply about what was done may have for something else; and one that does not say so
_LINK = 3  # letters, at least, of a word that links a result to what was done


def failed(case: Case) -> Verdict | None:
    """Return the verdict if a failure names the memory, or there is nothing else it could be about."""
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
    """Return the verdict if the user or a later result says that it worked, and nothing speaks against it."""
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
    """Tell whether the outcome is unclear: then it says nothing."""
    reply = case.followed.reply
    if _is_unexplained(case) or case.followed.corrections or case.followed.denials or case.followed.findings:
        return True
    if any(not result.is_wrong and not result.is_going_on for result in case.followed.results):
        return True
    hints = (outcome.is_complaint, outcome.is_polite, correction.is_objection)
    return any(hint(said) for said in reply for hint in hints) or any(_is_comment(case, said) for said in reply)


def _good(case: Case, found: Use) -> Verdict | None:
    """Return a good result that names the memory, or that follows its use with no failure behind it."""
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
    """Return the first line that, with those behind it, names a memory and does not repeat it; or nothing."""
    for at, line in enumerate(said):
        found = [term for each in said[at : at + _NEAR] for term in met(profile, each)]
        if weight(found) >= NAMED and not is_repeated(profile, line):
            return line.text
    return ""


def _blamed(profile: Profile, result: Result) -> str:
    """Return the line of a failure that names a memory, by its terms or by the part that failed."""
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
    """Tell whether something failed that names none of the memories that were used."""
    wrong = [result for result in case.followed.results if result.is_wrong and not result.is_elsewhere]
    return any(not any(_blamed(profile, result) for profile in case.used) for result in wrong)


def _is_about(case: Case, said: Sentence) -> bool:
    """Tell whether a reply is about what was just done: by its beginning, or because it is short."""
    known = case.profile.words.union(COMMON, case.use.sentence.forms if case.use else ())
    others = {stem(word) for run in runs(outcome.rest(said)) for word in words(run)} - known
    return len(others) <= (_ELSE if outcome.is_referring(said) or not outcome.is_complaint(said) else _FEW)


def _is_meant(case: Case, praise: Sentence) -> bool:
    """Tell whether praise may be for this memory: it names it, or none at all."""
    own = any(True for _ in met(case.profile, praise))
    return (own or not any(True for profile in case.shown for _ in met(profile, praise))) and _is_about(case, praise)


def _is_comment(case: Case, said: Sentence) -> bool:
    """Tell whether the user states something about the memory's subject."""
    return not said.text.endswith("?") and not case.profile.words.isdisjoint(said.forms)


def _is_linked(found: Use, result: Result) -> bool:
    """Tell whether a result is about what was done: words of the sentence come back in it."""
    told = {form for form in found.sentence.forms if form not in COMMON and len(form) >= _LINK}
    return any(not told.isdisjoint(line.forms) for line in result.lines)
