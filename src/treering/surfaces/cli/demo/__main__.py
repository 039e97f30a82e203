"""Play the story: `make demo`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from treering.surfaces.cli.demo.stage import HEADING, Failed, Stage, say
from treering.surfaces.cli.demo.story import STORY

END = "The store was a throw-away. Yours is in ~/.treering: try `treering install`, or `treering remember`."


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="treering-demo-") as folder:
        stage = Stage(Path(folder).resolve())
        for scene in STORY:
            print(flush=True)
            say(f"{scene.day}. {scene.heading}", HEADING)
            try:
                stage.play(scene)
            except Failed as error:
                print(f"error: {error}", file=sys.stderr)
                return 1
    print(f"\n{END}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
