"""Find secrets that people tell each other in sentences, in the languages of the table.

A row of the table is a language: what it calls a password, and a key; how it says "is", "for" and "as".
"""

from __future__ import annotations

import re
from itertools import takewhile

from treering.ledger.tuples import NamedTuple
from treering.text.redact.contexts import ISSUERS
from treering.text.redact.rule import (
    FEWEST_DIGITS,
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
    Language(
        "password|passwd|passphrase|passcode|pw",
        "api[- ]?key|access key|secret key|(?:secret|access|auth|api) token",
        "is|was|=",
        "for|of|to|on|at|in|we|that",
    ),
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
    Language("пароля|пароль|кодовое слово", "ключ api|api[- ]?ключ", "это|—|-", "от|для|к|на|в|до|від"),
    Language("şifresi|şifre|parola", "api[- ]?anahtar", "şu", "için"),
    Language("salasana", "api[- ]?avain", "on", "kohteeseen"),
    Language("jelszava|jelszó", "api[- ]?kulcs", "az", "a"),
    Language("mật khẩu", "khóa api", "là", "cho|của"),
)
_MARKERS = (
    *("pass", "pw", "kennwort", "zugangscode", "mdp", "code d'acc", "contrase", "clave", "parola", "senha", "palavra"),
    *(
        "wachtwoord",
        "lösenord",
        "adgangskode",
        "hasło",
        "heslo",
        "парол",
        "кодовое",
        "şifre",
        "salasana",
        "jelsz",
        "khẩu",
    ),
)
_KEY_MARKERS = ("api", "secret", "auth token", "access token", "schlüssel", "schluessel", "access key", "clé")
_ISSUED = (
    r"(?:with|using|mit|api|auth|access|secret|client|app|bot|deploy|refresh|signing|bearer|service|webhook|master|t?otp|2fa|mfa|wep|wpa"
    rf"|license|{'|'.join(ISSUERS.split())})(?:[- ]api)?[- ]?(?:token|secret|key)"
)
_SHORTEST_VARIABLE = 12  # characters of a value that only a blank parts from its name in capitals
_SHORTEST_ISSUED = 20  # characters of a key that no verb announces
# What languages without blanks between words call a password, and say between it and what it is.
_UNSPACED = r"(?:パスワード|暗証番号|合言葉|密码|密碼|口令|비밀번호|암호|패스워드)"
_UNSPACED_IS = r"[^\n:\uff1a。.,、]{0,20}?(?:[:\uff1a]|は|が|是|为|為|设为|는|은|가)"


def _any(field: str) -> str:
    return "|".join(dict.fromkeys(word for row in LANGUAGES for word in getattr(row, field).split("|")))


