"""Commands that look at the knowledge graph, as somebody calls them."""

from __future__ import annotations

import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.surfaces.cli.driving import Cli, Program, completed
from tests.surfaces.cli.growth import BELL, events, refused
from tests.surfaces.cli.stories import related
from treering.graph.rules import Entity, Relation

ENTITY, RELATION = {*Entity._fields}, {*Relation._fields}
# Markup, a script, an entity of XML, and what would close an attribute: all of it within names that texts may hold.
HOSTILE = "`<script>alert(1)</script>.py` imports `x\"onload='y'&amp;.py`"
SVG = "{http://www.w3.org/2000/svg}"
GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


@pytest.fixture
def net(cli: Cli, home: Path) -> Cli:
    """A store whose memories relate what they name, in two projects."""
    related(home)
    return cli


class TestShow:
    def test_an_entity_is_told_with_what_it_is_related_to(self, net: Cli) -> None:
        """Whatever the case of its name; each relation with its evidence, and when it held and was learned."""
        (found,) = net.fine("graph", "show", "redis", "--project", "shop", "--json").json
        assert {*found} == ENTITY | {"relations", "related"}
        assert (found["name"], found["type"], found["project"], found["mentions"]) == ("Redis", "tool", "shop", 2)
        relations = {(one["source"], one["type"], one["target"]): one for one in found["relations"]}
        assert {*relations} == {("checkout", "uses", "redis"), ("redis", "replaces", "memcached")}
        uses = relations["checkout", "uses", "redis"]
        assert {*uses} == RELATION and uses["evidence"] == [net.fine("show", "1", "--json").json["id"]]
        assert uses["valid_from"].startswith("2026-03-01") and uses["learned"] > uses["valid_from"]
        assert all({*other} == ENTITY for other in found["related"])
        told = net.fine("graph", "show", "REDIS", "--project", "shop").out
        assert "checkout —uses→ Redis" in told and "since 2026-03-01 00:00:00Z, known 2" in told

    def test_the_same_name_in_two_projects_is_two_things(self, net: Cli) -> None:
        found = net.fine("graph", "show", "redis", "--json").json
        assert sorted(one["project"] for one in found) == ["billing", "shop"]
        seen = {end for one in found for relation in one["relations"] for end in (relation["source"], one["project"])}
        assert {"checkout", "shop"} <= seen
        (billing,) = (one for one in found if one["project"] == "billing")
        assert all("checkout" not in (one["source"], one["target"]) for one in billing["relations"])
        assert net.fine("graph", "show", "redis").out.count("tool, project ") == 2

    def test_a_name_that_nothing_is_related_to_says_so(self, cli: Cli) -> None:
        cli.remember("Postgres is quick")
        assert "no relations" in cli.fine("graph", "show", "postgres").out

    def test_the_past_has_its_own_graph(self, net: Cli) -> None:
        refused(net, ("graph", "show", "redis", "--as-of", "2020-01-01"), 1, "no entity 'redis'")

    @pytest.mark.parametrize(
        ("words", "code", "message"),
        [
            (("show", "nobody"), 1, "no entity 'nobody'"),
            (("show", ""), 1, "an entity's name is a text"),
            (("show", BELL), 1, "an entity's name is a text"),
            (("show",), 2, "graph show needs an ENTITY"),
            (("show", "redis", "--project", "elsewhere"), 1, "no entity 'redis'"),
            (("path", "redis"), 2, "graph path needs a B"),
            (("path", "redis", "nobody"), 1, "no entity 'nobody'"),
            (("path", "nobody", "redis"), 1, "no entity 'nobody'"),
            (("prune", "--as-of", "2026-01-01"), 2, "leave out --as-of"),
            (("export", "--format", "pdf"), 1, "format must be one of json, graphml, svg, not 'pdf'"),
            (("export", "nobody"), 1, "no entity 'nobody'"),
            (("grow",), 2, "grow"),
        ],
    )
    def test_what_is_not_there_is_refused(self, net: Cli, words: tuple[str, ...], code: int, message: str) -> None:
        refused(net, ("graph", *words), code, message)

    def test_names_are_completed_once_they_have_been_read(self, net: Cli, home: Path) -> None:
        assert [*completed(["--home", str(home), "graph", "show"], "Re")] == []
        net.fine("graph", "show", "redis")
        assert {name for name, _ in completed(["--home", str(home), "graph", "show"], "Re")} == {"Redis"}


class TestPath:
    def test_the_way_goes_along_relations_whichever_way_they_point(self, net: Cli) -> None:
        told = net.fine("graph", "path", "memcached", "checkout", "--json").json
        assert {*told} == {"entities", "relations"}
        assert [one["name"] for one in told["entities"]] == ["Memcached", "Redis", "checkout"]
        assert [one["type"] for one in told["relations"]] == ["replaces", "uses"]
        first, second = net.fine("graph", "path", "memcached", "checkout").out.splitlines()
        assert first.startswith("Memcached ←replaces— Redis  (") and second.startswith("Redis ←uses— checkout  (")

    def test_where_nothing_leads_from_one_to_the_other_that_is_said(self, net: Cli) -> None:
        """Walls are such a place: no way leads from one project into another."""
        for start, end in (("redis", "anna"), ("memcached", "invoices")):
            result = net.fine("graph", "path", start, end)
            assert (result.out, result.err) == ("", "nothing leads from one to the other\n")

    def test_a_name_is_where_it_is(self, net: Cli) -> None:
        assert net.fine("graph", "path", "redis", "Redis").out == "Redis is the same\n"


