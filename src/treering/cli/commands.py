"""Every command, as one frozen table: what parses, helps, completes and documents reads it here."""

from __future__ import annotations

from treering.core.lifecycle import STATUSES
from treering.core.tuples import NamedTuple
from treering.core.types import ORIGINS, SCOPES, STRATEGIES, TYPES

FLAG, TEXT, NUMBER = "flag", "text", "number"


class Argument(NamedTuple):
    name: str
    about: str
    optional: bool = False
    many: bool = False
    completes: str = ""  # memory, forgotten, event, command or shell; nothing means files


class Option(NamedTuple):
    flags: tuple[str, ...]
    about: str
    takes: str = TEXT
    metavar: str = "TEXT"
    many: bool = False
    choices: tuple[str, ...] = ()  # for help and completion; the rules behind the API decide
    default: int = 0  # of a number

    @property
    def name(self) -> str:
        return self.flags[0].lstrip("-").replace("-", "_")


class Command(NamedTuple):
    name: str  # may be of two words
    group: str
    summary: str
    run: str  # module:function in treering.cli, imported only when chosen
    about: str = ""
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    examples: tuple[str, ...] = ()
    opens: bool = True  # runs on an open memory
    past: bool = True  # makes sense with --as-of


def _flag(name: str, about: str) -> Option:
    return Option((name,), about, FLAG)


def _one_of(name: str, about: str, choices: tuple[str, ...]) -> Option:
    return Option((name,), about, metavar=name.lstrip("-").upper(), choices=choices)


def _named(name: str, about: str, metavar: str = "NAME") -> Option:
    return Option((name,), about, metavar=metavar)


def _number(name: str, about: str, default: int) -> Option:
    return Option((name,), about, NUMBER, "N", default=default)


HELP = Option(("--help", "-h"), "say how a command is used", FLAG)
VERSION = _flag("--version", "print the version")
GLOBALS = (
    _named("--home", "the folder of the store (default: $TREERING_HOME, or ~/.treering)", "DIR"),
    _named("--space", "the space to work in: memories of one never show in another"),
    _named("--as-of", "a read-only view of that moment: 2026-05-01, or 2026-05-01T14:30:00Z", "TIME"),
    _flag("--json", "answer in JSON, for programs"),
    HELP,
)

_KEEP, _LOOK, _CHANGE, _MOVE, _CARE = (
    "Remember and recall",
    "Look back",
    "Change your mind",
    "Move",
    "Look after it",
)

_TYPE = _one_of("--type", "which kind of memory; Fact and Process are understood", TYPES)
_SCOPE = _one_of("--scope", "who it is for", SCOPES)
_PROJECT = _named("--project", "the project")
_SESSION = _named("--session", "the session")
_REASON = _named("--reason", "why, for the record", "TEXT")
_DRY_RUN = _flag("--dry-run", "say what would happen and change nothing")
_ID = Argument("ID", "a memory's id, or the number at its end", completes="memory")
_IDS = _ID._replace(many=True)

