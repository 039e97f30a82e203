"""Build patterns from lists of phrases, and classify verbs."""

from __future__ import annotations

import re


def any_of(phrases: str) -> str:
    """Return a pattern for any of some phrases, separated by commas."""
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


# Words behind "always" and "never" that are no command.
_NONE = frozenset(
    """no not mind again been had seen heard got knew thought did the a an in on once really quite said told was were is
    are am i i'm we he she they it this that there nice good fun great happy love more less better worse too very so
    as at for of about and or but even wrong right true false sure worked failed happened gonna going ran broke saw
    made went came took gave found felt left lost met paid sent built wrote understood understand know remember
    forget get gets have seem seems able wanted needed thank thanks hurts late early easy hard possible enough
    available off null none zero empty one two three visible present open closed end ends fail crash break hang
    flicker my your our his her to been liked like wonder think hope here there let welcome""".split()
)
_ENDS_IN_S = frozenset("focus alias canvas bus bias".split())
_ENDS_IN_LY = frozenset("apply rely reply supply multiply comply imply".split())
_ENDS_IN_ED = frozenset("embed feed need seed shed".split())
_ENDS_IN_ING = frozenset("bring string ping".split())
_FAILING = re.compile(
    r"\b"
    + any_of(
        """fail(?:s|ed|ing)?, broken, breaks?, buggy, crash(?:es|ed|ing)?, doesn't work, not working, doesn't load,
        hangs?, stuck, flaky, flickers?, times? out, slow, confus\\w+, annoying, weird, strange, complain\\w*, can
        you, could you, can u, how do, should i, gets? lost"""
    )
    + r"\b"
)
_TROUBLE = re.compile(r"\b(?:errors?|failures?|bugs?|issues?|problems?|wrong|inconsistent)\b")
# What a program does: with "always" and "never" that is wanted of the product, and not of who writes it.
_PROGRAM = frozenset(
    """show hide display render redirect return emit fire trigger scroll play notify appear disappear pop blink animate
    autoplay expire logout highlight load fall send receive trim sort parse round escape cast strip throw raise retry
    flush block change fetch reload refresh reset clear default exit quit select match compare count increment decrement
    append prepend truncate filter allow accept reject deny pass reach resolve serialize encode decode pad crop focus
    blur pause mute poll sleep spawn exceed include contain point fit provide""".split()
)
_SHOWN = frozenset(
    "open close start stop log delete save create set turn pick reuse".split()
)  # that, too, if it is seen
_SEEN = re.compile(
    r"\b"
    + any_of(
        """banners?, buttons?, modals?, popups?, dialogs?, screens?, spinners?, toasts?, menus?, tooltips?, sidebar,
        navbar, footer, header, icons?, cursor, page, pages, users?, visitors?, customers?, players?, notifications?,
        cards?, checkbox, dropdown, form, viewport, dark mode, widget, twice, parallel"""
    )
    + r"\b"
)
# Signs that somebody who works is meant all the same.
_WORK = re.compile(
    r"\b(?:me|you|commits?|diffs?|pr|prs|ci|repo|codebase|project|tests?|us|ask|changelog|docs?|review)\b"
)


def is_base(verb: str) -> bool:
    """Tell whether a word may be a verb as a command has it."""
    if not verb or verb in _NONE or "'" in verb or verb.startswith("_"):
        return False
    if verb.endswith("ly") and verb not in _ENDS_IN_LY:
        return False
    if (verb.endswith("ed") and verb not in _ENDS_IN_ED) or (verb.endswith("ing") and verb not in _ENDS_IN_ING):
        return False
    return not verb.endswith("s") or verb.endswith("ss") or verb in _ENDS_IN_S


def is_failing(plain: str) -> bool:
    """Tell whether it tells of something that fails."""
    return bool(_FAILING.search(plain))


def is_trouble(plain: str) -> bool:
    """Tell whether it may tell what goes wrong."""
    return bool(_TROUBLE.search(plain) or _FAILING.search(plain))


def is_program(verb: str, rest: str) -> bool:
    """Tell whether a command is about what a program does, and not about who works on it."""
    if verb == "say" and "never" in rest:  # "never say never"
        return True
    if verb in _PROGRAM:
        return not _WORK.search(rest)
    return verb in _SHOWN and bool(_SEEN.search(rest))
