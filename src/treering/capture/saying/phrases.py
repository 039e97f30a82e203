"""Expressions made of phrases, so that a list of them can be read."""

from __future__ import annotations


def any_of(phrases: str) -> str:
    """An expression for any of some phrases, which are parted by commas."""
    return "(?:" + "|".join(" ".join(phrase.split()) for phrase in phrases.split(",")) + ")"


# Things that "this" may stand before, and which are understood without seeing them.
PLACES = any_of(
    """repo(?:sitory)?, project, code ?base, monorepo, team, company, org, organi[sz]ation, app, application,
    service, product, workspace, machine, laptop, package, library, server, system, office, api, warehouse, cluster,
    shop, site, crate, module, plugin, website, platform, stack, house, lab, firmware, frontend, backend, front
    ?end, back ?end, ui, client"""
)
HERE = (
    r"(?:here|around here|everywhere|anywhere|with us|"
    rf"(?:in|on|for|at|across|of|throughout) (?:this|our|the whole) (?:\w+ )?{PLACES}\b|(?:across|in"
    r"|throughout) the (?:repo(?:sitory)?|project|code ?base|monorepo)\b|(?:all over|throughout) the \w+\b|"
    r"(?:in|on|for|across|of) (?:all (?:of )?our|our other|every) (?:\w+ )?\w+\b|in our (?:\w+ )?\w+s\b)"
)
NAME = r"(?:_+|[\w@%](?:[\w'./@:%-]*[\w'%/-])?)"  # a word, a name in code, or something that is quoted
SOFT = any_of(
    """please, pls, plz, kindly, also, just, then, really, and, but, so, do, you should, you must, you need to, you
    have to, can you, could you, would you, will you, make sure to, make sure you, make sure that you, make sure we,
    make sure, be sure to, try to, remember to, i want you to, i need you to, i'd like you to, i would like you to,
    we should, we must, we need to, we have to, let's, let us, if possible, again, instead, rather, ideally, i'd ask
    you to"""
)
