"""Split texts, names in code and prompts into words, and know those that say nothing.

The writing path imports this for every memory, so it does without `re`, which would cost a fresh
process more than the write. Recall keeps the words of a prompt that it cannot answer, so that
looking for gaps later is cheap.
"""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

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

EMPTY = frozenset("a an the please always just".split())  # words that change nothing about what is meant

# Kana, Han, and Hangul, whose words are parted by blanks and carry their particles with them.
_UNBROKEN = (("\u3040", "\u30ff"), ("\u3400", "\u9fff"), ("\uac00", "\ud7a3"), ("\uf900", "\ufaff"))

_ASCII = [chr(code) for code in range(128)]
_GAPS = "".join(letter if letter.isalnum() else " " for letter in _ASCII)
# Capitals become "A", small letters "a", digits "0" and the rest blanks: plain searches find where a name has a seam.
_CASES = "".join(
    "A" if letter.isupper() else "a" if letter.islower() else "0" if letter.isdigit() else " " for letter in _ASCII
)


def words(text: str) -> list[str]:
    r"""Return the runs of letters and digits: those of `[^\W_]+`, nearly those of FTS5's tokenizer."""
    if text.isascii():
        return text.translate(_GAPS).split()
    return "".join([letter if letter.isalnum() else " " for letter in text]).split()


def folded(text: str) -> list[str]:
    """Return the words in lower case. Each is folded alone: a few letters fold into two."""
    return [word.lower() for word in words(text)]


def parts(word: str) -> list[str]:
    """Split a name in code: getUserName, HTTPServer, snake_case, kebab-case, dotted.names, a/path.py."""
    return [piece for run in words(word) for piece in _humps(run)]


def compounds(text: str) -> str:
    """Return the pieces of every CamelCase name in a text, and of scripts without blanks.

    They are indexed beside the text so that "user name" finds getUserName. The index itself splits
    names that punctuation joins. Names of letters and digits (sha256, k8s) stay whole, as people
    search them.
    """
    if text.isascii():
        return _camels(text) if _has_seam(text) else ""
    written = dict.fromkeys(pair for word in words(text) if is_unbroken(word) for pair in pairs(word))
    return " ".join(filter(None, (_camels(text), *written)))


def is_unbroken(word: str) -> bool:
    """Tell whether a script puts no blanks between words: there, every two letters are a word."""
    if word.isascii():
        return False
    return any(first <= word <= last or first <= word[-1:] <= last for first, last in _UNBROKEN)


def pairs(word: str) -> list[str]:
    """Return every two letters side by side."""
    return [word[at : at + 2] for at in range(len(word) - 1)] or [word]


def _camels(text: str) -> str:
    names = dict.fromkeys(word for word in words(text) if len(word) <= LONGEST_NAME and not _plain(word))
    return " ".join(piece for name in names if len(pieces := _humps(name)) > 1 for piece in pieces)


def _has_seam(text: str) -> bool:
    cases = text.translate(_CASES)
    return "aA" in cases or "AAa" in cases or "0Aa" in cases


def _plain(word: str) -> bool:
    """Tell whether a word is written as usual, so that it cannot be a compound."""
    return word[1:].islower() or word.isupper()


def _humps(word: str) -> list[str]:
    """Cut a word before each capital that begins a new one. A plural (URLs, IDs) is one word."""
    if _plain(word) or (word.endswith("s") and word[:-1].isupper()):
        return [word]
    cuts = [0, *(place for place in range(1, len(word)) if _begins(word, place)), len(word)]
    return [word[start:end] for start, end in pairwise(cuts)]


def _begins(word: str, place: int) -> bool:
    """Tell whether a capital begins a word: behind a small letter, or before one."""
    if not word[place].isupper():
        return False
    return word[place - 1].islower() or word[place + 1 : place + 2].islower()


SHORTEST = 12  # characters: "yes, do it" asks for nothing that a memory could know
_SYLLABLE = 3  # characters of an alphabet that one of a script without blanks stands for
FEWEST_TOKENS = 2  # "thanks a lot, Claude" has one
_MASK = "[redacted: "  # what the guard puts in the place of a secret, up to the next bracket
_TRACEBACK = "Traceback (most recent call last)"
TOP_TOKENS = 12  # enough to tell what a prompt is about; a long one goes into detail
SHORTEST_TOKEN = 2  # characters

# What people say around what they want. It drifts from one wording to the next and must not count.
FILLER = frozenset(
    """actually again also another any anything anyway back bit bring can change check code come could create do done
    each ensure every everything fix fine get give go going good got great hello help hey hi hmm implement instead issue
    issues its just keep kind let lets like look lot make maybe me more much need new next nice now ok okay one ones
    please problem problems really right run see set should something still stuff sure take tell thank thanks
    thing things think time today try trying use using want way well whatever work working would yeah yes yet""".split()
)


# Whoever asks for something not to be done asks for the opposite. An apostrophe parts a word: "don't" is "don" and "t".
NOT = "not"
_DENIALS = frozenset("not no never cannot dont".split())
_SILENT = STOP_WORDS | FILLER | _DENIALS


def substantive(prompt: str) -> bool:
    """Tell whether a prompt asks for something that a memory could know."""
    if not may_ask(prompt):
        return False
    return len([token for token in tokens(prompt.strip()) if token != NOT]) >= FEWEST_TOKENS


def may_ask(prompt: str) -> bool:
    """Tell whether a prompt is long enough to ask for something, and no command."""
    said = prompt.strip()
    return _length(said) >= SHORTEST and not said.startswith("/")


def _length(said: str) -> int:
    unbroken = 0 if said.isascii() else sum(map(is_unbroken, said))
    return len(said) + (_SYLLABLE - 1) * unbroken


def _unmasked(prompt: str) -> str:
    """Drop what is not the user's: marks for secrets, and a traceback but for its last line."""
    said, _, pasted = prompt.partition(_TRACEBACK)
    rows = [row for row in pasted.splitlines() if row.strip()]
    first, *rest = f"{said} {rows[-1] if rows else ''}".split(_MASK)
    return " ".join([first, *(piece.partition("]")[2] for piece in rest)])


def tokens(prompt: str) -> list[str]:
    """Return the words that say what a prompt is about, each once; a negation comes last.

    Where a script has no blanks, every two letters are a word.
    """
    said = folded(_unmasked(prompt))
    if not prompt.isascii():
        said = [part for word in said for part in (pairs(word) if is_unbroken(word) else (word,))]
    found = [*dict.fromkeys(word for word in said if _tells(word))][:TOP_TOKENS]
    return [*found, NOT] if _denies(said) else found


def joined(tokens: Iterable[str]) -> list[str]:
    """Return words as people write them: pairs of letters of which each begins where the one before ends are one."""
    found: list[str] = []
    for token in tokens:
        if found and len(token) == len(pairs(token)[0]) and is_unbroken(token) and found[-1][-1] == token[0]:
            found[-1] += token[1:]
        else:
            found.append(token)
    return found


def _denies(said: list[str]) -> bool:
    if not _DENIALS.isdisjoint(said):
        return True
    return "t" in said and any(one.endswith("n") and other == "t" for one, other in pairwise(said))


def _tells(word: str) -> bool:
    return len(word) >= SHORTEST_TOKEN and word not in _SILENT and not word.isdecimal()
