"""Session files: what is told in them, and what is wrong with them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.documents.vault.test_text import TEXTS
from treering.documents.vault.fact import EARLIEST, LATEST, Fact, read, stamp
from treering.documents.vault.folder import name_for
from treering.documents.vault.header import covers, merged, ranges, read_events, shown_events
from treering.documents.vault.session import Mention, PlacedFact, Segment, parse, render
from treering.ledger.errors import MalformedLine

NAME = "2026-06-27T103005-monday.md"
_names = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=20).filter(
    str.isprintable
)
_ids = st.from_regex(r"[a-z][a-z0-9]{0,7}-[0-9]{1,4}", fullmatch=True)
_moments = st.integers(EARLIEST, LATEST)
_tags = st.lists(_names.map(lambda name: "-".join(name.split())).filter(bool), max_size=3).map(tuple)
_facts = st.builds(
    Fact,
    _ids,
    TEXTS.filter(bool),
    _moments,
    st.sampled_from(["semantic", "episodic", "procedural", "working"]),
    st.sampled_from(["user", "project", "session"]),
    _names,
    _names,
    _tags,
    _names,
    st.sampled_from(["user", "agent", "tool:web|x", "document:docs/a b.md:12"]),
    st.sampled_from(["user", "agent", "external"]),
    st.booleans(),
    problem=TEXTS,
    approach=TEXTS,
)
_uses = st.builds(
    lambda one, at, place, session: Mention(one, at=at, project=place, session=session), _ids, _moments, _names, _names
)
_ends = st.builds(lambda one, by, reason: Mention(one, by=by, reason=reason), _ids, _ids, TEXTS)


def _plain(segment: Segment) -> Segment:
    """Without line numbers."""
    bare: dict[str, object] = {}
    for section in ("created", "changed"):
        bare[section] = tuple(told._replace(line=0, last=0) for told in getattr(segment, section))
    for section in ("referenced", "reactivated", "unreferenced", "restored", "superseded", "forgotten"):
        bare[section] = tuple(one._replace(line=0) for one in getattr(segment, section))
    return segment._replace(**bare)  # type: ignore[arg-type]


@settings(max_examples=80, deadline=None)
@given(st.lists(_facts, max_size=3), st.lists(_uses, max_size=3), st.lists(_ends, max_size=3), _names, _moments)
def test_a_segment_is_read_as_it_was_written(
    facts: list[Fact], uses: list[Mention], ends: list[Mention], name: str, began: int
) -> None:
    """Every text, name, tag and date, whatever stands in them; and writing it again gives the same file."""
    told = tuple(PlacedFact(fact) for fact in facts)
    events = {"k7qm2xva": [(12, 40), (43, 43)], "ab": [(1, 9)]}
    corrections = Segment(NAME, began, "", "", name or "default", 1, events, told, told, tuple(uses))
    here = tuple(one._replace(project="", session="") for one in uses)
    session = Segment(NAME, began, name, name, referenced=here, superseded=tuple(ends))
    for segment in (corrections, session):
        text = render(segment)
        again = parse(NAME, NAME, text.split("\n"))
        assert _plain(again) == segment
        assert render(again) == text


def test_a_session_says_only_what_differs_from_its_header() -> None:
    """A fact of the session's own project and day has no more in its footer than it needs."""
    began = read("2026-06-27T10:30:05Z")
    assert began
    fact = Fact(
        "k7-1", "Use uv.", began, scope="project", project="acme", session="monday", origin="user", trust="user"
    )
    use = Mention("k7-0", at=began + 60)
    text = render(Segment(NAME, began, "monday", "acme", created=(PlacedFact(fact),), referenced=(use,)))
    assert text.endswith(
        "## Memory References\n\n### Created\n\n- Use uv.\n"
        "  <!-- id: k7-1 | created: 2026-06-27T10:30:05Z | origin: user -->\n"
        "\n### Referenced\n\n- k7-0 <!-- at: 10:31:05 -->\n"
    )
    assert parse(NAME, NAME, text.split("\n")).created[0].fact == fact


