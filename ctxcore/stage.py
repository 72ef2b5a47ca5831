"""What a stage is: a frozen dataclass of plain options with one method. Its fields are form, cache key and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, cast

from ctxcore.errors import InputError
from ctxcore.payload import Payload
from ctxcore.services import Services

Plain = int | float | bool | str
MOST = 10**15  # no option means more; a larger number overflows where it meets a fraction


class Stage(Protocol):
    @property
    def name(self) -> str: ...

    def apply(self, payload: Payload, services: Services) -> Payload:
        """The next payload; the one it got where there is nothing to do. Pure: same inputs, same result."""
        ...


@dataclass(frozen=True, slots=True)
class Option:
    """One field of a stage, as a form, the command line and a diff of settings need it."""

    name: str
    type: type[Plain]
    value: Plain
    choices: tuple[str, ...] = ()
    about: str = ""


def options_of(stage: Stage) -> tuple[Option, ...]:
    return tuple(
        Option(
            f.name,
            type(getattr(stage, f.name)),
            getattr(stage, f.name),
            f.metadata.get("choices", ()),
            f.metadata.get("about", ""),
        )
        for f in fields(cast(Any, stage))
    )


def with_options(stages: Iterable[Stage], changes: Mapping[str, Any]) -> tuple[Stage, ...]:
    """The stages with `stage.option` → value set. Values may be text. Raises InputError naming what there is."""
    out = list(stages)
    for path, value in changes.items():
        name, _, option = path.rpartition(".")
        at = _place(out, path, name)
        known = {o.name: o for o in options_of(out[at])}
        if option not in known:
            raise InputError("no-option", path=path, name=name, option=option, there=list(known))
        out[at] = cast(Stage, replace(cast(Any, out[at]), **{option: _parsed(path, known[option], value)}))
    return tuple(out)


def conditions(stages: Sequence[Stage], changes: Mapping[str, str]) -> Mapping[str, str]:
    """Stage name → condition under which it runs, out of `stage.when` → condition. Raises InputError."""
    found = {path.removesuffix(".when"): text for path, text in changes.items()}
    for name in found:
        _place(stages, f"{name}.when", name)
    return found


def _place(stages: Sequence[Stage], path: str, name: str) -> int:
    names = [stage.name for stage in stages]
    if name not in names:
        raise InputError("no-stage-here", path=path, name=name, there=names)
    return names.index(name)


def _parsed(path: str, option: Option, value: Any) -> Plain:
    text = str(value).strip()
    if option.choices and text not in option.choices:
        raise InputError("option-choice", path=path, text=text, there=option.choices)
    try:
        if option.type is bool:
            return {
                "true": True,
                "1": True,
                "yes": True,
                "on": True,
                "false": False,
                "0": False,
                "no": False,
                "off": False,
            }[text.lower()]
        if option.type is str:
            return str(value)
        number = int(text) if option.type is int else float(text)
        if not abs(number) <= MOST:  # so that NaN is refused too
            raise ValueError
        return number
    except (ValueError, KeyError):
        kind = option.type.__name__
        raise InputError("option-type", path=path, text=text, kind=kind, such=option.value) from None
