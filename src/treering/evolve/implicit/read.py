"""Split a text into sentences, each with the forms in which a term of a memory can be found.

All of it is linear: a text is cut to a bound, split once, and each piece is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from treering.text.words import STOP_WORDS, parts

# Characters of one text. An answer is shorter; a log tells how it ended at its end, so that both ends are read.
MOST_LETTERS = 50_000
MOST_SENTENCES = 1_000  # of one text, from both ends too: its letters last for so many
_LONGEST_SENTENCE = 2_000  # characters
_LONGEST_RUN = 200  # characters without a blank: longer ones are encoded data
_DEEPEST = 8  # folders of a path, numbers of a version

# Of ours; one that was cut off goes to the end of what there is, as no other `<` is in it.
_FENCE = re.compile(r"<treering-recall \w{8,64}:[^<>\n]*>[^<]*(?:</treering-recall \w{8,64}>)?")
_ITEM = re.compile(r"\A(?:\d{1,3}[.)]|[*\u2022-]) ")  # of a list
_END = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\bDr\.)(?<!\bMr\.)(?<!\bMrs\.)(?<!\bProf\.)[\"')*\u201d\u2019]*\s"
)
_TURN = re.compile(r"; |,? but |, (?:and|while|whereas|so|please) ")
_RUN = re.compile(r"[^\s\"'`(){}<>|,;=!?\[\]\u201c\u201d\u2018\u2019]+")
_SPAN = re.compile(r"`([^`]+)`")
_NUMBER = re.compile(r"v?(\d+(?:[.,]\d+)*)([kKmM]?)s?(?!\w)")
_GROUPED = re.compile(r"\d{1,3}(?:[,_]\d{3})+(?!\d)")
_COMMAND = re.compile(r"(?:\$|>>>|[\w@~:/.-]{1,40}[$#]) \S")
_THOUSANDS = {"k": 1_000, "m": 1_000_000}
_SIGNS = "#@./:~+*%&^-_"  # around a name, and no part of it


class Sentence(NamedTuple):
    text: str  # its blanks made one
    low: str
    forms: frozenset[str]
    coded: frozenset[str]  # those of its code
    named: frozenset[str]  # the stems of its capitalised words, but the first
    line: str  # the stems of its words as they come, a blank before and behind each
    code: bool  # nothing but code: a line of a block, a command


def sentences(text: str, program: bool = False) -> list[Sentence]:
    """Return the sentences, without what a recall put there. Lines between ``` and text in back
    ticks are code. In a program's output any word may be meant as it is written."""
    found: list[tuple[str, bool]] = []
    inside = False
    for line in _cut(text).splitlines():
        plain = _ITEM.sub("", " ".join(line.split()))
        if plain.startswith("```"):
            inside = not inside
            continue
        found += [(piece[:_LONGEST_SENTENCE], inside) for piece in ([plain] if inside else _END.split(plain)) if piece]
    half = MOST_SENTENCES // 2
    kept = found if len(found) <= MOST_SENTENCES else found[:half] + found[-half:]
    made = [_sentence(piece, is_code) for piece, is_code in kept]
    return [said._replace(coded=said.forms) for said in made] if program else made


def clauses(said: Sentence) -> list[Sentence]:
    """Split a sentence into parts that may be about different things."""
    pieces = [piece for piece in _TURN.split(said.text) if piece]
    return [_sentence(piece, said.code) for piece in pieces] if len(pieces) > 1 else [said]


def part(said: Sentence, text: str) -> Sentence:
    """Return a sentence of which only some text is left."""
    return said if text == said.text else _sentence(text, said.code)


def is_command(line: Sentence) -> bool:
    """Tell whether a line of a tool's output is the command itself, behind a prompt."""
    return _COMMAND.match(line.text) is not None


def _cut(text: str) -> str:
    if len(text) > MOST_LETTERS:
        half = MOST_LETTERS // 2
        text = f"{text[:half]}\n{text[-half:]}"
    return _FENCE.sub("\n", text) if "<treering-recall" in text else text


def _sentence(text: str, inside: bool) -> Sentence:
    bare = text.rstrip(".:")
    whole = bare[:1] == bare[-1:] == "`" and bare.count("`") == 2
    code = inside or whole or _COMMAND.match(text) is not None
    found = [(run, [stem(word) for word in words(run)]) for run in runs(text)]
    forms = frozenset(form for run, stems in found for form in (*forms_of(run), *stems))
    coded = forms if code else _coded(text)
    named = frozenset(word for run, stems in found[1:] if run[0].isupper() for word in stems)
    line = " ".join(word for _, stems in found for word in stems)
    return Sentence(text, text.lower(), forms, coded, named, f" {line} ", code)


def _coded(text: str) -> frozenset[str]:
    found = [run for span in _SPAN.findall(text) for run in runs(span)]
    return frozenset(form for run in found for form in (*forms_of(run), *map(stem, words(run))))


