"""Commands that put Treering into agents, and take it out again."""

from __future__ import annotations

from treering.cli.commands.words import DRY_RUN, PLUG, Argument, Command, flag

# As the table of agents has them, which is slow to import; a test holds the two together.
AGENTS = ("claude-code", "codex", "gemini", "cursor", "copilot")
ALL = "all"

_AGENT = Argument(
    "AGENT",
    "which one; all for those that are found here; who names none is told which there are",
    optional=True,
    choices=(*AGENTS, ALL),
)
_PROJECT = flag("--project", "only for the project that you are in: its files, not those of your home folder")
_OPTIONS = (
    _PROJECT,
    DRY_RUN,
    flag("--yes", "do not ask"),
)

INSTALLING = (
    Command(
        "install",
        PLUG,
        "give an agent this memory: hooks, MCP server, skills and commands",
        "installing:install",
        "Shows what is added to which file, and asks once at a terminal. Nothing else in the files changes: comments, "
        "order and layout stay. A copy of each is kept beside it, as NAME.before-treering. Installing again changes "
        "nothing, or corrects paths that have moved.",
        (_AGENT,),
        _OPTIONS,
        ("treering install claude-code", "treering install all --dry-run"),
        opens=False,
        past=False,
    ),
    Command(
        "uninstall",
        PLUG,
        "take it out again: exactly what was added",
        "installing:uninstall",
        "A file that nobody has changed since is as it was before, to the byte; out of one that was changed only our "
        "entries go. What you have remembered stays: it is in the store.",
        (_AGENT,),
        _OPTIONS,
        ("treering uninstall claude-code", "treering uninstall all --dry-run"),
        opens=False,
        past=False,
    ),
    Command(
        "status",
        PLUG,
        "show which agents have this memory, and whether it would run",
        "installing:status",
        "Per agent: whether it is found here, its hooks, the MCP server, skills, and whether the programs that are "
        "named are still there. Ends with 1 if something is wrong: hooks are missing, a file cannot be read.",
        (),
        (_PROJECT,),
        ("treering status", "treering status --json"),
        opens=False,
        past=False,
    ),
    Command(
        "plugin-path",
        PLUG,
        "print the folder of the plugin",
        "installing:plugin_path",
        "For agents that load plugins from a folder, instead of `treering install`. Its hooks run `treering-hook` by "
        "name, which must be on the PATH.",
        (),
        (),
        ("treering plugin-path",),
        opens=False,
        past=False,
    ),
)
