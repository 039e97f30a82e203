"""The people of a team at the command line: tokens, and what is theirs alone."""

from __future__ import annotations

import pytest

from tests import postgres
from tests.surfaces.cli.driving import Cli


def test_tokens_are_given_listed_and_taken_back(cli: Cli) -> None:
    """A token is told once; who has what role, and since when, as often as one likes."""
    token = cli.fine("token", "add", "anna", "--role", "reviewer").out.strip()
    other = cli.fine("token", "add", "bob", "--json").json
    assert token.startswith("treering_") and other["token"] != token and other["role"] == "writer"
    listed = cli.fine("token", "list", "--json")
    assert [(one["person"], one["role"], one["revoked"]) for one in listed.json] == [
        ("anna", "reviewer", None), ("bob", "writer", None),
    ]  # fmt: skip
    assert token not in listed.out + cli.fine("log", "--json").out
    assert cli.fine("token", "revoke", "anna").out.startswith("revoked ")
    assert "revoked" in cli.fine("token", "list").out
    assert cli("token", "revoke", "anna").code != 0
    for wrong in ("", "a b", "a@b", "x" * 65):
        assert cli("token", "add", wrong).code != 0
    assert cli("token", "add", "carla", "--role", "owner").code != 0


def test_what_a_person_keeps_private_is_in_their_list_alone(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person is a setting; without one nothing is private."""
    assert cli("remember", "The acquisition closes in June", "--private", "--space", "shop").code != 0
    cli.fine("config", "set", "person", "anna")
    cli.fine("config", "set", "space", "shop")
    cli.fine("remember", "The acquisition closes in June", "--private", "--project", "web")
    cli.fine("remember", "Deploys happen on Tuesdays", "--project", "web")
    assert len(cli.fine("list", "--json").json) == 2
    monkeypatch.setenv("TREERING_PERSON", "bob")
    assert [one["content"] for one in cli.fine("list", "--json").json] == ["Deploys happen on Tuesdays"]
    monkeypatch.setenv("TREERING_PERSON", "an@na")
    assert cli("list").code != 0


@postgres.needed
def test_a_members_machine_carries_nothing_of_others_to_another(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A team's memory is shared by its database: sync, which takes the whole ledger along, is not for a member."""
    monkeypatch.setenv("TREERING_STORE", postgres.server().address)
    monkeypatch.setenv("TREERING_SPACE", postgres.server().new_space())
    monkeypatch.setenv("TREERING_PERSON", "anna")
    cli.fine("remember", "Deploys happen on Tuesdays", "--project", "web")
    told = cli("sync", str(tmp_path_factory.mktemp("shared")))
    assert told.code != 0 and "database" in told.err
