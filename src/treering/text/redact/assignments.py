"""Find values that only their name gives away: `password=…`, `"api_key": "…"`, `--token …`.

Names are looked up in the lower-cased text; a find is judged on the text itself.
"""

from __future__ import annotations

import re

from treering.text.redact.rule import (
    FEWEST_DIGITS,
    FEWEST_DIGITS_AMONG_WORDS,
    SHORTEST_GENERATED,
    SHORTEST_KEY,
    Rule,
    Span,
    is_generated,
    is_placeholder,
    is_reference,
    is_sentence,
    is_strong,
    secret_of,
)

SHORTEST_WORD = 3  # characters of a password without digit or sign, which needs a clear assignment besides
_NAME_WINDOW = 34  # characters before a word that may qualify it: `next_page_` token, `primary ` key, `--db-` password
_WINDOW = 200  # characters before a find, for the bracket or the call that it stands in

_PASSWORDS = (
    "passw(?:or)?ds?|passwort|kennwort|wachtwoord|senha|mdp|pw|passphrase|passcode|passe|pass|pwd|contraseña|пароль|密码|密碼"
    "|パスワード|비밀번호"
)
_SECRETS = "secret|token|key"
_SUFFIX = r"(?:[_-]?(?:base|value|string|bytes|text|hash|data|prod|production|dev|test|live|staging)|\d{1,3})?"
_TYPES = r"(?:str|string|bytes|text|secretstr|any|&str|&'static str|optional\[str\]|str \| none)"
_TAIL = r"\\*[\"'`\])*]{0,3}"
_SIGN = rf"(?:=>|:=|\|\||\?\?|[!=]?={{1,2}}|[:\uff1a](?!:|//)(?:[ \t]*{_TYPES}[ \t]*=(?!=))?)"
# Between the sign and the value YAML may have a tag, an anchor or the head of a block.
_BLOCK = r"(?:[|>][+-]?\d?[ \t]*\n[ \t]+|!!\w+ |&\w+ )"
_ASSIGNED = rf"[ \t]*{_SIGN}\*{{0,2}}[ \t]*(?:{_BLOCK}|\n[ \t]*)?"
# A sign that may end a value ends it where a gap, another such sign or the next assignment follows.
_STOP = r"(?:[\s,;&\"'`)\]}>.|]|\Z|[\w.-]{1,40}\\?[\"']?[ ]?[=:])"
_BARE = rf"(?:[^\s,;&\"'`)\]}}>|<\\]|[,;&\"'`)\]}}>|\\](?!{_STOP})|<(?!/))+"
_VALUE = (
    r"(?:\\+[\"'](?P<escaped>[^\"'\\\n]+)\\+[\"']"
    r"|[bruf]{0,2}\"(?P<double>[^\"\\\n]*(?:\\.[^\"\\\n]*)*)\""
    r"|[bruf]{0,2}'(?P<single>[^'\\\n]*(?:\\.[^'\\\n]*)*)'"
    r"|`(?P<ticked>[^`\n]+)`"
    rf"|[\"'`]?(?P<bare>{_BARE}))"
)


def _assignment(words: str) -> str:
    return (
        rf"(?P<key>{words}){_SUFFIX}(?:"
        r"[\"'][ \t]+value[ \t]*=[ \t]*[\"'](?P<attribute>[^\"'\n]+)[\"']"
        r"|[\"']?>(?P<element>[^<>\n]+)</"
        rf"|{_TAIL}(?:{_ASSIGNED}{_VALUE}|[ \t]+(?P<mark>[\"'`])(?P<quoted>[^\"'`\n]{{1,64}})(?P=mark))"
        rf"|[ \t]+(?P<option>{_BARE}))"
    )


_VERB = r" (?:is|was|are|be|will be|has been|=)(?: (?:now|still|currently|set to|changed to|reset to|just))?:?"
_PROSE = (
    r"(?P<key>passw(?:or)?d|passphrase|passcode|pwd|token|secret|key)(?:'s)?(?: \([^()\n]{1,30}\))?"
    rf"(?: (?:for|of|to|on|at|in) [^\n.:=,;]{{1,40}}?(?:{_VERB}|:)|{_VERB}"
    rf"|(?: from \S{{1,64}})?(?P<changed> to)) {_VALUE}"
)


def _judge_password(text: str, match: re.Match[str]) -> Span | None:
    kind = match.lastgroup
    if kind == "option" and not _is_option(text, match):
        return None
    start, end = _trimmed(text, match)
    value = text[start:end]
    if re.search(_EXPANDED, _before(text, match)) or (kind == "element" and not _is_property(text, match)):
        return None
    if _is_blank(text, match) or not _is_own_word(text, match, value):
        return None
    if kind == "bare":
        fits = _is_bare_password(text, match, value, end)
    elif kind == "option":
        fits = not is_reference(value) and (is_strong(value) or _is_command(text, match, end))
    elif kind == "quoted":
        fits = is_strong(value) or re.search(_DEFINED, _before(text, match)) is not None
    elif re.search(r"\|\||\?\?", text[match.end("key") : start]):
        fits = is_strong(value) and not is_sentence(value)  # what stands in for a missing one
    else:
        fits = not is_sentence(value)
    return _whole(text, match, start, end) if fits else None


