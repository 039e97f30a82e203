"""Putting Treering into agents, and taking it out again: a table of agents, and plan, confirm, apply.

agents, scripts           what is written for each agent, and where our programs are
jsonc, grafting, toml     foreign files, read with their comments and edited without disturbing them
splices, entries, tally   steps that can be taken back; what of ours is in a file, and should be; what differs
records, files            what was written, so that exactly that goes again; files whole or as they were
copies, planning          skills and commands that are placed; all that is to be done, before anything is
applying, state           it is done; and how it stands, for `status` and `doctor`
plugin                    the folder itself, for agents that take plugins
"""
