"""Find how things are done: what a team does, what a person likes."""

from __future__ import annotations

import re

from treering.capture.sentences.words import HERE, NAME, PLACES, any_of, is_base, is_failing, is_program, is_trouble

CONFIDENCE = 0.8
_MOST_WORDS = 14  # of a sentence that tells a habit: a longer one tells a story
LOWER = 0.7  # of forms that are now and then said of one thing only

_WHERE = (
    rf"(?:(?:{HERE}|(?:for|with) (?!(?:me|you|us|now|example|instance|that|this|some|many)\b)[^,]{{2,40}}?"
    r"|in (?!(?:fact|order|general|case|theory|short|addition|total|the|every\w+|many|some|other|my|this"
    r"|that)\b)[^,]{2,30}?),? )?"
)
_DOES = re.compile(
    rf"^(?P<where>{_WHERE})(?:we are|we're|we|our team|the team|everyone here|everybody here)(?: (?P<how>don't ever"
    rf"|do not ever|don't|do not|never ever|never|always|only ever|only|strictly))? (?P<verb>{NAME})(?P<rest>.*)$"
)
_NO_HABIT = frozenset(
    """have has need want see care think understand get got remember mind expect seem believe end forget find
    struggle hit lose had knew thought finished managed made did was were are are really even quite just actually
    ever been tested tried started wanted needed hear heard saw wonder hope guess feel agree disagree worry mean
    notice noticed observe experience appear know can can't cannot could should shouldn't would will won't must
    might may also still already now then only both all used went decided chose agreed learn learned wait plan look
    gotta gonna pass call set return reach enter hit talk ship got-to spend waste love like miss discuss fix broke
    break fail""".split()
)
_RULING = frozenset("stay stick prefer avoid require follow stick standardize standardise enforce forbid ban".split())
_MARKED = re.compile(
    rf"\b(?:{HERE}|throughout|exclusively|company-wide|instead of|rather than|never|(?:,|and|but) not|not (?:in"
    r"|on|with|by|from|to|for)|only|always|no \w+s|everything|(?:for|in|on|to|with) (?:all|every|any|each"
    r"|everything)|by convention|by hand|every \w+|all \w+s|or nothing)\b"
)
_OURS = re.compile(
    r"^(?:our|the team|the house|team|house|project|repo|company|the (?=(?:\w+ )?(?:rule|convention"
    r"|policy) (?:here|is|(?:in|for|of) (?:this|our))\b)) ?(?:\w+ )?(?:convention|rule|policy|standard|style"
    r"|practice|guideline"
    r"|rule of thumb|agreement|way|limit|maximum|format|order|naming)(?: (?:here|is|for|in|that)\b|:)(?P<rest>.+)$"
    r"|^all (?:of )?our [\w-]+ (?:are (?!red|green|broken|gone|failing|empty|down|slow|not|missing|wrong|old)"
    r"|use|go|have|live|get|run) ?(?P<all>.+)$"
    r"|^our (?:\w+ )?(?:branch names|branches|commits|commit messages|tags|versions|file names|docs|migrations"
    r"|ids|timestamps|dates|logs|paths|tables|columns|keys|variables|packages|images|releases|configs?|secrets"
    r"|names|codes|docstrings|modules|components|events|topics|urls|tests) (?:are (?!red|green|broken|gone|failing"
    r"|empty|down|slow|not|missing|wrong|old|outdated|full|too|very|really|so|a mess|noisy|huge)|use|follow|go"
    r"|live|start|have|look like|run|end) ?(?P<kinds>.+)$"
    r"|^we(?:'ve| have)? standardi[sz]ed on (?P<std>.+)$"
    r"|^(?:house |team |project )?(?:convention|policy|rule)(?: here)?: (?P<other>.+)$"
)
_WITH = re.compile(
    r"^we (?:build|test|deploy|lint|format|manage|install|package|release|run (?:the |our )?tests) (?:\w+ ){0,3}with \S"
)
# "This project has no pandas"
_HAS = re.compile(
    rf"^(?:this|our) (?:\w+ )?{PLACES} (?:(?:doesn't use|does not use|only uses|never uses) (?!(?:the|an?|any"
    rf"|my|it)\b)\S"
    r"|has no \S.*\b(?:staying|stays|on purpose|by design|won't|never)\b)"
)
# "We're a pnpm shop"
_SHOP = re.compile(
    r"^(?:we're|we are|this is|it's) (?:all )?an? (?!(?:big|small|new|old|tiny|huge|good|bad|nice|messy|private|public"
    r"|side|test|toy|demo|different|real|simple|young|two|three)\b)[\w./+#-]+(?:[ -]only)? (?:shop|house)\b"
)
# "Machine paths don't belong in the repo"
_NO_PLACE = re.compile(
    r"^(?!(?:it|that|this|they|these|those|you|we|i|he|she|there|the|your|my)\b)(?:[\w'/.-]+ ){1,4}?(?:don't"
    r"|dont|do not"
    r"|doesn't|doesnt|does not|has no business|have no business) ?(?:belong|live|go) (?:in|on|into|under|to"
    r"|inside|near)"
    r"\b"
)
# "BUG tickets only QA closes", "only Mira merges to release": who may do it
_WHO = re.compile(
    r"\bonly (?:the )?(?!(?:it|this|that|one|when|if|then|once|users?|owners?|admins?|editors?|members?"
    r"|authors?|moderators?|customers?"
    r"|managers?|you|they|logged|people|guests?|staff)\b)[\w-]+(?: team| lead| folks| people)? "
    r"(?:may |can |gets to |is allowed to |are allowed to )?(?:closes?|merges?|deploys?|releases?|approves?"
    r"|signs? off|push(?:es)?|touch(?:es)?)\b"
)
# "The zine is A5 and will be forever"
_FOREVER = re.compile(
    r"^(?:the|our|my|all) [\w' -]{2,40}? (?:is|are) \S.* and (?:(?:it |that |they )?(?:will (?:be|stay)(?: so)?|stays?"
    r"(?: so| that)?|remains?) ?(?:forever|for good|that way|like that|so)|(?:it's|that's|they're) staying)\b"
)
# Things of the work itself: what is said of them in general is how we work.
_WORK = any_of(
    """commit messages?, commit subjects?, commit msgs?, commit titles?, commits, branch names?, branches, pr
    titles?, pr
    descriptions?, prs, pull requests, changelog entries, migrations?, release notes, releases, deploys, deployments,
    docstrings, code comments, feature flags, env vars, secrets, fixtures, test names, snapshots, hotfixes"""
)
_OF_WORK = re.compile(
    rf"^{_WORK} (?:always )?(?:are (?:written|named|cut|tagged|squashed|rebased|signed|generated|kept|done|made|called"
    r"|lower|upper|kebab|imperative|prefixed|numbered)|go (?:in|on|into|to|under|through|out)|live (?:in|under|next)"
    r"|start with|end with|follow|carry|belong)\b"
    rf"|^(?:commit (?:messages|subjects|titles|msgs)|branch names|pr titles|test names) (?:are|have|look like|use) "
    r"(?!too|so|not|wrong|all wrong|bad|ugly|missing|weird|a mess|unclear|confusing|gone|cut)\S"
    rf"|^{_WORK} in (?:english|german|french|spanish|italian|dutch|polish|portuguese|lower ?case|the imperative"
    r"|imperative|present tense|past tense)\b"
)
# "New handlers go in app/api"
_CODE = re.compile(
    r"^(?:all |the |our |new |any ){0,2}(?:[\w-]+ )?(?:handlers|helpers|routes|hooks|types|utils|tests"
    r"|unit tests|fixtures"
    r"|migrations|scripts|queries|models|schemas|styles|constants|docs|mocks|stories|translations|assets|endpoints"
    r"|modules|specs|interfaces|enums|patches|dockerfiles|snippets|secrets|env vars|playbooks|dashboards|adrs) "
    r"(?:always )?(?:go|live|belong) (?:(?:next to|beside) \S|(?:in|into|under|inside) (?:the |our )?"
    r"(?:__+|[\w.-]*[/_.][\w./-]+|[\w-]+/))"
)
# "We're on 3.9, so no match statements", "we say tenant, not customer", "Ida owns auth, ask her first"
_SO_NO = re.compile(
    r"^(?:we're|we are) (?:still |stuck )?(?:on|at|limited to|tied to) \S.*?,? so (?:no|don't|only|nothing"
    r"|you can't|never)\b"
    r"|^we (?:say|write|spell|call (?:it|them|those|these)) [\w_'-]+(?: [\w_'-]+)?,? (?:and )?not [\w_'-]+"
    r"|^(?!who\b|it\b|that\b)[\w-]+(?: team| squad| guild)? owns? \S.*[,;] (?:so |and )?(?:ask|ping|talk to|check with"
    r"|don't|dont|never|leave)\b"
    r"|^(?:(?:in|on|for) (?:our|this) (?:team|repo|codebase|code base|project|lab|company|monorepo)|with us"
    r"|around here),? "
    r"(?!(?:are|is|was|were|we|i|you|it|there|there's)\b)\S.*(?:,| and) not (?:the |an? )?\w"
)
# "No abbreviations in names, half of us aren't native speakers"
_NONE_IN = re.compile(
    r"^no (?!(?:changes?|errors?|more|need|idea|tests?|bugs?|problems?|difference|edits?|longer|such|one|mention)\b)"
    r"[\w-]+(?: [\w-]+)? in (?:the |our |your |any )?(?:names|variable names|commits|commit messages|comments|tests"
    r"|docstrings|code|prod code|production code|library code|branch names|prs|pr titles|log lines)\b"
)
_BARE = frozenset("squash rebase vendor mock".split())  # habits that need no more words
_WANTED_OF_WORK = re.compile(
    rf"^ (?!the\b|this\b|that\b|it\b)[\w' -]{{2,40}}? (?:for|in|on|with) (?:all|every|any|each|your|our) "
    rf"(?:\w+ )?(?:{_WORK}|commit|pr|migration|release)\b"
)
_HOW_WE = re.compile(
    r"\b(?:is|are|'s) (?:how|what|where|the way) we (?!are|were|had|have|got|ended|find|found)\w+"
    r"|\bthe way we (?:do|write|name|handle|build|run|start)\b"
)
_DETERMINED = (
    "(?!(?:the|this|that|it|these|those|they|you|we|i|he|she|my|your|his|her|there|a|an|what|if|when|so|who"
    "|which|why|how|critics|people|users|tests? (?:always|never)|builds?) )"
)
# "Tokens never go into source", "labels are always Italian first", "migrations should never be edited"
_PLURAL = (
    rf"(?P<who>{_DETERMINED}(?:(?!(?:how|that|which|who|because|\w+ing)\b)[\w'/.-]+ ){{0,3}}?"
    r"(?!is\b|was\b|has\b|does\b|its\b|as\b|us\b|this\b|always\b)(?:[\w'/.-]+s|data|code|sql|prod|production|main|__+))"
)
_MODAL = r"(?:must|should|shall|may|can|need to|have to)"
_NEVER = re.compile(
    rf"^{_PLURAL} (?P<be>{_MODAL} )?(?P<are>are |be )?(?P<how>always|never|only(?: ever)?)(?: be"
    rf"| ever)? (?P<verb>{NAME})(?P<rest>.*)$"
)
# "A migration is always a separate PR"
_EACH = re.compile(
    rf"^(?:an?|every|each) (?:[\w-]+ ){{1,4}}(?:is|goes|gets|has|needs|must) (?:always"
    rf"|never) (?P<verb>{NAME})(?P<rest>.+)$"
)
_FEELINGS = frozenset(
    """fun great good nice hard such so special exciting welcome there here happy worth better best slow fast a an
    the as too very nice cool interesting difficult tricky easy helpful useful possible right wrong available late
    early busy open online me my your its it one more about going in at on up down""".split()
)
_PLACED = frozenset(
    """go live belong stay use get come carry start end contain need run touch call import leave change appear land
    sit have mention include depend hold store talk reach commit push ship write read mix""".split()
)
# What people do with their work: said of it with "always" or "never", it is a rule and no symptom.
_CONDUCT = frozenset(
    """edited committed merged deployed released restarted mocked hardcoded hard-coded written named prefixed
    reviewed tested squashed rebased versioned imported pinned checked documented touched skipped disabled renamed
    squash-merged signed tagged formatted generated translated hand-edited""".split()
)
_FURTHER = re.compile(r"\b(?:first|by hand|between|with us|outside|manually|not|instead|only|last|then)\b|,")
_HABITS = frozenset(
    """squash rebase deploy release tag pin lint format branch review pair mock vendor document name prefix sign
    merge translate""".split()
)
_GO = re.compile(
    rf"^{_PLURAL} (?:always |never |only )?(?:go|live|belong|stay|use|get|must|have to|should)\b(?P<rest>.*)$"
)
_ARE = re.compile(rf"^{_PLURAL} are (?P<rest>.*)$")
_FIRM = re.compile(rf"\b(?:never|always|only|{HERE}|no exceptions)\b")
_HERE = re.compile(rf"\b{HERE}")
_NOT_THERE = re.compile(r"(?:,|\band|\bbut) (?:not|never) \w")
_STATE = re.compile(
    r"(?:not|no longer|red|green|gone|empty|missing|down|up|back|broken|wrong|slow|stale|old|new|blocked|lost"
    r"|\w+ed (?:in|on|by|at|when|to)|all \w+)\b"
)
_FIXED = re.compile(rf"\b(?:{HERE}|append[- ]only|read[- ]only|write[- ]only|no exceptions)\b")
# "In our codebase errors are returned, not thrown"
_THERE = re.compile(
    rf"^(?:(?:in|on|for|at|across) (?:this|our) (?:\w+ )?{PLACES}|with us),? (?!(?:we|i|there|it|you|users?)\b)"
    r"(?:[\w'-]+ ){1,6}?(?:never|always|only|must|(?:are|is|go|goes|use|uses|gets?|lives?|needs?|have|has|runs?"
    r"|starts?)\b"
    r".*(?:\bown\b|,? not \w))"
)
_NOTHING = re.compile(
    r"^(?:nothing|nobody|no one|no \w+) (?:gets?|is|goes|may|can|should|must) (?:be )?\w+(?: \w+)? (?:without"
    r"|before|unless|until|directly)\b|^(?:nothing (?:gets?|goes|is|lands?|ever)|(?:nobody|no one) (?:pushes"
    r"|merges|commits|touches|edits|deploys))\b"
    rf".*(?:\b(?:straight|direct) (?:to|on|onto|into|in)\b|\b{HERE})"
)
_NOT_OK = re.compile(
    r"\b(?:is|are) (?:never|not) (?:ok|okay|allowed|acceptable|an option|permitted)\b"
    # Of anything else "must not" is said of what the program shall do.
    r"|\b(?:you|we|tests?|code|commits?|scripts?|migrations?|modules?|prs?|branch(?:es)?|packages?|imports?|fixtures?"
    r"|secrets|credentials|libraries) must not\b|(?:^|\s)\S*[@/_.]\S* must not be (?:in|on|used)\b"
    rf"|\bmust not be (?:{'|'.join(sorted(_CONDUCT))})\b"
    r"|\bare a no[- ]go\b|\bis a no[- ]go\b|\b(?:is|are) (?:strictly )?(?:forbidden|off[- ]limits|verboten|taboo"
    r"|banned)\b"
)
_EVERY = re.compile(
    r"^(?:every|each|all|any) (?:(?!user|button|page|request)\w+ )?"
    + any_of(
        """prs?, pull requests?, commits?, branch(?:es)?, merges?, releases?, deploy(?:s|ments?)?, migrations?,
        tests?, modules?, files?, functions?, class(?:es)?, scripts?, changes?, tickets?, reviews?, docs?,
        packages?, quer(?:y|ies), endpoints?, error(?: message)?s?, log lines?, exceptions?, config(?:s|
        values?)?"""
    )
    + r" (?:must|needs? (?:an?|to|its|their|at least)|has to|have to|should|gets? (?:an?|its)|goes (?:through"
    r"|into)|requires? an?|starts? with|ends? with)\b(?P<rest>.+)$"
)
_LIKE = re.compile(
    r"^i(?: (?:really|strongly|generally|usually|much|personally|also|just|always|typically|definitely|still"
    r"|never|ever)){0,3} (?P<how>prefer|don't like|do not like|dislike|hate|can't stand|don't ever want"
    r"|don't want|do not want|want|like|use|write|need)\b(?P<rest>.*)$"
)
_LIKES = re.compile(
    r"^ (?:my|to (?:see|have|keep|use|review|read|get|be asked)|when you|it when|short|concise|small|brief|terse"
    r"|explicit|descriptive|detailed|functional|all|every|your (?:answers|responses|replies|commits?"
    r"|explanations))\b"
)
_WANTS = re.compile(
    r"^ (?:you to (?:always|never|only|ask|confirm|check with)|all (?:sql|commits|commit|comments|names"
    r"|tests? names|keywords|docs)|no \w+s in|your (?:answers|commits|responses))\b"
)
_UNWANTED = re.compile(
    r"^ (?:you to|any|all|to see|to have|\w+s in|\w+s anywhere)\b"
    rf"|^ (?!the\b|this\b|that\b|it\b|an?\b|to\b)[\w./@ -]{{2,60}}? (?:in here|{HERE})"
)
_HATED = re.compile(
    r"^ (?:it when|when|seeing|any|all|long|verbose|that you (?:always|keep)|you to|magic|trailing|nested)\b"
)
_CHOICE = re.compile(
    r"^ (?:it|that(?! every| all| you| we| no)|this|your|(?:the|a|an) (?:\w+ )?(?:first|second|third|last|former"
    r"|latter|other|new|old"
    r"|current|existing|option|approach|version|variant|solution|one|way|idea|blue|red|green)|option|not to)\b"
)
_FAVOUR = re.compile(
    r"^(?:please )?(?:prefer|favou?r|avoid|stick to|stick with) (?!the |this |that |it |these |those "
    r"|them )\S+ (?P<rest>\S.*)$"
)


