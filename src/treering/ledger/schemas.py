"""Define the fields of each event, for the checks on import and for the reference."""

from __future__ import annotations

from typing import NamedTuple

from treering.ledger import events as kinds
from treering.ledger.codec import LATEST
from treering.ledger.errors import InvalidInput


class Field(NamedTuple):
    """A field of a payload, for the checks on import and for the reference."""

    kind: type
    about: str
    required: bool = False
    items: type = str  # of a list
    word: bool = False  # a text without blanks: an id, or the name of a rule
    share: bool = False  # a number from 0 to 1


def _text(about: str, required: bool = False) -> Field:
    return Field(str, about, required)


def _word(about: str) -> Field:
    return Field(str, about, True, word=True)


def _share(about: str, required: bool = True) -> Field:
    return Field(float, about, required, share=True)


# What every event that retires a memory by evidence may tell.
_EVIDENCE = {
    "evidence": Field(dict, "the numbers that the rule looked at"),
    "replay": Field(dict, "what the replay gate counted: recalls, gained, lost, reordered, helpful_lost"),
    "forced": Field(bool, "true if it was done though the gate refused"),
    "justification": _text("why a protected memory was touched"),
    "reason": _text("why, in words"),
}

SCHEMAS: dict[str, dict[str, Field]] = {
    kinds.REMEMBERED: {
        "content": _text("the text", required=True),
        "type": _text("episodic, semantic, procedural or working", required=True),
        "scope": _text("session, project or user", required=True),
        "tags": Field(list, "words to find it by"),
        "language": _text("the programming or natural language that it is about"),
        "problem": _text("what was wrong"),
        "approach": _text("what was done about it"),
        "gotchas": _text("what to look out for"),
        "trigger": _text("when to act"),
        "action": _text("what to do"),
        "outcome": _text("what comes of it"),
        "origin": _text("who it comes from, and where: kind, kind:ref or kind:ref:line", required=True),
        "invariant": Field(bool, "true for a fact that never decays"),
        "private": Field(bool, "true if the person keeps it to themselves"),
        "redacted": Field(list, "what the guard took out before anything was stored"),
        "at": Field(int, "when it happened, in microseconds, if that was earlier"),
        "key": Field(int, "the fingerprint of an imported row, so that importing it again adds nothing"),
        "confidence": Field(float, "from 0 to 1: how sure whoever said it was"),
        "relevance": Field(float, "from 0 to 1: how much it matters"),
        "trust": _text("user, agent or external, if what it is made of is trusted less than where it comes from"),
    },
    kinds.FORGOTTEN: {"reason": _text("why")},
    kinds.PURGED: {"reason": _text("why")},
    kinds.RECALLED: {
        "query": _text("what was asked, redacted, at most 1,000 characters", required=True),
        "type": _text("of the query: code_search, error_debug, …", required=True),
        "strategy": _text("how it was looked for: hybrid, keyword, …", required=True),
        "k": Field(int, "how many were wanted", required=True),
        "hits": Field(list, "what was shown: id, rank, score, and p, the probability of being shown", True, dict),
        "confidence": Field(float, "from 0 to 1, that the answer is among them", required=True),
        "took": Field(int, "microseconds", required=True),
        "only": Field(dict, "what it was narrowed to: type, scope, tag, since, until, statuses"),
        "withheld": Field(
            list, "what chance kept at the cut-off: id, and p, the probability of being shown", False, dict
        ),
        "passed": Field(list, "the two best that were not shown: id, score, and why not", False, dict),
        "nonce": _text("of the fence, by which it is known when it comes back"),
        "tokens": Field(list, "the words that say what was asked, if it was a prompt that met with silence"),
    },
    kinds.SURFACED: {"rank": Field(int, "where it stood; 1 is the first", required=True)},
    kinds.USED: {"at": Field(int, "when, in microseconds, if that was earlier")},
    kinds.ECHOED: {},
    kinds.CAPTURED: {
        "kind": _word("told, correction, preference, fix, decision or episode"),
        "mark": _word("of what was said: the same words are kept once"),
        "line": _text("the line of the transcript, or the letter of the hook, that it rests on"),
        "worth": Field(float, "how likely it is worth keeping, by the weights that everybody has"),
        "why": _text("it was kept, in words"),
    },
    kinds.MOVED: {
        "from": _word("the status before"),
        "to": _word("the status from now on"),
        "rule": _word("what moved it: grown, faded, unused, …"),
        "policy": _text("half-life, age or sessions, if one of them did"),
        **_EVIDENCE,
    },
    kinds.QUEUED: {"evidence": Field(dict, "the numbers that the rule looked at", required=True)},
    kinds.SUPERSEDED: {
        "by": _word("the memory that holds now"),
        "rule": Field(str, "refine, if it is the same fact in better words", word=True),
        **_EVIDENCE,
    },
    kinds.SUCCEEDED: {"old": _word("the memory that it takes the place of")},
    kinds.VERIFIED: {
        "answer": _text("yes, no or change", required=True),
        "reason": _text("why"),
    },
    kinds.RAISED: {
        "older": _word("the memory that was there"),
        "newer": _word("the memory that says otherwise"),
        "kind": _text(
            "negation, number, version, date, choice, name or relation; change if the older may be out of date",
            required=True,
        ),
        "spans": Field(
            list, "where the two values stand: start and end in the older, start and end in the newer", True, int
        ),
    },
    kinds.SETTLED: {
        "keep": _text("older, newer or both", required=True),
        "reason": _text("why"),
    },
    kinds.RAN: {
        "policy": _text("half-life, age or sessions", required=True),
        "crowded": Field(bool, "whether it made room where there were too many", required=True),
    },
    kinds.ENDED: {},
    kinds.WEIGHED: {
        "project": _text("where the weights hold; everywhere, if none is named"),
        "type": _text("the type of query that they hold for; every one, if none is named"),
        "weights": Field(dict, "what counts how much: keyword, vector, graph, neighbour, …", required=True),
        "by": _text("feedback, tune or hand: what found them"),
        "queries": Field(int, "answered recalls that they were learned from"),
        "evidence": Field(dict, "the numbers behind them"),
        "reason": _text("why"),
    },
    kinds.JUDGED: {
        "recall": _word("the recall that showed it"),
        "verdict": _word("helpful, not_helpful, partially_helpful, success, failure, partial, referenced, …"),
        "by": _word("explicit, outcome or implicit"),
        "rank": Field(int, "where the recall showed it"),
        "reward": _share("what it earned"),
        "rate": _share("how far Q moves towards the reward"),
        "instead_reward": _share("of a weaker word on the same use, which this one takes back", required=False),
        "instead_rate": _share("of that", required=False),
        "note": _text("why"),
    },
    kinds.TURNED_OUT: {
        "outcome": _word("success, failure or partial"),
        "session": _text("the whole session, if not only the recall that it rests on"),
    },
    kinds.MERGED: {
        "into": _word("the memory that says it from now on"),
        "from": _word("the status before"),
        "rule": Field(str, "promote, if that one says it to more people", word=True),
        **_EVIDENCE,
    },
    kinds.ABSORBED: {
        "merged": _word("the memory that was merged into it"),
        "q": _share("the highest among them"),
        "accesses": Field(int, "how many sessions used the merged one", required=True),
        "accessed": Field(int, "when one last did", required=True),
        "tags": Field(list, "those of the merged one, by which it is found from now on"),
    },
    kinds.BEGAN: {"trigger": _word("by_hand, hours, judgements or processes")},
    kinds.EVOLVED: {
        "evaluated": Field(int, "candidates", required=True),
        "actions": Field(dict, "how many of each kind", required=True),
    },
    kinds.PROPOSED: {
        "fingerprint": _word("a function of the evidence: the same evidence makes no second proposal"),
        "kind": _word("skill-upgrade, routing-addition, skill-draft, memory-action or recall-setting"),
        "weight": Field(int, "how much speaks for it: sessions, prompts, tries or uses"),
        "before": Field(int, "what spoke for it when it was rejected, if that has at least doubled"),
        "action": _text("of a memory-action: deprecate, merge or archive"),
        "weights": Field(dict, "of a recall-setting: what would count how much"),
        "memories": Field(list, "the memories that it is about", True),
        "tokens": Field(list, "the words that the prompts behind it share"),
        "signal": _text("of a skill-draft made of friction: asked, retried or rejected"),
        "name": _text("of a skill"),
        "description": _text("of a skill: when to use it"),
        "content": _text("of a skill, if whoever proposed it has written one"),
        "evidence": Field(dict, "the numbers behind it"),
        "reason": _text("why"),
    },
    kinds.WORDED: {
        "proposal": _word("its name"),
        "name": _word("of the skill"),
        "description": _text("of the skill: when to use it", required=True),
        "triggers": Field(list, "when to invoke it"),
        "model": _text("what has written this", required=True),
    },
    kinds.ACCEPTED: {
        "proposal": _word("its name"),
        "weight": Field(int, "what spoke for it"),
        "path": _text("the whole path of the file that was written; nothing for a memory-action"),
        "digest": _text("of what was written"),
        "name": _text("of the skill, as it was accepted"),
        "edited": Field(bool, "true if a person changed the text first"),
        "replaced": _text("the digest of the file that was written over"),
    },
    kinds.REJECTED: {
        "proposal": _word("its name"),
        "weight": Field(int, "what spoke for it"),
        "note": _text("why"),
    },
    kinds.PROMOTED: {
        "name": _word("of the skill"),
        "path": _text("the whole path of its file", required=True),
        "digest": _text("of what it said then: a later change is reported", required=True),
    },
    kinds.LOADED: {"name": _word("of the skill")},
    kinds.SKILL_JUDGED: {
        "name": _word("of the skill"),
        "verdict": _word("helpful, not_helpful, partially_helpful, success, failure or partial"),
        "by": _word("explicit or outcome"),
        "reward": _share("what it earned"),
        "rate": _share("how far its Q moves towards the reward"),
        "note": _text("why"),
    },
    kinds.PROMPTED: {
        "mark": _word("where it stands in the transcript: reading it again adds nothing"),
        "prompt": _text("redacted, at most 1,000 characters", required=True),
        "tokens": Field(list, "the words that say what was asked", True),
        "ran": Field(list, "the commands that worked before the next prompt, redacted"),
        "failed": Field(list, "those that did not, redacted"),
    },
    kinds.RUBBED: {
        "mark": _word("where it began in the transcript: reading it again adds nothing"),
        "kind": _word("retried, interrupted or rejected"),
        "count": Field(int, "how many tries failed in a row", required=True),
        "tool": _text("that was tried or rejected"),
        "what": _text("it was tried with, redacted"),
        "error": _text("that came of it, redacted"),
        "reason": _text("that the user gave, redacted"),
        "worked": _text("like it in the end, redacted"),
    },
    kinds.READ: {
        "file": _text("the name of the transcript", required=True),
        "mark": _text("of its beginning, by which it is known again", required=True),
        "offset": Field(int, "up to which byte it was read", required=True),
        "carried": Field(dict, "what was under way there"),
    },
    kinds.ASKED: {
        "purpose": _word("what for"),
        "model": _text("which one", required=True),
        "outcome": _word("answered, failed or refused"),
        "asked": Field(int, "tokens", required=True),
        "answered": Field(int, "tokens", required=True),
        "took": Field(int, "microseconds", required=True),
        "problem": _text("what went wrong"),
    },
    kinds.GROUPED: {
        "group": _word("its name"),
        "memories": Field(list, "the episodes, oldest first", True),
        "reason": _word("strength or topic: what put them into the queue"),
    },
    kinds.SUMMARISED: {
        "group": _word("of what it is the summary"),
        "sources": Field(list, "the memories that it sums up", True),
        "by": _word("llm, agent or extract: who wrote it"),
        "model": _text("which one, if a model did"),
        "dropped": Field(list, "numbers, names and denials that most sources have and it has not"),
        "invented": Field(list, "numbers and names that no source has"),
    },
    kinds.GRAPHED: {
        "entities": Field(list, "what the memory names: name and type", True, dict),
        "relations": Field(list, "and how that is related: source, type and target", True, dict),
        "model": _text("what has read it", required=True),
    },
    kinds.PRUNED: {
        "entities": Field(int, "how many were weak", required=True),
        "relations": Field(int, "how many were stale", required=True),
    },
    kinds.NOTED: {
        "kind": _word("retrieval_pattern, memory_gap, consolidation_signal, decay_anomaly or graph_insight"),
        "mark": _word("a function of what it is about: the same is not noted twice"),
        "memories": Field(list, "the memories that it is about", True),
        "tokens": Field(list, "the words that it is about"),
        "evidence": Field(dict, "the numbers behind it", required=True),
        "done": _text("what was done about it"),
    },
    kinds.TENDED: {
        "trigger": _word("by_hand, session, five or twenty"),
        "sessions": Field(int, "that had ended by then", required=True),
        "steps": Field(list, "what was done: step, finished, took (microseconds), counts", True, dict),
        "took": Field(int, "microseconds", required=True),
    },
    kinds.UNDONE: {
        "events": Field(list, "the ids of the events to leave out, with all that rests on them", True),
        "reason": _text("why"),
    },
    kinds.REVOKED: {
        "session": _text("leave out every earlier event of this session"),
        "source": _text("leave out every earlier event of this origin"),
        "reason": _text("why"),
    },
    kinds.ADMITTED: {
        "person": _text("who it is for: the name behind who acted in their events", required=True),
        "role": _text("reader, writer, reviewer or admin", required=True),
        "hash": _text("of the token, by SHA-256", required=True),
    },
    kinds.DISMISSED: {"person": _text("whose it was", required=True)},
}

