"""The root of the command line: what every command takes, other names for commands, help and errors."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

from treering.ledger.types import number_in
from treering.surfaces.cli import wants_json
from treering.surfaces.cli.render import Answer, put, use_plain

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from treering.memory import Treering

    F = TypeVar("F", bound=Callable[..., Any])

PROGRAM = "treering"
TITLE = "Treering: a long-term memory for AI agents that improves itself with use, and can prove it."
EVERYDAY, CHANGE, REVIEW, MAINTAIN, EVOLVE, KNOWLEDGE, AGENTS, FILES, STORE, SHARED = SECTIONS = (
    "Every day",
    "Change your mind",
    "Review what waits for you",
    "Maintain",
    "Evolve",
    "Skills and graph",
    "Agents and settings",
    "Files",
    "Store",
    "Team and machines",
)
WIDTH = 100  # columns of help at the most
_SETTINGS = {"help_option_names": [], "max_content_width": WIDTH}


class Number(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A whole number that is not negative."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        found = number_in(value)
        if found is None:
            flag = param.opts[0] if param is not None else "it"
            raise click.UsageError(f"{flag} takes a whole number, not {value[:40]!r}", ctx)
        return found


class Words(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """One of some words. They are for help and completion; the rules behind the API decide."""

    name = "word"

    def __init__(self, *choices: str) -> None:
        self.choices = choices

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        from click.shell_completion import CompletionItem

        return [CompletionItem(choice) for choice in self.choices if choice.startswith(incomplete)]


class Argument(click.Argument):
    """A positional parameter that says what it is for."""

    def __init__(self, param_decls: Sequence[str], about: str = "", **attributes: Any) -> None:
        super().__init__(param_decls, **attributes)
        self.about = about


class _Shared(click.Command):
    """A command or group that takes what every command takes."""

    def __init__(self, name: str, *, section: str = "", examples: Sequence[str] = (), **attributes: Any) -> None:
        super().__init__(name, context_settings=_SETTINGS, add_help_option=False, **attributes)
        self.section = section
        self.examples = tuple(examples)
        self.path = name  # with the groups that it stands in
        self.source = "", 0  # the file and line of its function
        self.own = [*self.params]
        self.params = [*self.params, *_shared_options()]

    def take(self, params: Sequence[click.Parameter]) -> None:
        """Add parameters of its own."""
        self.own = [*params]
        self.params = [*params, *_shared_options()]

    def make_parser(self, ctx: click.Context) -> Any:
        """Take what has a space in its name as a text, and no option as the value of another one."""
        parser: Any = super().make_parser(ctx)
        process, value_of = parser._process_opts, parser._get_value_from_state
        flags = {flag for param in self.params for flag in param.opts if isinstance(param, click.Option)}

        def processed(word: str, state: Any) -> None:
            if any(map(str.isspace, word.partition("=")[0])):
                state.largs.append(word)
            else:
                process(word, state)

        def value(name: str, option: Any, state: Any) -> Any:
            found = value_of(name, option, state)
            if option.takes_value and (not isinstance(found, str) or found in flags):
                text = f"{name} needs a value; one that starts with a dash is written {name}=VALUE"
                raise click.UsageError(text, ctx)
            return found

        parser._process_opts, parser._get_value_from_state = processed, value
        return parser


class Command(_Shared):
    """One command: a function with its arguments and options."""


class Group(_Shared, click.Group):
    """Commands that belong together. `aliases` are other names for commands, as words from the root."""

    def __init__(self, name: str, *, aliases: dict[str, str] | None = None, **attributes: Any) -> None:
        super().__init__(name, **attributes)
        self.invoke_without_command, self.no_args_is_help = True, False
        self.aliases = aliases or {}
        self.callback = self._without_command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[Any, Any, list[str]]:
        for size in (2, 1):
            alias = " ".join(args[:size])
            if alias in self.aliases:
                ctx.find_root().obj["alias"] = alias
                name, *rest = self.aliases[alias].split()
                return name, ROOT.commands[name], [*rest, *args[size:]]
        command = self.get_command(ctx, args[0])
        if command is None and not ctx.resilient_parsing:
            raise click.UsageError(self._unknown(args[0]), ctx)
        return args[0] if command else None, command, args[1:]

    def visible(self) -> list[Any]:
        return [command for command in self.commands.values() if not command.hidden]

    def _unknown(self, word: str) -> str:
        near = get_close_matches(word, [*self.commands, *(name.split()[0] for name in self.aliases)], 1)
        before = f"{self.path} " if self is not ROOT else ""
        known = f"there is {', '.join(command.name for command in self.visible())}" if before else "see `treering help`"
        hint = f"did you mean {before}{near[0]}?" if near else known
        return f"{before}has no {word!r}: {hint}" if before else f"unknown command {word!r}: {hint}"

    def _without_command(self) -> int:
        """Answer a group that stands alone: with its help."""
        context = click.get_current_context()
        if context.invoked_subcommand is not None:
            return 0
        return put(helped(self), context.find_root().obj.get("json", False))


def option(*flags: str, about: str, **attributes: Any) -> Callable[[F], F]:
    """Declare an option. Without a type it is a text, and "" when it is not given."""
    if not attributes.get("is_flag") and not attributes.get("multiple"):
        attributes.setdefault("default", "")
    return click.option(*flags, help=about, show_default=False, **attributes)


def flag(name: str, about: str, *names: str, **attributes: Any) -> Callable[[F], F]:
    return option(name, *names, about=about, is_flag=True, **attributes)


def number(name: str, about: str, default: int, *names: str, **attributes: Any) -> Callable[[F], F]:
    return option(name, *names, about=about, type=Number(), default=default, metavar="N", **attributes)


def argument(name: str, about: str, **attributes: Any) -> Callable[[F], F]:
    """Declare an argument. One that may be left out has `required=False`; `nargs=-1` takes many."""
    if attributes.get("required") is False and attributes.get("nargs") != -1:
        attributes.setdefault("default", "")
    attributes.setdefault("metavar", name.upper())
    return click.argument(name, cls=Argument, about=about, **attributes)


def command(
    parent: Group,
    name: str,
    *,
    section: str = "",
    examples: Sequence[str] = (),
    opens: bool = True,
    past: bool = True,
    hidden: bool = False,
) -> Callable[[F], F]:
    """Make a function a command. Its docstring is the help; it is given an open memory first if it `opens` one.

    Without a name, it is what the parent does when it stands alone. `past`: it makes sense with --as-of.
    """

    def made(function: F) -> F:
        params = [*reversed(getattr(function, "__click_params__", []))]
        call, help = _call(function, opens, past), _prose(function.__doc__ or "")
        if not name:
            parent.callback, parent.help, parent.examples = call, help, tuple(examples)
            parent.take(params)
            return function
        one = Command(name, section=section, examples=examples, params=params, callback=call, help=help, hidden=hidden)
        one.path = f"{parent.path} {name}" if parent is not ROOT else name
        one.source = function.__code__.co_filename, function.__code__.co_firstlineno
        parent.add_command(one)
        return function

    return made


def group(
    name: str, about: str = "", *, section: str = "", hidden: bool = False, aliases: dict[str, str] | None = None
) -> Group:
    """Make a group of commands. `aliases` are other names in it, each for the words of a line from the root."""
    made = Group(name, section=section, help=about, hidden=hidden, aliases=aliases)
    ROOT.add_command(made)
    return made


def shared() -> dict[str, Any]:
    """Return what every command takes, as given on this line: home, store, space, as_of, json; and the alias."""
    given = click.get_current_context().find_root().obj
    return {"home": "", "store": "", "space": "", "as_of": "", "json": False, "plain": False, "alias": "", **given}


def opened(given: dict[str, Any]) -> AbstractContextManager[Treering]:
    from treering.compose import open

    return open(
        given["home"] or None,
        store=given["store"],
        space=given["space"],
        actor="user",
        as_of=given["as_of"] or None,
    )


def surroundings() -> Mapping[str, str]:
    """Return the environment, with the store and the space that this line names."""
    named = {f"TREERING_{name.upper()}": shared()[name] for name in ("store", "space")}
    return {**os.environ, **{name: value for name, value in named.items() if value}}


def _call(function: Callable[..., Answer], opens: bool, past: bool) -> Callable[..., int]:
    def call(**values: Any) -> int:
        context, given = click.get_current_context(), shared()
        if isinstance(context.command, Group) and context.invoked_subcommand is not None:
            return 0
        if given["as_of"] and not past:
            raise click.UsageError(f"{context.command.path} looks at things as they are now: leave out --as-of")  # type: ignore[attr-defined]
        use_plain(bool(given["plain"]))
        if not opens:
            return put(function(**values), given["json"])
        with opened(given) as memory:
            if values.get("project") == ".":
                values["project"] = memory.workspace.project_of(os.getcwd())
            return put(function(memory, **values), given["json"])

    return call


def _prose(text: str) -> str:
    """Return a docstring as click wraps it."""
    from inspect import cleandoc

    return cleandoc(text)


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Keep an option of every command, wherever on the line it stands."""
    if value == "":
        raise click.UsageError(f"the value of {param.opts[0]} is empty", ctx)
    if value:
        ctx.find_root().obj[param.name] = value


