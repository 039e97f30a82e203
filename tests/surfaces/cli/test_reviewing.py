"""A person goes through what waits for them, at a terminal or through a pipe."""

from __future__ import annotations

from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli, Program, Result
from tests.surfaces.cli.growth import BELL, refused
from tests.surfaces.cli.signals import FILE, KEYS, MORE, ROUTE, ROUTING, SKILL, named, shown, surface, written

ASKED = "[q]uit: "
ADDS = "printf 'Mind the brackets.\\n' >> \"$1\""


@pytest.fixture
def walk(desk: Cli, program: Program, root: Path) -> Program:
    """The entry comes first, then the skill: a prompt that nobody answers costs more than a memory at hand."""
    program.folder = root
    return program


def editor(folder: Path, script: str) -> dict[str, str]:
    """An editor that does this to the file `$1`."""
    path = folder / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return {"EDITOR": str(path)}


def typed(walk: Program, *lines: str, environment: dict[str, str] | None = None) -> Result:
    """Review, with these lines on standard input."""
    result = walk("evolve", "review", stdin="".join(f"{line}\n" for line in lines).encode(), environment=environment)
    assert (result.code, result.err) == (0, ""), result.err
    return result


class TestKeys:
    def test_all_is_accepted(self, walk: Program, desk: Cli, root: Path) -> None:
        """Each file is what was shown."""
        out = typed(walk, "a", "A").out
        assert "(1 of 2)" in out and "(2 of 2)" in out and out.endswith("2 accepted; 0 left\n")
        files = written(root)
        assert {*files} == {FILE, ROUTING} and all(text.rstrip("\n") in out for text in files.values())
        assert desk.fine("evolve", "review").err == "nothing waits for you\n"

    def test_a_rejection_has_a_note(self, walk: Program, desk: Cli, root: Path) -> None:
        """Or none; then the input ends, and so does the walk."""
        route = named(desk, ROUTE)
        out = typed(walk, "r", "covered already").out
        assert f"✗ rejected {route} (note: covered already)\n" in out and out.endswith("1 rejected; 1 left\n")
        assert typed(walk, "r", "").out.endswith(f"✗ rejected {named(desk, SKILL)}\n1 rejected; 0 left\n")
        assert shown(desk, route)["note"] == "covered already" and written(root) == {}

    @pytest.mark.parametrize("lines", [("s", "s"), ("", ""), ("q",), ("quit",), (), ("x", "?", "yes", "q"), ("s",)])
    def test_nothing_is_decided(self, walk: Program, desk: Cli, root: Path, lines: tuple[str, ...]) -> None:
        """By skipping, quitting, ending the input or a key that there is not."""
        assert typed(walk, *lines).out.endswith("nothing decided; 2 left\n")
        assert {one["status"] for one in desk.fine("evolve", "list", "--json").json} == {"pending"}
        assert written(root) == {}

    def test_the_input_may_end_before_the_note(self, walk: Program, desk: Cli) -> None:
        """Then nothing was said."""
        assert typed(walk, "r").out.endswith("nothing decided; 2 left\n")
        assert shown(desk, named(desk, ROUTE))["status"] == "pending"

    def test_there_may_be_no_input(self, walk: Program) -> None:
        """Nor anybody who reads on."""
        assert walk.shell("treering evolve review <&-").out.endswith("nothing decided; 2 left\n")
        done = walk.shell("yes s | treering evolve review | head -n 1")
        assert (done.code, done.out, done.err) == (0, "(1 of 2)\n", "")

    def test_a_note_in_another_encoding_is_taken_as_it_can_be_read(self, walk: Program, desk: Cli) -> None:
        """Whatever a terminal sends."""
        strict = {"PYTHONIOENCODING": "utf-8:strict"}
        result = walk("evolve", "review", stdin=b"\xff\xfe\nr\nf\xfcr sp\xe4ter\n", environment=strict)
        assert result.code == 0 and result.out.endswith("1 rejected; 1 left\n"), result.err
        assert shown(desk, named(desk, ROUTE))["note"] == "f\ufffdr sp\ufffdter"

    def test_another_root_is_named(self, walk: Program, root: Path, tmp_path: Path) -> None:
        """Files go there; one that is none is told and nothing is decided."""
        (tmp_path / "app").mkdir()
        walk("evolve", "review", "--root", str(tmp_path / "app"), stdin=b"a\na\n")
        assert {*written(tmp_path / "app")} == {FILE, ROUTING} and written(root) == {}

    def test_a_root_that_is_none_is_told(self, walk: Program, root: Path) -> None:
        """And asked again."""
        result = walk("evolve", "review", "--root", "nowhere", stdin=b"a\nq\n")
        assert "error: " in result.out + result.err and written(root) == {}

    def test_what_stands_against_it_is_shown(self, walk: Program, desk: Cli) -> None:
        """How its memory fared, what it may save, and what could go wrong."""
        _, before = desk.fine("evolve", "review", "--json").json
        recall = desk.fine("usage", "1", "--json").json[0]["recall"]
        desk.fine("feedback", recall, "1", "not_helpful")
        out = typed(walk, "s", "s").out
        assert "against it: of 3 recalls that showed it, 1 were judged unhelpful, 2 were ignored" in out
        _, after = desk.fine("evolve", "review", "--json").json
        assert after["risk"] > before["risk"] and f"expected gain 3, risk {after['risk']:.0%}\n" in out


