"""Split a document at its headings.

Each section knows what its headings say of it: of what kind it is, and what must stand in front of
its facts.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from treering.documents.harvest.inline import reduce
from treering.text.words import STOP_WORDS, folded

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Block, Document


LONGEST_LABEL = 14  # words of a heading that are put in front of a fact; what is longer is a sentence
DEEPEST_LABEL = 2  # headings below the title that are put in front: the nearest say most

_NUMBER = re.compile(r"(?:\(?\d{1,3}(?:\.\d{1,3}){0,4}[.):]?|0\d{2,4}[.:]?)\s+(?=\S)(?![-\u2013\u2014])")
_WELCOME = re.compile(r"(?:welcome to|introduction to|introducing|what (?:is|are)(?=.*\?$))\s+", re.IGNORECASE)
_ANCHOR = re.compile(r" ?\{[#.][^{}]*\}$| ?\u00b6$")

# Headings that tell a reader where he is and nothing about the subject.
_EMPTY_WORDS = frozenset(
    """overview introduction intro about features feature highlights usage basic basics use using getting started start
    quick quickstart note notes detail details description summary general miscellaneous misc background documentation
    docs doc guide main warning caution tip hint attention danger key info information more readme value content
    contents core design additional advanced other
    important remarks remark faq concepts concept key-features explanation text tldr tl dr what why how it this does
    works work is are project principles a an the and of to in for on with""".split()
)

_ALERTS = frozenset("note notes warning caution tip hint attention danger important info remark update nb".split())

# The parts of "Rejected alternatives", "Options considered", "Other designs we looked at".
_WEIGHED = r"(?:considered|rejected|other|alternative|discarded|dismissed|evaluated|discounted)"
_CHOICES = r"(?:options|alternatives?|ideas|approaches|designs|solutions|proposals|variants|choices)"
_TURNED = r"(?:considered|rejected|evaluated|discarded|dismissed|not (?:chosen|taken)|looked at|ruled out|turned down)"

# What a heading opens, by how it begins. The first that fits counts.
_ROLES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (role, re.compile(pattern, re.IGNORECASE))
    for role, pattern in (
        (
            "skipped",
            r"(table of )?contents?$|toc$|table of|index$|navigation|on this page|footnotes?$|badges|"
            r"(all )?contributors?\b|new contributors|collaborators$|"
            r"acknowledge?ments?|(special )?thanks|credits?$|authors?$|maintainers$|sponsors?|backers|partners|"
            r"donat|funding|licen[cs]e|licensing|copyright|citations?\b|citing|references?$|see also|"
            r"further reading|read (on|more)|(useful )?(links|resources)$|bibliography|related|learn more|"
            r"more (information|info|details)$",
        ),
        (
            "skipped",
            r"star history|community|get(ting)? (help|involved)|help$|contact|social|stay (tuned|in touch)|news\b|"
            r"support us|code of conduct|testimonials|who('s| is)? us(es|ing)|used by|built with|showcase|gallery|"
            r"screenshots?|success stories|examples?$|.*\bexamples?$|example usage|usage examples?|demo$|"
            r"(for )?enterprise|commercial support|professional|we are hiring|jobs$|contributions? .*welcome|"
            r"call for contributions|model card (contact|authors)|comparison|(the )?latest (runs?|results?|figures)|"
            r"benchmarks? results|results$|full changelog|give feedback|feedback$",
        ),
        (
            "unchosen",  # what was thought of and not done, and what nobody has decided
            rf"(appendix( \w)?\W+)?(alternatives\b|alternative$|({_WEIGHED} ((and|or) )?)+{_CHOICES}\b|"
            rf"{_CHOICES},? (that )?((we|i|they) (have |had )?)?{_TURNED})|(rejected|discarded)$|"
            rf"(what|things) (we|i|they) {_TURNED}|pros (and|&|/|vs\.?) cons|advantages and disadvantages|"
            r"(open|unresolved|unanswered) (questions|issues|points)$",
        ),
        (
            "refused",
            r"(not|never|no longer) (planned|supported|in scope|goals?|doing)|(explicitly )?out[- ]of[- ]scope|"
            r"non-? ?goals?\b|anti-?goals?\b|won['\u2019]?t\b|will not\b|(dropped|cancell?ed|abandoned|scrapped)$",
        ),
        ("team", r"((our|the|core|project) )*team( members)?$|.*\bteam members|who('s| is) who|who (does|owns) what"),
        ("status", r"status$"),
        ("options", r"options\b|rejected|decision drivers|drivers$|discussion$|questions$"),
        ("decision", r"(the )?decisions?\b|resolution$|outcome$|chosen option"),
        ("consequences", r"((positive|negative|neutral) )?(consequences|impact$)|implications|trade-?offs?$"),
        ("context", r"context|problem( statement)?$|context and problem|motivation|background|(the )?issue$"),
        (
            "roadmap",
            r".*\b(road ?map|milestones?|planned|plans?|upcoming|backlog|future (work|plans|directions?)|to-?do)\b|"
            r"(next|later|now|what('s| is) next|coming soon|wish ?list)$",
        ),
        ("done", r"(done|completed?|shipped|released|finished|delivered)$"),
        (
            "changelog",
            r".*\b(change ?log|release (notes|history)|what'?s (new|changed)|history of changes)\b|changes$|history$",
        ),
    )
)
_REFUSALS = {
    "Will not be done": ("won", "will not"),
    "Not planned": ("not planned", "never planned", "no longer planned", "not doing"),
    "Not supported": ("not supported", "never supported", "no longer supported"),
    "Dropped": ("dropped", "cancel", "abandoned", "scrapped"),
}
_REVERSING = frozenset(("Not in scope", *_REFUSALS))
_VERSION = re.compile(
    r"(?:version |release |v\.? ?)?\[?v?(?:\d+\.\d+(?:\.\d+|\.x)?|20\d{6})[\w.+-]*\]?(?:\W+.{0,24}\d{2,4}.{0,12})?$|"
    r"\[?unreleased\]?$",
    re.IGNORECASE,
)
_PLAN = re.compile(r"\b(?:the|our|project|product|public|road ?map|milestones?|plans?|backlog|to-?do)\b", re.IGNORECASE)
_TRIAL = re.compile(r"\d(?:[-.]?(?:a|b|rc|alpha|beta|dev|pre)[-.]?\d*)\b", re.IGNORECASE)
_WHEN = re.compile(
    r"\b(?:v?\d+\.\d+(?:\.\w+)*|v\d+|(?:19|20)\d\d(?:-\d\d){0,2}|q[1-4](?: ?/? ?(?:20)?\d\d)?|h[12]|(?:january|"
    r"february|march|april|may|june|july|august|september|october|november|december) \d{4})\b",
    re.IGNORECASE,
)


def plain(heading: str, links: frozenset[str] = frozenset()) -> str:
    """Return a heading as it may be quoted: on one line, without its number, markup and final stop.

    The number goes because it changes whenever a section is put in before it.
    """
    text = _ANCHOR.sub("", " ".join(reduce(heading, links).split()))
    if _VERSION.match(text):
        return text.replace("[", "").replace("]", "")
    number = _NUMBER.match(text)
    bare = text[number.end() :] if number is not None else text
    return bare.strip("*_ #").rstrip(".:,; ") or text


@lru_cache(maxsize=1024)  # the headings above are asked for every section below them
def role(heading: str) -> str:
    """Return what kind of section a plain heading opens, or nothing in particular."""
    if _VERSION.match(heading):
        return "version"
    return next((name for name, pattern in _ROLES if pattern.match(heading)), "")


def is_trial(heading: str) -> bool:
    """Return whether a version is one before a release, whose notes come again with the release."""
    return _VERSION.match(heading) is not None and _TRIAL.search(heading) is not None


def when(heading: str) -> str:
    """Return the version, year or quarter that a heading names."""
    found = _WHEN.search(heading)
    return found[0] if found is not None else ""


def titled(heading: str) -> str:
    """Return a title without the greeting."""
    greeting = _WELCOME.match(heading)
    return (heading[greeting.end() :].rstrip("?! ") if greeting is not None else heading.rstrip("! ")) or heading


def named(path: str) -> str:
    """Return a title for a document that has none: the name of its file, or of its folder if the file is a README."""
    pieces = [piece for piece in path.replace("\\", "/").split("/") if piece not in ("", ".", "..")]
    if not pieces:
        return ""
    stem = pieces[-1].rsplit(".", 1)[0]
    if stem.lower() in ("readme", "index", "metadata"):
        stem = pieces[-2] if len(pieces) > 1 else ""
    words = re.sub(r"^\d{1,5}[-_. ]+", "", stem).replace("_", " ").replace("-", " ").split()
    name = " ".join(words)
    return name[:1].upper() + name[1:]


def refusal(heading: str) -> str:
    """Return the heading of what will not come as a label: without it, what is below would say the opposite."""
    low = heading.lower()
    return next((told for told, words in _REFUSALS.items() if low.startswith(words)), "Not in scope")


def planless(label: str) -> str:
    """Return a heading of a plan without the words that say that it is one: "Shop roadmap" is about the shop."""
    return " ".join(_PLAN.sub(" ", label).split())


def says_something(heading: str) -> bool:
    return any(word not in _EMPTY_WORDS for word in folded(heading))


def lead(labels: list[str], text: str, own: str = "") -> str:
    """Return the text with what is needed in front of it to be understood alone.

    It depends on the headings above the text and on the text, and on nothing beside it: a fact
    stays the same when its neighbours change. A heading whose words are all in the text, or in a
    nearer heading, is left out; the text's own label (the term that it defines, the state of a
    plan) is not.
    """
    said = _stems(text) | _stems(own)
    chosen = [own] if own and own.lower() not in _ALERTS and not text.lower().startswith(own.lower()) else []
    for label in reversed(labels):  # from the nearest, which is the most telling
        stems = _stems(label)
        repeated = label.lower() in text.lower() if label in _REVERSING else stems <= said
        if label and says_something(label) and not repeated:
            chosen.insert(0, label)
            said |= stems
    front = ", ".join(label.replace(": ", " \u2013 ") for label in chosen)
    if not front:
        return text
    return f"{front} {text}" if front.endswith("?") else f"{front}: {text}"


def short(label: str) -> str:
    """Return a heading as a label."""
    words = label.split()
    return label if len(words) <= LONGEST_LABEL else " ".join(words[:LONGEST_LABEL]).rstrip(",;:") + " \u2026"


def _stems(text: str) -> set[str]:
    """Return words without their plural, so that a heading in the plural is seen in a sentence in the singular."""
    return {word.rstrip("s") or word for word in folded(text) if word not in STOP_WORDS}


_FATES = "dropped|cancell?ed|abandoned|rejected|postponed|deferred|scrapped|on hold|descoped|not happening"
_FATE = re.compile(
    rf"\b({_FATES})\W*$|^\W*({_FATES})\W*[:\u2013\u2014-]|[(\[]({_FATES})\b[^()]*[)\]]\W*$", re.IGNORECASE
)


class Section(NamedTuple):
    path: tuple[str, ...]  # the headings above, the title first
    labels: tuple[str, ...]  # those of them that may stand in front of a fact
    roles: tuple[str, ...]  # what each heading of the path makes of the section
    blocks: tuple[Block, ...]

    @property
    def role(self) -> str:
        """Return the role of the nearest heading that has one."""
        return next((name for name in reversed(self.roles) if name), "")


def sections(document: Document, name: str) -> list[Section]:
    """Return the sections of a document, in order, without its generated parts."""
    title = plain(document.front.get("title", "")) or named(name)
    path: list[tuple[int, str]] = []
    body: list[Block] = []
    found: list[Section] = []
    generated = False
    for block in document.blocks:
        if block.kind in ("begin", "end"):
            generated = block.kind == "begin"
        elif generated:
            continue
        elif block.kind == "heading":
            if body:
                found.append(_section(path, body, title))
            heading = plain(block.text, document.links)
            path = [(level, text) for level, text in path if level < block.level]
            if heading:
                path.append((block.level, heading))
            body = []
        else:
            body.append(block)
    found.append(_section(path, body, title))
    return [section for section in found if section.blocks]


def _section(path: list[tuple[int, str]], body: list[Block], title: str) -> Section:
    headings = tuple(text for _, text in path)
    roles = tuple(role(text) for text in headings)
    return Section(headings, tuple(_labels(path, roles, title)), roles, tuple(body))


def _labels(path: list[tuple[int, str]], roles: tuple[str, ...], title: str) -> list[str]:
    """Return the title and the nearest headings; of a plan, what it is for instead of that it is one."""
    own = [text for _, text in path]
    headed = bool(path) and path[0][0] == 1 and says_something(own[0]) and not roles[0]
    own = [short(titled(text)) for text in own]
    refused = [refusal(text) for text, kind in zip(own, roles, strict=True) if kind == "refused"][-1:]
    if "version" in roles:  # that it is a change is clear from the version
        own = [text for text, kind in zip(own, roles, strict=True) if kind != "changelog" or not title or role(title)]
    labels = own if headed else [title if not role(title) else "", *own]
    labels = [labels[0], *labels[1:][-DEEPEST_LABEL:]]
    if "roadmap" not in roles:
        # However deep it stands, what turns the text around is not left out.
        plainly = [label for label in labels if role(label) != "refused"] if refused else labels
        return [*plainly[:1], *refused, *plainly[1:]]
    passing = ("done", "version", "refused")
    plans = [planless(label) if role(label) == "roadmap" else label for label in labels if role(label) not in passing]
    return [label for label in plans if not when(label) and role(label) != "roadmap"]


def fate(entry: str) -> str:
    """Return what became of an entry of a plan that will not come, or not then, if it says so at
    its end or its beginning.
    """
    found = _FATE.search(entry)
    return next((word for word in found.groups() if word), "") if found is not None else ""


def planned(section: Section, done: bool, word: str = "") -> str:
    """Return how an entry of a plan is introduced: whether it is done, and for when it is meant."""
    date = next((found for text in reversed(section.path) if (found := when(text))), "")
    refused = next((text for text in reversed(section.path) if role(text) == "refused"), "")
    if refused:
        return "dropped" if refusal(refused) == "Dropped" else "not planned"
    word = word or ("done" if done or "done" in section.roles else "planned")
    return f"{word} for {date}" if date else word