def _help(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value and not ctx.resilient_parsing:
        put(helped(ctx.command), wants_json(ctx.find_root().obj["words"]))
        ctx.exit()


def _shared_options() -> list[click.Option]:
    told: dict[str, Any] = {"expose_value": False, "callback": _keep}
    return [
        click.Option(["--home"], metavar="DIR", help=_HOME, type=click.Path(), **told),
        click.Option(["--store"], metavar="ADDRESS", help=_STORE, **told),
        click.Option(["--space"], metavar="NAME", help="the space: memories of one never show in another", **told),
        click.Option(["--as-of"], metavar="TIME", help="show that moment: 2026-05-01, or 2026-05-01T14:30:00Z", **told),
        click.Option(["--json"], is_flag=True, help="answer in JSON, for programs", **told),
        click.Option(["--plain"], is_flag=True, help="print at a terminal as in a pipe: no colour, no paging", **told),
        click.Option(["--help", "-h"], is_flag=True, is_eager=True, expose_value=False, callback=_help, help=_USED),
    ]


_HOME = "the folder of the store (default: $TREERING_HOME, or ~/.treering)"
_STORE = "a database in place of the file in the home: postgresql://… (default: $TREERING_STORE)"
_USED = "say how a command is used"
ROOT = Group(PROGRAM, help=TITLE)


# Commands that agents start while somebody waits, and the file of each: with all others it takes twice as long.
_ALONE = {"mcp": "serve", "statusline": "statusline"}


def started(words: Sequence[str] = ()) -> Group:
    """Return the root with every command in it, or with those that a line needs if it is one of an agent."""
    if words and words[0] in _ALONE:
        import_module(f"treering.surfaces.cli.{_ALONE[words[0]]}")
        return ROOT
    from treering.surfaces.cli import (  # noqa: F401  (each file adds its commands)
        agents,
        change,
        consolidate,
        everyday,
        evolve,
        files,
        graph,
        maintain,
        review,
        serve,
        settings,
        skills,
        statusline,
        store,
        sync,
        team,
    )

    ROOT.commands = dict(sorted(ROOT.commands.items(), key=lambda named: _place(named[1])))
    return ROOT


def _place(command: Any) -> tuple[int, str, int]:
    """Return where a command stands in the manual: by section, then as in the files, whichever was imported first."""
    inner: list[Any] = [*command.commands.values()] if isinstance(command, Group) else [command]
    return (*SECTIONS, "").index(command.section), *min(one.source for one in inner)


def _version(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value and not ctx.resilient_parsing:
        put(_versions(), wants_json(ctx.find_root().obj["words"]))
        ctx.exit()


def _versions() -> Answer:
    from treering import __version__

    return Answer({"version": __version__}, lambda page: [f"treering {__version__}"])


ROOT.params.append(
    click.Option(["--version"], is_flag=True, is_eager=True, expose_value=False, callback=_version, help="print it")
)


@command(ROOT, "version", examples=("treering version",), opens=False, hidden=True)
def version() -> Answer:
    """Print the version."""
    return _versions()


@command(ROOT, "help", section=AGENTS, examples=("treering help", "treering help remember"), opens=False)
@argument("command", "which", required=False, nargs=-1)
def help(command: tuple[str, ...]) -> Answer:
    """Say how a command is used."""
    found: Any = ROOT
    context, words = click.get_current_context().find_root(), [*command]
    while words and isinstance(found, Group) and not words[0].startswith("-"):  # an alias may end in options
        _, found, words = found.resolve_command(context, words)
    return helped(found)


def leaves(group: Group, hidden: bool = False) -> Iterator[Any]:
    """Return the commands of a group and of the groups in it: those that are shown, or the hidden ones."""
    for one in group.commands.values():
        if not isinstance(one, Group):
            if (one.hidden or group.hidden) == hidden:
                yield one
            continue
        if one.examples and one.hidden == hidden:
            yield one
        yield from leaves(one, hidden)


def summary(command: click.Command) -> str:
    """Return the first sentence of a command's help."""
    return (command.help or "").split("\n\n")[0].replace("\n", " ")


def about(command: click.Command) -> str:
    """Return what there is to say beyond it."""
    return (command.help or "").partition("\n\n")[2].strip()


def usage(command: _Shared) -> str:
    """Return the command line as it is written."""
    parts = [PROGRAM, command.path] if command is not ROOT else [PROGRAM]
    for param in arguments(command):
        name = f"{param.metavar}{'…' if param.nargs == -1 else ''}"
        parts.append(name if param.required else f"[{name}]")
    if isinstance(command, Group):
        parts.append("[COMMAND …]" if command.examples else "COMMAND …")
    return " ".join(parts)


def arguments(command: _Shared) -> list[Argument]:
    return [param for param in command.own if isinstance(param, Argument)]


def options(params: Iterable[click.Parameter]) -> list[click.Option]:
    return [param for param in params if isinstance(param, click.Option) and not param.hidden]


def written(option: click.Option) -> str:
    """Return an option as it is typed."""
    flags = ", ".join(option.opts)
    return flags if option.is_flag else f"{flags} {option.metavar or (option.name or '').upper()}"


def meaning(param: click.Option | Argument) -> str:
    """Return what an option is for, what it can be, and what holds without it."""
    text = param.about if isinstance(param, Argument) else param.help or ""
    if isinstance(param.type, Words) and param.type.choices[0] not in text:
        text += f" ({', '.join(param.type.choices)})"
    default = param.default if isinstance(param.type, Number) else 0
    return f"{text} (default: {default})" if isinstance(default, int) and default > 0 else text


def described(command: _Shared) -> dict[str, Any]:
    """Return a command for programs."""
    return {
        "name": command.path,
        "usage": usage(command),
        "summary": summary(command),
        "about": about(command),
        "arguments": [{"name": one.metavar, "about": meaning(one)} for one in arguments(command)],
        "options": [{"flags": [*one.opts], "about": meaning(one)} for one in options(command.params)],
        "examples": [*command.examples],
    }


def helped(command: Any) -> Answer:
    """Return the help of a command or a group."""
    shown = [*leaves(command)] if isinstance(command, Group) else []
    if isinstance(command, Group) and command.examples:
        shown = [command, *shown]
    value: Any = [described(one) for one in shown] if shown else described(command)
    return Answer(value, lambda page: _manual(command, page.width).splitlines())


def _manual(command: Any, width: int) -> str:
    """Return the help of a command as text."""
    formatter = click.HelpFormatter(width=min(width or WIDTH, WIDTH))
    formatter.write_usage(usage(command), "[options]" if options(command.own) else "")
    formatter.write_paragraph()
    for paragraph in (summary(command), about(command)):
        if paragraph:
            formatter.write_text(paragraph)
            formatter.write_paragraph()
    for title, rows in _parts(command):
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)
    if command.examples:
        with formatter.section("Examples"):
            formatter.write("".join(f"  {example}\n" for example in command.examples))
    if command is ROOT:
        formatter.write("\n`treering help COMMAND` has examples.\n")
    return formatter.getvalue()


def _parts(command: Any) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    yield "Arguments", [(str(one.metavar), meaning(one)) for one in arguments(command)]
    yield "Options", [(written(one), meaning(one)) for one in options(command.own)]
    if command is ROOT:
        for section in SECTIONS:
            yield section, [_listed(one) for one in command.visible() if one.section == section]
    elif isinstance(command, Group):
        yield "Commands", [(one.name, summary(one)) for one in command.visible()]
    yield "Every command takes", [(written(one), meaning(one)) for one in options(command.params[len(command.own) :])]


def _listed(one: Any) -> tuple[str, str]:
    """Return a line of the overview: a command, or a group with the names of its commands."""
    inner = f" ({', '.join(other.name for other in one.visible())})" if isinstance(one, Group) else ""
    return one.name, summary(one).rstrip(".") + inner


def explained(error: click.UsageError) -> str:
    """Return what is wrong with a line, and what would be right, in one sentence."""
    command: Any = error.ctx.command if error.ctx is not None else ROOT
    path = getattr(command, "path", PROGRAM)
    if isinstance(error, click.NoSuchOption):
        name, flags = error.option_name, [flag for param in command.params for flag in param.opts]
        near = get_close_matches(name, flags, 1)
        hint = f"did you mean {near[0]}?" if near else f"see `treering help {path if command is not ROOT else ''}`"
        if not name.startswith("--") and arguments(command):
            hint = "put -- before a text that starts with a dash"
        return f"unknown option {name} for {path}: {hint}"
    if isinstance(error, click.MissingParameter) and isinstance(error.param, Argument):
        name = str(error.param.metavar)
        return f"{path} needs {'an' if name[0] in 'AEIOU' else 'a'} {name}: {usage(command)}"
    message = error.format_message()
    if message.startswith("Got unexpected extra"):
        hint = "put quotes around a text of several words" if arguments(command) else f"see {usage(command)}"
        return f"{path} does not know what to do with {message.partition('(')[2].rstrip(')')!r}: {hint}"
    return message
