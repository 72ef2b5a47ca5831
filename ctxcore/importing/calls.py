"""Tool calls and the ids of their results, as later stages rely on them; each change is told in a note."""

from __future__ import annotations

import json
from typing import Any

from ctxcore.importing.plain import kind_of


def fix_calls(message: dict[str, Any]) -> list[str]:
    calls = message.get("tool_calls")
    if calls is None:
        return []
    if not isinstance(calls, list):
        del message["tool_calls"]
        return [f"/tool_calls: left out, it is {kind_of(calls)} and no list."]
    notes = list[str]()
    kept = [call for index, call in enumerate(calls) if _fix_call(call, f"/tool_calls/{index}", notes)]
    if len(kept) < len(calls):
        message["tool_calls"] = kept
    return notes


def _fix_call(call: Any, where: str, notes: list[str]) -> bool:
    """Whether the call can be kept; its id and arguments become text in place."""
    if not isinstance(call, dict):
        notes.append(f"{where}: left out, it is {kind_of(call)} and no call.")
        return False
    if call.get("id") is not None and not isinstance(call["id"], str):
        call["id"] = json.dumps(call["id"])
        notes.append(f"{where}/id: read as text.")
    if isinstance(call.get("custom"), dict):
        return True
    function = call.get("function")
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        notes.append(f"{where}: left out, it has no function with a name.")
        return False
    if not isinstance(arguments := function.get("arguments"), str):
        function["arguments"] = "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
        notes.append(f"{where}/function/arguments: {kind_of(arguments)}, read as text.")
    return True


def fix_result_id(message: dict[str, Any]) -> list[str]:
    """SWE-agent writes a list `tool_call_ids` with the one id of the call that the message answers."""
    one, many = message.get("tool_call_id"), message.get("tool_call_ids")
    notes = list[str]()
    if one is None and message["role"] == "tool" and isinstance(many, list) and many and many[0] is not None:
        message["tool_call_id"] = one = many[0]
        if len(many) > 1:
            notes.append(f"/tool_call_ids: answers {len(many)} calls; read as the answer to the first.")
    if one is not None and not isinstance(one, str):
        message["tool_call_id"] = json.dumps(one)
        notes.append("/tool_call_id: read as text.")
    return notes
