"""Install the agents with npm into a folder that later runs use again, and say what is missing if that cannot be."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

NAMES = {
    "claude-code": "@anthropic-ai/claude-code",
    "codex": "@openai/codex",
    "gemini": "@google/gemini-cli",
    "copilot": "@github/copilot",
    "opencode": "opencode-ai",
}
# The versions that were tried. Where one is not to be had any more, the newest is taken.
TRIED = {
    "claude-code": "2.1.197",
    "codex": "0.169.0",
    "gemini": "0.61.0",
    "copilot": "1.0.102",
    "opencode": "1.18.33",
}
PROGRAMS = {"claude-code": "claude"}
# npm may be told not to run what a package wants to run after it is installed. These two only link the program that
# was downloaded for this machine, and run without a network.
_AFTER = {"claude-code": "install.cjs", "opencode": "postinstall.mjs"}
_SECONDS = 900  # that npm may take: the packages have 1.3 GB


def cache() -> Path:
    """Return the folder that keeps the installed agents and the homes of a run."""
    given = os.environ.get("TREERING_AGENTS") or os.environ.get("XDG_CACHE_HOME")
    return Path(os.environ.get("TREERING_AGENTS") or Path(given or Path.home() / ".cache") / "treering-agents")


def alone() -> list[str]:
    """Return the words before a command that give it a network of its own; none if that is not possible here."""
    found = shutil.which("unshare")
    if found is None:
        return []
    words = [found, "--map-root-user", "--net"]
    done = subprocess.run([*words, "true"], capture_output=True, check=False)
    return words if done.returncode == 0 else []


def missing() -> str:
    """Return what keeps the agents from running here; empty if nothing does."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "there is no npm"
    if not alone():
        return "there are no network namespaces for this user"
    return ""


def program(agent: str) -> Path:
    return cache() / agent / "node_modules" / ".bin" / PROGRAMS.get(agent, agent)


def version(agent: str) -> str:
    """Return the version that is installed; empty if none is."""
    package = cache() / agent / "node_modules" / NAMES[agent] / "package.json"
    return str(json.loads(package.read_text())["version"]) if package.is_file() else ""


def install(agents: Sequence[str], seconds: float = _SECONDS) -> dict[str, str]:
    """Install what is not there yet. Return the problem of each agent that could not be installed."""
    problems = {}
    for agent in agents:
        if not version(agent) or not program(agent).exists():
            folder = cache() / agent
            folder.mkdir(parents=True, exist_ok=True)
            words = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(folder)]
            tries = (f"{NAMES[agent]}@{TRIED[agent]}", NAMES[agent])
            if problem := _fetched([*words, tries[0]], folder, seconds):
                problem = _fetched([*words, tries[1]], folder, seconds) if "ETARGET" in problem else problem
            if problem:
                problems[agent] = f"npm could not install {NAMES[agent]}: {problem}"
                continue
        if agent in _AFTER:
            package = cache() / agent / "node_modules" / NAMES[agent]
            subprocess.run([*alone(), "node", _AFTER[agent]], cwd=package, capture_output=True, check=False)
    return problems


def _fetched(words: Sequence[str], folder: Path, seconds: float) -> str:
    """Run npm, and return what went wrong."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds, check=False, cwd=folder)
    except subprocess.TimeoutExpired:
        return f"it took longer than {seconds:g} seconds"
    return done.stderr.strip()[-200:] if done.returncode else ""
