"""Whom a statement is about, and when it applies."""

from __future__ import annotations

import re

from treering.capture.catches import PERSON, PROCEDURAL, Catch
from treering.capture.saying.phrases import any_of

_PERSONAL = re.compile(
    r"^(?:i (?:\w+ )?(?:prefer|like|love|hate|dislike|don't|do not|can't stand|want|use|am|work|live|write|speak"
    r"|read|need)|i'm|i'd|call me|address me"
    r"|my (?:name|time ?zone|pronouns|editor|shell|keyboard|email|birthday|role|job|github|native language"
    r"|first language|preferred)"
    r"|(?:answer|reply|respond|speak|talk|write) (?:to me )?in |(?:keep|make) (?:your )?(?:answers|responses"
    r"|replies|explanations|messages|summaries)"
    r"|stop (?:apologi|explaining|summari|saying|thanking)"
    r"|(?:don't|never|do not|always) "
    + any_of(
        """apologi, explain, summari, say, thank, call me, end your, start your, answer, reply, respond, use emoji,
        give me, ask me, tell me, show me"""
    )
    + r"|(?:please )?(?:give|show|tell|ask|explain to) me )"
)
_IN_PROJECT = re.compile(r"\b(?:repo(?:sitory)?|project|codebase|we|our|team|here|branch)\b")
_TIMES = "(?:when(?:ever)?|before|after|if|every time|each time)"
_WHEN = re.compile(rf"^(?P<when>{_TIMES} [^,]{{3,120}}), (?:then )?(?P<then>\S.{{2,}})$")
_ACTS = any_of(
    """always, never, don't, do not, run, use, ask, make, check, update, add, tell, commit, push, rebase, squash,
    bump, regenerate, restart, format, lint, test, write, read, stop, put, explain, give, show, keep, please, only,
    do, start, set, pass"""
)
_THEN = re.compile(rf"^(?P<then>{_ACTS}\b[^,;]{{3,200}}?) (?P<when>(?:{_TIMES}|unless|without) \S[^;]{{2,}})$")


def shaped(catch: Catch, plain: str) -> Catch:
    """A catch with its scope; and if its words tell when and what, as a procedure."""
    if _PERSONAL.match(plain) and not _IN_PROJECT.search(plain):
        catch = catch._replace(scope=PERSON)
    content = catch.content.rstrip(".")
    lower = content.lower()
    found = (_WHEN.match(lower) or _THEN.match(lower)) if len(lower) == len(content) else None
    if found is None:
        return catch
    when, then = (content[slice(*found.span(name))].strip() for name in ("when", "then"))
    return catch._replace(type=PROCEDURAL, trigger=when[0].upper() + when[1:], action=then[0].upper() + then[1:])