# A task that follows: what stands before it was said for its sake.
_TASK = re.compile(
    r"[,;] (?:so |and |then |please |can you )*(?:fix|add|make|filter|change|put|set|show|remove|write an?"
    r"|update|implement|delete|hurry|move)\b"
)
_DAY = re.compile(r"\bat \d|\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:it|this|that|them)\b")


def sure(plain: str) -> float:
    """Return how sure it is that a clause tells how things are done."""
    if _does(plain) or _never(plain) or _kept_apart(plain):
        return CONFIDENCE
    if not is_failing(plain) and not _TASK.search(plain) and (_firm(plain) or _THERE.match(plain)):
        return LOWER
    if is_trouble(plain):
        return 0.0
    if (
        (_OURS.match(plain) and not _TASK.search(plain))
        or _HOW_WE.search(plain)
        or (_FOREVER.match(plain) and not _TASK.search(plain))
        or _NOTHING.match(plain)
        or _WITH.match(plain)
    ):
        return CONFIDENCE
    said = any(
        each.match(plain) for each in (_EVERY, _SHOP, _NO_PLACE, _HAS, _OF_WORK, _CODE, _SO_NO, _NONE_IN)
    ) or _WHO.search(plain)
    if said and not _TASK.search(plain):
        return LOWER
    return LOWER if _NOT_OK.search(plain) or _FAVOUR.match(plain) else 0.0


