"""One section at a time: paragraphs, lists, tables and commands become facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treering.documents.harvest.blocks import Item, is_link, is_listed, tree
from treering.documents.harvest.changes import Fact
from treering.documents.harvest.headings import fate, lead, plain, planned, refusal, role, says_something, when
from treering.documents.harvest.inline import reduce
from treering.documents.harvest.prose import FEWEST_WORDS, count, leans, sentences, thoughts
from treering.documents.harvest.questions import answered, asked, is_reply, licence, unreplied
from treering.documents.harvest.records import is_chore, is_vague, matters, uncredited
from treering.documents.harvest.tables import has_state, rows
from treering.documents.harvest.worth import is_action, is_binding, is_clean, is_noise, is_sized, is_worthy, kind

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Block
    from treering.documents.harvest.headings import Section

LONGEST_INTRODUCTION = 18  # words of a sentence before a list that are repeated in front of each item
LONGEST_CAPTION = 8  # words, the same for a table, whose columns say more
LONGEST_REVERSAL = 24  # words, if it says no: without it an item would say the opposite
LONGEST_PARENT = 14  # words, the same for an item above nested ones
WHOLE_ITEM = 60  # words up to which an item is one thought
LONGEST_TOGETHER = 60  # words of a how-to that is kept in one piece
NAME_WORDS = 4  # words; items no longer than this are names, and a list of names is one statement
LONGEST_ROW = 6  # words of a row of a table that keeps the nearest heading whatever its words
SHORTEST_PLAN = 2  # words: "Offline mode" says enough if it is planned for 2.0
LONGEST_COMMAND = 120  # characters of a command that may join the sentence before it
COMMAND_LINES = 2

_BOLD_LEAD = re.compile(r"\s*(?:\*\*|__)([^*_\n]{2,70}?)([.:]?)(?:\*\*|__)\s*([.:]|\s[-\u2013\u2014](?=\s))?\s*(?=\S)")
_BOLD_TITLE = re.compile(r"\s*(?:\*\*|__)([^*_\n]{2,70}?)(?:\*\*|__)\s*:?\s*$")
_DASH = re.compile(r" [-\u2013\u2014] ")
_STRUCK = re.compile(r"\s*~~([^~]+)~~(.+)", re.DOTALL)
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
        self._licensed = False
        self._question = ""  # what the paragraphs that follow answer

    def licence(self, section: Section) -> None:
        """Add the licence of the project, from the first place that names it."""
        for block in section.blocks:
            if not self._licensed and (name := licence(block, section.path, self._links)):
                self._licensed = True
                text = lead(list(section.labels[:1]), f"Licensed under {name}.")
                self._texts.add(text)
                self.found.append(Fact(text, block.line, "semantic", section.path))

    def take(self, section: Section, record: bool) -> None:
        self._section = section
        self._sparing = record and section.role == "context"
        self._news = "version" in section.roles or "changelog" in section.roles
        self._question = ""
        muted = False  # below bold words that stand for a heading, and open what does not hold
        introduction = ""
        place = 0
        while place < len(section.blocks):
            end = place + 1
            block = section.blocks[place]
            if (title := _BOLD_TITLE.match(block.text)) is not None and block.kind == "paragraph":
                muted = role(plain(title[1])) == "unchosen"
            if is_listed(block):
                while end < len(section.blocks) and is_listed(section.blocks[end]):
                    end += 1
                if not muted and (labels := self._context(introduction)) is not None:
                    above = self._question
                    self._list(tree(list(section.blocks[place:end])), labels)
                    self._question = above
            elif block.kind == "table" and not muted:
                self._table(block, introduction)
            elif block.kind == "paragraph" and not muted:
                after = section.blocks[end] if end < len(section.blocks) else None
                introduction = self._paragraph(block, after, place == 0)
            if block.kind not in ("paragraph", "code") or muted:
                introduction = ""
            place = end

    def _table(self, block: Block, introduction: str) -> None:
        told = count(introduction) <= LONGEST_CAPTION
        context = self._context(introduction)
        if context is None and role(introduction.rstrip(": ")) == "unchosen":
            return
        labels = (context if told else None) or list(self._section.labels)
        if "roadmap" in self._section.roles:
            labels = [*labels, self._state(labels, "roadmap" if has_state(block) else "")]
        for line, row in rows(block, self._links):
            # The words of a short row may be those of the heading, and it still is not understood without it.
            near = next((label for label in reversed(labels) if says_something(label)), "")
            own = near if count(row) <= LONGEST_ROW else ""
            self._add(row, block.line + line, [label for label in labels if label != own], "semantic", own)

    def _state(self, labels: list[str], word: str = "", done: bool = False) -> str:
        state = planned(self._section, done, word)
        return state if any(labels) else state[:1].upper() + state[1:]

    def _context(self, introduction: str) -> list[str] | None:
        """Return what stands in front of the items of a list; none if they would say the opposite
        without a long sentence.
        """
        labels = [*self._section.labels, *([self._question] if self._question else [])]
        if role(introduction.rstrip(": ")) == "unchosen":
            return None
        if role(introduction.rstrip(": ")) == "refused":
            return [*labels, refusal(introduction)]
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
        if "team" in self._section.roles and ": " not in text:
            return  # who does what is kept, how good they are is not
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
        """Add the facts of a paragraph, and return the sentence at its end that introduces what comes after it."""
        if is_link(block.text):
            return ""
        text, label, skipped = self._unlabelled(block.text)
        if role(label) == "unchosen" or (first and label and is_noise(f"{label}:")):
            return ""  # options, or the date and the author at the top
        may_ask = "?" in block.text or self._question
        found = asked(block.text, reduce(block.text, self._links) if may_ask else "")
        if found.question or self._question:
            self._question = found.question or self._question
            self._answer(found.answer, block.line + found.skipped, list(self._section.labels))
            if found.question and found.answer.strip():
                self._question = ""  # it has been answered at once
            return ""
        said = sentences(text)
        introduction = said[-1] if said and said[-1].text.endswith(":") else None
        command = _command(after)
        labels = list(self._section.labels)
        if said and labels[-1:] != [] and labels[-1].endswith("?") and is_reply(said[0].text):
            self._question = labels[-1]
            self._answer(text, block.line + skipped, labels)
            self._question = ""
            return ""
        grounded = bool(label) or (first and any(map(says_something, labels)) and not (said and is_reply(said[0].text)))
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

    def _answer(self, text: str, line: int, above: list[str]) -> None:
        """Add each thought of an answer, with the question in front of it."""
        question = self._question
        bare = answered(text)
        line += text[: len(text) - len(bare)].count("\n")
        labels = [label for label in above if label != question]

        def wanted(thought: str) -> bool:
            said = unreplied(thought)
            return not is_noise(question) and (not said or is_clean(said))

        for thought in thoughts(sentences(bare), wanted, True):
            if is_sized(f"{question} {thought.text}") and not thought.text.endswith(":"):
                self._keep(thought.text, line + thought.line, labels, own=question)

    def _lasts(self, text: str) -> bool:
        """Return whether a sentence lasts: around a list of changes or plans, only one that is
        bound to something does.
        """
        if self._news:
            return matters(text)
        return "roadmap" not in self._section.roles or bool(when(text)) or fate(text) != ""

    def _unlabelled(self, raw: str) -> tuple[str, str, int]:
        """Return the reduced text without the bold words it opens with, those words, and the lines
        that went with them.
        """
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
        texts = [self._shown(item) for item in items]
        if self._joined(items, texts, labels):
            return
        for item, text in zip(items, texts, strict=True):
            self._item(item, text, labels)

    def _shown(self, item: Item) -> str:
        raw = item.block.text
        if "roadmap" in self._section.roles and (struck := _STRUCK.match(raw)) is not None and fate(struck[2]):
            raw = f"{struck[1]} {struck[2]}"  # what was struck is what was dropped
        return " ".join(reduce(raw, self._links).split())

    def _joined(self, items: list[Item], texts: list[str], labels: list[str]) -> bool:
        """Add a short how-to, or a list of names, as one fact, and return whether it was one."""
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
        """Return the labels of an entry of a plan, or of one with a box."""
        section = self._section
        if "roadmap" not in section.roles and not item.block.check:
            return labels
        if "roadmap" not in section.roles and any(map(_CHECKLIST.search, section.path)):
            return labels
        if "roadmap" not in section.roles:
            return [*labels, "done" if item.block.check == "x" else "open"]
        word = "roadmap" if fate(self._shown(item)) else ""
        return [*labels, self._state(labels, word, item.block.check == "x")]

    def _asked(self, item: Item, text: str, labels: list[str]) -> bool:
        """Add an answer with its question, and return whether an item is a question, an answer or both."""
        found = asked(item.block.text, text)
        if not found.question and not is_reply(text):
            return False
        near = labels[-1] if labels and labels[-1].endswith("?") else ""
        self._question = found.question or self._question or near
        if self._question:
            self._answer(found.answer, item.block.line, labels)
        if found.answer.strip():
            self._question = ""
        return True

    def _text(self, item: Item, text: str, labels: list[str]) -> None:
        if self._asked(item, text, labels):
            return
        roles = self._section.roles
        text = _DASH.sub(": ", text, count=1) if "team" in roles else text
        if (
            ("roadmap" in roles or "refused" in roles)
            and SHORTEST_PLAN <= count(text) < FEWEST_WORDS
            and is_clean(text)
        ):
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
        """Add an item above others as a statement of its own, or put it in front of each of them."""
        _, label, _ = self._unlabelled(item.block.text)
        about = text.rstrip(": .") if count(text) <= LONGEST_PARENT else label
        if role(about) == "unchosen":
            return
        about = refusal(about) if role(about) == "refused" else about
        if not text.endswith(":") and count(text) > NAME_WORDS:
            self._text(item, text, labels)
        self._list(item.children, [*labels, about] if about else labels)

    def _further(self, block: Block, text: str, labels: list[str]) -> None:
        about = text.rstrip(": .") if count(text) <= LONGEST_PARENT else ""
        for thought in thoughts(sentences(reduce(block.text, self._links)), is_clean, False):
            if not thought.text.endswith(":") and is_sized(thought.text):
                self._keep(thought.text, block.line + thought.line, [*labels, about] if about else labels)


def _points(introduction: str) -> bool:
    """Return whether it speaks of what stands before it, which will not be there: "Use them to:"."""
    return leans(introduction) or not _POINTED.isdisjoint(introduction.lower().rstrip(":").split()[:3])


def _command(block: Block | None) -> str:
    """Return a short command, or a line or two of configuration, that may stand in a sentence."""
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
