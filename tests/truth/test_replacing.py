"""What a person says anew takes the place of what it surely replaces, and can be taken back."""

from __future__ import annotations

import pytest

import treering
from treering.ledger.types import RECALLABLE
from treering.truth.claims import asked

OLD = "We deploy to production on Tuesdays"


@pytest.mark.parametrize(
    "new",
    (
        "actually we deploy on Thursdays now",
        "we moved deploys to Thursdays",
        "That's wrong: deploys are on Thursdays",
    ),
)
def test_the_newer_word_of_the_user_stands_alone(new: str) -> None:
    memory = treering.open(":memory:")
    old = memory.remember(OLD, origin="user")
    memory.remember(new, origin="user")
    assert memory.get(old.id).status == "superseded"
    assert [hit.memory.content for hit in memory.recall("when do we deploy?").hits] == [new]


def test_a_statement_replaces_only_the_memory_that_it_is_about() -> None:
    memory = treering.open(":memory:")
    port = memory.remember("The staging API listens on port 8080", origin="user")
    other = memory.remember("The staging API is restarted on Sundays", origin="user")
    memory.remember("The staging API listens on port 9090 now", origin="user")
    assert memory.get(port.id).status == "superseded"
    assert memory.get(other.id).status in RECALLABLE


def test_undoing_it_brings_the_older_back_for_good() -> None:
    memory = treering.open(":memory:")
    old = memory.remember(OLD, origin="user")
    new = memory.remember("actually we deploy on Thursdays now", origin="user")
    memory.undo(new.id)
    assert memory.get(old.id).status in RECALLABLE


@pytest.mark.parametrize(
    ("new", "origin"),
    [("Deploys of the docs need no review", "user"), ("actually we deploy on Thursdays now", "agent")],
)
def test_what_is_about_something_else_or_not_said_by_a_person_replaces_nothing(new: str, origin: str) -> None:
    memory = treering.open(":memory:")
    old = memory.remember(OLD, origin="user")
    memory.remember(new, origin=origin)
    assert memory.get(old.id).status in RECALLABLE


class TestDoubt:
    OLD, SAID = "Backups of the harbour database run at noon", "I had the harbour backups put to the evening"

    def test_what_only_may_be_out_of_date_stands_beside_the_newer_one_and_nobody_is_asked(self) -> None:
        memory = treering.open(":memory:")
        old = memory.remember(self.OLD, origin="user")
        new = memory.remember(self.SAID, origin="user")
        (doubt,) = memory.truth.contradictions()
        assert (doubt.older.id, doubt.newer.id, doubt.is_asked) == (old.id, new.id, False)
        assert memory.get(old.id).status in RECALLABLE and not asked([doubt])

    def test_a_person_may_decide_it_like_a_contradiction(self) -> None:
        memory = treering.open(":memory:")
        old = memory.remember(self.OLD, origin="user")
        memory.remember(self.SAID, origin="user")
        (doubt,) = memory.truth.contradictions()
        memory.truth.resolve(doubt.id, keep="B")
        assert memory.get(old.id).status == "superseded" and not memory.truth.contradictions()

    def test_what_an_agent_says_puts_no_word_of_a_person_in_doubt(self) -> None:
        memory = treering.open(":memory:")
        memory.remember(self.OLD, origin="user")
        memory.remember(self.SAID, origin="agent")
        assert not memory.truth.contradictions()


def test_an_invariant_is_never_replaced_unasked() -> None:
    memory = treering.open(":memory:")
    old = memory.remember(OLD, invariant=True, origin="user")
    memory.remember("actually we deploy on Thursdays now", origin="user")
    assert memory.get(old.id).status in RECALLABLE


class TestLanguages:
    """The user's own example, as people say it."""

    OLD = {
        "en": "We deploy to production on Tuesdays",
        "de": "Wir deployen dienstags in die Produktion",
        "es": "Desplegamos a producción los martes",
        "fr": "On déploie en production le mardi",
    }

    @pytest.mark.parametrize(
        ("language", "new"),
        [
            ("en", "actually we deploy on Thursdays now"),
            ("en", "we moved deploys to Thursdays"),
            ("en", "That's wrong: deploys are on Thursdays"),
            ("en", "No, we deploy to production on Thursdays."),
            ("en", "production deploys happen on Thursdays from now on"),
            ("en", "we don't deploy on Tuesdays anymore, it's Thursdays now"),
            ("en", "deploy day is Thursday now, not Tuesday"),
            ("en", "Correction: production goes out on Thursdays."),
            ("en", "fyi deploys got moved from Tuesday to Thursday"),
            ("en", "starting this week we deploy to production on Thursdays instead"),
            ("en", "we switched our production deploys to Thursdays"),
            ("en", "Tuesdays are out, we ship to production on Thursdays"),
            ("de", "eigentlich deployen wir jetzt donnerstags"),
            ("de", "wir haben die Deployments auf Donnerstag verschoben"),
            ("de", "Das stimmt nicht: deployt wird donnerstags."),
            ("es", "en realidad ahora desplegamos los jueves"),
            ("es", "hemos pasado los despliegues a los jueves"),
            ("es", "Eso no es así: los despliegues son los jueves."),
            ("fr", "en fait on déploie le jeudi maintenant"),
            ("fr", "on a déplacé les déploiements au jeudi"),
            ("fr", "C'est faux : les déploiements se font le jeudi."),
        ],
    )
    def test_a_correction_stands_alone(self, language: str, new: str) -> None:
        memory = treering.open(":memory:")
        old = memory.remember(self.OLD[language], origin="user")
        memory.remember(new, origin="user")
        assert memory.get(old.id).status == "superseded"

    @pytest.mark.parametrize(
        ("language", "new"),
        [
            ("en", "we deploy staging on Thursdays"),
            ("en", "I deployed on Thursday"),
            ("en", "can you deploy on Thursday this week?"),
            ("en", "the deploy on Thursday failed"),
            ("en", "this week only, we deploy on Thursday because of the holiday"),
            ("en", "should we deploy on Thursdays instead?"),
            ("en", "on Thursdays we have the retro"),
            ("en", "the last production deploy took an hour"),
            ("en", "we deploy the docs on Thursdays"),
            ("en", "Tuesdays we also have the standup"),
            ("en", "we deploy to production with make release"),
            ("en", "don't deploy on Thursday, I'm out"),
            ("de", "Staging deployen wir donnerstags."),
            ("de", "Ich habe am Donnerstag deployt."),
            ("de", "Nur diese Woche deployen wir am Donnerstag."),
            ("es", "Staging lo desplegamos los jueves."),
            ("es", "Desplegué el jueves."),
            ("es", "Solo esta semana desplegamos el jueves."),
            ("fr", "On déploie le staging le jeudi."),
            ("fr", "J'ai déployé jeudi."),
            ("fr", "Cette semaine seulement, on déploie le jeudi."),
        ],
    )
    def test_what_only_looks_like_one_changes_nothing(self, language: str, new: str) -> None:
        memory = treering.open(":memory:")
        old = memory.remember(self.OLD[language], origin="user")
        memory.remember(new, origin="user")
        assert memory.get(old.id).status in RECALLABLE and not memory.truth.contradictions()


def test_one_more_of_a_list_replaces_nothing_of_it() -> None:
    """However alike two of its numbers look: 12 and 21, 23 and 32."""
    memory = treering.open(":memory:")
    noted = [
        memory.remember(f"an acorn falls, the {number}th of this autumn", origin="user") for number in range(9, 40)
    ]
    assert {memory.get(one.id).status for one in noted} <= set(RECALLABLE)
    assert not memory.truth.contradictions()
