"""The token bill of a request as it stands, summed from the wire alone, so that it checks the totals of a trace."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ctxcore.counting.form import form_tokens
from ctxcore.counting.framing import frame, priming, tool_name_tokens
from ctxcore.counting.images import media_tokens, other_tokens
from ctxcore.counting.models import Model
from ctxcore.counting.models import model as find_model
from ctxcore.counting.rules import Rules
from ctxcore.counting.tokens import counter_for
from ctxcore.counting.tooltext import tool_bill
from ctxcore.item import Media, Source
from ctxcore.services import Counter
from ctxcore.wire import Block, Request, Turn, read_request

SYSTEM = ("system", "developer")


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    message: int | None  # index in the request; None for what belongs to no message
    tokens: int
    exactness: str  # exact | approximate | fallback
    rule: str
    other: Mapping[str, Any] | None = None  # what a rule that is not used comes to: basis, rule, tokens

    def to_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "other" or value}


@dataclass(frozen=True, slots=True)
class Bill:
    model: str  # as asked for
    tokenizer: str
    exactness: str  # of the tokenizer
    rows: tuple[Row, ...]
    total: int
    source: str = ""  # of the published rules
    band: float = 0.0  # share by which an approximate total may be off; 0 where nobody has measured it

    def to_json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "tokenizer": {"name": self.tokenizer, "exactness": self.exactness},
            "rows": [row.to_json() for row in self.rows],
            "total": self.total,
            "source": self.source,
            "band": self.band,
        }


def count_request(request: Mapping[str, Any], model: str, shape: str = "") -> Bill:
    """Every token of a request in any provider's shape: messages, tools, framing, reply priming. Never raises.

    Ids, nulls, annotations and unknown fields are free; base64 is never counted as text. What a server adds on its own
    (results of its tools, an earlier response) is not in the request: such a row has 0 tokens and the rule `unseen`.
    """
    counter, known = counter_for(model), find_model(model)
    read = read_request(request, shape)
    rows = tuple(_Count(known, known.ruled(read.shape), counter, read, read.spoken).rows(_thinks(request)))
    total = sum(row.tokens for row in rows)
    return Bill(model, counter.name, counter.exactness, rows, total, known.ruled(read.shape).published, known.band)


def _thinks(request: Mapping[str, Any]) -> bool:
    given = request.get("thinking")
    return isinstance(given, Mapping) and given.get("type") == "enabled"


@dataclass(frozen=True, slots=True)
class _Count:
    model: Model
    rules: Rules
    counter: Counter
    request: Request
    spoken: int  # index of the user's last words

    def rows(self, thinks: bool) -> Iterator[Row]:
        yield from self._tools()
        if self.request.form:
            yield self._extra("response format", form_tokens(self.rules, self.request.form, self.counter), "form")
        if thinks and self.rules.thinking:
            yield self._extra("thinking prompt", self.rules.thinking, "thinking")
        names = self.request.calls
        for at, turn in enumerate(self.request.turns):
            called = {block.where: names.get((at, block.where), "") for block in turn.blocks if block.kind == "result"}
            yield from self._turn(turn, called)
        for field in self.request.hidden:
            yield Row(field, None, 0, "fallback", "unseen")
        yield Row("reply priming", None, priming(self.model, self.request.shape), self._exactness("priming"), "priming")

    def _tools(self) -> Iterator[Row]:
        turns, tools = self.request.turns, self.request.tools
        is_joined = bool(turns) and turns[0].role in SYSTEM
        bills = [tool_bill(self.rules, tools, is_joined, self.counter)] if tools else []
        bills += [tool_bill(self.model.rules, later, False, self.counter) for later in self.request.added]
        for bill in bills:
            for row in bill.rows:
                yield Row(f"tool {row.name}", None, row.tokens, self._fitted, row.rule)
                if row.is_hosted:
                    yield Row(f"what {row.name} adds", None, 0, "fallback", "unseen")
            yield Row("tool block", None, bill.block, self._fitted, "tool-block")
        if not tools:
            return
        if forced := self._choice(self.request.choice):
            yield self._extra("tool choice", forced, "tool-choice")

    def _choice(self, choice: str) -> int:
        """`auto` is free; for Anthropic, that some tool must be called has a hidden prompt of its own."""
        if choice in ("auto", "required"):
            return self.rules.tool_forced if choice == "required" else 0
        if choice == "none":
            return self.rules.choice_none
        named = self.rules.choice_named
        return self.rules.tool_forced + (named + self.counter.count(choice) if named else 0)

    def _turn(self, turn: Turn, called: Mapping[str, str]) -> Iterator[Row]:
        calls = 0
        for block in sorted(turn.blocks, key=_in_order):
            yield from self._block(block, turn, called)
            calls += block.kind == "call"
        if any(block.kind != "opaque" for block in turn.blocks) or turn.role in ("user", "assistant", "tool", *SYSTEM):
            yield self._framing(turn, calls, called)

    def _block(self, block: Block, turn: Turn, called: Mapping[str, str]) -> Iterator[Row]:
        index = turn.index
        if block.kind == "call":
            yield self._text(f"call {block.name}", index, block.name)
            yield self._text(f"arguments of {block.name}", index, block.text)
        elif block.media:
            yield self._media(block.media, index)
        elif block.kind == "opaque":
            yield Row(block.text, index, 0, "fallback", "unseen")
        elif block.kind == "reasoning":
            yield self._thought(block, turn)
        elif block.kind == "text" or block.text:
            yield self._text("result" if called.get(block.where) else "text", index, block.text)
            if block.name == "document" and self.rules.document:
                yield Row("around the document", index, self.rules.document, self._fitted, "document")

    def _framing(self, turn: Turn, calls: int, called: Mapping[str, str]) -> Row:
        role, shape = turn.role, self.request.shape
        named = {block.where: called.get(block.where) or block.name for block in turn.blocks if block.kind == "result"}
        fitted = (calls > 1 and "parallel" in self.rules.fitted) or (calls > 0 and "call" in self.rules.fitted)
        if role in ("tool", "function"):
            name = next(iter(named.values()), "")
            tokens = frame(self.model, role, result_name_tokens=tool_name_tokens(self.counter, name), shape=shape)
        else:
            tokens = frame(self.model, role, self.counter.count(turn.name), calls, shape=shape)
            tokens += sum(self._result(name) for name in named.values())
        exactness = self._fitted if fitted or (named and "result" in self.rules.fitted) else self.model.exactness
        return Row(f"framing of {role}", turn.index, tokens, exactness, "framing")

    def _thought(self, block: Block, turn: Turn) -> Row:
        known = self.model.thoughts
        if known == "all" or (known == "loop" and (turn.index or 0) > self.spoken):
            return Row("thought", turn.index, self.counter.count(block.text), self.counter.exactness, "thought")
        return Row("thought", turn.index, 0, "approximate", "thought-dropped")

    def _result(self, name: str) -> int:
        """A result that stands in a user's message."""
        return self.rules.result + (tool_name_tokens(self.counter, name) if self.rules.result_named else 0)

    def _text(self, what: str, index: int | None, text: str) -> Row:
        return Row(what, index, self.counter.count(text), self.counter.exactness, what.partition(" ")[0])

    def _media(self, media: Media, index: int | None) -> Row:
        tokens, exactness = media_tokens(self.model, media)
        rule = f"image-{self.model.image.kind}" if media.kind is Source.IMAGE else f"{media.kind}-size"
        return Row(str(media.kind), index, tokens, exactness, rule, self._other(media))

    def _other(self, media: Media) -> dict[str, Any] | None:
        told, rule = other_tokens(self.model, media), self.model.image.other
        return {"basis": rule.basis, "rule": f"image-{rule.kind}", "tokens": told} if rule and told else None

    def _extra(self, what: str, tokens: int, rule: str) -> Row:
        return Row(what, None, tokens, self._fitted, rule)

    def _exactness(self, field: str) -> str:
        return self._fitted if field in self.rules.fitted else self.model.exactness

    @property
    def _fitted(self) -> str:
        """The exactness of what is not published but was fitted to recorded bills."""
        return "fallback" if self.model.exactness == "fallback" else "approximate"


def _in_order(block: Block) -> int:
    """Texts, then media, then calls: as an item holds them."""
    return ("text", "reasoning", "opaque", "result", "media", "call").index(block.kind)
