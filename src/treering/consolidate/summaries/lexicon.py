"""Split texts into sentences, words into stems, and list the words that say little about a topic."""

from __future__ import annotations

from functools import lru_cache

from treering.text.mentions import ABBREVIATIONS

# Words of any note, whatever it is about: what people do, how much, when, and how they judge it.
LIGHT = frozenset(
    """able across add added after ago agree agreed allow allowed almost alone along already also although always
    among amount answer appear apr april around ask asked aug august autumn away bad because become began begin
    behind believe best better big both bring brought build built call came case cause caused causes certain change
    changed changes check checked clear close come coming common complete completed consider continue correct could
    count counted current currently daily day days dec december decide decided decision default did different
    discuss discussed doing done drop dropped due early easy either else end ended enough entire especially even
    evening ever every exact exactly example expect expected explain explained fact far feb february feel felt few
    final finally find finish finished first fixed follow following found four free fri friday full further gave
    general get gets getting give given gives goes gone had half happen happened happens hard having help helped
    high hold hour hours however idea important include included including inside instead into issue item items jan
    january jul july jun june keep keeps kept kind knew know known large last late later latest learn learned least
    leave led left less let like likely line lines list listed little long longer look looked looking looks lost low
    made main make makes making man many mar march mark matter may mean means measure measured meet meeting mention
    mentioned met middle might mind minute minutes moment mon monday month months morning move moved much name named
    near nearly need needed needs never new next night normal note noted notes nothing notice noticed nov november
    number numbers oct october often old once one only open order original other others outside over own part
    particular past people per person place plan planned plans point possible present previous previously probably
    problem proper put question quick quickly quite rather read ready real really reason recent recently related
    remain remaining remember remembered remove removed rename renamed replace replaced reported require required
    rest result results return right said same sat saturday saw say says second seconds see seem seems seen self
    send sent sep sept september several share short should show showed shown shows side similar simple simply since
    single situation size slightly small solution solve solved someone something sometimes soon specific spent
    spring stand start started starting starts state stated stay still stop stopped story such suggest suggested
    summer sun sunday sure take taken takes taking talk talked team tell ten tests thing things think third though
    thought three thu thursday time times today together told tomorrow took top toward tried try trying tue tuesday
    turn turned turns twice two type under understand unless until update updated upon use used useful user users
    uses using usual usually utc value version via wait waited want wanted wants way ways wed wednesday week weekend
    weeks well went whatever whether while whole why winter within without wonder work worked working works worse
    worst would write writing written wrong wrote year years yesterday yet""".split()
)
# Words of any talk: feelings, praise, plans, and what everybody has, does and speaks of. They tell a little.
COMMON = (
    frozenset(
        """ability able absolutely accept acceptance accordingly achieve activities activity actual actually advance
        advantage advice affect afraid afternoon age ago ahead aim allow altogether amaze amazing angry answer
        anyone apart api app application applications appreciate approach appropriate apps area arrive aspect assist
        assume attempt attend attention available average avoid aware awesome awful background basic basically
        beautiful beauty begin benefit bet beyond bigger biggest bit blast bless bond bonus boost bored both bother
        brief bright brilliant bring broad bug bugs bunch busy call calm capable care careful carry casual catch
        celebrate certainly chance chat check cheer cheers child children choice choose circumstance clearly clever
        closer code comfort comfortable comment commonly communicate communication community company compare
        complain completely complex complicated concept concern condition confidence confident confirm confuse
        confusing congrats congratulations consider consistent constantly context contribute convenient conversation
        convince cool cope correctly course crazy create creative creativity crucial curious customer customers cute
        dad data deal dear decent dedicated dedication deep definitely degree delight demand depend describe deserve
        despite detail detailed determine determined develop development device devices difference difficult
        difficulty directly disappointed discover discuss doubt dream dude duty each eager earlier earn ease easier
        easily effect effective effort embrace emotion emotional encourage encouragement encouraging energy engage
        enhance enjoy enjoyable ensure entirely epic essential essentially eventually evidence excellent excite
        excited exciting exist expand expect experience explain explore extra extremely eye face factor fair faith
        familiar family famous fan fantastic fascinating fast favorite favourite fear feature features feedback feel
        feeling file files finally flexible focus folks follow force forever forget forward freedom frequently
        friend friendly friendship front frustrated frustrating fulfilling fully fun funny further future gain
        generally genuine gift glad goal gonna gorgeous gotta grab gradually grateful gratitude greater greet ground
        grow growth guess guidance guy habit hand hang happen happily happiness happy harder hardly hate head heal
        healthy hear heart heavy hello hey hi higher highlight highly history hold home honest honestly hope hopeful
        hopefully hoping hot http https huge human hurry hurt id ideal ids ignore imagine immediately impact
        impressive improve improvement include increase incredible indeed individual influence info inform
        information insane insight inspiration inspire inspiring instance intend intense interest interested
        interesting involve involved job joke journey joy keep kid kids kindness knowledge large larger laugh
        leading learn leave lesson level life listen live lives living lol lonely longer love lovely lower luck
        lucky mad magical mail mails mainly maintain major manage manner massive maybe meaning meaningful mental
        mention mess mistake mom mood mostly motivate motivated motivation move mum name natural naturally nature
        nearly necessary negative nervous newer nice nope normally notable notice obvious obviously occasion occur
        offer oh older opinion opportunity organize organized organizing outcome overall overcome overwhelmed page
        pages pain particular particularly passion passionate patience peace peaceful perfect perfectly personal
        personally perspective photo photos phrase physical pic pics picture plan play please pleased pleasure
        plenty plus popular positive positivity possibility possibly potential powerful practice precious precisely
        prefer prepare prepared presence present pretty pride primarily prioritize production professional progress
        project promise properly proud provide purpose quality quickly quiet raise rarely reach read realise realize
        reason recent recently recognize recommend recommendation reduce regard regular regularly reject rejected
        relate relationship relax relaxing release released relevant reliable relief rely remain remarkable remind
        reminder require respect responsible review reviewed rewarding rich rough roughly satisfy satisfying scary
        seem send sense serious seriously share shared sharing short shorter significant silly similarly simply sing
        single sit sitting situation skill slightly slow slowly smaller smallest smart smile social soft software
        somehow somewhat sorry sound speak special specifically speed spend spirit staging stand start stay stop
        strange strategy strength stress strong strongly struggle style succeed success successful suddenly suffer
        suggest suggestion super support supportive suppose surely surprise surprised surprising sweet talent taste
        teach tell tend terrible terrific test tests thankful thing thoroughly thoughtful thrilled throughout tip
        tips tired tonight topic total totally tough tradition treat trouble true truly trust truth turn typical
        typically ugh unexpected unfortunately unique upcoming upgrade upgraded upset url us useful usually valuable
        variety various vibe view visit voice wait warm waste watch weak wear web website week weekday welcome
        widely wild willing win wise wish woman women wonderful word words world worry worth wow
        yay yeah yep young""".split()
    )
    - LIGHT
)
EXTENSIONS = frozenset("css html ini js json md py rs sh toml ts txt xml yaml yml".split())  # of the names of files