def runs(text: str) -> Iterator[str]:
    """Yield what stands between blanks, quotes and brackets, without punctuation."""
    text = _GROUPED.sub(lambda found: found[0].replace(",", "").replace("_", ""), text)
    for run in _RUN.findall(text):
        if len(run) <= _LONGEST_RUN and (bare := trimmed(run)):
            yield bare


def trimmed(run: str) -> str:
    return run.rstrip(".:*_\u2026\u2013\u2014").lstrip("*\u2026\u2013\u2014")


def forms_of(run: str) -> Iterator[str]:
    """Yield a run as it stands, and its parts: tests/a/b.py is also tests/a and b.py."""
    low = run.lower()
    bare = low.strip(_SIGNS)
    yield from (low, bare)
    numbers = numbers_of(low)
    if numbers:
        yield from numbers
        return
    for sign in "/.:@":
        if sign in bare:
            pieces = [piece for piece in bare.split(sign) if piece][:_DEEPEST]
            ends = range(1, len(pieces) + 1)
            yield from (sign.join(pieces[start:end]) for end in ends for start in range(end))


def numbers_of(run: str) -> list[str]:
    """Return the forms of a number, the whole first: 40k is 40000, and 16.20.2 is a 16. Empty if it is none."""
    found = _NUMBER.match(run)
    if found is None or len(run) > found.end() + 1:  # one sign may follow: 85%
        return []
    digits = found[1].replace(",", ".")
    if found[2] and digits.count(".") <= 1:
        return [f"{float(digits) * _THOUSANDS[found[2].lower()]:.0f}"]
    pieces = digits.split(".")[:_DEEPEST]
    return [".".join(pieces[:end]) for end in range(len(pieces), 0, -1)]


def words(run: str) -> list[str]:
    """Return the words in a run, in lower case; camelCase is split."""
    return [word.lower() for word in parts(run)]


_KNOWN = 4096  # stems kept: the common words
_SHORTEST = 3  # letters that are left of a word when an ending is taken off
_ENDINGS = ("ing", "ied", "ed", "er", "e", "y")


@lru_cache(_KNOWN)
def stem(word: str) -> str:
    """Return what the forms of a word have in common; it need not be a word."""
    if not word.isalpha():
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _SHORTEST:
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] else word


STOPS = STOP_WORDS.union(map(stem, STOP_WORDS))


# Of the trade, and of talk.
COMMON = STOPS.union(
    map(
        stem,
        """actual add advice ai also always answer anything api app application around ask available avoid aws back bad
        base become best better bit build call case cd cet change check choose ci class cli code column come command
        commit config configuration consider contain copy cpu create css csv current data database date day db debug
        decide default define definite delete deploy detail develop different directory discuss doc docs document done
        each easy enable end enjoy error especially eu eur even every everything example expect experience explain
        explore extra fail feature feel few field file final find first fix folder follow format function general get
        give go good gpu great group happen happy head heard help hold hope hour html http https id ide idea import
        important improve include index info information install interest ip issue item job json keep key kind know last
        later learn least less let letter level life like limit line link list little live load local log long look lot
        made main make manual many matter may maybe mean meet memory mention message method might minute mode model
        module month move much must name need never new next nice note now number offer often ok old one online open
        option order os others output own package page part particular pass patch path pdf people perfect person pick
        place plan please point popular possible post pr prefer press pretty probably problem process program project
        provide pull push put quality question quick quite rather read ready real really reason recall recent recommend
        regular release remember remove repo report repository request require result return right row rule run same
        save say sdk second section see seem send server service session set setting setup share show side simple since
        size small something sometimes sort sound special specific spend sql ssh start state stay step still stop store
        string stuff style suggest support sure system table take talk task team tell test text thank thing think
        thought three time tip today together tomorrow tool top topic true try turn two type ui under update url usd use
        user usual utc value variable version view vm want warn warning way week well what when whole within without
        wonder word work worry write wrong xml yaml year yes""".split(),
    )
)
# Names that come up in any talk about software, whatever is remembered of them.
HOUSEHOLD = frozenset(
    map(
        stem,
        """ansible apache azure bash chrome debian django docker eslint excel express fastapi firefox flask git github
        gitlab google grafana gradle graphql helm ios java javascript jenkins jira jest kafka kotlin kubernetes linux
        mac macos maven microsoft mongodb mysql nginx node npm numpy pandas php postgres postgresql prometheus pytest
        python rails react redis ruby rust safari sentry slack spring sqlite swift terraform typescript ubuntu vue
        windows vim webpack monday tuesday wednesday thursday friday saturday sunday january february march april may
        june july august september october november december english german french spanish""".split(),
    )
)
MONTHS = frozenset(
    map(stem, "january february march april may june july august september october november december".split())
)
