"""Commands of the slow loop: episodes become knowledge, knowledge is connected, and the memory looks at itself."""

from __future__ import annotations

from treering.cli.commands.words import (
    DRY_RUN,
    GROW,
    LOOK,
    PROJECT,
    REASON,
    Argument,
    Command,
    flag,
    named,
    number,
    one_of,
)

# As the rules have them, which are slow to import; a test holds the two together.
STEPS = (
    "episodes",
    "hygiene",
    "to_project",
    "to_user",
    "graph",
    "contradictions",
    "weights",
    "reflection",
)
FORMATS = ("json", "graphml", "svg")

_ENTITY = Argument("ENTITY", "a name: a file, a library, an error, a person …", completes="entity")

TENDING = (
    Command(
        "consolidate",
        GROW,
        "look after the memory: sum up, promote, connect, adapt, reflect",
        "tending:consolidate",
        "In this order: episodes that belong together are summed up (by the model that is configured, or as a draft "
        "out of their own sentences); hygiene; what proved itself in a session is told to its project, and in a "
        "project to you; the graph is read and pruned; contradictions are looked for; recall's weights follow "
        "feedback; the memory reflects. Each step can be undone, and one that the time did not suffice for goes on "
        "the next time.",
        (),
        (
            flag("--if-due", "only what sessions since the last time made due: every one, every 5th, every 20th"),
            one_of("--step", "only this step", STEPS),
            number("--budget", "seconds at the most; 0 for as long as it takes, or what is usual with --if-due", 0),
            DRY_RUN,
        ),
        ("treering consolidate", "treering consolidate --if-due --json", "treering consolidate --step episodes"),
        past=False,
    ),
    Command(
        "consolidate next",
        GROW,
        "take the next group of episodes to sum up, with instructions",
        "tending:next",
        "For an agent or a person who can write: read the episodes, and hand the summary back with `treering "
        "consolidate submit`. Groups of which there is only a draft come after those of which there is nothing.",
        (),
        (),
        ("treering consolidate next", "treering consolidate next --json"),
        past=False,
    ),
    Command(
        "consolidate submit",
        GROW,
        "hand back the summary of a group",
        "tending:submit",
        "It becomes a semantic memory that rests on the episodes and is trusted no more than they are; they are "
        "consolidated. A number, a name or a denial that most of them have and the summary has not is flagged; what "
        "none of them says is refused. `treering undo` with the id of the summary brings the episodes back.",
        (
            Argument("GROUP", "a group's name, or the beginning of it", completes="group"),
            Argument("TEXT", "the summary; - reads it from standard input"),
        ),
        (),
        ('treering consolidate submit group-1f "The nightly build fails when the cache of node 7 is full"',),
        past=False,
    ),
    Command(
        "consolidate dismiss",
        GROW,
        "say that the episodes of a group do not belong together",
        "tending:dismiss",
        "A summary of it is taken back, and the group is not found again. `treering undo` brings it back.",
        (Argument("GROUP", "a group's name, or the beginning of it", completes="group"),),
        (REASON,),
        ("treering consolidate dismiss group-1f",),
        past=False,
    ),
    Command(
        "consolidate list",
        GROW,
        "list the groups of episodes: waiting, drafted or summarised",
        "tending:groups",
        "",
        (),
        (),
        ("treering consolidate list", "treering consolidate list --json"),
    ),
    Command(
        "consolidate log",
        GROW,
        "list what was done before: which steps, how long they took, what came of them",
        "tending:log",
        "",
        (),
        (number("--limit", "how many at the most, the newest; 0 for all", 20),),
        ("treering consolidate log",),
    ),
    Command(
        "graph show",
        LOOK,
        "show what is known of a name, and what it is related to",
        "graph:show",
        "What memories name is read from their texts: files, tools, libraries, errors, people, decisions …; and how "
        "they relate it. Each relation tells since when it holds, since when that is known, and which memories say "
        "so. The same name in two projects is two things.",
        (_ENTITY,),
        (PROJECT,),
        ("treering graph show redis", "treering graph show src/auth.py --json"),
    ),
    Command(
        "graph path",
        LOOK,
        "show how two names are related, over how many steps",
        "graph:path",
        "",
        (_ENTITY._replace(name="A"), _ENTITY._replace(name="B")),
        (PROJECT,),
        ("treering graph path checkout redis",),
    ),
    Command(
        "graph prune",
        GROW,
        "hide what was named once, doubtfully, and long ago",
        "graph:prune",
        "Entities with a confidence below 0.3 that one memory named more than 30 days ago, and relations below 0.2 of "
        "that age. Whatever is named again comes back, and `treering undo` takes a pruning back.",
        (),
        (DRY_RUN,),
        ("treering graph prune --dry-run",),
        past=False,
    ),
    Command(
        "graph export",
        LOOK,
        "write the graph as JSON or GraphML, or a picture of a neighbourhood",
        "graph:export",
        "",
        (_ENTITY._replace(optional=True),),
        (
            one_of("--format", "json (the default), graphml, or svg: a picture", FORMATS),
            named("--out", "write it to this file", "FILE"),
            flag("--overwrite", "even if the file is there"),
            PROJECT,
        ),
        ("treering graph export --format graphml --out graph.graphml", "treering graph export redis --format svg"),
    ),
    Command(
        "reflect",
        GROW,
        "let the memory look at itself, and note what it finds",
        "tending:reflect",
        "Memories that are shown and never used, memories that belong together, prompts that nothing answers, what "
        "fades too fast, names that everything hangs on, what recall is good and bad at. Each finding has its numbers "
        "and says what was done about it. The same is not noted twice.",
        (),
        (),
        ("treering reflect", "treering reflect --json"),
        past=False,
    ),
    Command(
        "reflect log",
        GROW,
        "list what the memory has found out about itself",
        "tending:insights",
        "",
        (),
        (number("--limit", "how many at the most, the newest; 0 for all", 20),),
        ("treering reflect log --json",),
    ),
    Command(
        "tune",
        GROW,
        "try other settings of recall on the recalls that were judged, and propose a better one",
        "tending:tune",
        "Logged recalls with feedback are answered again: the older ones to choose a setting, the newer ones to check "
        "it. One that is surely better becomes a proposal with its gain and how sure that is; `treering evolve "
        "accept` lets it hold, `treering undo` takes it back. Without a gain nothing is proposed.",
        (),
        (
            PROJECT,
            number("--budget", "seconds at the most", 60),
            DRY_RUN._replace(about="say what was found and propose nothing"),
        ),
        ("treering tune", "treering tune --budget 300 --json"),
        past=False,
    ),
    Command(
        "stats",
        LOOK,
        "show how the memory is doing, in figures and plots",
        "health:stats",
        "What is never used (junk), comes back (echo), is said twice, was wrongly retired, what prompts find nothing; "
        "tokens that recall showed against those that were of use; what recall weighs, and how that changed.",
        (),
        (),
        ("treering stats", "treering stats --json"),
    ),
)
