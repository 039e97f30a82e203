"""Define a rule of redaction, and what stands where a secret would and is none.

Such are a blank to fill in, a variable, a type, or a word of prose.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from treering.ledger.tuples import NamedTuple

Span = tuple[int, int]
Judge = Callable[[str, re.Match[str]], Span | None]

# Characters. Nobody masks or leaves blank a value longer than this, and a long random one may hold anything.
LONGEST_PLACEHOLDER = 200

# Somebody has hidden this value already, or never filled it in.
_MASKED = r"(?ai)x{6}|\*{3}|\.{3}|…|0{12}|(?<![a-z])your(?![a-z])"

_GLUED = r"(?a)[\w-]*"

# What a place in an example stands for: "ghp_{36}" is 36 letters and digits, "{32x}" 32 hexadecimal digits.
_PLACE = r"\{(\d+)([xAad]?)\}"
_ALPHABETS = {
    "": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
    "x": "0123456789abcdef",
    "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
    "a": "abcdefghijklmnopqrstuvwxyz0123456789",
    "d": "0123456789",
}


def masked(value: str) -> bool:
    return len(value) <= LONGEST_PLACEHOLDER and re.search(_MASKED, value) is not None


def secret_of(match: re.Match[str]) -> Span:
    """Return the span of the secret: the last group that took part, or the whole match."""
    return match.span(match.lastindex or 0)


def unmasked(text: str, match: re.Match[str]) -> Span | None:
    """Return the token and whatever is glued to it, so that a changed format leaves no part behind."""
    start, end = secret_of(match)
    if masked(text[start:end]):
        return None
    rest = re.compile(_GLUED).match(text, end, match.endpos)
    return start, rest.end() if rest else end


class Rule(NamedTuple):
    """A kind of secret. Patterns are compiled when first needed: all at once would cost 40 ms."""

    name: str
    markers: tuple[str, ...]  # a match begins with one of them; looking for them first is what makes this cheap
    pattern: str
    example: str  # with places for the random part: a scanner of this repository finds nothing in it
    judge: Judge = unmasked  # says where the secret is in the text, or that there is none
    folded: bool = False  # markers and pattern are in lower case and looked up in the lower-cased text
    anywhere: bool = False  # a match holds a marker somewhere


def spelled(example: str, pick: Callable[[str, int], str]) -> str:
    """Fill the places of an example; `pick` chooses so many characters of an alphabet."""
    return re.sub(_PLACE, lambda place: pick(_ALPHABETS[place[2]], int(place[1])), example)


SHORTEST_GENERATED = 6  # characters; "s3cr3t" is a secret that somebody thought up
SHORTEST_KEY = 20  # of a value under a name that may be any key: `stripe_key`, but `cache_key` too
FEWEST_DIGITS = 4  # of a password made of digits alone, with nothing behind it
FEWEST_DIGITS_AMONG_WORDS = 6  # "password: 3 attempts" and "password: 2024 edition" are none

# A hole that something will fill: ${A} $(a) $A %A% %(a)s {a} <a> [a] (a) @A@ #{a} &lt;a !Ref, or the address of
# the place where the secret is kept.
_HOLE = (
    r"(?a)\$[\[{(]|`|(?:\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|\d))+\Z|%\w+%\Z|(?:%(?:\(\w+\))?[sdrvfx]\W?)+\Z|[{\[(]|<[A-Za-z/|!?]"
    r"|<\w[\w -]*>?\Z|@\w+@\Z|#\{|&lt;|!!\w+\Z|!(?:Ref|Sub|GetAtt|Join|vault|secret|env|include)\b|ENC[\[(]|[a-z+]{2,10}://"
    r"|(?:arn|op|vault|ssm|env|file|azkv|gcpsm|keyring|secretref):"
)
_BLANK = (
    r"(?i)\Ax{2,}\Z|[-_ ]here\Z|\A(?:insert|enter|put|replace|fill|change)[-_ ]|\Aexample"
    r"|\A(?:required|nullable|sometimes|string)\|"
)
_WORDS = frozenset(
    """
    none null nil undefined true false yes no on off n/a na tbd todo fixme
    str string int integer bytes bool boolean any object text varchar char number float buffer secretstr optional
    required hidden masked redacted removed omitted empty blank unset missing invalid valid wrong incorrect correct
    expired changed changeme placeholder dummy sample example default value input data prompt ask await new self this
    password passwd pass pwd passphrase passcode secret token key apikey credential credentials encrypted hashed hash
    plaintext plain weak strong medium good the a an is are was be must should can will may not and or but if for with
    from to in of as at by it its that your my our you flag option options argument parameter field header column
    variable env than then when where which who how what authentication authorization login reset manager policy
    protected based free less passwort kennwort schlüssel contraseña clave senha wachtwoord mdp
    """.split()
)
_NOUN = "(?:password|passwd|pass|pwd|passphrase|secret|token|api_?key|key|credentials?)"
_OWNER = "(?:my|the|new|old|db|user|admin|root|some|test|default|current|raw|plain|hashed)"
# `password=db_password`, `token=newToken`, `secret=mysecret`: the name of a variable, not its content.
_NAMED = (
    rf"(?a)(?i:{_OWNER}?{_NOUN}s?)\Z|[A-Za-z_]*_{_NOUN}(?:_[a-z]+)?\Z|{_NOUN}_[a-z_]+\Z"
    rf"|[A-Z_]*_{_NOUN.upper()}(?:_[A-Z]+)?\Z"
    r"|[a-z]+(?:Password|Passwd|Pass|Pwd|Passphrase|Secret|Token|Key|Credentials?)\Z"
    r"|_?(?:[A-Z][a-z0-9]*)*(?:Password|Secret|Token|Key|Credential)s?"
    r"(?:Types?|Str|String|Bytes|Value|Field|Input|Config|Provider|Hash|Hasher|Schema|Request|Response|Data|Info)\Z"
)
_CODE = r"(?a)[A-Za-z_]\w*(?:\.\w+)*[(\[]|[A-Za-z_]\w*(?:->|::|\?\.)|[\w:-]+=[\"']|[&*]?[A-Za-z_]\w*\.\Z"
_ROOTS = (
    "self|this|cls|os|process|env|config|cfg|conf|settings|args|opts|options|request|req|response|res|user|data|params"
    "|creds|credentials|secrets|vault|var|local|ctx|app|state|props|event|module|session|account|form|body|json|row"
)
_DOTTED = rf"(?a)(?:[a-z]|{_ROOTS})(?:\.[A-Za-z_]\w*)+\Z|(?:[A-Za-z_]\w*\.)+\w*(?i:{_NOUN})\w*\Z"
_FILE = "(?:ya?ml|json|pem|key|crt|cer|txt|env|py|js|ts|toml|ini|cfg|conf|pub|p12|jks|md|sh|html?|go|rs|java)"
_LOCATION = rf"(?a)(?:~|\.{{1,2}})?/[\w.@-]+(?:/[\w.@-]*)*\Z|[A-Za-z]:\\|[\w./-]+\.{_FILE}\Z"
_REFERENCES = (_NAMED, _CODE, _DOTTED, _LOCATION)
_TECHNICAL = (
    r"(?ai)(?:sha|md|aes|rsa|hs|rs|es|ec|utf|base|ip|ipv|oauth|http|tls|ssl|argon|pbkdf|web|v|x|gpt|erc|top)-?\d{1,4}\w?\Z"
    r"|v?\d+(?:\.\d+)+\w*\Z|\d{4}-\d\d-\d\d|(?:#|0x)[0-9a-f]{3,8}\Z"
)
_UNIT = (
    "(?:chars?|characters?|digits?|letters?|words?|symbols?|times?|bits?|bytes?|[kmg]b?|x|%|fa|st|nd|rd|th|am|pm"
    "|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|weeks?|months?|years?)"
)
_QUANTITY = rf"(?ai)\d[\d.,]*[-+]?{_UNIT}\Z"
_NAME_WITH_NUMBER = r"(?a)[A-Za-z_.-]+\d{1,2}\Z"
_NEVER_GENERATED = (_TECHNICAL, _QUANTITY, _LOCATION, _NAME_WITH_NUMBER)
_SPECIAL = frozenset("!@#$%^&*+~=")
_PART_OF_NAME = "[A-Z]*[a-z]+|[A-Z]+"
_SHORTEST_SCRAMBLED, _FEWEST_PARTS, _LONGEST_PARTS = 7, 3, 3.5  # characters, parts, characters of a part at random
_SENTENCE = r"(?i)\s(?:\S+\s){3,}|[.!?:]\Z|\b(?:your|enter|must|field|invalid|please|the|is|required)\b"


def is_placeholder(value: str) -> bool:
    return (
        value.lower() in _WORDS
        or not any(map(str.isalnum, value))
        or masked(value)
        or is_hole(value)
        or re.search(_BLANK, value) is not None
    )


def is_hole(value: str) -> bool:
    return re.match(_HOLE, value) is not None


def is_reference(value: str) -> bool:
    """Tell whether an unquoted value is code or a name that leads to the secret."""
    return any(re.match(shape, value) for shape in _REFERENCES)


def is_sentence(value: str) -> bool:
    return " " in value and re.search(_SENTENCE, value) is not None


def is_strong(value: str) -> bool:
    """Tell whether a value cannot be a word of prose."""
    if not any(map(str.isalpha, value)) or re.match(_TECHNICAL, value) or re.match(_QUANTITY, value):
        return False
    return any(map(str.isdigit, value)) or not _SPECIAL.isdisjoint(value[:-1]) or is_scrambled(value)


def is_scrambled(value: str) -> bool:
    """Tell letters whose case changes at random ("qZMlKSaJp") from a name of words in one ("getTokenName")."""
    letters = re.sub(r"\d", "", value)
    parts = re.findall(_PART_OF_NAME, letters) if letters.isalpha() and letters.isascii() else ()
    long_enough = len(letters) >= _SHORTEST_SCRAMBLED and len(parts) >= _FEWEST_PARTS
    return long_enough and len(letters) < _LONGEST_PARTS * len(parts)


def is_generated(value: str) -> bool:
    """Tell whether a value looks made by a machine, as keys and tokens do."""
    if len(value) < SHORTEST_GENERATED or any(map(str.isspace, value)) or not any(map(str.isalpha, value)):
        return False
    if any(re.match(shape, value) for shape in _NEVER_GENERATED):
        return False
    digits = sum(map(str.isdigit, value))
    return digits >= 2 or (digits == 1 and len(value) >= SHORTEST_KEY)
