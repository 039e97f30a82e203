"""Secrets: every rule of the table, and what is left around them."""

from __future__ import annotations

import random
import re

import pytest

from treering.text.redact import RULES, clean
from treering.text.redact.rule import Rule, spelled

VARIANTS = 50  # of each format
WINDOW = 6  # characters: a shorter part of a secret may stand in a sentence by chance

SENTENCES = (
    "We rotated {} yesterday.",
    "It is {}",
    "the one ({}) that Ana made",
    "see `{}`",
    'he said "{}"',
    "first line\n{}\nlast line",
    "use {}, then go on",
    "\u2022 {} \u2014 for the \u00e9t\u00e9 job",
    '{{"text": "line\\n{}\\nline"}}',
)

# Shapes that a rule knows beside the one in its example.
OTHER_SHAPES = (
    ("aws-access-key", "ASIA{16A}"),
    ("github-token", "gho_{36}"),
    ("github-token", "ghu_{36}"),
    ("github-token", "ghs_{36}"),
    ("github-token", "ghr_{76}"),
    ("github-token", "github_pat_{22}_{59}"),
    ("gitlab-token", "gldt-{20}"),
    ("gitlab-token", "glrt-{27}.01.{9a}"),
    ("gitlab-token", "GR1348941{20}"),
    ("slack-token", "xoxp-{12d}-{12d}-{12d}-{32x}"),
    ("slack-token", "xoxa-2-{24}"),
    ("slack-token", "xoxe.xoxp-1-{163A}"),
    ("slack-token", "xapp-1-A{10A}-{13d}-{64x}"),
    ("stripe-key", "rk_test_{24}"),
    ("stripe-key", "whsec_{32}"),
    ("openai-key", "sk-{20}T3BlbkFJ{20}"),
    ("openai-key", "sk-svcacct-{74}"),
    ("openai-key", "sk-or-v1-{64x}"),
    ("anthropic-key", "sk-ant-admin01-{93}AA"),
    ("google-oauth", "GOCSPX-{28}"),
    ("google-oauth", "1//0{60}"),
    ("azure-key", "Endpoint=sb://demo.example/;SharedAccessKeyName=all;SharedAccessKey={43}="),
    ("huggingface-token", "api_org_{34}"),
    ("twilio-key", "AC{32x}"),
    ("cloudflare-token", "cfut_{40}"),
    ("digitalocean-token", "doo_v1_{64x}"),
    ("shopify-token", "shpss_{32x}"),
    ("square-token", "sq0csp-{43}"),
    ("linear-key", "lin_oauth_{64x}"),
    ("notion-token", "secret_{43}"),
    ("atlassian-token", "ATBB{32}"),
    ("vault-token", "hvb.{140}"),
    ("doppler-token", "dp.st.dev.{43}"),
    ("docker-token", "dckr_oat_{32}"),
    ("grafana-token", "glc_{60}"),
    ("grafana-token", "eyJrIjoi{60}"),
    ("newrelic-key", "NRJS-{19x}"),
    ("sentry-token", "sntrys_eyJpYXQiO{100}_{43}"),
    ("private-key", "-----BEGIN OPENSSH PRIVATE KEY-----\n{70}\n{70}\n{12}=\n-----END OPENSSH PRIVATE KEY-----"),
    ("private-key", "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n{64}\n-----END PGP PRIVATE KEY BLOCK-----"),
    ("private-key", "-----BEGIN EC PRIVATE KEY-----\\n{64}\\n{64}\\n-----END EC PRIVATE KEY-----\\n"),
    ("authorization-header", "-H 'Authorization: Bearer {16}'"),
    ("authorization-header", '"authorization": "token {40x}"'),
    ("command-password", 'curl -s --user "app:{12}" https://example.org'),
    ("command-password", "mysql -h db -u root -p{12} app"),
    ("command-password", "sshpass -p {12} ssh host"),
    ("connection-string", "mongodb+srv://app:{12}@cluster.example/db?w=1"),
    ("connection-string", "redis://:{12}@localhost:6379/0"),
    ("connection-string", "https://x-access-token:{30}@example.org/team/repo.git"),
    ("password-assignment", 'PASSWORD="{12}"'),
    ("password-assignment", "DB_PASSWORD={12}"),
    ("password-assignment", "export PGPASSWORD='{12}'"),
    ("password-assignment", '"user": "app", "password": "{12}"'),
    ("password-assignment", "passwd: {8}{2d}"),
    ("password-assignment", "Server=db;User Id=sa;Password={12};Database=app"),
    ("password-assignment", "tool --password {9}{3d} --force"),
    ("password-assignment", "tool --db-password={12} --force"),
    ("password-assignment", "<password>{12}</password>"),
    ("password-assignment", "**Password:** `{12}`"),
    ("secret-assignment", "client_secret: {32}"),
    ("secret-assignment", '"access_token": "{40}"'),
    ("secret-assignment", "export SECRET_TOKEN={24}"),
    ("secret-assignment", "https://example.org/cb?access_token={32}&state=1"),
    ("secret-assignment", "X-Api-Key: {32x}"),
    ("secret-assignment", "tool --api-key {32x}"),
    ("secret-in-prose", "the API key for the weather service is {32x}"),
    ("secret-in-prose", 'my password was changed to "{12}"'),
)