class TestEditing:
    def test_what_was_edited_is_written(self, walk: Program, desk: Cli, root: Path, tmp_path: Path) -> None:
        """It is shown again first, and the record says that it was edited."""
        out = typed(walk, "s", "e", "a", environment=editor(tmp_path, ADDS)).out
        assert out.count("Mind the brackets.") == 1
        (text,) = written(root).values()
        assert text == shown(desk, named(desk, SKILL))["proposal"]["diff"] + "Mind the brackets.\n"
        assert desk.fine("evolve", "log", "--json").json[-1]["edited"] is True
        assert shown(desk, named(desk, SKILL))["file"] == "as written"

    def test_edited_twice_it_has_both(self, walk: Program, root: Path, tmp_path: Path) -> None:
        """The second time begins where the first ended."""
        typed(walk, "s", "e", "e", "a", environment=editor(tmp_path, ADDS))
        assert [text.count("Mind the brackets.") for text in written(root).values()] == [2]

    def test_an_editor_has_arguments(self, walk: Program, root: Path, tmp_path: Path) -> None:
        """And $VISUAL goes before $EDITOR."""
        script = Path(editor(tmp_path, f"shift; {ADDS}")["EDITOR"])
        environment = {"VISUAL": f"'{script}' --wait", "EDITOR": "false"}
        typed(walk, "s", "e", "a", environment=environment)
        assert "Mind the brackets." in written(root)[FILE]

    @pytest.mark.parametrize(
        ("script", "message"),
        [
            (f"{ADDS}; exit 3", "ended with code 3: nothing was changed"),
            (': > "$1"', "the text is empty: nothing was changed"),
            ('rm "$1"', "cannot be used"),
        ],
    )
    def test_an_editor_that_leaves_nothing_changes_nothing(
        self, walk: Program, desk: Cli, root: Path, tmp_path: Path, script: str, message: str
    ) -> None:
        """That is told, and accepting writes what was shown."""
        out = typed(walk, "s", "e", "a", environment=editor(tmp_path, script)).out
        assert "error: " in out and message in out
        assert written(root) == {FILE: shown(desk, named(desk, SKILL))["proposal"]["diff"]}

    def test_another_name_in_the_header_is_its_name(self, walk: Program, desk: Cli, root: Path, tmp_path: Path) -> None:
        """Its folder follows."""
        typed(walk, "s", "e", "a", environment=editor(tmp_path, 'sed -i "s/^name:.*/name: brackets/" "$1"'))
        assert {*written(root)} == {"skills/brackets/SKILL.md"}
        assert (shown(desk, named(desk, SKILL))["name"], desk.fine("skills", "list", "--json").json[0]["name"]) == (
            *("brackets", "brackets"),
        )

    @pytest.mark.parametrize("command", ["/nowhere/vi", "'unbalanced", "/"])
    def test_an_editor_that_is_none_is_told(self, walk: Program, root: Path, command: str) -> None:
        """With what to do."""
        out = typed(walk, "e", "q", environment={"EDITOR": command}).out
        assert "error: " in out and "$EDITOR" in out and written(root) == {}

    @pytest.mark.parametrize(
        "script",
        [
            "echo 'no header' > \"$1\"",
            "sed -i '/^description/d' \"$1\"",
            "printf '\\377\\376' > \"$1\"",
        ],
        ids=["no header", "no description", "no text"],
    )
    def test_what_agents_would_not_load_is_not_written(
        self, walk: Program, desk: Cli, root: Path, tmp_path: Path, script: str
    ) -> None:
        """It is told why, and the proposal waits on."""
        out = typed(walk, "s", "e", "a", "q", environment=editor(tmp_path, script)).out
        assert "error: " in out and out.endswith("nothing decided; 2 left\n")
        assert written(root) == {} and shown(desk, named(desk, SKILL))["status"] == "pending"

    def test_the_text_in_the_editor_leaves_nothing_behind(self, walk: Program, tmp_path: Path) -> None:
        """Nobody else may read it meanwhile, and afterwards it is gone."""
        look = 'ls -ld "$(dirname "$1")" > ' + str(tmp_path / "seen")
        (tmp_path / "tmp").mkdir()
        typed(walk, "s", "e", "q", environment={**editor(tmp_path, look), "TMPDIR": str(tmp_path / "tmp")})
        assert (tmp_path / "seen").read_text().startswith("drwx------")
        assert list((tmp_path / "tmp").iterdir()) == []


