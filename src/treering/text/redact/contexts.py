"""Find secrets by what stands around them: armour, headers, addresses, commands."""

from __future__ import annotations

import re

from treering.text.redact.rule import (
    Rule,
    Span,
    is_generated,
    is_hole,
    is_placeholder,
    is_reference,
    is_scrambled,
    is_strong,
    masked,
    secret_of,
)

_BASE64 = "[A-Za-z0-9+/=]"
_GAP = r"[\s>|#*]*(?:\\[nr][\s>|#*]*)*"
_HEADER = rf"[A-Z][A-Za-z-]{{2,20}}: [^\n\\]*(?:\n|\\[nr]){_GAP}"
# A key in armour up to its END line; where that is missing, header lines and then lines of base64.
# No repetition can give back what the part behind it would take, so a text without an END is read once.
_ARMOURED = (
    r"--{3,4} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:"
    r"[^-]*(?:-(?!-{3})[^-]*)*-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}"
    rf"|{_GAP}(?:{_HEADER})*(?!{_HEADER})(?:{_BASE64}{{16,}}{_GAP})+"
    rf"(?:{_BASE64}{{1,15}}(?=\W*\Z|\.{{3}}|…))?)"
)
_KEY_MATERIAL = rf"(?a){_BASE64}{{16}}"

# Commands, and the option that each takes its password with.
_OPTIONS = (
    ("curl|wget|https?|httpie|xh", r"-(?:a|u|U|-auth|-user|-proxy-user)[ =]{0,2}[\"']?[^\s:\"']{1,64}:([^\s\"']+)"),
    # `mysql -p name` asks for it, and the name is the database's
    ("mysql\\w*|mariadb\\w*|sshpass|7z\\w*|rar|unrar", r"-p[\"']?([^\s\"'-][^\s\"']*)"),
    (
        r"sshpass|twine\s+upload|(?:docker|podman|az|oc|cf|helm\s+registry)\s+login|mongo\w*|cqlsh|rdesktop|psexec|steghide|useradd|usermod",
        r"-p [\"']?([^\s\"'-][^\s\"']*)",
    ),
    ("redis-cli", r"-a [\"']?([^\s\"']+)"),
    (r"ldap\w+|kadmin", r"-w [\"']?([^\s\"'-][^\s\"']*)"),
    (r"ipmi\w+|zip|unzip|sqlcmd|bcp|mosquitto_\w+|cadaver", r"-P ?[\"']?([^\s\"'-][^\s\"']*)"),
    (r"snmp\w+", r"-[AXc] [\"']?([^\s\"'-][^\s\"']*)"),
    (r"keytool|jarsigner|apksigner", r"-(?:dest|src)?(?:store|key)pass (?:pass:)?[\"']?([^\s\"'-][^\s\"']*)"),
    (r"plink|pscp|psftp|putty", r"-pw [\"']?([^\s\"'-][^\s\"']*)"),
    (r"smb\w+|rpcclient|mount\.cifs", r"-U ?[\"']?[^\s%\"']{1,64}%([^\s\"']+)"),
    ("openssl", r"-[kK] [\"']?([^\s\"'-][^\s\"']*)"),
    (
        r"(?:gh|glab|flyctl|heroku|netlify)\s+(?:secret|variable|env)",
        r"(?:-b|--body|--value) [\"']?([^\s\"'-][^\s\"']*)",
    ),
    (r"sqlplus|impdp|expdp|rman|sqlldr", r"[\w$#]{1,30}/([^\s@\"'/]+)"),
    (r"nmcli|virsh|mysqladmin", r"password [\"']?([^\s\"'-][^\s\"']*)"),
    (r"xfreerdp|rdesktop|wfreerdp|mstsc", r"/p:([^\s\"']+)"),
    ("lftp", r"-u ?[\"']?[^\s,\"']{1,64},([^\s\"']+)"),
)
_COMMANDS = tuple(rf"(?a)\b(?:{commands})(?![\w-])" for commands, _ in _OPTIONS)
_COMMAND_OPTION = rf" (?:{'|'.join(option for _, option in _OPTIONS)})"
_COMMAND_WINDOW = 400  # characters: options stand on the line of their command, or on a few continued ones

