"""Draw bars, columns and lines as SVG. The policy of the pages forbids styles inline: classes say how they look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

_BAR = 120  # units of a bar: its own scale, whatever its width on the page
HEIGHT, STEP, GAP = 64, 14, 2  # units of a picture, of one column, and between two
FEWEST = 8  # columns of a picture: fewer would be walls


def bar(share: float, label: str = "") -> Markup:
    """Draw a share from 0 to 1."""
    filled = round(_BAR * min(1.0, max(0.0, share)), 1)
    return Markup(
        '<svg class="bar" viewBox="0 0 {0} 6" preserveAspectRatio="none" role="img" aria-label="{1}">'
        '<rect class="track" width="{0}" height="6"/><rect class="fill" width="{2}" height="6"/></svg>'
    ).format(_BAR, label or f"{share:.0%}", filled)


def columns(values: Sequence[float], names: Sequence[str], label: str) -> Markup:
    """Draw values side by side, each with its name and number to be read."""
    top = max(values, default=0.0) or 1.0
    parts = []
    for place, (value, name) in enumerate(zip(values, names, strict=True)):
        high = round((HEIGHT - 2) * value / top, 1)
        parts.append(
            Markup('<rect class="fill" x="{}" y="{}" width="{}" height="{}"><title>{}: {:g}</title></rect>').format(
                place * STEP + GAP / 2, HEIGHT - high, STEP - GAP, high, name, value
            )
        )
    return _picture(max(FEWEST, len(values)) * STEP, label, Markup("").join(parts))


def lines(series: Mapping[str, Sequence[float]], label: str) -> Markup:
    """Draw several rows of values from 0 to 1 as lines above each other."""
    wide = STEP * max(1, max(map(len, series.values()), default=1) - 1)
    drawn = [
        Markup('<polyline class="line {}" points="{}"/>').format(
            name, " ".join(f"{place * STEP},{round(HEIGHT - 2 - (HEIGHT - 4) * value, 1)}" for place, value in row)
        )
        for name, row in ((name, [*enumerate(values)]) for name, values in series.items())
    ]
    return _picture(wide, label, Markup("").join(drawn))


def _picture(wide: int, label: str, drawn: Markup) -> Markup:
    return Markup(
        '<svg class="columns" viewBox="0 0 {0} {1}" preserveAspectRatio="none" role="img" aria-label="{2}">'
        '{3}<line class="axis" x1="0" x2="{0}" y1="{1}" y2="{1}"/></svg>'
    ).format(wide, HEIGHT, label, drawn)