def _is_property(text: str, match: re.Match[str]) -> bool:
    """Tell `<entry key="db.password">` and `<password>` from `<label for="password">`."""
    quoted = text[match.end("key") : match.start("element")] != ">"
    return not quoted or re.search(r"(?a)(?:key|name)=[\"'][\w.-]*\Z", _before(text, match)) is not None


def _is_bare_password(text: str, match: re.Match[str], value: str, end: int) -> bool:
    if is_reference(value):
        return False
    alone = re.compile(_LINE_REST).match(text, end) is not None
    between = re.sub(_BLOCK, "", text[match.end("key") : match.start("bare")])
    if is_strong(value):
        return alone or "\n" not in between
    if "\n" in between:
        return False
    clear = alone or "=" in between
    if value.isdigit():
        return len(value) >= (FEWEST_DIGITS if clear else FEWEST_DIGITS_AMONG_WORDS)
    is_word = len(value) >= SHORTEST_WORD and any(map(str.isalpha, value)) and not re.search(_BRACKET, value)
    return clear and is_word and _is_setting(text, match, between, alone)


def _is_setting(text: str, match: re.Match[str], between: str, alone: bool) -> bool:
    """Tell whether a plain word is a value, as in settings or a command, rather than a variable."""
    line = text[max(0, match.start() - _WINDOW) : match.start()].rpartition("\n")[2]
    if "=" not in between:
        return between[-1] in " \t*\uff1a\"'`"
    if between.endswith(" "):
        return alone and re.fullmatch(_SETTING, line) is not None and "_" not in match["bare"]
    return re.search(_ARGUMENT, line) is None or line.count("(") <= line.count(")")


def _judge_secret(text: str, match: re.Match[str]) -> Span | None:
    kind = match.lastgroup
    if kind == "option" and not _is_option(text, match):
        return None
    start, end = _trimmed(text, match)
    value = text[start:end]
    if _is_blank(text, match) or (kind in ("bare", "option") and is_reference(value)):
        return None
    if "\n" in text[match.end("key") : start] and not re.compile(_LINE_REST).match(text, end):
        return None
    fits = is_generated(value) or (kind == "bare" and _is_environment(text, match, value))
    return _whole(text, match, start, end) if fits and _names_a_secret(text, match, value) else None


def _judge_prose(text: str, match: re.Match[str]) -> Span | None:
    start, end = _trimmed(text, match)
    value = text[start:end]
    kind = match.lastgroup
    if _is_blank(text, match) or (kind == "bare" and is_reference(value)):
        return None
    before = _before(text, match)
    if match["key"].startswith("p"):
        fits = " " not in value and (kind != "bare" or is_strong(value) or _is_number(text, value, end))
    else:
        qualified = match["key"] != "key" or re.search(_QUALIFIED, before)
        fits = bool(qualified) and not match["changed"] and is_generated(value)
    return _whole(text, match, start, end) if fits and not before.endswith("_") else None


_BRIEF = ("pw", "mdp", "senha")  # so short that they are a part of other words
_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<", '"': '"', "'": "'", "`": "`"}


def _trimmed(text: str, match: re.Match[str]) -> Span:
    """Return the value without the full stop of its sentence."""
    start, end = secret_of(match)
    if match.lastgroup in ("bare", "option"):
        while end > start and text[end - 1] in ".:":
            end -= 1
    return start, end


def _whole(text: str, match: re.Match[str], start: int, end: int) -> Span:
    """Return the value with a closing sign that nothing opened: it belongs to the password.

    The value without it is judged. Otherwise a redaction in front could take an opening sign away,
    and a hostile text could ask for as many rounds as it has secrets.
    """
    if match.lastgroup in ("bare", "option"):
        before = text[max(0, start - _WINDOW) : start]
        while end < match.endpos and text[end] in _CLOSERS and _CLOSERS[text[end]] not in before:
            end += 1
    return start, end


def _is_blank(text: str, match: re.Match[str]) -> bool:
    start, end = secret_of(match)
    value = text[start:end]
    return is_placeholder(value) or is_placeholder(value.strip("*_.:"))


def _before(text: str, match: re.Match[str]) -> str:
    start = match.start("key")
    return text[max(0, start - _NAME_WINDOW) : start]


def _is_own_word(text: str, match: re.Match[str], value: str) -> bool:
    """Tell `pass` in `db_pass`, `dbPass` and `pass: hunter2` from `bypass` and `PASS: test_login`."""
    if match["key"] in _BRIEF:
        return not text[max(0, match.start("key") - 1) : match.start("key")].isalnum()
    if match["key"] != "pass":
        return True
    if match.lastgroup == "quoted":
        return False
    start = match.start("key")
    before = text[max(0, start - 1) : start]
    if before.isalpha():
        is_hump = text[start] == "P" and before.islower()
        return is_hump or (match.lastgroup == "bare" and is_strong(value) and text[start : match.end("key")] == "PASS")
    is_given = match.lastgroup == "bare" and text[match.end("key") : match.start("bare")] == "=" and is_strong(value)
    if before in ("_", "-") or is_given:
        return True
    return text[start] != "P" and (match.lastgroup != "bare" or (is_strong(value) and "_" not in value))