# Issuers whose keys have no prefix. A random value assigned to a name that holds one of these is a key.
ISSUERS = (
    "adafruit adobe airtable algolia alibaba asana atlassian confluence jira beamer bitbucket bittrex meraki "
    "cloudflare codecov cohere coinbase confluent contentful datadog discord drone dropbox etsy facebook fastly "
    "finicity finnhub flickr freshbooks gitter gocardless grafana heroku hubspot intercom jfrog artifactory "
    "bintray kraken kucoin launchdarkly linear linkedin linked_in linked-in lob looker mailchimp mailgun mapbox "
    "mattermost messagebird message_bird message-bird mistral netlify newrelic new_relic new-relic nytimes okta "
    "plaid privateai private_ai private-ai rapidapi sendbird sentry snyk sonar squarespace sumo telegram together "
    "travis twilio twitch twitter typeform yandex zendesk"
)
_ISSUER = rf"(?ai)(?<![a-z0-9])(?:{'|'.join(ISSUERS.split())})[ \t\w.-]{{0,20}}[\s'\"\])]{{0,3}}[:?=|]{{0,3}}\Z"
_ISSUER_WINDOW = 60  # characters: the longest name of an issuer, what may follow it, and the sign of assignment
_AWS_WINDOW = 30  # characters: "aws_secret_access_"
_STATEMENT = r"(?ai)\b(?:create|alter|grant|user|role)\b"
_STATEMENT_WINDOW = 120  # characters: "GRANT … ON … TO name"
_NETRC_BEFORE = r"(?ai)\bmachine\s{1,4}\S{1,128}\s{1,4}login\s{1,4}\S{1,128}\s{1,4}\Z"
_NETRC_WINDOW = 300  # characters
# A port or a path tells "app:elephant@db.intern/shop" from an address of mail; so does a command that logs in.
_PORT = r"(?a)@(?!sha\d)(?:[\w.-]{1,253}:\d{2,5}(?![\w.])|(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}/\w)"
_LOGS_IN = r"(?a)\b(?:ssh|scp|sftp|ftp|lftp|rsync|smbclient|mosh)\s[^\n|;&]{0,200}\Z"
_LOGIN_WINDOW = 220
_MAILED = (
    r"(?ai)(?:mailto|mail|e-?mail|to|cc|bcc|from|reply-to|by|author|owner|contact|sips?|xmpp|acct|npm|pkg|image)\Z"
)
_VERSION = r"(?a)@sha\d|@v?\d+(?:\.\d+)*(?:[\s,;)\"'`]|\Z)"


def _judge_armour(text: str, match: re.Match[str]) -> Span | None:
    """Refuse two lines of armour around nothing: they are a sentence about keys."""
    start, end = secret_of(match)
    armour = text[start:end].rstrip()
    return (start, start + len(armour)) if re.search(_KEY_MATERIAL, armour) else None


