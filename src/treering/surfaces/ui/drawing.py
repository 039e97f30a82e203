"""Draw bars and columns as SVG. The policy of the pages forbids styles inline: classes say how they look."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

_BAR = 120  # units of a bar: its own scale, whatever its width on the page
HEIGHT, STEP = 64, 14  # units of a picture of columns, and of one column


def bar(share: float, label: str = "") -> Markup:
    """Draw a share from 0 to 1."""
    filled = round(_BAR * min(1.0, max(0.0, share)), 1)
    return Markup(
        '<svg class="bar" viewBox="0 0 {0} 6" preserveAspectRatio="none" role="img" aria-label="{1}">'
        '<rect class="track" width="{0}" height="6" rx="3"/><rect class="fill" width="{2}" height="6" rx="3"/></svg>'
    ).format(_BAR, label or f"{share:.0%}", filled)


def columns(values: Sequence[float | None], names: Sequence[str], label: str, most: float = 0.0) -> Markup:
    """Draw values side by side, each with its name and number to be read; None is a gap."""
    top = max([most, *(value for value in values if value is not None)], default=0.0) or 1.0
    parts = []
    for place, (value, name) in enumerate(zip(values, names, strict=True)):
        high = 0.0 if value is None else round((HEIGHT - 4) * value / top, 1)
        told = "nothing" if value is None else f"{value:g}" if value == int(value) else f"{value:.2f}"
        parts.append(
            Markup(
                '<rect class="fill" x="{}" y="{}" width="{}" height="{}" rx="2"><title>{}: {}</title></rect>'
            ).format(place * STEP + 2, HEIGHT - high - 1, STEP - 4, high, name, told)
        )
    return Markup(
        '<svg class="columns" viewBox="0 0 {0} {1}" role="img" aria-label="{2}">'
        '<line class="axis" x1="0" x2="{0}" y1="{3}" y2="{3}"/>{4}</svg>'
    ).format(max(1, len(values)) * STEP, HEIGHT, label, HEIGHT - 0.5, Markup("").join(parts))
