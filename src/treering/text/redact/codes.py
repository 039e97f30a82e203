"""Find what opens something and is no password: PINs, codes of recovery, seeds, licences, keys of a wireless net.

They are told in sentences too, with the words of the table in `prose`.
"""

from __future__ import annotations

import re

from treering.text.redact.prose import ENDS, IS, OF, START
from treering.text.redact.rule import (
    FEWEST_DIGITS_AMONG_WORDS,
    Rule,
    Span,
    is_placeholder,
    is_reference,
    is_strong,
    secret_of,
)

_CODES = (
    r"(?:(?:recovery|backup|emergency|scratch|2fa|mfa)[- ]codes?|wiederherstellungscodes?"
    r"|codes? de (?:secours|récupération)|códigos? de (?:recuperación|respaldo))"
)
_CODE = r"(?=[a-z0-9-]*\d)[a-z0-9]{4,12}(?:-[a-z0-9]{4,12}){0,3}"
_SEED = r"(?:(?:seed|recovery) (?:phrase|words)|seed|mnemonic(?: phrase)?)"
_SEED_WORDS = 12  # at least, of three to eight letters each
# What is not in the list of such words.
_UNSEEDED = frozenset(("the", "and", "are", "was", "for", "not", "your", "from", "with"))
_LOCKS = "door|gate|alarm|safe|entry|lock|unlock|garage|tür|tuer|haus|tresor|schließfach|garagen"
_NEXT = r"(?a)[,;]?[ \t]+[A-Za-z]+[:=]"  # another setting on the same line
_WIFI = r"(?:wi-?fi|wlan|wireless|ssid|hotspot)"
_WIFI_KEY = r"(?:network )?(?:key|code|schlüssel|schluessel|clé|clave|chiave|sleutel)"
_FEWEST_KEY_DIGITS = 8  # of a key of digits and hyphens alone


def _judge_seed(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    return (start, end) if _UNSEEDED.isdisjoint(re.split("[ ,]+", text[start:end].lower())) else None


def _judge_number(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    ends = re.compile(ENDS).match(text, end) or re.compile(_NEXT).match(text, end)
    return (start, end) if end - start >= FEWEST_DIGITS_AMONG_WORDS or ends else None


def _judge_licence(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    return (start, end) if any(map(str.isdigit, text[start:end])) else None


def _judge_wifi(text: str, match: re.Match[str]) -> Span | None:
    start, end = secret_of(match)
    value = text[start:end].rstrip(".:)")
    is_number = sum(map(str.isdigit, value)) >= _FEWEST_KEY_DIGITS and not any(map(str.isalpha, value))
    fits = is_number or (is_strong(value) and not is_reference(value) and not is_placeholder(value))
    return (start, start + len(value)) if fits else None


CODES = (
    Rule(
        "recovery-codes",
        ("code", "código"),
        rf"{START}{_CODES}{OF}{IS}[\s\"'`*-]+({_CODE}(?:[\s,;|*]+{_CODE}){{0,31}})",
        "recovery codes: {3a}{2d}-{3a}{2d} {3a}{2d}-{3a}{2d}",
        lambda text, match: secret_of(match),
        folded=True,
        anywhere=True,
    ),
    Rule(
        "seed-phrase",
        ("seed", "recovery ", "mnemonic"),
        rf"{START}{_SEED}{OF}{IS}[\s\"'`]+([a-z]{{3,8}}(?:[ ,]+[a-z]{{3,8}}){{{_SEED_WORDS - 1},23}})",
        "seed phrase: abandon ability able about above absent absorb abstract absurd abuse access accident",
        _judge_seed,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "pin",
        ("pin", "code", "geheimzahl", "código", "puk"),
        rf"{START}(?:(?:pin|puk)(?:[- ]?(?:code|nummer|number|2))?|(?:{_LOCKS})[- ]?(?:code|pin)"
        rf"|code (?:secret|pin)|geheimzahl|código secreto){OF}(?:{IS}|(?<=pin)|(?<=code)) [\"'`]?(\d{{4,8}})(?!\d)",
        "the PIN of the door is {6d}",
        _judge_number,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "licence-key",
        ("licen", "lizenz", "product", "produkt", "serial", "activation", "aktivierung"),
        rf"{START}(?:licen[cs]e|lizenz|product|produkt|serial|activation|aktivierungs)[- ]?"
        r"(?:key|schlüssel|code|number|nummer)"
        rf"{OF}(?:{IS})?[ \"'`]{{1,3}}([a-z0-9]{{4,8}}(?:-[a-z0-9]{{4,8}}){{2,8}})(?![\w-])",
        "activation code {4A}2-{4A}3-{4A}4-{4A}5",
        _judge_licence,
        folded=True,
        anywhere=True,
    ),
    Rule(
        "wireless-key",
        ("wifi", "wi-fi", "wlan", "wireless", "ssid", "hotspot"),
        rf"(?:{_WIFI}[^\n]{{0,60}}?[ ,;(-]{_WIFI_KEY}|{_WIFI_KEY}[^\n]{{0,10}} {_WIFI}[^\n:=]{{0,30}}?)"
        r"(?: is| ist| est| es)?[:= ]{1,3}[\"'`]?([^\s\"'`,;]{8,63})",
        "wifi: Guest, key: {9}{3d}",
        _judge_wifi,
        folded=True,
        anywhere=True,
    ),
)