def _judge_filled(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    return None if is_hole(text[start:end]) or masked(text[start:end]) else (start, end)


def _judge_aws(text: str, match: re.Match[str]) -> Span | None:
    before = _before(text, match, _AWS_WINDOW).lower()
    return secret_of(match) if "aws" in before or "secret" in before else None


def _judge_header(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    if is_placeholder(value) or value.startswith("AWS4-") or _before(text, match, 2)[-1:].isalpha():
        return None
    has_scheme = match["scheme"] is not None
    is_word = value.isalpha() and (value.islower() or value.istitle())
    is_code = is_reference(value) or text.startswith("(", end)
    fits = not is_word and not text.startswith("(", end) if has_scheme else is_generated(value) and not is_code
    return (start, end) if fits else None


def _judge_bare(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    name = text[match.start() : start].strip(":/")
    made = is_scrambled(value) or re.compile(_PORT).match(text, end) is not None
    made = made or (is_strong(value) and not re.match(_MAILED, name) and not re.compile(_VERSION).match(text, end))
    made = made or re.search(_LOGS_IN, _before(text, match, _LOGIN_WINDOW)) is not None
    return (start, end) if made and not is_placeholder(value) and not is_reference(value) else None


def _judge_command(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    if is_hole(value) or masked(value) or value.isdigit():
        return None
    command = _before(text, match, _COMMAND_WINDOW).replace("\\\n", " ").rpartition("\n")[2]
    return (start, end) if re.search(_COMMANDS[(match.lastindex or 1) - 1], command) else None


def _judge_database(text: str, match: re.Match[str]) -> Span | None:
    return _judge_filled(text, match) if re.search(_STATEMENT, _before(text, match, _STATEMENT_WINDOW)) else None


def _judge_netrc(text: str, match: re.Match[str]) -> Span | None:
    return _judge_filled(text, match) if re.search(_NETRC_BEFORE, _before(text, match, _NETRC_WINDOW)) else None


def _judge_issuer(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    if sum(map(str.isdigit, value)) < 2 or not is_generated(value) or is_placeholder(value):
        return None
    return (start, end) if re.search(_ISSUER, _before(text, match, _ISSUER_WINDOW)) else None


def _before(text: str, match: re.Match[str], window: int) -> str:
    """Return the text before a find. An escaped newline ends a line, and its letter is no word."""
    return re.sub(r"\\[nrt]", "\n", text[max(0, match.start() - window) : match.start()])


# These hold a long run of letters and digits, as tokens do.
CONTEXTS = (
    Rule(
        "jwt",
        ("eyJ", "eyA", "ewo"),
        r"(?:(?<![\w-])|(?<=\\[nrtbf]))(?:eyJ|eyA|ewo)[\w-]{14,}\.[\w-]{16,}(?:\.[\w-]*)*",
        "eyJ{33}.eyJ{60}.{43}",
    ),
    Rule(
        "bearer-token",
        ("Bearer ", "bearer ", "BEARER "),
        r"(?:[Bb]earer|BEARER) {1,4}(?=[\w.~+/-]{0,60}\d)([\w.~+/-]{20,}={0,2})",
        "Bearer {32}",
    ),
    Rule(
        "issuer-credential",
        ("=", ":", ",", ">", "||"),
        r"[=>:,|]['\"`\s=]{0,5}([\w/+%-][\w/+%=-]{13,})",
        "datadog_api: {40x}",
        _judge_issuer,
    ),
)
# And these do not: a password may be short.
PHRASES = (
    Rule(
        "private-key",
        ("key",),
        _ARMOURED,
        "-----BEGIN PRIVATE KEY-----\n{64}\n{64}\n{30}==\n-----END PRIVATE KEY-----",
        _judge_armour,
        anywhere=True,
    ),
    Rule(
        "putty-key",
        ("key",),
        rf"Private-Lines: \d{{1,3}}\s+((?:{_BASE64}{{16,}}\s*)+)",
        "PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n{64}\n{64}\nPrivate-MAC: 0",
        _judge_armour,
        anywhere=True,
    ),
    Rule(
        "aws-secret-key",
        ("key",),
        r"key\\?[\"'`\]]?(?:[\s:=>,*]|is){1,8}[\"'`]?\s?([a-z0-9/+]{40})(?![a-z0-9/+=])",
        "aws_secret_access_key = {20}/{19}",
        _judge_aws,
        folded=True,
    ),
    Rule(
        "connection-string",
        ("@",),
        r"://[^\s/@:\"'<>`\[]{0,128}:(?!\d{1,5}(?:[/?#]|\Z))((?:[^\s\"'<>`:]|:(?!//))+)@(?!sha256:)",
        "postgres://app:{12}@db.internal/app",
        _judge_filled,
        anywhere=True,
    ),
    Rule(
        "connection-without-scheme",
        ("@",),
        r"(?:(?<![\w/.:@+-])(?:[\w.-]{1,64}/)?[A-Za-z][\w.-]{1,31}:|:[A-Za-z]\w{0,31}/)"
        r"(?:([^\s:/@\"'<>`]{4,64})@(?=(?:[\w-]+\.)+\w+|localhost|[\w-]+:\d{2,5})|([^\s:/\"'<>`]{4,64})@(?=(?:tcp|unix)\())",
        "app:{9}{3d}@db.internal.example",
        _judge_bare,
        anywhere=True,
    ),
    Rule(
        "authorization-header",
        ("authorization",),
        r"authorization\\*[\"']?\s{0,4}(?:[:=,]\s{0,4}\\*[\"']?|[\"'])"
        r"(?P<scheme>(?:basic|bearer|token|apikey|api-key|bot|key|digest)\s{1,4})?(?P<value>[^\s\"'\\,;<>()]{6,})",
        "Authorization: Basic {20}",
        _judge_header,
        folded=True,
    ),
    Rule(
        "command-password",
        ("-", "sqlplus ", "impdp ", "expdp ", "rman ", "sqlldr ", "nmcli ", "virsh ", "mysqladmin ", "freerdp "),
        _COMMAND_OPTION,
        "curl -u app:{12} https://example.org",
        _judge_command,
        anywhere=True,
    ),
    Rule(
        "database-password",
        ("identified ",),
        r"identified (?:with [\w\"'`]{1,40} )?by (?:password )?(?P<mark>[\"'])(?P<value>[^\"'\n]+)(?P=mark)",
        "CREATE USER app IDENTIFIED BY '{12}'",
        _judge_database,
        folded=True,
    ),
    Rule(
        "netrc-password",
        ("pass",),
        r"password\s{1,4}(\S+)",
        "machine example.org login app password {12}",
        _judge_netrc,
        folded=True,
    ),
)
