"""Put Treering into agents and take it out again, with a table of agents and three verbs: plan, confirm, apply.

agents, scripts      what is written for each agent, and where our programs are
jsonc, graft, toml   settings of other programs, edited with their comments and layout kept
entries              what of ours is in a file, and what should be
records, files       what was written, so that exactly that is removed; files that are whole or as before
plan, apply          all that is to be done, before anything is; then it is done
state                how an installation stands, for `status` and `doctor`
"""
