"""Transcripts are read once, tolerantly, and nothing that must not be stored goes down in the ledger."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.skills.proposals.desk import AGAIN, COMMAND, TOKEN, Desk, answered, called, refused, said, transcript, tries
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import PROMPTED, READ, RUBBED


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


class TestOnce:
    def test_what_was_read_is_not_read_again(self, desk: Desk, path: Path) -> None:
        """The next reading goes on where the last one ended; without anything new, nothing is written."""
        transcript(path, said(AGAIN[0], "u1"), *tries("a"))
        first = desk.memory.captured.mine(str(path))
        assert (first.lines, first.prompts, first.loops) == (7, 1, 1)
        before = len(desk.events())
        assert desk.memory.captured.mine(str(path)) == first._replace(lines=0, prompts=0, loops=0)
        assert len(desk.events()) == before
        transcript(path, said("which port does the proxy listen on", "u2"))
        assert desk.memory.captured.mine(str(path)).lines == 1
        assert len(desk.events(PROMPTED)) == 2

    def test_a_loop_that_goes_on_counts_as_it_is_now(self, desk: Desk, path: Path) -> None:
        """Read in two pieces it is one, with all its tries."""
        rows = tries("a", times=5)
        transcript(path, *rows[:6])
        desk.memory.captured.mine(str(path))
        transcript(path, *rows[6:])
        desk.memory.captured.mine(str(path))
        (rub,) = desk.memory.proposals.signals().rubs
        assert (rub.tries, rub.what) == (5, COMMAND)

    def test_a_line_that_is_being_written_is_left_for_the_next_time(self, desk: Desk, path: Path) -> None:
        transcript(path, said(AGAIN[0], "u1"), said("which port does the proxy listen on", "u2"))
        whole = path.read_bytes()
        path.write_bytes(whole[:-20])
        assert desk.memory.captured.mine(str(path)).prompts == 1
        path.write_bytes(whole)
        assert desk.memory.captured.mine(str(path)).prompts == 1

    def test_a_file_that_was_replaced_is_read_from_its_start(self, desk: Desk, path: Path) -> None:
        """What it has in common with the one before counts once."""
        transcript(path, said(AGAIN[0], "u1"), said(AGAIN[1], "u2"))
        desk.memory.captured.mine(str(path))
        path.unlink()
        transcript(path, said("which port does the proxy listen on", "u3"), said(AGAIN[0], "u1"))
        found = desk.memory.captured.mine(str(path))
        assert (found.lines, found.prompts) == (2, 1)
        assert desk.memory.proposals.signals().asked == 3

    def test_two_files_of_one_name_are_two(self, desk: Desk, tmp_path: Path) -> None:
        """Each is gone on with where it ended."""
        paths = [tmp_path / folder / "a.jsonl" for folder in ("one", "two")]
        for number, path in enumerate(paths):
            path.parent.mkdir()
            transcript(path, said(AGAIN[0], f"u{number}", f"s{number}"))
            assert desk.memory.captured.mine(str(path)).prompts == 1
        for number, path in enumerate(paths):
            assert desk.memory.captured.mine(str(path)).lines == 0
            transcript(path, said(AGAIN[1], f"v{number}", f"s{number}"))
            assert desk.memory.captured.mine(str(path)).lines == 1
        assert desk.memory.proposals.signals().asked == 4

    def test_a_copy_of_a_session_adds_nothing(self, desk: Desk, tmp_path: Path) -> None:
        """A session that was forked has the lines of the first under a name of its own."""
        for session in ("s1", "s2", "s3"):
            rows = (said(AGAIN[0], "u1", session), *tries("a", session=session))
            transcript(tmp_path / f"{session}.jsonl", *rows)
        desk.memory.captured.mine(str(tmp_path))
        signals = desk.memory.proposals.signals()
        assert (signals.asked, len(signals.rubs)) == (1, 1)
        assert desk.analyzed().generated == ()

    def test_two_machines_that_read_the_same_count_it_once(self, path: Path) -> None:
        """Even if the one that read less read later."""
        one, two = Desk(seed=1), Desk(seed=900)
        rows = [said(AGAIN[0], "u1"), *tries("a", times=6)]
        transcript(path, *rows)
        one.memory.captured.mine(str(path))
        path.unlink()
        transcript(path, *rows[:7])
        two.pass_(hours=1)
        two.memory.captured.mine(str(path))
        one.memory.ledger.take_in(list(two.store.events()))
        signals = one.memory.proposals.signals()
        assert (signals.asked, [rub.tries for rub in signals.rubs]) == (1, [6])


class TestTolerance:
    def test_broken_lines_are_passed_over(self, desk: Desk, path: Path) -> None:
        """And counted."""
        transcript(path, said(AGAIN[0], "u1"))
        with open(path, "ab") as file:
            file.write(b'{"type": "user", "mess\n\xff\xfe\n[]\n"text"\n\n{"type": 5, "message": []}\nnull\n')
        transcript(path, said(AGAIN[1], "u2"))
        found = desk.memory.captured.mine(str(path))
        assert (found.prompts, found.skipped) == (2, 5)

    @pytest.mark.parametrize(
        "name", ('a"b\\c.jsonl', "é ü 日本.jsonl", "a\nb.jsonl", "';--.jsonl", f"{TOKEN}.jsonl", ".jsonl")
    )
    def test_a_file_may_have_any_name(self, desk: Desk, tmp_path: Path, name: str) -> None:
        """It is known again, and no secret of it is kept."""
        path = transcript(tmp_path / name, said(AGAIN[0], "u1"))
        assert desk.memory.captured.mine(str(path)).prompts == 1
        assert desk.memory.captured.mine(str(path)).lines == 0
        assert TOKEN not in ledger(desk)

    def test_a_name_that_is_no_text_is_taken_too(self, desk: Desk, tmp_path: Path) -> None:
        path = os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.jsonl")
        transcript(Path(path), said(AGAIN[0], "u1"))
        assert desk.memory.captured.mine(path).prompts == 1
        assert desk.memory.captured.mine(path).lines == 0

    def test_of_a_folder_only_transcripts_are_read(self, desk: Desk, tmp_path: Path) -> None:
        """A folder, a link to nowhere and a pipe that have such a name are none, and hold nobody up."""
        transcript(tmp_path / "a.jsonl", said(AGAIN[0], "u1"))
        transcript(tmp_path / "notes.txt", said(AGAIN[1], "u2"))
        (tmp_path / "b.jsonl").mkdir()
        (tmp_path / "c.jsonl").symlink_to(tmp_path / "nowhere")
        os.mkfifo(tmp_path / "d.jsonl")
        found = desk.memory.captured.mine(str(tmp_path))
        assert (found.files, found.prompts) == (1, 1)

    def test_what_is_not_there_is_said(self, desk: Desk, tmp_path: Path) -> None:
        with pytest.raises(NotFound):
            desk.memory.captured.mine(str(tmp_path / "missing.jsonl"))
        os.mkfifo(pipe := tmp_path / "pipe.jsonl")
        with pytest.raises(InvalidInput):
            desk.memory.captured.mine(str(pipe))
        assert desk.events() == []

    @pytest.mark.parametrize(
        "told",
        (
            {"offset": -5},
            {"offset": 10**12},
            {"mark": "9" * 30 + "-aa"},
            {"mark": "9" * 5_000 + "-aa"},
            {"mark": ""},
            {"mark": "-"},
            {"carried": {"waiting": 5}},
            {"carried": {"waiting": [[1]]}},
            {"carried": {"waiting": {"a": 1}}},
            {"carried": {"waiting": [[1, 2, 3, 4, 5, 6]]}},
            {"carried": {"runs": "abc"}},
            {"carried": {"runs": [["a", ["x"], 1, 2]]}},
            {"carried": {"runs": [["a", ["a0", "Bash", "m", COMMAND, "", "d"], "many", {}]]}},
            {"carried": {"seen": 5, "session": [1], "last": {}, "stopped": "yes"}},
        ),
        ids=lambda told: str(told)[:40],
    )
    def test_a_place_that_makes_no_sense_is_none(self, desk: Desk, path: Path, told: dict[str, object]) -> None:
        """Another machine may say what it likes of how far it has read: what is there is found, once."""
        transcript(path, said(AGAIN[0], "u1"), *tries("a", times=2))
        other = Desk(seed=900)
        other.memory.captured.mine(str(path))
        (place,) = other.told(READ)
        desk.foreign(READ, {**place, **told})
        transcript(path, *tries("b", times=1), said(AGAIN[1], "u2"))
        desk.memory.captured.mine(str(path))
        assert AGAIN[1] in [data["prompt"] for data in desk.told(PROMPTED)]
        assert desk.memory.captured.mine(str(path)).lines == 0


class TestSecrets:
    def test_no_secret_goes_into_the_ledger(self, desk: Desk, path: Path) -> None:
        """From a prompt, a command, an error, a reason, or a command that has no result yet."""
        curl = f"curl -H 'Authorization: Bearer {TOKEN}' https://example.com"
        transcript(path, said(f"deploy the shop with the token {TOKEN}", "u1"))
        transcript(path, *tries("a", curl, error=f"fatal error: bad token {TOKEN}"))
        transcript(path, *refused("b", f"never write {TOKEN} into a file"))
        transcript(path, *tries("c", curl, times=2), called("d", curl))
        desk.memory.captured.mine(str(path))
        assert (len(desk.events(PROMPTED)), len(desk.events(RUBBED))) == (1, 2)
        assert TOKEN not in ledger(desk)
        transcript(path, answered("d", f"error: {TOKEN}"))
        desk.memory.captured.mine(str(path))
        assert [rub.tries for rub in desk.memory.proposals.signals().rubs if rub.kind == "retried"] == [3, 3]
        assert TOKEN not in ledger(desk)

    @pytest.mark.parametrize("before", range(140, 205, 7))
    def test_no_half_of_a_secret_is_left_at_a_cut(self, desk: Desk, path: Path, before: int) -> None:
        """A command and an error are cut to 200 characters, a reason to 1,000."""
        pad = ("a b " * 60)[: before - 1] + " "
        transcript(path, *tries("a", f"echo {pad}{TOKEN} and more {pad}", error=f"error: {pad}{TOKEN} and more {pad}"))
        transcript(path, *tries("b", f"echo {pad}{TOKEN} and more {pad}", times=1))
        transcript(path, *refused("c", f"{'why ' * 200}{pad}{TOKEN} and more"))
        desk.memory.captured.mine(str(path))
        assert TOKEN[:10] not in ledger(desk)


def ledger(desk: Desk) -> str:
    return "\n".join(f"{event.session} {event.payload}" for event in desk.events())