def drawn(shape: str, seed: str) -> list[tuple[str, list[str]]]:
    """Fifty texts of one shape, each with the random parts that must not be seen again."""
    chance = random.Random(seed)
    found = []
    for number in range(VARIANTS):
        parts: list[str] = []

        def pick(alphabet: str, length: int, parts: list[str] = parts) -> str:
            parts.append("".join(chance.choices(alphabet, k=length)))
            return parts[-1]

        found.append((SENTENCES[number % len(SENTENCES)].format(spelled(shape, pick)), parts))
    return found


def leaks(text: str, parts: list[str]) -> list[str]:
    windows = [part[at : at + WINDOW] for part in parts for at in range(len(part) - WINDOW + 1)]
    return [window for window in windows if window in text]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_kind_of_secret_is_found_wherever_it_stands(rule: Rule) -> None:
    """Fifty random ones of each rule, in prose, in brackets, in quotes, in JSON: no part of one is left."""
    for text, parts in drawn(rule.example, rule.name):
        cleaned = clean(text)
        assert rule.name in cleaned.changes, text
        assert not leaks(cleaned.text, parts)


@pytest.mark.parametrize(("name", "shape"), OTHER_SHAPES, ids=[f"{name} {shape}"[:48] for name, shape in OTHER_SHAPES])
def test_every_other_shape_of_a_secret_is_found_too(name: str, shape: str) -> None:
    """Older and newer formats, and assignments in JSON, YAML, settings, headers, addresses and commands."""
    for text, parts in drawn(shape, shape):
        cleaned = clean(text)
        assert name in cleaned.changes, text
        assert not leaks(cleaned.text, parts)


@pytest.mark.parametrize("rule", [rule for rule in RULES if not rule.folded], ids=lambda rule: rule.name)
def test_a_token_glued_to_more_letters_is_replaced_with_them(rule: Rule) -> None:
    """A format that grew longer leaves no tail behind."""
    text, parts = drawn(rule.example, rule.name)[1]
    assert not leaks(clean(f"{text}_tail").text, parts)


def test_every_rule_has_a_name_of_its_own() -> None:
    """The name in the mark is the name in the table."""
    names = [rule.name for rule in RULES]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in names)


