"""Tell which sentences of a document are worth remembering.

Left out are pointers, talk, praise, placeholders, licences and bare installations. Most are known
by phrases, looked up by their first word: a search with patterns alone takes four times as long.
Where words may stand in between, a pattern is tried if one of its words is there.
"""

from __future__ import annotations

import re

from treering.documents.harvest.prose import FEWEST_WORDS, LONGEST_SENTENCE, count
from treering.text.words import folded

# Anywhere in a sentence. Case, punctuation and apostrophes do not count: "don't" is "don t".
_ANYWHERE = """
lorem ipsum / coming soon / more information needed / work in progress
this file is generated / this page is generated / this section is generated / this document is generated
please see / please refer / please read / please visit / please check / blog post / step by step guide / tutorial /
webinar / newsletter / click here / read more / learn more / you can find / documentation is available
for more information / for more info / for more details / for further information / for further details /
for full details / for complete details / for additional information / for more examples /
more information can be found / more details can be found / more information about / more details about /
more information is available / described here / documented here / explained here / listed here / available here /
found here / described below / listed below / shown below / given below / outlined below / shown above /
listed above / described above / mentioned above / given above / example above / example below / code above /
code below / table above / table below / figure above / figure below / list below / list above / above example /
below example / following example / following examples / following code / following snippet / following table /
following image / following figure / following diagram / following section / following screenshot /
following output / following list / following plot / as follows / in this example / in this section /
in this tutorial / in this guide / in this document / on this page / here s an / here s a / here s the /
here s how / here is an / here is a / here is the / here is how / looks like this / look like this / looks like so
i think / i hope / i would / i m / i am / i have / i ve / my own / in my opinion / we hope / hopefully /
stay tuned / contributions are welcome / contributions are very welcome / contributions are always welcome /
contributions are greatly / contributions are appreciated / contribution is welcome / pull requests are welcome /
give it a star / give us a star / buy me a / special thanks / sponsored by / is sponsored / was inspired by /
grateful / in our blog / in the blog / in our paper / in the paper / we would like / we would love / we d love /
we d like
documentation at / reference documentation / is ideal for / are ideal for / stackoverflow / stack overflow / irc /
gitter / contribution guide / skip this section / head over to / above code / above snippet / very much welcome /
features to come / donating / patreon / code of conduct / uphold this code / try this out / i don t /
plays nicely / without effort / the hope is / check how we / blazing / blazingly / wonderful / super welcome /
tidelift / professional support / for the needs of / lightning fast / world class / state of the art /
best in class / awesome / delightful / effortless / effortlessly / seamless / seamlessly / cutting edge /
game changer / game changing / supercharge / unleash / next generation / next gen / revolutionary / magical /
magically / beautifully / gorgeous / stunning / unparalleled / amazing / incredible / incredibly / battle tested /
developer friendly / hassle free / trusted by / loved by / millions of downloads / millions of users /
millions of projects / used by companies / used by thousands / used by millions / most popular / super easy /
just works / great place to start
licensed under / licenced under / all rights reserved / hereby granted / without warranty / warranties /
redistribution and use / distributed under / copyright c / public license
"""

# At the beginning of a sentence.
_OPENINGS = """
see / check out / visit / refer to / have a look / take a look / head over / follow us / subscribe / learn more /
find out more / more info / more details / more on / more about / cf / full documentation / full changelog /
full docs / source code / homepage / documentation is / documentation can be / documentation for
let s / now let / now we / next we / first we / we re excited / we are excited / we are happy / we are proud /
we are thrilled / we are pleased / we are working / we re working / thanks / thank you / many thanks / kudos /
congrat / hello / hi / welcome / enjoy / feel free / note how / as you can / as you might / as you may / imagine /
suppose / say you / don t worry / if you like / if you find / if you want to help / if you want to contribute /
if you want to support / if you want to learn / if you have any / if you have questions / if you have feedback /
if you are interested / if you would like to contribute / if you would like to help / all notable changes / which /
yes / discuss / discover / we ve launched / our aim is / designed for / an example / as an example /
complete documentation / you can also install / sometimes / there are a few / there are several / there are many /
there are various / we provide some / we provide a number / we provide a few / we wrote / we re partnering /
you can check / try this / try it / this repository contains the source / if you re just getting started /
that s it / that is it
"""