def hand_written(text: str, name: str = "2026-06-27-review.md") -> Segment:
    return parse(name, name, text.split("\n"))


def test_a_file_written_by_hand_needs_a_date_in_its_name_and_nothing_else() -> None:
    """The session is the file; without more than a date it is that day."""
    segment = hand_written("# Review\n\nWe talked.\n")
    assert (segment.session, stamp(segment.began)) == ("2026-06-27-review", "2026-06-27T00:00:00Z")
    assert hand_written("", "2026-06-27.md").session == ""
    assert stamp(hand_written("", "2026-06-27T1030-x.md").began) == "2026-06-27T10:30:00Z"
    assert (
        stamp(hand_written("---\ndate: 2026-06-28\nsession: 'it''s'\nx:\n  - y\n---\n", "x.md").began)[:10]
        == "2026-06-28"
    )
    assert hand_written('---\ndate: 2026-06-28\nsession: "a: b"\n---').session == "a: b"


def test_references_are_read_in_every_way_that_people_write_them() -> None:
    """A list of ids, several on a line, with remarks, in short form, with any arrow."""
    segment = hand_written(
        "## Memory References\r\n- **Referenced:** `inv-a`, [[inv-b]]\n- reactivated: none\n"
        "- superseded: inv-c -> inv-d (the client asked)\n"
        "### Referenced\n* inv-e — for the design\n* inv-f: why not\n- inv.g/h\n"
        "### Superseded\n- inv-i → inv-j: because\n- inv-k superseded by inv-l\n"
        "### Created\n- A fact\n  of two lines.\n- Another <!-- id: inv-m | tags: x, y | invariant: yes -->\n"
        "## Notes\n- nothing to see\n"
    )
    assert [one.id for one in segment.referenced] == ["inv-a", "inv-b", "inv-e", "inv-f", "inv.g/h"]
    assert [(one.id, one.by, one.reason) for one in segment.superseded] == [
        ("inv-c", "inv-d", "the client asked"),
        ("inv-i", "inv-j", "because"),
        ("inv-k", "inv-l", ""),
    ]
    first, second = (told.fact for told in segment.created)
    assert first.text == "A fact\nof two lines." and first.id.startswith("text-")
    assert (second.id, second.text, second.tags, second.invariant) == ("inv-m", "Another", ("x", "y"), True)
    assert (second.type, second.scope, second.trust) == ("semantic", "user", "external")


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("---\nsession: x\n", 1, "not closed"),
        ("---\nsession x\n---\n", 2, "key: value"),
        ('---\nsession: "x\n---\n', 2, "quoted"),
        ("---\ndate: soon\n---\n", 3, "not a date"),
        ("---\nevents: k7 9-2\n---\n", 3, "ranges"),
        ("---\ngenerated: treering\nformat: 9\n---\n", 1, "version"),
        ("---\nevents: k7 1\n---\n# x", 4, "cut"),
        ("## Memory References\n\n### Refrenced\n- a\n", 3, "'refrenced' is none of created"),
        ("## Memory References\n- just a text\n", 2, "headings"),
        ("## Memory References\n### Referenced\n- two words\n", 3, "cannot be an id"),
        ("## Memory References\n### Superseded\n- a b\n", 3, "OLD → NEW"),
        ("## Memory References\n### Created\n- x\n  <!-- id: a | created: june -->\n", 4, "not a date"),
        ("## Memory References\n### Created\n- x\n  <!-- id: a | type: odd -->\n", 4, "type must be"),
        ("## Memory References\n### Created\n- x\n  <!-- id a -->\n", 4, "key: value"),
        ("## Memory References\n### Created\n- x\n  more\n  <!-- id: a\n", 5, "not closed"),
        ("## Memory References\n### Created\n- <!-- id: a -->\n", 3, "says nothing"),
        ("text\n<!-- open\n\n", 2, "not closed"),
        ("## Memory References\n### Created\n- x\n  <!-- id: a | invarient: yes -->\n", 4, "'invariant' may be meant"),
        (
            "## Memory References\n### Created\n- x <!-- id: a | qqq: yes -->\n",
            3,
            "no key 'qqq': there are id, created",
        ),
        ("## Memory References\n### Referenced\n- x <!-- projet: a -->\n", 3, "'project' may be meant"),
        ("## Memory References\n### Superseded\n- x → y <!-- sesion: a -->\n", 3, "'session' may be meant"),
        ("## Memory References\n### Created\n\nA fact.\n", 4, "in no list item"),
        ("## Memory References\n### Created\n- x\n\nA fact. <!-- id: a -->\n", 5, "in no list item"),
        ("## Memory References\n### Created\n- x\n<!-- id: a -->\n", 4, "in no list item"),
        ("## Memory References\n### Created\n  - x\n", 3, "in no list item"),
        ("## Memory References\n### Created\n```\n- x\n```\n", 3, "in no list item"),
        ("## Memory References\n#### Made\n- x\n", 2, "'made' is none of created"),
    ],
)
def test_a_malformed_file_is_an_error_with_its_line(text: str, line: int, message: str) -> None:
    """Whatever is wrong, it says where."""
    with pytest.raises(MalformedLine, match=message) as error:
        hand_written(text)
    assert error.value.line == line