class TestOverwriting:
    @pytest.fixture
    def there(self, root: Path) -> Path:
        """A file where the skill goes."""
        path = root / FILE
        path.parent.mkdir(parents=True)
        path.write_text("---\nname: mine\n---\n\nMine.\n")
        return path

    @pytest.mark.parametrize("answer", ["n", "", "no", "x"])
    def test_only_a_yes_writes_over_it(self, walk: Program, desk: Cli, there: Path, answer: str) -> None:
        """Anything else asks again."""
        before = there.read_text()
        assert typed(walk, "s", "a", answer, "q").out.endswith("nothing decided; 2 left\n")
        assert there.read_text() == before and shown(desk, named(desk, SKILL))["status"] == "pending"

    def test_the_difference_is_shown(self, walk: Program, desk: Cli, there: Path) -> None:
        """And a yes replaces it."""
        out = typed(walk, "s", "a", "y").out
        assert "--- as it is\n+++ as proposed\n" in out and "-Mine.\n" in out
        assert out.endswith("1 accepted; 1 left\n")
        assert there.read_text() == shown(desk, named(desk, SKILL))["proposal"]["diff"]

    def test_the_input_may_end_before_the_yes(self, walk: Program, there: Path) -> None:
        """Then it stays."""
        before = there.read_text()
        typed(walk, "s", "a")
        assert there.read_text() == before

    def test_an_entry_is_added(self, walk: Program, root: Path) -> None:
        """What stood there is still there."""
        (root / ROUTING).parent.mkdir(parents=True)
        (root / ROUTING).write_text("# Routing\n")
        typed(walk, "a", "y")
        assert (root / ROUTING).read_text().startswith("# Routing\n\n<!-- proposed addition")


class TestTerminal:
    def test_a_walk_from_beginning_to_end(self, walk: Program, desk: Cli, root: Path, tmp_path: Path) -> None:
        """Question by question: reject with a note, edit, accept."""
        screen = walk.terminal("evolve", "review", environment=editor(tmp_path, ADDS))
        assert "\033[1mroute-" in screen.until(ASKED)
        screen.type("r\n")
        screen.until("why (for the record): ")
        screen.type("known\n")
        assert "(2 of 2)" in screen.until(ASKED)
        screen.type("e\n")
        assert "Mind the brackets." in screen.until(ASKED)
        screen.type("a\n")
        assert "draft written: " in screen.until("1 accepted, 1 rejected; 0 left")
        assert screen.ended() == 0
        assert "Mind the brackets." in written(root)[FILE] and shown(desk, named(desk, ROUTE))["note"] == "known"

    @pytest.mark.parametrize("where", ["question", "note", "overwrite", "editor"])
    def test_ctrl_c_leaves_everything_as_it_was(
        self, walk: Program, desk: Cli, root: Path, tmp_path: Path, where: str
    ) -> None:
        """Whatever was asked just then; what was decided before stands."""
        (root / FILE).parent.mkdir(parents=True)
        (root / FILE).write_text("mine")
        (tmp_path / "tmp").mkdir()
        stuck = {**editor(tmp_path, "echo editing; sleep 60"), "TMPDIR": str(tmp_path / "tmp")}
        screen = walk.terminal("evolve", "review", environment=stuck)
        screen.until(ASKED)
        screen.type("r\n")
        screen.until("record): ")
        screen.type("first\n")
        screen.until(ASKED)
        key, wait = {"question": ("", ""), "note": ("r", "record): "), "overwrite": ("a", "[y/N] ")}.get(
            where, ("e", "editing")
        )
        if key:
            screen.type(f"{key}\n")
            screen.until(wait)
        screen.type("\x03")
        assert screen.ended() == 130 and "Traceback" not in screen.shown
        assert written(root) == {FILE: "mine"} and list((tmp_path / "tmp").iterdir()) == []
        assert shown(desk, named(desk, SKILL))["status"] == "pending"
        assert shown(desk, named(desk, ROUTE))["note"] == "first"
        assert desk.fine("verify")

    def test_ctrl_d_ends_it(self, walk: Program) -> None:
        """As if somebody had quit."""
        screen = walk.terminal("evolve", "review")
        screen.until(ASKED)
        screen.type("\x04")
        screen.until("nothing decided; 2 left")
        assert screen.ended() == 0

    def test_a_narrow_terminal_without_colours(self, walk: Program) -> None:
        """Nothing of ours is wider, and nothing is coloured where somebody wants none."""
        for words in (("list",), ("review",)):
            screen = walk.terminal("evolve", *words, columns=40, environment={"NO_COLOR": "1"})
            if words == ("review",):
                screen.until(ASKED)
                screen.type("q\n")
            assert screen.ended() == 0 and "\033" not in screen.shown
        shown = walk.terminal("evolve", "show", "skill", columns=40)
        assert shown.ended() == 0 and "\033[1mskill-" in shown.shown

    def test_what_was_decided_elsewhere_meanwhile_is_told(self, walk: Program, desk: Cli, root: Path) -> None:
        """It is not decided twice."""
        route = named(desk, ROUTE)
        screen = walk.terminal("evolve", "review")
        screen.until(ASKED)
        desk.fine("evolve", "accept", route)
        (root / ROUTING).write_text("somebody went on with it")
        screen.type("r\n")
        screen.until("record): ")
        screen.type("no\n")
        screen.until("error: ")
        screen.until(ASKED)
        screen.type("q\n")
        assert screen.ended() == 0 and shown(desk, route)["status"] == "accepted"
        assert (root / ROUTING).read_text() == "somebody went on with it"


