"""Find what a text mentions that another may mention too: names in code, codes, people, places.

A text is read once, chunk by chunk between blanks, without patterns, so that no text is slow.
"""

from __future__ import annotations

from typing import NamedTuple

from treering.text.words import LONGEST_NAME, STOP_WORDS, parts

MOST_ENTITIES = 32  # of one text: enough for a page, and a list of a thousand names would link it to everything
# Characters. What a long text is about is named in its first pages; a log or a dump goes on with names for ever.
_MOST_LETTERS = 10_000
_LONGEST_PATH = 256  # characters
_LONGEST_QUOTE = 48  # characters in backticks: longer ones are lines of code, which nobody writes twice
_MOST_WORDS = 3  # in a name: more capitals in a row are a heading

# Kinds of mentions, the most telling first: an error code means one thing, a capitalised word may mean many.
CODE, PATH, NAME, FLAG, VERSION, ISSUE, PERSON, HOST, QUOTE, PROPER = range(10)

_OPENING = "\"'`([{<*\u201c\u2018"
_CLOSING = "\"'`)]}>*\u201d\u2019"
_AFTER = _CLOSING + ".,;:!?\u2026"
_INNER = frozenset("([{<=,;|\"'`")  # what stands behind one of these is not part of a name
_DIGITS = "0123456789"
_HEXADECIMAL = frozenset("0123456789abcdef")

_CODES = frozenset(
    """EACCES EADDRINUSE EADDRNOTAVAIL EAGAIN EBADF EBUSY ECANCELED ECONNABORTED ECONNREFUSED ECONNRESET EEXIST EFAULT
    EHOSTUNREACH EINTR EINVAL EIO EISDIR ELOOP EMFILE EMSGSIZE ENETUNREACH ENFILE ENOBUFS ENODEV ENOENT ENOEXEC ENOMEM
    ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTFOUND ENOTSUP EPERM EPIPE EPROTO ERANGE ERESOLVE EROFS ESRCH ESTALE
    ETIMEDOUT EXDEV SIGABRT SIGBUS SIGFPE SIGHUP SIGILL SIGINT SIGKILL SIGPIPE SIGSEGV SIGTERM""".split()
)
_FAULTS = ("Error", "Exception", "Fault", "Panic", "Warning")
# Behind these a number is a code: "HTTP 404", "exit code 137", "SQLSTATE 42P01".
_CODED = frozenset("code errno error http signal sqlstate status".split())
# Behind these a number with one point is a version: "Python 3.11". Behind other words it measures something.
_VERSIONED = frozenset(
    """alpine android angular cargo cuda debian django docker fastapi flask go gradle ios java kafka kernel kotlin
    kubernetes linux macos maven mypy mysql nginx node numpy openssl pandas php pip postgres postgresql python pytorch
    rails react redis release ruby ruff rust spring sqlite swift terraform typescript ubuntu version vue""".split()
)
# Folders that a path without an extension begins with; "client/server" is none.
_FOLDERS = frozenset(
    """app apps bin build cmd config docs etc examples home internal lib opt packages pkg scripts src test tests usr
    var""".split()
)
# Written like names in code, but products that people speak of.
_PRODUCTS = frozenset(
    """bitbucket chatgpt clickhouse cloudflare couchdb devops dynamodb fastapi github gitlab graphql ios ipad iphone
    javascript jetbrains latex linkedin macbook macos mariadb mongodb mysql next.js node.js numpy oauth openai openapi
    opentelemetry phd postgresql powershell pytorch rabbitmq rocksdb saas sqlalchemy sqlite tensorflow typescript vue.js
    webassembly websocket websockets whatsapp youtube""".split()
)
PRODUCTS = _PRODUCTS | _VERSIONED
# A stop behind these ends no sentence.
ABBREVIATIONS = frozenset("cf dr e.g eg i.e ie mr mrs ms prof st vs".split())
# Words about time that say nothing about a topic, the names of months and days among them.
TIME_WORDS = frozenset(
    """day days week weeks weekend weekends month months year years ago last past yesterday today recent recently date
    time first second earliest latest january february march april may june july august september october november
    december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday
    sunday""".split()
)
# Capitals for stress, and words of code and of notes that are written with one wherever they stand.
_NO_NAMES = frozenset(
    """always caution critical false fixme hack important must never none note null ok okay optional required todo true
    warning wip yes""".split()
).union(STOP_WORDS, TIME_WORDS, ABBREVIATIONS)


class Mention(NamedTuple):
    """Something in a text that is more than a word, as it stands there."""

    text: str
    kind: int
    owner: str = ""  # the word before a version, which it is one of


class _Row(NamedTuple):
    """Capitalised words in a row, with the one before them if it begins the sentence."""

    start: str
    names: list[str]


def entities(text: str) -> tuple[str, ...]:
    """Return the entities of a text in one normal form, the most telling first.

    A path counts also by its file name, an address by its host alone.
    """
    reading = _Reading(text[:_MOST_LETTERS])
    found = reading.mentions
    found += [Mention(quote, QUOTE) for quote in _quotes(text[:_MOST_LETTERS])]
    found += [Mention(name, PROPER) for name in reading.names()]
    forms = dict.fromkeys(form for mention in sorted(found, key=_kind) for form in _forms(mention))
    return tuple(forms)[:MOST_ENTITIES]