ABOUT: dict[str, str] = {
    kinds.REMEMBERED: "A memory was made. Its id is the id of this event.",
    kinds.FORGOTTEN: "A memory went out of sight: its text left every projection and stays in the ledger.",
    kinds.PURGED: "A person had a memory erased: the payloads of all events about it are gone.",
    kinds.RECALLED: "A query was answered, or met with silence.",
    kinds.SURFACED: "A recall showed a memory, first in its session: it counts as used, and is active again.",
    kinds.USED: "A session used a memory, by its own account.",
    kinds.ECHOED: "A text only repeated what was recalled: nothing was stored, counted or credited.",
    kinds.CAPTURED: "A memory was made of what was said or done in a session, without being asked for.",
    kinds.MOVED: "A memory came to another status, by a rule and with the numbers behind it.",
    kinds.QUEUED: "A memory that was useful has faded: it waits to be consolidated. Using it takes it off the queue.",
    kinds.SUPERSEDED: "A memory is no longer true: another one took its place.",
    kinds.SUCCEEDED: "A memory took the place of another one.",
    kinds.VERIFIED: "A person was asked whether an invariant still holds, and answered.",
    kinds.RAISED: "Two memories say different things about one matter. Nobody has decided which holds.",
    kinds.SETTLED: "A contradiction was resolved by whoever was asked.",
    kinds.RAN: "Memories were looked through, and some moved. Undoing this takes all of its moves back.",
    kinds.ENDED: "A session ended.",
    kinds.WEIGHED: "The weights of recall's channels were set.",
    kinds.JUDGED: "Somebody, or what followed, said whether a memory that a recall had shown was of use: its Q moved.",
    kinds.TURNED_OUT: "What a recall, or a whole session, led to.",
    kinds.MERGED: "A memory says what another one says too: that one speaks for both from now on.",
    kinds.ABSORBED: "A memory speaks for another one, and has its uses.",
    kinds.BEGAN: "Evolution looked for memories to improve. What it did rests on this.",
    kinds.EVOLVED: "Evolution has done all that was due.",
    kinds.PROPOSED: "Something is proposed to a person, and nothing is done before they decide.",
    kinds.WORDED: "A model has put a proposal into words; they were checked, and stand from now on.",
    kinds.ACCEPTED: "A person accepted a proposal: a file was written below a root they named, or a memory changed.",
    kinds.REJECTED: "A person rejected a proposal. It comes back only if what speaks for it has at least doubled.",
    kinds.PROMOTED: "A person moved a skill out of quarantine: agents may load it.",
    kinds.LOADED: "A session loaded a skill, for the first time.",
    kinds.SKILL_JUDGED: "Somebody, or an outcome, said whether a skill that was loaded was of use: its Q moved.",
    kinds.PROMPTED: "A user's prompt was found in a transcript.",
    kinds.RUBBED: "A transcript shows where a session got stuck: a thing tried in vain, or the user stepping in.",
    kinds.READ: "A transcript was read up to a place. The next reading goes on there.",
    kinds.ASKED: "A language model was asked.",
    kinds.GROUPED: "Episodes that belong together wait to be summed up.",
    kinds.SUMMARISED: "A memory was made to sum up others. Undoing what made it brings these back.",
    kinds.GRAPHED: "A language model has read what a memory names, and how that is related.",
    kinds.PRUNED: "What was weak and stale in the graph is out of it, until it is seen again.",
    kinds.NOTED: "Something was found out about the memory itself.",
    kinds.TENDED: "The memory was looked after: which steps were taken, how long each took, and what came of it.",
    kinds.UNDONE: "Events were left out of the fold, with everything that rests on them.",
    kinds.ADMITTED: "A person of a team got a token for its server.",
    kinds.DISMISSED: "A token holds no longer; the event that gave it is among the causes.",
    kinds.REVOKED: "A whole session or source was left out of the fold, with everything that rests on it.",
}