TOKEN = "ghp_" + "a1B2" * 9
BLOCK = "A1b2" * 16
KEPT = [
    ("password=hunter2", "password=[redacted: password-assignment]"),
    ("password = hunter2", "password = [redacted: password-assignment]"),
    ('{"password": "hunter2", "user": "bob"}', '{"password": "[redacted: password-assignment]", "user": "bob"}'),
    (r"{\"password\":\"hunter2\"}", r"{\"password\":\"[redacted: password-assignment]\"}"),
    ("password: hunter2  # for now", "password: [redacted: password-assignment]  # for now"),
    ("Password:\nhunter2", "Password:\n[redacted: password-assignment]"),
    ("(password: hunter2)", "(password: [redacted: password-assignment])"),
    ("login(user=bob, password=hunter2)", "login(user=bob, password=[redacted: password-assignment])"),
    ("PASSWORD=ab1)", "PASSWORD=[redacted: password-assignment]"),
    ("?password=hunter2&user=bob", "?password=[redacted: password-assignment]&user=bob"),
    ("Password=abc;Database=app", "Password=[redacted: password-assignment];Database=app"),
    ("password=p@ss,w0rd;x!", "password=[redacted: password-assignment]"),
    ('const password: string = "x";', 'const password: string = "[redacted: password-assignment]";'),
    ('if password == "hunter2":', 'if password == "[redacted: password-assignment]":'),
    ("DB_PASS=swordfish", "DB_PASS=[redacted: password-assignment]"),
    ("wifi password: sunflower", "wifi password: [redacted: password-assignment]"),
    ("Passcode: 482193 Meeting ID: 12", "Passcode: [redacted: password-assignment] Meeting ID: 12"),
    ("run --password swordfish", "run --password [redacted: password-assignment]"),
    ("\u5bc6\u7801\uff1aabc123", "\u5bc6\u7801\uff1a[redacted: password-assignment]"),
    ("ALTER ROLE bob PASSWORD 'hunter2'", "ALTER ROLE bob PASSWORD '[redacted: password-assignment]'"),
    ('<add key="Password" value="hunter2"/>', '<add key="Password" value="[redacted: password-assignment]"/>'),
    ("the password is hunter2.", "the password is [redacted: secret-in-prose]."),
    ('the password is "swordfish"', 'the password is "[redacted: secret-in-prose]"'),
    ("password for the router is admin123, ok", "password for the router is [redacted: secret-in-prose], ok"),
    ("export SECRET_TOKEN=swordfish", "export SECRET_TOKEN=[redacted: secret-assignment]"),
    ("postgres://user:s3cret@host/db", "postgres://user:[redacted: connection-string]@host/db"),
    ("postgres://user:p@s/s@host:5432/db", "postgres://user:[redacted: connection-string]@host:5432/db"),
    ("AKIAIOSFODNN7EXAMPLE is the key", "[redacted: aws-access-key] is the key"),
    (f"https://{TOKEN}@github.com/a/b", "https://[redacted: github-token]@github.com/a/b"),
    (f"Authorization: Bearer {TOKEN}", "Authorization: Bearer [redacted: github-token]"),
    (f"token={TOKEN}", "token=[redacted: github-token]"),
    (f"{TOKEN} and {TOKEN}", "[redacted: github-token] and [redacted: github-token]"),
    ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic [redacted: authorization-header]"),
    ("curl -u bob:hunter2 http://x", "curl -u bob:[redacted: command-password] http://x"),
    (f"-----BEGIN RSA PRIVATE KEY-----\n{BLOCK}\n{BLOCK}\nab", "[redacted: private-key]"),
    (f"-----BEGIN PRIVATE KEY-----\nProc-Type: 4\n\n{BLOCK} was it", "[redacted: private-key] was it"),
    ("hooks.slack.com/services/T0AB/B0CD/" + "a1B2" * 6, "hooks.slack.com/services/[redacted: slack-webhook]"),
]


@pytest.mark.parametrize(("text", "expected"), KEPT, ids=[text[:40] for text, _ in KEPT])
def test_what_stands_around_a_secret_is_kept(text: str, expected: str) -> None:
    """The whole value goes and nothing else, so that the note still says what it was about."""
    assert clean(text).text == expected


def test_a_secret_in_a_secret_is_one_secret_with_the_better_name() -> None:
    """A service account file names its key; the armour says more than the name."""
    text = f'"private_key": "-----BEGIN PRIVATE KEY-----\\n{BLOCK}\\n-----END PRIVATE KEY-----\\n"'
    assert clean(text) == ('"private_key": "[redacted: private-key]\\n"', ("private-key",))


def test_what_is_redacted_already_is_left_alone() -> None:
    """A mark in a text that comes back is a mark and no password, whatever name stands before it."""
    for name in ("password-assignment", "github-token", "anything-else"):
        text = f"password = [redacted: {name}] and the password is [redacted: {name}]"
        assert clean(text) == (text, ())