def identifiers(text: str) -> list[Mention]:
    """Return names in code, codes, paths, flags and versions, each once: copied rather than worded."""
    found = {mention.text: mention for mention in _Reading(text).mentions if mention.kind <= VERSION}
    for piece in text.split("()")[:-1]:
        name = piece[-LONGEST_NAME:].split(" ")[-1].lstrip(_OPENING)
        if name.isidentifier():
            found.setdefault(name, Mention(name, NAME))
    return list(found.values())


class _Reading:
    """One pass over a text."""

    def __init__(self, text: str) -> None:
        self.mentions: list[Mention] = []
        self._rows: list[_Row] = []
        self._inside: set[str] = set()  # words that are capitalised within a sentence
        self._row: list[str] = []
        self._start = ""
        self._before = ""
        for line in text.split("\n"):
            self._first = True
            for chunk in line.split():
                if chunk.islower() and chunk.isalpha():
                    if self._row or self._start:
                        self._close()
                    self._first = False
                    self._before = chunk
                else:
                    self._take(chunk)
            self._close()

    def names(self) -> list[str]:
        """Return rows of one to three capitalised words.

        A word that begins a sentence counts if it is capitalised elsewhere too.
        """
        found = []
        for start, names in self._rows:
            row = [start, *names] if start in self._inside else names
            if 0 < len(row) <= _MOST_WORDS:
                found.append(" ".join(row))
        return found

    def _take(self, chunk: str) -> None:
        """Take a chunk that is not simply a word in lower case."""
        bare = chunk.lstrip(_OPENING)
        word = name = bare.rstrip(_AFTER)
        if len(bare) < len(chunk):
            self._close()
        if word:
            name = word.removesuffix("'s").removesuffix("\u2019s")
            self._word(name or word)
            self._first = self._first and not (name[:1].isalnum() or name[-1:].isalnum())  # a bullet begins nothing
        if len(word) < len(bare) or len(name) < len(word):
            self._close()
            self._end(word, bare[len(word) :].rstrip(_CLOSING))

    def _word(self, word: str) -> None:
        plain = word.isalpha() and (word[1:].islower() or len(word) == 1)
        mention = None if plain else mention_in(word, self._before)
        if mention:
            if self._row and mention.text.startswith(self._row[-1]):
                self._row.pop()  # the "HTTP" of "HTTP 404"
            self.mentions.append(mention)
        if mention or not self._is_name(word):
            self._close()
        elif self._first and plain:
            self._close()
            self._start = word
        else:
            self._row.append(word)
            self._inside.add(word)
        self._before = word

    def _is_name(self, word: str) -> bool:
        folded = word.lower()
        if len(word) < 2 or folded in _NO_NAMES or not (word[0].isupper() or folded in _PRODUCTS):
            return False
        if word.isupper() and len(self._before) > 1 and self._before.isupper() and self._before.lower() in _NO_NAMES:
            return False  # "DO NOT PUSH": somebody is shouting
        return word.isalnum() or all(piece.isalnum() for piece in word.split("-"))

    def _end(self, word: str, mark: str) -> None:
        """Note a sentence's end, unless the stop belongs to an abbreviation or an initial."""
        if mark:
            self._before = ""
            if mark[-1] in ".!?:":
                self._first = word.lower() not in ABBREVIATIONS and not (len(word) == 1 and word.isupper())

    def _close(self) -> None:
        if self._row or self._start:
            self._rows.append(_Row(self._start, self._row))
            self._row, self._start = [], ""


def _kind(mention: Mention) -> int:
    return mention.kind


def _forms(mention: Mention) -> list[str]:
    text = mention.text.lower()
    if mention.kind == PATH:
        text = text.replace("\\", "/").rstrip("/")
        return [text, text.rpartition("/")[2]]
    if mention.kind == VERSION:
        return [f"{mention.owner.lower()} {text.removeprefix('v')}"] if mention.owner else []
    if mention.kind == HOST:
        host = text.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0].removeprefix("www.")
        return [host] if host else []
    return [text]


def _quotes(text: str) -> list[str]:
    """Return what stands in backticks on one line."""
    pieces = (piece.strip() for piece in text.split("`")[1::2])
    return [piece for piece in pieces if 1 < len(piece) <= _LONGEST_QUOTE and "\n" not in piece]


