"""Commands that carry memories in and out, and look after them."""

from __future__ import annotations

from treering.cli.commands.words import (
    CARE,
    DRY_RUN,
    MOVE,
    PROJECT,
    Argument,
    Command,
    flag,
)

UPKEEP = (
    Command(
        "export",
        MOVE,
        "write the whole ledger as JSON Lines",
        "moving:export",
        "The file is either whole or not there. What was purged is not in it.",
        (Argument("FILE", "where to; standard output without one", optional=True),),
        (),
        ("treering export memory.jsonl", "treering export"),
    ),
    Command(
        "import",
        MOVE,
        "take in an export, or rows of other programs",
        "moving:import_",
        'JSON Lines: an export of Treering, an object with at least {"content": …} on each line, or the memory.jsonl '
        "of the MCP server @modelcontextprotocol/server-memory. "
        "Importing the same file again adds nothing, and a file with an error adds nothing at all. Rows are texts from "
        "outside: that you said one, that it is an invariant, or that every project is to hear of it, is believed only "
        "with --mine.",
        (Argument("FILE", "what to read; - for standard input"),),
        (flag("--mine", "these are your own words: believe what they say of themselves"),),
        ("treering import memory.jsonl",),
    ),
    Command(
        "import claude-memory",
        MOVE,
        "take in what Claude Code has noted by itself",
        "moving:claude_memory",
        "Its MEMORY.md and the topic files beside it, each statement a memory from outside. They are only read. "
        "What is known already adds nothing; what is dropped there later stays here. Without a PATH it is the memory "
        "of the folder that you work in, and belongs to its project.",
        (Argument("PATH", "a folder of its files, or one of them", optional=True),),
        (PROJECT, DRY_RUN._replace(about="show what would be new, and add nothing")),
        ("treering import claude-memory --dry-run", "treering import claude-memory"),
        past=False,
    ),
    Command(
        "verify",
        CARE,
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
        CARE,
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
        CARE,
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
        CARE,
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
        CARE,
        "say how a command is used",
        "help:help",
        "",
        (Argument("COMMAND", "which", optional=True, many=True, completes="command"),),
        (),
        ("treering help", "treering help remember"),
        opens=False,
    ),
)
