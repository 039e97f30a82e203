"""Under which licence a project stands: one short fact, whatever the words; the text of a licence is none."""

from __future__ import annotations

import re

from treering.harvest.markdown.inline import reduce

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.harvest.markdown.blocks import Block

LONGEST_STATEMENT = 400  # characters of the paragraph that names the licence; a longer one is its text

# What it is called in short, by what it may be called in full. The first that fits counts.
_NAMES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(rf"(?<![\w-])(?:{pattern})(?![\w])", re.IGNORECASE))
    for name, pattern in (
        ("MIT", r"MIT"),
        (
            "Apache-2.0",
            r"Apache(?:[- ]2(?:\.0)?| Licen[cs]e,?(?: Version)? 2(?:\.0)?| Software Licen[cs]e| Licen[cs]e)",
        ),
        ("BSD-3-Clause", r"(?:BSD[- ]3|3)[- ]Clause(?: BSD)?|(?:new|modified) BSD"),
        ("BSD-2-Clause", r"(?:BSD[- ]2|2)[- ]Clause(?: BSD)?|simplified BSD"),
        ("BSD", r"BSD"),
        ("AGPL-3.0", r"(?:GNU )?AGPL[- ]?v?(?:3(?:\.0)?)?|(?:GNU )?Affero General Public Licen[cs]e"),
        ("LGPL", r"(?:GNU )?LGPL(?:[- ]?v?[23](?:\.[01])?)?|(?:GNU )?Lesser General Public Licen[cs]e"),
        ("GPL-3.0", r"(?:GNU )?GPL[- ]?v?3(?:\.0)?|GNU General Public Licen[cs]e,?(?: version| v)? ?3(?:\.0)?"),
        ("GPL-2.0", r"(?:GNU )?GPL[- ]?v?2(?:\.0)?|GNU General Public Licen[cs]e,?(?: version| v)? ?2(?:\.0)?"),
        ("GPL", r"(?:GNU )?GPL|GNU General Public Licen[cs]e"),
        ("MPL-2.0", r"MPL(?:[- ]2(?:\.0)?)?|Mozilla Public Licen[cs]e"),
        ("ISC", r"ISC"),
        ("EUPL", r"EUPL|European Union Public Licen[cs]e"),
        ("EPL-2.0", r"EPL[- ]2(?:\.0)?|Eclipse Public Licen[cs]e"),
        ("BUSL", r"BUSL(?:-1\.1)?|Business Source Licen[cs]e"),
        ("CC0", r"CC0|(?:the )?public domain"),
        ("CC BY", r"CC[- ]BY(?:-\w\w){0,2}|Creative Commons Attribution"),
        ("Unlicense", r"(?:the )?Unlicense"),
        ("PSF", r"PSF|Python Software Foundation Licen[cs]e"),
        ("zlib", r"zlib licen[cs]e"),
        ("a proprietary licence", r"proprietary"),
    )
)
_HEADING = re.compile(r"licen[cs](?:e|es|ing)\b|copyright and licen[cs]e", re.IGNORECASE)
_UNDER = r"(?:dual[- ])?(?:licen[cs]ed|released|distributed|available|published|provided) (?:to you )?under"
# The project itself: the icons of a package may have another licence.
_STATEMENT = re.compile(
    rf"(?:(?:this|the) (?:project|package|library|software|repository|repo|program|tool|code|source code|module|app|"
    rf"application|work) (?:is|are) |(?P<name>[\w.-]+(?: [\w.-]+)?) is |all code is )?(?:open[- ]source,? )?"
    rf"(?:and )?(?:free,? )?{_UNDER}\b|licen[cs]e: ",
    re.IGNORECASE,
)


def licence(block: Block, path: tuple[str, ...], links: frozenset[str]) -> str:
    """The licence that a paragraph gives to the project of the document, or nothing."""
    if block.kind not in ("paragraph", "item") or len(block.text) > LONGEST_STATEMENT:
        return ""
    headed = len(path) < 3 and path[-1:] != () and _HEADING.match(path[-1]) is not None
    if not headed and " under " not in block.text and not block.text.lower().startswith("licen"):
        return ""
    text = " ".join(reduce(block.text, links).split())
    told = _STATEMENT.match(text)
    # "Foo is distributed under MIT" in the README of Foo; another name is another project.
    ours = told is not None and (not told["name"] or (path[:1] != () and told["name"].lower() in path[0].lower()))
    if not (ours or (headed and (told is None or not told["name"]))):
        return ""
    found = {}
    for name, pattern in _NAMES:
        if place := pattern.search(text):
            found[place.start()] = name
            text = f"{text[: place.start()]}{' ' * len(place[0])}{text[place.end() :]}"
    names = [found[place] for place in sorted(found)]
    return "" if len(names) not in (1, 2) else (" or " if " or " in text.lower() else " and ").join(names)
