"""A week with a memory, on a throw-away store: the commands as a person would type them, and what they answer.

`make demo` runs it. `story` is the table of scenes, `stage` runs them and plays the agent whose hooks are called.
Every line of output comes from the real programs. Only the calendar is not real: each scene is played on a later day,
so that a week takes half a minute.
"""
