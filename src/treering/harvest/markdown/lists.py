"""Lists as trees: an item with what belongs to it."""

from __future__ import annotations

import re

from treering.core.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.harvest.markdown.blocks import Block

_LINK = re.compile(r"!?\[[^\[\]]*\](?:\([^()]*\)|\[[^\[\]]*\])|<?https?://\S+>?")
LINK_SHARE = 0.75  # of the characters of an item, from which on it is a link and no statement


class Item(NamedTuple):
    block: Block
    more: list[Block]  # its further paragraphs and its code
    children: list[Item]

    @property
    def is_ordered(self) -> bool:
        return self.block.note[:1].isdigit()


def is_listed(block: Block) -> bool:
    return block.kind == "item" or block.level > 0


def tree(blocks: list[Block]) -> list[Item]:
    """The items of a run of blocks. Text in a list before its first item is passed over."""
    roots: list[Item] = []
    open_items: list[Item] = []
    for block in blocks:
        while open_items and open_items[-1].block.level >= block.level + (block.kind != "item"):
            open_items.pop()
        if block.kind == "item":
            item = Item(block, [], [])
            (open_items[-1].children if open_items else roots).append(item)
            open_items.append(item)
        elif open_items:
            open_items[-1].more.append(block)
    return roots


def is_link(text: str) -> bool:
    """Whether an item is little more than a link: a list of those is a table of contents."""
    linked = sum(len(link) for link in _LINK.findall(text))
    return linked > 0 and linked >= LINK_SHARE * len(text.strip(" .,;*-"))
