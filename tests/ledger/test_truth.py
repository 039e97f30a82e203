"""The rules about what is true: what may supersede what, who resolves, and who confirms."""

from __future__ import annotations

from typing import Any

import pytest

from tests.ledger.test_rules import HERE, made
from treering.ledger import decide
from treering.ledger.codec import decode
from treering.ledger.errors import IllegalMove, InvalidInput
from treering.ledger.types import RECALLABLE, STATUSES


class TestTruth:
    @pytest.mark.parametrize("status", STATUSES)
    def test_only_what_is_told_supersedes_or_is_superseded(self, status: str) -> None:
        """From both sides."""
        one, two = made()._replace(status=status), made()._replace(id="writer-2")
        if status in RECALLABLE:
            assert decide.supersede(one, two, HERE).subject == one.id
            assert decide.supersede(two, one, HERE).subject == two.id
            return
        with pytest.raises(IllegalMove):
            decide.supersede(one, two, HERE)
        with pytest.raises(InvalidInput, match="cannot take the place"):
            decide.supersede(two, one, HERE)

    def test_a_supersession_rests_on_both_and_on_what_led_to_it(self) -> None:
        """Undoing any of them undoes it."""
        one, two = made(), made()._replace(id="writer-2")
        assert decide.supersede(one, two, HERE).causes == ("writer-1", "writer-2")
        led = decide.supersede(one, two, HERE, "asked", "writer-9", "", "writer-8", "writer-1")
        assert led.causes == ("writer-1", "writer-2", "writer-9", "writer-8")

    def test_nothing_supersedes_itself(self) -> None:
        """It says what to do instead."""
        with pytest.raises(InvalidInput, match="name another one"):
            decide.supersede(made(), made(), HERE)

    def test_a_contradiction_tells_where_and_never_what(self) -> None:
        """So that a purge of either side leaves none of its words behind."""
        one, two = made("the port is 8080"), made("the port is 9090")._replace(id="writer-2")
        draft = decide.raise_contradiction(one, two, "number", (12, 16, 12, 16), HERE)
        assert draft.causes == ("writer-1", "writer-2")
        assert decode(draft.payload) == {
            "older": "writer-1",
            "newer": "writer-2",
            "kind": "number",
            "spans": [12, 16, 12, 16],
        }

    @pytest.mark.parametrize("keep", ("", "A", "neither"))
    def test_a_resolution_keeps_the_older_the_newer_or_both(self, keep: str) -> None:
        """Nothing else."""
        with pytest.raises(InvalidInput, match="older, newer, both"):
            decide.settle("writer-3", keep, HERE)

    @pytest.mark.parametrize("actor", ("agent", "hook", "system"))
    def test_only_a_person_confirms_an_invariant(self, actor: str) -> None:
        """It is what the machine must not change."""
        with pytest.raises(InvalidInput, match="only a person"):
            decide.verify(made(invariant=True), "yes", HERE._replace(actor=actor))

    @pytest.mark.parametrize("value", (-0.01, 1.01, float("inf"), float("nan"), True, "1", None))
    def test_confidence_and_relevance_are_shares(self, value: Any) -> None:
        """From nothing to one; if none is given, that of the design holds."""
        for name in ("confidence", "relevance"):
            if value is None:
                assert getattr(made(), name) == {"confidence": 0.7, "relevance": 0.5}[name]
                continue
            with pytest.raises(InvalidInput, match=f"{name} must be a number from 0 to 1"):
                made(**{name: value})
