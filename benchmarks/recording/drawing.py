"""The recorded lines as a picture of a terminal: an SVG that loads nothing, with text that can be selected."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from benchmarks.recording.story import ACT, ADDED, COMMAND, NOTE, OUTPUT, PROMPT, WIDTH, Line

# Pixels. A letter of a monospaced font is three fifths as wide as it is high, in nearly all of them.
SIZE, LINE, LETTER = 13, 18, 7.8
MARGIN, BAR = 18, 34
# What each kind of line is drawn in, on light and on dark. Both have at least the contrast that WCAG asks for (4.5).
_COLOURS = {
    NOTE: ("#57606a", "#9aa4b0"),
    COMMAND: ("#0a3069", "#a5d6ff"),
    OUTPUT: ("#24292f", "#c9d1d9"),
    PROMPT: ("#1a7f37", "#7ee787"),
    ACT: ("#24292f", "#c9d1d9"),
    ADDED: ("#8250df", "#d2a8ff"),
}
_PAPER, _EDGE = ("#ffffff", "#0d1117"), ("#d0d7de", "#30363d")
_DOTS = ("#ff5f57", "#febc2e", "#28c840")


def drawn(lines: Sequence[Line], title: str) -> str:
    """The same bytes for the same lines."""
    width, height = round(WIDTH * LETTER) + 2 * MARGIN, BAR + len(lines) * LINE + MARGIN
    rows = [_row(line, BAR + LINE * (number + 1) - 4) for number, line in enumerate(lines) if str(line)]
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'role="img" aria-label="{escape(title)}">',
            f"<title>{escape(title)}</title>",
            f"<style>{_style(0)}@media (prefers-color-scheme: dark) {{{_style(1)}}}</style>",
            f'<rect class="paper" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8"/>',
            *(f'<circle cx="{MARGIN + 18 * place}" cy="17" r="5.5" fill="{dot}"/>' for place, dot in enumerate(_DOTS)),
            *rows,
            "</svg>",
            "",
        )
    )


def _row(line: Line, y: int) -> str:
    return (
        f'<text class="{line.kind}" x="{MARGIN}" y="{y}" xml:space="preserve">{escape(str(line), quote=False)}</text>'
    )


def _style(scheme: int) -> str:
    """Colours, and in the first scheme all else that holds for both."""
    rules = [f".paper {{fill: {_PAPER[scheme]}; stroke: {_EDGE[scheme]};}}"]
    rules += [f".{kind} {{fill: {colours[scheme]};}}" for kind, colours in _COLOURS.items()]
    if not scheme:
        rules.append(
            f"text {{font: {SIZE}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre;}}"
        )
        rules.append(f".{COMMAND}, .{PROMPT} {{font-weight: 600;}}")
    return " ".join(rules)
