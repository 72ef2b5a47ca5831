"""Builders of test data: every argument has a default, so that a test states only what matters to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ctxcore import Scenario, Trace, build

SHARED = Path(__file__).resolve().parents[2] / "shared"
Message = dict[str, Any]

PIXEL = "data:image/png;base64," + (  # one white pixel
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z/C/HgAGgwJ/lK3Q6wAAAABJRU5ErkJggg=="
)
WEATHER: Message = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Current weather of one place",
        "parameters": {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]},
    },
}


def words(count: int, word: str = "river") -> str:
    """A text of `count` different sentences, none of which repeats another."""
    return " ".join(f"The {word} number {at} is {at * 7} metres wide." for at in range(count))


def system(text: str = "Answer briefly.") -> Message:
    return {"role": "system", "content": text}


def user(text: str = "How wide is the river?") -> Message:
    return {"role": "user", "content": text}


def assistant(text: str = "It is wide.") -> Message:
    return {"role": "assistant", "content": text}


def calls(*ids: str, arguments: str = '{"place":"Oslo"}', text: str | None = None) -> Message:
    made = [{"id": key, "type": "function", "function": {"name": "get_weather", "arguments": arguments}} for key in ids]
    return {"role": "assistant", "content": text, "tool_calls": made}


def result(key: str, text: str = "7 degrees") -> Message:
    return {"role": "tool", "tool_call_id": key, "content": text}


def image(text: str = "What is this?", url: str = PIXEL, detail: str = "low") -> Message:
    picture = {"type": "image_url", "image_url": {"url": url, "detail": detail}}
    return {"role": "user", "content": [{"type": "text", "text": text}, picture]}


def talk(turns: int, sentences: int = 3) -> list[Message]:
    """`turns` pairs of a user's message and an answer, each with words of its own."""
    pairs = ((user(words(sentences, f"brook{at}")), assistant(words(sentences, f"lake{at}"))) for at in range(turns))
    return [message for pair in pairs for message in pair]


def document(key: str, text: str, score: float | None = None) -> Message:
    return {"id": key, "text": text} | ({} if score is None else {"score": score})


def tool_result(key: str, text: str, *, recent: bool = False, tool: str = "sql") -> Message:
    return {"id": key, "tool": tool, "text": text, "recent": recent}


def record(key: str, text: str) -> Message:
    return {"id": key, "text": text}


def scenario(messages: Sequence[Mapping[str, Any]] = (), **more: Any) -> Scenario:
    """A scenario file with these messages; `more` are its other fields."""
    return Scenario.from_json({"schema": "ctxcore.scenario/1", "name": "test", "messages": list(messages), **more})


def built(
    messages: Sequence[Mapping[str, Any]] = (), *, sources: Mapping[str, Any] | None = None, **settings: Any
) -> Trace:
    return build(scenario(messages, **(sources or {})), **settings)


def stage(trace: Trace, name: str) -> Any:
    return next(snapshot for snapshot in trace.snapshots if snapshot.name == name)


def rules(trace: Trace, name: str, item: str | None = None) -> list[str]:
    """The rules by which a stage decided, about one item or all."""
    return [d.rule for d in stage(trace, name).decisions if item in (None, d.item, *d.sources)]


def problems(trace: Trace) -> list[str]:
    return [problem.rule for snapshot in trace.snapshots for problem in trace.problems_of(snapshot)]


def ids(trace: Trace, name: str | None = None) -> list[str]:
    """Ids of the items after a stage; of the payload where none is named."""
    return [item.id for item in (stage(trace, name) if name else trace.snapshots[-1]).items]


def payload_text(trace: Trace) -> str:
    """Everything that the payload says."""
    return "\n".join(str(message.get("content")) for message in trace.messages)


def pdf(*pages: str) -> bytes:
    """A PDF with a line of text on each page; "" makes a page without any."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, line in enumerate(pages):
        drawn = f"BT /F1 12 Tf 72 720 Td ({line}) Tj ET" if line else ""
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * at} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>",
            f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream",
        ]
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(out)}\n%%EOF\n"
    return out + f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}{end}".encode()
