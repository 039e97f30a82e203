"""A document parted at its headings, each part with what the headings above it make of it."""

from __future__ import annotations

from treering.core.tuples import NamedTuple
from treering.harvest.headings import DEEPEST_LABEL, named, plain, planless, role, says_something, short, titled, when

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.harvest.blocks import Block, Document


class Section(NamedTuple):
    path: tuple[str, ...]  # the headings above, the title first
    labels: tuple[str, ...]  # those of them that may stand in front of a fact
    roles: tuple[str, ...]  # what each heading of the path makes of the section
    blocks: tuple[Block, ...]

    @property
    def role(self) -> str:
        """That of the nearest heading that has one."""
        return next((name for name in reversed(self.roles) if name), "")


def sections(document: Document, name: str) -> list[Section]:
    """In order. What lies between the marks of a generated part is left out."""
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
    """The title and the nearest headings; of a plan, what it is for instead of that it is one."""
    own = [text for _, text in path]
    headed = bool(path) and path[0][0] == 1 and says_something(own[0]) and not roles[0]
    own = [short(titled(text)) for text in own]
    if "version" in roles:  # that it is a change is clear from the version
        own = [text for text, kind in zip(own, roles, strict=True) if kind != "changelog" or not title or role(title)]
    labels = own if headed else [title if not role(title) else "", *own]
    labels = [labels[0], *labels[1:][-DEEPEST_LABEL:]]
    if "roadmap" not in roles:
        return labels
    passing = ("done", "version", "refused")
    plans = [planless(label) if role(label) == "roadmap" else label for label in labels if role(label) not in passing]
    return [label for label in plans if not when(label) and role(label) != "roadmap"]


def planned(section: Section, done: bool) -> str:
    """How an entry of a plan is introduced: whether it is done, and for when it is meant."""
    date = next((found for text in reversed(section.path) if (found := when(text))), "")
    if "refused" in section.roles:
        return "not planned"
    if done or "done" in section.roles:
        return f"done for {date}" if date else "done"
    return f"planned for {date}" if date else "planned"
