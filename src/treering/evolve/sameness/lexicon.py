"""List the words that mean the same, that say little, and that change the meaning; and stem words."""

from __future__ import annotations

from functools import lru_cache

_SHORTEST = 3  # letters that an ending leaves behind
_VOWELS = frozenset("aeiouy")
_KEPT = 20_000  # words: a language has about that many in use
_HISSING = ("sses", "xes", "ches", "shes", "zes")
_DOUBLED = frozenset("bdgmnprt")  # letters that are doubled before an ending
_WHOLE = frozenset("alias always bus gas here home lens more news perhaps".split())  # whose last letter is no ending
_DOING = ("ing", "ed")

# Forms that no ending explains, behind the word that they are forms of: the past of verbs, and others.
_PAST = """
begin began begun; break broke broken; bring brought; build built; buy bought; catch caught; choose chose chosen;
come came; do did done; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen;
feel felt; find found; fly flew flown; forget forgot forgotten; get got gotten; give gave given; go went gone;
grow grew grown; hide hid hidden; hold held; keep kept; know knew known; lead led; leave left; lose lost; make made;
mean meant; meet met; pay paid; ride rode ridden; run ran; say said; see saw seen; sell sold; send sent; show shown;
sing sang sung; sit sat; sleep slept; speak spoke spoken; spend spent; stand stood; swim swam swum; take took taken;
teach taught; tell told; think thought; throw threw thrown; understand understood; use used; wear wore worn; win won;
write wrote written
"""
_OTHERS = """
alias aliases; child children; do does; go goes; index indices; make making; man men; person people persons;
use uses using; woman women
"""


def _forms(table: str) -> dict[str, str]:
    groups = [group.split() for group in table.split(";")]
    return {form: word for word, *forms in groups for form in forms}


PAST = _forms(_PAST)
_IRREGULAR = PAST | _forms(_OTHERS)


@lru_cache(_KEPT)
def stem(word: str) -> str:
    """Return a lower-case word without its ending, so that its forms match: deletes, deleted, deleting."""
    word = _IRREGULAR.get(word, word)
    if not word.isalpha() or len(word) <= _SHORTEST or word in _WHOLE:
        return word
    word = _without_doing(_singular(word))
    if word.endswith("ly") and len(word) > _SHORTEST + 3:
        word = word[:-2]
    return word[:-1] if word.endswith("e") and len(word) > _SHORTEST else word


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith(_HISSING):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _without_doing(word: str) -> str:
    if word.endswith("ied") and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    for ending in _DOING:
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) >= _SHORTEST and not _VOWELS.isdisjoint(rest):
            return rest[:-1] if rest[-1] == rest[-2] and rest[-1] in _DOUBLED else rest
    return word


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


def _meanings(lines: str) -> dict[str, str]:
    """Map every word of a line to its first."""
    groups = [[stem(word) for word in line.split()] for line in lines.strip().splitlines()]
    return {word: group[0] for group in groups for word in group}


# -- words that mean the same

SYNONYMS = _meanings("""
delete remove erase deletion removal rm
find search locate seek lookup
show display print list view output echo
create make creation mkdir
directory folder dir
change modify alter edit update modification
copy duplicate cp
move relocate mv
execute run invoke execution
start begin launch
stop halt terminate
enable activate
disable deactivate
extract decompress uncompress unzip gunzip unpack
compress gzip
large big huge bigger larger
small little tiny smaller
fast quick rapid
fail failure
bug defect
fix repair solve resolve
check verify ensure validate confirm
use employ utilize utilise usage
prefer favour favor preference
choose select pick
allow permit
forbid prohibit ban disallow
buy purchase
job task
repository repo
database db
documentation docs doc document
config configuration configure
environment env
application app
specification spec
parameter argument param arg
function func
production prod
development dev
administrator admin
password passwd
information info
message msg
approximately roughly
meeting appointment
live reside
colleague coworker
mother mom mum
father dad
phone telephone
film movie
holiday vacation
car automobile
newest latest
calculate compute
differ different
identical same equal
contain include
exclude except ignore omit skip besides
replace substitute
append add
join merge combine
split divide
string text word
regex regexp
path pathname
picture image photo
terminal console
deploy deployment rollout
reply answer respond response
request ask
save store persist
problem issue trouble
describe explain
happen occur
allergic allergy
writable writeable
own belong owner ownership
""")