_QUALIFIED = (
    r"(?ai)(?:api|access|secret|private|auth|signing|encryption|master|shared|service|account|app|application|consumer"
    r"|license|cipher|crypto|tls|ssl|wep|wpa|otp|totp"
    r"|session|client|webhook|deploy|admin|root|storage|subscription|server|jwt|hmac|aes|live|x)[_ .-]?\Z"
)
_ORDINARY = (
    r"(?ai)(?:primary|sort|foreign|partition|cache|public|pub|idempotency|object|s3|hash|group|row|unique|composite"
    r"|natural|order|search|routing|translation|message|index|lookup|dedup|dedupe|redis|map|dict|host|known)[_ .-]?\Z"
)
# Tokens that only say where a list goes on, which request this is or where a sentence ends; and the names of types.
_HARMLESS = (
    r"(?ai)(?:next|page|pagination|starting|start|continuation|resume|cursor|sync|lock|change|update|request|action"
    r"|idempotency|publickey|pad|eos|bos|unk|sep|cls|mask)[_-]?\Z|::\w*\Z"
)
_OPTION = r"(?a)(?:\A|[\s\"'`(\[])--?[A-Za-z-]{0,30}\Z"
_OPTION_REST = r"(?a)[\"'`)]*\s*(?:\Z|\n|-|[|&;\\])"
_DEFINED = r"(?ai)#define \w*\Z"
_EXPANDED = r"(?a)\$\{[\w.]*\Z"  # a variable with a default, which another rule looks at
_BRACKET = r"[()\[\]{}]"
_SETTING = r"(?a)\s*(?:export |set |env |- )?[\w$-]*"  # what stands before the name on its line
_ARGUMENT = r"(?a)[(,]\s*[\w.]*\Z"
_LINE_REST = r"(?a)[\s\"'`)\]},;.]*(?:\Z|\n|[#|])"
_CLAUSE_REST = r"(?a)[\"'`)\]}]*(?:\Z|[\n.,;:!?)]|\s+(?:and|but|so|for|on)\b)"


def _names_a_secret(text: str, match: re.Match[str], value: str) -> bool:
    before = _before(text, match)
    if re.search(_HARMLESS, before):
        return False
    if match["key"] == "key":
        return _is_key_name(text[match.start("key")], before, value)
    # `arn:aws:secretsmanager:…:secret:name`: where a secret is kept.
    return not (before.endswith(":") and text.startswith(":", match.end("key")))


def _is_key_name(initial: str, before: str, value: str) -> bool:
    if re.search(_QUALIFIED, before):
        return True
    named = before[-1:] in ("_", "-") or (initial == "K" and before[-1:].islower())
    return named and len(value) >= SHORTEST_KEY and not re.search(_ORDINARY, before)


def _is_environment(text: str, match: re.Match[str], value: str) -> bool:
    """Tell whether a plain word is a setting's value, as in `export SECRET_TOKEN=swordfish`."""
    start, end = match.span("key")
    is_word = value.isascii() and len(value) >= SHORTEST_GENERATED and any(map(str.isalpha, value))
    return is_word and text[start:end].isupper() and text[end : match.start("bare")] == "="


def _is_option(text: str, match: re.Match[str]) -> bool:
    before = _before(text, match)
    if "-" not in before or text.startswith("-", match.start("option")):
        return False
    return re.search(_OPTION, before) is not None


def _is_command(text: str, match: re.Match[str], end: int) -> bool:
    """Tell `run --password swordfish` from "call it with --password twice a day"."""
    line = text[max(0, match.start() - _WINDOW) : match.start()].rpartition("\n")[2]
    has_other_option = " -" in line.rpartition(" ")[0]
    is_word = end - match.start("option") >= SHORTEST_WORD
    return is_word and (has_other_option or re.compile(_OPTION_REST).match(text, end) is not None)


def _is_number(text: str, value: str, end: int) -> bool:
    ends_clause = re.compile(_CLAUSE_REST).match(text, end) is not None
    return value.isdigit() and len(value) >= FEWEST_DIGITS and ends_clause


ASSIGNMENTS = (
    Rule(
        "password-assignment",
        (
            "pass",
            "pwd",
            "pw",
            "kennwort",
            "wachtwoord",
            "senha",
            "mdp",
            "contraseña",
            "пароль",
            "密码",
            "密碼",
            "パスワード",
            "비밀번호",
        ),
        _assignment(_PASSWORDS),
        "password = {9}{3d}",
        _judge_password,
        folded=True,
    ),
    Rule(
        "secret-assignment",
        ("secret", "token", "key"),
        _assignment(_SECRETS),
        '"api_key": "{32x}"',
        _judge_secret,
        folded=True,
    ),
    Rule(
        "secret-in-prose",
        ("pass", "pwd", "key", "token", "secret"),
        _PROSE,
        "the password is {7}{3d}",
        _judge_prose,
        folded=True,
    ),
)
