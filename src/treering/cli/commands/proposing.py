"""Commands that reach outside of the memory: signals become proposals, and a person decides on each."""

from __future__ import annotations

from treering.cli.commands.words import GROW, PROJECT, SESSION, Argument, Command, flag, named, number, one_of
from treering.core.rewards import VERDICTS

# As the rules have them, which are slow to import; a test holds the two together.
STATUSES = ("pending", "accepted", "rejected", "applied", "moot")

_PROPOSAL = Argument("ID", "a proposal's id, or the beginning of it", completes="proposal")
_ROOT = named("--root", "the folder below which files are written (default: where you are)", "DIR")
_SKILL = Argument("NAME", "a skill's name", completes="skill")
_NEVER = "Nothing is staged or committed. "

PROPOSING = (
    Command(
        "evolve mine",
        GROW,
        "read on in transcripts: what was asked again and again, and where sessions got stuck",
        "proposing:mine",
        "Reads transcripts of Claude Code, files or folders of them; without a path those of the folder where you are. "
        "Each line is read once, however often you ask. What stands there is redacted and counted; nothing in it is "
        "followed.",
        (Argument("PATH", "a transcript, or a folder of them", optional=True, many=True),),
        (PROJECT,),
        ("treering evolve mine", "treering evolve mine session.jsonl --json"),
        past=False,
    ),
    Command(
        "evolve analyze",
        GROW,
        "make proposals of the signals",
        "proposing:analyze",
        "A memory that recall shows in session after session could be a skill; prompts that nothing answers show what "
        "is missing; friction in transcripts shows where a skill would help, one draft a run. The same signals make "
        "the same proposals: analysing twice adds nothing. What was rejected comes back only if at least twice as much "
        "speaks for it. Nothing is written outside of the memory.",
        (),
        (
            number("--reuse-min", "times that a memory must have surfaced", 3),
            number("--reuse-min-sessions", "sessions in which it must have", 2),
            number("--miss-min", "prompts on one matter that nothing answered", 3),
            number("--miss-min-distinct", "wordings of them", 2),
        ),
        ("treering evolve analyze", "treering evolve analyze --reuse-min 5 --json"),
        past=False,
    ),
    Command(
        "evolve list",
        GROW,
        "list the proposals, and whether the files of accepted ones are as they were written",
        "proposing:list",
        "⏸ pending, ✓ accepted, ✗ rejected, ★ applied (in effect: a promoted skill, a changed memory), · moot (a "
        "memory of it is gone).",
        (),
        (one_of("--status", "only those", STATUSES),),
        ("treering evolve list", "treering evolve list --status pending --json"),
    ),
    Command(
        "evolve show",
        GROW,
        "show a proposal: the whole file and its evidence",
        "proposing:show",
        "",
        (_PROPOSAL,),
        (),
        ("treering evolve show skill-2537cb787a", "treering evolve show skill-25 --json"),
    ),
    Command(
        "evolve accept",
        GROW,
        "write the file of a proposal, or make the change of memories that it proposes",
        "proposing:accept",
        "The file is written below the root, whole or not at all, through no link, and never over another one unless "
        "you say so; an entry for a file that is there is added at its end. " + _NEVER + "A skill made of friction "
        "goes into quarantine (.treering/drafts), where no agent looks.",
        (_PROPOSAL,),
        (
            _ROOT,
            flag("--overwrite", "replace a file that is there"),
            named("--name", "another name for the skill"),
            flag("--force", "of a change of memories: even if something helpful is lost"),
        ),
        ("treering evolve accept skill-2537cb787a", "treering evolve accept skill-25 --root ~/app --overwrite"),
        past=False,
    ),
    Command(
        "evolve reject",
        GROW,
        "turn a proposal down",
        "proposing:reject",
        "It comes back only if at least twice as much speaks for it, and then it says so.",
        (_PROPOSAL,),
        (named("--note", "why, for the record", "TEXT"),),
        ('treering evolve reject route-13d976a554 --note "covered already"',),
        past=False,
    ),
    Command(
        "evolve review",
        GROW,
        "go through what waits for you: accept, edit, reject, skip or quit",
        "reviewing:review",
        "First what is most worth a look, by expected gain and risk: its evidence, what speaks against it, what the "
        "replay of past recalls says, and the whole file or how it differs from the one that is there. " + _NEVER,
        (),
        (_ROOT,),
        ("treering evolve review", "treering evolve review --root ~/app"),
        past=False,
    ),
    Command(
        "evolve promote",
        GROW,
        "move a skill out of quarantine, so that agents load it",
        "proposing:promote",
        "What it says then is remembered: a later change of it, or of a file beside it, is reported; promoting it "
        "again says that the change was yours. " + _NEVER,
        (Argument("NAME", "the name of a draft below .treering/drafts", completes="draft"),),
        (_ROOT,),
        ("treering evolve promote fix-flaky-login",),
        past=False,
    ),
    Command(
        "evolve log",
        GROW,
        "show every decision on proposals: the audit trail",
        "proposing:log",
        "Oldest first. What was undone is told too.",
        (),
        (number("--limit", "how many at the most, the newest; 0 for all", 0),),
        ("treering evolve log", "treering evolve log --json"),
    ),
    Command(
        "skills list",
        GROW,
        "list the skills that agents find here",
        "skilled:list",
        "Those of the project (skills, .agents/skills, .claude/skills), of the user, and of the folders that the "
        "settings name. Drafts in quarantine are not among them. One that has changed since it was promoted is marked.",
        (),
        (_ROOT,),
        ("treering skills list", "treering skills list --json"),
        past=False,
    ),
    Command(
        "skills show",
        GROW,
        "load a skill: its whole text",
        "skilled:show",
        "Counts as a use of it, once in a session: what the session leads to then falls back on it.",
        (_SKILL,),
        (_ROOT, SESSION),
        ("treering skills show deploy-staging", "treering skills show deploy-staging --session monday"),
        past=False,
    ),
    Command(
        "skills search",
        GROW,
        "find the skills for a task",
        "skilled:search",
        "",
        (Argument("QUERY", "what is to be done"),),
        (_ROOT, number("--limit", "how many at the most", 5)),
        ('treering skills search "deploy to staging"',),
        past=False,
    ),
    Command(
        "skills index",
        GROW,
        "show the list of skills as it goes into a prompt",
        "skilled:index",
        "About 240 characters, first what has to do with the prompt; the texts of skills that match it well follow, "
        "within 4,000 characters. Both are settings.",
        (Argument("PROMPT", "what was asked", optional=True),),
        (_ROOT,),
        ('treering skills index "the staging deploy hangs"',),
        past=False,
    ),
    Command(
        "skills feedback",
        GROW,
        "say of what use a skill was",
        "skilled:feedback",
        "Its Q moves as that of a memory does, and orders skills that match about equally well.",
        (_SKILL, Argument("VERDICT", "helpful, partially_helpful or not_helpful", choices=VERDICTS)),
        (_ROOT, named("--note", "why, for the record", "TEXT"), SESSION),
        ("treering skills feedback deploy-staging helpful",),
        past=False,
    ),
)
