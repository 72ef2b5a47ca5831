"""Texts that would like to act, and a workspace in which they stand in every place that a text can be written into."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from typing import Any

from ctxcore.counting.encodings import repaired
from ctxcore.measuring.examples import examples
from ctxcore.pipeline import Pipeline
from ctxcore.scenario import Scenario
from ui.store import KeptStore, Saved, Thing
from ui.workspace import history
from ui.workspace.opening import body_of
from ui.workspace.workspace import Workspace

EVIL = "http://evil.invalid"
# Each bears a mark of its own, such as zq07x, in the midst of what would act.
PAYLOADS = (
    "<script>window.acted=1//zq01x</script>",
    "<img src=zq02x.png onerror=window.acted=2>",
    "<svg onload=window.acted=3 id=zq03x></svg>",
    f'<iframe src="{EVIL}/zq04x"></iframe>',
    '<a href="javascript:window.acted=5">zq05x</a>',
    "</pre></details></textarea></script><b>zq06x</b>",
    '" autofocus onfocus="window.acted=7" x="zq07x',
    "<style>.stApp{display:none}/*zq08x*/</style>",
    f'<meta http-equiv=refresh content="0;url={EVIL}/zq09x">',
    "<!--zq10x--> &lt;b&gt;zq10x &#58;material/home&#58;",
    '<math><mi xlink:href="javascript:window.acted=11">zq11x</mi></math>',
    "<details open ontoggle=window.acted=12>zq12x</details>",
    f"<form action={EVIL}/zq13x><button>ok</button></form>",
    f"[zq14x]({EVIL}/14)",
    f"![zq15x]({EVIL}/15.png)",
    "[zq16x](javascript:window.acted=16)",
    f"<{EVIL}/zq17x>",
    f"[zq18x][r]\n\n[r]: {EVIL}/18",
    "**zq19x** __zq19x__ *zq19x* ~~zq19x~~ ==zq19x==",
    "\n# zq20x\n",
    "\n> zq21x\n",
    "\n- zq22x\n- two\n",
    "\n1. zq23x\n2. two\n",
    "\n| zq24x | b |\n|---|---|\n| 1 | 2 |\n",
    "`zq25x` ``zq25x``",
    "\n```html\nzq26x\n```\n",
    "zq27x` <b>zq27x</b> `and` more",
    "\nTitle zq28x\n===\n",
    "\n- [x] zq29x\n",
    "[^1] zq30x\n\n[^1]: note",
    "\n\n    zq31x indented\n",
    "$zq32x^2$",
    f"$$\\href{{{EVIL}}}{{zq33x}}$$",
    "\\(zq34x\\) \\[zq34x\\]",
    ":material/home: zq35x :material/star:",
    ":red[zq36x]",
    ":blue-background[zq37x] ] zq37x :small[zq37x]",
    ":heart: zq38x :streamlit: :+1:",
    "zq39x -> b <- c -- d <-> zq39x",
    f"https{EVIL[4:]}/zq40x",
    "www.evil.com/zq41x",
    "zq42x@evil.com mailto:zq42x@evil.com",
    "javascript:window.acted=43//zq43x",
    "{{zq44x}} ${zq44x} {0} {tokens:,} %s %(a)s <%= zq44x %>",
    "\u202ezq45x\u202c \u200bzq45x\u200d\ufeff",
    f'=HYPERLINK("{EVIL}/zq46x","zq46x")',
    "+zq47x+cmd|' /C calc'!A0",
    "@SUM(zq48x)",
    "-2+3+zq49x",
    "\x1b[31mzq50x\x1b]0;title\x07",
    f"\x1b]8;;{EVIL}/zq51x\x07link\x1b]8;;\x07",
    f'<b>zq52x</b><br><a href="{EVIL}">%{{label}}</a>',
    "../../../etc/zq53x",
    "zq54x \ud800 \0 zq54x",
)
ORDER = Pipeline("mine", stages=("gather", "select", "construct"))
MARK = re.compile(r"zq(\d\d)x")
ONE_LINE = tuple(" ".join(text.split()) for text in PAYLOADS)
ALL = repaired(" ".join(ONE_LINE))  # of half a character, which a file may hold, the app never hears
LINES = repaired("\n".join(PAYLOADS))


def payload_of(mark: str) -> str:
    return PAYLOADS[int(mark[2:4]) - 1]


def scenario() -> dict[str, Any]:
    """Every payload as a message, a call or a result, and as a document; as the id, title or name of it; and all of
    them together in every other place."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "\n".join(PAYLOADS)}]
    ids = ["the system's"]
    for at, text in enumerate(PAYLOADS):
        call = {"id": f"c{at}", "type": "function", "function": {"name": text, "arguments": text}}
        turn = [
            {"role": "user", "content": text, "name": text},
            {"role": "assistant", "content": text},
            {"role": "assistant", "content": text, "tool_calls": [call]},
        ][at % 3]
        messages.append(turn)
        ids.append(f"m {text}")
        if "tool_calls" in turn:
            messages.append({"role": "tool", "tool_call_id": f"c{at}", "content": f"{text} {'a long result ' * 30}"})
            ids.append(f"r {text}")
    messages += [{"role": PAYLOADS[0], "content": PAYLOADS[0]}]
    picture = {"type": "image_url", "image_url": {"url": f"{EVIL}/zq15x.png"}}  # which nobody fetches
    messages += [{"role": "user", "content": [{"type": PAYLOADS[1], "x": "1"}, picture, {"type": "text", "text": ALL}]}]
    messages += [{"role": "user", "content": "\n".join(PAYLOADS)}]
    ids += ["no role", "no type", "asked"]
    title = {"en": ALL, "zh": ALL}
    tools = [
        {"type": "function", "function": {"name": text, "description": text, "parameters": {text: text}}}
        for text in PAYLOADS[:12]
    ]
    one = {"id": f"o {ALL}"[:200], "text": "\n".join(PAYLOADS)}
    return {
        "schema": "ctxcore.scenario/1",
        "name": ALL[:3_000],
        "title": title,
        "about": title,
        "messages": messages,
        "ids": ids,
        "tools": tools,
        "documents": [{"id": f"d {text}", "title": text, "text": f"{text}\n{'of a page ' * 20}"} for text in PAYLOADS],
        "tool_results": [{"id": f"t {text}", "tool": text, "text": text} for text in PAYLOADS[:20]],
        "state": {"id": f"s {ALL[:100]}", "value": {text: text for text in PAYLOADS}},
        **{kind: [{**one, "id": f"{kind} {text}"} for text in PAYLOADS[:2]] for kind in ("notes", "memory", "profile")},
        "versions": {text: {"system": text, "tools": []} for text in PAYLOADS[:20]},
        "must_keep": [*PAYLOADS[:20], "is nowhere " + ALL],
        "pinned": [f"notes {PAYLOADS[0]}"],
        "warnings": [*PAYLOADS],
    }