_SPACED: tuple[tuple[frozenset[str], re.Pattern[str]], ...] = tuple(
    (frozenset(words.split()), re.compile(pattern, re.IGNORECASE))
    for words, pattern in (
        (
            "see refer consult check read visit find browse look go join contact watch star download click",
            r"\b(?:see|refer to|consult|check|read|visit|find|browse|look at|go to|join|contact|watch|star|download|"
            r"click)(?: also| on)? (?:the|our|this|these|its|their|more|here|us|my)\b.{0,60}\b(?:docs?|"
            r"documentation|guide|page|website|wiki|section|paper|blog|post|details|examples?|information|"
            r"notebooks?|repo(?:sitory)?|readme|changelog|release notes|discord|slack|gitter|channel|forum|article|"
            r"faq|community|links?)\b",
        ),
        ("your my insert enter some name todo describe fill", r"<(?:your|my|insert|enter|some|name|todo)\b[^<>]*>"),
        ("your insert fill describe", r"\[(?:your|insert|fill|describe)\b[^\[\]]*\]"),
        ("see", r"[,(] ?see (?:also )?(?:[\w`./-]+ ?){1,5}\)?\.?$|\bsee (?:our|my)\b"),
        (
            "see found available published",
            r"\b(?:see|found|available|published)(?: at| on)?:? (?:https?:|www\.|the \w+ website|`?\w+ website)",
        ),
        ("see", r"\bsee `?[\w.-]+/[\w./-]+"),
        ("following", r"\bthe following\.?$"),
        ("above below", r"\b(?:above|below)(?=[,.;:)]|$)"),
        ("available", r"^there (?:are|is) also\b.{0,60}\bavailable"),
        ("available installed installable", r"\b(?:available|installed|installable) .{1,20}\b(?:pip|pypi|conda|npm)\b"),
        ("research publication", r"^if you use \w+ in (?:your )?(?:research|a publication|academic)"),
        ("license licence", r"\bunder (?:the |an? )?(?:terms of the )?[\w.-]+(?: [\w.-]+)? licen[cs]e"),
        ("copyright", r"\bcopyright (?:\u00a9|\d{4})"),
        (
            "pip pip3 pipx uv poetry npm yarn pnpm cargo brew conda mamba gem apt go",
            r"`(?:\S+ -m )?(?:pip3?|pipx|uv pip|uv|poetry|npm|yarn|pnpm|cargo|brew|conda|mamba|gem|"
            r"(?:sudo )?apt(?:-get)?|go) (?:install|add|i|get)(?: -[-\w]+(?: conda-forge)?)* [\w./@-]+`$",
        ),
        (
            "pip npm conda pypi manager",
            r"^(?:you can |to )?(?:install\w*|get|add)\b.{0,60}\b(?:pip|npm|conda|pypi|package manager)\b.{0,40}$",
        ),
        (
            "status date deciders author authors updated created version tags reviewers informed story consulted",
            r"^[|\s]*(?:(?:decision |document |adr |rfc |current )?status|date|deciders?|authors?|last updated|updated|"
            r"created|version|tags|reviewers?|consulted|informed|technical story)\s*[:|]",
        ),
    )
)
_MACHINE = ("{{", "{%", "}}")  # of templates
_LEFT_OPEN = re.compile(r"\b(?:TODO|TBD|FIXME|XXX)\b")
_LICENCE = re.compile(
    r"permission is hereby granted|redistribution and use in source|the software is provided|"
    r"provided by the copyright|licensed under the apache license, version 2\.0 \(the|"
    r"gnu (?:lesser |affero )?general public license\s+version \d|mozilla public license,? version 2\.0\s+[=\d]|"
    r"terms and conditions for use|limitation of liability|without warranties or conditions",
    re.IGNORECASE,
)


def _phrases(text: str) -> dict[str, list[list[str]]]:
    index: dict[str, list[list[str]]] = {}
    for phrase in text.replace("\n", "/").split("/"):
        first, *rest = folded(phrase) or [""]
        index.setdefault(first, []).append(rest)
    del index[""]
    return index


_ANY, _FIRST = _phrases(_ANYWHERE), _phrases(_OPENINGS)


def is_noise(text: str) -> bool:
    """Return whether a sentence says nothing about the subject of its document."""
    words = folded(text)
    if not words or any(mark in text for mark in _MACHINE) or _LEFT_OPEN.search(text) or _opens(words):
        return True
    for place, word in enumerate(words):
        if word in _ANY and any(words[place + 1 : place + 1 + len(rest)] == rest for rest in _ANY[word]):
            return True
    present = set(words)
    return any(not triggers.isdisjoint(present) and pattern.search(text) for triggers, pattern in _SPACED)


def is_licence(text: str) -> bool:
    return _LICENCE.search(text) is not None


def _opens(words: list[str]) -> bool:
    return any(words[1 : 1 + len(rest)] == rest for rest in _FIRST.get(words[0], ()))


FEWEST_SPOKEN = 2  # words outside of code; fewer are a listing
FEWEST_IN_PAIR = 2  # words of "Port: 8080", which is short and says all
FEWEST_IN_RULE = 3  # words of "No default exports", or "Use tabs only"
LONGEST_TEXT = 1_200  # characters; no sentence worth keeping is longer, and none longer is searched
SHORTEST_PROSE = 0.45  # share of letters and blanks; below it is a formula, a path, a row of figures

