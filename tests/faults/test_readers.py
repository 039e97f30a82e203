"""Damaged and hostile bytes for everything that reads files of others: our own errors, no traceback, no hang."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import treering
from tests.faults.harness import LIMIT
from tests.world import fresh
from treering.capture import transcript
from treering.ledger.config import load
from treering.ledger.errors import TreeringError
from treering.ledger.transfer import export_file, import_file
from treering.ledger.verify import verify
from treering.stores.files import FILE_NAME
from treering.surfaces.hook.act import act
from treering.surfaces.hook.agents import AGENTS
from treering.surfaces.hook.agents.event import EVENTS
from treering.surfaces.install import graft, jsonc, toml
from treering.text.json import read_json

SAMPLE = 25  # damaged files of each kind
ROUND = 300  # of a long run, before it looks at the clock
SECONDS = 3_600.0  # of a long run, for all kinds together
SLOWEST = 20  # seconds for one file, after which its reader hangs

TEXTS = ("The harbour crane lifts 12 tons", "Deploys run at 9 o'clock", "We chose SQLite over Postgres")
PAYLOADS = Path(__file__).parent.parent / "surfaces" / "hook" / "payloads"
SETTINGS = b"""{
  // hooks of others stay as they are
  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say \\u00e9"}]}], /* none */ "Start": []},
  "mcpServers": {"other": {"command": "x", "args": ["-v", 1, 2.5e3, true, null]}}, }
