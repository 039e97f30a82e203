"""Commands that keep the memory true as it ages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import treering
from tests.surfaces.cli.driving import Cli
from treering.ledger import decide

LONG_AGO = ("--at", "2020-01-01")
BELL = "rings\a \033]0;owned\033\\ \033[31mred \u202eback"  # a title, a colour and a reversal of direction
OLD = 1_577_836_800_000_000  # 2020-01-01, in microseconds
CONTROLS = ("\a", "\033", "\u202e")


def two_sides(cli: Cli) -> tuple[str, str, str]:
    """Two memories that contradict each other, and the contradiction."""
    older = cli.remember("The lock timeout of migrations is 5 s")
    newer = cli.remember("The lock timeout of migrations is 30 s")
    (found,) = cli.fine("contradictions", "--json").json
    assert (found["a"]["id"], found["b"]["id"]) == (older, newer)
    return older, newer, found["id"]


def unlooked(home: Path) -> None:
    """Two memories that contradict each other, written by a program that did not ask."""
    with treering.open(home) as memory:
        memory.remember("The lock timeout of migrations is 5 s")
        memory.remember("The lock timeout of migrations is 30 s")


def status(cli: Cli, id: str) -> str:
    return str(cli.fine("show", id, "--json").json["status"])


def events(cli: Cli) -> int:
    return len(cli.fine("log", "--limit", "0", "--json").json)


class TestSupersede:
    def test_a_text_becomes_a_memory_that_is_what_the_old_one_was(self, cli: Cli) -> None:
        """But for its text; each names the other."""
        old = cli.remember(
            "Deploys go out on Fridays", "--type", "procedural", "--tag", "ops", "--project", "shop", "--invariant"
        )
        new = cli.fine("supersede", old, "Deploys go out on Tuesdays", "--reason", "asked", "--json").json
        assert new["superseded"] == old and new["supersedes"] == [old]
        assert (new["type"], new["tags"], new["project"], new["invariant"]) == ("procedural", ["ops"], "shop", True)
        before = cli.fine("show", old, "--json").json
        assert (before["status"], before["superseded_by"]) == ("superseded", new["id"])
        assert [move["status"] for move in before["status_history"]] == ["created", "superseded"]

    def test_the_old_truth_is_out_of_recall_unless_asked_for(self, cli: Cli) -> None:
        """And undoing the event brings it back."""
        old = cli.remember("Deploys go out on Fridays")
        assert cli.fine("supersede", "1", "Deploys go out on Tuesdays").out == f"{old[:-1]}2 supersedes {old}\n"
        question = ("recall", "when do deploys go out", "--unsure", "--no-log")
        assert "Fridays" not in cli.fine(*question).out
        assert "Fridays" in cli.fine(*question, "--superseded").out
        assert "Fridays" in cli.fine("show", old).out
        cli.fine("undo", "3")
        assert status(cli, old) == "created" and "Fridays" in cli.fine(*question).out

    def test_an_id_names_a_memory_and_no_text(self, cli: Cli) -> None:
        """Whole, by its number, or by a beginning of its writer; one that is not there is no text either."""
        old, new = cli.remember("a fact"), cli.remember("another fact")
        for wrong in ("99", f"{new[:8]}-99", f"{new[:3]}-99"):
            result = cli("supersede", old, wrong)
            assert result.code == 1 and "no memory" in result.err
        assert cli.fine("supersede", old, "2", "--json").json["id"] == new

    @pytest.mark.parametrize("text", ["42 rings", "-5 degrees is too cold", "grüße 🌲", "v2-7 came", "--", "x-1"])
    def test_what_only_looks_a_little_like_an_id_or_an_option_is_a_text(self, cli: Cli, text: str) -> None:
        """A dash in front needs a -- before it, as everywhere, unless it has blanks."""
        cli.remember("a fact")
        words = ["supersede", "--", "1", text]
        assert cli.fine(*words).out
        assert cli.fine("show", "2", "--json").json["content"] == text

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["99", "x"], "no memory '99'"),
            (["1", "1"], "cannot supersede itself"),
            (["2", "x"], "forgotten"),
            (["1", "2"], "forgotten"),
            (["1", "  "], "the text is empty"),
            (["1", "x" * 100_001], "100,000"),
            (["3", "x"], "superseded"),
            (["1", "3"], "superseded"),
            (["1", "x", "--reason", "token ghp_9fK2mQx7Lw3RtZ8vB1nC5hJ6pD4sY0aG2eUq"], "never stored"),
        ],
    )
    def test_what_makes_no_sense_is_refused_and_nothing_is_written(
        self, cli: Cli, words: list[str], message: str
    ) -> None:
        """With a word about why."""
        for text in ("a fact", "forgotten fact", "superseded fact"):
            cli.remember(text)
        cli.fine("forget", "2")
        cli.fine("supersede", "3", "its successor")
        before = events(cli)
        result = cli("supersede", *words)
        assert result.code == 1 and message in result.err and not result.out
        assert events(cli) == before

    def test_what_the_new_text_contradicts_is_said(self, cli: Cli) -> None:
        """On standard error; the old memory itself is no contradiction."""
        cli.remember("The lock timeout of migrations is 10 s")
        cli.fine("supersede", "1", "Locks are given back late")
        other = cli.remember("The lock timeout of migrations is 5 s")
        result = cli.fine("supersede", "2", "The lock timeout of migrations is 30 s")
        assert result.err == f"contradicts {other}: see `treering review`\n"
        assert [found["a"]["id"] for found in cli.fine("contradictions", "--json").json] == [other]

    def test_secrets_in_the_new_text_are_redacted(self, cli: Cli) -> None:
        """As in remember, and it is said there too."""
        cli.remember("a fact")
        result = cli.fine("supersede", "1", "the token is ghp_9fK2mQx7Lw3RtZ8vB1nC5hJ6pD4sY0aG2eUq")
        assert "ghp_" not in cli.fine("show", "2").out
        assert "redacted: github-token" in result.err


class TestContradictions:
    def test_both_sides_stand_beside_each_other(self, cli: Cli) -> None:
        """A is the older one, whichever was written first."""
        older, newer, id = two_sides(cli)
        out = cli.fine("contradictions").out
        assert out.startswith(id) and out.index(f"A  {older}") < out.index(f"B  {newer}")
        assert '"5"' in out and '"30"' in out

    def test_none_is_said_on_standard_error(self, cli: Cli) -> None:
        """So that a script gets nothing, or an empty list."""
        result = cli.fine("contradictions")
        assert (result.out, result.err) == ("", "no contradictions that stand\n")
        assert cli.fine("contradictions", "--json").json == []

    @pytest.mark.parametrize(("keep", "kept"), [("A", 0), ("B", 1), ("supersede", 1), ("a", 0), ("b", 1)])
    def test_what_does_not_hold_is_superseded_by_what_does(self, cli: Cli, keep: str, kept: int) -> None:
        """The answer shows the sides as they are now."""
        *sides, id = two_sides(cli)
        found = cli.fine("resolve", id, "--keep", keep, "--json").json
        held, lost = sides[kept], sides[1 - kept]
        assert (status(cli, held), status(cli, lost)) == ("created", "superseded")
        assert {found[side]["id"]: found[side]["status"] for side in "ab"} == {held: "created", lost: "superseded"}
        assert cli.fine("contradictions", "--json").json == []
        assert "kept" in cli.fine("contradictions", "--all").out

    def test_both_may_hold_and_are_not_raised_again(self, cli: Cli) -> None:
        """Also when all memories are looked through."""
        older, newer, id = two_sides(cli)
        assert cli.fine("resolve", id, "--keep", "both").out == f"resolved {id}: kept {older} and {newer}\n"
        before = events(cli)
        assert cli.fine("contradictions", "--look", "--json").json == []
        assert events(cli) == before

    def test_undoing_a_resolution_lets_the_contradiction_stand_again(self, cli: Cli) -> None:
        """With both of its sides."""
        older, newer, id = two_sides(cli)
        cli.fine("resolve", id, "--keep", "A")
        cli.fine("undo", "4")
        assert (status(cli, older), status(cli, newer)) == ("created", "created")
        assert [found["id"] for found in cli.fine("contradictions", "--json").json] == [id]

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (["3"], 2, "resolve needs --keep A, B, both or supersede"),
            (["3", "--keep", "C"], 1, "keep must be one of A, B, both, supersede"),
            (["3", "--keep", "older"], 1, "keep must be one of A, B, both, supersede"),
            (["3", "--keep", ""], 2, "resolve needs --keep"),
            (["1", "--keep", "A"], 1, "`treering contradictions` lists the open ones"),
            (["99", "--keep", "A"], 1, "no contradiction '99'"),
            (["\033[2J", "--keep", "A"], 1, "an id is a text like"),
            ([], 2, "review accept needs an ID"),
            (["3", "--keep", "A", "--as-of", "2026-01-01"], 2, "leave out --as-of"),
        ],
    )
    def test_an_unclear_answer_is_refused_and_nothing_is_written(
        self, cli: Cli, words: list[str], code: int, message: str
    ) -> None:
        """With what to do instead."""
        two_sides(cli)
        result = cli("resolve", *words)
        assert result.code == code and message in result.err and "\033" not in result.err
        assert events(cli) == 3

    def test_what_is_resolved_or_moot_cannot_be_resolved(self, cli: Cli) -> None:
        """It says how it stands."""
        _, newer, id = two_sides(cli)
        cli.fine("forget", newer)
        assert "moot" in cli("resolve", id, "--keep", "A").err
        cli.fine("restore", newer)
        cli.fine("resolve", id, "--keep", "both")
        assert "resolved already: both kept" in cli("resolve", id, "--keep", "A").err

    def test_a_purged_side_leaves_no_word_of_it(self, cli: Cli, home: Path) -> None:
        """A contradiction says where to look, not what stands there."""
        _, newer, _ = two_sides(cli)
        cli.fine("purge", newer, "--yes")
        assert "30 s" not in cli.fine("contradictions", "--all").out
        assert not any(b"30 s" in file.read_bytes() for file in home.iterdir())

    def test_looking_is_possible_in_the_past_and_searching_is_not(self, cli: Cli) -> None:
        """--look writes what it finds."""
        two_sides(cli)
        assert cli.fine("contradictions", "--as-of", "2020-01-01", "--json").json == []
        assert cli("contradictions", "--look", "--as-of", "2020-01-01").code == 1

    def test_what_a_program_wrote_is_looked_at_first(self, cli: Cli, home: Path) -> None:
        """And what was found is said on standard error, once; in the past nothing is looked at."""
        unlooked(home)
        for words in (("contradictions",), ("contradictions", "--all")):
            assert cli.fine(*words, "--as-of", "2090-01-01", "--json").json == []
        assert (events(cli), cli("contradictions", "--look", "--as-of", "2090-01-01").code) == (2, 1)
        result = cli.fine("contradictions")
        assert "1 contradiction found" in result.err and '"30"' in result.out
        again = cli.fine("contradictions")
        assert (again.out, again.err) == (result.out, "")

    def test_what_would_take_minutes_waits_for_a_word(
        self, cli: Cli, home: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """How much there is, and what to say, stands on standard error."""
        monkeypatch.setattr("treering.truth.claims.PATIENCE", 1)
        unlooked(home)
        result = cli.fine("contradictions")
        assert "2 events are not looked at" in result.err and "treering review list --look" in result.err
        assert (result.out, events(cli)) == ("", 2)
        assert len(cli.fine("contradictions", "--look", "--json").json) == 1

    def test_an_import_of_many_waits_for_no_comparing(
        self, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Maintenance does it afterwards."""
        monkeypatch.setattr("treering.truth.claims.PATIENCE", 1)
        rows = tmp_path / "rows.jsonl"
        rows.write_text(
            "".join(
                json.dumps({"content": f"The lock timeout of migrations is {number} s"}) + "\n" for number in (5, 30)
            )
        )
        result = cli.fine("import", str(rows))
        assert "2 events are not looked at" in result.err and "maintenance" in result.err
        before = events(cli)
        cli.fine("maintain", "--only", "contradictions")
        assert "contradiction.raised.v1" in [row["kind"] for row in cli.fine("log", "--json").json]
        assert events(cli) > before

    def test_the_end_of_a_session_looks(self, cli: Cli, home: Path) -> None:
        """So that nobody has to think of it."""
        unlooked(home)
        cli.fine("session", "end", "s")
        kinds = [row["kind"] for row in cli.fine("log", "--json").json]
        assert "contradiction.raised.v1" in kinds

    def test_the_other_space_is_another_world(self, cli: Cli) -> None:
        """Neither listed nor resolved from there."""
        *_, id = two_sides(cli)
        assert cli.fine("contradictions", "--space", "other", "--json").json == []
        assert cli("resolve", id, "--keep", "A", "--space", "other").code == 1


