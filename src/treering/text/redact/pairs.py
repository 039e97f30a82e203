"""Find secrets that another text names: a call's argument beside its name, a row under the head of its column, a line
behind a comment sign, an answer to a question.
"""

from __future__ import annotations

import re

from treering.text.redact.rule import (
    Rule,
    Span,
    is_generated,
    is_placeholder,
    is_reference,
    is_sentence,
    is_strong,
    secret_of,
)

_PASSWORDS = (
    "password|passwd|passphrase|passcode|pass|pwd|pw|passwort|kennwort|mot de passe|mdp|contraseña|contrasena|clave"
    "|senha|wachtwoord|пароль|密码"
)
_KEYS = "secret|token|api_?key|access_?key|secret_?key|auth_?key|signing_?key|private_?key|salt"
_NAME = rf"(?:{_PASSWORDS}|{_KEYS}|[a-z]_key)"
_MARKERS = (
    "pass",
    "pwd",
    "pw",
    "kennwort",
    "mdp",
    "contras",
    "clave",
    "senha",
    "wachtwoord",
    "пароль",
    "secret",
    "token",
    "key",
)
_QUOTED = r"[bruf]{0,2}(?P<quote>[\"'])(?P<value>[^\"'\n]{1,128})(?P=quote)"
_MADE = r"(?:[\w.:]{0,30}(?:bcrypt|hash|encrypt|encoder\.encode|make|from|some|secret)\w{0,12}\(\s{0,4})"
_ARGUMENT = r"(?:(?:[^()\"'\n,]{1,60}|[\"'][^\"'\n]{0,80}[\"']),\s{0,4})"
_WRITES = (
    r"(?ai)(?:define|set\w*|put\w*|fill\w*|type\w*|enter\w*|input|insert|append|add\w*|header\w*)[ ]?\("
    r"\s{0,4}(?:by\.\w+,\s?|[\w:.]{1,30}\()?\Z"
)
_WINDOW = 60  # characters before a name, for the call that it is an argument of
_MAIL = r"@[\w-]+\.\w"
_SHORTEST = 4  # characters of a password in a call
_LONG = 20  # characters from where a salt with blanks and signs is no sentence
_TABLE_WINDOW = 2_000  # characters before a row, for the names of its columns
_DELIMITERS = "|\t;,"
_COLUMN = r"[\w .()-]{0,40}"
_IS_PASSWORD = rf"(?i)(?:\w+[ _.-])?(?:{_PASSWORDS}|{_KEYS})(?:s|[ _-]?(?:value|text|plain))?"
_INSERT = (
    r"(?is)(?:insert|replace)\s+(?:ignore\s+)?into\s+[^()]{1,120}\(([^()]{1,600})\)\s*values?\s(?:(?!\binto\b).)*\Z"
)
_FIELD = r"'(?:[^']|'')*'|\"[^\"]*\"|[^,]+"
_MARK = r"(?ai)(?:no(?:qa|sec|lint)|pragma|type:|eslint|todo|fixme|[a-z]{1,6}-?\d{1,5}\b)"
_ASKED = r"(?i)\?|\b(?:what|whats|which|wie|was|welche[sr]?|quel(?:le)?|cu[aá]l|qual)\b"


def _judge_argument(text: str, match: re.Match[str]) -> Span | None:
    """Tell `define('DB_PASSWORD', 'swordfish')` from `label('password', 'Kennwort')`."""
    start, end = match.span("value")
    value, name = text[start:end], match["name"]
    before = text[max(0, match.start() - _WINDOW) : match.start()]
    writes = match["typed"] is not None or re.search(_WRITES, before) is not None
    if is_placeholder(value) or is_sentence(value) or value.startswith("/"):
        return None
    if re.search(rf"(?:{_PASSWORDS})\w*\]?\Z", name):
        fits = is_generated(value) or (writes and len(value) >= _SHORTEST and " " not in value)
    else:
        fits = is_generated(value) or (writes and len(value) >= _LONG and sum(map(str.isdigit, value)) > 1)
    return (start, end) if fits else None


def _judge_call(text: str, match: re.Match[str]) -> Span | None:
    start, end = match.span("value")
    value = text[start:end]
    fits = len(value) >= _SHORTEST and not any(sign in value for sign in " {}<>") and not re.search(_MAIL, value)
    return (start, end) if fits and not is_placeholder(value) else None