START = r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))"
# What a temporary one is called, in languages that say so behind the noun.
_FOR_NOW = r"(?: (?:temporaire|provisoire|temporal|provisional|temporanea|provvisoria|temporária|provisória))?"
_PASSWORD = rf"{START}(?P<key>{_any('passwords')})s?{_FOR_NOW}"
_KEY = rf"{START}(?P<key>{_any('keys')})"
OF = rf"(?: (?:{_any('of')}) [^\n.:=,;]{{1,40}}?|(?: [\u0430-\u0457]{{2,24}}){{1,2}})?"  # or a genitive
# What stands between a password and its name: a verb, a colon, an arrow, or how it was changed.
IS = (
    rf"(?: (?P<verb>{_any('verbs')})(?: (?:now|jetzt|nun|maintenant|ahora))? ?:?| ?:| ?(?:->|→|\u2013|—)| -"
    r"|(?: (?:wurde|wird|is|was))?(?: (?:geändert|gesetzt|changed|set|reset|changé|cambiada?))?,?"
    r" (?:auf|to|en|à|now|jetzt))"
)
ENDS = r"(?a)[\"'`)\]]*(?:\Z|\n|\\[nrt]|[.,;!?](?:\s|\Z))"
_BARE = r"[^\s,;\"'`<>\\]+"
_VALUE = (
    rf"(?:\"(?P<double>[^\"\n]{{1,64}})\"|'(?P<single>[^'\n]{{1,64}})'|`(?P<ticked>[^`\n]{{1,64}})`|(?P<bare>{_BARE}))"
)
# What may follow a password that no verb announces: the end of its clause, or what it is for.
_END = rf"(?=[\"'`)\]]*(?:\Z|\n|\\[nrt]|[.,;:!?](?:\s|\Z)| (?:{_any('of')}|and|und|et|y|e|en|or|oder|as|als)\b))"
_SMALL = frozenset(
    """
    a an the this that it its your my our is are was be been has have had do does did not no and or but if than then
    for of to on at in by with from as per into over under after before until about so too very must should can will
    """.split()
)
_AS = r"(?:as|als|comme|como|come)"
_MANNERS = r"(?:the |a |my |your |our |das |dein |le |la |tu |seu |het )?(?:[\w-]{1,20} )?"
_PAIR = r"(?:credentials?|creds|logins?|zugangsdaten|anmeldedaten|login-daten|identifiants|credenciales|credenziali)"
_PAIR_MARKERS = ("credential", "creds", "login", "zugangsdaten", "anmeldedaten", "identifiants", "credenc", "credenz")
_TECHNICAL = r"(?ai)(?:argon2|bcrypt|scrypt|pbkdf2|oauth|saml|totp|fido|sha|base)\w*\Z"
_FEWEST_TOLD = 5  # characters of a password that nothing but its form tells from a word
# A plain word is taken for a password where the clause ends with it, unless it says what a password is like. Such words
# have the endings of participles and adjectives, or are among the few common ones that have none.
_LIKE = (
    r"(?ai)(?:\w+(?:ed|en|ing|[ai]ble|[aeo]nt|al|ful|less|ic|ive|ous|[ao]ry|some|self|one|thing|word)|(?:in|un|non)\w+"
    r"|\w*(?:correct|secure|known|where|there|here|built|sent|kept|lost|held|found|read|shown|stale|wrong|right|short|long"
    r"|strong|weak|empty|blank|simple|complex|unique|exact|private|obsolete|ready|below|above|clear|plain|trivial|easy"
    r"|safe|fine|okay|common|valid|part|public|secret|static|random|default|hard|again|enough|anyway|today|twice|other|ours|yours|theirs|same|false|true))\Z"
)
_CONDITION = (
    r"(?i)\b(?:if|when|whether|unless|until|once|while|after|before|because|wenn|ob|falls|sobald|si|quand)\b[^.\n]*\Z"
)
_CONDITION_WINDOW = 60  # characters before the name, in the same sentence
_PLAIN_VERBS = ("is", "was", "lautet", "heißt", "heisst")  # after the others stand adjectives as often
_PLAIN_NAMES = (LANGUAGES[0].passwords + "|" + LANGUAGES[1].passwords).split("|")  # Dutch says "is" too
_FEWEST_WORDS = 4  # of a passphrase without quotes
_USER = (
    "user|username|login|account|e-?mail|host|benutzer(?:name)?|nutzer|utilisateur|identifiant|usuario|utente|gebruiker"
)


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
    fits = is_number or (is_strong(value) and not is_reference(value)) or _is_word_told(text, match, value, end)
    return (start, end) if fits else None


def _is_word_told(text: str, match: re.Match[str], value: str, end: int) -> bool:
    """Tell "the password is swordfish" from "the password is optional" and "if the password is weak"."""
    before = text[max(0, match.start("key") - _CONDITION_WINDOW) : match.start("key")]
    is_word = len(value) >= _FEWEST_TOLD and value.replace("-", "").isalpha() and not re.match(_LIKE, value)
    is_last = _ends(text, end) or text.startswith((" for ", " on "), end)
    is_plain = match["key"] in _PLAIN_NAMES and (match["verb"] in _PLAIN_VERBS or _is_labelled(text, match, end))
    return is_word and is_last and is_plain and not re.search(_CONDITION, before)


