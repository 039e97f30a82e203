"""Decide which names are one: a normal form for each, and what may be joined by likeness.

Vectors of names say little: ERR_4012 and ERR_4013 are as near as "log in" and "login". So likeness
alone joins nothing. Numbers, names in code and negations must agree, and most of the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import mul

from treering.graph.entities.lexicon import ALIASES
from treering.text.words import STOP_WORDS, words

Named = tuple[str, str, Sequence[float]]  # a key, its type and the vector of its name

LIKENESS = 0.88  # the cosine from which names may be one: the figure of the design
_LONGEST_KEY = 120  # characters: a sentence that says more than this says it in other words the next time
_COMMON = 0.6  # of the words of the longer sentence that two of them share
_STEM = 5  # letters by which forms of one word agree: deploy, deploys, deployment
_SHORT = 5  # letters: "https" and "cors" are no plurals
_CANDIDATES = 64  # names that one is compared with, of each of its two rarest words
_RAREST = 2
_REMEMBERED = 4096  # forms of names: a store speaks of the same things again and again
_QUOTES = "`\"'\u2018\u2019\u201c\u201d* "
_AROUND = "`\"'\u2018\u2019\u201c\u201d*.,;:!? "
_SENTENCES = frozenset(("convention", "decision"))
_PRODUCTS = frozenset(("tool", "library", "project"))
_ARTICLES = ("the ", "a ", "an ", "our ")
_CODE = frozenset("_./\\:@#$()0123456789+=<>")
_NEGATIONS = frozenset(
    """not no never none nor without cannot can't don't doesn't mustn't shouldn't won't isn't aren't avoid stop forbid
    forbidden instead""".split()
)
# Words behind a name that add nothing to it: "the Redis server" is Redis, "the saga pattern" is the saga.
_GENERIC = frozenset(
    """pattern library framework package module server database db tool cli service project repo repository app
    application approach technique principle style convention language engine platform cluster""".split()
)


@lru_cache(_REMEMBERED)
def key(name: str, type: str) -> str:
    """Return the one form in which a name is kept: lower case, stripped, in its usual spelling."""
    form = " ".join(name.lstrip(_QUOTES + "(").rstrip(_AROUND + "()").lower().split()) or name.strip().lower()
    if type == "file":
        return form.replace("\\", "/").removeprefix("./").rstrip("/")[:_LONGEST_KEY] or form
    if type == "person":
        return form.lstrip("@").removesuffix("'s")[:_LONGEST_KEY]
    if "://" in form:
        return form.partition("://")[2].removeprefix("www.").partition("#")[0].partition("?")[0].rstrip("/")
    form = next((form.removeprefix(article) for article in _ARTICLES if form.startswith(article)), form)
    if type in _SENTENCES:
        return _sentence(form)
    if type == "concept" and len(form) > _SHORT and name.isascii() and (name.islower() or name.istitle()):
        form = _singular(form)
    if type in _PRODUCTS or type == "concept":
        form = form if type == "concept" else _without_version(form)
        return ALIASES.get(form.replace(" ", "_"), form).replace("_", " ") if _is_aliased(form) else form
    if type == "pattern":
        form = form.replace("-", " ").replace("/", " ")
        form = form.removesuffix(" pattern") if " " in form else form
    return _singular(form)[:_LONGEST_KEY]


def same(one: str, other: str, type: str, likeness: float) -> bool:
    """Tell whether two keys of one type mean one thing, given the cosine of their vectors."""
    if one == other:
        return True
    if likeness < LIKENESS or type in ("file", "error", "person"):
        return False
    ours, theirs = _pieces(one), _pieces(other)
    if _marked(ours) != _marked(theirs) or _denied(ours) != _denied(theirs):
        return False
    if type in _SENTENCES:
        stems, others = _stems(ours), _stems(theirs)
        return len(stems & others) >= _COMMON * max(len(stems), len(others), 1)
    return _core(ours) == _core(theirs)


def merged(names: Sequence[Named]) -> dict[str, str]:
    """Return which keys are joined to which: to the shortest that means the same, in any order.

    A key is compared only with keys of its type that share one of its rarest words.
    """
    found = sorted(dict.fromkeys((one, type) for one, type, _ in names), key=lambda named: (len(named[0]), named))
    vectors = {(one, type): vector for one, type, vector in names}
    counts: dict[tuple[str, str], int] = {}
    for one, type in found:
        for stem in _heads(one):
            counts[type, stem] = counts.get((type, stem), 0) + 1
    leaders: dict[tuple[str, str], list[str]] = {}
    joined: dict[str, str] = {}
    for one, type in found:
        heads = sorted(_heads(one), key=lambda stem: (counts[type, stem], stem))[:_RAREST]
        near = [other for stem in heads for other in leaders.get((type, stem), ())[:_CANDIDATES]]
        leader = _leader(one, type, near, vectors)
        if leader:
            joined.setdefault(one, leader)
        else:
            for stem in _heads(one):
                leaders.setdefault((type, stem), []).append(one)
    return {one: joined.get(leader, leader) for one, leader in joined.items() if one != leader}


def _leader(one: str, type: str, near: Iterable[str], vectors: dict[tuple[str, str], Sequence[float]]) -> str:
    """Return the first key to join to. Words are compared first, as that costs less than vectors."""
    for other in near:
        if other != one and same(one, other, type, 1.0):
            likeness = _cosine(vectors[one, type], vectors[other, type])
            if same(one, other, type, likeness):
                return other
    return ""


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    lengths = sum(map(mul, one, one)) * sum(map(mul, other, other))
    return float(sum(map(mul, one, other)) / lengths**0.5) if lengths else 0.0


def _sentence(form: str) -> str:
    kept = [word.strip(_AROUND) for word in form.split()]
    return " ".join(word for word in kept if word and word not in ("the", "a", "an", "please", "we", "our"))[
        :_LONGEST_KEY
    ]


def _without_version(form: str) -> str:
    """Strip the numbers of "django 4.2" and "node 18"."""
    head, _, last = form.rpartition(" ")
    return head if head and last.removeprefix("v").replace(".", "").replace("x", "").isdecimal() else form


def _is_aliased(form: str) -> bool:
    return form in ALIASES or form.replace(" ", "_") in ALIASES


def _singular(form: str) -> str:
    """Return the singular of plain words; names in code stay as they are."""
    if not _CODE.isdisjoint(form) or not form.endswith("s") or form.endswith(("ss", "us", "is", "ics")):
        return form
    return form[:-3] + "y" if form.endswith("ies") else form[:-1]


def _pieces(name: str) -> list[str]:
    return [piece.strip(_AROUND) for piece in name.split()]


def _marked(pieces: Iterable[str]) -> list[str]:
    """Return the pieces in which a single sign makes another thing: numbers, versions, code."""
    return sorted(piece for piece in pieces if not _CODE.isdisjoint(piece))


def _denied(pieces: Iterable[str]) -> bool:
    return sum(piece in _NEGATIONS for piece in pieces) % 2 == 1


def _core(pieces: Sequence[str]) -> str:
    """Return a name without blanks, hyphens, plural, and the words that add nothing."""
    kept = [piece for piece in pieces if piece not in _GENERIC] or list(pieces)
    return (_singular if len(kept) > 1 else str)("".join(kept).replace("-", ""))


def _stems(pieces: Iterable[str]) -> set[str]:
    return {piece[:_STEM] for piece in pieces if piece not in STOP_WORDS or piece in _NEGATIONS}


def _heads(name: str) -> set[str]:
    """Return what a name may be found by: the beginnings of its words, and of all of it as one."""
    found = {word[:_STEM] for word in words(name) if word not in STOP_WORDS} or {name[:_STEM]}
    return found | {_core(_pieces(name))[:_STEM]}
