"""What a user has set: plain values only. Texts stay in the store; a workspace names them by their hash."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

# Where one looks, and not what one has done: left out of undo.
VIEW_FIELDS = frozenset({"stage", "view", "shape", "part", "language"})
MAX_WINDOW = 100_000_000  # tokens: what a slider of the browser still takes with all its steps


@dataclass(frozen=True, slots=True)
class Workspace:
    scenario: str = ""  # name of a built-in scenario, or of the edited one; "" = the first built-in
    revision: str = ""  # id of the stored scenario; "" = the built-in one as it ships
    imported: str = ""  # id of the stored scenario as its file gave it; the same as `revision` until it is edited
    system: str = "gssc"
    variant: str = "repaired"
    model: str = "gpt-4o"
    window: int = 8_000  # tokens
    reserve: int | None = None  # tokens; None = the system's default
    limits: Mapping[str, str] = field(default_factory=dict)  # name -> as typed: "25%" or "2000"
    options: Mapping[str, bool | int | float | str] = field(default_factory=dict)  # "stage.option" -> value
    stages: tuple[str, ...] = ()  # the pipeline, in order; empty = the system's own
    pins: tuple[str, ...] = ()  # ids of items that are never dropped
    mutes: tuple[str, ...] = ()  # ids of items that never enter
    priorities: Mapping[str, int] = field(default_factory=dict)  # id -> 1 (first to stay) … 10
    edits: tuple[Mapping[str, str], ...] = ()  # stage, item, text: the text's hash in the store
    stage: str = ""  # the one looked at; "" = the last that was run
    run_to: str = ""  # step mode: the last stage that was run; "" = all
    view: str = "items"
    shape: str = "openai-chat"  # in which the messages are shown
    other: Mapping[str, Any] = field(default_factory=dict)  # Compare: what the second side has otherwise
    demo: str = ""  # Compare: the demonstration that was opened last
    part: str = "flips"  # Compare: the view of both sides
    questions: str = ""  # Compare, evaluate: hash of their text in the store; "" = those that ship
    baseline: Mapping[str, Any] = field(default_factory=dict)  # the settings that all is compared with
    language: str = ""  # en | zh; "" = as the browser asks
    base: str = ""  # name of the knowledge base looked at; "" = the newest
    chunk_size: int = 150  # tokens
    chunk_overlap: int = 20  # tokens
    retriever: str = "bm25"  # bm25 | embedding | hybrid

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Workspace:
        """Reads what to_plain wrote, also an older ctxcore's: unknown fields and wrong kinds are left out."""
        return cls(**{each.name: _read(each.name, data[each.name]) for each in fields(cls) if _fits(each.name, data)})

    @classmethod
    def values(cls, plain: Mapping[str, Any]) -> dict[str, Any]:
        """Some fields as a workspace has them, of which plain values are known."""
        read = cls.from_plain(plain)
        return {name: getattr(read, name) for name in plain if name in cls.__slots__}

    def names(self) -> tuple[list[str], list[str]]:
        """What it names in the store: revisions of scenarios, and texts."""
        held = (self.other, self.baseline)
        revisions = [self.revision, self.imported, *(str(each.get("revision") or "") for each in held)]
        edits = [*self.edits, *(edit for each in held for edit in each.get("edits", ()))]
        texts = [*(str(edit["text"]) for edit in edits), self.questions]
        return list(dict.fromkeys(filter(None, revisions))), list(dict.fromkeys(filter(None, texts)))

    def to_plain(self) -> dict[str, Any]:
        """As JSON would give it back, so that it can be compared with what was saved."""
        plain = asdict(self)
        return {
            **plain,
            "stages": list(self.stages),
            "pins": list(self.pins),
            "mutes": list(self.mutes),
            "edits": [dict(edit) for edit in self.edits],
        }


KINDS: Mapping[str, type | tuple[type, ...]] = {
    "window": int,
    "reserve": (int, type(None)),
    "limits": Mapping,
    "options": Mapping,
    "stages": (list, tuple),
    "other": Mapping,
    "baseline": Mapping,
    "pins": (list, tuple),
    "mutes": (list, tuple),
    "priorities": Mapping,
    "edits": (list, tuple),
    "chunk_size": int,
    "chunk_overlap": int,
}


def _fits(name: str, data: Mapping[str, Any]) -> bool:
    return name in data and isinstance(data[name], KINDS.get(name, str)) and not isinstance(data[name], bool)


def _read(name: str, value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
