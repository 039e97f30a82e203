"""How each agent is told of the scripted model, started, and typed into."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.agents.packages import program
from tests.agents.room import Room
from treering.surfaces.install.files import PLUGIN

LOOK = "Look around in here."  # what a subagent is to do
KEY = "sk-scripted-0123456789abcdefghijklmnop"  # of no account
_SUFFIX = 20  # last characters of a key, by which Claude Code knows that it was approved


class Known(NamedTuple):
    """An agent. `no` holds what it cannot do, with the reason."""

    name: str
    prepare: Callable[[Room, str], None]  # a room, and the model's name
    printing: Callable[[str, str], Sequence[str]]  # a prompt, and the model's name
    typing: Sequence[str]  # starts it at a terminal
    ready: str  # a pattern on its screen when it can be typed into
    models: Sequence[str] = ("scripted",)
    first: Sequence[Sequence[str]] = ()  # what it may ask at the start, each with the keys that answer
    leave: Sequence[str] = ("C-c", "C-c")
    listing: Sequence[str] = ()  # lists its MCP servers
    subagent: tuple[str, Mapping[str, str]] = ("", {})  # the tool that starts one, and with what
    plugin: Sequence[Sequence[str]] = ()  # commands that check our plugin and add it
    after: float = 0.0  # seconds that it takes to end by itself; 0 if they vary
    cannot: Mapping[str, str] = {}  # checks that it cannot pass, with the reason


def _claude(room: Room, model: str) -> None:
    room.environment |= {
        "ANTHROPIC_BASE_URL": room.url,
        "ANTHROPIC_API_KEY": KEY,
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    room.write(
        ".claude.json",
        {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY[-_SUFFIX:]], "rejected": []},
            "projects": {str(room.work): {"hasTrustDialogAccepted": True}},
        },
    )


def _codex(room: Room, model: str) -> None:
    room.environment["SCRIPTED_KEY"] = KEY
    room.write(
        ".codex/config.toml",
        f"""model = "{model}"
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "{room.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
requires_openai_auth = false
supports_websockets = false

[projects."{room.work}"]
trust_level = "trusted"
""",
    )


def _gemini(room: Room, model: str) -> None:
    room.environment |= {
        "GEMINI_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": room.url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_TELEMETRY_ENABLED": "false",
    }
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
        "ui": {"theme": "Default"},
    }
    room.write(".gemini/settings.json", settings)


def _copilot(room: Room, model: str) -> None:
    room.environment |= {
        "COPILOT_PROVIDER_BASE_URL": f"{room.url}/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_API_KEY": KEY,
        "COPILOT_MODEL": model,
        "COPILOT_OFFLINE": "true",
        "COPILOT_AUTO_UPDATE": "false",
    }
    room.write(".copilot/config.json", {"trusted_folders": [str(room.work)]})


def _opencode(room: Room, model: str) -> None:
    room.environment |= {
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    }
    # With a plugin it fetches its own library first: that is to fail at once, and not after minutes.
    room.write(".npmrc", "registry=http://127.0.0.1:9/\nfetch-retries=0\n")
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{room.url}/v1", "apiKey": KEY},
        "models": {model: {"name": model}},
    }
    settings = {"model": f"scripted/{model}", "provider": {"scripted": provider}, "autoupdate": False}
    room.write(".config/opencode/opencode.json", settings)


def _claude_words(prompt: str, model: str) -> list[str]:
    tools = "Bash,Write,Edit,Task,Agent,ToolSearch,mcp__treering__recall_memories,mcp__treering__store_memory"
    return [str(program("claude-code")), "-p", prompt, "--permission-mode", "acceptEdits", "--allowedTools", tools]


def _codex_words(prompt: str, model: str) -> list[str]:
    return [str(program("codex")), "exec", "--dangerously-bypass-hook-trust", "-m", model, prompt]


def _gemini_words(prompt: str, model: str) -> list[str]:
    return [str(program("gemini")), "-m", model, "--yolo", "-p", prompt]


def _copilot_words(prompt: str, model: str) -> list[str]:
    return [str(program("copilot")), "-p", prompt, "--allow-all-tools"]


def _opencode_words(prompt: str, model: str) -> list[str]:
    return [str(program("opencode")), "run", prompt]


_OURS = Path(PLUGIN)
_NO_SUMMARY = "its hooks do not tell the summary"
_AGENTS = (
    Known(
        "claude-code",
        _claude,
        _claude_words,
        (str(program("claude-code")),),
        r"\? for shortcuts|\u2190 for agents|\d shown",  # the last two with a status line of ours
        listing=(str(program("claude-code")), "mcp", "list"),
        subagent=("Agent", {"description": "look", "prompt": LOOK, "subagent_type": "general-purpose"}),
        plugin=(
            ("plugin", "validate", "--strict", str(_OURS)),
            ("plugin", "marketplace", "add", str(_OURS)),
            ("plugin", "install", "treering@treering"),
        ),
        after=1.0,
    ),
    Known(
        "codex",
        _codex,
        _codex_words,
        (str(program("codex")), "--dangerously-bypass-hook-trust"),
        "\u203a",
        ("gpt-5.5", "gpt-6-sol"),
        listing=(str(program("codex")), "mcp", "list"),
        plugin=(
            ("plugin", "marketplace", "add", str(_OURS)),
            ("plugin", "add", "treering@treering"),
        ),
        after=6.0,
        subagent=("collaboration__spawn_agent", {"task_name": "look", "message": LOOK}),
        cannot={"compaction kept": _NO_SUMMARY},
    ),
    Known(
        "gemini",
        _gemini,
        _gemini_words,
        (str(program("gemini")), "-m", "gemini-2.5-pro", "--yolo"),
        r"Type your message",
        ("gemini-2.5-pro",),
        leave=("C-c", "C-c", "C-c"),
        listing=(str(program("gemini")), "mcp", "list"),
        plugin=(
            ("extensions", "validate", str(_OURS / "gemini")),
            ("extensions", "link", str(_OURS / "gemini"), "--consent"),
        ),
        after=1.5,
        cannot={"compaction kept": _NO_SUMMARY},
    ),
    Known(
        "copilot",
        _copilot,
        _copilot_words,
        (str(program("copilot")), "--allow-all-tools"),
        "/ commands|shortcuts|Type @|\u276f",
        leave=("C-c", "C-c", "C-c"),
        after=1.0,
        plugin=(
            ("plugin", "marketplace", "add", str(_OURS)),
            ("plugin", "install", "treering@treering"),
        ),
        cannot={
            "hint at the next failure": "it takes nothing from a hook but at the start",
            "compaction kept": _NO_SUMMARY,
        },
    ),
    Known(
        "opencode",
        _opencode,
        _opencode_words,
        (str(program("opencode")),),
        r"Ask anything|ctrl\+p",
        listing=(str(program("opencode")), "mcp", "list"),
        cannot={"compaction kept": _NO_SUMMARY},
    ),
)
AGENTS = {agent.name: agent for agent in _AGENTS}
