"""Find the statements of a prompt that are worth keeping, by learned judgement and two sharp rules.

Who says "remember that …" is always obeyed, and who says "never mind" takes back what was said just before.

"Leave the ice files alone. Torvald looks after them." is one fact in two sentences. Each sentence that is worth keeping
is a memory of its own; those beside it without which it says too little go along.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from treering.capture.turns import AGENT, DECISION, EPISODIC, LONGEST, PROJECT, SEMANTIC, TOLD, Catch
from treering.judge.learned import NOTHING, Learned
from treering.judge.model import load
from treering.judge.sentences import KEEP, LIKELY, Verdict, judge, reasons
from treering.text.sentences import Sentence
from treering.text.sentences import own as own_sentences
from treering.text.transcripts.lines import bare

SURE = 0.9  # confidence in what somebody asked to be kept
_ENDS = ".!?:;\u3002\uff01\uff1f"  # of a sentence, the last three in Chinese and Japanese
_SHORT = 8  # words of an answer that means nothing without its question
_LONGEST_QUESTION = 160  # characters

# Of the worth from which on a sentence is kept by itself, the share from which on it may belong to its neighbour. On
# lives that the weights have not seen, the memories then hold 84 of 100 facts instead of 78, and are an eighth longer.
# From there on it is also kept by itself if it is likely to replace a memory: a fifth of these hold a fact.
_BELONGS = 0.3
_LONGEST_TOGETHER = (
    300  # characters of a statement with all that belongs to it: longer, and its own sentence is kept alone
)

# How people ask for something to be kept: of many languages the plain words, of those that the labels are in most.
_WISHES = (
    "remember, memorize, memorise, keep in mind, bear in mind, don't forget, dont forget, don't ever forget, "
    "make a note, make a mental note, note to self, note for later, note for the future, "
    "save to memory, save to your memory, save this to memory, save this to your memory, add to memory, "
    "add to your memory, add this to your memory, put in your memory, commit to memory, for the future, "
    "for future reference, for next time, for the record, from now on remember",
    "merk dir, merke dir, merk es dir, merkt euch, behalt im kopf, behalte im kopf, behalt im hinterkopf, "
    "behalte im hinterkopf, vergiss nicht, vergiss bitte nicht, nicht vergessen, denk dran, denke dran, denk daran, "
    "denke daran, denk bitte daran, denk bitte dran, notier dir, notiere dir, speicher dir, speichere dir, "
    "für die zukunft, für später, fürs nächste mal, zum merken",
    "recuerda, recordá, recuerde, acordate, acuerdate, ten en cuenta, tené en cuenta, ten presente, "
    "tené presente, no olvides, no te olvides, no te olvidés, memoriza, memorizá, "
    "guarda en memoria, guarda en tu memoria, guarda esto en memoria, guarda esto en tu memoria, guardá en memoria, "
    "guardá esto en memoria, que conste, para el futuro, para la próxima",
    "souviens-toi, souviens toi, retiens, retiens bien, rappelle-toi, n'oublie pas, oublie pas, note bien, "
    "mémorise, garde en tête, garde en mémoire, garde à l'esprit, enregistre en mémoire, à retenir, "
    "à noter, pour la suite, pour la prochaine fois",
    "ricordati, tieni a mente, non dimenticare, lembre-se, lembra-te, não esqueça, não te esqueças, "
    "onthoud, vergeet niet, kom ihåg, glöm inte, glem ikke, pamiętaj, zapamiętaj, nie zapomnij, "
    "запомни, запомните, помни, не забудь, не забывай, unutma, 记住, 記住, 请记住, 請記住, 记得, 기억해",
)
# These ask for it only if what is to be kept is linked to them: "note down that ...", not "note down the errors".
_LINKED = (
    "note down, never forget, take note, merken, notiere, apunta, apuntá, anota, anotá, recordar, recordarme, "
    "memorizar, acuérdate, "
    "note, prends note, retenir, mémoriser, noter, te souvenir, ricorda, lembre, husk",
)
_UNBROKEN = re.compile(r"[\u3040-\u9fff]{2}")  # a text without blanks
_SOME = 6  # characters before it: without them it asks for nothing
_LASTLY = re.compile(r"覚えて|기억해|unutma\W*\Z")  # where the wish comes at the end, the whole sentence is kept
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
    rf"(?:(?:{_any(_WISHES)})|(?:{_any(_LINKED)})(?=(?:\s\w+)?\s?(?:{_LINK}|:)))(?:\b|(?<=[\u3000-\u9fff\uac00-\ud7af]))"
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


def statements(text: str, before: str = "", learned: Learned = NOTHING, faint: bool = False) -> list[Catch]:
    """Return what is worth keeping of a prompt that follows what the agent said `before`, in its order; with `faint`,
    also what is only if it replaces a memory."""
    said = own(text)
    verdicts = [judge(said, at, before, learned) for at in range(len(said))]
    texts = with_context(said, verdicts, faint)
    found: list[Catch] = []
    for at, sentence in enumerate(said):
        if takes_back(sentence.text):
            found = []
        elif catch := _catch(said, at, before, verdicts[at], texts[at]):
            found.append(catch)
    return found


def with_context(said: Sequence[Sentence], verdicts: Sequence[Verdict], faint: bool = False) -> list[str]:
    """Return each sentence of a prompt that is worth keeping with what belongs to it, made whole, and nothing for the
    others. With `faint`, sentences that are worth it only if they replace a memory are kept, too."""
    kept = _owners(said, verdicts, faint)
    found = []
    for at, sentence in enumerate(said):
        parts = [one.text for one, owner in zip(said, kept, strict=True) if owner == at]
        text = " ".join(map(whole, parts)) if len(parts) > 1 else sentence.text
        found.append("" if kept[at] != at else text if len(text) <= _LONGEST_TOGETHER else sentence.text)
    return found


def _owners(said: Sequence[Sentence], verdicts: Sequence[Verdict], faint: bool) -> list[int | None]:
    """Return for each sentence the one that it is kept with: itself, the last one before it, or the next."""
    floor = load(KEEP).floors[LIKELY]
    owners = [at if one.likely and not said[at].asks else None for at, one in enumerate(verdicts)]
    free = [one.worth >= _BELONGS * floor and not (said[at].asks or said[at].pasted) for at, one in enumerate(verdicts)]
    for step, places in ((-1, range(1, len(said))), (1, range(len(said) - 2, -1, -1))):
        for at in places:
            if owners[at] is None and free[at]:
                owners[at] = owners[at + step]
    return _with_faint(said, owners, free) if faint else owners


def _with_faint(said: Sequence[Sentence], owners: list[int | None], free: Sequence[bool]) -> list[int | None]:
    """Add sentences that are kept with nothing yet, each run of them together with the one before that names what they
    are about."""
    found = [*owners]
    for at, owner in enumerate(owners):
        if owner is not None or not free[at]:
            continue
        if at and (owners[at - 1] is not None or said[at - 1].asks or said[at - 1].pasted):
            found[at] = at
        elif at:
            found[at] = found[at - 1] = at if found[at - 1] is None else found[at - 1]
        else:
            found[at] = at
    return found


def _catch(said: list[Sentence], at: int, before: str, verdict: Verdict, text: str) -> Catch | None:
    """Return what is worth keeping of a sentence, whose `text` has what belongs to it; it may be empty."""
    sentence = said[at]
    if content := wished(sentence):
        asked = _statement(content, verdict)._replace(
            kind=TOLD, likely=False, faint=False, type=SEMANTIC, confidence=SURE
        )
        return asked._replace(worth=0.0, why="you asked for it")
    if sentence.asks or not text:
        return None
    question = _question(before) if at == 0 and len(sentence.text.split()) < _SHORT else ""
    why = "; ".join(filter(None, (verdict.moved, *reasons(said, at, before))))
    if question:  # the agent's words are in it, so it is trusted as the agent
        return _statement(f'"{question}" {sentence.text}', verdict)._replace(by=AGENT, why=f'it answers "{question}"')
    return _statement(text, verdict)._replace(why=why)


def _statement(content: str, verdict: Verdict) -> Catch:
    likely = not verdict.leads
    scope = verdict.scope if verdict.kind != DECISION else PROJECT
    kind = EPISODIC if likely else SEMANTIC
    worth = round(verdict.worth, 2)
    shipped, faint = round(verdict.shipped, 3), not verdict.likely
    return Catch(verdict.kind, whole(content), kind, scope, confidence=worth, worth=shipped, likely=likely, faint=faint)


def whole(text: str) -> str:
    """Return a statement as a whole sentence: without what leads up to it, with a capital and a full stop."""
    text = text if text.startswith('"') else _LEAD.sub("", text) or text
    if len(text) > LONGEST:
        text = text[:LONGEST].rsplit(None, 1)[0]
    first = text.split(None, 1)[0]
    plain = first.isalpha() and first.islower()  # a name in code keeps its small letter
    return (text[:1].upper() + text[1:] if plain else text) + ("" if text[-1:] in _ENDS else ".")


def _question(before: str) -> str:
    """Return the question with which the agent ended, if it is short enough to be kept with its answer."""
    asked = [one.text for one in own(before)[-1:] if one.asks]
    return asked[0] if asked and len(asked[0]) <= _LONGEST_QUESTION else ""


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
