"""The tokens of a text, by the byte-pair vocabulary of Llama 2, read from its tokenizer file.

No token reaches across a space or the start of a line, so a text is cut there, and each distinct piece
is worked out once. The file also lists the merges in their order. That is the order of the ids of what
they make, save for runs of spaces, which no piece holds; so only the vocabulary is read, a third of the file.
"""

from __future__ import annotations

from itertools import chain, pairwise

import msgspec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Tokens = tuple[int, ...]
    Look = Callable[[Tokens], object]

SPACE = "▁"  # how the vocabulary writes the space before a word
MOST_PIECES = 100_000  # remembered at once, at some 250 bytes: the words of a large store, in 25 MB
LONGEST_PIECE = 64  # characters; the work grows with the square, and no word of a language is longer
_MARKS = ("<unk>", "<s>", "</s>")
_NEVER = 1 << 30  # the rank of a pair that does not merge, above every id


class Vocabulary(dict[str, "Tokens"]):
    """The tokens of each piece met so far; asked for a piece that it has not met, it works it out.

    Threads may share one: what two of them work out at once comes out the same.
    """

    def __init__(self, ids: dict[str, int], look: Look) -> None:
        """Takes over the ids of the tokens, as the file has them. `look` sees the tokens of each new piece first."""
        super().__init__()
        # The tokens of bytes and the marks like <s> stand for no letters, whatever a text may spell.
        self._bytes = [ids.pop(f"<0x{byte:02X}>") for byte in range(256)]
        for mark in _MARKS:
            ids.pop(mark, None)
        self._ids = ids
        self._look = look

    def tokens(self, text: str) -> list[int]:
        """The tokens of a text, as if a space stood before it. A run of spaces counts as one."""
        return list(chain.from_iterable(map(self.__getitem__, text.replace("\n", " \n").split(" "))))

    def __missing__(self, piece: str) -> Tokens:
        word = piece if piece[:1] in "\n" else SPACE + piece  # also nothing, between two spaces
        parts = (word[start : start + LONGEST_PIECE] for start in range(0, len(word), LONGEST_PIECE))
        found = tuple(chain.from_iterable(map(self._merged, parts)))
        self._look(found)
        if len(piece) < LONGEST_PIECE:  # what is longer is a key or an address, and will not come again
            if len(self) >= MOST_PIECES:
                self.clear()
            self[piece] = found
        return found

    def _merged(self, part: str) -> Iterable[int]:
        if part in self._ids:
            return (self._ids[part],)
        id_of = self._ids.get
        symbols = list(part)
        ranks = [id_of(left + right, _NEVER) for left, right in pairwise(symbols)]
        while ranks and (rank := min(ranks)) != _NEVER:
            at = ranks.index(rank)  # the leftmost of equals
            symbols[at] += symbols.pop(at + 1)
            del ranks[at]
            if at < len(ranks):
                ranks[at] = id_of(symbols[at] + symbols[at + 1], _NEVER)
            if at:
                ranks[at - 1] = id_of(symbols[at - 1] + symbols[at], _NEVER)
        found = [id_of(symbol, _NEVER) for symbol in symbols]
        return found if _NEVER not in found else self._spelled(symbols)

    def _spelled(self, symbols: list[str]) -> Iterator[int]:
        """The letters that the vocabulary lacks, byte by byte."""
        for symbol in symbols:
            if symbol in self._ids:
                yield self._ids[symbol]
            else:
                yield from (self._bytes[byte] for byte in symbol.encode("utf-8", "surrogatepass"))


class _Model(msgspec.Struct):
    vocab: dict[str, int]


class _File(msgspec.Struct):
    model: _Model


def read(path: str, look: Look) -> Vocabulary:
    """The vocabulary in a tokenizer file of the Hugging Face kind."""
    with open(path, "rb") as file:
        return Vocabulary(msgspec.json.decode(file.read(), type=_File).model.vocab, look)