"""
TOML = b"""model = "o3"
[mcp_servers.other]
command = 'x'
args = ["-v", \"\"\"long\"\"\"]
[[profiles]]
when = 2026-05-01T10:00:00Z
inner = {a = 1, "b.c" = 0x1F}
"""
CONFIG = b"""space = "default"
decay = "age"
wrong_limit = 0.1
[llm]
timeout = 30
"""


class Reader(NamedTuple):
    """Something that reads files of others: sound ones, and how they are read."""

    make: Callable[[Path], None]
    read: Callable[[Path], object]


def _memory(folder: Path) -> None:
    with treering.open(folder / "home", project="shop", actor="user") as memory:
        memory.remember_many({"content": text} for text in TEXTS)
        memory.recall("harbour crane")
        memory.forget(next(memory.list()).id)


def _make_database(folder: Path) -> None:
    _memory(folder)
    shutil.copyfile(folder / "home" / FILE_NAME, folder / "damaged")


def _read_database(folder: Path) -> None:
    home = folder / "opened"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    shutil.copyfile(folder / "damaged", home / FILE_NAME)
    act("UserPromptSubmit", {"session_id": "s", "prompt": "where is the harbour crane?"}, AGENTS[0], str(home), {}, 1)
    with suppress(TreeringError), treering.open(home, project="shop") as memory:
        for use in (lambda: verify(memory.ledger.store), lambda: [*memory.list()], lambda: memory.recall("harbour")):
            with suppress(TreeringError):
                use()
        memory.remember("one more")


def _make_export(folder: Path) -> None:
    with treering.open(folder / "home") as memory:
        memory.remember_many({"content": text, "tags": ["a"]} for text in TEXTS)
        memory.undo(next(memory.list()).id)
        export_file(memory.store, str(folder / "damaged"))


def _read_export(folder: Path) -> None:
    for mine in (False, True):
        memory = fresh()
        with suppress(TreeringError):
            import_file(memory.ledger, memory.context, str(folder / "damaged"), limit=LIMIT, mine=mine)
        assert verify(memory.ledger.store).clean


def _make_vault(folder: Path) -> None:
    memory = fresh()
    memory.remember_many({"content": text, "tags": ["a"], "problem": "none"} for text in TEXTS)
    memory.documents.write_vault(str(folder / "vault"))
    whole = b"".join(
        b"\0%s\0" % str(path).encode() + path.read_bytes() for path in sorted((folder / "vault").rglob("*.md"))
    )
    (folder / "damaged").write_bytes(whole)


def _read_vault(folder: Path) -> None:
    """Each file of the vault in its place, damaged where it is."""
    shutil.rmtree(folder / "vault")
    (folder / "vault").mkdir()
    parts = (folder / "damaged").read_bytes().split(b"\0")
    for name, data in zip(parts[1::2], parts[2::2], strict=False):
        path = Path(os.fsdecode(name))
        with suppress(OSError):  # the name is damaged too
            if folder / "vault" in path.parents and ".." not in path.parts:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
    for mine in (False, True):
        memory = fresh()
        with suppress(TreeringError):
            memory.documents.read_vault(str(folder / "vault"), mine=mine)
        with suppress(TreeringError):
            memory.documents.replay_vault(str(folder / "vault"))
        assert verify(memory.ledger.store).clean


def _make_transcript(folder: Path) -> None:
    used = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "make"}}
    failed = {"type": "tool_result", "tool_use_id": "t", "is_error": True, "content": "no rule"}
    typed = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]}
    said: list[dict[str, object]] = [
        {"type": "user", "message": {"role": "user", "content": "Always use tabs in Go files. Fix the build."}},
        {"type": "assistant", "message": {"role": "assistant", "content": [{"type": "text", "text": "We use Go."}]}},
        {"type": "assistant", "message": {"content": [used]}},
        {"type": "user", "message": {"content": [failed]}},
        {"type": "response_item", "payload": typed},
    ]
    marks = {"sessionId": "s", "cwd": "/x", "timestamp": "2026-05-01T10:00:00.000Z", "uuid": "u"}
    (folder / "damaged").write_text("".join(json.dumps({**marks, **line}) + "\n" for line in said))


def _read_transcript(folder: Path) -> None:
    path = folder / "talk.jsonl"
    shutil.copyfile(folder / "damaged", path)
    for offset in (0, 7):
        transcript.read(str(path), offset)
    memory = fresh()
    with suppress(TreeringError):
        memory.captured.mine(str(path))
    assert verify(memory.ledger.store).clean


def _read_jsonc(folder: Path) -> None:
    text = (folder / "damaged").read_bytes().decode("utf-8", "replace")
    with suppress(TreeringError):
        jsonc.plain(jsonc.read(text))
        for change in (graft.add, graft.append):
            with suppress(TreeringError):
                change(jsonc.Draft(text), ("hooks", "Stop"), {"command": "treering-hook Stop"})


def _read_toml(folder: Path) -> None:
    text = (folder / "damaged").read_bytes().decode("utf-8", "replace")
    for change in (lambda draft: toml.put(draft, ("mcp_servers", "treering"), {"command": "t"}), _take_other):
        with suppress(TreeringError):
            change(jsonc.Draft(text))


def _take_other(draft: jsonc.Draft) -> None:
    toml.take(draft, ("mcp_servers", "other"))


def _read_config(folder: Path) -> None:
    shutil.copyfile(folder / "damaged", folder / "config.toml")
    with suppress(TreeringError):
        load(str(folder), {})


def _make_payloads(folder: Path) -> None:
    (folder / "damaged").write_bytes(b"".join(path.read_bytes() for path in sorted(PAYLOADS.glob("*.json")))[:4_000])


def _read_payload(folder: Path) -> None:
    """A hook answers whatever is valid JSON, as an object or inside one; what is none is refused before."""
    text = (folder / "damaged").read_bytes().decode("utf-8", "replace")
    raw: object = {"session_id": "s", "prompt": text, "tool_input": text, "last_assistant_message": text, "error": text}
    with suppress(ValueError, RecursionError):  # which the edge of the hook logs
        raw = read_json(text)
    home = str(folder / "home")
    for number, (agent, event) in enumerate(zip((*AGENTS, *AGENTS), sorted(EVENTS), strict=False)):
        reply, problem = act(event, raw, agent, home, {}, number + 1)
        assert not problem and (not reply or isinstance(json.loads(reply), dict))


def _file(data: bytes) -> Callable[[Path], None]:
    def make(folder: Path) -> None:
        (folder / "damaged").write_bytes(data)

    return make


READERS = {
    "database": Reader(_make_database, _read_database),
    "export": Reader(_make_export, _read_export),
    "vault": Reader(_make_vault, _read_vault),
    "transcript": Reader(_make_transcript, _read_transcript),
    "jsonc": Reader(_file(SETTINGS), _read_jsonc),
    "toml": Reader(_file(TOML), _read_toml),
    "config": Reader(_file(CONFIG), _read_config),
    "payload": Reader(_make_payloads, _read_payload),
}

# What tends to break readers: marks of formats, half characters, numbers without end, depth.
_NASTY = (
    *(b"\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\x80" * 40),
    *(b'"', b"\\u", b"\\ud800", b"{", b"}", b"[" * 3_000, b'{"a":' * 1_500, b"null", b"true", b"-", b"=", b"[["),
    *(b"NaN", b"1e999", b"9" * 5_000, b"\n", b"\r\n", b"---\n", b"```", b"''' ", b"&a *a", b"<treering-recall "),
    *(b"content", b"payload", b'"type"'),
)
_data = st.one_of(
    st.binary(max_size=12),
    st.sampled_from(_NASTY),
    st.text(max_size=6).map(lambda text: text.encode("utf-8", "replace")),
)
_edit = st.tuples(
    st.floats(0, 1), st.sampled_from(("over", "insert", "delete", "double", "cut")), st.integers(0, 200), _data
)
EDITS = st.lists(_edit, min_size=1, max_size=5)


def damaged(data: bytes, edits: list[tuple[float, str, int, bytes]]) -> bytes:
    """Return bytes with some of them changed."""
    for share, how, size, new in edits:
        at = int(share * len(data))
        if how == "over":
            data = data[:at] + new + data[at + len(new) :]
        elif how == "insert":
            data = data[:at] + new + data[at:]
        elif how == "delete":
            data = data[:at] + data[at + size :]
        elif how == "double":
            data = data[:at] + data[at : at + size] + data[at:]
        else:
            data = data[:at]
    return data


@contextmanager
def within(seconds: int) -> Iterator[None]:
    """Fail when this takes too long, wherever it hangs."""

    def late(number: int, frame: object) -> None:
        raise TimeoutError(f"a reader took more than {seconds} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fuzz(reader: Reader, folder: Path, files: int, chance: int) -> None:
    """Read so many damaged files."""
    reader.make(folder)
    sound = (folder / "damaged").read_bytes()
    reader.read(folder)

    @seed(chance)
    @settings(
        max_examples=files,
        deadline=None,
        database=None,
        suppress_health_check=[*HealthCheck],
        phases=(Phase.generate, Phase.shrink),
    )
    @given(EDITS)
    def read(edits: list[tuple[float, str, int, bytes]]) -> None:
        (folder / "damaged").write_bytes(damaged(sound, edits))
        with within(SLOWEST):
            reader.read(folder)

    read()


@pytest.mark.parametrize("name", READERS)
def test_damaged_files_end_in_our_own_errors(name: str, tmp_path: Path) -> None:
    """A sample of damaged files of each kind: each is read, or refused with an error of ours, in time."""
    fuzz(READERS[name], tmp_path, SAMPLE, 1)


@pytest.mark.parametrize("footer", [b"| origin: agent", b""], ids=["whole", "without an origin"])
def test_a_vault_with_names_that_are_no_text_is_read(footer: bytes, tmp_path: Path) -> None:
    """Long runs found this: a byte in the name of a file that is no UTF-8 ended in a traceback."""
    READERS["vault"].make(tmp_path)
    sound = (tmp_path / "damaged").read_bytes()
    assert b"| origin: agent" in sound
    (tmp_path / "damaged").write_bytes(sound.replace(b".md\0", b"\x80.md\0").replace(b"| origin: agent", footer))
    READERS["vault"].read(tmp_path)


@pytest.mark.parametrize("line", [b"port = " + b"9" * 5_000, b"list = " + b"[" * 3_000], ids=["number", "depth"])
@pytest.mark.parametrize("name", ["toml", "config"])
def test_settings_that_python_gives_up_on_are_not_understood(name: str, line: bytes, tmp_path: Path) -> None:
    """A number of thousands of digits and lists in lists in lists end in an error of ours."""
    (tmp_path / "damaged").write_bytes(line)
    READERS[name].read(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
def test_damaged_files_end_in_our_own_errors_for_an_hour(
    name: str, tmp_path: Path, tell: Callable[[str], None]
) -> None:
    """As above, for READING seconds in all."""
    until = time.monotonic() + float(os.environ.get("READING", SECONDS)) / len(READERS)
    for number in count(1):
        folder = tmp_path / str(number)
        folder.mkdir()
        fuzz(READERS[name], folder, ROUND, number)
        shutil.rmtree(folder)
        if time.monotonic() > until:
            tell(f"readers: {number * ROUND:,} damaged files of the kind {name}, 0 tracebacks, 0 hangs")
            return
