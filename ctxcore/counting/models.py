"""What is known of each model: tokenizer, window, price, counting rules. The table is models.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from ctxcore.counting.rules import Rules
from ctxcore.errors import InputError
from ctxcore.words import Phrase

Limit = tuple[int, int]  # patches (OpenAI) or tokens (Anthropic), and the longest edge in pixels


@dataclass(frozen=True, slots=True)
class ImageRule:
    """How an image is billed. `kind`: tile | patch | anthropic | area | gemini."""

    kind: str
    basis: str = "published"  # published | measured | older guide
    base: int = 0  # tile: tokens whatever the size
    unit: int = 0  # tile: tokens for each tile of 512 pixels
    factor: float = 1.0  # patch: tokens for each patch of 32 pixels
    limits: Mapping[str, Limit] = field(default_factory=dict)  # by detail
    other: ImageRule | None = None  # a rule that says something else, told beside this one and not used


@dataclass(frozen=True, slots=True)
class Model:
    """One model, or one family of models that are counted alike."""

    name: str
    family: str
    encoding: str
    exactness: str  # of text: exact | approximate | fallback
    window: int  # tokens, prompt and answer together
    input_price: float | None  # USD for a million tokens; None where not known for sure
    output_price: float | None
    price_date: str | None  # ISO day on which the prices were read
    chat: str  # the name of its rules
    image: ImageRule
    rules: Rules = field(default_factory=Rules)
    responses: Rules = field(default_factory=Rules)  # the same in OpenAI's responses
    scale: float = 1.0  # its tokens for each one of the encoding that stands in for its own
    own: str = ""  # its own encoding, where an installed package carries it
    band: float = 0.0  # share by which an approximate count of text may be off
    thoughts: str = "dropped"  # which thoughts in a request are billed: dropped | loop (since the last words) | all

    def ruled(self, shape: str) -> Rules:
        return self.responses if shape == "openai-responses" else self.rules

    @property
    def is_known(self) -> bool:
        return self.exactness != "fallback"


def model(name: str) -> Model:
    """The longest known prefix of `name`, dated forms and `provider/` included; else the model named `fallback`.

    >>> model("openai/gpt-4o-2024-08-06").name
    'gpt-4o'
    """
    return _model(name)


@cache
def _model(name: str) -> Model:
    bare = name.strip().lower().rpartition("/")[2].removeprefix("ft:")
    bare = bare.rpartition("anthropic.")[2]  # Bedrock writes us.anthropic.claude-…
    found = max((key for key in _table().matches if _fits(bare, key)), key=len, default="fallback")
    return _table().matches[found]


def _fits(name: str, key: str) -> bool:
    """`key*` is an open prefix; a plain key must end where a word of `name` ends, so that gpt-4 is not gpt-4o."""
    if key.endswith("*"):
        return name.startswith(key[:-1])
    return name.startswith(key) and name[len(key) : len(key) + 1] in ("", "-", ":", "@", "_")


@dataclass(frozen=True, slots=True)
class _Table:
    menu: tuple[Model, ...]
    matches: Mapping[str, Model]


_own: list[Mapping[str, Any]] = []  # tables of the user's own, the newest last


@cache
def _table() -> _Table:
    tables = [json.loads(resources.files(__package__).joinpath("models.json").read_text("utf-8")), *_own]
    rules = {name: given for table in tables for name, given in table.get("rules", {}).items()}
    pairs = [(row, _from_json(row, rules)) for table in tables for row in table.get("models", ())]
    matches = {key: known for row, known in pairs for key in (known.name, *row.get("match", ()))}
    menu = {known.name: known for row, known in pairs if row.get("menu", True)}
    return _Table(tuple(menu.values()), matches)


def use_table(table: Any, name: str = Phrase("table-of-models")) -> None:
    """From here on in this process, the rows of `table` (shape of models.json) stand before the built-in ones; None
    takes back what was used before. Raises InputError for a table that cannot be read, and then changes nothing."""
    before = list(_own)
    _own[:] = [] if table is None else [*_own, table]
    _forget()
    try:
        _table()
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        _own[:] = before
        _forget()
        raise InputError("models-shape", name=name, says=f"{type(error).__name__}: {error}") from error


def _forget() -> None:
    _table.cache_clear()
    _model.cache_clear()


def _from_json(row: Mapping[str, Any], rules: Mapping[str, Any]) -> Model:
    input_price, output_price = row.get("prices", (None, None))
    chat = row["chat"]
    return Model(
        name=row["name"],
        family=row["family"],
        encoding=row["encoding"],
        exactness=row["exactness"],
        window=row["window"],
        input_price=input_price,
        output_price=output_price,
        price_date=row.get("priced"),
        chat=chat,
        image=_image(row["image"]),
        rules=_rules(rules[chat]),
        responses=_rules(rules.get(f"{chat}-responses", rules[chat])),
        scale=row.get("scale", 1.0),
        own=row.get("own", ""),
        band=row.get("band", 0.0),
        thoughts=row.get("thoughts", "dropped"),
    )


def _image(given: Mapping[str, Any]) -> ImageRule:
    """The other rule is written as what differs from this one."""
    own = {name: value for name, value in given.items() if name != "other"}
    limits = {detail: (size, edge) for detail, (size, edge) in given.get("limits", {}).items()}
    other = _image({**own, **given["other"]}) if "other" in given else None
    return ImageRule(**{**own, "limits": limits, "other": other})


def _rules(given: Mapping[str, Any]) -> Rules:
    return Rules(**{**given, "fitted": tuple(given.get("fitted", ()))})


def menu() -> tuple[Model, ...]:
    """The models to choose from, in the order of the table."""
    return _table().menu


MODELS: tuple[Model, ...] = menu()  # … as they are built in
