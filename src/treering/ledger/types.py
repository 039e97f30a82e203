"""Define what a memory is, its words, and the table of moves between statuses.

All values are frozen. A move that is not in the table is an error.
"""

from __future__ import annotations

from treering.ledger.errors import IllegalMove, InvalidInput
from treering.ledger.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


TYPES = ("episodic", "semantic", "procedural", "working")
SCOPES = ("session", "project", "user")
ACTORS = ("user", "agent", "hook", "system")
TRUSTS = ("user", "agent", "external")  # most first
ORIGINS = ("user", "agent", "tool", "document", "import")
QUERY_TYPES = (
    "code_search",
    "error_debug",
    "convention",
    "architecture",
    "how_to",
    "recall_fact",
    "find_pattern",
    "general",
)
CHANNELS = ("keyword", "vector", "graph")
FUSIONS = ("scores", "ranks")  # what of the channels is added up: calibrated scores, or reciprocal ranks
HEAVIEST = 10.0  # weight of a channel: with ten times the default it is alone already
# What counts how much in recall, and from where to where it may be set. A fusion is a word.
MIX = {
    **dict.fromkeys(CHANNELS, (0.0, HEAVIEST)),
    **dict.fromkeys(("relation", "neighbour", "likeness", "company", "learned", "prior"), (0.0, HEAVIEST)),
    **dict.fromkeys(("sentence", "strength", "usefulness", "lift", "silent"), (0.0, 1.0)),
    "pace": (0.01, 100.0),
}
STRATEGIES = ("hybrid", "keyword", "vector", "graph", "graph_vector")

DEFAULT_TYPE = "semantic"
DEFAULT_SPACE = "default"
# Characters: about 25,000 tokens of English, an eighth of the largest common prompt. A memory beyond that cannot be
# recalled with anything beside it; and with this bound every check of the guard ends within a fraction of a second.
CONTENT_LIMIT = 100_000

# What a memory has of these until something is learned about it, from 0 to 1.
CONFIDENCE, RELEVANCE, IMPACT, FEEDBACK = 0.7, 0.5, 0.5, 0.0

# Words that other systems use for the same types.
_TYPE_ALIASES = {"fact": "semantic", "process": "procedural"}

SUMMARY, DRAFT = "summary", "draft"  # tags of a summary; a draft waits for somebody who can write
PROMOTE = "promote"  # the rule by which a memory reaches more people


class Memory(NamedTuple):
    """One thing that is known: a projection, which the ledger can make again at any time."""

    id: str  # the id of the event that made it
    content: str
    type: str = DEFAULT_TYPE
    scope: str = "user"
    status: str = "created"
    tags: tuple[str, ...] = ()
    language: str = ""
    problem: str = ""
    approach: str = ""
    gotchas: str = ""
    trigger: str = ""
    action: str = ""
    outcome: str = ""
    space: str = DEFAULT_SPACE
    project: str = ""
    session: str = ""
    origin: str = "user"  # who it comes from, and where: "document:docs/adr-7.md:12"
    trust: str = "user"
    invariant: bool = False
    redacted: tuple[str, ...] = ()  # what the guard took out
    created: int = 0  # when it happened, in microseconds since 1970
    updated: int = 0  # when an event last changed it
    q: float = 0.5  # how useful it has proved, from 0 to 1
    accesses: int = 0  # how many sessions used it
    accessed: int = 0  # when one last did; 0 for never
    confidence: float = CONFIDENCE  # how sure whoever said it was
    relevance: float = RELEVANCE  # how much it matters to the work at hand
    impact: float = IMPACT  # what came of using it
    feedback: float = FEEDBACK  # what people said about it
    moves: tuple[str, ...] = ()  # every status that it came to, as `moved` writes them, oldest first
    queued: int = 0  # since when it waits for consolidation; 0 if it does not
    verified: int = 0  # when a person last confirmed it; 0 for never
    superseded_by: str = ""
    supersedes: tuple[str, ...] = ()
    merged_into: str = ""
    merged: tuple[str, ...] = ()  # those that it speaks for

    @property
    def used(self) -> int:
        """When it was last recalled, or else made."""
        return max(self.accessed, self.created)

    @property
    def since(self) -> int:
        """When it came to its status."""
        return move_of(self.moves[-1]).at if self.moves else self.created

    @property
    def details(self) -> str:
        """The structured fields as one text, as they are indexed."""
        fields = (self.problem, self.approach, self.gotchas, self.trigger, self.action, self.outcome)
        return " ".join(filter(None, fields))


class Move(NamedTuple):
    """A status that a memory came to."""

    status: str
    at: int  # in microseconds
    rule: str  # what moved it


def moved(move: Move) -> str:
    """Encode a move as one word."""
    return f"{move.status}@{move.at}@{move.rule}"


