"""`password=…`, `"api_key": "…"`, `--token …`, "the password is …": values that only their name gives away.

The names are looked up in the lower-cased text; what the find is worth is judged on the text itself.
"""

from __future__ import annotations

import re

from treering.guard.placeholders import (
    FEWEST_DIGITS,
    SHORTEST_GENERATED,
    SHORTEST_KEY,
    is_generated,
    is_placeholder,
    is_reference,
    is_sentence,
    is_strong,
)
from treering.guard.rule import HEX, Rule, secret_of, spell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.guard.rule import Span

SHORTEST_WORD = 3  # characters of a password without digit or sign, which needs a clear assignment besides
_NAME_WINDOW = 24  # characters before a word that may qualify it: `next_page_` token, `primary ` key
_WINDOW = 200  # characters looked at before a find, for the brackets and the command that it stands in

_PASSWORDS = "passw(?:or)?d|passwort|passphrase|passcode|passe|contraseña|пароль|密码|密碼|パスワード|비밀번호|pwd|pass"
_SECRETS = "secret|token|key"
_SUFFIX = r"(?:[_-]?(?:base|value|string|prod|production|dev|test|live|staging)|\d{1,3})?"
_TYPES = r"(?:str|string|bytes|text|secretstr|any|&str|&'static str|optional\[str\]|str \| none)"
_TAIL = r"\\*[\"'`\])*]{0,3}"
_ASSIGNED = (
    rf"[ \t]*(?:=>|:=|[!=]?={{1,2}}|[:：](?!:|//)(?:[ \t]*{_TYPES}[ \t]*=(?!=))?)\*{{0,2}}[ \t]*(?:\n[ \t]*)?"
)
# A sign that may end a value ends it where a gap, another such sign or the next assignment follows.
_STOP = r"(?:[\s,;&\"'`)\]}>.|]|\Z|[\w.-]{1,40}\\?[\"']?[ ]?[=:])"
_BARE = rf"(?:[^\s,;&\"'`)\]}}>|<\\]|[,;&\"'`)\]}}>|\\](?!{_STOP})|<(?!/))+"
_VALUE = (
    r"(?:\\+[\"'](?P<escaped>[^\"'\\\n]+)\\+[\"']"
    r"|[bruf]{0,2}\"(?P<double>[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+)\""
    r"|[bruf]{0,2}'(?P<single>[^'\\\n]*+(?:\\.[^'\\\n]*+)*+)'"
    r"|`(?P<ticked>[^`\n]+)`"
    rf"|[\"'`]?(?P<bare>{_BARE}))"
)


def _assignment(words: str) -> str:
    return (
        rf"(?P<key>{words}){_SUFFIX}(?:"
        r"[\"'][ \t]+value[ \t]*=[ \t]*[\"'](?P<attribute>[^\"'\n]+)[\"']"
        r"|>(?P<element>[^<>\n]+)</"
        rf"|{_TAIL}(?:{_ASSIGNED}{_VALUE}|[ \t]+(?P<mark>[\"'`])(?P<quoted>[^\"'`\n]{{1,64}})(?P=mark))"
        rf"|[ \t]+(?P<option>{_BARE}))"
    )


_PROSE = (
    rf"\b(?P<key>passw(?:or)?d|passphrase|passcode|pwd|(?:api|access|secret|license) key|token|secret)(?:'s)?"
    r"(?: \([^()\n]{1,30}\))?(?: (?:for|of|to|on|at|in) [^\n.:=,;]{1,40}?)??"
    r"(?: (?:is|was|are|to|be|will be|has been|=)(?: (?:now|still|currently|set to|changed to|reset to|just))?:?|:) "
    rf"{_VALUE}"
)


def _judge_password(text: str, match: re.Match[str]) -> Span | None:
    start, end = _trimmed(text, match)
    value = text[start:end]
    if _is_blank(text, match) or not _is_own_word(text, match, value):
        return None
    kind = match.lastgroup
    if kind == "bare":
        fits = _is_bare_password(text, match, value, end)
    elif kind == "option":
        fits = _is_option(text, match) and not is_reference(value) and len(value) >= SHORTEST_WORD
    elif kind == "quoted":
        fits = is_strong(value)
    else:
        fits = not is_sentence(value)
    return (start, end) if fits else None


def _is_bare_password(text: str, match: re.Match[str], value: str, end: int) -> bool:
    if is_reference(value):
        return False
    alone = _ends_line(text, end)
    between = text[match.end("key") : match.start("bare")]
    if is_strong(value):
        return alone or "\n" not in between
    if "\n" in between:
        return False
    assigned = "=" in between
    if value.isdigit():
        return len(value) >= FEWEST_DIGITS and (assigned or alone)
    if len(value) < SHORTEST_WORD or not any(map(str.isalpha, value)):
        return False
    return not _is_in_call(text, match.start()) if assigned else alone


def _judge_secret(text: str, match: re.Match[str]) -> Span | None:
    start, end = _trimmed(text, match)
    value = text[start:end]
    kind = match.lastgroup
    if _is_blank(text, match) or (kind in ("bare", "option") and is_reference(value)):
        return None
    if kind == "option" and not _is_option(text, match):
        return None
    if "\n" in text[match.end("key") : start] and not _ends_line(text, end):
        return None
    if not _names_a_secret(text, match, value):
        return None
    fits = is_generated(value) or (kind == "bare" and _is_environment(text, match, value))
    return (start, end) if fits else None


