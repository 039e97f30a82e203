"""One section at a time: paragraphs, lists, tables and commands become facts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from treering.documents.harvest.blocks import Item, is_link, is_listed, tree
from treering.documents.harvest.changes import Fact
from treering.documents.harvest.inline import reduce
from treering.documents.harvest.prose import FEWEST_WORDS, count, is_reply, leans, sentences, thoughts
from treering.documents.harvest.sections import lead, plain, reverses, role, says_something
from treering.documents.harvest.tables import rows
from treering.documents.harvest.worth import is_binding, is_clean, is_order, is_sized, is_worthy

if TYPE_CHECKING:
    from treering.documents.harvest.blocks import Block
    from treering.documents.harvest.prose import Sentence
    from treering.documents.harvest.sections import Section

LONGEST_INTRODUCTION = 18  # words of a sentence before a list that are repeated in front of each item
LONGEST_REVERSAL = 24  # words, if it says no: without it an item would say the opposite
LONGEST_PARENT = 14  # words, the same for an item above nested ones
WHOLE_ITEM = 60  # words up to which an item is one thought, and a how-to is kept in one piece
NAME_WORDS = 4  # words; items no longer than this are names, and a list of names is one statement
LONGEST_LICENCE = 12  # words of a paragraph that names the licence; a longer one is its text
LONGEST_COMMAND = 120  # characters of a command that may join the sentence before it
COMMAND_LINES = 2

_BOLD = re.compile(r"\s*(?:\*\*|__)([^*_\n]{2,120}?)([.:?]?)(?:\*\*|__)\s*([.:]|\s[-\u2013\u2014](?=\s))?\s*")
_ASKED = re.compile(r"\s*(?:Q(?:uestion)?\s?\d*\s?[:.)]\s*)?([^?:]{2,200}\?)(?=\s|$)\s*", re.IGNORECASE)
_QUESTION = re.compile(r"\W*(?:Q(?:uestion)?\s?\d*\s?[:.)])|\s*(?:\*\*|__)[^*\n]{3,200}\?", re.IGNORECASE)
_ANSWER = re.compile(r"\W*A(?:nswer)?\s?\d*\s?[:)]\W*", re.IGNORECASE)
_CALL = re.compile(r"[a-z./~$][\w./~-]*(?: (?![=:|])|$)")  # how a line begins that calls a program
_SHELL = frozenset({"", "sh", "bash", "shell", "console", "zsh"})
_CONFIGURATION = frozenset({"toml", "yaml", "yml", "ini", "json", "cfg", "env", "sql"})
_CHECKLIST = re.compile(r"check ?list|definition of (?:done|ready)|release|steps", re.IGNORECASE)
_CHORE = re.compile(
    r"(?:[\w./()-]{1,30}!?: )?(?:fix\w*|bump\w*|upgrad\w*|updat\w*|typo|merge|revert|refactor|clean|test|docs?|ci|"
    r"chore|improv\w*|minor|internal)\b",
    re.IGNORECASE,
)
_CREDIT = re.compile(
    r"[,;]?\s?(?:\((?:[^()]{0,60}#\d+[^()]{0,40}|[0-9a-f]{7,40})\)|(?:by @[\w-]+ )?(?:in )?#\d+|by @[\w-]+)\.?$"
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
        self._question = ""  # what the paragraphs that follow answer

    def licence(self, section: Section) -> None:
        """Add the licence of the project, if a section of its own names it in a few words."""
        text = " ".join(reduce(section.blocks[0].text, self._links).split())
        named = role(section.path[-1]) == "licence" and count(text) <= LONGEST_LICENCE
        if named and "see " not in text.lower():
            self._put(lead(list(section.labels), text), section.blocks[0].line, "semantic", section)

    def take(self, section: Section, record: bool) -> None:
        self._section = section
        self._sparing = record and section.role == "context"
        self._news = bool({"version", "changelog"} & section.roles)
        self._question = ""
        introduction = ""
        place = 0
        while place < len(section.blocks):
            block, end = section.blocks[place], place + 1
            if is_listed(block):
                while end < len(section.blocks) and is_listed(section.blocks[end]):
                    end += 1
                if (labels := self._context(introduction)) is not None:
                    self._list(tree(list(section.blocks[place:end])), labels)
            elif block.kind == "table" and (labels := self._context(introduction)) is not None:
                for line, row in rows(block, self._links):
                    self._add(row, block.line + line, labels, "semantic")
            elif block.kind == "paragraph" and introduction is not _UNCHOSEN:
                after = section.blocks[end] if end < len(section.blocks) else None
                introduction = self._paragraph(block, after, place == 0)
            if block.kind not in ("paragraph", "code") and introduction is not _UNCHOSEN:
                introduction = ""
            place = end

    def _context(self, introduction: str) -> list[str] | None:
        """Return what stands in front of the items of a list; none if they would say the opposite
        without a long sentence.
        """
        labels = [*self._section.labels, *([self._question] if self._question else [])]
        words, turned = count(introduction), reverses(introduction)
        if introduction is _UNCHOSEN or role(introduction.rstrip(": ")) == "unchosen":
            return None
        if turned and words > LONGEST_REVERSAL:
            return None
        if not turned and (words > LONGEST_INTRODUCTION or leans(introduction)):
            return labels
        return [*labels, introduction.rstrip(": ")] if introduction else labels

    def _add(self, text: str, line: int, labels: list[str], type: str = "", own: str = "") -> None:
        if is_worthy(text):
            self._keep(text, line, labels, type, own)

    def _keep(self, text: str, line: int, labels: list[str], type: str = "", own: str = "") -> None:
        if self._sparing and not is_binding(text):
            return  # of the background of a decision only the constraints are kept
        # What a release brought is news, also where it is told as an order.
        told = "semantic" if self._news else type or ("procedural" if is_order(text) else "semantic")
        self._put(lead(labels, text, own), line, told, self._section)

    def _put(self, whole: str, line: int, type: str, section: Section) -> None:
        if whole not in self._texts and "{{" not in whole:
            self._texts.add(whole)
            self.found.append(Fact(whole, line, type, section.path))

    # Paragraphs

    def _paragraph(self, block: Block, after: Block | None, first: bool) -> str:
        """Add the facts of a paragraph, and return the sentence at its end that introduces what comes after it."""
        bold = _BOLD.match(block.text)
        if bold is not None and role(plain(bold[1])) == "unchosen":
            return _UNCHOSEN if bold.end() == len(block.text.rstrip()) else ""
        if is_link(block.text) or self._answered(block, block.text, list(self._section.labels)):
            return ""
        text, label, skipped = self._unlabelled(block.text)
        if first and label and not is_clean(f"{label}:"):
            return ""  # the date and the author at the top
        said = sentences(text)
        labels = list(self._section.labels)
        grounded = bool(label) or (first and any(map(says_something, labels)))
        if said and is_reply(said[0].text) and not (labels and labels[-1].endswith("?")):
            grounded = False
        introduction = said.pop() if said and said[-1].text.endswith(":") else None
        command = _command(after)
        goal = introduction or (said[-1] if said else None)
        if command and goal is not None and (introduction is not None or is_order(goal.text)):
            said = [one for one in said if one is not goal]
            line = block.line + skipped + goal.line
            if not leans(goal.text):
                self._add(f"{goal.text.rstrip(':. ')}: {command}", line, labels, "procedural", label)
        self._thoughts(said, block.line + skipped, labels, label, grounded)
        return introduction.text if introduction is not None else ""

    def _thoughts(self, said: list[Sentence], line: int, labels: list[str], own: str, grounded: bool) -> None:
        """Add the thoughts of sentences that stand below the labels."""
        found = [one for one in said if not one.text.endswith(":")]
        asked = own.endswith("?") or (bool(labels) and labels[-1].endswith("?"))
        for thought in thoughts(found, is_clean, grounded):
            whole = f"{own or labels[-1]} {thought.text}" if asked else thought.text
            if is_sized(whole) and (not self._news or is_binding(thought.text)):
                self._keep(thought.text, line + thought.line, labels, own=own)

    def _answered(self, block: Block, raw: str, labels: list[str]) -> bool:
        """Add an answer with its question, and return whether the text is a question, an answer or both."""
        text = reduce(raw, self._links)
        asked = _ASKED.match(text) if _QUESTION.match(raw) else None
        question = asked[1] if asked is not None else self._question
        answer = text[asked.end() :] if asked is not None else text
        if not question:
            return _ANSWER.match(text) is not None
        reply = _ANSWER.match(answer)
        self._question = " ".join(question.split())
        bare = answer[reply.end() :] if reply is not None else answer
        if bare.strip():
            line = block.line + text[: len(text) - len(bare)].count("\n")
            labels = [label for label in labels if label != self._question]
            self._thoughts(sentences(bare), line, labels, self._question, True)
            self._question = ""  # it has been answered
        return True

    def _unlabelled(self, raw: str) -> tuple[str, str, int]:
        """Return the reduced text without the bold words it opens with, those words, and the lines
        that went with them.
        """
        bold = _BOLD.match(raw)
        if bold is None or not (bold[2] or bold[3]) or bold.end() == len(raw):
            return reduce(raw, self._links), "", 0
        label = " ".join(reduce(bold[1], self._links).split())
        return reduce(raw[bold.end() :], self._links), label, raw[: bold.end()].count("\n")

    # Lists

    def _list(self, items: list[Item], labels: list[str]) -> None:
        items = [item for item in items if not is_link(item.block.text)]
        texts = [" ".join(reduce(item.block.text, self._links).split()) for item in items]
        if items and not self._joined(items, texts, labels):
            for item, text in zip(items, texts, strict=True):
                self._item(item, text, labels)

    def _joined(self, items: list[Item], texts: list[str], labels: list[str]) -> bool:
        """Add a short how-to, or a list of names, as one fact, and return whether it was one."""
        whole = len(texts) > 1 and count(" ".join(texts)) <= WHOLE_ITEM and not self._news
        if not whole or any(item.children or item.more or item.block.check for item in items):
            return False
        if items[0].is_ordered:
            steps = " ".join(f"{number}. {text.rstrip('.;')}." for number, text in enumerate(texts, 1))
            self._add(steps, items[0].block.line, labels, "procedural" if any(map(is_order, texts)) else "")
            return True
        named = max(map(count, texts)) <= NAME_WORDS and not any(": " in text or is_order(text) for text in texts)
        if not named or not labels or not says_something(labels[-1]):
            return False
        names = "; ".join(text.rstrip(".;,") for text in texts)
        # The heading that these are the values of must stay, also if one of them repeats it.
        self._add(f"{labels[-1]}: {names}.", items[0].block.line, labels[:-1])
        return True

    def _item(self, item: Item, text: str, labels: list[str]) -> None:
        if self._news:
            text = _CREDIT.sub("", _CREDIT.sub("", text))
            if _CHORE.match(text):
                return
        if item.block.check and not any(map(_CHECKLIST.search, self._section.path)):
            labels = [*labels, "done" if item.block.check == "x" else "open"]
        command = _command(item.more[0] if item.more else None)
        if item.children:
            self._parent(item, text, labels)
        elif command and (text.endswith(":") or is_order(text)):
            self._add(f"{text.rstrip(':. ')}: {command}", item.block.line, labels, "procedural")
        elif not text.endswith(":"):
            self._text(item, text, labels)
        about = text.rstrip(": .") if count(text) <= LONGEST_PARENT else ""
        for block in item.more:
            if block.kind == "paragraph":
                further = [*labels, about] if about else labels
                self._thoughts(sentences(reduce(block.text, self._links)), block.line, further, "", False)

    def _text(self, item: Item, text: str, labels: list[str]) -> None:
        if self._answered(item.block, item.block.text, labels) or is_reply(text):
            return
        if count(text) <= WHOLE_ITEM:
            listed = item.block.check or "plan" in self._section.roles or any(map(reverses, labels))
            short = listed and 1 < count(text) < FEWEST_WORDS and is_clean(text)
            (self._keep if short else self._add)(text, item.block.line, labels)
            return
        rest, label, skipped = self._unlabelled(item.block.text)
        self._thoughts(sentences(rest), item.block.line + skipped, labels, label, bool(label))

    def _parent(self, item: Item, text: str, labels: list[str]) -> None:
        """Add an item above others as a statement of its own, or put it in front of each of them."""
        about = text.rstrip(": .") if count(text) <= LONGEST_PARENT else self._unlabelled(item.block.text)[1]
        if role(about) == "unchosen":
            return
        if not text.endswith(":") and count(text) > NAME_WORDS:
            self._text(item, text, labels)
        self._list(item.children, [*labels, about] if about else labels)


_UNCHOSEN = "(not chosen)"  # the introduction of what follows bold words that open what does not hold


def _command(block: Block | None) -> str:
    """Return a short command, or a line or two of configuration, that may stand in a sentence."""
    if block is None or block.kind != "code" or block.note not in _SHELL | _CONFIGURATION:
        return ""
    written = [line.strip().removeprefix("$ ") for line in block.text.split("\n")]
    lines = [line for line in written if line and not line.startswith("#")]
    short = 0 < len(lines) <= COMMAND_LINES and sum(map(len, lines)) <= LONGEST_COMMAND
    if not short or any("`" in line or line.startswith((">", "{", "[")) for line in lines):
        return ""
    if not block.note and not all(map(_CALL.match, lines)):
        return ""
    return (" then " if block.note in _SHELL else " ").join(f"`{line}`" for line in lines)
