"""Judge by weights which words of a text are names, and of what: tools, files, people, errors, and so on.

Each token is judged by how it is written, by the words around it, by the tables of known names and by what the store
knows already. One judgement says whether a name begins there, one whether a name goes on, one of what it is a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from treering.graph.entities.lexicon import FIRST_NAMES, FREE, lexicon
from treering.graph.entities.shapes import LINK, QUOTE, SIGN, SPEECH, WORD, Token, is_file
from treering.judge.features import Features, block
from treering.text.mentions import CODE, FLAG, HOST, ISSUE, NAME, PATH, PERSON, VERSION, mention_in
from treering.text.words import STOP_WORDS

BEGINS, INSIDE = "begins", "inside"  # labels beside the types
LIKELY = 0.3  # probability that a name begins, from which on it counts if something is told of it
TYPES = ("concept", "convention", "decision", "error", "file", "library", "pattern", "person", "project", "tool")
LONGEST = 5  # tokens of a name
_GOES_ON = 0.5  # probability from which on a token belongs to the name before it
_FAULTS = ("Error", "Exception", "Fault", "Panic", "Warning")
_WRITTEN = {CODE: "code", PATH: "path", NAME: "identifier", FLAG: "flag", VERSION: "version", ISSUE: "issue"}
_WRITTEN |= {PERSON: "mail", HOST: "host"}
Judge = Callable[[Sequence[Features]], list[dict[str, float]]]  # how likely each label is
Known = Mapping[str, str]  # names in lower case that the store knows, and their types


class Named(NamedTuple):
    """A name in a text."""

    first: int  # token; -1 for what stands nowhere as it is named
    last: int  # the token behind it
    name: str
    type: str
    sure: float


class Words:
    """The tokens of a text, and what is seen of each."""

    def __init__(self, found: Sequence[Token], known: Known | None = None) -> None:
        self.tokens = found
        self.known = known or {}
        self.table = lexicon()
        self.phrases = self._phrases()
        self.capitals = {one.text for one in found if not one.begins and one.text[:1].isupper()}
        self.forms = [self._form(at) for at in range(len(found))]

    def _phrases(self) -> dict[int, str]:
        """Return the types of tokens that are part of a known name of several words."""
        found: dict[int, str] = {}
        for at, token in enumerate(self.tokens):
            for words, sort in self.table.phrases.get(token.low, ()):
                if all(self.low(at + step) == word for step, word in enumerate(words)):
                    for step in range(len(words)):
                        found.setdefault(at + step, f"{sort} {'goes on' if step else 'begins'}")
                    break
        return found

    def low(self, at: int) -> str:
        """Return the word at a place, in lower case; empty beyond the ends."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def form(self, at: int) -> str:
        """Return how the token at a place is written; "edge" beyond the ends."""
        return self.forms[at] if 0 <= at < len(self.forms) else "edge"

    def _form(self, at: int) -> str:
        text, low, _, _, kind, begins = self.tokens[at]
        if kind != WORD and kind != QUOTE:
            return {SIGN: "sign", LINK: "link", SPEECH: "long speech" if text.count(" ") > 1 else "speech"}[kind]
        if at in self.phrases:
            return f"phrase {self.phrases[at]}"
        if kind == QUOTE and " " in text:
            return f"command {self._sort(low.split()[0]) if low.split() else ''}"
        if sort := self._sort(low):
            return f"table {sort}{self._case(text, begins, kind) if ' ' in sort else ''}"
        if low in self.known:
            return f"known {self.known[low]}"
        if text == low and kind == WORD and low.isalpha():
            return "plain"
        return self._written(at, text, low, kind) or self._capital(at, text, begins)

    def _sort(self, low: str) -> str:
        """Return what the tables say that a word names; with a blank behind it if it is also a plain word."""
        if entry := self.table.single.get(low):
            return entry.type if entry.proper == FREE else f"{entry.type} "
        return "person " if low in FIRST_NAMES else ""

    @staticmethod
    def _case(text: str, begins: bool, kind: int) -> str:
        if not text[:1].isupper():
            return "code" if kind == QUOTE else "lower"
        return "first" if begins else "capital"

    def _written(self, at: int, text: str, low: str, kind: int) -> str:
        """Return the sort of a name in code; empty for a word with a capital."""
        if text[0] == "@" and len(text) > 1:
            return "package" if "/" in text else "handle"
        if is_file(low):
            return "file"
        if text.endswith(_FAULTS) and len(text) > 8:
            return "fault"
        if mention := mention_in(text, self.tokens[at - 1].text if at else ""):
            sort = "route" if mention.kind == PATH and text[0] == "/" else _WRITTEN[mention.kind]
            return f"{sort} quoted" if kind == QUOTE else sort
        hyphen = "kebab " if "-" in low and low.replace("-", "").isalnum() else ""
        if kind == QUOTE:
            return f"{hyphen}quoted"
        if hyphen:
            return f"{hyphen}{'lower' if text == low else 'capital'}"
        if not text[0].isalpha():
            return "number" if text[0].isdigit() else "mark"
        return f"capitals {min(len(text), 5)}" if text.isupper() and len(text) > 1 else ""

    def _capital(self, at: int, text: str, begins: bool) -> str:
        if not text[0].isupper():
            return "other"
        place = "inner" if not begins else "twice" if text in self.capitals else "first"
        beside = [self._is_capital(at - 1), self._is_capital(at + 1)]
        return f"capital {place}{' behind one' if beside[0] else ''}{' before one' if beside[1] else ''}"

    def _is_capital(self, at: int) -> bool:
        return 0 <= at < len(self.tokens) and self.tokens[at].kind == WORD and self.tokens[at].text[:1].isupper()


