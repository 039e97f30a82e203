"""What changes something: edits, and commands that do more than look or run."""

from __future__ import annotations

import re

from treering.capture.turns import EDITORS, SHELLS
from treering.transcripts import commands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.capture.turns import Did

# What is said about the output of a command, and not to it.
_WATCHED = re.compile(
    r"\s*(?:2>&1|&>\s?\S+|2>\s?/dev/null|\|\s*(?:tail|head|grep|tee|less|cat|sed|awk|wc|sort)\b[^|&;]*)\s*$"
)
_THERE = re.compile(r"^(?:(?:cd|pushd) [^\s;&]+ ?(?:&&|;) ?)+")
_SEAM = re.compile(r"&&|\|\||;")
_WORDY = frozenset(
    """-v -vv -vvv -q -qq -x -s --verbose --quiet --silent --tb=short --tb=long --tb=no --tb=line --no-header
    --color=always -ra -rA --bail --no-cov --nocapture""".split()
)

# Programs that are there to change something.
_CHANGERS = frozenset(
    """rm mv cp mkdir chmod chown chgrp setcap setfacl ln touch kill pkill killall fuser export unset source . tee
    truncate patch apt apt-get brew dnf yum apk choco winget pacman snap systemctl service pg_ctl createdb dropdb
    createuser initdb alembic swapoff sysctl ulimit nvm asdf mise corepack rustup direnv ssh-add ssh-keygen
    xcode-select mkcert mount umount modprobe usermod adduser update-alternatives ldconfig protoc remove-item
    copy-item move-item new-item set-item set-executionpolicy setx icacls redis-server minikube colima""".split()
)
# Verbs that do so, whatever the program.
_VERBS = frozenset(
    """install i ci add update upgrade up remove rm uninstall dedupe rebuild link unlink cache config approve-builds
    sync lock venv env create get mod clean work require dump-autoload restore workload checkout switch pull fetch
    stash submodule lfs reset merge rebase init start restart stop down volume system network login apply delete
    rollout scale patch repo dependency rollback import state deps setup bootstrap generate proto db migrate seed
    auth sso configure deps.get ecto.migrate ecto.create deps.clean pub db:migrate db:create db:setup db:reset prune
    clear refresh repair reload download trust allow enable set use autoupdate mv""".split()
)
# Programs that run what others wrote: behind them a verb is a name.
_RUNNERS = frozenset(
    "python node ruby perl bash sh npx deno pytest ruff eslint tsc jest vitest mypy cargo-test ctest tox nox".split()
)
_INSIDE = ("psql", "mysql", "sqlite3", "redis-cli", "mongosh")  # a database may be changed by what is said to it
_PLAIN = frozenset({"docker", "podman"})


def is_edit(turn: Did) -> bool:
    return turn.tool in EDITORS and bool(turn.target)


def command(turn: Did) -> str:
    """What was run, whoever watches it and wherever; nothing if it was no command."""
    if turn.tool not in SHELLS:
        return ""
    text = " ".join(turn.command.split())
    while found := _WATCHED.search(text):
        text = text[: found.start()]
    text = _THERE.sub("", text)
    return " ".join(word for word in text.split(" ") if word not in _WORDY)


def changes(line: str) -> bool:
    """Whether a command line changes something that others may need."""
    return any(_part_changes(part.strip()) for part in _SEAM.split(line))


def _part_changes(part: str) -> bool:
    if part.startswith(("export ", "unset ", "source ", ". ")):
        return True
    words = commands.words(part)
    if not words:
        return False
    if part.startswith(("./", "sh ", "bash ")) and words[0].endswith((".sh", ".bash")):
        return True
    program = words[0].rpartition("/")[2]
    if program in ("sed", "perl"):
        return " -i" in part or " -pi" in part
    if program in ("echo", "printf", "cat"):
        return ">" in part
    if program in _CHANGERS or any(word in _INSIDE for word in words[:5]):
        return not commands.looks(part)
    if program in _RUNNERS:
        return words[1:2] == ["manage.py"]
    told = words[1:4]
    return any(word in _VERBS for word in told) or (
        program in _PLAIN and any(word in ("run", "build") for word in told)
    )


def name(path: str) -> str:
    """The end of a path, by which a file is known."""
    parts = path.replace("\\", "/").rsplit("/", 2)
    return "/".join(parts[-2:]) if len(parts) > 2 and parts[-2] else parts[-1]
