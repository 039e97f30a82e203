"""Recognise the words by which a tool's result or a user's reply says how it ended."""

from __future__ import annotations

import re

from treering.evolve.implicit.correction import phrases
from treering.evolve.implicit.read import Sentence

# Counts of nothing: "0 failed" is no failure.
_NONE = phrases("(?:0|no|zero|without|without any) (?:failed|failures?|errors?|issues?|problems?|warnings?|rejected)")

_GONE_WELL = phrases(
    r"""pass(?:ed|es)? | ok | success | successful | successfully | succeeded | done | built | created | installed |
    resolved | merged | scheduled | booked | confirmed | imported | added | finished | completed? | deployed | applied |
    patched | updated | improved | reached | sent | saved | written | accepted | started | connected | ready | valid |
    healthy | up[ -]to[ -]date | exit(?:ed)?(?: with)?(?: code| status)?:? 0 | 20[014]""",
    signs=r"[\u2713\u2714\u2705]",
)
_GONE_WRONG = phrases(
    r"""ECONN[A-Z]+ | ENOENT | EACCES | EPERM | ETIMEDOUT |
    traceback | fatal | panic | exception | segfault | error | errors | failed | failure | \w+Error | \w+Exception |
    exit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\d* | command not found | no such (?:file|command|option)\b.* |
    (?:is )?not (?:found|recogni[sz]ed) | not an? \w+ command | permission denied | unknown (?:option|command|flag) |
    does not exist | E\d{3,}""",
    signs=r"\bERR!",
)
# A failure over something that is not there or not known: what it names is to blame.
_MISSING = phrases(
    r"""not found | no such | does not (?:exist|contain|have) | doesn't (?:exist|contain|have) | unknown |
    un(?:recogni[sz]ed|expected|defined|supported) | invalid | illegal | missing\w* | has no | no rule |
    not (?:an?|recogni[sz]ed|defined|supported|installed|available) | cannot find | can't find |
    could not (?:find|be found) | no \w+ named | no reconocida | introuvable | unbekannt\w* |
    nicht gefunden"""
)
_QUOTED = re.compile(r"[`'\"]([\w.-]+)[`'\"]")
# The world's doing, and no memory's: the network, a full disk, a limit, somebody who is not signed in.
_ELSEWHERE = phrases(
    r"""no space left | ENOSPC | disk (?:is )?full | name resolution |
    network is (?:unreachable|down) | ETIMEDOUT | ECONNRESET | EAI_AGAIN |
    connection (?:reset|broken|timed out|aborted|lost) | network error | read timed out | request timed out |
    timed out | bad gateway | service unavailable | gateway time-?out | 50[234] | rate limit\w* | too many requests |
    429 | quota\w* | not (?:currently )?(?:signed|logged) in | sign ?in | log ?in (?:first|again) |
    (?:token|session|certificate|credentials?|licen[cs]e) (?:has |have |is |are )?expired | expired token |
    out of memory | OOM ?killed | killed | try again later | temporar(?:y|ily) \w+ | being rebooted | maintenance |
    offline | interrupted | cancelled by user | vpn"""
)
_GOING_ON = phrases(
    r"""\d+ of \d+ | in ?progress | pending | queued | processing | waiting | still running""",
    signs=r"\.\.\.\s*\Z|\u2026\s*\Z",
)

