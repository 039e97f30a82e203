"""Thousands of names, paths and blocks that are after writing elsewhere, or after saying what we did not say.

They come of a list of tricks and of mutations of it, from a fixed seed. Nothing outside of the root may change, and
what is emitted may hold our keys alone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest
import skills_ref  # type: ignore[import-untyped]
from skills_ref.parser import parse_frontmatter  # type: ignore[import-untyped]

from tests.skills.test_frontmatter import seen
from treering.ledger.errors import TreeringError
from treering.skills.frontmatter import InvalidSkill, emit, read, validate
from treering.skills.index import Index
from treering.skills.paths import InTheWay, folders
from treering.skills.place import move, place
from treering.skills.rules import is_skill_name, slug
from treering.skills.search import with_bodies

CASES = int(os.environ.get("CASES", 2_500))  # 10,000 in `make long`
LINKED, MOST_TRIES = 100, 1_500  # how often a folder is a link while files are placed through it
JUDGED = CASES // 50  # of them by the validator of the specification, which takes its time

LINKS = ("link", "skills/link", "up", "skills/a.md", "dangling.md", "loop", "skills/real/link", "slash", "here")
TRICKS = (
    *("..", "../", "../../outside", "a/../../outside/x", "/", "//", "/etc/passwd", "~", "~root/x", ".", "./", "..."),
    *("....//", "..;/", "..\\", "..%2f", "%2e%2e/", "..%c0%af", "\uff0e\uff0e/", "..\u2215", "..\u2044x", "\u2025/"),
    *("C:\\", "C:/x", "c:x", "\\\\?\\C:\\", "\\\\host\\share", "file:///etc", "x:$DATA", "con", "NUL.md", "com1.txt"),
    *("\0", "x\0.md", "\n", "\r\n", "\x1b[2J", "\u202e", "\ufeff", "\ud800", "\u2028", "\u00a0", "x ", "x.", " x"),
    *(".git/hooks/pre-commit", ".GIT/config", ".gi\u200dt/config", "git~1", "SKILL.md", "skills/x/SKILL.md", "a" * 300),
    *("-rf", "--", "$(touch x)", "`x`", "$HOME", "*", "?", "|x", ">x", "&&x", ";x", "'", '"', "x" * 255, "ü" * 200),
    *LINKS,
    *(f"{link}/x.md" for link in LINKS),
)
BLOCKS = (
    *('"', "'", "\\", '\\"', '"\n', "---", "\n---\n", "...\n", "\n...\n", "--\\x2d", "\\x2d", "----------", "- - -"),
    *(
        "name: evil",
        "\nname: evil\n",
        '"\nname: "evil',
        "\nhooks:\n  a: b\n",
        "allowed-tools: Bash(*)",
        "\ndescription: x",
    ),
    *(
        "metadata:\n  a: b\n",
        "\n  source: fake\n",
        "{a: b}",
        "[a, b]",
        "&a",
        "*a",
        "!!python/object:os.system",
        "%YAML 1.1",
    ),
    *(
        ": ",
        " #",
        "# x",
        "| \n x",
        ">-\n",
        "? a\n: b",
        "- x\n- y",
        "<<: *a",
        "\t",
        "\r",
        "\x85",
        "\u2028",
        "\u2029",
        "\ufeff",
    ),
    *(
        "\0",
        "\x07",
        "\x1b[31m",
        "\x7f",
        "\u202e",
        "\u200b",
        "\ud800",
        "\U000e0041",
        "\ufffe",
        "null",
        "~",
        "true",
        "\\u0022",
    ),
    *(
        "</skill>",
        "<system>",
        "# Heading\n",
        "```\n",
        "日本語",
        "🎉",
        "word " * 300,
        "x" * 1_100,
        "ordinary words in between",
    ),
)


def made(tricks: tuple[str, ...], seed: int) -> Iterator[str]:
    """Every trick as it stands, and then more: joined, repeated, torn apart, with one inside of another."""
    random = Random(seed)
    yield from tricks
    for _ in range(CASES - len(tricks)):
        parts = random.choices(tricks, k=random.randint(1, 4))
        text = random.choice(("", "/", "/", "\n", " ", ".")).join(parts)
        if random.random() < 0.3:
            at = random.randint(0, len(text))
            text = text[:at] + random.choice(tricks) + text[at + random.randint(0, 3) :]
        yield text.upper() if random.random() < 0.05 else text


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with links in it that lead out, up, in a circle and to what is not there."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/kept.md").write_text("kept")
    made = tmp_path / "project"
    (made / "skills/real").mkdir(parents=True)
    targets = (
        "../outside",
        "../../outside",
        "..",
        "../../outside/kept.md",
        "../outside/new.md",
        "loop",
        "../../..",
        "/",
        ".",
    )
    for link, target in zip(LINKS, targets, strict=True):
        (made / link).symlink_to(target)
    return made


@pytest.fixture(autouse=True)
def _no_sync(monkeypatch: pytest.MonkeyPatch) -> None:
    """What outlasts a power cut is not the matter here."""
    monkeypatch.setattr(os, "fsync", lambda handle: None)


def around(root: Path) -> dict[str, object]:
    """All that lies beside a project, and each link in it."""
    found: dict[str, object] = {}
    for folder, names, files in os.walk(root.parent):
        for name in (*names, *files):
            path = Path(folder, name)
            if path.is_symlink():
                found[str(path)] = os.readlink(path)
            elif root not in path.parents and path != root:
                found[str(path)] = (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"")
    return found


def parts_left(root: Path) -> list[str]:
    return [name for _, _, files in os.walk(root) for name in files if name.endswith(".part")]


# -- nothing is written outside


def test_no_path_writes_outside_of_the_root(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    before = around(root)
    placed = refused = 0
    for number, path in enumerate(made(TRICKS, 1)):
        try:
            where = place(str(root), path, f"text {number}", overwrite=number % 2 == 0)
        except TreeringError:
            refused += 1
        else:
            placed += 1
            assert where.startswith(f"{root}{os.sep}")
            assert os.path.realpath(where) == where
    assert placed + refused == CASES
    assert placed > CASES // 50 and refused > CASES // 2
    assert around(root) == before
    assert not parts_left(root)


def test_no_folder_moves_in_or_out_of_the_root(root: Path) -> None:
    before = around(root)
    for number, path in enumerate(made(TRICKS, 2)):
        draft = f"drafts/{number % 7}"
        place(str(root), f"{draft}/SKILL.md", "text", overwrite=True)
        for old, new in ((draft, path), (path, f"moved/{number}")):
            try:
                where = move(str(root), old, new)
            except TreeringError:
                continue
            assert os.path.realpath(where) == where and where.startswith(f"{root}{os.sep}")
        if number >= CASES // 4:
            break
    assert around(root) == before


def test_a_name_made_of_any_text_stays_in_its_folder(root: Path) -> None:
    before = around(root)
    for text in made((*TRICKS, *BLOCKS), 3):
        name = slug(text)
        assert is_skill_name(name)
        try:
            where = place(str(root), f"skills/{name}/SKILL.md", "text")
        except InTheWay:
            assert name == "link"
        else:
            assert where == str(root / "skills" / name / "SKILL.md")
    assert around(root) == before


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="the system cannot hold a folder while it is swapped")
def test_a_folder_that_is_swapped_for_a_link_all_the_time_leads_nowhere(root: Path) -> None:
    """By another thread, while files are placed and folders are moved through it."""
    busy, stopped, links = root / "busy", Event(), [0]
    (root / "aside").mkdir()

    def swap() -> None:
        for number in count():
            if stopped.is_set():
                return
            with suppress(OSError):  # it is not there, or there again
                busy.rename(root / "aside" / str(number))
                busy.symlink_to("../outside")
                links[0] += 1
                busy.unlink()

    before = around(root)
    thread = Thread(target=swap)
    thread.start()
    tried = placed = 0
    try:
        while links[0] < LINKED and tried < MOST_TRIES:
            tried += 1
            with suppress(TreeringError):
                place(str(root), f"busy/{tried}/SKILL.md", "text")
                placed += 1
                move(str(root), f"busy/{tried}", f"busy/deep/{tried}")
    finally:
        stopped.set()
        thread.join()
    assert placed and links[0]
    assert around(root) == before


# -- nothing is said that we did not say

VALUE = r'"(?:[^"\\]|\\["\\]|\\x2d)*"'
BLOCK = re.compile(
    rf"---\nname: (\"?)[a-z0-9-]{{1,64}}\1\ndescription: ({VALUE})\n(?:metadata:\n  source: ({VALUE})\n)?---\n"
)


def unquoted(value: str) -> str:
    return str(json.loads(re.sub(r"(?<!\\)((?:\\\\)*)\\x2d", r"\1-", value)))


def test_no_text_adds_to_the_block_above_a_skill(tmp_path: Path) -> None:
    folder = tmp_path / "deploying"
    folder.mkdir()
    judged = 0
    for number, text in enumerate(made(BLOCKS, 4)):
        said = seen(text)
        if not said:
            continue
        block = emit("deploying", text, {"source": text})
        found = BLOCK.fullmatch(block)
        assert found and block.count("---") == 2 and block.count("\n") == 6
        assert all(row.isprintable() for row in block.split("\n"))
        front = validate(block, "deploying")
        for value, whole, most in ((found[2], front.description, 1_024), (found[3], front.metadata["source"], 500)):
            assert unquoted(value) == whole
            assert whole == said if len(said) <= most else said.startswith(whole.removesuffix("…"))
        if number % (CASES // JUDGED) == 0:
            judged += 1
            (folder / "SKILL.md").write_text(block + "\n# Body\n", encoding="utf-8")
            assert skills_ref.validate(folder) == []
            parsed, body = parse_frontmatter(block + "\n# Body\n")
            assert parsed == {
                "name": "deploying",
                "description": front.description,
                "metadata": dict(front.metadata),
            }
            assert body == "# Body"
    assert judged > JUDGED // 2


def test_whatever_stands_above_a_skill_is_read_and_what_we_call_valid_is(tmp_path: Path) -> None:
    """Files that others wrote: reading never fails, and the validator of the specification agrees on what is valid."""
    folder = tmp_path / "tea"
    folder.mkdir()
    random, judged = Random(5), 0
    rows = ("name: tea", "description: Makes tea", 'description: "x"', "license: MIT", "metadata:", "  a: b", "---", "")
    for text in made(BLOCKS, 6):
        block = ["---", "name: tea", "description: Makes tea", "metadata:", '  a: "b"', "---", "# Tea", ""]
        for _ in range(random.randint(0, 2)):
            block.insert(random.randint(0, len(block)), random.choice(rows))
        if random.random() < 0.8:
            at = random.randint(0, len(block) - 1)
            block[at] += random.choice(("", " ", "\n", ": ")) + text[: random.randint(0, 40)]
        whole = "\n".join(block).encode("utf-8", "replace").decode()
        front = read(whole, "tea")
        assert read(whole.encode(), "tea", whole=False).name
        assert 0 <= front.body_at <= len(whole)
        try:
            validate(whole, "tea")
        except InvalidSkill as refused:
            assert refused.problems
            continue
        if judged < JUDGED:
            judged += 1
            (folder / "SKILL.md").write_text(whole, encoding="utf-8")
            assert skills_ref.validate(folder) == [], whole
            parsed = parse_frontmatter(whole)[0]
            assert (parsed["name"], seen(parsed["description"])) == (front.name, seen(front.description)), whole
    assert judged == JUDGED


def test_hostile_skills_bring_nothing_but_their_words_into_a_prompt(root: Path) -> None:
    texts = list(made((*TRICKS, *BLOCKS), 7))[:600]
    for number, text in enumerate(texts):
        for path, whole in (
            (f"skills/s{number}/SKILL.md", f"---\nname: {text}\ndescription: {text}\n---\n"),
            (text, text),
        ):
            try:
                place(str(root), path, whole.encode("utf-8", "replace").decode())
            except TreeringError:
                continue
    index = Index(folders(str(root), str(root)))
    assert len(index.skills()) > 300
    for prompt in ("", *texts[:15]):
        shown = with_bodies(index, prompt, 240, 0)
        assert len(shown) <= 240
        assert shown.isprintable() and not set("<>`#|[]{}") & set(shown)
