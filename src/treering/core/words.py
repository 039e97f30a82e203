"""Words: of a text, of a name in code, and those that say nothing.

The writing path imports this for every memory. It needs no `re`, which would cost a fresh process more than the write.
"""

from __future__ import annotations

from itertools import pairwise

# Characters. Names that people write in code are shorter; what is longer is a token, a digest or encoded data, and its
# pieces would only fill the index.
LONGEST_NAME = 64

_CONTRACTIONS = """aren't can't couldn't didn't doesn't don't hadn't hasn't haven't he'd he'll he's here's how's i'd
i'll i'm i've isn't it's let's mustn't shan't she'd she'll she's shouldn't that's there's they'd they'll they're
they've wasn't we'd we'll we're we've weren't what's when's where's who's why's won't wouldn't you'd you'll you're
you've""".split()

# English words so common that they would match everything and say nothing, the negations among them: a search for what
# is not so finds it by the other words. An apostrophe parts a word, so both halves of a contraction are here too.
STOP_WORDS = frozenset(
    """a about above after again against all am an and any are as at be because been before being below between both but
    by can cannot could did do does doing down during each few for from further had has have having he her here hers
    herself him himself his how i if in into is it its itself me more most my myself no nor not of off on once only or
    other ought our ours ourselves out over own same she should so some such than that the their theirs them themselves
    then there these they this those through to too under until up very was we were what when where which while who whom
    why will with would you your yours yourself yourselves""".split()
    + _CONTRACTIONS
    + [half for word in _CONTRACTIONS for half in word.split("'")]
)

# Kana, Han, and Hangul, whose words are parted by blanks and carry their particles with them.
_UNBROKEN = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7a3"), ("\uf900", "\ufaff"))

_ASCII = [chr(code) for code in range(128)]
_GAPS = "".join(letter if letter.isalnum() else " " for letter in _ASCII)
# Capitals become "A", small letters "a", digits "0" and the rest blanks: plain searches find where a name has a seam.
_CASES = "".join(
    "A" if letter.isupper() else "a" if letter.islower() else "0" if letter.isdigit() else " " for letter in _ASCII
)


def words(text: str) -> list[str]:
    """Runs of letters and digits, as they stand: what `[^\\W_]+` finds, and the tokenizer of FTS5 all but agrees."""
    if text.isascii():
        return text.translate(_GAPS).split()
    return "".join([letter if letter.isalnum() else " " for letter in text]).split()


def folded(text: str) -> list[str]:
    """The words in lower case. Each is folded by itself: a few letters fold into two, and the second is no letter."""
    return [word.lower() for word in words(text)]


def parts(word: str) -> list[str]:
    """The pieces of a name in code: of getUserName, HTTPServer, snake_case, kebab-case, dotted.names and a/path.py."""
    return [piece for run in words(word) for piece in _humps(run)]


def compounds(text: str) -> str:
    """The pieces of every CamelCase name in a text, each name once, and of scripts without blanks; nothing if there
    are none.

    They are indexed beside the text so that "user name" finds getUserName. Names that punctuation joins need no help:
    the index splits them by itself. Names of letters and digits (sha256, k8s) stay whole, as people search for them.
    """
    if text.isascii():
        return _camels(text) if _has_seam(text) else ""
    written = dict.fromkeys(pair for word in words(text) if is_unbroken(word) for pair in pairs(word))
    return " ".join(filter(None, (_camels(text), *written)))


def is_unbroken(word: str) -> bool:
    """Whether it is in a script that puts no blanks between words: of such a run, every two letters are a word."""
    return any(first <= word <= last or first <= word[-1:] <= last for first, last in _UNBROKEN)


def pairs(word: str) -> list[str]:
    """Every two letters side by side."""
    return [word[at : at + 2] for at in range(len(word) - 1)] or [word]


def _camels(text: str) -> str:
    names = dict.fromkeys(word for word in words(text) if len(word) <= LONGEST_NAME and not _plain(word))
    return " ".join(piece for name in names if len(pieces := _humps(name)) > 1 for piece in pieces)


def _has_seam(text: str) -> bool:
    cases = text.translate(_CASES)
    return "aA" in cases or "AAa" in cases or "0Aa" in cases


def _plain(word: str) -> bool:
    """Written as words usually are, so that it cannot be a compound."""
    return word[1:].islower() or word.isupper()


def _humps(word: str) -> list[str]:
    """A word cut before each capital that begins a new one. The plural of an abbreviation (URLs, IDs) is one word."""
    if _plain(word) or (word.endswith("s") and word[:-1].isupper()):
        return [word]
    cuts = [0, *(place for place in range(1, len(word)) if _begins(word, place)), len(word)]
    return [word[start:end] for start, end in pairwise(cuts)]


def _begins(word: str, place: int) -> bool:
    """A capital behind a small letter, or one before a small letter and behind a capital or a digit."""
    if not word[place].isupper():
        return False
    return word[place - 1].islower() or word[place + 1 : place + 2].islower()