class TestPrograms:
    def test_the_queue_as_json(self, desk: Cli) -> None:
        """In the order of the walk, with what speaks against each; nothing is asked."""
        first, second = desk.fine("evolve", "review", "--json").json
        assert {*first} == KEYS | MORE | {"counter_evidence", "expected_gain", "risk"}
        assert (first["type"], second["type"]) == (ROUTE, SKILL)
        assert second["counter_evidence"] == {"shown": 3, "helpful": 0, "unhelpful": 0, "ignored": 3}
        assert second["expected_gain"] == 3.0 and 0 < second["risk"] < 0.5

    def test_nothing_waits(self, cli: Cli) -> None:
        """That is no error."""
        result = cli.fine("evolve", "review")
        assert (result.out, result.err) == ("", "nothing waits for you\n")
        assert cli.fine("evolve", "review", "--json").json == []

    def test_the_past_is_not_reviewed(self, desk: Cli) -> None:
        """Nor are words behind it taken."""
        refused(desk, ("evolve", "review", "--as-of", "2026-01-01"), 2, "leave out --as-of")
        refused(desk, ("evolve", "review", "skill-1"), 2, "skill-1")


def test_what_comes_from_outside_is_a_risk(desk: Cli, home: Path) -> None:
    """Half of what it could gain is not believed, and it stands last."""
    with treering.open(home, actor="user") as memory:
        surface(memory, "The oven wants flour of rye", "a", "b", "c", origin="tool:web")
    desk.fine("evolve", "analyze")
    last = desk.fine("evolve", "review", "--json").json[-1]
    assert (last["name"], last["risk"]) == ("oven-wants-flour-rye", 0.5)


def test_a_change_of_memories_is_replayed(shop: Cli, program: Program, root: Path) -> None:
    """Before it is done; there is no file to edit."""
    shop.fine("evolve", "deprecate", "3", "--reason", "x")
    shop.fine("restore", "3")
    shop.fine("evolve", "run")
    program.folder = root
    out = typed(program, "e", "a").out
    assert "replay of " in out and "helpful lost" in out and "there is no file to edit" in out
    assert out.endswith("1 accepted; 0 left\n") and written(root) == {}
    assert shop.fine("show", "3", "--json").json["status"] == "deprecated"


def test_a_text_cannot_move_the_cursor(cli: Cli, program: Program, home: Path, root: Path) -> None:
    """Neither in the card, nor in the file, nor in the difference."""
    with treering.open(home, actor="user") as memory:
        surface(memory, f"Tailwind {BELL} brackets", "a", "b", "c")
    cli.fine("evolve", "analyze")
    program.folder = root
    plain = typed(program, "q").out
    (one,) = cli.fine("evolve", "list", "--json").json
    path = root / one["proposal"]["target_path"]
    path.parent.mkdir(parents=True)
    path.write_text(f"theirs {BELL}\n")
    for out in (plain, typed(program, "q").out):
        assert not any(sign in out for sign in ("\a", "\033", "\u202e"))
