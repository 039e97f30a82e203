"""The agents: where each keeps its settings, and what of ours belongs into them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from treering.surfaces.install.entries import JSON, TOML, Field, Hook, Wanted

if TYPE_CHECKING:
    from treering.surfaces.install.scripts import Programs

SERVER = "treering"  # the name of the MCP server
OWN = "treering"  # a folder of this name, of what was placed, is nobody else's
# What our program is called with to do what is due, detached, when it has answered: nobody waits for that.
THEN = ("--then", "maintain")
AT = frozenset(
    "SessionStart Stop SessionEnd AfterAgent sessionStart stop agentStop sessionEnd".split()
)  # events for it
SECONDS = 5  # for a hook; one takes a tenth of a second, and a timeout costs no more than silence
EDITS = "Bash|PowerShell|Edit|Write|MultiEdit|NotebookEdit"  # the tools whose calls say how work goes


class Setting(NamedTuple):
    """Where somebody stands who installs."""

    user: str  # home folder of the user
    environment: Mapping[str, str]
    programs: Programs
    home: str = ""  # of the store, if it is not where it usually is
    root: str = ""  # of the project, if only that is meant
    mcp: bool = True  # whether the MCP server can run
    windows: bool = os.name == "nt"


class Target(NamedTuple):
    path: str
    wanted: Wanted


class Copies(NamedTuple):
    """Folders of the plugin that are placed, and where."""

    folder: str
    sources: tuple[str, ...]  # below the plugin, each with its path
    strip: str = ""  # left out of those paths
    run: str = "treering"  # how a shell starts our program: an agent's PATH may not have it
    hook: tuple[str, ...] = ("treering-hook",)  # what a script starts at an event


class Agent(NamedTuple):
    name: str
    title: str
    program: str  # by which somebody starts it
    folder: str  # of its settings, in a home folder
    variable: str  # of the environment, that says another
    targets: Callable[[Setting, str], list[Target]]
    copies: Callable[[Setting, str], Copies]
    notes: tuple[str, ...] = ()
    switches: tuple[tuple[str, tuple[str, ...], bool], ...] = ()  # a file, where in it, and what turns all hooks off
    nested: bool = False  # the variable names the home folder that its own is in


# Claude Code shows a tool's name only, until it is wanted: there the whole list costs a few words.
_ALL_TOOLS = ("--tools", "all")
_LATER = ("PostCompact", "Stop", "SubagentStart", "SubagentStop", "SessionEnd")  # events after those of tools
_PLUGIN = (".claude-plugin/plugin.json", "agents", "commands", "skills")
_SKILLS = (("skills",), "skills/")


def by_name(name: str) -> Agent:
    return next(agent for agent in AGENTS if agent.name == name)


def folder_of(agent: Agent, setting: Setting) -> str:
    """Return where an agent keeps its settings: of the project, as the environment says, or in the home folder."""
    if setting.root:
        return os.path.join(setting.root, agent.folder)
    given = setting.environment.get(agent.variable, "") if agent.variable else ""
    if agent.nested and given:
        given = os.path.join(given, agent.folder)
    return os.path.abspath(os.path.expanduser(given)) if given else os.path.join(setting.user, agent.folder)


def is_there(agent: Agent, setting: Setting) -> bool:
    """Return whether somebody uses an agent here: it has settings, or can be started."""
    from shutil import which

    there = os.path.isdir(folder_of(agent, setting._replace(root="")))
    return there or which(agent.program, path=setting.environment.get("PATH", "")) is not None


def _claude(setting: Setting, folder: str) -> list[Target]:
    def entry(event: str) -> dict[str, Any]:
        run = {"type": "command", "command": setting.programs.hook, "args": [event, *_home(setting), *_then(event)]}
        return {**run, "timeout": SECONDS}

    matched = {"PostToolUse": EDITS, "PostToolUseFailure": EDITS}
    events = ("SessionStart", "UserPromptSubmit", *matched, *_LATER)
    hooks = [_group(event, event, entry(event), matched.get(event, "")) for event in events]
    outside = setting.user if not setting.environment.get("CLAUDE_CONFIG_DIR") else folder
    servers = os.path.join(setting.root, ".mcp.json") if setting.root else os.path.join(outside, ".claude.json")
    return [
        Target(os.path.join(folder, "settings.json"), Wanted(JSON, tuple(hooks), (_status_line(setting),))),
        *_server(setting, servers, {"type": "stdio"}, more=_ALL_TOOLS),
    ]


def _status_line(setting: Setting) -> Field:
    """Return the line at the foot of Claude Code, for those who have none."""
    return Field(("statusLine",), {"type": "command", "command": f"{_typed(setting)} statusline"}, guest=True)


def _codex(setting: Setting, folder: str) -> list[Target]:
    matched = {"PostToolUse": "Bash|apply_patch|Edit|Write"}
    events = ("SessionStart", "UserPromptSubmit", *matched, *_LATER)
    seconds = {"SessionEnd": 3}  # more is cut down to it
    hooks = [
        _group(
            event,
            event,
            {"type": "command", "command": _line(setting, event, "codex"), "timeout": seconds.get(event, SECONDS)},
            matched.get(event, ""),
        )
        for event in events
    ]
    found = [Target(os.path.join(folder, "hooks.json"), Wanted(JSON, tuple(hooks)))]
    if setting.mcp:
        field = Field(("mcp_servers", SERVER), _run(setting))
        found.append(Target(os.path.join(folder, "config.toml"), Wanted(TOML, (), (field,))))
    return found


def _gemini(setting: Setting, folder: str) -> list[Target]:
    def entry(event: str) -> dict[str, Any]:
        line = _line(setting, event, "gemini")
        return {"name": SERVER, "type": "command", "command": line, "timeout": SECONDS * 1_000}

    matched = {"AfterTool": "run_shell_command|write_file|replace"}
    events = ("SessionStart", "BeforeAgent", *matched, "AfterAgent", "SessionEnd")
    hooks = [_group(event, event, entry(event), matched.get(event, "")) for event in events]
    fields = (Field(("mcpServers", SERVER), _run(setting)),) if setting.mcp else ()
    return [Target(os.path.join(folder, "settings.json"), Wanted(JSON, tuple(hooks), fields))]


def _cursor(setting: Setting, folder: str) -> list[Target]:
    matched = {"postToolUse": "Shell|Write|Edit", "postToolUseFailure": "Shell|Write|Edit"}
    events = ("sessionStart", "beforeSubmitPrompt", *matched, "afterAgentResponse", "stop", "sessionEnd")
    hooks = []
    for event in events:
        entry = {"command": _line(setting, event, "cursor"), "timeout": SECONDS}
        hooks.append(Hook(event, event, {**entry, "matcher": matched[event]} if event in matched else entry))
    version = Field(("version",), 1, lasting=True)
    return [
        Target(os.path.join(folder, "hooks.json"), Wanted(JSON, tuple(hooks), (version,))),
        *_server(setting, os.path.join(folder, "mcp.json"), {"type": "stdio"}),
    ]


def _copilot(setting: Setting, folder: str) -> list[Target]:
    events = ("sessionStart", "userPromptSubmitted", "postToolUse", "postToolUseFailure", "agentStop", "subagentStop")
    shell = "powershell" if setting.windows else "bash"
    hooks = []
    for event in (*events, "sessionEnd"):
        line = _line(setting, event, "copilot")
        run = {"type": "command", shell: f"& {line}" if setting.windows else line, "timeoutSec": SECONDS}
        hooks.append(Hook(event, event, run))
    version = Field(("version",), 1, lasting=True)
    own = Wanted(JSON, tuple(hooks), (version,))
    if setting.root:  # Copilot has no file for the servers of a project that it surely reads
        return [Target(os.path.join(setting.root, ".github", "hooks", "treering.json"), own)]
    servers = _server(setting, os.path.join(folder, "mcp-config.json"), {"type": "local"}, {"tools": ["*"]})
    return [Target(os.path.join(folder, "hooks", "treering.json"), own), *servers]


def _opencode(setting: Setting, folder: str) -> list[Target]:
    """Return the server; hooks are a script, as opencode has no other. Comments are read in both of its files."""
    place = setting.root or folder
    named = [os.path.join(place, name) for name in ("opencode.jsonc", "opencode.json")]
    path = next(filter(os.path.exists, named), named[-1])
    if not setting.mcp:
        return []
    value = {"type": "local", "command": [setting.programs.treering, *_home(setting), "mcp"], "enabled": True}
    return [Target(path, Wanted(JSON, (), (Field(("mcp", SERVER), value),)))]


def _opencode_files(setting: Setting, folder: str) -> Copies:
    place = os.path.join(setting.root, ".opencode") if setting.root else folder
    hook = (setting.programs.hook, *_home(setting))
    return Copies(place, ("opencode/plugins", "skills"), "opencode/", _typed(setting), hook)


def _plugin(setting: Setting, folder: str) -> Copies:
    """Return what Claude Code loads from a folder of its skills that has a manifest; hooks and
    server are in the settings.
    """
    return Copies(os.path.join(folder, "skills", OWN), _PLUGIN, run=_typed(setting))


def _shared_skills(setting: Setting, folder: str) -> Copies:
    return Copies(os.path.join(setting.root or setting.user, ".agents", "skills"), *_SKILLS, _typed(setting))


def _copilot_skills(setting: Setting, folder: str) -> Copies:
    place = os.path.join(setting.root, ".github") if setting.root else folder
    return Copies(os.path.join(place, "skills"), *_SKILLS, _typed(setting))


def _group(event: str, mark: str, entry: dict[str, Any], matcher: str = "") -> Hook:
    return Hook(event, mark, {**({"matcher": matcher} if matcher else {}), "hooks": [entry]})


def _server(
    setting: Setting, path: str, first: dict[str, Any], last: dict[str, Any] | None = None, more: tuple[str, ...] = ()
) -> list[Target]:
    if not setting.mcp:
        return []
    value = {**first, **_run(setting, more), **(last or {})}
    return [Target(path, Wanted(JSON, (), (Field(("mcpServers", SERVER), value),)))]


def _run(setting: Setting, more: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"command": setting.programs.treering, "args": [*_home(setting), "mcp", *more]}


def _home(setting: Setting) -> list[str]:
    return ["--home", setting.home] if setting.home else []


def _then(event: str) -> tuple[str, ...]:
    return THEN if event in AT else ()


def _line(setting: Setting, event: str, agent: str) -> str:
    """Return a command for a shell."""
    return _joined(setting, [setting.programs.hook, event, "--agent", agent, *_home(setting), *_then(event)])


def _typed(setting: Setting) -> str:
    """Return how a shell starts our program, with the home of the store if it is an unusual one."""
    return _joined(setting, [setting.programs.treering, *_home(setting)])


def _joined(setting: Setting, words: list[str]) -> str:
    if setting.windows:
        return " ".join(word if all(map(_is_plain, word)) else f'"{word}"' for word in words)
    from shlex import join

    return join(words)


def _is_plain(letter: str) -> bool:
    """Return whether it means itself to both shells of Windows; `A&B` is a name that somebody may have there."""
    return letter.isalnum() or letter in "-_.:\\/"


_TRUST = "Codex runs no hook before you trust it: start it and type /hooks"
_CLAUDE_OFF = ("settings.json", ("disableAllHooks",), True)
_CODEX_OFF = ("config.toml", ("features", "hooks"), False)
_GEMINI_OFF = ("settings.json", ("hooksConfig", "enabled"), False)

AGENTS = (
    Agent("claude-code", "Claude Code", "claude", ".claude", "CLAUDE_CONFIG_DIR", _claude, _plugin, (), (_CLAUDE_OFF,)),
    Agent("codex", "Codex", "codex", ".codex", "CODEX_HOME", _codex, _shared_skills, (_TRUST,), (_CODEX_OFF,)),
    Agent(
        "gemini",
        "Gemini CLI",
        "gemini",
        ".gemini",
        "GEMINI_CLI_HOME",
        _gemini,
        _shared_skills,
        (),
        (_GEMINI_OFF,),
        nested=True,
    ),
    Agent("cursor", "Cursor", "cursor", ".cursor", "", _cursor, _shared_skills),
    Agent("copilot", "Copilot CLI", "copilot", ".copilot", "COPILOT_HOME", _copilot, _copilot_skills),
    Agent(
        "opencode",
        "opencode",
        "opencode",
        os.path.join(".config", "opencode"),
        "OPENCODE_CONFIG_DIR",
        _opencode,
        _opencode_files,
    ),
)
NAMES = tuple(agent.name for agent in AGENTS)
