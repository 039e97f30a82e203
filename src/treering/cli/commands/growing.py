"""Commands that make the memory better: it is judged, and evolves with evidence."""

from __future__ import annotations

from treering.cli.commands.words import (
    DRY_RUN,
    GROW,
    ID,
    IDS,
    LOOK,
    REASON,
    Argument,
    Command,
    Option,
    flag,
    named,
    number,
    one_of,
)
from treering.core.rewards import OUTCOMES, VERDICTS

# As the engine has them, which is slow to import; a test holds the two together.
ACTIONS = ("deprecate", "refine", "merge", "archive", "induce")
CRITERIA = ("low_q", "stale", "unlinked_processes", "similar_pairs")

_RECALL = Argument("RECALL", "a recall's id, the number at its end, or `last`", completes="recall")
_WHY = named("--reason", "why; for a refinement, what is better", "TEXT")
_JUSTIFICATION = named("--justification", "why an invariant or a meta-skill may be touched", "TEXT")
_FORCE = flag("--force", "do it even if something helpful is lost; needs a reason, which is recorded")
_TEXT = named("--text", "the new text", "TEXT")
_EVIDENCE = "Refused without the evidence that it needs, with the number that is missing. "
_GATE = (
    "First the last logged recalls are replayed with and without it: if a result that was marked helpful would be "
    "lost, it is refused. `treering undo` takes it back."
)

