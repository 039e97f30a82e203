"""Find secrets that people tell each other in sentences, in the languages of the table.

A row of the table is a language: what it calls a password, and a key; how it says "is", "for" and "as".
"""

from __future__ import annotations

import re

from treering.ledger.tuples import NamedTuple
from treering.text.redact.rule import (
    FEWEST_DIGITS,
    FEWEST_DIGITS_AMONG_WORDS,
    Rule,
    Span,
    is_generated,
    is_placeholder,
    is_reference,
    is_strong,
    secret_of,
)


class Language(NamedTuple):
    """The words of a language, in lower case, as alternatives of a pattern."""

    passwords: str
    keys: str
    verbs: str
    of: str


LANGUAGES = (
    Language("password|passwd|passphrase|passcode|pw", "api[- ]?key|access key", "is|=", "for|of|to|on|at|in"),
    Language(
        "passwort|kennwort|passphrase|zugangscode",
        "api[- ]?schlüssel|api[- ]?schluessel|zugriffsschlüssel",
        "ist|lautet|heißt|heisst",
        "für|fuer|von|vom|zum|zur|der|des|auf|bei",
    ),
    Language("mot de passe|mdp|code d'accès", "clé api|clé d'api|clé d'accès", "est|c'est", "pour|de|du|des|sur"),
    Language("contraseña|contrasena|clave", "clave api|clave de api", "es", "para|de|del"),
    Language("password|parola d'ordine", "chiave api", "è|e'", "per|di|del|della"),
    Language("senha|palavra-passe", "chave api|chave da api", "é", "para|de|do|da"),
    Language("wachtwoord", "api[- ]?sleutel", "is", "voor|van|op"),
    Language(
        "lösenordet|lösenord|adgangskoden|adgangskode|passordet|passord", "api[- ]?nyckel", "är|er", "för|til|for|på"
    ),
    Language("hasło|heslo", "klucz api", "to|jest|je", "do|dla|na|pro"),
)
_MARKERS = (
    *("pass", "pw", "kennwort", "zugangscode", "mdp", "code d'acc", "contrase", "clave", "parola", "senha", "palavra"),
    *("wachtwoord", "lösenord", "adgangskode", "hasło", "heslo"),
)
_KEY_MARKERS = ("api", "schlüssel", "schluessel", "access key", "clé")


def _any(field: str) -> str:
    return "|".join(dict.fromkeys(word for row in LANGUAGES for word in getattr(row, field).split("|")))


_START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
_PASSWORD = rf"{_START}(?P<key>{_any('passwords')})"
_KEY = rf"{_START}(?P<key>{_any('keys')})"
_OF = rf"(?: (?:{_any('of')}) [^\n.:=,;]{{1,40}}?)?"
_IS = rf"(?: (?:{_any('verbs')})(?: (?:now|jetzt|nun|maintenant|ahora))?:?| ?:)"
_BARE = r"[^\s,;\"'`<>\\]+"
_VALUE = (
    rf"(?:\"(?P<double>[^\"\n]{{1,64}})\"|'(?P<single>[^'\n]{{1,64}})'|`(?P<ticked>[^`\n]{{1,64}})`|(?P<bare>{_BARE}))"
)
# What may follow a password that no verb announces: the end of its clause, or what it is for.
_END = rf"(?=[\"'`)\]]*(?:\Z|\n|\\[nrt]|[.,;:!?](?:\s|\Z)| (?:{_any('of')}|and|und|et|y|e|en|or|oder|as|als)\b))"
_AS = r"(?:as|als|comme|como|come)"
_MANNERS = r"(?:the |a |my |your |our |das |dein |le |la |tu |seu |het )?(?:[\w-]{1,20} )?"
_PAIR = r"(?:credentials?|creds|logins?|zugangsdaten|anmeldedaten|login-daten|identifiants|credenciales|credenziali)"
_TECHNICAL = r"(?ai)(?:argon2|bcrypt|scrypt|pbkdf2|oauth|saml|totp|fido|sha|base)\w*\Z"
_FEWEST_TOLD = 5  # characters of a password that nothing but its form tells from a word


