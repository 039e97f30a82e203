"""List classes of English words, mostly as stems: subject, negation, single values, and places."""

from __future__ import annotations

from treering.text.words import STOP_WORDS
from treering.truth.contradictions.read.tokens import stem


def stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


# As they stand. These join or point, and name nothing.
FUNCTION = frozenset([word for word in STOP_WORDS if "'" in word]) | frozenset(
    """a an the this that these those some any each every all both own such i me my mine myself we us our ours you your
    yours he him his she her hers it its they them their theirs who whom whose which what there here be am is are
    was were been being have has had having do does did doing done will would can could may might must should shall
    ought to of in on at for by from with as after before above below during plus across near around into onto per
    via through over under within inside between against about and or but nor so than then if when while because
    since until unless although though where whether up down out off again very too also just really quite even only
    rather well more most much many few less least other else ever yet once now currently still already always
    nowadays please actually instead anyway simply exactly usually generally hey hi hello wow thanks thank yeah yep
    yes sure cool awesome congrats sounds oh okay great definitely glad absolutely nice lol haha s t re ve ll d m
    don't""".split()
)
# What a number may be said to be, and a thing may be called besides, without being another.
ADJECTIVES = stems(
    """maximum max minimum min current currently new latest recent default total main whole own average exact base best
    worst key same valid fine ok okay good welcome long"""
)
# Nouns that say little of what a statement is about: one may have them where the other has not.
NOUNS = stems(
    """project repo repository codebase code team company app everyone everybody everything anything thing stuff place
    value number amount limit size length level version due deadline time day week month year morning afternoon evening
    night summer winter spring autumn way lot part kind type sort bit point fact case rule note reminder decision date
    departure job list moment cost price"""
)
# A value of these is not the value of the thing.
LIMITS = stems("maximum max minimum min average mean median total typical default peak p50 p95 p99 recommended")
CAPS = stems("limit cap allow")  # and these say that there is one
# Parts of a day or a year, in which something may be otherwise.
PARTS = stems("morning afternoon evening night summer winter spring autumn")
# And verbs.
VERBS = stems(
    """run live start begin happen take get go set keep hold give pay need want say stay stand target expire end leave
    contain make put let see be have use do come become remain mean tell ask mention note find work write read build
    store save locate host serve call name know move switch change rename replace migrate upgrade update bump pin raise
    increase lower reduce extend shorten cut renew rebook reschedule postpone delay push turn adopt apply belong require
    must rate allow permit prefer choose pick schedule"""
)
WEAK = ADJECTIVES | NOUNS | VERBS
# Verbs that say that something is now otherwise.
CHANGE = stems(
    """move rename switch change replace migrate upgrade update bump raise increase lower reduce extend shorten renew
    rebook reschedule postpone delay downgrade swap convert transfer relocate turn shift prolong port scale"""
)
# Verbs with which one goes from one thing to another.
MOVES = stems("move switch migrate change rename upgrade convert transfer relocate swap downgrade shift port")
# Verbs that choose one thing out of several.
USE = stems("use prefer adopt choose pick employ favour favor")
# A subject has many of these at a time: another object is no other value.
MANY = stems(
    """use test support connect depend integrate know speak like love enjoy interest share include contain check
    mention see visit meet talk help work call import read learn study try watch play see need want have own buy
    allergy responsible good great famous rely link relate affect involve cover receive offer provide
    produce join attend add remove see show describe explain discuss compare fix improve review follow inspire
    accord member fan friend part lover supporter type kind form lot"""
)
# What is made in one language or form.
MAKING = stems("write develop implement program draw draft print compose")
# What is done with several tools at a time.
COMBINING = stems("build deploy make develop implement operate host do cook travel")
# Of whom or which one may have more than one, though the sentence names one.
SEVERAL = stems("child son daughter sister brother sibling friend colleague neighbour pet cat dog hobby instrument")
# What several may get.
GIVING = stems("send mail show offer give")
# What has one value, though that is no name: the theme colour is blue.
ATTRIBUTES = stems("colour color language currency encoding locale timezone")
LIKING = stems("like love enjoy hate")
# Several versions can be so at a time.
PLURAL = stems("support test compatible verify check")
# Their numbers are names, however they are written.
NUMBERED = stems(
    """ticket issue sprint pr bug room step chapter phase line page task item row section part rule milestone note fact
    number user session question example figure table server host case lesson exercise order invoice building floor
    gate group lab unit"""
)
# And these have them as values.
QUANTITIES = stems(
    """port timeout limit size length level width height depth count capacity threshold retry ttl age weight rate price
    cost budget score priority seed temperature speed concurrency parallelism quota interval delay revision week
    maximum minimum max min total average"""
)
# What holds the place of a subject that only one can have.
HOLD = stems("own maintain lead manage chair coordinate administer charge")
# What is done by one, as a rule; most else may be done by several.
ALONE = HOLD | stems("found create perform develop employ produce direct publish handle")
# Verbs whose object of place or way is one at a time; with a preposition.
PLACE = stems(
    """live reside work sit stay belong report point go run deploy ship publish push log write save store keep put host
    land merge target default resolve listen bind start begin end open close move switch migrate rename change format
    lint compile build package sign locate base train release indent test place teach answer reply
    respond deliver sleep park commute study"""
)
# And those of them that say the same of where a thing is, goes, or how it is made.
ALIKE = tuple(
    stems(words)
    for words in (
        "live keep store save put hold host locate sit stay belong base find reside document come work commute",
        "go ship send deliver push log report write publish save land merge belong",
        "write build make develop implement compile package format generate do",
        "run deploy host serve live operate start",
        "run happen start begin open end close take hold",
    )
)
# Something is no more what it was.
GONE = stems(
    """gone history deleted removed dropped retired closed abandoned deprecated replaced decommissioned discontinued
    obsolete dead scrapped renamed uninstalled cancelled"""
)
# Together: switched off, taken out.
GONE_PAIRS = frozenset(
    [("switched", "off"), ("turned", "off"), ("shut", "down"), ("taken", "out"), ("phased", "out"), ("taken", "down")]
)
# It has another name: this alone makes the old one wrong.
RENAMED = frozenset([("now", "called"), ("now", "known"), ("now", "named")])
# What follows these is what was left, up to the next preposition.
LEAVERS = frozenset("left dropped removed abandoned ditched replaced retired".split())
# Words of which a thing is one or the other: with different ones, two statements are about two things.
CONTRASTS = tuple(
    stems(words)
    for words in (
        "minimum maximum min max",
        "read write",
        "start end begin",
        "new old current previous former",
        "day night morning afternoon evening",
        "summer winter spring autumn",
        "day week month year",
        "send receive",
        "build test deploy run",
        "upload download",
        "soft hard",
        "default custom",
        "local remote",
    )
)
# What was asked for or found out stands, though it is told in the past.
TOLD = stems(
    "ask tell decide agree want confirm need say prefer request insist find found learn notice discover mention"
)
# Something happened once. It may happen again, otherwise.
EPISODE = frozenset(
    """met went saw ate said took bought got made gave came found felt told wrote ran heard spoke drank drove flew
    slept sent sold spent taught thought won lost brought caught chose fell forgot knew paid sang swam wore woke broke
    began had did read watched visited""".split()
)
# A single event of a life, or of a thing: it has one date and one place.
ONCE = stems("join die bear found graduate marry start leave establish retire hire launch end kick")
# What is only thought, asked, planned or said by others.
HEDGES = frozenset(
    """maybe perhaps might could whether todo idea proposal propose proposes proposed suggest suggests suggested
    suggestion consider considers considering considered wonder wonders wondering hope hopes hoping wish wishes claim
    claims claimed rumour rumor supposedly allegedly imagine joke joked joking hypothetically someday probably
    likely possibly tbd guess think thinks thinking sorry congratulations congrats""".split()
)
# Two words that begin a plan or a question, or take back only a part.
PLANS = frozenset(
    tuple(pair.split())
    for pair in """plan to,plans to,planning to,planned to,want to,wants to,going to,talked about,should we,would be,
    some day,would like,would love,like to,looking forward,looking to,trying to,try to,hoping to,intend to,intends to,
    i'd like,i'd love,need to,supposed to,working on,meant to,what if,wrong to,
    wrong that,false that,true that,untrue that,incorrect that,
    not that,not every,not all,not always,not everyone,not everybody,not everything,not both,not necessarily,
    not entirely,not fully,not quite,not exactly,not really,myth that""".split(",")
)
# What comes before an if that is a question.
ASKING = stems("ask know sure wonder see check unclear tell find doubt")
# A heading that says nothing of what follows but where it is from, or who says it who always does.
NEWS = stems("message mail call update news correction reminder decision note user say fyi rule preference convention")
ALSO = frozenset("also too both additionally another besides either sometimes occasionally".split())
CONDITIONS = frozenset(
    "if when whenever while during unless except only in on for with at under below above within where by".split()
)
# A clause that begins so gives a reason, an end or a consequence, and restricts nothing.
REASONS = frozenset("because since so as until although though which who whereas hence therefore thus".split())