def _does(plain: str) -> bool:
    """Tell whether a clause says what we do or do not do."""
    found = _DOES.match(plain)
    if found is None or is_failing(plain):
        return False
    where, how, verb, rest = found["where"], found["how"], found["verb"], found["rest"]
    if verb in ("using", "keeping", "calling", "storing", "running", "writing"):
        return bool(where or _MARKED.search(rest)) and not is_trouble(plain)
    if verb == "not" or verb in _NO_HABIT or not is_base(verb) or is_program(verb, rest):
        return False
    if verb in _HABITS and not how and not is_trouble(plain) and not _TASK.search(plain):
        return len(plain.split()) <= _MOST_WORDS and not _DAY.search(plain)
    if verb in _RULING and re.search(r"\b(?:the plan|it|that|this)[\s.!]*$", rest):
        return False
    if verb in ("stay", "stick") and not rest.startswith((" with ", " on ", " to ", " at ")):
        return False
    if verb in _RULING or how in (
        "never",
        "never ever",
        "always",
        "only",
        "only ever",
        "don't",
        "do not",
        "don't ever",
        "do not ever",
        "strictly",
    ):
        return bool(rest.strip(" .!")) or bool(where) or verb in _BARE
    marked = where or how or _MARKED.search(rest)
    return bool(marked) and not is_trouble(plain) and not _TASK.search(plain)


