"""Everything that can go wrong, named for what went wrong, each message saying what to do next.

TreeringError
├── InvalidInput            what was asked for makes no sense
│   ├── TextTooLarge
│   ├── UnknownSetting
│   └── MalformedLine       a line of an imported file
├── NotFound                no such memory or event
├── IllegalMove             the lifecycle has no such transition
├── Refused                 an evolution that the rules do not allow
│   ├── NotEnoughEvidence   a number is missing
│   ├── Protected           an invariant or a meta-skill, without a justification
│   └── WouldLose           the replay gate: something helpful would be found no longer
├── Forbidden               the role of a person does not reach so far
├── CannotUndo
├── ReadOnly                a view of the past, or a folder that cannot be written
├── LedgerConflict          two ledgers that cannot be one
├── MissingExtra            a library that only some install
└── StoreError              the storage itself
    ├── StoreBusy
    ├── StoreFull
    ├── StoreUnavailable    cannot be opened: permissions, a missing folder, a network file system
    ├── StoreDamaged
    ├── ForeignFile
    └── NewerStore

Those that only one module raises stand beside it: in `skills`, `install`, `embed`, `foreign`, `mcp` and `cli`.
"""

from __future__ import annotations


class TreeringError(Exception):
    """The root of every error that Treering raises on purpose."""


class InvalidInput(TreeringError):
    """An argument, an option or a setting that makes no sense."""


class TextTooLarge(InvalidInput):
    def __init__(self, size: int, limit: int) -> None:
        super().__init__(
            f"the text has {size:,} characters and a memory holds at most {limit:,}: "
            "split it, or keep the whole in a file and remember where it is"
        )
        self.size = size
        self.limit = limit


class UnknownSetting(InvalidInput):
    def __init__(self, name: str, where: str, nearest: str | None) -> None:
        hint = f"did you mean {nearest!r}?" if nearest else "remove it"
        super().__init__(f"unknown setting {name!r} in {where}: {hint}")


class MalformedLine(InvalidInput):
    def __init__(self, source: str, line: int, problem: str) -> None:
        super().__init__(f"{source}, line {line}: {problem}; nothing was changed")
        self.line = line


class NotFound(TreeringError):
    def __init__(self, what: str, key: str, hint: str = "") -> None:
        super().__init__(f"no {what} {key!r}" + (f": {hint}" if hint else ""))


class IllegalMove(TreeringError):
    def __init__(self, id: str, now: str, to: str) -> None:
        super().__init__(
            f"memory {id} is {now} already" if now == to else f"memory {id} is {now} and cannot become {to}"
        )


class Refused(TreeringError):
    """An evolution that the rules do not allow."""


class NotEnoughEvidence(Refused):
    def __init__(self, action: str, ids: str, missing: tuple[str, ...]) -> None:
        super().__init__(f"not enough evidence to {action} {ids}: {'; '.join(missing)}")
        self.missing = missing


class Protected(Refused):
    def __init__(self, action: str, id: str, why: str) -> None:
        super().__init__(f"memory {id} is {why}: to {action} it, give a justification")


class WouldLose(Refused):
    def __init__(self, action: str, ids: str, count: int, recalls: int) -> None:
        what = "a result that was" if count == 1 else f"{count} results that were"
        super().__init__(
            f"to {action} {ids} would lose {what} marked helpful, of {recalls} replayed recalls: "
            f"`treering evolve try {action}` shows which; to do it all the same, force it with a reason"
        )


class Forbidden(TreeringError):
    """The role of a person in a team does not reach so far."""


class CannotUndo(TreeringError):
    """The event has been undone already, or what it did cannot be taken back."""


class ReadOnly(TreeringError):
    """This view cannot be written to."""


class LedgerConflict(TreeringError):
    """Two ledgers hold different events under one name, or one has a gap."""


class MissingExtra(TreeringError, ImportError):
    """A library of an optional extra that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is not installed: pip install 'treering[{extra}]'")


class StoreError(TreeringError):
    """The storage below cannot do what was asked."""


class StoreBusy(StoreError):
    """Another process has held the store for too long."""


class StoreFull(StoreError):
    """No space is left on the disk."""


class StoreUnavailable(StoreError):
    """The store cannot be opened or written."""


class StoreDamaged(StoreError):
    """The file is not intact."""


class ForeignFile(StoreError):
    """The file belongs to another program."""


class NewerStore(StoreError):
    """The store was written by a newer Treering."""
