"""What holds in every test."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no fault of the code.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# Chance has a say only in the tests that are about it.
os.environ["TREERING_SWAP"] = "0"


class Alarm:
    """Names each failure when it happens, so that nobody waits for the end of the run to see it."""

    def __init__(self, config: pytest.Config) -> None:
        self._plugins = config.pluginmanager

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._plugins.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            terminal.write(f"\nFAILED {report.nodeid} - {reason(report)}\n", flush=True, red=True)


def reason(report: pytest.TestReport) -> str:
    """Return the first line of what went wrong."""
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash else report.longreprtext).strip().partition("\n")[0]


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # a worker of xdist has nobody to tell
        config.pluginmanager.register(Alarm(config))