class TestConfirm:
    def test_those_that_wait_are_listed_the_longest_first(self, cli: Cli) -> None:
        """With how to answer; what was confirmed waits again after the days of the setting."""
        late = cli.remember("reviews need two approvals", "--invariant", "--at", "2021-01-01")
        early = cli.remember("grüße 🌲 stay", "--invariant", *LONG_AGO)
        cli.remember("made today", "--invariant")
        result = cli.fine("confirm")
        assert [row.split()[0] for row in result.out.splitlines()] == [early, late]
        assert "treering review accept ID" in result.err
        cli.fine("confirm", early, "--yes")
        (row,) = cli.fine("confirm", "--json").json
        assert (row["id"], row["last_confirmed"]) == (late, "2021-01-01T00:00:00Z")
        assert len(cli.fine("confirm", "--days", "0", "--json").json) == 3
        assert cli.fine("confirm", "--days", "36500").err == "every invariant has been confirmed\n"

    def test_each_answer_is_recorded(self, cli: Cli) -> None:
        """Yes keeps it, no forgets it, a change supersedes it by an invariant."""
        ids = [cli.remember(f"rule {n}", "--invariant", *LONG_AGO) for n in range(3)]
        assert cli.fine("confirm", ids[0], "--yes").out == f"confirmed {ids[0]}  rule 0\n"
        assert cli.fine("confirm", ids[1], "--no", "--reason", "not any more").out == f"forgot {ids[1]}\n"
        changed = cli.fine("confirm", ids[2], "--change", "rule two", "--json").json
        assert [status(cli, id) for id in ids] == ["created", "forgotten", "superseded"]
        assert changed["invariant"] and changed["supersedes"] == [ids[2]]
        assert cli.fine("confirm", "--json").json == []

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (["2", "--yes"], 1, "no invariant"),
            (["99", "--yes"], 1, "no memory '99'"),
            (["1"], 2, "answer with one of --yes, --no and --change TEXT"),
            (["1", "--yes", "--no"], 2, "answer with one of"),
            (["1", "--yes", "--change", "x"], 2, "answer with one of"),
            (["1", "--change", ""], 2, "answer with one of"),
            (["1", "--change", "   "], 1, "the text is empty"),
            (["--yes"], 2, "name the memory that you answer for"),
            (["1", "2", "--yes"], 2, "does not know what to do with '2'"),
            (["--days", "-1"], 2, "--days"),
            (["1", "--yes", "--as-of", "2026-01-01"], 1, "leave out --as-of"),
        ],
    )
    def test_an_answer_that_makes_no_sense_is_refused_and_nothing_is_written(
        self, cli: Cli, words: list[str], code: int, message: str
    ) -> None:
        """With what to do instead."""
        cli.remember("a rule", "--invariant", *LONG_AGO)
        cli.remember("a fact")
        result = cli("confirm", *words)
        assert result.code == code and message in result.err
        assert events(cli) == 2

    def test_a_change_to_the_same_text_is_the_same_text(self, cli: Cli) -> None:
        """A text that starts with a dash is written with an equals sign."""
        cli.remember("a rule", "--invariant", *LONG_AGO)
        new = cli.fine("confirm", "1", "--change=--force is never used", "--json").json
        assert new["content"] == "--force is never used"


