"""HTML and SVG as text: whatever is put in is escaped, so that a user's text never acts."""

from __future__ import annotations

import re
from html import escape

# Characters that a page must not hold, or by which a text could show in another order than it is written.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class Markup(str):
    """Text that is markup already."""


def text(value: object) -> Markup:
    return value if isinstance(value, Markup) else Markup(escape(_UNFIT.sub("\ufffd", str(value))))


def tag(name: str, *inner: object, **attributes: object) -> Markup:
    """`class_` is class, `data_at` is data-at; an attribute of None is left out, one of True has no value."""
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{text(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Markup(f"<{name}{written}>{''.join(map(text, inner))}</{name}>")


def joined(*parts: object) -> Markup:
    return Markup("".join(map(text, parts)))


def short(value: float) -> str:
    """A coordinate in as few characters as show no difference."""
    return f"{value:.1f}".removesuffix(".0")