def move_of(word: str) -> Move:
    status, at, rule = word.split("@")
    return Move(status, int(at), rule)


# The tag of what a person said and may be worth keeping. It is kept for a time, found when a prompt is about it, and
# never leads.
LIKELY = "likely"
CHOSEN = 0.6  # confidence in what only a model chose to keep: it is no witness
OWN_CALL = "TREERING_OWN_CALL"  # set around a call of ours to an agent: hooks stay silent, and nothing of it is kept


EVERYWHERE = "\0"  # as the project of a person who looks: all projects and sessions are seen. No name can be that.


class Context(NamedTuple):
    """Where somebody acts: it decides what they see and how their events are stamped."""

    space: str = DEFAULT_SPACE
    project: str = ""
    session: str = ""
    actor: str = "agent"


class Filter(NamedTuple):
    """Which memories to list or search. Empty means any."""

    space: str = DEFAULT_SPACE
    type: str = ""
    scope: str = ""
    statuses: tuple[str, ...] = ()
    project: str = ""
    session: str = ""
    tag: str = ""
    visible_to: Context | None = None  # the walls: only what somebody standing there may see
    since: int | None = None  # not earlier, in microseconds
    until: int | None = None  # not later
    invariant: bool = False  # only those
    trust: str = ""


class Found(NamedTuple):
    """How one channel found a memory."""

    rank: int  # among all that the channel found; 1 is the best
    score: float  # in the channel's own measure: BM25, a cosine, an activation


class Why(NamedTuple):
    """Why a hit stands where it stands. The score is the sum of the parts times the product of the factors."""

    channels: Mapping[str, Found]  # keyword, vector, graph: those that found it
    parts: Mapping[str, float]  # what each gave: the channels, its neighbours in time, its likeness to the leaders
    factors: Mapping[str, float]  # what strength, q, status, trust, scope and invariant did; 1 is nothing
    older_than: str = ""  # the newer statement of the same thing, which comes first
    same_as: tuple[str, ...] = ()  # near-duplicates that it stands for


class Hit(NamedTuple):
    """A memory found, how well it fits (higher is better), and why."""

    memory: Memory
    score: float
    why: Why
    chance: float = 1.0  # how likely it is, from 0 to 1, that it belongs to the answer, if anything does


# Why a memory is not shown: it may not belong, nothing may, enough are shown, there is no room, by chance, the session
# has been told, or another memory says otherwise.
PASSED = UNSURE, SILENCE, ENOUGH, NO_ROOM, CHANCE, TOLD_BEFORE, DOUBTED = (
    *("unsure", "silence", "enough", "no room", "chance", "told before", "doubted"),
)


class Cutoff(NamedTuple):
    """The last place of an answer, given by chance to one of two memories to measure what each does."""

    shown: str
    withheld: str
    p: float  # the probability with which the one that is shown was to be shown


class Passed(NamedTuple):
    """One of the best that an answer does not show."""

    memory: str
    score: float
    why: str  # one of `PASSED`


class Recall(NamedTuple):
    """The answer to a query. Without hits it abstains: silence is better than a wrong answer."""

    id: str  # names it for feedback; nothing if it was not logged
    query: str
    hits: tuple[Hit, ...]
    type: str = "general"  # of the query, one of `QUERY_TYPES`
    strategy: str = "hybrid"
    confidence: float = 0.0  # from 0 to 1, that the answer is among the hits
    silence: str = ""  # why there are no hits
    fence: str = ""  # the hits as a text for an agent: quoted, attributed, within the budget
    nonce: str = ""  # of the fence
    cutoff: Cutoff | None = None  # where chance decided what is shown
    passed: tuple[Passed, ...] = ()  # the two best that are not among the hits

    @property
    def abstained(self) -> bool:
        return not self.hits


# A person of a team stands in `anna@shop`: they see the space of the team, and one of their own, where nobody else
# looks. `anna@@shop` is the latter alone.
_AT = "@"


def standpoint(space: str, person: str) -> str:
    """Return where a person of a team stands."""
    return f"{person}{_AT}{space}" if person and _AT not in space else space


def person_in(space: str) -> str:
    """Return the person who stands there; nobody for the space of a team."""
    return space.rpartition(_AT)[0].rstrip(_AT)


def team_of(space: str) -> str:
    """Return the space that a person shares with their team."""
    return space.rpartition(_AT)[2]


def own_of(space: str) -> str:
    """Return the space of a person alone, as events name it."""
    return standpoint(team_of(space), person_in(space))


def alone(space: str) -> str:
    """Return where a person sees what is their own and nothing else."""
    return f"{person_in(space)}{_AT}{_AT}{team_of(space)}"