# What the objects inside of a payload are made of, so that whoever reads them later need not doubt it.
_NUMBER = (int, float)
_INSIDE: dict[str, dict[str, tuple[type, ...]]] = {
    "hits": {"id": (str,), "rank": (int,), "score": _NUMBER, "p": _NUMBER},
    "withheld": {"id": (str,), "p": _NUMBER},
}
_NUMBERS = ("evidence", "replay", "actions")  # objects of numbers alone
_ONLY: dict[str, type] = {"type": str, "scope": str, "tag": str, "since": int, "until": int, "statuses": list}

_PLURALS: dict[type, str] = {str: "texts", dict: "objects", int: "whole numbers"}


def check_data(kind: str, data: object) -> None:
    """Refuse a payload that no version of Treering could have written."""
    if kind not in SCHEMAS:
        raise InvalidInput(f"unknown event {kind!r}: it was written by a newer Treering; upgrade this one")
    if not isinstance(data, dict):
        raise InvalidInput(f"the payload of {kind} must be an object")
    schema = SCHEMAS[kind]
    for name, value in data.items():
        field = schema.get(name)
        if field is None:
            raise InvalidInput(f"{kind} has no field {name!r}")
        if type(value) is not field.kind:
            raise InvalidInput(f"{kind}: {name} must be {field.kind.__name__}, not {type(value).__name__}")
        if field.word and isinstance(value, str) and not _is_word(value):
            raise InvalidInput(f"{kind}: {name} must be one word, not {value!r}")
        if field.share and isinstance(value, float) and not 0 <= value <= 1:
            raise InvalidInput(f"{kind}: {name} must be from 0 to 1, not {value!r}")
        if name != "key" and isinstance(value, int) and abs(value) > LATEST:
            raise InvalidInput(f"{kind}: {name} is out of range")
        _check_inside(kind, name, value)
        if isinstance(value, list) and not all(type(item) is field.items for item in value):
            raise InvalidInput(f"{kind}: {name} must hold {_PLURALS[field.items]}")
    missing = [name for name, field in schema.items() if field.required and name not in data]
    if missing:
        raise InvalidInput(f"{kind} lacks {', '.join(missing)}")


def _check_inside(kind: str, name: str, value: object) -> None:
    """Refuse objects that have another shape than those which we write."""
    sound = True
    if name in _INSIDE and isinstance(value, list):
        parts = _INSIDE[name]
        sound = all(
            isinstance(item, dict) and set(item) == set(parts) and all(type(item[key]) in parts[key] for key in parts)
            for item in value
        )
    elif name in _NUMBERS and isinstance(value, dict):
        sound = all(type(number) in _NUMBER for number in value.values())
    elif name == "only" and isinstance(value, dict):
        sound = all(type(item) is _ONLY.get(key) for key, item in value.items())
    if not sound:
        raise InvalidInput(f"{kind}: {name} has the wrong shape")


def _is_word(text: str) -> bool:
    """Tell whether a text is an id or a rule's name: a record keeps several of these in one text."""
    return text.split() == [text] and "@" not in text and text.isprintable()