# What looks and what shows are one in the first place of a clause, where a how-to has its verb; so are set and change.
_FIRST = {
    "find": _stems("find search locate show display print list view output look get seek check hunt query report echo"),
    "change": _stems("change set modify alter edit update"),
}
OPENING = {word: stem(first) for first, words in _FIRST.items() for word in words}

# Verbs of a how-to for a shell, which begins with one.
ACTS = frozenset(OPENING.values()) | frozenset(
    SYNONYMS.get(word, word)
    for word in _stems(
        """delete create copy move rename execute start stop enable disable extract compress archive count calculate
        replace append join split convert sort save download mount unmount kill recursively force clear compare
        make remove run add read write go send search assign log open prepend synchronize save"""
    )
)

# Several words that are one: what they mean, and the ways to say it. Each way is matched by its stems.
_PHRASES = """
filesystem = file system
subdirectory = sub directory; sub folder; subfolder
symlink = symbolic link; soft link; sym link
manual = man page; manual page
regex = regular expression
stdout = standard output
stderr = standard error
stdin = standard input
delete = get rid of
find = look for; search for; hunt down; find out; look up
enable = turn on; switch on; bring up
disable = turn off; switch off; bring down
stop = shut down
setup = set up
login = log in; sign in
logout = log out; sign out
backup = back up
whitespace = white space
copy = make a copy of; create a copy of
own = owned by; belong to
count = number of; total number of; count of; count the number of; count number of
nocase = case insensitive; ignoring case; ignoring the case; ignoring case difference; without regard to case; any cased
because = due to; since
instead = rather than; instead of; in place of; in favour of; in favor of
least = at least; no less than; not less than; minimum of; or more; or greater; greater than or equal to
most = at most; no more than; not more than; maximum of; or less; up to; less than or equal to
more = more than; greater than; larger than; bigger than; exceeding; older than; longer than
less = less than; less then; smaller than; fewer than; shorter than
newer = more recently than; newer than; more recent than; later than
ago = ago
last = in the last; in last; within the last; within last; in the past; within the past; during the last; over the last
root = entire file system; whole file system; entire filesystem; whole filesystem; in the file system; in file system
root = in the filesystem; on the system; entire system; whole system; in the system; everywhere; root directory
root = root file system; root filesystem; your system
here = current directory; current folder; current working directory; working directory; present directory
here = present working directory; current working folder; present folder
here = this directory; this folder; current one
home = home directory; home folder; home dir
below = and below; and all of its sub directory; and its sub directory; and all its sub directory; and sub directory
below = and all of its subdirectory; and its subdirectory; and all its subdirectory; and subdirectory; and subfolder
tree = directory tree
not = no longer; not anymore; not any more
startwith = start with; starting with; begin with; beginning with
needed = if needed; as needed; if required; as required; if necessary; as necessary
must = have to; has to; need to; ought to
to = in order to; so as to
"""
PHRASES: dict[tuple[str, ...], str] = {
    tuple(stem(word) for word in way.split()): line.partition(" = ")[0]
    for line in _PHRASES.strip().splitlines()
    for way in line.partition(" = ")[2].split("; ")
}
# Of these, what is more is told by the number behind: older than Ann and larger than Ann are not the same.
MEASURING = frozenset(("more", "less"))
UNMEASURED = _stems("more greater less fewer exceeding")  # more than, with or without a number
OWNED = "own"  # owned by, belongs to: who owns comes behind
LONGEST_PHRASE = max(map(len, PHRASES))  # words
# The first words of them, by which most words are known to begin none.
PHRASE_HEADS = frozenset(way[0] for way in PHRASES)

# -- words that say little

STOP = frozenset(
    """a an the this that these those there is are was were be been being am do does did has have had having will would
    shall can could may might must should always i me my mine we us our ours you your yours he him his she her hers it
    its they them their theirs who whom whose which what where how and or also as so such then than very just of in
    on at by for with to from into onto under over through via between within inside per upon among across along toward
    towards about please all any every each both some but s t re ve ll d m etc actually really simply basically either
    anywhere somewhere quite currently now when while whenever because once if since""".split()
)
# What is left out of a sentence without harm, if it is not another number of things.
ARTICLES = frozenset(
    "a an the this that these those my our your his her its their all any every each some both".split()
)