GROWING = (
    Command(
        "feedback",
        GROW,
        "say of what use a memory was that a recall has shown",
        "growing:feedback",
        "Its Q moves towards what the verdict earns. Saying it again changes nothing, saying otherwise replaces it. "
        "Feedback on a memory that the recall did not show is refused.",
        (
            _RECALL,
            ID._replace(name="MEMORY"),
            Argument("VERDICT", "helpful, partially_helpful or not_helpful", choices=VERDICTS),
        ),
        (named("--note", "why, for the record", "TEXT"),),
        ("treering feedback last 3 helpful", 'treering feedback 41 3 not_helpful --note "the port is another one"'),
        past=False,
    ),
    Command(
        "outcome",
        GROW,
        "say what a recall or a session led to",
        "growing:outcome",
        "It falls back on every memory that was shown there, unless somebody has judged that one by itself.",
        (
            Argument("OF", "a recall's id, `last`, or the name of a session", completes="recall"),
            Argument("OUTCOME", "success, partial or failure", choices=OUTCOMES),
        ),
        (),
        ("treering outcome last success", "treering outcome monday failure"),
        past=False,
    ),
    Command(
        "observe",
        GROW,
        "let what followed a recall speak for itself",
        "growing:observe",
        "Reads the answer, the results of tools and the next message for what they say of each memory that was shown: "
        "referenced, succeeded, failed, contradicted or ignored. It weighs less than feedback, a mere repetition earns "
        "nothing, and the texts are not stored.",
        (_RECALL,),
        (
            named("--answer", "what the agent answered; - reads it from standard input", "TEXT"),
            Option(("--result",), "what a tool gave; may be given several times", metavar="TEXT", many=True),
            Option(
                ("--failed",), "what a tool gave that failed; may be given several times", metavar="TEXT", many=True
            ),
            named("--reply", "what the user said next", "TEXT"),
        ),
        ('treering observe last --answer "I ran make deploy" --result "deployed"',),
        past=False,
    ),
    Command(
        "usage",
        LOOK,
        "show every use of a memory: when, what came of it, and what was asked",
        "growing:usage",
        "Newest first.",
        (ID,),
        (number("--limit", "how many at the most; 0 for all", 20),),
        ("treering usage 3", "treering usage 3 --json"),
    ),
    Command(
        "evolve candidates",
        GROW,
        "list the memories that could be improved, the most pressing first",
        "growing:candidates",
        "critical: Q below 0.2 and used 10 times or more. high: Q below 0.3, used 5 times or more. medium: not used "
        "for 90 days, or two that say the same. low: processes that could be a skill, and what lacks evidence yet.",
        (),
        (
            one_of("--criteria", "only those of one kind", CRITERIA),
            number("--limit", "how many at the most; 0 for all", 20),
        ),
        ("treering evolve candidates", "treering evolve candidates --criteria low_q --json"),
    ),
    Command(
        "evolve deprecate",
        GROW,
        "take a memory that keeps failing out of recall",
        "growing:deprecate",
        "Needs Q below 0.2, 10 uses and a pattern of failure. " + _EVIDENCE + _GATE,
        (ID,),
        (_WHY, _JUSTIFICATION, _FORCE),
        ('treering evolve deprecate 3 --reason "it names a server that is gone"',),
        past=False,
    ),
    Command(
        "evolve refine",
        GROW,
        "say better what a memory says badly",
        "growing:refine",
        "Needs Q below 0.3, 5 uses and the improvement as the reason. " + _EVIDENCE + "The new memory supersedes the "
        "old one and starts with a Q of 0.5. " + _GATE,
        (ID, Argument("NEW", "the new text; --text works too", optional=True)),
        (_TEXT, _WHY, _JUSTIFICATION, _FORCE),
        ('treering evolve refine 3 "Deploy with make deploy, after make test" --reason "says what comes first"',),
        past=False,
    ),
    Command(
        "evolve merge",
        GROW,
        "make one of memories that say the same",
        "growing:merge",
        "Needs one type, a likeness above 0.95 and 5 uses of the one used most; numbers, names, paths, flags and "
        "negations must agree. "
        + _EVIDENCE
        + "The highest Q is kept. Without a text, what the others add is joined. "
        + _GATE,
        (IDS,),
        (_TEXT, _WHY, _JUSTIFICATION, _FORCE),
        ("treering evolve merge 3 7", 'treering evolve merge 3 7 --text "Deploys go out on Tuesdays, at ten"'),
        past=False,
    ),
    Command(
        "evolve archive",
        GROW,
        "archive a memory that nobody has used for 90 days",
        "growing:archive",
        "It is still found, below the others. " + _EVIDENCE,
        (ID,),
        (REASON, _JUSTIFICATION),
        ("treering evolve archive 3",),
        past=False,
    ),
    Command(
        "evolve induce",
        GROW,
        "propose a skill that is made of processes which do the same",
        "growing:induce",
        "Needs 3 memories of type procedural that are alike. Nothing is written outside of the memory: the skill is "
        "proposed, and `treering evolve show` shows it.",
        (IDS,),
        (
            named("--name", "of the skill"),
            named("--description", "when to use it", "TEXT"),
            named("--content", "the skill itself, if you have written one", "TEXT"),
            REASON,
        ),
        ("treering evolve induce 3 7 9 --name debug-memory-leak",),
        past=False,
    ),
    Command(
        "evolve try",
        GROW,
        "show what an action would do to recall, and change nothing",
        "growing:try_",
        "Says which evidence is missing, and what the last logged recalls would gain, lose and reorder.",
        (Argument("ACTION", "deprecate, refine, merge, archive or induce", choices=ACTIONS), IDS),
        (_TEXT, _WHY, _JUSTIFICATION),
        ("treering evolve try deprecate 3", 'treering evolve try refine 3 --text "Deploy with make deploy"'),
        past=False,
    ),
    Command(
        "evolve run",
        GROW,
        "do all that there is evidence for",
        "growing:run",
        "Deprecates, merges, archives, and proposes skills; a rule that was wrong too often only proposes. An "
        "interrupted run is gone on with. `treering undo` of the run takes all of it back.",
        (),
        (
            flag("--if-due", "only if 6 hours, 100 judgements or 20 new processes have come since the last run"),
            DRY_RUN,
        ),
        ("treering evolve run --dry-run", "treering evolve run --if-due --json"),
        past=False,
    ),
    Command(
        "evolve stats",
        GROW,
        "show the signals, what was judged, how often each rule was wrong, and what each memory does",
        "growing:stats",
        "Signals are memories that recall shows in session after session, prompts that nothing answers, and friction "
        "in transcripts; `treering evolve analyze` makes proposals of them. The lift of a memory is what its presence "
        "did to the outcome, estimated from the recalls in which chance decided whether it was shown.",
        (),
        (number("--limit", "how many of each at the most; 0 for all", 10),),
        ("treering evolve stats", "treering evolve stats --json"),
    ),
)
