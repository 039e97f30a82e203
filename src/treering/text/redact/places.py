"""Find secrets by the place that they were pasted from: a cookie, a file of settings, a call in code.

Each row is a place. A value that is a blank, a variable or a path is none, whatever place it stands in.
"""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64

from treering.text.redact.rule import Rule, Span, is_generated, is_placeholder, is_reference, is_strong, secret_of

_COOKIE_WINDOW = 4_096  # characters: the largest cookie that browsers keep; all stand on one line
_COOKIE_BEFORE = r"(?i)cookies?[\"']?\s*[:=,]|\s(?:-b|--cookie)\s"
_AUTHS_WINDOW = 400  # characters: `"auths": {` and the registries before
_COOKIE_NAME = r"(?ai)sess|sid|auth|token|jwt|login|csrf|xsrf|remember"
_SHORTEST_COOKIE = 16  # characters of a value whose name says nothing; "GA1.2" and dates are shorter
_SHORTEST_SESSION = 8
_SHORTEST_WORD = 4  # characters of a password between quotes in a call

_SPACE = r"[ \t]*"
_NAMES = "(?:password|passwd|passphrase|pass|pwd|passwort|kennwort|secret|token|api_?key|access_?key|auth_?key)"
_QUOTED = r"(?P<{0}>[\"'])(?P<{1}>[^\"'\n]{{1,128}})(?P={0})"
_FIRST, _SECRET = _QUOTED.format("first", "user"), _QUOTED.format("second", "value")
_WORD = r"[^\s\"'`,;)\\]+"
_REST = r"(?a)[ \t]*(?:#[^\n]*)?(?:\Z|\n)"
_START = r"(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))"


