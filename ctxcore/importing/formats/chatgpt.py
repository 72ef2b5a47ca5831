"""Exports of ChatGPT and Open WebUI: trees of messages, read from the current one back to the root."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ctxcore.importing.blocks import file_part, image
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.pairing import Pairing
from ctxcore.importing.shapes import head, kind, listed, mapping, text
from ctxcore.importing.speech import Message, assistant, call, compact, content, result, text_part

CONTEXT = ("user_editable_context", "model_editable_context")
QUIET = ("reasoning_recap", "thoughts", "app_pairing_content")


def fits(value: Any) -> bool:
    return isinstance(mapping(head(value) if isinstance(value, list) else value).get("mapping"), Mapping)


def fits_webui(value: Any) -> bool:
    chat = mapping(mapping(head(value) if isinstance(value, list) else value).get("chat"))
    return bool(mapping(chat.get("history")).get("messages")) or isinstance(chat.get("messages"), list)


def _each(given: Given) -> list[tuple[str, Mapping[str, Any]]]:
    if isinstance(given.value, Mapping):
        return [("", given.value)]
    return [(given.place(at), one) for at, one in enumerate(given.value) if isinstance(one, Mapping)]


def find(given: Given) -> Sequence[Found]:
    return [Found(partial(_read, one, where), says=text(one.get("title"))) for where, one in _each(given) if fits(one)]


def find_webui(given: Given) -> Sequence[Found]:
    return [
        Found(partial(_read_webui, one["chat"], where), says=text(one["chat"].get("title")))
        for where, one in _each(given)
        if fits_webui(one)
    ]


def path_to(nodes: Mapping[str, Any], last: Any, parent: str) -> list[str]:
    """The names of the nodes from the root to `last`."""
    out, name = dict[str, None](), last  # a dict: its order is that of the walk, and a circle is seen at once
    while isinstance(name, str) and name in nodes and name not in out:
        out[name] = None
        name = mapping(nodes[name]).get(parent)
    return list(out)[::-1]


def _read(conversation: Mapping[str, Any], where: str) -> Draft:
    nodes = conversation["mapping"]
    last = conversation.get("current_node")
    names = path_to(nodes, last if isinstance(last, str) and last in nodes else _latest(nodes), "parent")
    draft, pairing = Draft(read=len(nodes), records="nodes"), Pairing()
    draft.skip("node on another branch", len(nodes) - len(names))
    for name in names:
        _message(draft, pairing, mapping(mapping(nodes[name]).get("message")), f"{where}/mapping/{name}")
    if model := text(conversation.get("default_model_slug")):
        draft.settings.setdefault("model", model)
    return draft


def _latest(nodes: Mapping[str, Any]) -> str:
    """The leaf that was made last."""
    leaves = [name for name, node in nodes.items() if not listed(mapping(node).get("children"))]
    return max(leaves, key=lambda name: _time(mapping(nodes[name]).get("message")), default="")


def _time(message: Any) -> float:
    made = mapping(message).get("create_time")
    return made if isinstance(made, int | float) else 0.0


def _message(draft: Draft, pairing: Pairing, message: Mapping[str, Any], place: str) -> None:
    given, about = mapping(message.get("content")), mapping(message.get("metadata"))
    author, what = mapping(message.get("author")), text(given.get("content_type"))
    role, to = text(author.get("role")), text(message.get("recipient")) or "all"
    if not message or what in QUIET or message.get("weight") == 0:
        draft.skip("node that is not sent")
        return
    parts = _parts(given, what)
    if (about.get("is_visually_hidden_from_conversation") is True and what not in CONTEXT) or not parts:
        draft.skip("hidden or empty node")
        return
    if model := text(about.get("model_slug")):
        draft.settings["model"] = model
    if role == "assistant" and to != "all":
        words = "\n".join(text(part.get("text")) for part in parts)
        draft.say(assistant([], [call(pairing.call(to), to, words)]), place)
    elif role == "tool":
        name = text(author.get("name"))
        key = pairing.result(name)
        made = result(key, parts, name)
        draft.say(made if key else {field: one for field, one in made.items() if field != "tool_call_id"}, place)
    else:
        role = "system" if what in CONTEXT else role if role in ("system", "assistant") else "user"
        draft.say({"role": role, "content": content(parts)}, place)


def _parts(given: Mapping[str, Any], what: str) -> list[Message]:
    out = list[Message]()
    for part in listed(given.get("parts")):
        if isinstance(part, str) and part:
            out.append(text_part(part))
        elif isinstance(part, Mapping):
            out.append(_picture(part) if "asset_pointer" in part else text_part(compact(part)))
    known = ("text", "result", "user_profile", "user_instructions", "model_set_context")
    if not out and (words := "\n".join(filter(None, (text(given.get(name)) for name in known)))):
        out.append(text_part(words))
    return out


def _picture(part: Mapping[str, Any]) -> Message:
    pointer = text(part.get("asset_pointer"))
    if kind(part).startswith("audio") or "audio" in text(part.get("content_type")):
        return file_part(pointer)
    size = {name: part[name] for name in ("width", "height") if isinstance(part.get(name), int)}
    return {**image(pointer), **size}


def _read_webui(chat: Mapping[str, Any], where: str) -> Draft:
    nodes = mapping(mapping(chat.get("history")).get("messages"))
    names = path_to(nodes, mapping(chat.get("history")).get("currentId"), "parentId")
    turns = [mapping(nodes[name]) for name in names] or [mapping(one) for one in listed(chat.get("messages"))]
    draft = Draft(read=len(nodes) or len(turns), records="messages")
    draft.skip("message on another branch", max(0, len(nodes) - len(turns)))
    for index, turn in enumerate(turns):
        role = text(turn.get("role"))
        parts = [text_part(turn["content"])] if text(turn.get("content")) else []
        for one in map(mapping, listed(turn.get("files"))):
            url = text(one.get("url"))
            parts.append(image(url) if kind(one) == "image" else file_part(one.get("name"), url))
        if role and parts:
            draft.say({"role": role, "content": content(parts)}, f"{where}/{index}")
        else:
            draft.skip("empty message")
    models = [one for one in listed(chat.get("models")) if isinstance(one, str)]
    if models:
        draft.settings["model"] = models[0]
    return draft


CHATGPT = Format("chatgpt-export", "an export of ChatGPT: each conversation along its current branch", fits, find)
OPEN_WEBUI = Format("open-webui", "an export of Open WebUI", fits_webui, find_webui)
