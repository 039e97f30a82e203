"""A small year under each policy: `make year` lives through the whole of it."""

from __future__ import annotations

import importlib
import json
import struct
import zlib
from itertools import pairwise
from pathlib import Path

import pytest

from benchmarks import report
from benchmarks.ageing import lives, speed, year
from benchmarks.ageing.picture import HEIGHT, SIGNATURE, WIDTH, png
from benchmarks.ageing.plot import HEIGHT as LINES
from benchmarks.ageing.plot import SHADES, plot, shade
from benchmarks.ageing.year import EVERY, TIERS, Sample, Year

ageing = importlib.import_module("benchmarks.ageing.__main__")
MEMORIES, SESSIONS = 100, 20


@pytest.fixture(scope="module")
def years(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Year]:
    folder = str(tmp_path_factory.mktemp("years"))
    return {found.policy: found for found in ageing.run(MEMORIES, SESSIONS, list(TIERS), folder)}


def test_the_year_is_the_same_every_time_and_has_quiet_weeks() -> None:
    held = lives.sessions(SESSIONS)
    known = lives.lives(MEMORIES, held)
    assert (held, known) == (lives.sessions(SESSIONS), lives.lives(MEMORIES, held))
    gaps = [after.day - before.day for before, after in pairwise(held)]
    assert sorted(gaps)[-4:] == [1, 8, 8, 8]
    for life in known:
        assert all(life.born < place < SESSIONS for place in life.wanted)
        projects = {held[place].project for place in (life.born, *life.wanted)}
        assert life.scope == "user" or len(projects) == 1


@pytest.mark.parametrize("policy", list(TIERS))
def test_every_memory_is_in_one_tier_and_has_one_status(years: dict[str, Year], policy: str) -> None:
    """Samples grow up to all memories, and at the end the statuses add up to them too."""
    found = years[policy]
    assert [sum(sample.sizes.values()) for sample in found.samples] == [25, 50, 75, 100]
    assert sum(found.statuses.values()) == MEMORIES
    assert found.statuses.get("forgotten", 0) == found.samples[-1].sizes.get("forgotten", 0)
    assert sum(found.moves.values()) > 0


def test_every_policy_is_asked_for_the_same(years: dict[str, Year]) -> None:
    held = lives.sessions(SESSIONS)
    asked = sum(len(life.wanted) for life in lives.lives(MEMORIES, held))
    assert {found.wanted for found in years.values()} == {asked}
    assert years["sessions"].missed == years["sessions"].retired == 0  # nothing is forgotten there


def test_what_was_forgotten_and_is_wanted_counts_as_missed(tmp_path: Path) -> None:
    """Wanted twice after nine months: by then the calendar has forgotten it."""
    held = [lives.Session(f"s{day}", day, "") for day in (0, 61, 160, 270, 271)]
    late = lives.Life("semantic", "user", False, 0, (3, 4))
    kept = late._replace(invariant=True)
    found = year.run(str(tmp_path / "year.db"), "age", held, [late, kept])
    assert (found.wanted, found.missed, found.retired) == (4, 2, 1)
    assert found.statuses == {"active": 1, "forgotten": 1}


def test_what_comes_back_from_the_archive_counts_as_reactivated(tmp_path: Path) -> None:
    held = [lives.Session(f"s{day}", day, "") for day in (0, 61, 62)]
    life = lives.Life("semantic", "user", False, 0, (2,))
    found = year.run(str(tmp_path / "year.db"), "age", held, [life])
    assert (found.reactivated, found.missed, found.statuses) == (1, 0, {"active": 1})


@pytest.mark.parametrize("policy", list(TIERS))
def test_the_plot_has_a_column_for_each_sample_and_names_every_tier(years: dict[str, Year], policy: str) -> None:
    lines = plot(years[policy]).splitlines()
    area = [line[8:] for line in lines[1 : LINES + 1]]
    assert all(len(line) == SESSIONS // EVERY for line in area)
    assert set("".join(area)) <= {*SHADES[len(TIERS[policy])], " "}
    heights = [sum(line[column] != " " for line in area) for column in range(SESSIONS // EVERY)]
    assert heights == [LINES // 4, LINES // 2, LINES * 3 // 4, LINES]
    assert all(f" {tier} " in lines[-1] for tier in TIERS[policy])
    assert policy in lines[0] and "day" in lines[LINES + 2]


def test_tiers_are_piled_up_in_their_order() -> None:
    sample = Sample(0, {"hot": 2, "archive": 0, "forgotten": 1})
    assert [shade(sample, TIERS["age"], height) for height in (0.5, 1.5, 2.5, 3.5)] == ["█", "█", "░", " "]


@pytest.mark.parametrize("policy", list(TIERS))
def test_the_picture_is_a_png_of_its_size(years: dict[str, Year], policy: str) -> None:
    picture = png(years[policy])
    assert picture.startswith(SIGNATURE)
    assert struct.unpack(">II", picture[16:24]) == (WIDTH, HEIGHT)
    start = picture.index(b"IDAT")
    (length,) = struct.unpack(">I", picture[start - 4 : start])
    pixels = zlib.decompress(picture[start + 4 : start + 4 + length])
    assert len(pixels) == HEIGHT * (WIDTH + 1)
    assert len(set(pixels)) > 4  # paper, ink, lines and tiers
    assert len(picture) < 40_000


def test_a_run_is_recorded_with_its_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "README.md"
    page.write_text("<!-- the latest run: ageing -->\n<!-- the end of it: ageing -->\n")
    for name, place in (("README", page), ("RESULTS", tmp_path / "results"), ("BUILD", tmp_path / "build")):
        monkeypatch.setattr(report, name, str(place))
    assert ageing.main(["--memories", "10", "--sessions", "5", "--only", "age", "--save"]) == 0
    names = sorted(path.name for path in (tmp_path / "results").iterdir())
    assert names[1] == "ageing-age.png" and f"results/{names[1]}" in page.read_text()
    record = json.loads((tmp_path / "results" / names[0]).read_text())
    assert record["years"][0]["samples"][-1]["hot"] == 10
    assert "hot 10" in capsys.readouterr().out


def test_each_case_of_hygiene_moves_as_many_as_it_says(tmp_path: Path) -> None:
    path = speed.store(str(tmp_path), 50)
    for policy in TIERS:
        moved = {case: moves for case, (_, moves) in speed.ours(path, policy).items()}
        assert list(moved.values()) == [5, 0, 50]


def test_hygiene_is_measured_at_each_size_and_in_its_growth(tmp_path: Path) -> None:
    figures = list(speed.run((50, 100), ["age"], 1, str(tmp_path)))
    assert len(figures) == 9  # three cases at two sizes, and how each grew
    assert all(found.ratio > 0 for found in figures)
    assert not list(tmp_path.iterdir())
