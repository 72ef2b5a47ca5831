"""Files to scenarios: decode, parse, recognise by structure, read."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from ctxcore.errors import InputError
from ctxcore.importing.building import SUPPORTED, built, refuse_others
from ctxcore.importing.conversations import many, picked
from ctxcore.importing.decoding import check_text, decoded
from ctxcore.importing.format import Found, Given
from ctxcore.importing.formats import FOREIGN
from ctxcore.importing.parsing import Parsed, parsed
from ctxcore.scenario import Record, Scenario

HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t#]*$", re.MULTILINE)
SUFFIX = re.compile(r"\.[A-Za-z]\w{0,8}$")  # .8MB is none
AIDER = re.compile(r"^# aider chat started at ", re.MULTILINE)


def load_file(source: str | Path, conversation: int | None) -> Scenario:
    if str(source) == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed: give a file, or pipe one in.")
        return load_text(sys.stdin.buffer.read(), "stdin", conversation)
    path = Path(source)
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{source} does not exist: check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{source} is a folder: name a file, or give the folder's documents with --docs.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{str(source)[:200]} cannot be read: {reason}.") from None
    return load_text(data, path.name, conversation)


def load_text(data: bytes | str, name: str, conversation: int | None) -> Scenario:
    what = name or "The text"
    text, warnings = (data.removeprefix("\ufeff"), []) if isinstance(data, str) else decoded(data, what)
    check_text(text, what)
    found = parsed(text, name)
    if found is None:
        scenario = _document(text, name)
        _check_only_one(conversation, what)
    else:
        warnings += found.warnings
        scenario = _conversation(found, name, conversation)
    return scenario.edited(warnings=tuple(dict.fromkeys((*warnings, *scenario.warnings)))) if warnings else scenario


def _document(text: str, name: str) -> Scenario:
    if AIDER.search(text):
        raise InputError(
            f"{name or 'The text'} seems to be a chat history of Aider, which cannot be read yet. {SUPPORTED}."
        )
    heading = HEADING.search(text)
    title = heading[1] if heading else _stem(name)
    return Scenario.from_messages((), name=_stem(name), format="text", documents=(Record("", text, title),))


def _conversation(found: Parsed, name: str, number: int | None) -> Scenario:
    what = name or "The text"
    given = _given(found, name)
    if foreign := next((one for one in FOREIGN if one.fits(given.value)), None):
        return _read(foreign.find(given), foreign.name, number, what, name)
    if not isinstance(given.value, list):
        _check_only_one(number, what)
        return built(given.value, what, _stem(name))
    values = given.value
    refuse_others(values, what)
    conversations = many(values, given.places)
    if not conversations:
        _check_only_one(number, what)
        return built(values, what, _stem(name), given.places)
    scenario = built(picked(conversations, number, what).value, what, _stem(name))
    if lost := len(values) - len(conversations):
        left_out = f"{what}: {len(values)} records read, {len(conversations)} conversations kept, {lost} skipped."
        return scenario.edited(warnings=(left_out, *scenario.warnings))
    return scenario


def _given(found: Parsed, name: str) -> Given:
    """One value a line is a list of values; the places say where each stood."""
    if found.lines:
        return Given(list(found.values), [f"line {line}" for line in found.lines], name)
    value = found.values[0]
    return Given(value, [f"/{index}" for index in range(len(value))] if isinstance(value, list) else (), name)


def _read(found: Sequence[Found], format_name: str, number: int | None, what: str, name: str) -> Scenario:
    default = next((at for at, one in enumerate(found) if one.is_default), 0)
    at = default if number is None else number
    if not 0 <= at < len(found):
        raise InputError(f"{what} holds {len(found)} conversations, none with the number {number}.")
    try:
        return found[at].read().scenario(_stem(name), format_name)
    except InputError as error:
        raise InputError(f"{what}: {error}") from None


def _check_only_one(number: int | None, what: str) -> None:
    if number:
        raise InputError(f"{what} holds one conversation, none with the number {number}: leave --conversation out.")


def _stem(name: str) -> str:
    """`image_2.8MB.json` is called image_2.8MB."""
    return SUFFIX.sub("", name) or name
