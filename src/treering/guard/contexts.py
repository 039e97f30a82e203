"""Secrets known by what stands around them: armour, headers, addresses, commands."""

from __future__ import annotations

import re

from treering.guard.placeholders import is_generated, is_hole, is_placeholder
from treering.guard.rule import ALPHANUMERIC, HEX, Rule, masked, secret_of, spell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.guard.rule import Span

_BASE64 = "[A-Za-z0-9+/=]"
_GAP = r"(?:[\s>|#*]|\\[nr])"
# A key in armour up to its END line; where that is missing, header lines and then lines of base64.
_ARMOURED = (
    r"-(?<!-.)-{3,4} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}(?:"
    r"[^-]*+(?:-(?!-{3})[^-]*+)*+-{4,5} ?END [A-Z0-9 ]{0,60}-{4,5}"
    rf"|{_GAP}*+(?:[A-Z][A-Za-z-]{{2,20}}: [^\n\\]*+{_GAP}++)*+(?:{_BASE64}{{16,}}+{_GAP}*+)++"
    rf"(?:{_BASE64}{{1,15}}(?=\W*\Z|\.{{3}}|…))?)"
)
_PUTTY = rf"Private-Lines: \d{{1,3}}\s+((?:{_BASE64}{{16,}}+\s*+)++)"
_KEY_MATERIAL = re.compile(f"{_BASE64}{{16}}", re.ASCII)
_COMMANDS = (
    r"\b(?:curl|wget|httpie?|xh)\b",
    r"\b(?:mysql\w*|mariadb\w*|sshpass|docker\s+login|podman\s+login)\b",
    r"\bredis-cli\b",
)
_COMMAND = tuple(re.compile(command, re.ASCII) for command in _COMMANDS)
_LINE_OF_COMMAND = 400  # characters: options stand on the line of their command, or on a few continued ones

# Issuers whose keys have no prefix. A random value assigned to a name that holds one of these is a key.
_ISSUERS = (
    "adafruit adobe airtable algolia alibaba asana atlassian confluence jira beamer bitbucket bittrex meraki cloudflare "
    "codecov cohere coinbase confluent contentful datadog discord drone dropbox etsy facebook fastly finicity finnhub "
    "flickr freshbooks gitter gocardless grafana heroku hubspot intercom jfrog artifactory bintray kraken kucoin "
    "launchdarkly linear linkedin linked_in linked-in lob looker mailchimp mailgun mapbox mattermost messagebird "
    "message_bird message-bird mistral netlify newrelic new_relic new-relic nytimes okta plaid privateai private_ai "
    "private-ai rapidapi sendbird sentry snyk sonar squarespace sumo telegram together travis twilio twitch twitter "
    "typeform yandex zendesk"
)
_ISSUER = re.compile(
    rf"(?<![A-Za-z])(?:{'|'.join(_ISSUERS.split())})[ \t\w.-]{{0,20}}[\s'\"\])]{{0,3}}[:?=|]{{0,3}}\Z",
    re.ASCII | re.IGNORECASE,
)
_ISSUER_WINDOW = (
    60  # characters: the longest name of an issuer, what may follow it, and the sign of assignment
)


def _judge_armour(text: str, match: re.Match[str]) -> Span | None:
    """Two lines of armour around nothing are a sentence about keys."""
    start, end = secret_of(match)
    return (start, end) if _KEY_MATERIAL.search(text, start, end) else None


