"""A language model, where one is configured. Nothing needs it: what it would word stands without it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from treering.config import Config
    from treering.core.ports import LLM


def named(config: Config) -> LLM | None:
    """The model that the settings name; none if they name none."""
    if not config.llm:
        return None
    from treering.llm.endpoint import EndpointLLM

    return EndpointLLM(
        config.llm_base_url, config.llm_model, config.llm_strong_model, config.llm_key, float(config.llm_timeout)
    )