# As they stand. Each turns a statement round; so do the verbs of leaving out.
NEGATORS = frozenset(
    """not no never without cannot can't don't doesn't didn't isn't aren't wasn't weren't won't wouldn't shouldn't
    couldn't mustn't hasn't haven't hadn't needn't neither nobody nothing none nowhere lacks lack lacking forget
    forgets skip skips skipped omit omits avoid avoids refuse refuses stop stops stopped quit cant dont doesnt
    isnt barred prevent prevents prevented""".split()
)
# "not only", "no matter": nothing is denied; and "no idea" says nothing about the rest.
HARMLESS = frozenset(("", ",")) | frozenset(
    """only matter problem doubt wonder idea sure just necessarily yet way worries see against objection objections
    harm""".split()
)
# Not to want, know or think something says nothing about the thing itself.
ATTITUDES = frozenset(map(stem, "want know think remember care mind feel believe expect".split()))

# Not to be kept from something is to be able to; to fail without something is to need it.
HINDERING = stems(
    """keep stop prevent hinder block object mind forbid hurt harm wrong reason fail crash break error problem issue
    miss trouble abort complain oppose bother hold disagree deny refuse reject"""
)

_OPPOSITES = """
enable/disable activate/deactivate support/unsupported allow,permit/forbid,prohibit,ban,disallow
require,mandatory,obligatory,compulsory/optional accept/reject,decline possible/impossible necessary/unnecessary
available/unavailable public/private synchronous,sync/asynchronous,async include/exclude like,love,enjoy/hate,dislike
visible/hidden valid/invalid known/unknown present/absent automatic,automatically/manual,manually online/offline
encrypted/unencrypted,plaintext active/inactive safe/unsafe stable/unstable true/false success/failure
mutable/immutable sensitive/insensitive stateful/stateless full/empty legal/illegal
vegetarian,vegan/carnivore indoors/outdoors verbose/quiet,terse lowercase/uppercase
"""
# Word by word, with its family and its side: disable is (enable, True).
FAMILIES: dict[str, tuple[str, bool]] = {}
for _pair in _OPPOSITES.split():
    _yes, _no = _pair.split("/")
    _family = stem(_yes.partition(",")[0])
    FAMILIES.update((stem(word), (_family, False)) for word in _yes.split(","))
    FAMILIES.update((stem(word), (_family, True)) for word in _no.split(","))