# Two how-tos for a shell name these or leave them out without another meaning. They count a little.
LIGHT = _stems(
    """file directory subdirectory tree below recursive find show look regular normal name current here root whole
    system filesystem following follow one specific specified given certain command path pathname filename detail
    string pattern match contain exist live user such needed need use set called start located extension end result
    item entry instance multiple present occurrence existing available linux unix bash shell size own like out location
    full intermediate real regex query"""
)

# Of these, one may have some and the other others. Of the rest, only one of the two may have any.
OPTIONAL = _stems(
    """find show look regular normal specified given certain following tree below recursively here root directory
    subdirectory filesystem system current whole file filename own size such like out name pattern match string contain
    extension end live exist located present instance occurrence item entry"""
)
# What is told of a file: two how-tos that each tell another one are not the same.
ATTRIBUTES = _stems("name size path detail user")
PLACES = frozenset(("here", "root", "home"))
DEPTHS = _stems("recursively tree below subdirectory here root")  # each says or implies that folders are gone into
# What a how-to for a shell is about.
THINGS = _stems("file directory subdirectory filesystem symlink permission inode here root tree filename")

# -- words that change everything

NEGATIONS = frozenset("not no never without cannot neither nor none nothing non".split())
COMPARING = frozenset("more less least most exactly newer ago last older".split())
# Files by the language in them, and by the end of their names.
EXTENSIONS = {"python": "py", "text": "txt", "markdown": "md", "ruby": "rb", "javascript": "js", "perl": "pl"}
# Behind "last modified", a time: it is no other file than the modified one.
TIMED = frozenset("more less between in within exactly over on before after about during at".split())
# Over, with a number behind it.
BOUNDS = {"over": "more", "above": "more", "past": "more", "under": "less", "below": "less"}
MARKERS = {
    **dict.fromkeys("to into onto toward towards".split(), "to"),
    **dict.fromkeys("in under within inside of below across among".split(), "in"),
    **dict.fromkeys(("every", "each"), "every"),
    "via": "through",
    **{
        word: word
        for word in "on at from by for with than over before after instead as through against between".split()
    },
}
# Words for a thing that was named before: what is done to it may be told first or last.
BACK = frozenset("them it these those their".split())
BEING = frozenset("is are was were be been being am".split())
CONTRACTED = {"m": "am", "re": "are", "ll": "will", "ve": "have"}  # not s, which may be is, has or of
# What a person does, behind "the user".
DOING = frozenset(
    """prefers likes loves hates dislikes enjoys wants needs uses owns is has was had will lives works speaks studies
    plays drives does doesn't asked said says never always usually often wrote reads writes thinks believes""".split()
)
# Verbs of a state, which is over when it is told in the past: she lived in Rome.
STATES = _stems(
    "live work use like prefer love hate own need want know study play run host belong cost contain support"
)
# Of grammar: what each word shows about its sentence.
MOODS = {
    **dict.fromkeys("may might".split(), "may"),
    **dict.fromkeys("can could".split(), "can"),
    **dict.fromkeys("must should shall always".split(), "must"),
    **dict.fromkeys("was were had did".split(), "was"),
    **dict.fromkeys("is are am".split(), "is"),
    **dict.fromkeys("has have".split(), "have"),
    **dict.fromkeys("some few several".split(), "some"),
    **dict.fromkeys("he him his".split(), "he"),
    **dict.fromkeys("she her hers".split(), "she"),
    **dict.fromkeys("i me my mine we us our ours".split(), "i"),
    "will": "will",
    **dict.fromkeys("if when whenever once".split(), "if"),
    "because": "because",
    **dict.fromkeys("all every each".split(), "all"),
    "their": "their",
}
# Of these, a clause begins that may stand before or behind the rest of its sentence.
CLAUSES = {mood: MOODS[mood] for mood in "if when whenever once because".split()} | {
    "unless": "unless",
    "while": "while",
}
