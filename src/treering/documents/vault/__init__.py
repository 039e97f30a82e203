"""Readable files of a memory: Markdown that a person reads, and from which the state can be rebuilt.

sessions/*.md     what each session created, referenced, reactivated and superseded; immutable once written
continuity.md     the facts as they stand, each with its id, dates, uses and tier: what the session files amount to
archive.md        a line for each fact that has faded or was superseded, and why
MEMORY.md         an index of everything, by type; not part of a vault

A fact is a list item with a footer in a comment:

    - The proxy must stay protocol-agnostic at the transport layer.
      <!-- id: inv-transport-agnostic | created: 2026-06-01 | last_used: 2026-06-27 | uses: 9 | tier: active -->

`uses` counts the sessions that referenced it. `tier` counts the sessions that began since its last use, of those that
made or used a fact which is still told: see `ledger.ageing.ring_tier`. All of it is whole numbers and dates, so every
reader comes to the same result.

lines, header, dates   Markdown itself, written and read
fact, session          what stands in a session file
state                  session files replayed
continuity             what is made of it
segments               what the session files lack
folder, vault          the files; the ledger written to them, and read from them
"""