_PAIR = re.compile(r"[^:]{2,40}: \S")
_ADDRESS = re.compile(r"https?://\S+|www\.\S+")
_CODE = re.compile(r"`[^`]*`")
_QUESTION = re.compile(r"\?[\"'\u201d)]*$")
_PERSONAL = re.compile(r"(?<![\w`.])I (?=[a-z])")  # what one person did or thinks
_UNFINISHED = re.compile(r"(?:[,;(]|\b(?:and|or|with|e\.g\.|then add|such as))$")  # what follows is not text
_SPOKEN = re.compile(r"[\"\u201c\u2018'].{20,}[\"\u201d\u2019']?\s*[-\u2013\u2014]\s*[A-Z@][\w .,@-]{2,60}$")
_NOT_LETTERS = re.compile(r"[\W\d_]+")

# Words that make a sentence of the background a constraint.
_BINDING = re.compile(
    r"\b(?:must|cannot|can't|never|always|only|require[sd]?|requirement|limit(?:ed|s)?|at (?:most|least)|"
    r"no more than|not allowed|forbidden|mandatory|compliance|guarantee[sd]?|sla|budget|deadline|owns?|owned by)\b",
    re.IGNORECASE,
)
_ACTIONS = frozenset(
    """add adjust allow always apply ask assign avoid back backup build call cd change check choose clean clear click
    clone close commit compare configure confirm connect consider convert copy create cut declare define delete deploy
    describe disable do document don't download drain drop edit enable ensure enter escalate execute export extend fetch
    fill find follow force format generate get give go handle ignore implement import include increase initialise
    initialize insert inspect install invoke keep launch leave limit link list load log look make mark merge migrate
    mount move name never notify open override page pass paste pick pin place prefer prepare press provide publish
    pull push put raise read rebase rebuild record redeploy reduce refer register release remember remove rename replace
    report reproduce request require reset restart restore retry return revert review roll rollback rotate run save
    scale search select send set setup sign simply skip specify start stop store submit switch sync tag take test treat
    trigger try turn uninstall update upgrade upload use validate verify wait wrap write""".split()
)
# "Commit messages are short" gives no order, although one may commit.
_FINITE = frozenset("is are was were has have can may must should will does do cannot".split())
_ORDERED = re.compile(
    r"\byou (?:must|should|need to|have to|may not|can't|cannot)\b|\b(?:do not|don't|never|always) (?:use|call|"
    r"commit|run|set|rely|edit|store|put|pass|mix|add|log|write|push|merge|share|expose|hard-?code)\b|\bmake sure\b|"
    r"\bit is (?:recommended|advised|required) (?:to|that)\b|\bwe recommend\b|\b(?:please|be sure to)\b",
    re.IGNORECASE,
)
_PURPOSE = re.compile(
    r"(?:to|when|if|before|after|for|in order to|once)\b[^,:]{3,90}[,:] (?:please |then |you can |just )?(\w[\w']*)",
    re.IGNORECASE,
)


def is_worthy(text: str) -> bool:
    """Return whether a text, without its headings, is a statement that lasts."""
    return is_clean(text) and is_sized(text)


def is_clean(text: str) -> bool:
    """Return whether it is a statement about the subject: no question, no exclamation, no quotation, no noise."""
    if len(text) > LONGEST_TEXT or _QUESTION.search(text) or _SPOKEN.match(text) or _UNFINISHED.search(text):
        return False
    if _PERSONAL.search(text) or (text.endswith("!") and not _ORDERED.search(text)):
        return False
    return not is_noise(text)


def is_sized(text: str) -> bool:
    """Return whether it is of the size of a thought, in words and not in code or addresses."""
    if len(text) > LONGEST_TEXT:
        return False
    bare = _ADDRESS.sub("", text) if "www" in text or "http" in text else text
    paired = _PAIR.match(bare) is not None
    fewest = FEWEST_IN_PAIR if paired else FEWEST_IN_RULE if _is_rule(bare) else FEWEST_WORDS
    return fewest <= count(bare) <= LONGEST_SENTENCE and _is_prose(bare, 1 if paired else FEWEST_SPOKEN)


def is_binding(text: str) -> bool:
    """Return whether a sentence of the background of a decision is a constraint: only those are kept."""
    return _BINDING.search(text) is not None


def is_action(text: str) -> bool:
    """Return whether it begins with an order."""
    first, *rest = text.lower().split(maxsplit=4)[:4] or [""]
    return first.strip('*_,."') in _ACTIONS and not any(word in _FINITE for word in rest)


def kind(text: str) -> str:
    """Return the type of the memory that it makes: procedural if it tells somebody what to do."""
    purpose = _PURPOSE.match(text)
    if is_action(text) or _ORDERED.search(text) or (purpose is not None and is_action(purpose[1])):
        return "procedural"
    return "semantic"


def _is_rule(text: str) -> bool:
    return is_action(text) or text.lower().startswith(("no ", "never ", "always ", "only "))


def _is_prose(text: str, fewest: int) -> bool:
    spoken = _CODE.sub("", text)
    if text.isascii() and len(folded(spoken)) < fewest:
        return False
    blanks = spoken.count(" ")
    return len(_NOT_LETTERS.sub("", spoken)) + blanks >= SHORTEST_PROSE * len(spoken) and blanks < len(spoken)
