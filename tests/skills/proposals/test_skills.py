"""Skills that agents load: once per session, with credit for what came of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.skills.proposals.desk import Desk, skill
from treering.ledger.errors import InvalidInput, NotFound
from treering.ledger.events import LOADED, SKILL_JUDGED

NAME = "deploy-shop"


@pytest.fixture(autouse=True)
def shelf(root: Path) -> None:
    skill(root / "skills", NAME, "Use to deploy the shop to the cluster", "Run make deploy.")


class TestLoading:
    def test_a_skill_is_loaded_once_per_session(self, desk: Desk) -> None:
        """However often it is asked for; a day outside of any counts as one."""
        for session in ("a", "a", "b", "", "", "a"):
            assert desk.memory.skills.use(NAME, session=session) == '"Run make deploy."'
        assert desk.memory.skills.credits()[NAME].loads == 3
        desk.pass_(days=1)
        desk.memory.skills.use(NAME)
        assert (desk.memory.skills.credits()[NAME].loads, len(desk.events(LOADED))) == (4, 4)

    def test_a_session_of_two_machines_has_loaded_it_once(self) -> None:
        """After they have met."""
        one, two = Desk(seed=1), Desk(seed=900)
        for desk in (one, two):
            desk.memory.skills.use(NAME, session="shared")
        one.memory.ledger.take_in(list(two.store.events()))
        assert one.memory.skills.credits()[NAME].loads == 1

    @pytest.mark.parametrize("name", ("deploy-shp", "../deploy-shop", "", "x" * 500))
    def test_what_is_no_skill_is_not_loaded(self, desk: Desk, name: str) -> None:
        """Nor noted."""
        with pytest.raises((NotFound, InvalidInput)):
            desk.memory.skills.use(name)
        assert desk.events(LOADED) == []

    def test_showing_the_index_loads_nothing(self, desk: Desk) -> None:
        """Nor does a body that follows it unasked, or a search."""
        assert "make deploy" in desk.memory.skills.index("deploy shop to the cluster, please")
        assert [match.skill.name for match in desk.memory.skills.search("deploy the shop")] == [NAME]
        assert desk.events(LOADED) == []


class TestCredit:
    @pytest.mark.parametrize("verdict, better", (("helpful", True), ("not_helpful", False)))
    def test_a_verdict_moves_its_q(self, desk: Desk, verdict: str, better: bool) -> None:
        desk.memory.skills.use(NAME, session="s")
        credit = desk.memory.skills.feedback(NAME, verdict, session="s", note="as seen")
        assert (credit.q > 0.5) is better
        assert desk.memory.skills.credits()[NAME] == credit
        assert desk.memory.skills.feedback(NAME, verdict, session="s") == credit
        assert len(desk.events(SKILL_JUDGED)) == 1

    def test_a_changed_verdict_replaces_the_one_before(self, desk: Desk) -> None:
        """As if it had been said at once."""
        desk.memory.skills.use(NAME, session="s")
        first = desk.memory.skills.feedback(NAME, "not_helpful", session="s")
        desk.memory.skills.feedback(NAME, "helpful", session="s")
        changed = desk.memory.skills.feedback(NAME, "not_helpful", session="s")
        assert changed == first
        assert len(desk.events(SKILL_JUDGED, live=True)) == 1

    def test_each_session_has_a_say(self, desk: Desk) -> None:
        for session in ("a", "b"):
            desk.memory.skills.use(NAME, session=session)
            desk.memory.skills.feedback(NAME, "helpful", session=session)
        once = Desk()
        once.memory.skills.use(NAME, session="a")
        assert desk.memory.skills.credits()[NAME].q > once.memory.skills.feedback(NAME, "helpful", session="a").q

    @pytest.mark.parametrize("outcome, better", (("success", True), ("failure", False)))
    def test_what_a_session_led_to_falls_back_on_it(self, desk: Desk, outcome: str, better: bool) -> None:
        """Less than a verdict does; said again, nothing; said otherwise, it replaces."""
        desk.memory.skills.use(NAME, session="s")
        desk.memory.evolve.outcome("s", outcome)
        q = desk.memory.skills.credits()[NAME].q
        assert ((q > 0.5), q != 0.5) == (better, True)
        desk.memory.evolve.outcome("s", outcome)
        assert desk.memory.skills.credits()[NAME].q == q
        desk.memory.evolve.outcome("s", "failure" if better else "success")
        assert (desk.memory.skills.credits()[NAME].q > 0.5) is not better
        told = desk.memory.skills.feedback(NAME, "helpful" if better else "not_helpful", session="s")
        assert abs(told.q - 0.5) > abs(q - 0.5)

    def test_a_verdict_stands_against_the_outcome(self, desk: Desk) -> None:
        """Whichever comes first."""
        for session in ("before", "after"):
            desk.memory.skills.use(NAME, session=session)
        desk.memory.evolve.outcome("before", "failure")
        desk.memory.skills.feedback(NAME, "helpful", session="before")
        desk.memory.skills.feedback(NAME, "helpful", session="after")
        desk.memory.evolve.outcome("after", "failure")
        said = [(data["verdict"], data["by"]) for data in desk.told(SKILL_JUDGED, live=True)]
        assert said == [("helpful", "explicit")] * 2

    def test_an_outcome_of_a_session_without_skills_is_not_theirs(self, desk: Desk) -> None:
        desk.memory.skills.use(NAME, session="s")
        note = desk.memory.remember("The shop is deployed on Tuesdays")
        desk.show(note, session="other")
        desk.memory.evolve.outcome("other", "failure")
        assert desk.memory.skills.credits()[NAME].q == 0.5

    def test_what_was_never_loaded_cannot_be_judged(self, desk: Desk) -> None:
        with pytest.raises(InvalidInput, match="never loaded"):
            desk.memory.skills.feedback(NAME, "helpful")
        desk.memory.skills.use(NAME)
        with pytest.raises(InvalidInput):
            desk.memory.skills.feedback(NAME, "success")
        assert desk.events(SKILL_JUDGED) == []

    def test_what_helped_comes_before_what_matches_as_well(self, desk: Desk, root: Path) -> None:
        """And what did not help, after it; a better match stays before both."""
        skill(root / "skills", "empty-cache", "Use to empty the cache of the shop")
        skill(root / "skills", "empty-queue", "Use to empty the queue of the shop")
        asked = "empty the shop"
        assert self.found(desk, asked)[:2] == ["empty-cache", "empty-queue"]
        desk.memory.skills.use("empty-queue", session="s")
        desk.memory.skills.feedback("empty-queue", "helpful", session="s")
        assert self.found(desk, asked)[:2] == ["empty-queue", "empty-cache"]
        desk.memory.skills.use(NAME, session="s")
        assert self.found(desk, "deploy to the cluster")[0] == NAME

    def test_undoing_a_load_takes_what_was_said_of_it(self, desk: Desk) -> None:
        desk.memory.skills.use(NAME, session="s")
        desk.memory.skills.feedback(NAME, "not_helpful", session="s")
        desk.memory.undo(desk.events(LOADED)[0].id)
        assert desk.memory.skills.credits() == {}

    @staticmethod
    def found(desk: Desk, asked: str) -> list[str]:
        return [match.skill.name for match in desk.memory.skills.search(asked)]