# May and must, and what says the same: a statement may do without them.
DEONTIC = frozenset(map(stem, ("allow", "require", "possible", "necessary")))

_UN = "un"
_OF_VERBS = ("ed", "able", "ible")  # unused, unavailable; not unit, university
_NOT_UN = ("under", "unit", "unifi", "uncl", "uninst")


def family(word: str, stemmed: str) -> tuple[str, bool]:
    """Return the word that a word stands for, and whether it says the opposite."""
    known = FAMILIES.get(stemmed)
    if known is not None:
        return known
    if word.startswith(_UN) and word.endswith(_OF_VERBS) and not word.startswith(_NOT_UN):
        return stem(word[len(_UN) :]), True
    return stemmed, False


# With a preposition, a thing is so in one place, on one day, or with one value.
FIXED = stems(
    """live reside sit store save host locate deploy ship log listen bind run lock pin standardise
    standardize settle happen schedule expire renew cap limit set default resolve point merge belong fire trigger
    start begin open close collect configure end leave depart arrive cost take weigh"""
)
# What was decided still stands.
DECIDED = stems("standardise standardize settle lock pin cap limit")
# Of which a thing has one, so that two lower-case words for it exclude each other.
SINGLE_VALUED = stems(
    """colour color language currency encoding locale timezone theme format mode strategy status branch engine manager
    policy method level layout scheme algorithm favourite favorite password username database framework shell editor
    breakfast major species breed gender shape material unit"""
)
# One of these and another name may both be where a thing is.
CONTAINERS = frozenset(
    """africa america asia australia europe eu uk usa us england scotland wales ireland britain kingdom states germany
    france spain portugal italy austria switzerland belgium netherlands holland luxembourg denmark norway sweden finland
    iceland poland czechia slovakia hungary romania bulgaria greece turkey ukraine russia serbia croatia slovenia bosnia
    albania estonia latvia lithuania malta cyprus israel egypt morocco tunisia algeria nigeria kenya ghana ethiopia
    china japan korea india pakistan bangladesh nepal thailand vietnam indonesia malaysia singapore philippines taiwan
    canada mexico brazil argentina chile peru colombia venezuela ecuador bolivia uruguay cuba zealand iran iraq arabia
    lebanon jordan emirates qatar bavaria saxony hesse tuscany catalonia andalusia brittany normandy provence sicily
    california texas florida oregon washington ohio virginia georgia ontario quebec cloud""".split()
)
# And so may each of these and any other.
SYSTEMS = frozenset("aws gcp azure kubernetes k8s docker github gitlab linux git production prod staging".split())
# What stands in one place: the office is in Oslo.
SITED = stems(
    """headquarters office centre center warehouse shop school factory university server host venue hotel lab clinic
    bucket depot"""
)
# Of which there are as many as one cares to tell.
TOLD_ONE_BY_ONE = stems(
    "step example sample case feature problem issue error bug reason task item topic lesson option fix change question"
)
