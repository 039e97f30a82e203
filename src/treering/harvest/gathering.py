"""One section at a time: paragraphs, lists, tables and commands become facts."""

from __future__ import annotations

import re

from treering.harvest.headings import lead, says_something, when
from treering.harvest.inline import reduce
from treering.harvest.lists import Item, is_link, is_listed, tree
from treering.harvest.prose import FEWEST_WORDS, count, leans, sentences, thoughts
from treering.harvest.releases import is_chore, is_vague, matters, uncredited
from treering.harvest.sections import planned
from treering.harvest.tables import rows
from treering.harvest.types import Fact
from treering.harvest.worth import is_action, is_binding, is_clean, is_sized, is_worthy, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.harvest.blocks import Block
    from treering.harvest.sections import Section

LONGEST_INTRODUCTION = 18  # words of a sentence before a list that are repeated in front of each item
LONGEST_CAPTION = 8  # words, the same for a table, whose columns say more
LONGEST_REVERSAL = 24  # words, if it says no: without it an item would say the opposite
LONGEST_PARENT = 14  # words, the same for an item above nested ones
WHOLE_ITEM = 60  # words up to which an item is one thought
LONGEST_TOGETHER = 60  # words of a how-to that is kept in one piece
NAME_WORDS = 4  # words; items no longer than this are names, and a list of names is one statement
SHORTEST_PLAN = 2  # words: "Offline mode" says enough if it is planned for 2.0
LONGEST_COMMAND = 120  # characters of a command that may join the sentence before it
COMMAND_LINES = 2

_BOLD_LEAD = re.compile(r"\s*(?:\*\*|__)([^*_\n]{2,70}?)([.:]?)(?:\*\*|__)\s*([.:]|\s[-\u2013\u2014](?=\s))?\s*(?=\S)")
_CALL = re.compile(r"[a-z./~$][\w./~-]*(?: (?![=:|])|$)")  # how a line begins that calls a program
_BARE_LINK = re.compile(r"(?<=[.!?])\s\[[^\[\]]+\]\([^()]*\)\.?(?=\s|$)")  # "All events." as a link to them
_SHELL = frozenset(
    {"", "sh", "bash", "shell", "console", "zsh", "fish", "terminal", "shell-session", "powershell", "cmd", "text"}
)
_CONFIGURATION = frozenset(
    {"toml", "yaml", "yml", "ini", "json", "cfg", "env", "dotenv", "sql", "make", "dockerfile", "properties"}
)
_EMPTY_INTRODUCTION = re.compile(
    r"^(?:.{0,40}\b)?(?:features?|following|includ(?:es?|ing)|these are|here are|such as|for example|offers?|"
    r"provides?|examples?|highlights?|list of \w+|as follows|notes?|namely|in particular|for instance|"
    r"advantages are|there are \w+ \w+)(?: \w+){0,3}:$",
    re.IGNORECASE,
)
_POINTED = frozenset("this these those it them they that".split())
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|cannot|can't|don't|doesn't|deprecated|removed|unsupported|except|avoid)\b",
    re.IGNORECASE,
)
_CHECKLIST = re.compile(
    r"check ?list|before (?:you|a|the|each)|definition of (?:done|ready)|release|review|steps|procedure", re.IGNORECASE
)


