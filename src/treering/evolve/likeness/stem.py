"""A word without its ending, so that its forms meet: deletes, deleted, deleting."""

from __future__ import annotations

from functools import lru_cache

_SHORTEST = 3  # letters that an ending leaves behind
_VOWELS = frozenset("aeiouy")
_KEPT = 20_000  # words: a language has about that many in use
_HISSING = ("sses", "xes", "ches", "shes", "zes")
_DOUBLED = frozenset("bdgmnprt")  # letters that are doubled before an ending
_WHOLE = frozenset("alias always bus gas here home lens more news perhaps".split())  # whose last letter is no ending
_DOING = ("ing", "ed")

# Forms that no ending explains, behind the word that they are forms of: the past of verbs, and others.
_PAST = """
begin began begun; break broke broken; bring brought; build built; buy bought; catch caught; choose chose chosen;
come came; do did done; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen;
feel felt; find found; fly flew flown; forget forgot forgotten; get got gotten; give gave given; go went gone;
grow grew grown; hide hid hidden; hold held; keep kept; know knew known; lead led; leave left; lose lost; make made;
mean meant; meet met; pay paid; ride rode ridden; run ran; say said; see saw seen; sell sold; send sent; show shown;
sing sang sung; sit sat; sleep slept; speak spoke spoken; spend spent; stand stood; swim swam swum; take took taken;
teach taught; tell told; think thought; throw threw thrown; understand understood; use used; wear wore worn; win won;
write wrote written
"""
_OTHERS = """
alias aliases; child children; do does; go goes; index indices; make making; man men; person people persons;
use uses using; woman women
"""


def _forms(table: str) -> dict[str, str]:
    groups = [group.split() for group in table.split(";")]
    return {form: word for word, *forms in groups for form in forms}


PAST = _forms(_PAST)
_IRREGULAR = PAST | _forms(_OTHERS)


@lru_cache(_KEPT)
def stem(word: str) -> str:
    """Of a word in lower case."""
    word = _IRREGULAR.get(word, word)
    if not word.isalpha() or len(word) <= _SHORTEST or word in _WHOLE:
        return word
    word = _without_doing(_singular(word))
    if word.endswith("ly") and len(word) > _SHORTEST + 3:
        word = word[:-2]
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith(_HISSING):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_doing(word: str) -> str:
    if word.endswith("ied") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    for ending in _DOING:
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= _SHORTEST and not _VOWELS.isdisjoint(rest):
            return rest[:-1] if rest[-1] == rest[-2] and rest[-1] in _DOUBLED else rest
    return word
