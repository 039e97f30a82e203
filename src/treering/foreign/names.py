"""Names that others gave, in the tags of our memories: exactly as they were given, and readable as far as possible."""

from __future__ import annotations

from treering.core.errors import InvalidInput
from treering.guard import clean
from treering.guard.redaction import redact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.core.types import Memory


def tag(label: str, name: str) -> str:
    """A name as one word: blanks, signs that cannot be seen and `%` are written as in an address."""
    _, secrets = redact(name)
    if secrets:
        raise InvalidInput(f"a name holds what is never stored ({', '.join(secrets)}): choose another")
    word = label + ":" + "".join(one if _is_plain(one) else _escaped(one) for one in name)
    if word.isascii() or clean(word).text == word:
        return word
    # Letters that are composed otherwise here, or that nobody sees.
    return label + ":" + "".join(one if one.isascii() and _is_plain(one) else _escaped(one) for one in name)


def named(memory: Memory, label: str) -> str | None:
    """The name that a memory has under a label. A merged memory may have several: the first is its own."""
    start = label + ":"
    for word in memory.tags:
        if word.startswith(start):
            return _unescaped(word[len(start) :])
    return None


def _is_plain(letter: str) -> bool:
    return letter != "%" and letter.isprintable() and not letter.isspace()


def _escaped(letter: str) -> str:
    try:
        return "".join(f"%{byte:02X}" for byte in letter.encode())
    except UnicodeEncodeError:
        raise InvalidInput("half of a character cannot be part of a name") from None


def _unescaped(word: str) -> str:
    first, *rest = word.split("%")
    if not rest:
        return word
    found = first.encode()
    try:
        for part in rest:
            found += bytes.fromhex(part[:2]) + part[2:].encode()
        return found.decode()
    except ValueError:  # nobody here has written it
        return word