class Gathering:
    """The facts of one document, in order. A fact depends on its own text and on what stands above it."""

    def __init__(self, links: frozenset[str]) -> None:
        self.found: list[Fact] = []
        self._links = links
        self._texts: set[str] = set()
        self._section: Section
        self._sparing = False
        self._news = False

    def take(self, section: Section, record: bool) -> None:
        self._section = section
        self._sparing = record and section.role == "context"
        self._news = "version" in section.roles or "changelog" in section.roles
        introduction = ""
        place = 0
        while place < len(section.blocks):
            end = place + 1
            block = section.blocks[place]
            if is_listed(block):
                while end < len(section.blocks) and is_listed(section.blocks[end]):
                    end += 1
                if (labels := self._context(introduction)) is not None:
                    self._list(tree(list(section.blocks[place:end])), labels)
            elif block.kind == "table":
                told = count(introduction) <= LONGEST_CAPTION
                labels = (self._context(introduction) if told else None) or list(section.labels)
                for line, row in rows(block.text, self._links):
                    self._add(row, block.line + line, labels, "semantic")
            elif block.kind == "paragraph":
                after = section.blocks[end] if end < len(section.blocks) else None
                introduction = self._paragraph(block, after, place == 0)
            if block.kind not in ("paragraph", "code"):
                introduction = ""
            place = end

    def _context(self, introduction: str) -> list[str] | None:
        """What stands in front of the items of a list; none if they would say the opposite without a long sentence."""
        labels = list(self._section.labels)
        reverses = _NEGATION.search(introduction) is not None
        if reverses and count(introduction) > LONGEST_REVERSAL:
            return None
        if not introduction or (count(introduction) > LONGEST_INTRODUCTION and not reverses):
            return labels
        if (_EMPTY_INTRODUCTION.match(introduction) or _points(introduction)) and not reverses:
            return labels
        return [*labels, introduction.rstrip(": ")]

    def _add(self, text: str, line: int, labels: list[str], type: str = "", own: str = "") -> None:
        if is_worthy(text):
            self._keep(text, line, labels, type, own)

    def _keep(self, text: str, line: int, labels: list[str], type: str = "", own: str = "") -> None:
        if self._sparing and not is_binding(text):
            return  # of the background of a decision only the constraints are kept
        whole = lead(labels, text, own)
        if whole not in self._texts and "{{" not in whole:
            self._texts.add(whole)
            # What a release brought or a plan holds is news, also where it is told as an order.
            told = "semantic" if self._news or "roadmap" in self._section.roles else type or kind(text)
            self.found.append(Fact(whole, line, told, self._section.path))

    # Paragraphs

    def _paragraph(self, block: Block, after: Block | None, first: bool) -> str:
        """Takes a paragraph; gives the sentence at its end that introduces what comes after it."""
        if is_link(block.text):
            return ""
        text, label, skipped = self._unlabelled(block.text)
        said = sentences(text)
        introduction = said[-1] if said and said[-1].text.endswith(":") else None
        command = _command(after)
        labels = list(self._section.labels)
        grounded = bool(label) or (first and any(map(says_something, labels)))
        if command and said and (introduction is not None or is_action(said[-1].text)):
            last = said.pop()
            goal = last.text.rstrip(":. ")
            if not leans(goal):
                self._add(f"{goal}: {command}", block.line + skipped + last.line, labels, "procedural", label)
        elif introduction is not None:
            said.pop()
        for thought in thoughts(said, is_clean, grounded):
            if is_sized(thought.text) and self._lasts(thought.text):
                self._keep(thought.text, block.line + skipped + thought.line, labels, own=label)
        return introduction.text if introduction is not None else ""

    def _lasts(self, text: str) -> bool:
        """Around a list of changes or plans there is much talk: only what is bound to something is kept."""
        if self._news:
            return matters(text)
        return "roadmap" not in self._section.roles or bool(when(text))

    def _unlabelled(self, raw: str) -> tuple[str, str, int]:
        """The reduced text without the bold words it opens with, those words, and the lines that went with them."""
        raw = _BARE_LINK.sub(lambda link: "\n" * link[0].count("\n"), raw)
        bold = _BOLD_LEAD.match(raw)
        if bold is None or not (bold[2] or bold[3]):
            return reduce(raw, self._links), "", 0
        label = " ".join(reduce(bold[1], self._links).split())
        rest = raw[bold.end() :]
        return reduce(rest, self._links), label, raw[: bold.end()].count("\n")

    # Lists

    def _list(self, items: list[Item], labels: list[str]) -> None:
        items = [item for item in items if not is_link(item.block.text)]
        if not items:
            return
        texts = [" ".join(reduce(item.block.text, self._links).split()) for item in items]
        if self._joined(items, texts, labels):
            return
        for item, text in zip(items, texts, strict=True):
            self._item(item, text, labels)

    def _joined(self, items: list[Item], texts: list[str], labels: list[str]) -> bool:
        """A short how-to stays together, and a list of names is one statement."""
        whole = count(" ".join(texts)) <= LONGEST_TOGETHER and len(texts) > 1
        single = self._news or "roadmap" in self._section.roles
        if single or not whole or any(item.children or item.more or item.block.check for item in items):
            return False
        if items[0].is_ordered and sum(map(is_action, texts)) * 2 >= len(texts):
            steps = " ".join(f"{number}. {text.rstrip('.;')}." for number, text in enumerate(texts, 1))
            self._add(steps, items[0].block.line, labels, "procedural")
            return True
        named = max(map(count, texts)) <= NAME_WORDS and not any(": " in text for text in texts)
        if not named or not labels or not says_something(labels[-1]):
            return False
        if count(labels[-1]) + count(" ".join(texts)) < FEWEST_WORDS:
            return False
        names = "; ".join(text.rstrip(".;,") for text in texts)
        # The heading that these are the values of must stay, also if one of them repeats it.
        self._add(f"{labels[-1]}: {names}.", items[0].block.line, labels[:-1])
        return True

    def _item(self, item: Item, text: str, labels: list[str]) -> None:
        if self._news:
            text = uncredited(text)
            if is_chore(text) or (is_vague(self._section.path[-1]) and not matters(text)):
                return
        labels = self._marked(item, labels)
        command = _command(item.more[0] if item.more else None)
        if item.children:
            self._parent(item, text, labels)
        elif command and (text.endswith(":") or is_action(text)):
            self._add(f"{text.rstrip(':. ')}: {command}", item.block.line, labels, "procedural")
        elif not text.endswith(":"):
            self._text(item, text, labels)
        for block in item.more:
            if block.kind == "paragraph":
                self._further(block, text, labels)

    def _marked(self, item: Item, labels: list[str]) -> list[str]:
        """The labels of an entry of a plan, or of one with a box."""
        section = self._section
        if "roadmap" not in section.roles and not item.block.check:
            return labels
        if "roadmap" not in section.roles and any(map(_CHECKLIST.search, section.path)):
            return labels
        if "roadmap" not in section.roles:
            return [*labels, "done" if item.block.check == "x" else "open"]
        state = planned(section, item.block.check == "x")
        return [*labels, state if any(labels) else state.capitalize()]

    def _text(self, item: Item, text: str, labels: list[str]) -> None:
        if "roadmap" in self._section.roles and SHORTEST_PLAN <= count(text) < FEWEST_WORDS and is_clean(text):
            self._keep(text, item.block.line, labels)
            return
        if count(text) <= WHOLE_ITEM:
            self._add(text, item.block.line, labels)
            return
        rest, label, skipped = self._unlabelled(item.block.text)
        for thought in thoughts(sentences(rest), is_clean, bool(label)):
            if is_sized(thought.text):
                self._keep(thought.text, item.block.line + skipped + thought.line, labels, own=label)

    def _parent(self, item: Item, text: str, labels: list[str]) -> None:
        """An item above others: a statement of its own, or what the others are about."""
        _, label, _ = self._unlabelled(item.block.text)
        about = text.rstrip(": .") if count(text) <= LONGEST_PARENT else label
        if not text.endswith(":") and count(text) > NAME_WORDS:
            self._text(item, text, labels)
        self._list(item.children, [*labels, about] if about else labels)

    def _further(self, block: Block, text: str, labels: list[str]) -> None:
        about = text.rstrip(": .") if count(text) <= LONGEST_PARENT else ""
        for thought in thoughts(sentences(reduce(block.text, self._links)), is_clean, False):
            if not thought.text.endswith(":") and is_sized(thought.text):
                self._keep(thought.text, block.line + thought.line, [*labels, about] if about else labels)


def _points(introduction: str) -> bool:
    """Whether it speaks of what stands before it, which will not be there: "Use them to:"."""
    return leans(introduction) or not _POINTED.isdisjoint(introduction.lower().rstrip(":").split()[:3])


def _command(block: Block | None) -> str:
    """A short command, or a line or two of configuration, that may stand in a sentence."""
    if block is None or block.kind != "code":
        return ""
    written = [line.strip().removeprefix("$ ") for line in block.text.split("\n")]
    lines = [line for line in written if line and not line.startswith("#")]
    short = 0 < len(lines) <= COMMAND_LINES and sum(map(len, lines)) <= LONGEST_COMMAND
    known = block.note in _SHELL or block.note in _CONFIGURATION
    if not short or not known or any("`" in line or line.startswith((">", "{", "[")) for line in lines):
        return ""
    if not block.note and not all(map(_CALL.match, lines)):
        return ""
    return (
        " then ".join(f"`{line}`" for line in lines)
        if block.note in _SHELL
        else " ".join(f"`{line}`" for line in lines)
    )
