"""GuardrailStage: personal data and secrets are found before the model sees them (article 2, §7).

It works on items, before assembly: what was found, and where, is in the ledger, its value never.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from ctxcore.groups import Group, groups_of, is_fixed
from ctxcore.guarding import orders
from ctxcore.guarding.finding import Finder
from ctxcore.guarding.match import KINDS, Match
from ctxcore.guarding.shield import Shield
from ctxcore.item import Item, Source, Text
from ctxcore.payload import Editor, Payload
from ctxcore.services import Services

ACTIONS = ("redact", "block", "warn")
OWN = ("", *ACTIONS, "off")  # of one kind; "" is as all
TOLD = (Source.TOOL, Source.DOC)  # they are due to tell facts, not to give orders
SHOWN = 5  # places that a decision names


def _own(kind: str) -> Any:
    return field(default="", metadata={"choices": OWN, "about": f"another action for {kind}; off: not looked for"})


@dataclass(frozen=True)
class GuardrailStage:
    """`redact` puts a placeholder such as <EMAIL_1> in a value's place; Trace.shield reads a reply back. `block` drops
    the item with its group; what may never be dropped is redacted instead. `warn` only reports."""

    name: ClassVar[str] = "guardrail"
    enabled: bool = field(default=False, metadata={"about": "run this stage"})
    action: str = field(
        default="redact",
        metadata={
            "choices": ACTIONS,
            "about": "mask what is found, drop its item with its group, or only report it",
        },
    )
    email: str = _own("e-mail addresses")
    phone: str = _own("telephone numbers")
    identity: str = _own("identity numbers")
    card: str = _own("bank cards and IBANs")
    secret: str = _own("keys, tokens and passwords")
    word: str = _own("words of the policy")
    words: str = field(default="", metadata={"about": "words of the policy, separated by commas"})
    regions: str = field(
        default="CN,US", metadata={"about": "countries whose telephone numbers are known without a country code"}
    )
    marks: bool = field(default=True, metadata={"about": "report results and documents that give the model orders"})

    def acts(self) -> Mapping[str, str]:
        """Kind → what is done about it; without those that are off."""
        asked = {kind: getattr(self, kind) or self.action for kind in KINDS}
        return {kind: action for kind, action in asked.items() if action != "off"}

    def shield(self, inputs: Callable[[], Iterable[str]]) -> Shield:
        """Fresh placeholders, for one build."""
        acts = self.acts()
        finder = Finder(tuple(acts), _listed(self.regions.upper()), _listed(self.words))
        return Shield(finder, (kind for kind, action in acts.items() if action != "warn"), inputs)

    def apply(self, payload: Payload, services: Services) -> Payload:
        shield = services.shield or self.shield(lambda: (item.text for item in payload.items))
        work = _Guarding(payload, payload.edit(self.name), shield, self.acts())
        for group in groups_of(payload.items):
            work.group(group)
        work.report()
        if self.marks:
            _mark(payload, work.edit, work.touched)
        work.edit.set(query=shield.text(payload.query))
        return work.edit.done()


class _Guarding:
    def __init__(self, payload: Payload, edit: Editor, shield: Shield, acts: Mapping[str, str]) -> None:
        self.payload, self.edit, self.shield, self.acts = payload, edit, shield, acts
        self.found: dict[str, tuple[Match, ...]] = {}  # by item
        self.touched: set[str] = set()

    def group(self, group: Group) -> None:
        held = {item.id: found for item in group.items if (found := self.shield.found(item))}
        if not held:
            return
        self.found |= held
        asked = {self.acts[match.kind] for found in held.values() for match in found}
        if "block" in asked and not is_fixed(group, self.payload.question):
            facts = _facts(match for found in held.values() for match in found)
            self.edit.drop(group.items, "blocked", **facts)
            self.touched |= {item.id for item in group.items}
            return
        for item in group.items:
            hidden = [match for match in held.get(item.id, ()) if self.acts[match.kind] != "warn"]
            if hidden:
                self._mask(item, hidden)

    def _mask(self, item: Item, hidden: Sequence[Match]) -> None:
        is_kept = any(self.acts[match.kind] == "block" for match in hidden)
        rule, facts = "redacted-fixed" if is_kept else "redacted", _facts(hidden)
        self.touched.add(item.id)
        if item.is_media:
            self.edit.reshape(item, tuple(map(self.shield.part, item.parts)), item.tokens, rule, **facts)
            return
        if not item.calls:
            self.edit.rewrite(item, self.shield.text(item.text), rule, **facts)
            return
        said = self.shield.text("\n".join(part.text for part in item.parts if isinstance(part, Text)))
        parts = (*((Text(said),) if said else ()), *(self.shield.part(call) for call in item.calls))
        count = self.payload.counter.count
        tokens = count(said) + sum(
            count(call.name) + count(self.shield.arguments(call.arguments)) for call in item.calls
        )
        self.edit.reshape(item, parts, tokens, rule, **facts)

    def report(self) -> None:
        if self.found:
            facts = _facts(match for found in self.found.values() for match in found)
            del facts["places"]
            self.edit.report("pii-found", "warning", self.found, **facts, count=len(self.found))


def _mark(payload: Payload, edit: Editor, touched: set[str]) -> None:
    """Flag what gives orders. It stays: whether it is an attack is for a person to say."""
    held = {item.id: kinds for item in payload.items if item.source in TOLD and (kinds := orders.marks(item.text))}
    for item in payload.items:
        if item.id in held and item.id not in touched:
            edit.keep(item, "injection-marks", marks=orders.told(held[item.id]))
    if held:
        every = (kind for kinds in held.values() for kind in kinds)
        edit.report("injection-found", "warning", held, count=len(held), marks=orders.told(every))


def _facts(found: Iterable[Match]) -> dict[str, Any]:
    """How many of which kind, and at which characters of the text as it came; never what."""
    every = list(found)
    kinds = Counter(match.kind for match in every)
    places = [f"{match.kind} {match.start}–{match.end}" for match in every[:SHOWN]]
    return {
        "found": len(every),
        "kinds": ", ".join(f"{kind} × {count}" if count > 1 else kind for kind, count in sorted(kinds.items())),
        "places": ", ".join(places) + (" …" if len(every) > SHOWN else ""),
    }


def _listed(text: str) -> tuple[str, ...]:
    return tuple(word for each in text.replace("，", ",").split(",") if (word := each.strip()))
