"""What is known of each model: tokenizer, window, price, counting rules. The table is models.json."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

Limit = tuple[int, int]  # patches (OpenAI) or tokens (Anthropic), and the longest edge in pixels


@dataclass(frozen=True, slots=True)
class ImageRule:
    """How an image is billed. `kind`: tile | patch | anthropic | gemini."""

    kind: str
    base: int = 0  # tile: tokens whatever the size
    unit: int = 0  # tile: tokens for each tile of 512 pixels
    factor: float = 1.0  # patch: tokens for each patch of 32 pixels, as published
    measured_factor: float | None = None  # the same out of recorded bills, where it differs
    limits: Mapping[str, Limit] = field(default_factory=dict)  # by detail


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
    chat: str  # message and tool rules: gpt-4o | gpt-4 | gpt-5 | gpt-3.5-0301 | claude
    image: ImageRule

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


@cache
def _table() -> _Table:
    rows = json.loads(resources.files(__package__).joinpath("models.json").read_text("utf-8"))["models"]
    pairs = [(row, _from_json(row)) for row in rows]
    matches = {key: known for row, known in pairs for key in (known.name, *row.get("match", ()))}
    return _Table(tuple(known for row, known in pairs if row.get("menu", True)), matches)


def _from_json(row: Mapping[str, Any]) -> Model:
    image = dict(row["image"])
    image["limits"] = {detail: (size, edge) for detail, (size, edge) in image.get("limits", {}).items()}
    input_price, output_price = row.get("prices", (None, None))
    return Model(
        name=row["name"],
        family=row["family"],
        encoding=row["encoding"],
        exactness=row["exactness"],
        window=row["window"],
        input_price=input_price,
        output_price=output_price,
        price_date=row.get("priced"),
        chat=row["chat"],
        image=ImageRule(**image),
    )


MODELS: tuple[Model, ...] = _table().menu  # in the order of a menu