# Products that are known by name: one of them is a name at the beginning of a sentence too.
PRODUCTS = frozenset(
    """airflow android ansible apache aws azure cassandra celery clickhouse cloudflare datadog debian django docker
    elasticsearch excel fastapi firefox flask github gitlab grafana graphql grpc helm jenkins jira kafka kibana kotlin
    kubernetes lambda linux macos mariadb memcached mongodb mysql nginx notion numpy openssl pandas postgres postgresql
    prometheus pytest python pytorch rabbitmq react redis rust salesforce sentry slack snowflake spark sqlite stripe
    swift teams tensorflow terraform typescript ubuntu valkey vault windows zookeeper""".split()
)

# The first that fits is taken off, and something else may be put in its place.
ENDINGS = (
    ("ations", ""),
    ("ation", ""),
    ("ating", ""),
    ("ated", ""),
    ("ates", ""),
    ("ments", ""),
    ("ment", ""),
    ("ions", ""),
    ("ion", ""),
    ("ies", "y"),
    ("ied", "y"),
    ("sses", "ss"),
    ("ches", "ch"),
    ("shes", "sh"),
    ("xes", "x"),
    ("zes", "z"),
    ("ss", "ss"),
    ("us", "us"),
    ("is", "is"),
    ("s", ""),
    ("ing", ""),
    ("eed", "eed"),
    ("ed", ""),
    ("ate", ""),
    ("ally", "al"),
    ("ly", ""),
)


