"""Phrases that are looked for in a text, written as a list."""

from __future__ import annotations

import re


def phrases(listed: str, signs: str = "", case: bool = False) -> re.Pattern[str]:
    """Any of those listed, parted by bars with blanks around; whole words, in any case unless told otherwise.

    A blank stands for one blank, as blanks are made one before a text is searched. `signs` are those that are no words.
    """
    listed = re.sub(r"(?<=\S)\|\s*\n\s*", "|", listed)  # a group may go over the end of a line
    words = "|".join(" ".join(phrase.split()) for phrase in re.split(r"\s\|\s", listed))
    pattern = rf"\b(?:{words})(?!\w)"
    return re.compile(f"{pattern}|{signs}" if signs else pattern, 0 if case else re.I)