def mention_in(word: str, before: str) -> Mention | None:
    """Classify a chunk by its first mark that no plain word has. `before` is the word before it."""
    if not 1 < len(word) <= _LONGEST_PATH:
        return None
    if word.isalnum():
        return _joined(word, before)
    if word[0] in "@#":
        return _tagged(word)
    if "://" in word:
        return Mention(word, HOST)
    head = _head(word)
    if head != word:
        return mention_in(head, before)
    if word.startswith("-"):
        return Mention(word, FLAG) if word[1] == "-" and word[2:3].isalpha() else None
    if "@" in word:
        name, _, host = word.partition("@")
        return Mention(word, PERSON) if name and "." in host else None
    if "/" in word or "\\" in word:
        return Mention(word, PATH) if _is_path(word) else None
    if "_" in word or "::" in word:
        return _snake(word)
    if "." in word:
        return _dotted(word, before)
    if "-" in word:
        return _kebab(word)
    if word.startswith("$") and word[1:].isalnum():
        return Mention(word, NAME) if word.isupper() else None
    return None


def _head(word: str) -> str:
    """Strip a call's arguments, a value behind "=" and the line behind a file: "words.py:12"."""
    if not _INNER.isdisjoint(word):
        word = word[: next((place for place, letter in enumerate(word) if letter in _INNER), 0)]
    if ":" not in word:
        return word
    head, _, line = word.partition(":")
    return head if line and head and line.replace(":", "").isdecimal() else word


def _tagged(word: str) -> Mention | None:
    """Classify "@ada" or "#123"; a package with its owner (@types/node) is a name."""
    if word[0] == "#":
        return Mention(word, ISSUE) if word[1:].isdecimal() else None
    if "/" in word:
        return Mention(word, NAME)
    return Mention(word, PERSON) if word[1].isalnum() else None


def _joined(word: str, before: str) -> Mention | None:
    """Classify letters and digits without a mark: a code, a commit, CamelCase, or only a word."""
    if word.isalpha():
        if word[1:].islower() or word.isupper():
            return Mention(word, CODE) if word in _CODES else None
        return _camel(word)
    if (word.isdecimal() or before == "SQLSTATE") and len(word) < 7 and before.lower() in _CODED:
        return Mention(f"{before} {word}", CODE)
    if word.isdecimal():
        return None
    prefix = word.rstrip(_DIGITS)
    if prefix.isalpha() and prefix.isupper() and len(prefix) <= 5 and 3 <= len(word) - len(prefix) <= 6:
        return Mention(word, CODE)
    if word.startswith("0x") and _HEXADECIMAL.issuperset(word[2:].lower()):
        return Mention(word, CODE)
    if 7 <= len(word) <= 40 and _HEXADECIMAL.issuperset(word):
        return Mention(word, NAME)
    return _camel(word)


def _camel(word: str) -> Mention | None:
    if word.lower() in _PRODUCTS or word.startswith("Mc") or len(word) > LONGEST_NAME or len(parts(word)) < 2:
        return None
    return Mention(word, CODE if word.endswith(_FAULTS) else NAME)


def _snake(word: str) -> Mention | None:
    name = word.strip("_").replace("::", "_").replace(".", "_").replace("-", "_").replace("$", "")
    if not name.replace("_", "").isalnum() or name.replace("_", "").isdecimal():
        return None
    return Mention(word, CODE if word.endswith(_FAULTS) else NAME)


def _dotted(word: str, before: str) -> Mention | None:
    """Classify a version, a file, a module or a host; not "e.g", "3.5" or two joined sentences."""
    pieces = word.split(".")
    if pieces[0].removeprefix("v").isdecimal():
        if not all(piece[:1].isdecimal() for piece in pieces[1:]):
            return None
        owner = before if before[:1].isalpha() and before.lower() not in STOP_WORDS else ""
        sure = len(pieces) > 2 or word[0] == "v" or owner.lower() in _VERSIONED
        return Mention(word, VERSION, owner) if sure else None
    if not pieces[0]:
        pieces = pieces[1:]
    if word.lower() in _PRODUCTS or pieces[-1].lower() in STOP_WORDS or max(map(len, pieces)) < 2:
        return None
    if not all(piece.replace("-", "").isalnum() for piece in pieces) or not pieces[-1][0].isalpha():
        return None if pieces[-1].isalpha() else _kebab(word)
    return Mention(word, CODE if word.endswith(_FAULTS) else NAME)


def _kebab(word: str) -> Mention | None:
    """Classify a joined word with a digit ("utf-8", "python-3.11"). Dates begin with one."""
    pieces = word.split("-")
    if word[0].isdecimal() or not all(piece.replace(".", "").isalnum() for piece in pieces):
        return None
    if not any(digit in word for digit in _DIGITS) or len(pieces) < 2:
        return None
    return Mention(word, CODE if pieces[0] in ("ORA", "ERR") else NAME)


def _is_path(word: str) -> bool:
    """Tell paths such as "./run", "~/notes", "src/main" from "and/or", "24/7" and "2023/08/15"."""
    pieces = [piece for piece in word.replace("\\", "/").split("/") if piece]
    if not any(letter.isalpha() for letter in word) or not pieces:
        return False
    if word[0] in "/.~" or "\\" in word or pieces[0].lower() in _FOLDERS:
        return len(word) > 2
    name, _, extension = pieces[-1].rpartition(".")
    return len(pieces) > 1 and bool((name and extension.isalnum()) or len(pieces) > 3 or any("_" in p for p in pieces))