_SHORTEST = 3  # letters that an ending leaves behind
_VOWELS = frozenset("aeiouy")
_DOUBLED = frozenset("bdgmnprt")  # letters that are doubled before an ending
_KEPT = 50_000  # words whose stems are kept: a language has about that many in use


@lru_cache(_KEPT)
def stem(word: str) -> str:
    """Return what the forms of a lower-case word share (retries, retried; migrate, migration)."""
    if not word.isalpha() or len(word) <= _SHORTEST:
        return word
    for ending, instead in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= max(_SHORTEST, 4 if len(ending) > 3 else 0):
            left = word[: len(word) - len(ending)]
            if _VOWELS.isdisjoint(left):
                continue
            word = left + instead
            if ending in ("ing", "ed") and len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] in _DOUBLED:
                word = word[:-1]
            break
    return word[:-1] if word[-1] == "e" and len(word) > _SHORTEST else word


_STOPS = ".!?\u2026"
_CLOSING = "\"'`)]}*\u201d\u2019"
_BULLETS = ("- ", "* ", "+ ", "\u2022 ", "> ")
_MORE_ABBREVIATIONS = ABBREVIATIONS | frozenset("approx etc fig inc incl max min no nr resp vol".split())
_FENCE = "```"


def sentences(text: str) -> list[str]:
    """Return sentences without bullets, marks of headings and code; each within a paragraph."""
    found: list[str] = []
    row: list[str] = []
    fenced = False
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith(_FENCE):
            fenced = not fenced
            continue
        begins = bare.startswith(_BULLETS) or _numbered(bare)
        if fenced or not bare or begins or bare.startswith("#"):
            found += _cut(row)
            row = []
        if bare and not fenced:
            row += _unmarked(bare).split()
    return found + _cut(row)


def _numbered(line: str) -> bool:
    """Tell whether a line is numbered: "1. Stop the worker" or "2) …"."""
    number, mark, _ = line.partition(" ")
    return bool(mark) and number[-1:] in (".", ")") and number[:-1].isdecimal() and len(number) <= 3


def _unmarked(line: str) -> str:
    line = line.lstrip("#").strip()
    if _numbered(line):
        return line.partition(" ")[2].strip()
    while line.startswith(_BULLETS):
        line = line[2:].strip()
    return line


def _cut(words: list[str]) -> list[str]:
    found: list[str] = []
    begun = 0
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        counted = at > begun and words[at - 1][-1:].isdecimal()  # "300 ms." and "5 min." are units
        if not following or _ends(word, following, counted):
            found.append(" ".join(words[begun : at + 1]))
            begun = at + 1
    return found


def _ends(word: str, following: str, counted: bool) -> bool:
    """Tell whether a sentence ends with a word that another follows."""
    bare = word.rstrip(_CLOSING)
    if not bare.endswith(tuple(_STOPS)):
        return False
    name = bare.rstrip(_STOPS).lower().lstrip("(")
    if bare.endswith(".") and not counted and (name in _MORE_ABBREVIATIONS or (len(name) == 1 and name.isalpha())):
        return False
    if not name:
        return False  # a dot by itself is a folder
    # Notes often go on in lower case, with a name of a thing; but "ffi_guard! fails" and '"who?" he asked' go on too.
    return following[0].isupper() or not following[0].isalpha() or (bare[-1] == "." and not bare.endswith("..."))
