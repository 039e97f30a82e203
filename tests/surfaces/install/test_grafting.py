"""Texts of JSON and TOML in any layout: what is put in is there, all else is as it was, and it comes out again."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.surfaces.install import toml
from treering.surfaces.install.entries import JSON, Field, Hook, Wanted, has_ours, made_by, missing, settle, strip
from treering.surfaces.install.graft import add, append, remove
from treering.surfaces.install.jsonc import Draft, NotUnderstood, back, plain, read

KEYS = st.one_of(st.text(max_size=5), st.sampled_from(["hooks", "mcpServers", "Stop", "treering", "a"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=10,
)
GAPS = ("", "", " ", "\n", "\n  ", "\t", "\r\n", " // note\n", "/* note */", " /* a\n b */ ", "\n// {[,\n")


def hook(event: str, program: str = "/x/treering-hook") -> Hook:
    entry = {"type": "command", "command": program, "args": [event]}
    return Hook(event, event, {"hooks": [entry]})


SERVER = {"command": "/x/treering", "args": ["mcp"]}
WANTED = Wanted(JSON, (hook("Stop"), hook("Start")), (Field(("mcpServers", "treering"), SERVER),))


@st.composite
def texts(draw: st.DrawFn, value: Any) -> str:
    """A value as somebody may have written it: blanks, line ends and comments anywhere, and commas behind the last."""

    def gap() -> str:
        return draw(st.sampled_from(GAPS))

    def written(value: Any) -> str:
        if not isinstance(value, (dict, list)):
            return json.dumps(value, ensure_ascii=draw(st.booleans()))
        cells: list[str] = []
        if isinstance(value, dict):
            cells = [f"{json.dumps(key)}{gap()}:{gap()}{written(one)}" for key, one in value.items()]
        else:
            cells = [written(one) for one in value]
        trailing: bool = draw(st.booleans())
        last = "," if cells and trailing else ""
        inside = ",".join(f"{gap()}{cell}{gap()}" for cell in cells) + last + gap()
        return f"{{{inside}}}" if isinstance(value, dict) else f"[{inside}]"

    mark: str = draw(st.sampled_from(["", "\ufeff"]))
    return f"{mark}{gap()}{written(value)}{gap()}"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_layout_is_read_as_it_is_meant(data: st.DataObject) -> None:
    """Comments and trailing commas say nothing."""
    value = data.draw(VALUES)
    assert plain(read(data.draw(texts(value)))) == value


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_is_there_it_goes_in_and_comes_out(data: st.DataObject) -> None:
    """Or is refused, and then nothing has to be undone. All that is not ours means what it meant."""
    value = data.draw(st.dictionaries(KEYS, VALUES, max_size=4))
    text = data.draw(texts(value))
    draft = Draft(text)
    made = made_by(text, WANTED)
    fresh = not has_ours(text, WANTED) and ("mcpServers", "treering") in made  # nor is the name another's
    try:
        settle(draft, WANTED)
    except NotUnderstood:
        return
    assert missing(draft.text, WANTED) == [] and back(draft.text, draft.steps) == text
    again = Draft(draft.text)
    settle(again, WANTED)
    assert again.text == draft.text
    strip(again, WANTED, made)
    if fresh:
        assert _sparse(plain(read(again.text)) or {}) == _sparse(value)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_where_nothing_of_ours_is_nothing_is_taken_out(data: st.DataObject) -> None:
    """Whatever is there, and whatever we may have made once."""
    draft = Draft(data.draw(texts(data.draw(VALUES))))
    text = draft.text
    assert not has_ours(text, WANTED)
    strip(draft, WANTED, WANTED.paths())
    assert draft.text == text


def _sparse(value: dict[str, Any]) -> dict[str, Any]:
    """Without what is null, which counts as if it were not there."""
    return {
        key: _sparse(one) if key in ("hooks", "mcpServers") and isinstance(one, dict) else one
        for key, one in value.items()
        if one is not None
    }


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_part_can_be_taken_out(data: st.DataObject) -> None:
    """The others stay, and it is still JSON."""
    value = data.draw(st.lists(VALUES, min_size=1, max_size=4) | st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
    draft = Draft(data.draw(texts(value)))
    root = read(draft.text)
    assert root is not None
    index = data.draw(st.integers(0, len(value) - 1))
    remove(draft, root, index)
    if isinstance(value, dict):
        del value[[*value][index]]
    else:
        del value[index]
    assert plain(read(draft.text)) == value


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ('{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "b": {\n    "c": [1, 2]\n  }\n}\n'),
        ('{\n\t"a": 1, // x\n}', '{\n\t"a": 1, // x\n\t"b": {\n\t\t"c": [1, 2]\n\t},\n}'),
        ('{"a":1}', '{"a":1,"b":{"c":[1,2]}}'),
        ('{"a": 1}', '{"a": 1, "b": {"c": [1, 2]}}'),
        ("{}", '{\n  "b": {\n    "c": [1, 2]\n  }\n}'),
        ('{\r\n    "a": 1\r\n}', '{\r\n    "a": 1,\r\n    "b": {\r\n        "c": [1, 2]\r\n    }\r\n}'),
        ('{\n  "b": {}\n}', '{\n  "b": {\n    "c": [1, 2]\n  }\n}'),
        ('{\n  "b": {"d": 1}\n}', '{\n  "b": {"d": 1, "c": [1, 2]}\n}'),
    ],
)
def test_what_is_added_looks_like_what_is_there(text: str, wanted: str) -> None:
    """Indentation, line ends, blanks and commas follow the file."""
    draft = Draft(text)
    add(draft, ("b",), {"c": [1, 2]})
    assert draft.text == wanted


def test_items_are_added_behind_the_others() -> None:
    """A comment at the end of a line stays on its line."""
    draft = Draft('{\n  "a": [\n    1, // one\n    2 // two\n  ]\n}')
    append(draft, ("a",), 3)
    assert draft.text == '{\n  "a": [\n    1, // one\n    2, // two\n    3\n  ]\n}'


@pytest.mark.parametrize("deep", [150, 100_000])  # how deep is too deep depends on the Python
def test_very_deep_texts_are_read_or_refused(deep: int) -> None:
    """Never does Python run out of its stack."""
    text = "[" * deep + "]" * deep
    if deep < 200:
        assert read(text) is not None
    else:
        with pytest.raises(NotUnderstood, match="levels deep"):
            read(text)


TABLE = {"command": "/x/treering", "args": ["mcp"]}
PATH = ("mcp_servers", "treering")


@pytest.mark.parametrize(
    "text",
    [
        '[mcp_servers.treering]\ncommand = "old" # mine\nargs = []\nenv = { A = "1" }\n[z]\nb = 1\n',
        '[mcp_servers]\ntreering = { command = "old", env = { A = "1" } }\n[z]\nb = 1\n',
        'mcp_servers = { treering = { env = { A = "1" }, command = "old" } } # x\nz.b = 1\n',
        'z.b = 1\n[mcp_servers.treering]\nenv.A = "1"\n',
        'z.b = 1\n[mcp_servers."treering"]\n[mcp_servers.treering.env]\nA = "1"\n',
    ],
)
def test_a_server_that_is_there_is_corrected_in_its_place(text: str) -> None:
    """However it is written; what else it says stays."""
    draft = Draft(text)
    toml.put(draft, PATH, TABLE)
    value = tomllib.loads(draft.text)
    assert value["mcp_servers"]["treering"] == {**TABLE, "env": {"A": "1"}} and value["z"] == {"b": 1}
    assert back(draft.text, draft.steps) == text
    toml.take(draft, PATH)
    assert "treering" not in tomllib.loads(draft.text).get("mcp_servers", {}) and "b = 1" in draft.text


CHUNKS = (
    'model = "gpt-5" # [x]',
    "notify = ['a', \"b\", ] # ]",
    'text = """\n[mcp_servers.treering]\ncommand = \\"""no\\"\n"""',
    "raw = '''\n# ' [\n'''",
    "deep = [ [1, 2], # ]\n  { a = '}', b = [\"]\"] } ]",
    "a.b.'c.d'.\"e=f\" = 1979-05-27T07:32:00Z",
    "# [mcp_servers.treering]",
    "",
)
TABLES = (
    '[mcp_servers.x]\ncommand = "x"',
    "[mcp_servers.x.env]\nA = '#'",
    "[ tui . 'x y' ] # z\nn = 1_000",
    "[[many]]\nn = 1\n\n[[many]]",
    "   [indented]\n   n = 0x1F",
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(CHUNKS), unique=True),
    st.lists(st.sampled_from(TABLES), unique=True),
    st.sampled_from(["\n", "\n\n", "\n\n\n"]),
    st.sampled_from(["", "\n", "\n\n"]),
    st.booleans(),
)
def test_any_toml_takes_a_server_and_gives_it_back(
    chunks: list[str], tables: list[str], gap: str, end: str, windows: bool
) -> None:
    """To the byte, also when it is found by its name alone."""
    text = gap.join((*chunks, *tables)) + end
    text = text.replace("\n", "\r\n") if windows else text
    before = tomllib.loads(text)
    draft = Draft(text)
    toml.put(draft, PATH, TABLE)
    after = tomllib.loads(draft.text)
    assert after["mcp_servers"].pop("treering") == TABLE
    assert {**after, "mcp_servers": {**after["mcp_servers"]}} == {"mcp_servers": {}, **before}
    moved = Draft(draft.text)
    toml.put(moved, PATH, {**TABLE, "command": "/y"})
    assert moved.text == draft.text.replace('"/x/treering"', '"/y"')
    assert back(draft.text, draft.steps) == text
    toml.take(draft, PATH)
    assert draft.text == text


def test_a_server_that_cannot_be_corrected_is_refused() -> None:
    """A text where a table should be."""
    with pytest.raises(NotUnderstood):
        toml.put(Draft('mcp_servers = "none"\n'), PATH, TABLE)