def _judge_prose(text: str, match: re.Match[str]) -> Span | None:
    start, end = _trimmed(text, match)
    value = text[start:end]
    if _is_blank(text, match) or (match.lastgroup == "bare" and is_reference(value)):
        return None
    if not match["key"].startswith("p"):
        return (start, end) if is_generated(value) else None
    if match.lastgroup == "bare":
        fits = is_strong(value) or (
            value.isdigit() and len(value) >= FEWEST_DIGITS and _ends_clause(text, end)
        )
    else:
        fits = " " not in value
    return (start, end) if fits else None


_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<", '"': '"', "'": "'", "`": "`"}


def _trimmed(text: str, match: re.Match[str]) -> Span:
    """Where the value ends: without the full stop of the sentence, with a bracket that nothing opened."""
    start, end = secret_of(match)
    if match.lastgroup not in ("bare", "option"):
        return start, end
    while end > start and text[end - 1] in ".:":
        end -= 1
    before = text[max(0, start - _WINDOW) : start]
    while end < match.endpos and text[end] in _CLOSERS and _CLOSERS[text[end]] not in before:
        end += 1
    return start, end


def _is_blank(text: str, match: re.Match[str]) -> bool:
    start, end = secret_of(match)
    return is_placeholder(text[start:end].strip("*_.:"))


def _is_own_word(text: str, match: re.Match[str], value: str) -> bool:
    """`pass` is a password in `db_pass`, `dbPass` and `pass: hunter2`, not in `bypass` or `PASS: test_login`."""
    if match["key"] != "pass":
        return True
    start = match.start("key")
    before = text[start - 1 : start]
    if before.isalpha():
        return text[start] == "P" and before.islower()
    if before in ("_", "-"):
        return True
    return text[start] != "P" and (match.lastgroup != "bare" or (is_strong(value) and "_" not in value))


_QUALIFIED = re.compile(
    r"(?:api|access|secret|private|auth|signing|encryption|master|shared|service|account|app|application|consumer|license"
    r"|session|client|webhook|deploy|admin|root|storage|subscription|server|jwt|hmac|aes|live|x)[_ .-]?\Z",
    re.ASCII | re.IGNORECASE,
)
_ORDINARY = re.compile(
    r"(?:primary|sort|foreign|partition|cache|public|pub|idempotency|object|s3|hash|group|row|unique|composite|natural"
    r"|order|search|routing|translation|message|index|lookup|dedup|dedupe|redis|map|dict|host|known)[_ .-]?\Z",
    re.ASCII | re.IGNORECASE,
)


def _is_key_name(text: str, start: int, before: str, value: str) -> bool:
    if "::" in before:
        return False
    if _QUALIFIED.search(before):
        return True
    named = before[-1:] in ("_", "-") or (text[start] == "K" and before[-1:].islower())
    return named and len(value) >= SHORTEST_KEY and not _ORDINARY.search(before)


_ELSEWHERE = re.compile(
    # Tokens that only say where a list goes on or which request this is, and the name of a secret in an address.
    r"(?:next|page|pagination|starting|start|continuation|resume|cursor|sync|lock|change|update|request|action|idempotency"
    r"|pad|eos|bos|unk|sep|cls|mask)[_-]?\Z|::\w*\Z",
    re.ASCII | re.IGNORECASE,
)


def _names_a_secret(text: str, match: re.Match[str], value: str) -> bool:
    start = match.start("key")
    before = text[max(0, start - _NAME_WINDOW) : start]
    if match["key"] == "key":
        return _is_key_name(text, start, before, value)
    if before.endswith(":") and match["key"] == "secret" and text[match.end("key")] == ":":
        return False
    return not _ELSEWHERE.search(before)


def _is_environment(text: str, match: re.Match[str], value: str) -> bool:
    """`export SECRET_TOKEN=swordfish`: in a file of settings even a plain word is the content."""
    key = text[match.start("key") : match.end("key")]
    is_plain = value.isascii() and len(value) >= SHORTEST_GENERATED and any(map(str.isalpha, value))
    return (
        is_plain
        and key.isupper()
        and match.start("bare") == match.end("key") + 1
        and text[match.end("key")] == "="
    )


_OPTION = re.compile(r"(?:\A|[\s\"'`(\[])--?[A-Za-z-]{0,30}\Z", re.ASCII)


def _is_option(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start("key") - 34) : match.start("key")]
    return _OPTION.search(before) is not None and not text.startswith("-", match.start("option"))


def _is_in_call(text: str, start: int) -> bool:
    line = text[max(0, start - _WINDOW) : start].rpartition("\n")[2]
    return line.count("(") > line.count(")")


_LINE_REST = re.compile(r"[\s\"'`)\]},;.]*(?:\Z|\n|[#|])", re.ASCII)
_CLAUSE_REST = re.compile(r"[\"'`)\]}]*(?:\Z|[\n.,;:!?)]|\s+(?:and|but|so|for|on)\b)", re.ASCII)


def _ends_line(text: str, end: int) -> bool:
    return _LINE_REST.match(text, end) is not None


def _ends_clause(text: str, end: int) -> bool:
    return _CLAUSE_REST.match(text, end) is not None


_PASSWORD_MARKERS = ("pass", "pwd", "contraseña", "пароль", "密码", "密碼", "パスワード", "비밀번호")

ASSIGNMENTS = (
    Rule(
        "password-assignment",
        _PASSWORD_MARKERS,
        _assignment(_PASSWORDS),
        "password = " + spell(12),
        _judge_password,
        folded=True,
    ),
    Rule(
        "secret-assignment",
        ("secret", "token", "key"),
        _assignment(_SECRETS),
        '"api_key": "' + spell(32, HEX) + '"',
        _judge_secret,
        folded=True,
    ),
    Rule(
        "secret-in-prose",
        ("pass", "pwd", "key", "token", "secret"),
        _PROSE,
        "the password is " + spell(10),
        _judge_prose,
        folded=True,
    ),
)