COMMANDS = (
    Command(
        "remember",
        _KEEP,
        "remember a text, and what is known about it",
        "writing:remember",
        "Prints the id of the new memory. Secrets are redacted before anything is stored, and it says so. "
        "The text can be left out when a lesson (--problem, --approach, --gotchas) or a rule (--trigger, "
        "--action, --outcome) is given.",
        (Argument("TEXT", "what to remember; - reads it from standard input", optional=True),),
        (
            _TYPE,
            _SCOPE,
            Option(("--tag",), "a word to find it by; may be given several times", metavar="WORD", many=True),
            _PROJECT,
            _SESSION,
            _named("--language", "the programming or natural language that it is about"),
            _flag("--invariant", "a fact that never decays"),
            Option(
                ("--origin",),
                "where it comes from, with :REF and :LINE behind it if it has a source",
                metavar="ORIGIN",
                choices=ORIGINS,
            ),
            _named("--problem", "a lesson: what was wrong", "TEXT"),
            _named("--approach", "a lesson: what was done about it", "TEXT"),
            _named("--gotchas", "a lesson: what to look out for", "TEXT"),
            _named("--trigger", "a rule: when to act", "TEXT"),
            _named("--action", "a rule: what to do", "TEXT"),
            _named("--outcome", "a rule: what comes of it", "TEXT"),
            _named("--at", "when it happened, if that was earlier", "TIME"),
        ),
        (
            'treering remember "Run migrations with a lock timeout of 5 s" --type procedural --tag postgres',
            'treering remember --problem "CI hangs" --approach "Set a timeout" --gotchas "macOS has none"',
            'treering remember "Reviews need two approvals" --origin document:docs/review.md:12 --invariant',
            "treering remember - --project shop --session monday",
        ),
    ),
    Command(
        "recall",
        _KEEP,
        "find the memories that answer a question",
        "reading:recall",
        "Best first, of those that can be seen from where you stand: a project's memories show in that "
        "project, a session's in that session. The answer is fenced and quoted, so that an agent can read it as "
        "data. When nothing answers well enough, nothing is printed, and standard error says why. A recall is "
        "logged, and what it shows counts as used.",
        (Argument("QUERY", "the question, in quotes"),),
        (
            Option(("-k",), "how many at the most", NUMBER, "N", default=5),
            _PROJECT,
            _SESSION,
            _TYPE,
            _SCOPE,
            _named("--since", "not from before this time", "TIME"),
            _named("--until", "not from after this time", "TIME"),
            _one_of("--strategy", "how to look for it", STRATEGIES),
            _number("--budget", "how many tokens the answer may have; 0 for any number", 0),
            _flag("--explain", "say for each memory why it stands where it stands"),
            _flag("--unsure", "answer even when nothing fits well"),
            _flag("--no-log", "look without leaving a trace"),
        ),
        (
            'treering recall "how do I run migrations"',
            'treering recall "timeout" -k 3 --project shop --explain',
            'treering recall "what did we decide last week" --budget 400',
        ),
    ),
    Command(
        "list",
        _LOOK,
        "list the memories, newest first",
        "reading:list",
        "Forgotten memories are listed only with --status forgotten.",
        (),
        (
            _TYPE,
            _SCOPE,
            _one_of("--status", "where it is in its life", STATUSES),
            _PROJECT,
            _SESSION,
            _named("--tag", "only with this tag", "WORD"),
            _number("--limit", "how many at the most; 0 for all", 50),
        ),
        (
            "treering list",
            "treering list --type procedural --tag postgres",
            "treering list --as-of 2026-05-01 --limit 0 --json",
        ),
    ),
    Command(
        "show",
        _LOOK,
        "show one memory",
        "reading:show",
        "",
        (_ID,),
        (),
        ("treering show 1", "treering show 1 --json"),
    ),
    Command(
        "history",
        _LOOK,
        "show every event about a memory",
        "reading:history",
        "Events that were undone are marked: they stay in the ledger and no longer count.",
        (_ID,),
        (
            _flag("--causes", "and all that these events rest on"),
            _flag("--effects", "and all that rests on them"),
        ),
        ("treering history 1", "treering history 1 --causes --effects"),
    ),
    Command(
        "log",
        _LOOK,
        "list the events, newest first",
        "reading:log",
        "",
        (),
        (
            _number("--limit", "how many at the most; 0 for all", 20),
            _named("--session", "only those of this session"),
        ),
        ("treering log", "treering log --session monday --limit 0"),
    ),
    Command(
        "rings",
        _LOOK,
        "a line for each session: what it added and changed",
        "reading:rings",
        "What belongs to no session is gathered by the day.",
        (),
        (),
        ("treering rings",),
    ),
    Command(
        "forget",
        _CHANGE,
        "take memories out of sight",
        "writing:forget",
        "Several go together or not at all. `treering restore` brings them back.",
        (_IDS,),
        (_REASON,),
        ('treering forget 2 --reason "no longer true"',),
    ),
    Command(
        "restore",
        _CHANGE,
        "bring forgotten memories back as they were",
        "writing:restore",
        "Several come back together or not at all.",
        (_IDS._replace(completes="forgotten"),),
        (),
        ("treering restore 2",),
    ),
    Command(
        "purge",
        _CHANGE,
        "erase memories for good",
        "writing:purge",
        "No byte of them stays in the store, its log or its indexes, and this cannot be undone. It asks first. What "
        "somebody asked in a recall is not theirs, and stays in the ledger.",
        (_IDS,),
        (_flag("--yes", "do not ask"), _REASON),
        ('treering purge 2 --yes --reason "holds a customer\'s name"',),
    ),
    Command(
        "undo",
        _CHANGE,
        "leave events out, with all that rests on them",
        "writing:undo",
        "The events stay in the ledger and no longer count. Undoing the undoing brings them back. "
        "`treering log` and `treering history` have the ids.",
        (Argument("EVENT", "an event's id, or the number at its end", many=True, completes="event"),),
        (_DRY_RUN, _REASON),
        ("treering undo 3 --dry-run", 'treering undo 3 --reason "a mistake"'),
    ),
    Command(
        "revoke",
        _CHANGE,
        "leave out all that a session or a source brought",
        "writing:revoke",
        "And all that was made of it. For a session that went wrong, or a source that was poisoned.",
        (),
        (
            _SESSION._replace(about="the session whose events to leave out"),
            _named("--source", "an origin, or where it lies: tool, document:a.md, a.md or a.md:12", "REF"),
            _DRY_RUN,
            _REASON,
        ),
        ("treering revoke --session monday --dry-run", "treering revoke --source docs/review.md"),
    ),
    Command(
        "export",
        _MOVE,
        "write the whole ledger as JSON Lines",
        "moving:export",
        "The file is either whole or not there. What was purged is not in it.",
        (Argument("FILE", "where to; standard output without one", optional=True),),
        (),
        ("treering export memory.jsonl", "treering export"),
    ),
    Command(
        "import",
        _MOVE,
        "take in an export, or rows of other programs",
        "moving:import_",
        'JSON Lines: an export of Treering, or an object with at least {"content": …} on each line. '
        "Importing the same file again adds nothing, and a file with an error adds nothing at all.",
        (Argument("FILE", "what to read; - for standard input"),),
        (),
        ("treering import memory.jsonl",),
    ),
    Command(
        "verify",
        _CARE,
        "check the chain, every memory and every index",
        "caring:verify",
        "The chain of events, every memory against the fold of its events, and the indexes. "
        "Lists every problem and then ends with 1.",
        (),
        (),
        ("treering verify",),
        past=False,
    ),
    Command(
        "rebuild",
        _CARE,
        "make everything but the ledger again",
        "caring:rebuild",
        "Memories and indexes are read off the ledger, which is not touched.",
        (),
        (),
        ("treering rebuild",),
        past=False,
    ),
    Command(
        "doctor",
        _CARE,
        "look for what could go wrong, and say what to do",
        "caring:doctor",
        "Versions, permissions, the disk, the settings and the store. Ends with 1 if anything fails.",
        (),
        (),
        ("treering doctor",),
        opens=False,
        past=False,
    ),
    Command(
        "completion",
        _CARE,
        "print the script that completes commands with the tab key",
        "completion:script",
        'For bash, put `eval "$(treering completion bash)"` into ~/.bashrc. For zsh, put the same with zsh '
        "into ~/.zshrc, behind compinit. For fish, put `treering completion fish | source` into "
        "~/.config/fish/config.fish.",
        (Argument("SHELL", "bash, zsh or fish", completes="shell"),),
        (),
        ("treering completion bash",),
        opens=False,
        past=False,
    ),
    Command(
        "help",
        _CARE,
        "say how a command is used",
        "help:help",
        "",
        (Argument("COMMAND", "which", optional=True, many=True, completes="command"),),
        (),
        ("treering help", "treering help remember"),
        opens=False,
    ),
)

# Not for people, so neither listed nor documented.
HIDDEN = (
    Command(
        "complete",
        "",
        "what could come next",
        "completion:complete",
        arguments=(Argument("WORDS", "the words so far", optional=True, many=True),),
        opens=False,
    ),
    Command("version", "", "print the version", "help:version", opens=False),
)

BY_NAME = {command.name: command for command in (*COMMANDS, *HIDDEN)}