class TestPrune:
    def test_what_is_sure_or_young_stays(self, net: Cli) -> None:
        before = events(net)
        assert net.fine("graph", "prune", "--dry-run", "--json").json == {
            "entities": 0,
            "relations": 0,
            "event": "",
            "dry_run": True,
        }
        assert net.fine("graph", "prune").out == "hid 0 entities and 0 relations\n"
        assert events(net) == before


class TestExport:
    def test_json_holds_the_whole_graph_or_a_neighbourhood(self, net: Cli) -> None:
        whole = net.fine("graph", "export", "--json").json
        assert net.fine("graph", "export").json == whole
        assert {*whole} == {"entities", "relations"}
        keys = {one["key"] for one in whole["entities"]}
        assert {"shop:redis", "billing:redis", "src/auth.py"} <= keys
        assert all({one["source"], one["target"]} <= keys for one in whole["relations"])
        near = net.fine("graph", "export", "src/auth.py", "--json").json
        assert {one["name"] for one in near["entities"]} == {"src/auth.py", "PyJWT", "Anna"}

    def test_graphml_has_a_node_for_every_entity_and_an_edge_for_every_relation(self, net: Cli) -> None:
        whole = net.fine("graph", "export", "--json").json
        root = ElementTree.fromstring(net.fine("graph", "export", "--format", "graphml").out)
        nodes = {node.attrib["id"] for node in root.iter(f"{GRAPHML}node")}
        assert nodes == {one["key"] for one in whole["entities"]}
        assert len([*root.iter(f"{GRAPHML}edge")]) == len(whole["relations"])
        told = net.fine("graph", "export", "--format", "graphml", "--json").json
        assert told["format"] == "graphml" and ElementTree.fromstring(told["text"]) is not None

    def test_a_picture_is_of_the_name_that_most_hangs_on_unless_one_is_named(self, net: Cli) -> None:
        drawn = net.fine("graph", "export", "src/auth.py", "--format", "svg").out
        texts = " ".join("".join(text.itertext()) for text in ElementTree.fromstring(drawn).iter(f"{SVG}text"))
        assert all(name in texts for name in ("src/auth.py", "PyJWT", "Anna", "imports"))
        assert ElementTree.fromstring(net.fine("graph", "export", "--format", "svg").out) is not None

    @pytest.mark.parametrize("format", ["json", "graphml", "svg"])
    def test_hostile_names_stay_text(self, cli: Cli, format: str) -> None:
        """No tag, no handler and no entity of XML comes out of what a memory names."""
        cli.remember(HOSTILE)
        out = cli.fine("graph", "export", "--format", format).out if format != "svg" else _picture(cli)
        assert format == "json" or "<script" not in out
        if format != "json":
            root = ElementTree.fromstring(out)
            assert not any(key.startswith("on") for part in root.iter() for key in part.attrib)
            assert not any(part.tag.endswith("script") for part in root.iter())
        assert not any(sign in out for sign in ("\a", "\033", "\u202e"))

    @pytest.mark.parametrize("words", [("show", "redis"), ("export",), ("path", "redis", "checkout")])
    def test_what_stands_beside_a_name_cannot_move_the_cursor(self, cli: Cli, words: tuple[str, ...]) -> None:
        cli.remember(f"checkout uses Redis, it {BELL}", "--project", f"shop {BELL}")
        for options in ((), ("--json",)):
            out = cli.fine("graph", *words, *options).out
            assert not any(sign in out for sign in ("\a", "\033", "\u202e"))

    def test_a_file_is_written_and_never_over_another_unless_told_to(self, net: Cli, root: Path) -> None:
        told = net.fine("graph", "export", "redis", "--format", "svg", "--out", "redis.svg", "--json").json
        drawn = (root / "redis.svg").read_text()
        assert told == {"file": "redis.svg", "characters": len(drawn)} and drawn.startswith("<svg")
        (root / "redis.svg").write_text("mine")
        refused(net, ("graph", "export", "--out", "redis.svg"), 1, "redis.svg is there already")
        assert (root / "redis.svg").read_text() == "mine"
        assert net.fine("graph", "export", "--out", "redis.svg", "--overwrite").out == "wrote redis.svg\n"
        assert (root / "redis.svg").read_text() == net.fine("graph", "export").out
        assert os.stat(root / "redis.svg").st_mode & 0o777 == 0o600
        (root / "gone.json").symlink_to(root / "nowhere.json")
        refused(net, ("graph", "export", "--out", "gone.json"), 1, "gone.json is there already")
        refused(net, ("graph", "export", "--out", "no/such/folder.json"), 1, "cannot be written")

    def test_an_empty_store_has_an_empty_graph_and_no_picture(self, cli: Cli) -> None:
        assert cli.fine("graph", "export", "--json").json == {"entities": [], "relations": []}
        refused(cli, ("graph", "export", "--format", "svg"), 1, "nothing to draw")


def _picture(cli: Cli) -> str:
    """Of whatever hostile name was read; of the best known one."""
    (first, *_) = cli.fine("graph", "export", "--json").json["entities"] or [{"name": ""}]
    return cli.fine("graph", "export", first["name"], "--format", "svg").out


def test_a_pipe_gets_the_whole_graph_without_colours(program: Program, home: Path) -> None:
    related(home)
    piped = program("graph", "show", "redis")
    assert (piped.code, piped.err) == (0, "") and "\033" not in piped.out
    assert program.shell("treering graph export | head -1").out == "{\n"