def test_nothing_in_a_text_reaches_the_terminal(cli: Cli, home: Path) -> None:
    """Also in a store that was written by something without a guard."""
    with treering.open(home, actor="user") as memory:
        context, size = memory.context, len(BELL)
        wishes = [decide.Remember(BELL, at=OLD, invariant=True), decide.Remember(f"{BELL} not", at=OLD)]
        memory.ledger.commit(lambda: [decide.remember(wish, context) for wish in wishes])
        sides = memory.get("1"), memory.get("2")
        spans = (0, size, 0, size)
        memory.ledger.commit(lambda: [decide.raise_contradiction(*sides, "name", spans, context)])
    lines = ("contradictions", "contradictions --all", "hygiene --dry-run", "confirm", "index -", "confirm 1 --yes")
    for line in (*lines, "review list", "confirm 1 --no", "log"):
        result = cli.fine(*line.split(" "))
        assert "rings" in result.out or line in ("confirm 1 --no", "log")
        assert not any(control in result.out + result.err for control in CONTROLS), line


class TestRemember:
    def test_what_a_memory_was_made_of_is_its_cause(self, cli: Cli) -> None:
        """It is trusted no more than that, and goes with it."""
        source = cli.remember("from a page", "--origin", "web:https://example.org")
        made = cli.remember("a conclusion", "--from", source, "--from", "1", "--confidence", "0.9", "--relevance", "1")
        found = cli.fine("show", made, "--json").json
        assert (found["trust"], found["confidence"], found["relevance"]) == ("external", 0.9, 1.0)
        causes = cli.fine("history", made, "--causes", "--json").json["causes"]
        assert [event["id"] for event in causes] == [source]
        cli.fine("undo", source)
        assert cli("show", made).code == 1

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (["--from", "99"], "no memory '99'"),
            (["--confidence", "1.5"], "confidence"),
            (["--confidence", "much"], "confidence"),
            (["--relevance", "nan"], "relevance"),
            (["--relevance", "-0.1"], "relevance"),
        ],
    )
    def test_a_source_or_share_that_is_none_is_refused(self, cli: Cli, words: list[str], message: str) -> None:
        """And nothing is written."""
        result = cli("remember", "x", *words)
        assert result.code in (1, 2) and message in result.err
        assert events(cli) == 0

    def test_the_card_has_the_scores(self, cli: Cli) -> None:
        """In text and JSON."""
        cli.remember("a fact")
        found = cli.fine("show", "1", "--json").json
        assert 0 < found["strength"] <= found["importance"] <= 1 and found["tier"] == "hot"
        assert all(word in cli.fine("show", "1").out for word in ("importance", "strength", "tier"))
