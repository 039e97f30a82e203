"""Commands that keep the memory true and readable as it ages."""

from __future__ import annotations

from treering.cli.commands.words import (
    AGE,
    CHANGE,
    DRY_RUN,
    ID,
    MOVE,
    PROJECT,
    REASON,
    SESSION,
    Argument,
    Command,
    flag,
    named,
    number,
    one_of,
)

_DIR = Argument("DIR", "the folder")
_OVERWRITE = flag("--overwrite", "replace a file that Treering did not write")

AGEING = (
    Command(
        "supersede",
        CHANGE,
        "say that a fact has changed",
        "ageing:supersede",
        "The old memory goes out of recall for good, and both name each other; --as-of still shows the old truth. "
        "With a text instead of an id, a new memory is made that is what the old one was but for its text. Undoing "
        "the event brings the old one back.",
        (
            ID._replace(name="OLD"),
            Argument("NEW", "the id of the memory that holds now, or its text", completes="memory"),
        ),
        (REASON,),
        ('treering supersede 3 "Deploys go out on Tuesdays" --reason "moved from Fridays"', "treering supersede 3 7"),
    ),
    Command(
        "contradictions",
        AGE,
        "list the memories that contradict each other",
        "ageing:contradictions",
        "They are found when a memory is written. Neither side is preferred until somebody resolves it.",
        (),
        (
            flag("--all", "those that were resolved or came to nothing, too"),
            flag("--look", "look through all memories first, as after a large import"),
        ),
        ("treering contradictions", "treering contradictions --all --json"),
    ),
    Command(
        "resolve",
        AGE,
        "decide a contradiction",
        "ageing:resolve",
        "A is the older memory and B the newer one. What does not hold is superseded by what does; `both` lets them "
        "stand, and they are not raised again. `supersede` says that the fact has changed: the newer one holds.",
        (Argument("ID", "a contradiction's id, or the number at its end", completes="contradiction"),),
        (one_of("--keep", "which of them holds", ("A", "B", "both", "supersede")), REASON),
        ('treering resolve 9 --keep B --reason "asked the team"', "treering resolve 9 --keep both"),
        past=False,
    ),
    Command(
        "confirm",
        AGE,
        "confirm the facts that never decay",
        "ageing:confirm",
        "Without an ID, lists the invariants that nobody has confirmed for long. With one, records a person's answer: "
        "it still holds, it does not (it is forgotten), or another text holds instead (which supersedes it).",
        (ID._replace(optional=True),),
        (
            flag("--yes", "it still holds"),
            flag("--no", "it does not hold any more"),
            named("--change", "what holds instead", "TEXT"),
            number("--days", "how long ago counts as long; the setting confirm_days without it", -1),
            REASON,
        ),
        ("treering confirm", "treering confirm 4 --yes", 'treering confirm 4 --change "Reviews need one approval"'),
    ),
    Command(
        "hygiene",
        AGE,
        "move the memories whose time has come",
        "ageing:hygiene",
        "By the policy of the settings (decay = half-life, age or sessions). Every move is an event with its reason, "
        "and nothing is lost: archived memories are still found, forgotten ones can be restored. Running it again "
        "at once does nothing. Undoing the run takes all of its moves back.",
        (),
        (DRY_RUN._replace(about="print each move and why, and change nothing"),),
        ("treering hygiene --dry-run", "treering hygiene", "treering memory hygiene"),
    ),
    Command(
        "session end",
        AGE,
        "end a session: record it, consolidate what is due, and move the memories whose time has come",
        "ageing:end",
        "",
        (Argument("NAME", "the session; the one of the settings without it", optional=True),),
        (),
        ("treering session end monday",),
        past=False,
    ),
    Command(
        "index",
        MOVE,
        "write MEMORY.md: what is known, for people to read",
        "papers:index",
        "Grouped by type, what is in use before the archive, always in the same order, so that a diff shows only what "
        "changed. The file is generated: edits to it are lost. What can be seen from where you stand is in it.",
        (Argument("FILE", "where to; MEMORY.md here without one, - for standard output", optional=True),),
        (PROJECT, SESSION, _OVERWRITE),
        ("treering index", "treering index docs/MEMORY.md --project shop", "treering index - | less"),
    ),
    Command(
        "vault write",
        MOVE,
        "write the memory as a folder of Markdown files",
        "papers:write",
        "continuity.md has every fact with a footer, sessions/ one file for each session with what it referenced, "
        "created and superseded, archive.md what has faded. Session files are never changed once written; writing "
        "again adds what is new.",
        (_DIR,),
        (_OVERWRITE,),
        ("treering vault write notes/memory",),
    ),
    Command(
        "vault replay",
        MOVE,
        "prove that a vault's session files amount to its continuity.md",
        "papers:replay",
        "Reads the session files alone, rebuilds the state, and compares. Ends with 1 and the differences otherwise.",
        (_DIR,),
        (),
        ("treering vault replay notes/memory",),
        opens=False,
        past=False,
    ),
    Command(
        "vault read",
        MOVE,
        "start a memory from a vault, or take one in",
        "papers:read",
        "Also from one that was written by hand or by an agent. A file that makes no sense is named with its line, "
        "and then nothing is taken in. Reading it again adds nothing. Who said what is believed when a store is "
        "started from it, or with --mine; otherwise it is text from outside.",
        (_DIR,),
        (flag("--mine", "these are your own words: believe who said what"),),
        ("treering vault read notes/memory",),
        past=False,
    ),
    Command(
        "harvest",
        MOVE,
        "take durable facts out of Markdown documents",
        "papers:harvest",
        "Decision records, design notes, roadmaps, READMEs: split by their structure, with file and line kept. What is "
        "known is skipped, what contradicts it is raised, and on a second run only what changed in a document is "
        "superseded. Folders are searched for .md files.",
        (Argument("PATH", "documents or folders", many=True),),
        (
            PROJECT,
            named("--root", "what file names are relative to (default: the repository, or this folder)", "DIR"),
            DRY_RUN._replace(about="show the plan and change nothing"),
        ),
        ("treering harvest docs --project shop --dry-run", "treering harvest docs README.md"),
        past=False,
    ),
)