def owner_of(cookie: str) -> str:
    """As ui/workspace/owner.py knows who has this cookie."""
    return hashlib.blake2b(cookie.encode(), digest_size=20).hexdigest()


def furnish(url: str, cookie: str) -> dict[str, str]:
    """Fills the store of whoever has this cookie; gives the ids of the workspace, and of one that cannot be built."""
    store, owner = KeptStore(url), owner_of(cookie)
    given = Scenario.from_json(scenario())
    revision = store.put_scenario(owner, given.to_json())
    text = store.put_text(owner, ALL)
    work = Workspace(
        scenario=given.name,
        revision=revision,
        imported=revision,
        model=ALL[:400],
        window=16_000,
        edits=({"stage": "gather", "item": given.ids[1], "text": text},),
        questions=store.put_text(owner, _questions()),
        baseline={"scenario": given.name, "revision": revision, "window": 6_000},
        base=ALL[:100],
    )
    done = history.empty()
    for one in map(repaired, ONE_LINE):
        done = history.with_step(done, ("scenario", {"name": one}), {"scenario": "a"}, {"scenario": "b"})
    ids = {"WS": f"hostile-{owner[:12]}", "BAD": f"bad-{owner[:12]}"}
    options = {"select.when": ALL, "select.long_item": ALL, "construct.x": ALL}
    for id, one in zip(ids.values(), (work, replace(work, options=options, limits={"docs": ALL})), strict=True):
        store.save(Saved(id, owner, 0, body_of(one, {}, done), revision))
    for thing in _things(store, owner, work):
        store.keep(thing)
    for one in ONE_LINE[:8]:
        store.keep(Thing(owner, "prompt", f"old {one}", {"system": one, "tools": [], "tokens": 1}))
        store.throw_away(owner, "prompt", f"old {one}")
    assert store.trouble is None
    store.close()
    return ids


def _questions() -> str:
    return "\n".join(f"{one} = {one}" for one in map(repaired, ONE_LINE))


def _things(store: KeptStore, owner: str, work: Workspace) -> list[Thing]:
    """One of every kind for each payload, by turns, with tags and notes."""
    payloads = [repaired(text) for text in PAYLOADS]
    documents = [{"title": text, "text": f"# {text}\n\n{text} in a document.", "heading": text} for text in payloads]
    asked = [{"question": text, "documents": [text], "holds": []} for text in payloads]
    base = {"schema": "ctxcore.knowledge/1", "name": ALL[:100], "documents": documents, "questions": asked}
    plain = {**work.to_plain(), "language": ""}
    numbers = {"total": 10, "room": 5_500, "items": 2, "of": 2}
    sides = {"first": ALL, "second": ALL, "other_total": 9}
    bodies: dict[str, dict[str, Any]] = {
        "scenario": {"revision": work.revision, "messages": 2, "records": 0},
        "run": {"workspace": plain, **numbers},
        "comparison": {"workspace": plain, **numbers, **sides},
        "prompt": {"system": ALL, "tools": [], "tokens": 3},
        "pipeline": {**ORDER.to_json(), "name": ALL},
        "budget": {"system": "gssc", "variant": ALL, "model": ALL, "window": 5_000, "reserve": 1, "limits": {ALL: ALL}},
        "knowledge": {"revision": store.put_scenario(owner, base), "documents": 1},
        "curve": {**examples()[0].to_json(), "name": ALL, "model": ALL, "date": ALL, "about": {ALL: ALL}},
    }
    kinds = list(bodies)
    return [
        Thing(owner, kinds[at % len(kinds)], _name(text), bodies[kinds[at % len(kinds)]], tags=(text,), note=text)
        for at, text in enumerate((*payloads, ALL))
    ]


def _name(text: str) -> str:
    return " ".join(text.split())[:100]
