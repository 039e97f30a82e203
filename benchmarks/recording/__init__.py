"""A recorded session: what a person sees who installs Treering and works with it.

    make record

writes docs/session.txt and docs/session.svg. Nothing in it is made up but the agent's part, which is played (`agent`):
the commands are run, the hooks are those that `treering install` wrote, and they get what Claude Code would send; one
`treering maintain` stands for the time that passes between sessions. What differs from run to run (ids, times, numbers
made by chance, the folder) is replaced by something that does not.
"""