def _judge_filled(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    return None if is_hole(text[start:end]) or masked(text[start:end]) else (start, end)


def _judge_header(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    if is_placeholder(value) or value.startswith("AWS4-"):
        return None
    has_scheme = match["scheme"] is not None
    is_word = value.isalpha() and (value.islower() or value.istitle())
    return (start, end) if (has_scheme and not is_word) or is_generated(value) else None


def _judge_command(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    before = text[max(0, start - _LINE_OF_COMMAND) : start].replace("\\\n", " ").rpartition("\n")[2]
    if is_hole(value) or masked(value) or value.isdigit():
        return None
    return (start, end) if _COMMAND[(match.lastindex or 1) - 1].search(before) else None


def _judge_issuer(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end]
    before = text[max(0, match.start() - _ISSUER_WINDOW) : match.start()]
    if is_placeholder(value) or not is_generated(value) or not _ISSUER.search(before):
        return None
    return start, end


# These need a run of letters and digits, as the tokens do.
ARMOUR = (
    Rule(
        "private-key",
        ("key",),
        _ARMOURED,
        f"-----BEGIN PRIVATE KEY-----\n{spell(64)}\n{spell(64)}\n-----END PRIVATE KEY-----",
        _judge_armour,
    ),
    Rule("putty-key", ("key",), _PUTTY, f"PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 2\n{spell(64)}\n{spell(64)}", _judge_armour),
)
CONTEXTS = (
    Rule(
        "jwt",
        ("eyJ", "eyA", "ewo"),
        r"e(?<![\w-].)(?:yJ|yA|wo)[\w-]{14,}\.[\w-]{16,}(?:\.[\w-]*)*",
        "eyJ" + spell(33) + ".eyJ" + spell(60) + "." + spell(43),
    ),
    Rule(
        "bearer-token",
        ("earer", "EARER"),
        r"[bB](?:earer|EARER)\s{1,4}(?=[\w.~+/-]{0,60}\d)([\w.~+/-]{20,}={0,2})",
        "Bearer " + spell(32),
    ),
    Rule(
        "issuer-credential",
        ("=", ":", ",", ">", "||"),
        r"[=>:,|]['\"`\s=]{0,5}([\w/+%-][\w/+%=-]{13,})",
        "datadog_api: " + spell(40, HEX),
        _judge_issuer,
    ),
)
# And these do not: a password may be short.
PHRASES = (
    Rule(
        "aws-secret-key",
        ("secret", "key"),
        r"(?:aws|secret)[\w .-]{0,24}?key\\?[\"'`\]]?(?:[\s:=>,*]|is){1,8}[\"'`]?\s?([a-z0-9/+]{40})(?![a-z0-9/+=])",
        "aws_secret_access_key = " + spell(40, ALPHANUMERIC + "+/"),
        folded=True,
    ),
    Rule(
        "connection-string",
        ("@",),
        r"://[^\s/@:\"'<>`\[]{0,128}:(?!\d{1,5}(?:[/?#]|\Z))((?:[^\s\"'<>`:]|:(?!//))+)@(?!sha256:)",
        "postgres://app:" + spell(12) + "@db.internal/app",
        _judge_filled,
    ),
    Rule(
        "authorization-header",
        ("authorization",),
        r"(?<![a-z])authorization\\*[\"']?\s{0,4}[:=,]\s{0,4}\\*[\"']?"
        r"(?P<scheme>(?:basic|bearer|token|apikey|api-key|bot|key|digest)\s{1,4})?(?P<value>[^\s\"'\\,;<>()]{6,})",
        "Authorization: Basic " + spell(20),
        _judge_header,
        folded=True,
    ),
    Rule(
        "command-password",
        (" -",),
        r" -(?:(?:u|U|-user|-proxy-user)(?:[ =]{0,2})[\"']?[^\s:\"']{1,64}:([^\s\"']+)|p ?[\"']?([^\s\"'-][^\s\"']*)|a [\"']?([^\s\"']+))",
        "curl -u app:" + spell(12) + " https://example.org",
        _judge_command,
    ),
    Rule(
        "database-password",
        ("identified ",),
        r"identified (?:with [\w\"'`]{1,40} )?by (?:password )?(?P<mark>[\"'])(?P<value>[^\"'\n]+)(?P=mark)",
        "CREATE USER app IDENTIFIED BY '" + spell(12) + "'",
        _judge_filled,
        folded=True,
    ),
    Rule(
        "netrc-password",
        ("pass",),
        r"machine\s{1,4}\S{1,128}\s{1,4}login\s{1,4}\S{1,128}\s{1,4}password\s{1,4}(\S+)",
        "machine example.org login app password " + spell(12),
        _judge_filled,
        folded=True,
    ),
)