def _is_labelled(text: str, match: re.Match[str], end: int) -> bool:
    """Tell "pw for the box: mellon", which is a line of its own, from a sentence that goes on behind a colon."""
    before = text[: match.start("key")].rpartition("\n")[2]
    has_colon = match["verb"] is None and len(text[match.end("key") : match.start("bare")].rstrip().rstrip(":")) > 1
    is_line = re.fullmatch(r"[\s>*-]*(?:[\w-]+ ){0,2}", before) and re.compile(r"[ \t]*(?:\n|\Z)").match(text, end)
    return has_colon and is_line is not None


def _judge_phrase(text: str, match: re.Match[str]) -> Span | None:
    """Find a passphrase of plain words: what is said about one has small words between, or says what it is like."""
    start, end = secret_of(match)
    words = list(takewhile(lambda word: word.lower() not in _SMALL, re.split("[ -]", text[start:end])))
    like = sum(re.match(_LIKE, word) is not None for word in words)
    return (start, start + len(" ".join(words))) if len(words) >= _FEWEST_WORDS and like <= 1 else None


def _judge_unannounced(text: str, match: re.Match[str]) -> Span | None:
    start, end = _trimmed(text, match)
    value = text[start:end]
    long_enough = len(value) >= _FEWEST_TOLD and any(map(str.isalpha, value))
    fits = long_enough and is_strong(value) and not is_reference(value) and not re.match(_TECHNICAL, value)
    return (start, end) if fits and not is_placeholder(value) else None


def _judge_login(text: str, match: re.Match[str]) -> Span | None:
    """Find a password behind its user. Between two colons stands any, else only what no word looks like."""
    start, end = _trimmed(text, match)
    value = text[start:end]
    is_setting = (match["colon"] or match["mark"]) is not None and _ends(text, end) and not re.match(_LIKE, value)
    varied = len(value) >= _FEWEST_TOLD and not value.isalpha() and not value.isdigit()
    fits = is_setting or is_strong(value) or (varied and _ends(text, end))
    return (
        (start, end)
        if fits and not re.match(_TECHNICAL, value) and not is_placeholder(value) and not is_reference(value)
        else None
    )


def _judge_key(text: str, match: re.Match[str]) -> Span | None:
    start, end = _trimmed(text, match)
    value = text[start:end]
    return (start, end) if is_generated(value) and not is_placeholder(value) and not is_reference(value) else None


def _judge_issued(text: str, match: re.Match[str]) -> Span | None:
    span = _judge_key(text, match)
    return span if span and span[1] - span[0] >= _SHORTEST_ISSUED else None


def _judge_variable(text: str, match: re.Match[str]) -> Span | None:
    is_variable = text[match.start("key") : match.end("key")].isupper()
    span = _judge_key(text, match) if is_variable else None
    return span if span and span[1] - span[0] >= _SHORTEST_VARIABLE else None


