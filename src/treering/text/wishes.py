"""Find what somebody asks to be kept, and what they take back: two sharp rules beside the learned judgement.

Who says "remember that …" is always obeyed, and who says "never mind" takes back what was said just before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from treering.text.phrases import LAST, LINKED, WISHES
from treering.text.sentences import Sentence
from treering.text.sentences import own as own_sentences
from treering.text.transcripts.lines import bare

LONGEST = 400  # characters of a statement
_ENDS = ".!?:;\u3002\uff01\uff1f"  # of a sentence, the last three in Chinese and Japanese
_UNBROKEN = re.compile(r"[\u3040-\u9fff]{2}")  # a text without blanks
_SOME = 6  # characters before it: without them it asks for nothing
_LASTLY = re.compile(rf"{'|'.join(LAST[:-1])}|{LAST[-1]}\W*\Z")  # with the wish at the end, the whole sentence is kept
_RETRACTIONS = (
    "never mind, nevermind, nvm, scratch that, strike that, forget that, forget what i said, forget it, forget the, "
    "ignore that, "
    "ignore what i said, disregard that, i take that back, i take it back",
    "vergiss das, vergiss es, vergiss die, vergiss den, vergiss was ich, doch nicht, nehme das zurück, nehm das zurück",
    "olvida lo de, olvídalo, olvidalo, olvídate, olvidate, no hagas caso, retiro lo dicho",
    "oublie le, oublie la, oublie ça, oublie ca, oublie ce que, laisse tomber, je retire, non rien",
)
_POLITE = "please bitte porfa stp svp btw and und y et so oh ok also hey ah"  # may stand before a wish
# Also before it: then a question mark at the end asks for nothing but the wish itself.
_REQUESTS = (
    "can you, could you, would you, will you, can you please, could you please, would you please, i want you to, "
    "i'd like you to, i need you to, you should, you must",
    "kannst du, kannst du bitte, könntest du, könntest du bitte, kannst du dir, kannst du dir bitte, könntest du dir, "
    "könntest du dir bitte, ich möchte dass du dir, du sollst dir",
    "puedes, podés, podrías, quiero que, peux-tu, tu peux, pourrais-tu, je veux que tu",
)
_LINKS = "that dass que qu' de\\sque daran che dat att at że что"  # between a wish and what is to be kept
_BETWEEN = "please bitte porfa stp svp por\\sfavor s'il\\ste\\splaît auch mal also"  # may follow a wish
# The same, if a link or a colon comes next: "remember this: ..." asks for what follows, "remember this file" does not.
_POINTS = "this the\\sfollowing it folgendes das dies esto eso lo\\ssiguiente ceci cela ça ce\\squi\\ssuit"
# What somebody only asks about: "remember when we ...?"
_ASKED = (
    "when how what why who where whether if the\\stime last me wann wie was warum wer wo ob cuándo cómo qué quién "
    "dónde quand comment qui où pourquoi"
)


def _any(phrases: Iterable[str]) -> str:
    listed = [phrase.strip() for row in phrases for phrase in row.split(",")]
    return "|".join(re.escape(phrase).replace("'", "['\u2019]") for phrase in sorted(listed, key=len, reverse=True))


_LINK = rf"(?:,?\s(?:{'|'.join(_LINKS.split())})(?:\b|(?<=')))"
_WISH = re.compile(
    rf"(?:^|(?<=[,;:.!?-] ))(?:(?:{'|'.join(_POLITE.split())})[,\s]+){{0,2}}"
    rf"(?P<request>¿?(?:{_any(_REQUESTS)})[,\s]+)?"
    rf"(?:(?:{_any(WISHES)})|(?:{_any(LINKED)})(?=(?:\s\w+)?\s?(?:{_LINK}|:)))(?:\b|(?<=[\u3000-\u9fff\uac00-\ud7af]))"
    rf"(?! (?:{'|'.join(_ASKED.split())})\b)"
    rf"(?:,?\s(?:{'|'.join(_BETWEEN.split())})\b)*"
    rf"(?:\s(?:{'|'.join(_POINTS.split())})(?=\s*[:,-]|{_LINK}))?"
    rf"{_LINK}?\s*[:,-]?\s*",
    re.IGNORECASE,
)
# What people say before they come to the point: it means nothing weeks later.
_LEAD = re.compile(
    r"\A(?:(?:no|nope|nah|yes|yeah|ok|okay|oh|ah|hm+|well|so|btw|also|and|but|hey|wait|ja|nein|nee|ach|übrigens|und|aber|"
    r"sí|vale|ojo|ah|por cierto|y|pero|oui|non|bon|au fait|et|mais|du coup),\s+|btw\s+|fyi\s+)+",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(rf"\b(?:{_any(_RETRACTIONS)})(?!\w)", re.IGNORECASE)


def whole(text: str) -> str:
    """Return a statement as a whole sentence: without what leads up to it, with a capital and a full stop."""
    text = text if text.startswith('"') else _LEAD.sub("", text) or text
    if len(text) > LONGEST:
        text = text[:LONGEST].rsplit(None, 1)[0]
    first = text.split(None, 1)[0]
    plain = first.isalpha() and first.islower()  # a name in code keeps its small letter
    return (text[:1].upper() + text[1:] if plain else text) + ("" if text[-1:] in _ENDS else ".")


def wished(sentence: Sentence) -> str:
    """Return what somebody asks to be kept, without the words that ask for it."""
    wish = _WISH.search(sentence.text)
    if wish is None:
        wish = _LASTLY.search(sentence.text)
        return sentence.text if wish and wish.start() >= _SOME and not sentence.asks else ""
    if sentence.asks and not wish["request"]:
        return ""
    rest = sentence.text[wish.end() :].rstrip("?¿ ") if not wish.start() else sentence.text
    return rest if len(rest.split()) > 1 or _UNBROKEN.search(rest) else ""


def own(text: str) -> list[Sentence]:
    """Return the sentences of a prompt that are the person's own, and not what the agent put into it."""
    return own_sentences(bare(text))


def takes_back(text: str) -> bool:
    """Tell whether a sentence takes back what was said before it."""
    return bool(_TAKES_BACK.search(text))


def asks_to_keep(text: str) -> bool:
    """Tell whether a prompt says that something is to be kept."""
    return any(wished(sentence) for sentence in own(text))


def retracts(text: str) -> Iterator[str]:
    """Yield the sentences of a prompt that take something back."""
    return (sentence.text for sentence in own(text) if takes_back(sentence.text))