def _judge_told(text: str, match: re.Match[str]) -> Span | None:
    """Find what a sentence says to be the password: anything in quotes, and else what no word looks like."""
    start, end = _trimmed(text, match)
    value = text[start:end]
    if is_placeholder(value):
        return None
    if match.lastgroup != "bare":
        is_one = " " not in value or (match["key"] == "passphrase" and _is_phrase(value))
        return (start, end) if is_one else None
    is_number = value.isdigit() and len(value) >= FEWEST_DIGITS and _ends(text, end)
    return (start, end) if is_number or (is_strong(value) and not is_reference(value)) else None


def _judge_unannounced(text: str, match: re.Match[str]) -> Span | None:
    start, end = _trimmed(text, match)
    value = text[start:end]
    long_enough = len(value) >= _FEWEST_TOLD and any(map(str.isalpha, value))
    fits = long_enough and is_strong(value) and not is_reference(value) and not re.match(_TECHNICAL, value)
    return (start, end) if fits and not is_placeholder(value) else None


def _judge_key(text: str, match: re.Match[str]) -> Span | None:
    start, end = _trimmed(text, match)
    value = text[start:end]
    return (start, end) if is_generated(value) and not is_placeholder(value) and not is_reference(value) else None


def _judge_number(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    return (start, end) if end - start >= FEWEST_DIGITS_AMONG_WORDS or _ends(text, end) else None


def _is_phrase(value: str) -> bool:
    """Tell words that only a passphrase puts together from what is said about one."""
    return re.search(r"(?i)[.!?:]\Z|\b(?:your|enter|must|field|invalid|please|the|is|required|in)\b", value) is None


def _trimmed(text: str, match: re.Match[str]) -> Span:
    """Return the value without the signs that end its sentence."""
    start, end = secret_of(match)
    while match.lastgroup == "bare" and end > start and text[end - 1] in ".:)]":
        end -= 1
    return start, end


def _ends(text: str, end: int) -> bool:
    return re.compile(r"(?a)[\"'`)\]]*(?:\Z|\n|\\[nrt]|[.,;!?](?:\s|\Z))").match(text, end) is not None


PROSE = (
    Rule(
        "password-in-prose",
        _MARKERS,
        rf"{_PASSWORD}{_OF}{_IS} {_VALUE}",
        "Das Passwort lautet {7}{3d}",
        _judge_told,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "password-unannounced",
        _MARKERS,
        rf"{_PASSWORD} (?P<bare>{_BARE}){_END}",
        "password {7}{3d} for the staging database",
        _judge_unannounced,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "password-before-its-name",
        _MARKERS,
        rf"(?<![^\s\"'`])(?P<bare>{_BARE})[\"'`]? {_AS} {_MANNERS}(?:{_any('passwords')})"
        rf"(?=[\"'`)\]]*(?:\Z|\n|\\[nrt]|[.,;:!?]| (?:{_any('of')})\b))",
        "use {7}{3d} as the password for grafana",
        _judge_unannounced,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "key-in-prose",
        _KEY_MARKERS,
        rf"{_KEY}{_OF}{_IS} [\"'`]?(?P<bare>{_BARE})",
        "La clé API est {16x}",
        _judge_key,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "credential-pair",
        ("credential", "creds", "login", "zugangsdaten", "anmeldedaten", "identifiants", "credenc", "credenz"),
        rf"{_START}{_PAIR}{_OF}(?: (?:are|is|sind|sont|son))?:? +[\"'`]?[\w.@+-]{{1,64}}(?:[:/]| / | : )"
        r"(?P<bare>[^\s,;\"'`<>/\\]+)(?!/)",
        "creds are bob/{7}{3d}",
        _judge_unannounced,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "pin",
        ("pin", "code secret", "geheimzahl", "código"),
        rf"{_START}(?:pin(?:[- ]?(?:code|nummer|number))?|code secret|geheimzahl|código secreto)"
        rf"{_OF}{_IS} [\"'`]?(\d{{4,8}})(?!\d)",
        "the PIN of the door is {6d}",
        _judge_number,
        folded=True,
        anywhere=True,
    ),
)
