"""Tell who is a person: first names, and what only people do.

Tell by the words around a word what it is: a person, a part of a system, a package, or no name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treering.graph.entities import shapes
from treering.graph.entities.lexicon import FIRST_NAMES, KINDS, LIKELY, SURE, UNSURE, UNSURE_NAMES, lexicon
from treering.graph.entities.shapes import WORD, Token
from treering.text.mentions import TIME_WORDS
from treering.text.words import STOP_WORDS

# Behind a name, only people do this.
PERSON_VERBS = frozenset(
    """agreed agrees approved approves argued asked asks believes bisected complained complains confirmed
    confirms debugged decided deployed discovered dislikes explained fixed found handles hates insisted
    insists investigated joined knew knows leads led left likes looked maintained maintains mentioned
    merged merges moved noticed objected owned owns paired pointed preferred prefers promised proposed
    proposes pushed recommended recommends remembers reported reports reverted reviewed reviews rewrote
    said says signed spent spotted suggested suggests tells thinks thought told tracked vetoed volunteered
    volunteers wanted wants writes wrote""".split()
)
# Before a name, these have a person behind them.
PERSON_BEFORE = frozenset(
    """ask asked asking assigned author boss cc colleague contact coworker credit dear email hello hey hi
    kudos mailed maintainer manager mentor met owner paired per ping pinged reviewer teammate tell thank
    thanks told""".split()
)
# With "with", "to" or "from" behind them: "spoke with Ravi", "talked to Ines", "took over from Wei".
PERSON_PAIRS = frozenset(
    """according/to agreed/with approved/by asked/by assigned/to belongs/to built/by call/with chat/with
    checked/with created/by credit/to discussed/with done/by feedback/from fixed/by found/by handed/to
    heard/from idea/by introduced/by mail/from maintained/by merged/by message/from met/with note/from
    over/from over/to owned/by paired/with patch/by pr/by proposal/by question/from re-created/by
    reported/by request/from requested/by review/by reviewed/by signed/by spoke/to spoke/with suggested/by
    sync/with talked/to talked/with thanks/to word/from written/by""".split()
)
# Who somebody is, not who: "User said".
ROLES = frozenset(
    """admin boss client customer design docs documentation everyone finance legal manager marketing
    nobody ops product qa readme reviewer sales security somebody someone spec support team user users
    vendor who""".split()
)
TITLES = frozenset("mr mrs ms dr prof".split())


NO_NAMES = STOP_WORDS | TIME_WORDS
THE = frozenset("the our this my their its".split())
# Behind "the … service" and the like, what stands between is its name.
OWNED = frozenset("service repo repository microservice module job".split())
VAGUE = frozenset(
    """customer shuttle third-party room delivery streaming subscription cleaning self food config data
    utils new old other same main whole web internal external current existing last first next entire
    single legacy second third actual original correct wrong right only big small local remote shared
    public private separate following background upstream downstream parent child test python java go
    node rust cron batch nightly weekly daily git backend frontend particular specific respective mobile
    cloud core managed support systemd linux windows""".split()
)
NO_OWNERS = VAGUE | NO_NAMES
# Known names that are plain words in lower case.
WORDS_TOO = frozenset("rest nat dst aria soap raft orc wal swift elf hls nose".split())
# Capitals that everybody writes and nobody means as an entity.
COMMON_CAPS = frozenset(
    """api apis ui ux db pr prs ci cd ok id ids todo faq eta eod utc cet cest gmt pst est mb gb kb tb
    cpu cpus gpu ram am pm us eu uk usa qa hr ceo cto it sdk cli url urls uri io os pc vm vms ssd hdd ip
    mr ide dev prod p50 p90 p95 p99 asap fyi tldr imo btw wip lgtm rfc adr sla slo slas kpi roi mvp poc
    not and or if then else do must no yes all never always only now a i x y z q1 q2 q3 q4 h1 h2 get
    post put patch delete head crud fixme note warning ms gui lts eol kv aka eof diy etc nb ps re via
    max min breaking important careful caution hack""".split()
)
# With a capital wherever they stand, and no products.
CAPITALISED = frozenset(
    """german english french spanish italian dutch polish chinese japanese russian american british
    european portuguese swedish turkish korean arabic hebrew hindi latin greek africa asia europe
    america christmas easter internet mac monday sunday app review session user team client boss office""".split()
)
CRYING = frozenset("panic fatal error exception".split())  # before a colon and a message
REPORTING = frozenset("at on in from when during after every since : = means again".split())  # behind a quoted message
PROGRAMS = frozenset("server cli client exporter operator agent proxy sentinel".split())  # of a tool: redis-server
METHODS = frozenset("get post put patch delete head options".split())
STATUS = frozenset(
    """400 401 402 403 404 405 406 408 409 410 412 413 415 416 418 421 422 423 425 426 429 431 451 499
    500 501 502 503 504 507 508 511 520 521 522 524""".split()
)
STATUS_SURE = frozenset(
    "http status returns returned return returning answers answered responds responded throws sends".split()
)
STATUS_BEFORE = STATUS_SURE | frozenset(
    """get sees see saw hits hit code error errors a an the with gets got getting sent is was of many some
    these those and by occasional random spurious intermittent from on""".split()
)
HTTP = frozenset(
    """http status returns returned answers responds nginx alb gateway endpoint request requests api
    proxy error errors 5xx 4xx bans upstream""".split()
)
# Lower case before a plain number, these are languages: "node 18"; but not "on node 3".
NUMBERED = frozenset("node java go python ruby php rust swift".split())
PLACED_ON = frozenset("on of the host each every a".split())
# Behind a word that is also an English one, these make a product of it: "celery worker", "react component".
TECHNICAL = frozenset(
    """worker workers task tasks app apps component components server cluster chart client container
    image config migration migrations plugin hook hooks job jobs module package service queue broker
    router store template templates middleware build upgrade version""".split()
)
# Folders that a path may begin with where nothing else says that it is one.
FOLDERS = frozenset(
    """charts libs modules services components models controllers views routes handlers jobs tools ops
    infra deploy db dags pipelines notebooks public static assets styles templates locales migrations
    spec e2e fixtures core common shared plugins hooks utils helpers pages crates cmd proto schemas
    terraform ansible vendor firmware""".split()
)
UNITS = frozenset(
    """ms s sec secs seconds minutes min mins hours days weeks months years mb gb kb % percent requests
    rows users items rps qps pods nodes bytes lines tests files times points cores connections threads
    workers people retries characters replicas shards instances commits pages""".split()
)
FAULTY = frozenset("error errors code warning exception fails failed with got raises throws lint rule".split())
FAILING = frozenset("fails failed dies died crashes crashed exits exited aborts rejects rejected errors killed".split())
# Before a version: "pinning sharp to 0.32".
PINNING = frozenset(
    """pin pinning pinned pins bump bumping bumped bumps upgrade upgrading upgraded upgrades downgrade
    downgrading downgraded update updating updated""".split()
)
# Before and behind a word, these make a product of it: "uses sharp.", "with celery and".
TAKING = frozenset("uses using imports import wraps".split())
ENDING = frozenset((".", ",", ";", ")", "and", "or", "for", "\n", "to", "in", "on", "behind", "as"))
INSTALLING = frozenset("install add get require imports import importing imported".split())
NO_PACKAGES = frozenset(
    "order orders statement statements path paths error errors data file files nothing everything".split()
)
RUNNERS = frozenset("make npm npx yarn go just rake cargo ./gradlew mvn uv".split())
# Before a path without an extension, and pairs of words that are none.
PLACING = frozenset("in under into inside from at below see within folder directory everything to via path".split())
PAIRED = frozenset(
    """and read client input on true yes he start his pass either push pull up left client request
    source key name before front back open min max old new build dev test encode get set import load
    save copy plus""".split()
)
# Words joined by hyphens that are English.
ENGLISH_ENDS = tuple(
    """ed ing ly -up -in -out -off -on -down -only -based -free -wide -time -driven -oriented -like -style -level -side
    -friendly -specific -first -aware -safe -ready -party""".split()
)
NAME_VERBS = frozenset("uses runs needs requires depends supports fails throws".split())
SPEAKING = frozenset("said says owns wrote maintains thinks suggested prefers reported told".split())
VERBS = frozenset(
    """uses use needs need requires runs run calls owns own depends reads writes sends gets fails failed
    imports takes loads strips drops keeps stores throws returns talks polls pushes pulls handles feeds
    maintains wrote has does crashes crashed died dies hangs creates sees serves breaks broke waits""".split()
)


_FAR = 12  # words on each side in which the talk is of HTTP
_TO = frozenset(("to", "from", "at", "back"))  # between a package and the version that it is pinned at
_LISTED = frozenset(("", ",", "and", "or", ".", ";", "\n", ")", "for", "from", "as", "directly"))
_OF_SYSTEMS = frozenset(("brew", "apt", "apt-get", "dnf"))  # they install programs


class Spot(NamedTuple):
    """A name in a text."""

    first: int  # token; -1 for what stands nowhere as it is named
    last: int  # the token behind it
    name: str
    type: str
    confidence: float
    version: str = ""


class Guesses:
    """A text's tokens, and what can be said of one of them by its neighbours."""

    def __init__(self, found: Sequence[Token]) -> None:
        self.tokens = found
        self.spots: list[Spot] = []
        self.lexicon = lexicon()

    def low(self, at: int) -> str:
        """Return the word at a place, in lower case; empty beyond the ends."""
        return self.tokens[at].low if 0 <= at < len(self.tokens) else ""

    def around(self, at: int, far: int) -> list[str]:
        return [token.low for token in self.tokens[max(0, at - far) : at + far + 1]]

    def one(self, at: int, type: str, sure: float, name: str = "") -> Spot:
        """Return a spot of one token."""
        return Spot(at, at + 1, name or self.tokens[at].text, type, sure)

    def kind(self, at: int) -> str:
        """Return the type that the noun behind a name gives it, or the one before."""
        return KINDS.get(self.low(at + 1), "") or KINDS.get(self.low(at - 1), "")

    def package(self, at: int) -> Spot | None:
        """Find a package's name: "pip install X", "imports X", "pinning X to 1.2"."""
        low, before = self.low(at), self.low(at - 1)
        if len(low) < 3 or low in STOP_WORDS or low in KINDS or low in NO_PACKAGES:
            return None
        if before in PINNING:
            pinned = self.low(at + 1) in _TO and shapes.is_version(self.low(at + 2))
            return self.one(at, "library", LIKELY) if pinned else None
        if before in ("install", "add", "get", "require"):
            installer = self.lexicon.single.get(self.low(at - 2))
            if not installer or installer.type not in ("tool", "library"):
                return None
            return self.one(at, "tool" if self.low(at - 2) in _OF_SYSTEMS else "library", LIKELY)
        return self.one(at, "library", UNSURE) if self.low(at + 1) in _LISTED else None

    def status(self, at: int) -> Spot | None:
        """Find an HTTP status, where the words around it say so."""
        text, before = self.tokens[at].text, self.low(at - 1)
        if text not in STATUS or before not in STATUS_BEFORE or self.low(at + 1) in UNITS:
            return None
        is_http = before in STATUS_SURE or not HTTP.isdisjoint(self.around(at, _FAR))
        return self.one(at, "error", LIKELY) if is_http else None

    def person(self, at: int) -> Spot | None:
        token = self.tokens[at]
        before, following = self.low(at - 1), self.low(at + 1)
        known, unsure = token.low in FIRST_NAMES, token.low in UNSURE_NAMES
        pair = f"{self.low(at - 2)}/{before}" in PERSON_PAIRS
        acts = following in PERSON_VERBS or before in PERSON_BEFORE or before in TITLES
        if token.low in ROLES or (not known and not (pair or acts)):
            return None
        if not known and token.begins and not unsure and following not in SPEAKING:
            return None
        end = at + 2 if self._is_surname(at + 1) else at + 1
        name = " ".join(one.text for one in self.tokens[at:end])
        return Spot(at, end, name, "person", SURE if known else LIKELY if unsure or pair else UNSURE)

    def _is_surname(self, at: int) -> bool:
        if at >= len(self.tokens) or self.tokens[at].kind != WORD or self.tokens[at].begins:
            return False
        text, low = self.tokens[at].text, self.tokens[at].low
        plain = text[0].isupper() and text[1:].islower()
        return plain and low not in NO_NAMES and low not in self.lexicon.single

    def part(self, at: int) -> Spot | None:
        """Find "the scheduler", "the image worker", "the search service"; not "the checkout step"."""
        low, owner, article = self.low(at), self.low(at - 1), self.low(at - 2)
        is_taken = bool(self.spots) and self.spots[-1].last > at - 1
        is_owned = article in THE and owner.isalpha() and owner not in NO_OWNERS and not is_taken
        if low in OWNED:
            return Spot(at - 1, at + 1, owner, "project", UNSURE) if is_owned else None
        following = self.low(at + 1)
        if following.isalpha() and following not in STOP_WORDS and following not in VERBS:
            return None
        if owner in THE or owner in VERBS or self.tokens[at].begins:
            return self.one(at, "project", UNSURE)
        return Spot(at - 1, at + 1, f"{owner} {low}", "project", UNSURE) if is_owned else None
