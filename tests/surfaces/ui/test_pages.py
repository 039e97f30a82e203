"""What the pages show, and what can be changed on them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import treering
from tests.surfaces.ui.served import Served
from treering.evolve.api import Evolve
from treering.evolve.stats import Standing
from treering.ledger.events import PROMPTED, Draft
from treering.recall.lessons.rules import Lift
from treering.surfaces.ui.pages import PAGES

MENU = [page for page in PAGES if page.key]


@pytest.mark.parametrize("page", MENU, ids=lambda page: page.title)
def test_each_page_has_an_address_a_json_and_names_its_command(visitor: Served, page: Any) -> None:
    answer = visitor.get(page.path)
    assert answer.status == 200 and "<h1" in answer.text and page.command.split()[1] in answer.text
    assert page.json in answer.text
    assert isinstance(visitor.get(page.json).json, dict)


@pytest.mark.parametrize("page", MENU, ids=lambda page: page.title)
def test_each_page_can_be_seen_before_anything_was_remembered(tmp_path: Path, page: Any) -> None:
    with Served(str(tmp_path / "new"), str(tmp_path)) as served:
        served.enter()
        assert served.get(page.path).status == 200
        assert served.get(page.json).status == 200


def test_now_tells_what_was_shown_and_why(visitor: Served) -> None:
    (session,) = visitor.get("/now.json").json["sessions"]
    (recall,) = session["items"]
    assert recall["query"] == "when do deploys go out"
    assert recall["hits"][0]["memory"]["content"] == "Deploys go out on Fridays"
    why = visitor.get(f"/now.json?why={recall['id']}").json["why"]
    assert why["hits"][0]["shown"] and why["hits"][0]["parts"]
    assert any(not hit["shown"] for hit in why["hits"])  # the next best, and it says so
    page = visitor.get(f"/?why={recall['id']}").text
    assert "Why this was shown" in page and "not: it fits less" in page


def test_looking_leaves_no_trace(visitor: Served) -> None:
    before = visitor.get("/pulse.json").json
    for path in ("/", "/memories?q=deploys", "/memories", "/review"):
        assert visitor.get(path).status == 200
    (one, *_) = visitor.get("/memories.json").json["memories"]
    visitor.get(f"/memories/{one['id']}")
    assert visitor.get("/pulse.json").json == before


def test_the_ledger_says_who_said_what_and_takes_it_back(visitor: Served) -> None:
    events = visitor.get("/ledger.json?kind=remembered").json["events"]
    last = next(event for event in events if event["gist"].startswith("Deploys go"))
    assert (last["actor"], last["project"]) == ("user", "shop")
    one = visitor.get(f"/ledger.json?event={last['id']}").json["one"]
    assert [event["word"] for event in one["effects"]] == ["recalled", "surfaced"] or one["effects"]
    page = visitor.post("/undo", event=last["id"]).text
    assert "no longer count" in page
    assert visitor.get(f"/ledger.json?event={last['id']}").json["one"]["event"]["undone"]
    visitor.post("/undo", event=" ".join(undo_of(page)))
    assert not visitor.get(f"/ledger.json?event={last['id']}").json["one"]["event"]["undone"]


def test_a_session_is_undone_as_a_whole(visitor: Served) -> None:
    assert "Undo all of this session" in visitor.get("/ledger?session=monday").text
    assert "undone all of session monday" in visitor.post("/revoke", session="monday").text


def test_the_graph_shows_two_steps_and_each_name_leads_on(visitor: Served) -> None:
    for text in ("checkout depends on redis", "redis depends on Docker", "Docker depends on PostgreSQL"):
        visitor.app.desk.memory.remember(text, project="shop")
    around = visitor.get("/graph.json?entity=checkout").json["around"]
    assert {"checkout", "redis", "docker"} <= {one["key"] for one in around["entities"]}
    assert "postgresql" not in {one["key"] for one in around["entities"]}
    assert 'href="/graph?entity=redis"' in visitor.get("/graph?entity=checkout").text


def test_settings_say_what_they_mean(visitor: Served) -> None:
    found = {one["name"]: one for one in visitor.get("/settings.json").json["settings"]}
    assert found["decay"]["value"] == "half-life" and "how memories age" in found["decay"]["about"]


def test_health_and_learning_count_what_the_commands_count(visitor: Served) -> None:
    assert visitor.get("/health.json").json["figures"]["live"] == 4
    assert visitor.get("/learning.json").json["learned"]["weeks"][-1]["shown"] == 1


class TestMemories:
    def test_are_found_as_recall_finds_them(self, visitor: Served) -> None:
        found = visitor.get("/memories.json?q=which+port+has+the+staging+database&project=shop").json["memories"]
        assert found[0]["content"].startswith("The staging database")

    def test_are_found_in_all_projects_at_once(self, visitor: Served) -> None:
        page = visitor.get("/memories?q=which+port+has+the+staging+database").text
        assert "The staging database" in page and "--all-projects" in page

    @pytest.mark.parametrize(
        ("query", "count"),
        [
            ("", 4),
            ("project=shop", 3),
            ("tag=deploy", 1),
            ("trust=user", 4),
            ("trust=agent", 0),
            ("status=forgotten", 0),
        ],
    )
    def test_are_narrowed_by_facets(self, visitor: Served, query: str, count: int) -> None:
        assert len(visitor.get(f"/memories.json?{query}").json["memories"]) == count

    def test_come_in_pages_that_leave_nothing_out(self, home: Path, tmp_path: Path) -> None:
        with treering.open(home, actor="user") as memory:
            memory.remember_many({"content": f"fact number {number}", "at": "2026-05-01"} for number in range(120))
        with Served(str(home), str(tmp_path)) as served:
            served.enter()
            seen: list[str] = []
            after = ""
            while True:
                page = served.get(f"/memories.json?after={after}").json
                seen += [one["id"] for one in page["memories"]]
                if not (after := page["next"]):
                    break
        assert len(seen) == len(set(seen)) == 124

    @pytest.mark.parametrize("query", ["type=nonsense", "after=x.y", "status=gone", "as_of=whenever"])
    def test_a_wrong_question_is_answered_with_what_is_wrong(self, visitor: Served, query: str) -> None:
        answer = visitor.get(f"/memories?{query}")
        assert answer.status == 400 and "That did not work" in answer.text
        assert visitor.get(f"/memories.json?{query}").json["error"]["kind"] == "InvalidInput"

    def test_are_shown_as_of_a_day(self, visitor: Served) -> None:
        assert visitor.get("/memories.json?as_of=2025-06-01").json["memories"] == []
        page = visitor.get("/memories?as_of=2025-06-01").text
        assert "as of" in page and "Back to now" in page


def one(visitor: Served, text: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = visitor.get("/memories.json").json["memories"]
    return next(memory for memory in found if memory["content"].startswith(text))


class TestChanges:
    def test_a_wrong_fact_is_superseded_and_one_click_takes_that_back(self, visitor: Served) -> None:
        old = one(visitor, "Deploys go")
        page = visitor.post(f"/memories/{old['id']}/edit", text="Deploys go out on Tuesdays").text
        assert "supersedes" in page and f"treering edit {old['id']}" in page
        new = one(visitor, "Deploys go out on Tuesdays")
        assert new["supersedes"] == [old["id"]]
        assert visitor.get(f"/memories/{old['id']}.json").json["memory"]["status"] == "superseded"
        assert "undone" in visitor.post("/undo", event=" ".join(undo_of(page))).text
        assert visitor.get(f"/memories/{old['id']}.json").json["memory"]["status"] != "superseded"

    def test_forget_and_restore(self, visitor: Served) -> None:
        id = one(visitor, "Deploys go")["id"]
        assert f"forgot {id}" in visitor.post(f"/memories/{id}/forget").text
        assert visitor.get("/memories.json?status=forgotten").json["memories"][0]["id"] == id
        assert f"restored {id}" in visitor.post(f"/memories/{id}/restore").text
        assert one(visitor, "Deploys go")["id"] == id

    def test_a_purge_asks_first_and_leaves_nothing(self, visitor: Served, home: Path) -> None:
        id = one(visitor, "Deploys go")["id"]
        assert "nothing was purged" in visitor.post(f"/memories/{id}/purge", sure="yes").text
        page = visitor.post(f"/memories/{id}/purge", sure="purge").text
        assert f"purged {id}" in page and "Undo" not in page.partition("<main")[0]
        found = visitor.get("/memories.json?q=deploys&project=shop").json["memories"]
        assert id not in {memory["id"] for memory in found}

    def test_an_invariant_is_confirmed(self, visitor: Served) -> None:
        (waiting,) = visitor.get("/review.json").json["invariants"]
        assert f"confirmed {waiting['id']}" in visitor.post(f"/invariants/{waiting['id']}/confirm", answer="yes").text
        assert visitor.get("/review.json").json["invariants"] == []

    def test_a_contradiction_is_resolved(self, visitor: Served) -> None:
        visitor.app.desk.memory.remember("The staging database listens on port 6000", project="shop", type="semantic")
        visitor.app.desk.memory.truth.look()
        found = visitor.get("/review.json").json["contradictions"]
        for pair in found:
            assert "resolved" in visitor.post(f"/contradictions/{pair['id']}/resolve", keep="both").text
        assert visitor.get("/review.json").json["contradictions"] == []

    def test_feedback_moves_q(self, visitor: Served) -> None:
        (session,) = visitor.get("/now.json").json["sessions"]
        (recall,) = session["items"]
        hit = recall["hits"][0]["id"]
        visitor.post(f"/memories/{hit}/feedback", recall=recall["id"], verdict="helpful")
        assert visitor.get(f"/memories/{hit}.json").json["memory"]["q"] > 0.5

    def test_what_cannot_be_done_says_why_and_changes_nothing(self, visitor: Served) -> None:
        before = visitor.get("/pulse.json").json
        for path, fields in (
            ("/memories/none-9/forget", {}),
            ("/undo", {"event": ""}),
            ("/undo", {"event": "none-9"}),
            ("/proposals/skill-none/accept", {}),
            ("/contradictions/none-9/resolve", {"keep": "A"}),
            ("/revoke", {}),
        ):
            answer = visitor.post(path, **fields)
            assert answer.status in (400, 404, 409) and "That did not work" in answer.text
        assert visitor.get("/pulse.json").json == before


def undo_of(page: str) -> list[str]:
    """Return the events that the button of a notice undoes."""
    notice = page.partition('class="notice"')[2].partition("<main")[0]
    return [part.partition('"')[0] for part in notice.split('name="event" value="')[1:]]


class TestSettings:
    def test_are_changed_and_one_click_takes_that_back(self, visitor: Served, home: Path) -> None:
        page = visitor.post("/settings/decay", value="sessions").text
        assert "decay is sessions now" in page and "treering config set decay sessions" in page
        assert 'decay = "sessions"' in (home / "config.toml").read_text()
        assert visitor.app.desk.memory.config.decay == "sessions"
        assert "decay is half-life now" in visitor.post("/settings/decay", default="yes").text

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("decay", "never"),
            ("nonsense", "1"),
            ("q_rate", "fast"),
            ("sync_ssh", "rm"),
            ("model", "x"),
            ("store", "postgresql://x"),
        ],
    )
    def test_that_make_no_sense_or_run_programs_are_refused(
        self, visitor: Served, home: Path, name: str, value: str
    ) -> None:
        assert visitor.post(f"/settings/{name}", value=value).status == 400
        assert not (home / "config.toml").exists()

    def test_all_say_what_they_mean(self, visitor: Served) -> None:
        rows = visitor.get("/settings.json").json["settings"]
        assert [row["name"] for row in rows if not row["about"]] == []


def test_learning_shows_lift_and_what_learning_is_worth(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with treering.open(home, actor="user") as memory:
        found = memory.recall("when do deploys go out", 1, project="shop")
        memory.feedback(found.id, found.hits[0].memory.id, "helpful")
        best, stats = found.hits[0].memory, memory.evolve.stats()
    standing = Standing(best, Lift(best.id, 0.25, math.inf, 3, 0))
    monkeypatch.setattr(Evolve, "stats", lambda self: stats._replace(lifts=(standing,)))
    with Served(str(home), str(tmp_path)) as served:
        served.enter()
        told = served.get("/learning.json").json
        (lift,) = told["learned"]["lifts"]
        assert (lift["memory"]["id"], lift["lift"], lift["error"]) == (best.id, 0.25, None)
        assert told["curve"]["questions"] == 1 and 0 < told["curve"]["learned"] <= 1
        page = served.get("/learning").text
        assert "+0.25" in page and "With learning, and without" in page


def test_prompts_that_got_nothing_are_told_too(home: Path, tmp_path: Path) -> None:
    with treering.open(home, actor="hook") as memory:
        for text in ("hello there my friend", "when do deploys go out"):  # the second one was answered
            payload = json.dumps({"prompt": text, "tokens": text.split(), "mark": text[:5]})
            draft = Draft(PROMPTED, payload, "hook", "default", "shop", "monday")
            memory.ledger.commit(lambda draft=draft: [draft])  # type: ignore[misc]
    with Served(str(home), str(tmp_path)) as served:
        served.enter()
        (session,) = served.get("/now.json").json["sessions"]
        items = [(one["what"], one["query"]) for one in session["items"]]
        assert items == [("prompt", "hello there my friend"), ("recall", "when do deploys go out")]
        assert "nothing was looked up" in served.get("/").text


def test_older_sessions_are_a_click_away(home: Path, tmp_path: Path) -> None:
    with treering.open(home, actor="user") as memory:
        for number in range(12):
            memory.recall("when do deploys go out", 1, project="shop", session=f"session-{number}")
    with Served(str(home), str(tmp_path)) as served:
        served.enter()
        names, path = [], "/now.json"
        while path:
            told = served.get(path).json
            names += [one["session"] for one in told["sessions"]]
            path = f"/now.json?before={told['older']}" if told["older"] else ""
    assert names == [*(f"session-{number}" for number in reversed(range(12))), "monday"]


@pytest.mark.parametrize(("path", "rows"), [("/memories.json", "memories"), ("/ledger.json", "events")])
def test_every_list_comes_to_its_end(home: Path, tmp_path: Path, path: str, rows: str) -> None:
    """Also one of memories that are older than computers."""
    with treering.open(home, actor="user") as memory:
        memory.remember_many(
            {"content": f"a fact of year {1800 + one}", "at": f"{1800 + one}-05-01"} for one in range(170)
        )
    with Served(str(home), str(tmp_path)) as served:
        served.enter()
        seen, after = [], ""
        while True:
            told = served.get(f"{path}?after={after}").json
            seen += [one["id"] for one in told[rows]]
            if not (after := told["next"]):
                break
            assert len(seen) < 1_000
    assert len(seen) == len(set(seen)) >= 174


def test_review_counts_what_now_counts(visitor: Served) -> None:
    """What may be out of date stands apart: nobody has to decide on it."""
    visitor.app.desk.memory.remember("The staging database listens on port 5434", type="semantic", project="shop")
    waiting = visitor.get("/now.json").json["waiting"]
    review = visitor.get("/review.json").json
    assert {name: review["counts"][name] for name in ("contradictions", "invariants", "proposals")} == {
        name: waiting[name] for name in ("contradictions", "invariants", "proposals")
    }
    assert len(review["contradictions"]) + len(review["outdated"]) == 1


def test_the_past_is_searched_as_it_was(visitor: Served) -> None:
    (old,) = visitor.get("/memories.json?tag=deploy").json["memories"]
    visitor.post(f"/memories/{old['id']}/edit", text="Deploys go out on Tuesdays")
    found = visitor.get("/memories.json?q=when+do+deploys+go+out&project=shop&as_of=2999-01-01").json["memories"]
    assert found[0]["content"] == "Deploys go out on Tuesdays"
    assert visitor.get("/memories.json?q=deploys&as_of=2025-06-01").json["memories"] == []


def test_what_was_purged_is_in_no_past_that_was_looked_at_before(visitor: Served) -> None:
    query = "q=when+do+deploys+go+out&project=shop&as_of=2999-01-01"
    (old,) = visitor.get("/memories.json?tag=deploy").json["memories"]
    assert old["id"] in {one["id"] for one in visitor.get(f"/memories.json?{query}").json["memories"]}
    visitor.post(f"/memories/{old['id']}/purge", sure="purge")
    assert "Fridays" not in visitor.get(f"/memories.json?{query}").text
    assert "Fridays" not in visitor.get(f"/memories?{query}").text


def test_what_we_fail_at_says_so(visitor: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visitor.app.desk, "memory", None)
    answer = visitor.get("/memories")
    assert answer.status == 500 and "a fault of Treering" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