def _judge_unspaced(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    fits = is_strong(value) or (value.isdigit() and len(value) >= FEWEST_DIGITS)
    return (start, end) if fits and not is_placeholder(value) and not is_reference(value) else None


def _is_phrase(value: str) -> bool:
    """Tell words that only a passphrase puts together from what is said about one."""
    return re.search(r"(?i)[.!?:]\Z|\b(?:your|enter|must|field|invalid|please|the|is|required|in)\b", value) is None


def _trimmed(text: str, match: re.Match[str]) -> Span:
    """Return the value without the signs that end its sentence."""
    start, end = secret_of(match)
    while match.lastgroup == "bare" and end > start and text[end - 1] in ".:)]*_":
        end -= 1
    return start, end


def _ends(text: str, end: int) -> bool:
    return re.compile(ENDS).match(text, end) is not None


PROSE = (
    Rule(
        "password-in-prose",
        _MARKERS,
        rf"{_PASSWORD}{OF}{IS} {_VALUE}",
        "Das Passwort lautet {7}{3d}",
        _judge_told,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "passphrase-in-prose",
        ("passphrase",),
        rf"{START}passphrase{OF}{IS} [\"'`]?(?P<bare>[a-z]+(?:[ -][a-z]+){{3,9}})",
        "my passphrase is correct horse battery staple",
        _judge_phrase,
        folded=True,
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
        (*_MARKERS, *_PAIR_MARKERS),
        rf"(?<![^\s\"'`])(?P<bare>{_BARE})[\"'`]? (?:{_AS}|for|für|pour|para) {_MANNERS}(?:[\w-]{{1,20}} )?"
        rf"(?:{_any('passwords')}|{_PAIR})"
        rf"(?=[\"'`)\]]*(?:\Z|\n|\\[nrt]|[.,;:!?]| (?:{_any('of')})\b))",
        "use {7}{3d} as the password for grafana",
        _judge_unannounced,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "key-in-prose",
        _KEY_MARKERS,
        rf"{_KEY}{OF}{IS} [\"'`]?(?P<bare>{_BARE})",
        "La clé API est {16x}",
        _judge_key,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "key-unannounced",
        ("token", "secret", "key"),
        rf"{START}{_ISSUED} [\"'`]?(?P<bare>{_BARE})",
        "auth token {32x}",
        _judge_issued,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "key-before-its-name",
        ("token", "secret", "key", "pass"),
        rf"(?<![\w.:/@-])(?P<bare>[\w./+-]{{8,}})=*[\"'`]? is (?:the|my|our|your|a|his|her|their)"
        rf" (?:[\w-]{{1,20}} ){{0,2}}(?:token|secret|key|{LANGUAGES[0].passwords})(?![\w-])",
        "{8x}-{4x}-{4x}-{4x}-{12x} is the master token",
        _judge_key,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "key-after-its-variable",
        ("_secret", "_token", "_key", "_pass", "_pwd"),
        rf"{START}(?:(?<=\\)[nrt])?(?P<key>[a-z][a-z0-9_]{{0,60}}_(?:secret|token|key|password|pass|pwd))"
        rf"[ \t]+(?P<bare>{_BARE})",
        "SESSION_SECRET {24}{4d}",
        _judge_variable,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "password-unspaced",  # in languages without blanks between words
        ("パスワード", "暗証番号", "合言葉", "密码", "密碼", "口令", "비밀번호", "암호", "패스워드"),
        rf"{_UNSPACED}{_UNSPACED_IS}[ \u3000]*[\"'`「『“]?([!-~]{{4,64}})",
        "パスワードは{7}{3d}です",
        _judge_unspaced,
    ),
    Rule(
        "credential-pair",
        _PAIR_MARKERS,
        rf"{START}{_PAIR}{OF}(?: (?:are|is|sind|sont|son))? ?:? +[\"'`]?[\w.@+-]{{1,64}}(?:[:/]| / | : )"
        r"(?P<bare>[^\s,;\"'`<>/\\]+)(?!/)",
        "creds are bob/{7}{3d}",
        _judge_unannounced,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "login-and-password",
        ("pass", "pw", "kennwort", "mdp", "contras", "clave", "senha", "wachtwoord"),
        rf"{START}(?:{_USER})(?: name)?[: ] ?[\"'`]?[\w.@+-]{{1,64}}[\"'`]?"
        r"(?: ?[/,;] ?| (?:and|with|und|mit|et|y|e) |\s*\n[ \t*-]*)"
        rf"(?:{_any('passwords')}|pass|pwd)(?![a-z])(?P<colon> ?[:=])? ?(?P<mark>[\"'`])?(?P<bare>{_BARE})",
        "user deploy / pass {7}{3d}",
        _judge_login,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "login-with",
        ("log", "sign", "anmeld", "einlogg", "connect"),
        rf"{START}(?:log(?:ged)?[- ]?in|login|sign[- ]?in|anmelden|einloggen|connect)"
        r"(?: as| with| using| mit| als|:) [\"'`]?[\w.@+-]{1,64}[\"'`]?"
        rf"(?: / | and | with | mit | und )[\"'`]?(?P<bare>{_BARE})"
        rf"|{START}(?:use|with|using|mit) [\"'`]?(?P<other>{_BARE})[\"'`]? to (?:log|sign) ?in",
        "log in as maria / {7}{3d}",
        _judge_unannounced,
        folded=True,
        anywhere=True,
    ),
)
