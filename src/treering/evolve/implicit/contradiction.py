"""Whether the user, the agent or a tool says that a memory does not hold."""

from __future__ import annotations

from treering.evolve.implicit import correction
from treering.evolve.implicit.case import Verdict
from treering.evolve.implicit.reading import part, sentences
from treering.evolve.implicit.use import NAMED, is_denied, is_repeated, meets, met, weight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.evolve.implicit.case import Case
    from treering.evolve.implicit.reading import Sentence

# How sure each is: the user knows; an agent or a program may have looked in the wrong place.
BY_USER, BY_FINDING = 0.9, 0.7


def contradicted(case: Case) -> Verdict | None:
    """By the user, or by what the agent or a tool found."""
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
    """Whether a finding is about this memory, and not what the memory says itself: that a thing is no longer used."""
    found = list(met(case.profile, said))
    is_named = weight(found) >= NAMED
    if said in case.followed.confessed:
        is_named = is_named or any(term.form in case.profile.head for term in found)
    if not is_named or is_repeated(case.profile, said):
        return False
    return not any(map(correction.is_given_up, sentences(case.profile.content)))


def _is_corrected(case: Case, said: Sentence) -> bool:
    """Whether a correction is about this memory, by the way in which it is put."""
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
    """Whether a negation stands before what the memory says; a number alone may be another one."""
    for term in met(case.profile, said):
        if term.said and is_denied(term.form, said):
            is_number = term.form.isdigit() and len(case.profile.words & said.forms) > 1
            if case.use is not None or term.points >= NAMED or is_number:
                return True
    return False


def _is_counted(case: Case, said: Sentence) -> bool:
    """Whether a correction gives a new number for what several memories are about, and only this one has a number."""
    if not case.profile.counts or not any(form[:1].isdigit() for form in said.forms):
        return False
    forms = {term.form for term in meets(case.profile.shared, said) if not term.said}
    rivals = [each for each in case.shown if each.counts and not forms.isdisjoint(term.form for term in each.shared)]
    return rivals == [case.profile]