_WORKED = phrases(
    r"""works? | worked | working | fixed | fixes | solved | solves | resolved | resolves | built | builds | passe[sd] |
    passing | green | succeeded | accepted | matches | correct | exactly | spot on |
    that(?:'s| is| was) (?:it|right|the one) | that did it | that was it | no more (?!time|ideas?)\w+ | did the trick |
    goes through | went through | went well | all good | up and running | is right | gone now | looks right |
    as i like it | funktioniert | klappt | geht jetzt | passt | stimmt | funciona | funcion\u00f3 | marche |
    fonctionne | \u00e7a marche | funzione | funziona | werkt"""
)
_PLEASED = phrases(
    r"""(?:thanks?|thank you) for (?:noticing|catching|spotting|fixing|finding|thinking|that) | saved me |
    good thinking | good catch | great | perfect | perfectly | excellent | awesome | lovely | brilliant | well done |
    good job | nice one | yay | love it | nailed it | prima | perfekt | genial | \u00f3timo | parfait | perfecto |
    super"""
)
_THANKS = phrases("thanks? | thank you | thx | ty | cheers | danke | gracias | merci | obrigad[oa] | grazie")
_POLITE = phrases(
    r"""thanks? | thank you | thx | ty | cheers | danke | gracias | merci | obrigad[oa] | grazie | oh | ah | wow |
    phew | hm+ | ok | okay | yes | yeah | yep | nice | cool | good | really | very | so much | a lot | now | finally |
    neither | both | obviously"""
)
# What is said before anything came of it.
_OPEN = phrases(
    r"""hope | hopefully | if | should | whether | will | would | let's see | let me | try | trying | tonight |
    tomorrow | later | sounds | idea | i'll | going to | once | when | not yet | please | go (?:ahead|on) |
    do (?:it|that) | ship it | proceed | continue | next | let's | can you | could you""",
    signs=r"\?",
)
_NOT = "(?:not|n['\u2019]?t)"
_HELPING = "(?:does|do|did|is|are|has|have|was|were|will|wo|ca|can|could|would)"
_DOING = "|".join(
    """work help build run start compile fix solve resolve load go connect find exist pass recogni[sz] change do open
    respond""".split()
)
_BROKE = phrases(
    rf"""{_HELPING} ?{_NOT}(?: even| really| quite| seem to)? (?:{_DOING})\w* |
    not working | not (?:fixed|solved|found|there) | no luck | no effect | no change | no difference | no such |
    no dice | still (?!works?\b|fine|good|ok|green|passes|there)\w+ |
    same (?:error|problem|thing|result|issue|as before) | fail(?:s|ed|ing|ure)? | broke | breaks | broken | breaking |
    crash(?:es|ed|ing)? | errors? | worse | times out | timed out | hangs | refused | rejected | declined | denied |
    nope | useless | unknown | undo | revert\w* | roll(?:ed)? back | [45]0\d |
    (?:geht|funktioniert|klappt|l\u00e4uft) (?:immer noch |leider )?nicht | fehler\w* | no funciona | no va |
    ne (?:marche|fonctionne|va) pas | marche pas | n\u00e3o funciona | non funziona | werkt niet | unbekannt""",
    signs=r"\bE\d{3,}\b",
)
_ORDER = phrases("please | don['\u2019]t | do not | let's | can you | could you")
_MOCKED = phrases(
    r"""(?:oh|ah|yeah|just|how) (?:great|brilliant|nice|wonderful|good|perfect|super|lovely) | now it(?:'s| is) |
    great, now | thanks for nothing"""
)
# Tests that failed: mostly the code's doing, and the command that ran them did its part.
_TESTED = phrases(r"\d+ (?:failed|failing) | AssertionError | assertion failed | FAILED tests?\S* | FAIL \S+")
_REFERRING = phrases(
    r"""(?:(?:hm+|ugh|no|sorry|ok|and|but),? )?(?:that|this|it|still|same|no|nope|not|did not|does not|didn['\u2019]t|
    doesn['\u2019]t|geht|funktioniert|klappt|tried)"""
)


def went_well(said: Sentence) -> bool:
    """Tell whether a line of a result says that it is good."""
    return _GONE_WELL.search(said.text) is not None


def went_wrong(said: Sentence) -> bool:
    return _GONE_WRONG.search(_NONE.sub("", said.text)) is not None


def is_missing(said: Sentence) -> bool:
    """Tell whether a line complains of something that is not there."""
    return _MISSING.search(said.text) is not None


def quoted(said: Sentence) -> list[str]:
    """Return the single words that a line puts in quotes."""
    return _QUOTED.findall(said.low)


def is_elsewhere(said: Sentence) -> bool:
    """Tell whether a failure has a cause that no memory could know."""
    return _ELSEWHERE.search(said.text) is not None


def is_going_on(said: Sentence) -> bool:
    """Tell whether a result is not final."""
    return _GOING_ON.search(said.text) is not None


def is_praise(said: Sentence) -> bool:
    """Tell whether a user says that it worked."""
    return _is_good(said, _WORKED)


def is_pleased(said: Sentence) -> bool:
    """Tell whether a user is content, which may only be politeness."""
    return _is_good(said, _PLEASED)


def is_polite(said: Sentence) -> bool:
    """Tell whether a user says thanks."""
    return _THANKS.search(said.text) is not None


def is_complaint(said: Sentence) -> bool:
    """Tell whether a user says that it did not work, plainly or with irony."""
    if _ORDER.match(said.text):
        return False
    return _BROKE.search(_NONE.sub("", said.text)) is not None or _MOCKED.search(said.text) is not None


def _is_good(said: Sentence, words: re.Pattern[str]) -> bool:
    return not is_complaint(said) and _OPEN.search(said.text) is None and words.search(said.text) is not None


def is_tested(said: Sentence) -> bool:
    """Tell whether a line says that tests failed."""
    return _TESTED.search(said.text) is not None


def is_referring(said: Sentence) -> bool:
    """Tell whether a sentence begins by referring back: that, it, still."""
    return _REFERRING.match(said.text) is not None


def rest(said: Sentence) -> str:
    """Return a sentence without its words of praise and complaint."""
    text = said.text
    for words in (_WORKED, _PLEASED, _BROKE, _MOCKED, _POLITE):
        text = words.sub(" ", text)
    return text