def seen_from(space: str) -> tuple[str, ...]:
    """Return the spaces that can be seen from one: this is the wall between the members of a team."""
    if not person_in(space):
        return (space,)
    return (own_of(space),) if own_of(space) != space else (team_of(space), space)


def visible(memory: Memory, context: Context) -> bool:
    """Tell whether a memory can be seen: a project's only in its project, a session's in its session."""
    return sight(context)(memory)


def sight(context: Context) -> Callable[[Memory], bool]:
    """Return what tells whether a memory can be seen from somewhere."""
    spaces, project, session = seen_from(context.space), context.project, context.session

    def sees(memory: Memory) -> bool:
        if memory.space not in spaces:
            return False
        if project == EVERYWHERE:
            return True
        if memory.scope == "project":
            return memory.project == project
        if memory.scope == "session":
            return memory.session == session and memory.project in ("", project)
        return True

    return sees


def type_named(word: str) -> str:
    """Return the type that a word means: its own name, or Fact and Process."""
    if not isinstance(word, str):
        raise InvalidInput(f"type must be one of {', '.join(TYPES)}, not {word!r}")
    name = word.strip().lower()
    return one_of("type", _TYPE_ALIASES.get(name, name), TYPES)


def number_in(text: str) -> int | None:
    """Return the whole number that a text writes in at most 15 digits, else None."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= 15 else None


def limit_of(value: int) -> int | None:
    """Return a limit as a slice takes it: 0 means all."""
    if not isinstance(value, int) or value < 0:
        raise InvalidInput(f"limit must be a whole number, 0 for all, not {value!r}")
    return value or None


def one_of(what: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise InvalidInput(f"{what} must be one of {', '.join(allowed)}, not {value!r}")
    return value


class Origin(NamedTuple):
    """Where a text comes from: a kind, and for most kinds a pointer."""

    kind: str
    ref: str = ""
    line: int = 0

    def __str__(self) -> str:
        parts = [self.kind, self.ref, str(self.line) if self.line else ""]
        return ":".join(part for part in parts if part)


def origin_named(text: str) -> Origin:
    """Read `kind`, `kind:ref` or `kind:ref:line`; a bare path or address is a document."""
    kind, _, ref = text.strip().partition(":")
    if kind not in ORIGINS:
        if "/" not in text and "." not in text:
            raise InvalidInput(
                f"origin must be one of {', '.join(ORIGINS)}, with :REF behind it if it has a source, not {text!r}"
            )
        kind, ref = "document", text.strip()
    path, _, line = ref.rpartition(":")
    if path and (number := number_in(line)):
        return Origin(kind, path, number)
    return Origin(kind, ref)


def trust_in(origin: str) -> str:
    """Return the trust in an origin: text from outside is trusted least, whoever carried it in."""
    kind = origin.partition(":")[0]
    return kind if kind in ("user", "agent") else "external"


def least_trusted(*trusts: str) -> str:
    """Return the lowest of several trusts."""
    return max(trusts, key=TRUSTS.index)


def comes_from(origin: str | None, source: str) -> bool:
    """Tell whether an origin is, or lies in, a source: `tool`, `document:a.md`, `a.md` or `a.md:12`."""
    if not origin or not source:
        return False
    here = origin_named(origin)
    named = (str(here), f"{here.kind}:{here.ref}", here.ref, f"{here.ref}:{here.line}", here.kind)
    return source in named


# The side exits are open to every memory that is still told: an evolution action takes them, with evidence.
_SIDE_EXITS = ("superseded", "merged", "deprecated", "quarantined")

TRANSITIONS: dict[str, tuple[str, ...]] = {
    # An episode that somebody sums up in its first hour never was active.
    "created": ("active", "consolidated", "archived", "forgotten", *_SIDE_EXITS),
    "active": ("consolidated", "archived", "forgotten", *_SIDE_EXITS),
    "consolidated": ("active", "archived", "forgotten", *_SIDE_EXITS),
    "archived": ("active", "consolidated", "forgotten", *_SIDE_EXITS),  # it faded while its group waited
    # These leave only by undoing the event that made them so, or by a person who forgets them.
    "superseded": ("forgotten",),
    "merged": ("forgotten",),
    "deprecated": ("forgotten",),
    "quarantined": ("active", "forgotten"),
    "forgotten": (),
}

STATUSES = tuple(TRANSITIONS)

# Being used makes these active.
WAKING = ("created", "consolidated", "archived")

# What recall may answer with. The others keep their history and stay out of sight.
RECALLABLE = ("created", "active", "consolidated", "archived")
# What evolution and people took out of it, with its text kept: shown to those who ask for it.
RETIRED = ("superseded", "merged", "deprecated")


def check_move(id: str, now: str, to: str) -> None:
    if to not in TRANSITIONS[now]:
        raise IllegalMove(id, now, to)
