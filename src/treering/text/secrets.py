"""Take out what a person marked as private, and tell cheaply whether a text might hold a secret, so
that a hook loads the guard only then.

It must never say no where `treering.text.redact` would redact: a test tries every known shape.
"""

from __future__ import annotations

from treering.text.words import words

_OPENED, _CLOSED = "<private>", "</private>"
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# What prose and commands are written with. Keys, addresses and assignments have other signs.
_PLAIN = dict.fromkeys(map(ord, f"{_LETTERS}{_LETTERS.upper()}0123456789 .,;:?!'\"`()[]/_-*#\n"))
# Words that stand before a secret, or in a name of one.
_TELLING = (
    *("pass", "pwd", "secret", "token", "key", "credential", "bearer", "basic", "auth", "identified by", "://"),
    *(" -u", " -p", "--user", "cookie", "creds", "login", "pw", "psk", "pin ", "geheimzahl", "connect("),
    # The same in other languages; words with an accent are looked at anyhow.
    *("kennwort", "zugangs", "anmeldedaten", "identifiants", "mdp", "contrasen", "clave", "parola", "senha", "palavra"),
    *("salasana", "recovery", "backup code", "emergency code", "scratch code", "mnemonic"),
    *(
        "2fa",
        "mfa",
        "seed:",
        "seed phrase",
        "seed words",
        "seed is",
        " -a ",
        " -k ",
        " /p:",
        " /pass",
        " /pwd",
        " /rp ",
    ),
    *("pin:", "puk", "wifi", "wi-fi", "wlan", "ssid", " / ", "licen", "lizenz", "serial n", "serial k", "activation"),
    *("to log in", "to login", "log in ", "sign in", "to sign in", "sqlplus ", "impdp ", "expdp "),
    *('"root"', "'root'", '"admin"', "'admin'", '"sa"', "'sa'", "base64(", "btoa("),
    *(f"{who}/" for who in ("root", "admin", "administrator", "postgres", "guest", "deploy", "sa")),
    *(f"{what} code" for what in ("door", "gate", "alarm", "safe", "entry", "lock")),
    *("wachtwoord", "adgangskode", "heslo", "schluessel", "nyckel", "sleutel", "klucz", "chiave", "chave"),
)
# Characters that a word of its kind may have before it looks like a key: what people write is shorter nearly always,
# and what the guard knows is longer.
_LONGEST_WORD = 19  # letters alone; "responsibilities" has 16
_LONGEST_NAME = 11  # with an inner capital, or of small letters and digits
_LONGEST_CODE = 4  # of capitals and digits, as in "E404"
_LONGEST_CAPITALS = 14  # of capitals alone, as in "EADDRNOTAVAIL"
_LONGEST_NUMBER = 8  # of digits alone, as in a date
_HEX = frozenset("0123456789abcdefABCDEF-")  # what ids of sessions are made of, which say nothing


def public(text: str) -> str:
    """Return a prompt without what stands between `<private>` and `</private>`. What is not closed goes on to the end,
    and what was not opened began with the text."""
    folded = text.replace("İ", "i").lower()  # the one letter that grows in lower case would shift the others
    if _CLOSED not in folded and _OPENED not in folded:
        return text
    kept, at = [], 0
    if folded.find(_CLOSED) >= 0 and _OPENED not in folded[: folded.find(_CLOSED)]:
        at = folded.find(_CLOSED) + len(_CLOSED)
    while (start := folded.find(_OPENED, at)) >= 0:
        kept.append(text[at:start])
        end = folded.find(_CLOSED, start)
        at = end + len(_CLOSED) if end >= 0 else len(text)
    return "".join((*kept, text[at:])).strip()


def suspicious(text: str) -> bool:
    """Tell whether to load the guard: for all but plain words and short numbers without secret names."""
    if not text.isascii() or text.translate(_PLAIN):
        return True
    folded = text.lower()
    return any(word in folded for word in _TELLING) or any(map(_odd, words(text)))


def suspicious_name(name: str) -> bool:
    """Tell whether to load the guard for a path or an id: for a part of it that is suspicious and no plain number."""
    parts = name.replace("\\", "/").split("/")
    return any(suspicious(part) for part in parts if not _HEX.issuperset(part.partition(".")[0]))


def _odd(word: str) -> bool:
    """Tell whether a word could be a key: mixed letters and digits, capitals, or unusual length."""
    if word.isalpha():
        if word.isupper():
            return len(word) > _LONGEST_CAPITALS
        return len(word) > (_LONGEST_NAME if word[1:] != word[1:].lower() else _LONGEST_WORD)
    if word.isdecimal():
        return len(word) > _LONGEST_NUMBER
    return len(word) > (_LONGEST_CODE if word != word.lower() else _LONGEST_NAME)