@pytest.mark.parametrize("name", ["notes.md", "2026-13-45.md"])
def test_a_file_without_any_date_is_an_error(name: str) -> None:
    """A session that was never is none. It is said once."""
    with pytest.raises(MalformedLine, match=f"^{name}, line 1: no date: [^;]*; nothing was changed$"):
        hand_written("## Memory References\n", name)


def test_remarks_and_rules_may_stand_between_facts() -> None:
    """And prose anywhere but among them."""
    segment = hand_written(
        "Prose.\n## Memory References\nWhat we know:\n### Created\n<!-- the first -->\n- x <!-- id: a -->\n\n---\n\n"
        "- y\n  <!-- id: b -->\n<!-- of\nmany -->\n## Notes\nMore prose.\n"
    )
    assert [told.fact.id for told in segment.created] == ["a", "b"]


def test_names_of_files_sort_by_time_and_suit_every_file_system() -> None:
    """No colon, no name that Windows keeps for itself, nothing twice."""
    began = read("2026-06-27T10:30:05Z")
    assert began
    segment = Segment("", began, "Monday: Ümläut/..\\x?")
    assert name_for(segment, ()) == "2026-06-27T103005-monday-ml-ut-x.md"
    assert name_for(segment._replace(session="con"), ()) == "2026-06-27T103005-con-session.md"
    assert name_for(segment._replace(session="日本"), ()) == "2026-06-27T103005-day.md"
    assert name_for(segment._replace(session="m"), {"2026-06-27T103005-m.md"}) == "2026-06-27T103005-m_2.md"
    assert len(name_for(segment._replace(session="x" * 500), ())) < 100
    assert "2026-06-27T103005-m.md" < "2026-06-27T103005-m_2.md" < "2026-06-27T103006-a.md"


def test_events_are_written_as_ranges() -> None:
    """A year of work fits on a line."""
    events = {"k7qm2xva": [(12, 40), (43, 43)], "ab": [(1, 9)]}
    assert shown_events(events) == "k7qm2xva 12-40 43, ab 1-9"
    assert read_events(shown_events(events)) == events


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sets(st.tuples(st.sampled_from("ab"), st.integers(1, 30))), max_size=4))
def test_ranges_cover_the_events_that_they_were_made_of(several: list[set[tuple[str, int]]]) -> None:
    """And no other, in however many files they are told."""
    covered = merged(ranges(ids) for ids in several)
    everything = {(writer, seq) for writer in "ab" for seq in range(32)}
    assert {event for event in everything if covers(covered, *event)} == set().union(*several)
