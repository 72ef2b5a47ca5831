"""Files to scenarios: decode, parse, recognise by structure, read."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ctxcore.counting.encodings import repaired
from ctxcore.errors import InputError
from ctxcore.importing.building import built
from ctxcore.importing.conversations import Opened, has_role, is_conversation, picked
from ctxcore.importing.decoding import check_text, decoded
from ctxcore.importing.draft import Draft
from ctxcore.importing.format import Format, Found, Given
from ctxcore.importing.formats import FOREIGN, TEXTS
from ctxcore.importing.parsing import Parsed, parsed
from ctxcore.importing.scenario_file import is_scenario
from ctxcore.importing.zipped import zipped_log
from ctxcore.scenario import Record, Scenario
from ctxcore.words import Phrase

HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
SUFFIX = re.compile(r"\.[A-Za-z]\w{0,8}$")  # .8MB is none


def load_file(source: str | Path, conversation: int | None) -> Opened:
    if str(source) == "-":
        if sys.stdin is None:
            raise InputError("stdin-closed")
        return load_text(sys.stdin.buffer.read(), "stdin", conversation)
    path = Path(source)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError("missing-file", path=source) from None
    except IsADirectoryError:
        raise InputError("is-folder", path=source) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError("unreadable-file", path=str(source)[:200], reason=reason) from None
    return load_text(data, path.name, conversation)


def load_text(data: bytes | str, name: str, conversation: int | None) -> Opened:
    what = name or Phrase("the-text")
    text, warnings, value = "", list[str](), zipped_log(data, what) if isinstance(data, bytes) else None
    if value is None:
        text, warnings = (data.removeprefix("\ufeff"), []) if isinstance(data, str) else decoded(data, what)
        check_text(text, what)
        value = parsed(text, name)
    warnings += value.warnings if value else []
    found, of_file = _found(value, text, name)
    if not found:
        if told := (*warnings, *of_file):
            raise InputError("no-conversation-why", what=what, why=" ".join(told))
        raise InputError("no-conversation", what=what)
    number = picked(found, conversation, what)
    scenario = _scenario(found[number], what)
    if told := (*warnings, *of_file):
        scenario = scenario.edited(warnings=tuple(dict.fromkeys((*told, *scenario.warnings))))
    has_choice = len(found) > 1 and any(one.is_default for one in found)
    return Opened(scenario, tuple(repaired(one.says) for one in found) if has_choice else (), number)


def _scenario(found: Found, what: str) -> Scenario:
    try:
        scenario: Scenario = found.read()
        return scenario
    except InputError as error:
        raise InputError("in-place", where=what, told=error.told) from None


def _found(value: Parsed | None, text: str, name: str) -> tuple[Sequence[Found], list[str]]:
    """The conversations of the file, and what is to be said of those that it holds and that are none."""
    if value is None:
        reader = next((one for one in TEXTS if one.fits(text)), None)
        found = _by(reader, Given(text, (), name)) if reader else []
        return found or [Found(partial(_document, text, name))], []
    given = _given(value, name)
    if reader := reader_of(given.value):
        return _by(reader, given), []
    if not isinstance(given.value, list) or any(map(has_role, given.value)):
        return [Found(partial(built, given.value, _stem(name), given.places))], []
    return _many(given)


def reader_of(value: Any) -> Format | None:
    """The first format that fits; None for a scenario, for chat messages, and for what is nothing known."""
    return None if is_scenario(value) else next((one for one in FOREIGN if one.fits(value)), None)


def _by(reader: Format, given: Given) -> list[Found]:
    """The conversations that a format's reader finds, each to become a scenario of that format."""
    return [
        Found(partial(_drafted, one, reader.name, given.name), one.is_default, one.says) for one in reader.find(given)
    ]


def _drafted(found: Found, format_name: str, name: str) -> Scenario:
    draft: Draft = found.read()
    return draft.scenario(_stem(name), format_name)


def _many(given: Given) -> tuple[Sequence[Found], list[str]]:
    """A list of conversations, each of a format of its own; a list of nothing known is told as such."""
    found = list[Found]()
    for value in given.value:
        if is_scenario(value) or (is_conversation(value) and reader_of(value) is None):
            found.append(Found(partial(built, value, _stem(given.name))))
        elif reader := reader_of(value):
            of_value = _by(reader, Given(value, (), given.name))
            found.append(next((one for one in of_value if one.is_default), of_value[0]))
    if not found:
        return [Found(partial(built, given.value, _stem(given.name), given.places))], []
    lost = len(given.value) - len(found)
    told = f"{given.name or 'The text'}: {len(given.value)} records read, {len(found)} conversations kept"
    return [Found(one.read, says=one.says) for one in found], [f"{told}, {lost} skipped."] if lost else []


def _given(value: Parsed, name: str) -> Given:
    """One value a line is a list of values; the places say where each stood."""
    if value.lines:
        return Given(list(value.values), [f"line {line}" for line in value.lines], name)
    one = value.values[0]
    return Given(one, [f"/{index}" for index in range(len(one))] if isinstance(one, list) else (), name)


def _document(text: str, name: str) -> Scenario:
    heading = HEADING.search(text)
    title = heading[1] if heading else _stem(name)
    return Scenario.from_messages((), name=_stem(name), format="text", documents=(Record("", text, title),))


def _stem(name: str) -> str:
    """`image_2.8MB.json` is called image_2.8MB."""
    return SUFFIX.sub("", name) or name