def _judge_cookie(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    line = text[max(0, match.start() - _COOKIE_WINDOW) : match.start()].rpartition("\n")[2]
    is_session = re.search(_COOKIE_NAME, match["name"]) is not None
    made = is_generated(value) or (is_session and len(value) >= _SHORTEST_COOKIE and value != value.lower())
    fits = made and len(value) >= (_SHORTEST_SESSION if is_session else _SHORTEST_COOKIE) and not is_placeholder(value)
    return (start, end) if fits and re.search(_COOKIE_BEFORE, line) else None


def _judge_pair(text: str, match: re.Match[str]) -> Span | None:
    """Find the base64 of `user:password`; other base64 only among the registries of docker's file."""
    start, end = secret_of(match)
    try:
        pair = b64decode(text[start:end], validate=True).decode()
    except (NotBase64, ValueError):
        among = '"auths' in text[max(0, start - _AUTHS_WINDOW) : start].replace("\\", "")
        return _judge_generated(text, match) if among else None
    if pair.lstrip().startswith('{"auths'):
        return start, end
    user, colon, password = pair.partition(":")
    fits = user and colon and password and pair.isprintable() and not is_placeholder(password)
    return (start, end) if fits else None


def _judge_value(text: str, match: re.Match[str]) -> Span | None:
    """Find a value that no word looks like; a word only where it is the last on its line, as in a file."""
    start, end = secret_of(match)
    while end > start and text[end - 1] in ".:":
        end -= 1
    value = text[start:end]
    begins = not text[: match.start()].rpartition("\n")[2].strip()
    fits = is_strong(value) or (begins and re.compile(_REST).match(text, end))
    return (start, end) if fits and not is_placeholder(value) and not is_reference(value) else None


def _judge_default(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    is_password = "pass" in match["name"].lower() or "pwd" in match["name"].lower()
    return (start, end) if not is_placeholder(value) and (is_password or is_generated(value)) else None


def _judge_account(text: str, match: re.Match[str]) -> Span | None:
    """Tell root/Toor#1 from the path root/toor1: by a sign that stands in no path."""
    start, end = secret_of(match)
    value = text[start:end].rstrip(".:?*")
    between = text[match.start() : start]
    is_apart = " " in between and (is_generated(value) or not between.startswith("`"))
    fits = is_strong(value) and (is_apart or any(sign in value for sign in "!#$%&*+=~^")) and not is_placeholder(value)
    return (start, start + len(value)) if fits else None


def _judge_argument(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    return (start, end) if len(value) >= _SHORTEST_WORD and not is_placeholder(value) else None


def _judge_filled(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    return (start, end) if not is_placeholder(text[start:end]) else None


def _judge_generated(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    return (start, end) if is_generated(text[start:end]) and not is_placeholder(text[start:end]) else None


PLACES = (
    Rule(
        "session-cookie",
        ("cookie", " -b "),
        r"(?<![\w.-])(?P<name>[\w.-]{1,64})=([^\s;\"'`,<>${}()]{8,})",
        "Cookie: sessionid={24}",
        _judge_cookie,
        anywhere=True,
    ),
    Rule(
        "named-cookie",  # of well-known frameworks, wherever it stands
        ("phpsessid", "jsessionid", "asp.net_sessionid", "connect.sid", "laravel_session"),
        r"(?:phpsessid|jsessionid|asp\.net_sessionid|connect\.sid|laravel_session)=([^\s;\"'`,<>${}()]{16,})",
        "PHPSESSID={22}{4d}",
        _judge_generated,
        folded=True,
    ),
    Rule(
        "incoming-webhook",
        ("incomingwebhook/",),
        r"incomingwebhook/([0-9a-f]{32}(?:/[0-9a-f-]{36})?)",
        "https://demo.example/webhook/1@2/IncomingWebhook/{32x}",
        _judge_generated,
        folded=True,
    ),
    Rule(
        "password-hash",  # of crypt and its kin: $6$salt$hash, with what it was made by
        ("$1$", "$2", "$5$", "$6$", "$7$", "$y$", "$gy$", "$apr1$", "$argon2", "$scrypt$", "$pbkdf2"),
        r"\$(?:2[abxy]?\$\d\d\$[./A-Za-z0-9]{53}"
        r"|(?:[1567]|g?y|apr1|argon2(?:id?|d)|scrypt|pbkdf2[a-z0-9-]{0,10})\$(?:[\w./+=,-]{0,64}\$){1,4}[./A-Za-z0-9+]{22,})",
        "deploy:$6${16}${86}:19800:0:99999:7:::",
    ),
    Rule(
        "registry-auth",  # of docker's config.json, .npmrc and .pypirc
        ("auth", ".dockerconfigjson"),
        rf"(?:auth|\.dockerconfigjson)\\?\"?{_SPACE}[:=]{_SPACE}\\?\"?([A-Za-z0-9+/]{{8,}}={{0,2}})(?![A-Za-z0-9+/=])",
        '{"auths": {"registry.example": {"auth": "Ym9iOnRyb3ViNGRvcg=="}}}',
        _judge_pair,
    ),
    Rule(
        "environment-password",  # a Dockerfile's ENV, and what shells other than sh say for it
        ("env ", "set -", "setx ", "setenv "),
        rf"{_START}(?:env|set -[gux]{{1,3}}|setx|setenv) \w*{_NAMES}[ \t]+[\"']?(?P<value>{_WORD})",
        "ENV DB_PASSWORD {9}{3d}",
        _judge_value,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "terraform-default",
        ("variable",),
        rf"variable\s{{1,4}}\"(?P<name>[\w-]{{0,60}}{_NAMES})\"\s{{0,4}}\{{[^{{}}]{{0,400}}?\bdefault\s{{0,9}}=\s{{0,9}}"
        r"\"(?P<value>[^\"\n]+)\"",
        'variable "db_password" {\n  default = "{9}{3d}"\n}',
        _judge_default,
        folded=True,
    ),
    Rule(
        "call-password",
        ("auth", "login", "credential", "passwordtoken"),
        r"(?:(?:auth|proxy_auth)[ ]?=[ ]?\(|basic_?auth[( ]|basiccredentials?\(|networkcredential\("
        rf"|passwordcredentials?\(|passwordtoken\(|login\()\s{{0,4}}(?:{_FIRST}|[\w.\[\]]{{1,64}}),\s{{0,4}}"
        rf"(?:some\()?{_SECRET}",
        "requests.get(url, auth=('bob', '{9}{3d}'))",
        _judge_argument,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "connect-password",
        ("connect", "mysqli", "pdo(", "wifi.begin("),
        rf"(?:mysqli?_connect|pg_connect|getconnection|mysqli|connect|pdo|wifi\.begin)\([^()\n\"']{{0,80}}(?:{_FIRST},\s{{0,4}})?"
        rf"{_QUOTED.format('third', 'name')},\s{{0,4}}{_SECRET}",
        'DriverManager.getConnection(url, "scott", "{9}{3d}")',
        _judge_argument,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "host-user-and-password",  # one after the other, as a database is opened with them
        ("root", "admin", "postgres"),
        r"[\"'](?:localhost|[\w-]*(?:\d{1,3}\.){3}\d{1,3}|[\w-]+(?:\.[\w-]+)+)[\"'],\s{0,4}[\"'](?:root|admin|sa|postgres)[\"'],"
        rf"\s{{0,4}}{_SECRET}",
        'new db("localhost", "root", "{9}{3d}")',
        _judge_argument,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "encoded-pair",  # a user and a password on their way into base64
        ("base64", "btoa(", "buffer.from(", "b64encode("),
        r"(?:base64\w*|btoa|buffer\.from|b64encode)\(\s{0,4}b?[\"'][\w.@+-]{1,64}:([^\s\"'{}$]{4,64})[\"']",
        'btoa("bob:{9}{3d}")',
        _judge_filled,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "signing-secret",
        ("jwt.", "hmac", "fernet(", "secretkeyspec(", "aes.new(", "scrypt", "pbkdf2", "cipheriv("),
        rf"(?:jwt\.(?:sign|verify|encode|decode)|createhmac|hmac\.new)\([^(),\n\"']{{1,80}},\s{{0,4}}b?{_SECRET}"
        rf"|createcipheriv\([^(),\n]{{1,80}},\s{{0,4}}b?{_QUOTED.format('fourth', 'key')}"
        r"|(?:hmac\.new|fernet|secretkeyspec|aes\.new|(?:scrypt|pbkdf2)(?:sync|_hmac)?)\([ ]?"
        rf"b?{_QUOTED.format('third', 'first')}",
        "jwt.sign(payload, '{20}')",
        _judge_argument,
        folded=True,
    ),
    Rule(
        "secure-string",
        ("convertto-securestring",),
        rf"convertto-securestring[ \t]+(?:-string[ \t]+)?{_SECRET}",
        'ConvertTo-SecureString "{9}{3d}" -AsPlainText -Force',
        _judge_argument,
        folded=True,
    ),
    Rule(
        "piped-password",
        ("pass", "sudo -s", "secret", "cryptsetup", "base64"),
        r"(?:(?<![\w/])[a-z_][\w.-]{0,31}:([^\s\"'|]{1,128})[\"']?[ \t]*\|[ \t]*(?:sudo )?chpasswd"
        r"|(?:echo|printf|<<<)(?: -\w+)* [\"']?([^\s\"'|$]{1,128})[\"']?[ \t]*\|[ \t]*(?:sudo -s\b"
        r"|(?:sudo )?(?:passwd --stdin|cryptsetup|gpg [^|\n]{0,80}passphrase-fd"
        r"|[a-z]+ login [^|\n]{0,80}--password-stdin"
        r"|(?:docker|gh|wrangler|fly|flyctl|vercel|gcloud) secrets? (?:create|set|put|versions)))"
        r"|pass[\w-]{0,12}[ =]{1,3}(?:<\(|[\"'])(?:echo|printf)(?: -\w+)* [\"']?([^\s\"')]{1,128})"
        r"|(?:echo|printf)(?: -\w+)* [\"']?[\w.@+-]{1,64}:([^\s\"'|$]{1,128})[\"']?[ \t]*\|[ \t]*base64"
        r"|passwd\b[^|\n]{0,40}<<<[ ]?[\"']?([^\s\"']{1,128}))",
        "echo 'root:{9}{3d}' | chpasswd",
        _judge_filled,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "argument-password",  # of commands that take it without an option
        (
            *(
                "htpasswd",
                "net use",
                "net user",
                "net.exe user",
                "stats auth",
                "rabbitmqctl",
                "wpa_passphrase",
                "config set",
                "sp_addlogin",
            ),
            *("enable ", "username "),
            *(" /pass", " /pwd", " /rp ", "rclone obscure", "alias set"),
        ),
        r"(?:htpasswd[ \t]+-\w*b\w*[ \t]+\S+[ \t]+\S+[ \t]+[\"']?([^\s\"']+)"
        r"|net use[ \t]+(?:\w:[ \t]+)?\S+[ \t]+([^\s/\\]\S*)[ \t]+/u"
        r"|net use[ \t]+[^\n]{1,100}?/user:\S+[ \t]+([^\s/*]\S*)"
        r"|net(?:\.exe)? user[ \t]+\S+[ \t]+([^\s/*]\S*)[ \t]+/add"
        r"|config set[ \t]+[^\n]{0,40}?--secret[ \t]+[\w:.-]+[ \t]+[\"']?([^\s\"'-][^\s\"']*)"
        r"|stats auth[ \t]+[^\s:]+:(\S+)|config set requirepass[ \t]+[\"']?([^\s\"']+)"
        r"|sp_addlogin[ \t]+n?'[^'\n]+',[ \t]*n?'([^'\n]+)'"
        r"| /(?:pass(?:word)?|pwd):([^\s/*\"']\S*)| /rp ([^\s/*\"']\S*)"
        r"|rclone obscure[ \t]+[\"']?([^\s\"']+)|alias set \S+ https?://\S+ \S+ ([^\s\"']+)"
        r"|(?:enable|username \S{1,64}(?: privilege \d{1,2})?) (?:secret|password) \d (\S+)"
        r"|rabbitmqctl[ \t]+(?:add_user|change_password)[ \t]+\S+[ \t]+[\"']?([^\s\"']+)"
        r"|wpa_passphrase[ \t]+(?:\"[^\"\n]+\"|'[^'\n]+'|\S+)[ \t]+[\"']?([^\s\"'|>=]{8,}))",
        "htpasswd -b users bob {9}{3d}",
        _judge_filled,
        folded=True,
    ),
    Rule(
        "pgpass-password",
        (":5432:", ":5433:", ":6432:", ":*:"),
        rf"{_START}[\w.*-]{{1,255}}:(?:\d{{2,5}}|\*):[\w.*-]{{1,63}}:[\w.*-]{{1,63}}:({_WORD})",
        "db.example:5432:shop:app:{9}{3d}",
        _judge_value,
        anywhere=True,
    ),
    Rule(
        "default-of-a-variable",  # of a shell, of compose, of Spring
        ("${",),
        rf"\$\{{[\w.]*(?P<name>{_NAMES})[\w.]{{0,20}}:-?(?P<value>[^{{}}$\s]{{3,128}})\}}",
        "${DB_PASSWORD:-{9}{3d}}",
        _judge_default,
        folded=True,
    ),
    Rule(
        "account-and-password",
        ("root", "admin", "administrator", "postgres", "guest", "deploy", "sa/", "sa:", " / ", " | "),
        rf"{_START}(?:(?:root|admin(?:istrator)?|postgres|guest|deploy|sa)(?: ?/ ?|:)"
        r"|[\w.+-]{1,64}@[\w.-]{3,64}`?[ ]{1,3}[/|][ ]{1,3}`?|`[\w.@+-]{1,64}` / `)"
        rf"(?P<value>[^\s\"'`,;/@<>(){{}}\u0080-\uffff]{{5,64}})",
        "root/{5}#{3d}",
        _judge_account,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "directive-password",  # of redis, LDAP, msmtp, stunnel: a name, blanks and the value
        ("requirepass", "masterauth", "bindpw", "rootpw", "pppoe-password"),
        rf"(?:requirepass|masterauth|bindpw|rootpw|pppoe-password)[ \t]+[\"']?(?P<value>{_WORD})",
        "requirepass {9}{3d}",
        _judge_value,
        folded=True,
    ),
    Rule(
        "wifi-password",
        ("psk", "wpa_passphrase"),
        rf"(?:wpa_passphrase|wpa[-_]psk|psk){_SPACE}=[ \t]*"
        r"(?:\\?\"(?P<quoted>[^\"\n<>${}]{8,63})\"|(?P<value>[^\"'`\n<>${}(),]{8,63}))",
        'psk="{9}{3d}"',
        _judge_argument,
        folded=True,
    ),
    Rule(
        "query-secret",
        ("appid=", "app_id=", "auth=", "signature=", "Signature=", "code="),
        r"(?<=[?&])(?:appid|app_id|auth|signature|X-(?:Amz|Goog)-Signature|code)=([\w%.~-]{16,})",
        "https://api.example/geo?appid={32x}",
        _judge_generated,
        anywhere=True,
    ),
)
