"""Whatever a document holds, reading it never fails."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.documents.harvest import Known, changes, facts

PIECES = st.sampled_from(
    [
        *(
            "# ",
            "## Status\n",
            "## Decision\n",
            "Superseded by 3\n",
            "# Roadmap\n",
            "## 1.2.0\n",
            "===\n",
            "---\n",
            "+++\n",
        ),
        *(
            "- ",
            "* [x] ",
            "1. ",
            "> ",
            "    ",
            "\t",
            "  ",
            "\n",
            "\n\n",
            "\r\n",
            "\r",
            "```\n",
            "~~~sh\n",
            "<!--",
            "-->",
        ),
        *(
            "| a | b |\n|---|---|\n",
            "| x | y z |\n",
            "[a](b)",
            "[",
            "](",
            "![",
            "**",
            "_",
            "`",
            "~~",
            "<b>",
            "</div>\n",
        ),
        *(
            "<div hidden>\n",
            "&amp;",
            "&#10;",
            "\\",
            "!!! note\n",
            ": ",
            "\ufeff",
            "\x00",
            "\u2028",
            "\x0b",
            "\U0001f680",
        ),
        *(
            "The orders are kept for ten years. ",
            "It is so. ",
            "Run this:\n",
            "Port: 8080\n",
            "title: x\n",
            "é",
            "語。",
        ),
        *("status: accepted\n", "**Term.** ", "We do not support:\n", "{{ x }}", "<your name>", "What? "),
        *(
            "Q: Why is it so? ",
            "A: Yes, it is. ",
            "**Why so?**\n",
            "> > ",
            "| Status | Draft |\n",
            "## Non-goals\n",
            "MIT",
        ),
        *("## Team\n", "**Rejected options**\n", "- ~~Dark mode~~ dropped\n", "## License\n", "Status: rejected\n"),
    ]
)
DOCUMENTS = st.lists(PIECES | st.text(max_size=6), max_size=40).map("".join)
NAMES = st.sampled_from(["", "README.md", "docs/adr/0001-x.md", "a/README.md", "/", "..", ".md"]) | st.text(max_size=8)


def lines(document: str) -> int:
    return document.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


@given(DOCUMENTS, NAMES)
def test_any_document_gives_sound_facts(document: str, name: str) -> None:
    found = facts(document, name)
    assert all(1 <= fact.line <= lines(document) for fact in found)
    assert all(fact.text.strip() and "\n" not in fact.text for fact in found)
    assert {fact.type for fact in found} <= {"semantic", "procedural"}
    assert len({fact.text for fact in found}) == len(found)
    assert facts(document, name) == found


@given(DOCUMENTS)
def test_a_second_run_on_any_document_keeps_all(document: str) -> None:
    found = facts(document)
    answer = changes([Known(str(place), fact.text, fact.line) for place, fact in enumerate(found)], found)
    assert [fact for _, fact in answer.kept] == found
    assert not answer.added and not answer.changed and not answer.gone


@pytest.mark.parametrize("piece", ["[", "![", "> ", "- ", "*a ", "` ", "<a ", "<!--", "([", "[" * 390 + "\n\n", "~~|"])
def test_a_million_marks_are_read_to_their_end(piece: str) -> None:
    """Neither the stack nor anybody's patience runs out, and what stands below is read."""
    document = (piece * (1_000_000 // len(piece))) + "\n\n# Storage\n\nThe orders are kept for ten years.\n"
    found = [fact.text for fact in facts(document)]
    assert piece == "<!--" or "Storage: The orders are kept for ten years." in found


@pytest.mark.parametrize("deep", [3, 300])
@pytest.mark.parametrize("mark", ["- ", "> ", "1. "])
def test_a_statement_below_deep_nesting_is_read(mark: str, deep: int) -> None:
    """However deep what stands above it is."""
    nested = "".join("   " * level + f"{mark}Level {level} has a statement of its own.\n" for level in range(deep))
    assert "The orders are kept for ten years." in [
        fact.text for fact in facts(f"{nested}\n# \n\nThe orders are kept for ten years.\n")
    ]


@given(
    st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "iota"]), min_size=5, max_size=9), st.integers(0, 30)
)
def test_a_fact_knows_the_line_it_starts_on(words: list[str], above: int) -> None:
    sentence = " ".join(words) + " unique."
    document = "# Title\n\n" + "More text stands here today.\n" * above + f"{sentence}\n"
    [line] = [fact.line for fact in facts(document) if "unique" in fact.text]
    assert document.split("\n")[line - 1] == sentence