def features(words: Words, at: int) -> Features:
    """Return what is seen of one token."""
    low, form = words.low(at), words.forms[at]
    before, behind = words.low(at - 1) or "^", words.low(at + 1) or "$"
    earlier, later = words.form(at - 1), words.form(at + 1)
    kind = form.partition(" ")[0]
    around = [f"before {before}", f"behind {behind}", f"before {words.low(at - 2)} {before}"]
    around += [f"behind {behind} {words.low(at + 2)}", f"before a {earlier}", f"behind a {later}"]
    crossed = [f"{kind} before {before}", f"{kind} behind {behind}"]
    crossed += [f"{form} before a {earlier}", f"{form} behind a {later}"]
    own = [f"is {low}", f"starts {low[:3]}", *(f"ends {low[-size:]}" for size in (2, 3, 4))]
    parts = low.replace("_", "-").replace("/", "-").replace(".", "-").split("-")
    if len(parts) > 1:
        own += [f"first part {parts[0]}", f"last part {parts[-1]}"]
    return {**block([f"form {form}"], 1.5), **block(around), **block(crossed), **block(own)}


def candidates(words: Words) -> list[int]:
    """Return the tokens that could begin a name or go on with one."""
    return [
        at
        for at, token in enumerate(words.tokens)
        if token.kind != SIGN and token.low not in STOP_WORDS and len(token.text) < 257
    ]


def find(words: Words, judge: Judge) -> list[Named]:
    """Return the names of a text that are at least likely, in their order, none within another."""
    places = candidates(words)
    judged = dict(zip(places, judge([features(words, at) for at in places]), strict=True))
    found: list[Named] = []
    behind = 0
    for at in places:
        chances = judged[at]
        if at < behind or chances[BEGINS] < LIKELY:
            continue
        type, sure = best_type(chances)
        behind = at + 1
        while behind - at < LONGEST and goes_on(judged.get(behind)):
            behind += 1
        found.append(Named(at, behind, name_of(words.tokens[at:behind]), type, sure))
    return found


def best_type(chances: Mapping[str, float]) -> tuple[str, float]:
    """Return of what it is likeliest the name, and how sure it is that it is a name, and of that."""
    type = max(TYPES, key=lambda one: chances[one])
    share = chances[type] / (sum(chances[one] for one in TYPES) or 1.0)
    return type, chances[BEGINS] * share**0.7


def goes_on(chances: Mapping[str, float] | None) -> bool:
    """Tell whether a token belongs to the name before it."""
    return chances is not None and chances[INSIDE] >= max(_GOES_ON, chances[BEGINS])


def name_of(found: Sequence[Token]) -> str:
    """Return the words of a name with one blank between them."""
    return " ".join(token.text for token in found)
