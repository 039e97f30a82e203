"""Treering beside others that install from PyPI and run offline, with the same vectors for all."""

import os

# Nothing that is measured here may call home. This must be said before any of the packages is imported.
os.environ.update(
    ANONYMIZED_TELEMETRY="False",  # chromadb
    MEM0_TELEMETRY="False",
    LANGSMITH_TRACING="false",  # langgraph, through langchain-core
    POSTHOG_DISABLED="1",  # the collector that mem0 and older chromadb use
    HF_HUB_OFFLINE="1",
    DO_NOT_TRACK="1",
)