def _judge_made(text: str, match: re.Match[str]) -> Span | None:
    start, end = match.span("value")
    value = text[start:end]
    return (start, end) if is_generated(value) and not is_placeholder(value) and not is_reference(value) else None


def _judge_named(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    if is_placeholder(value) or is_sentence(value) or (match.lastgroup == "bare" and is_reference(value)):
        return None
    return (start, end) if re.search(rf"(?:{_PASSWORDS})\Z", match["name"]) or is_generated(value) else None


def _head(above: str, sign: str, size: int) -> list[str]:
    """Return the names of so many columns from the lines above a row, down from the last blank one."""
    for line in above.rpartition("\n\n")[2].split("\n"):
        names = [name.strip(" \"'*`") for name in line.split(sign)]
        if len(names) == size and all(re.fullmatch(_COLUMN, name) for name in names):
            return names
    return []


def _fits(name: str, value: str) -> bool:
    """Tell whether a value is one under this name: any is a password, but only a machine makes a token."""
    return re.search(rf"(?i){_PASSWORDS}", name) is not None or is_generated(value)


def _judge_cell(text: str, match: re.Match[str]) -> Span | None:
    start, end = match.span("value")
    value = text[start:end]
    return (start, end) if is_strong(value) and not is_placeholder(value) and not is_reference(value) else None


def _judge_row(text: str, match: re.Match[str]) -> Span | None:
    """Find the cell of a row that stands under a head like "password"."""
    sign = next(sign for sign in _DELIMITERS if sign in match[0])
    cells = match[0].split(sign)
    columns = _head(text[max(0, match.start() - _TABLE_WINDOW) : match.start() - 1], sign, len(cells))
    names = [number for number, name in enumerate(columns) if re.fullmatch(_IS_PASSWORD, name)]
    if len(names) != 1:
        return None
    cell = cells[names[0]]
    value = cell.strip(" \"'*`")
    if not value or is_placeholder(value) or is_sentence(value) or not _fits(columns[names[0]], value):
        return None
    start = match.start() + sum(len(one) + 1 for one in cells[: names[0]]) + cell.index(value)
    return start, start + len(value)


def _judge_inserted(text: str, match: re.Match[str]) -> Span | None:
    """Find the value that SQL puts into a column of passwords."""
    into = re.search(_INSERT, text[max(0, match.start() - _TABLE_WINDOW) : match.start()])
    columns = [name.strip(" \"'`[]\n\t") for name in into[1].split(",")] if into else []
    number = next((number for number, name in enumerate(columns) if re.fullmatch(_IS_PASSWORD, name)), -1)
    fields = [*re.finditer(_FIELD, match[1])]
    if number < 0 or len(fields) != len(columns):
        return None
    field = fields[number][0]
    value = field.strip(" \"'\n\t")
    start = match.start(1) + fields[number].start() + field.index(value)
    fits = value and value != field.strip() and not is_placeholder(value) and _fits(columns[number], value)
    return (start, start + len(value)) if fits else None


def _judge_commented(text: str, match: re.Match[str]) -> Span | None:
    start, end = match.span("value")
    value = text[start:end]
    if re.match(_MARK, value) or is_placeholder(value) or is_reference(value):
        return None
    is_password = re.fullmatch(_PASSWORDS, match["key"]) is not None
    return (start, end) if (is_strong(value) if is_password else is_generated(value) and len(value) >= _LONG) else None


def _judge_answer(text: str, match: re.Match[str]) -> Span | None:
    start, end = match.span("value")
    value = text[start:end].rstrip(".,")
    line = text[: match.start("rest")].rpartition("\n")[2] + match["rest"]
    fits = is_strong(value) and re.search(_ASKED, line) is not None
    return (start, start + len(value)) if fits and not is_placeholder(value) and not is_reference(value) else None


PAIRS = (
    Rule(
        "named-argument",
        _MARKERS,
        rf"(?P<mark>[\"'])(?P<name>[^\"'\n]{{0,40}}?{_NAME}[\w\]]{{0,12}})(?P=mark)"
        rf"(?:(?:\.\w{{1,20}}\(\))?\)?\s{{0,4}},\s{{0,20}}(?:[\w:.]{{1,30}}\()?|(?P<typed>\)\.(?:type|send_?keys|fill|set_?value|enter)\(\s{{0,2}})){_QUOTED}",
        "define('DB_PASSWORD', '{9}{3d}');",
        _judge_argument,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "password-of-a-call",
        ("pass", "pw", "create", "bcrypt"),
        rf"(?:(?:(?:set|with|hash|check|verify|change|update|encode|reset|make|generate)_?(?:[a-z]{{0,12}}_)?"
        rf"(?:{_PASSWORDS})(?:_hash)?|[.=]\s?(?:{_PASSWORDS})|password_(?:hash|verify)|hashpw|hashsync"
        r"|bcrypt\.hash|passwordencoder\.encode)"
        rf"\(\s{{0,4}}{_ARGUMENT}{{0,3}}{_MADE}?|(?:{_PASSWORDS})[\"']?\s{{0,3}}(?:=>|[:=])\s{{0,4}}{_MADE}"
        rf"|(?:{_PASSWORDS})\w{{0,20}}\)?\.(?:send_?keys|fill|type|set_?(?:text|value))\(\s{{0,4}}"
        rf"|create_?(?:super)?user\(\s{{0,4}}{_ARGUMENT}{{1,3}}){_QUOTED}",
        "user.set_password('{9}{3d}')",
        _judge_call,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "password-by-a-call",  # password = optional(string, "…")
        ("pass", "pwd", "pw"),
        rf"(?:{_PASSWORDS})[\"']?[\])]?\s{{0,12}}[:=]\s{{0,4}}[\w.]{{1,30}}\((?:[^()\"'\n]{{0,40}},\s{{0,4}})?{_QUOTED}",
        "const [password, setPassword] = useState('{9}{3d}')",
        _judge_made,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "value-of-a-name",  # of a container, a chart, a task: the name on one line, its value on the next
        ("value", "val:"),
        rf"(?:name|key|id)[\"']?[ \t]{{0,4}}[:=][ \t]{{0,8}}[\"']?(?P<name>[\w.\[\]/-]{{0,60}}{_NAME})[\"']?"
        r",?\s{1,40}[\"']?val(?:ue)?[\"']?[ \t]{0,4}[:=][ \t]{0,8}"
        r"(?:\"(?P<double>[^\"\n]+)\"|'(?P<single>[^'\n]+)'|(?P<bare>[^\s,\"'{}\[\]]+))",
        '{"name": "DB_PASSWORD", "value": "{9}{3d}"}',
        _judge_named,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "value-of-a-row",  # of a table of settings: the name first, and the value last
        ("pass", "pwd"),
        rf"(?:(?<=\n)|\A)[|\s`]{{0,4}}\w{{0,40}}(?:{_PASSWORDS})\w{{0,10}}`?[ \t]*\|[^\n]{{0,120}}\|[ \t]*`?"
        r"(?P<value>[^\s|`]{4,64})`?[ \t|]*(?=\n|\Z)",
        "\nDB_PASSWORD | of the database | {9}{3d}\n",
        _judge_cell,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "value-of-a-column",  # of CSV and of a table of Markdown
        _MARKERS,
        r"(?<=\n)[^\n,;|\t]{0,80}[,;|\t][^\n]{1,400}",
        "\nuser,password\nbob,{9}{3d}\n",
        _judge_row,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "inserted-password",
        ("insert", "replace"),
        r"\(([^()]{3,600})\)",
        "INSERT INTO users (name, password) VALUES ('bob', '{9}{3d}')",
        _judge_inserted,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "commented-secret",  # DB_PASSWORD=  # swordfish
        _MARKERS,
        rf"(?P<key>{_PASSWORDS}|{_KEYS})\w{{0,20}}[\"']?[ \t]{{0,3}}[:=][ \t]{{0,8}}"
        r"(?:[\"']{2}|[\w.]{1,40}\([^()\n]{0,40}\)|\$\S{1,40})?"
        r",?[ \t]{0,8}(?:#|//|--|;)[ \t]{0,3}(?P<value>[^\s\"'`]{6,128})[ \t]*(?=\n|\Z)",
        "DB_PASSWORD=  # {9}{3d}\n",
        _judge_commented,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "answered-password",
        _MARKERS,
        rf"(?<![a-z])(?P<key>{_PASSWORDS})(?P<rest>[^\n]{{0,60}})\n+[ \t>*-]{{0,8}}(?:[\w.@ -]{{1,24}}:[ \t]{{0,4}})?"
        r"[\"'`]?(?P<value>[^\s\"'`]{6,64})[\"'`]?[ \t]*(?=\n|\Z)",
        "bob: what was the password again?\nann: {9}{3d}\n",
        _judge_answer,
        folded=True,
        anywhere=True,
    ),
)
