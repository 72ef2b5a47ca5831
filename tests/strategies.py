"""Generated scenarios and settings: odd, huge, broken and empty, as real ones are.

Everything is drawn as plain JSON, so that what a failing test shows can be pasted as a regression test.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.build import PIXEL, WEATHER, calls, result, words

Json = dict[str, Any]

SHORT = (
    "",
    " ",
    "\n",
    "ok",
    "The answer is 42.",
    "Refunds take 14 days; the limit is 38%.",
    "订单号 20240117 的退款金额为 1,299 元，处理时间 3 个工作日。",
    "👩‍👩‍👧‍👦 🇨🇳 é",
    "half \ud83d an emoji",
    "<|endoftext|><|im_start|>system",
    '{"rows": [1, 2, 3], "total": 6}',
    "mail ann@example.com or +1 555 123 4567",
    "    def f():\n\treturn 'x'\r\n",
    "{name} and {0}",
)
LONG = (
    words(40),
    words(30, "湖"),
    "留存率为 38%，环比下降 12%。" * 120,
    "x" * 4_000,
    "| a | b |\n" * 300,
    "\n \n" * 3_000,
    words(300, "dam"),
)

texts = st.one_of(st.sampled_from(SHORT), st.sampled_from(LONG), st.text(max_size=30))
short_texts = st.one_of(st.sampled_from(SHORT), st.text(max_size=12))
full_texts = texts.filter(lambda text: bool(text.strip()))
names = st.sampled_from(("get_weather", "search", "f"))
arguments = st.sampled_from(
    (
        "{}",
        '{"place":"Oslo"}',
        '{"code":"' + "print(1); " * 150 + '"}',
        '{"to":"ann@example.com"}',
        "",
        "not json",
        '{"城市":"北京"}',
    )
)
urls = st.sampled_from(
    (PIXEL, "data:image/png;base64,AAAA", "data:image/png;base64,%%%", "https://example.com/a.png", "data:,")
)


@st.composite
def media(draw: st.DrawFn) -> Json:
    kind = draw(st.sampled_from(("image", "image", "image", "audio", "file")))
    said = draw(st.sampled_from(({}, {}, {"caption": "A broken candle."}, {"transcript": draw(texts)})))
    if kind == "audio":
        data = "UklGRg" + "A" * draw(st.sampled_from((2, 4_002)))
        return {"type": "input_audio", "input_audio": {"data": data, "format": "wav"}, **said}
    if kind == "file":
        file = {"filename": "a.pdf", "file_data": "data:application/pdf;base64,JVBERi0x"}
        return {"type": "file", "file": file, **said}
    image = {"url": draw(urls), "detail": draw(st.sampled_from(("low", "high", "auto")))}
    return {"type": "image_url", "image_url": image, **said}


@st.composite
def user_messages(draw: st.DrawFn) -> Json:
    if draw(st.integers(0, 3)):
        return {"role": "user", "content": draw(texts)}
    parts = draw(
        st.lists(st.one_of(texts.map(lambda text: {"type": "text", "text": text}), media()), min_size=1, max_size=4)
    )
    return {"role": "user", "content": parts} | draw(st.sampled_from(({}, {"name": "ann"}, {"mood": {"x": [1, None]}})))


@st.composite
def call_groups(draw: st.DrawFn, number: int, broken: bool) -> list[Json]:
    """A message with calls and its results; broken: results missing, twice, strange, or late."""
    count = draw(st.integers(1, 3))
    keys = [f"call_{number}_{at}" for at in range(count)]
    first = calls(*keys, text=draw(st.sampled_from((None, "Let me see.", ""))))
    for call in first["tool_calls"]:
        call["function"] = {"name": draw(names), "arguments": draw(arguments)}
    answers = [result(key, draw(texts)) for key in draw(st.permutations(keys))]
    if not broken:
        return [first, *answers]
    match draw(st.integers(0, 4)):
        case 0:
            return [first, *answers[1:]]
        case 1:
            return [*answers, first]
        case 2:
            return [first, {"role": "user", "content": "wait"}, *answers]
        case 3:
            return [first, *answers, answers[0]]
        case _:
            legacy = {
                "role": "assistant",
                "content": None,
                "function_call": {"name": "f", "arguments": draw(arguments)},
            }
            return [
                legacy,
                {"role": "function", "name": "f", "content": draw(texts)},
                result("call_nobody", draw(texts)),
            ]


@st.composite
def conversations(draw: st.DrawFn, broken: bool = False, most: int = 9) -> list[Json]:
    roles = st.sampled_from(("system", "system", "developer"))
    out = [{"role": draw(roles), "content": draw(texts)} for _ in range(draw(st.integers(0, 2)))]
    for number in range(draw(st.integers(0, most))):
        match draw(st.integers(0, 7)):
            case 0 | 1 | 2:
                out.append(draw(user_messages()))
            case 3 | 4:
                out.append({"role": "assistant", "content": draw(texts)})
            case 5 | 6:
                out += draw(call_groups(number, broken and draw(st.booleans())))
            case _:
                out.append({"role": draw(roles), "content": draw(texts)})
    if draw(st.booleans()):
        out.append(draw(user_messages()))
    return out


@st.composite
def records(draw: st.DrawFn) -> Json:
    """The sources of a scenario that are no messages."""
    scores = st.one_of(st.none(), st.sampled_from((0.0, 0.4, 0.9, 1.0, 7.5, -1.0)))
    few = st.integers(0, 3)

    def some(kind: str) -> list[Json]:
        return [{"id": f"{kind}-{at:02d}", "text": draw(texts)} for at in range(1, draw(few) + 1)]

    documents = [one | ({} if (score := draw(scores)) is None else {"score": score}) for one in some("doc")]
    results = [
        one | {"tool": draw(st.sampled_from(("sql", "", "{x}"))), "recent": draw(st.booleans())} for one in some("tool")
    ]
    state = draw(st.one_of(st.none(), texts, st.just({"step": 3, "done": ["a", "b"]})))
    given: Json = {
        "documents": documents,
        "tool_results": results,
        "notes": some("note"),
        "memory": some("memory"),
        "profile": some("profile"),
    }
    return given | ({} if state is None else {"state": {"id": "state-01", "value": state}})


@st.composite
def scenarios(draw: st.DrawFn, broken: bool | None = None) -> Json:
    """A scenario file. `broken`: call groups may be; None: either."""
    is_broken = draw(st.booleans()) if broken is None else broken
    given: Json = {"schema": "ctxcore.scenario/1", "name": "generated", "messages": draw(conversations(is_broken))}
    if draw(st.booleans()):
        given |= draw(records())
    if draw(st.integers(0, 3)) == 0:
        given["tools"] = [WEATHER] * draw(st.integers(1, 2))
    return given


LIMITS = {
    "gssc": ("system", "state", "notes", "recent", "history", "tools", "docs"),
    "compiler": ("system", "history", "retrieval", "tools"),
    "layered": ("persistent", "recall", "working"),
    "raw": (),
}
# Options that leave every promise of the repaired systems standing.
OPTIONS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "gssc": {
        "select.on_misfit": st.sampled_from(("skip", "stop")),
        "select.admit_compressed": st.booleans(),
        "select.split_recent": st.booleans(),
        "select.long_item": st.sampled_from((1, 30, 500)),
        "select.min_target": st.sampled_from((0, 1, 60)),
        "select.hold_room": st.booleans(),
        "select.measure": st.sampled_from(("tokens", "thirds")),
        "summarize.trigger": st.sampled_from(("needed", "always")),
        "summarize.max_item_tokens": st.sampled_from((0, 100)),
        "summarize.marker": st.sampled_from(("", "[…] ", "压缩" * 30)),
        "construct.docs_heading": st.sampled_from(("", "## Docs", "\n\n")),
        "construct.notes_heading": st.sampled_from(("", "Notes:")),
        "construct.divider": st.sampled_from(("", "***")),
        "gather.recency": st.sampled_from(("span", "count")),
    },
    "compiler": {
        "conversation-compactor.overflow": st.sampled_from(("summarize", "truncate", "prioritize")),
        "conversation-compactor.preserve_recent": st.integers(0, 8),
        "conversation-compactor.summary_tokens": st.sampled_from((0, 40, 600)),
        "conversation-compactor.fill": st.booleans(),
        "conversation-compactor.hold_room": st.booleans(),
        "conversation-compactor.compress_recent": st.booleans(),
        "conversation-compactor.media_words": st.booleans(),
        "tool-result-compactor.enabled": st.booleans(),
        "tool-result-compactor.max_tokens": st.sampled_from((0, 20, 600)),
        "tool-result-compactor.keep_rounds": st.integers(0, 3),
        "user-profile-injector.enabled": st.booleans(),
        "user-profile-injector.top_k": st.integers(0, 2),
        "retrieval-injector.top_k": st.integers(0, 3),
        "retrieval-injector.match": st.sampled_from(("bm25", "substring")),
        "guardrail.enabled": st.booleans(),
        "guardrail.action": st.sampled_from(("redact", "block", "warn")),
        "final-assembler.docs_open": st.sampled_from(("", "<docs>")),
        "final-assembler.docs_close": st.sampled_from(("", "</docs>")),
        "final-assembler.memory_heading": st.sampled_from(("", "## Memory")),
    },
    "layered": {
        "trim-working.keep_rounds": st.integers(1, 4),
        "trim-working.board": st.booleans(),
        "trim-working.media_words": st.booleans(),
    },
    "raw": {},
}
# Options that measure or change texts in a way that limits do not bind.
LOOSE = {"select.measure", "summarize.trigger", "conversation-compactor.compress_recent", "guardrail.enabled"}


def holds_limits(asked: Json) -> bool:
    """Whether every limit must hold. The layers are ceilings that force compaction, and may be passed by the board."""
    return asked["system"] != "layered" and not LOOSE & asked["options"].keys()


typed_limits = st.one_of(st.integers(0, 150).map(lambda share: f"{share}%"), st.integers(0, 3_000).map(str))
windows = st.one_of(st.integers(1, 200), st.integers(200, 6_000), st.sampled_from((8_000, 128_000, 1_000_000)))
SYSTEMS = ("gssc", "compiler", "layered", "raw")


@st.composite
def settings(
    draw: st.DrawFn, systems: tuple[str, ...] = SYSTEMS, variants: tuple[str, ...] = ("repaired", "article")
) -> Json:
    """Keywords of `build`."""
    system, window = draw(st.sampled_from(systems)), draw(windows)
    given: Json = {"system": system, "variant": draw(st.sampled_from(variants)), "window": window}
    given["model"] = draw(st.sampled_from(("gpt-4o", "gpt-4o", "gpt-4", "gpt-5", "claude-sonnet-4", "unknown")))
    if draw(st.booleans()):
        given["reserve"] = draw(st.integers(0, window - 1))
    offered = (*LIMITS[system], "media")
    limited = draw(st.lists(st.sampled_from(offered), unique=True, max_size=3)) if LIMITS[system] else []
    given["limits"] = {name: draw(typed_limits) for name in limited}
    known = OPTIONS[system]
    chosen = draw(st.lists(st.sampled_from(sorted(known)), unique=True, max_size=4)) if known else []
    given["options"] = {path: draw(known[path]) for path in chosen}
    given["pins"] = tuple(
        draw(st.lists(st.sampled_from(("38%", "turn-0002", "doc-01", "42", "dam number 7 ", "memory-01")), max_size=2))
    )
    given["query"] = draw(st.sampled_from((None, None, "How wide is the river number 7?", "留存率是多少？")))
    return given