def _never(plain: str) -> bool:
    if is_failing(plain):
        return False
    if found := _EACH.match(plain):
        return found["verb"] not in _FEELINGS or found["verb"] in ("a", "an")
    found = _NEVER.match(plain)
    if found is None:
        return False
    verb, rest = found["verb"], found["rest"]
    if found["be"]:
        return verb not in _FEELINGS
    if found["are"]:
        return verb not in _FEELINGS and (verb in _CONDUCT or bool(_FURTHER.search(rest)))
    return verb in _PLACED or (verb.removesuffix("s") in _PLACED and not found["who"].endswith("s"))


def _kept_apart(plain: str) -> bool:
    """Tell whether it tells where things of one kind are here, and where not."""
    found = _GO.match(plain) or _ARE.match(plain)
    if found is None or is_trouble(plain) or _TASK.search(plain) or _STATE.match(found["rest"].strip()):
        return False
    return bool(_HERE.search(found["rest"]) and _NOT_THERE.search(found["rest"]))


def _firm(plain: str) -> bool:
    if found := _ARE.match(plain):
        return bool(_FIXED.search(found["rest"])) and not _STATE.match(found["rest"])
    found = _GO.match(plain)
    return found is not None and bool(_FIRM.search(found["rest"]))


def states(plain: str) -> bool:
    """Tell whether a clause tells how things of one kind are: a rule, if the next sentence says
    that it holds everywhere."""
    found = _ARE.match(plain) or _GO.match(plain)
    return found is not None and not is_trouble(plain) and not _STATE.match(found["rest"].strip())


def likes(plain: str) -> float:
    """Return how sure it is that a clause tells what a person likes, whatever they work on."""
    if is_trouble(plain):
        return 0.0
    found = _LIKE.match(plain)
    if found is None:
        return 0.0
    how, rest = found["how"], found["rest"]
    often = re.search(r"\b(?:always|never|usually|generally|typically)\b", plain[: found.start("how")])
    fits = {
        "prefer": not _CHOICE.match(rest) and not _TASK.search(rest),
        "like": bool(_LIKES.match(rest)),
        "want": bool(_WANTS.match(rest) or _WANTED_OF_WORK.match(rest) or (often and not _CHOICE.match(rest))),
        "use": bool(often) and ", so" not in rest,
        "write": bool(often),
        "need": False,
    }
    if how in fits:
        return CONFIDENCE if fits[how] else 0.0
    return CONFIDENCE if (_UNWANTED if how.endswith("want") else _HATED).match(rest) else 0.0
