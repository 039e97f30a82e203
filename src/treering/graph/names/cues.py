"""The words around a name that say what it is, or that it is none."""

from __future__ import annotations

from treering.core.mentions import TIME_WORDS
from treering.core.words import STOP_WORDS

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
