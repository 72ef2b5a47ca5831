"""Every string of the interface stands in both catalogues, is used, and goes through `t`."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcore.catalogue import about_option, label_of
from ctxcore.retrieving.embedding import EmbeddingRetriever
from ctxcore.retrieving.hybrid import HybridRetriever
from ctxcore.retrieving.retrieval import BM25Retriever
from ctxcore.stage import options_of
from ctxcore.stages import STAGES
from ctxcore.words import LANGUAGES, fill, of_options, of_stages, sentence
from ui.terms import TERMS
from ui.words import NOTHING, literal
from ui.words import words as shown_words

ROOT = Path(__file__).parents[1]
FILES = sorted([ROOT / "app.py", *(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").rglob("*.py")])
ENGLISH, CHINESE = (
    json.loads((ROOT / "ui" / "words" / f"{language}.json").read_text(encoding="utf-8")) for language in ("en", "zh")
)
# Calls of Streamlit whose first argument is read by people, and keywords that are, in any call.
SHOWS = re.compile(
    r"button|caption|checkbox|code|download_button|error|expander|file_uploader|form_submit_button|header|info|json|"
    r"link_button|markdown|metric|multiselect|number_input|pills|popover|progress|radio|segmented_control|selectbox|"
    r"select_slider|slider|spinner|status|subheader|success|text|text_area|text_input|title|toast|toggle|warning|write"
)
READ = {"label", "help", "placeholder", "title", "body", "caption", "text"}
SIGNS = ("sign", "sign_panel")  # ui/signs.py: the words come after the sign
SYMBOL = re.compile(r":material/\w*:|:[\w-]*\[")  # an icon; the start of a coloured text


def trees() -> Iterator[tuple[Path, ast.Module]]:
    for file in FILES:
        yield file, ast.parse(file.read_text(encoding="utf-8"))


def placeholders(words: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(words) if name is not None}


def pattern(node: ast.JoinedStr) -> str:
    """`f"page.{name}"` as a regular expression."""
    parts = (re.escape(part.value) if isinstance(part, ast.Constant) else "[^.]+" for part in node.values)
    return "".join(parts)


def asked_for() -> Iterator[tuple[str, str]]:
    """What `t(…)` and `notify(…)` are called with: the place, and a regular expression for the keys."""
    for file, tree in trees():
        for node in ast.walk(tree):
            name = getattr(node.func, "id", getattr(node.func, "attr", "")) if isinstance(node, ast.Call) else ""
            if name in ("t", "notify") and node.args:
                key, place = node.args[0], f"{file.relative_to(ROOT)}:{node.lineno}"
                if isinstance(key, ast.Constant):
                    yield place, re.escape(key.value)
                elif isinstance(key, ast.JoinedStr):
                    yield place, pattern(key)


def literal_text(node: ast.expr) -> str:
    """The literal text of an argument, icons and colours left out."""
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    strings = (part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))
    return SYMBOL.sub("", "".join(strings))


def test_both_languages_have_the_same_words():
    assert list(ENGLISH) == list(CHINESE) == sorted(ENGLISH)


def test_both_languages_name_the_same_facts():
    assert {key: placeholders(ENGLISH[key]) for key in ENGLISH} == {key: placeholders(CHINESE[key]) for key in CHINESE}


def test_every_word_that_is_asked_for_exists():
    missing = {place: key for place, key in asked_for() if not any(re.fullmatch(key, known) for known in ENGLISH)}
    assert missing == {}


def test_every_word_is_used():
    patterns = [key for _, key in asked_for()]
    strings = {node.value for _, tree in trees() for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    used = {key for key in ENGLISH if key in strings or any(re.fullmatch(pattern, key) for pattern in patterns)}
    drawn = {
        key for key in ENGLISH if key.startswith("draw.")
    }  # tests/test_components.py looks for these in the scripts
    assert set(ENGLISH) - used - drawn == set()


def test_no_string_reaches_the_screen_past_the_catalogue():
    found = []
    for file, tree in trees():
        for node in ast.walk(tree):
            name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if not name.startswith("st.") and name not in SIGNS:
                continue
            first = (
                node.args[1:2] if name in SIGNS else node.args[:1] if SHOWS.fullmatch(name.rpartition(".")[2]) else []
            )
            read = [*first, *(keyword.value for keyword in node.keywords if keyword.arg in READ)]
            found += [
                f"{file.relative_to(ROOT)}:{node.lineno}: {shown}"
                for shown in map(literal_text, read)
                if re.search(r"[^\W\d_]{2}", shown)
            ]
    assert found == []


def test_no_button_is_a_sign_without_words():
    bare = [
        f"{file.relative_to(ROOT)}:{node.lineno}"
        for file, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("st.button", "st.popover", "st.download_button")
        and isinstance(node.args[0], ast.Constant)
        and not SYMBOL.sub("", str(node.args[0].value)).strip()
    ]
    assert bare == []


def test_every_stage_says_what_it_does_in_whole_sentences_of_both_languages():
    assert of_stages().keys() == STAGES.keys()
    for told in of_stages().values():
        assert (told["en"][-1], told["zh"][-1]) == (".", "。")


def test_every_option_has_a_label_and_a_help_in_both_languages():
    options = {f"{name}.{one.name}": (name, one) for name, stage in STAGES.items() for one in options_of(stage())}
    assert of_options().keys() == options.keys()
    for path, (stage, option) in options.items():
        label, about = ({lang: say(stage, option, lang) for lang in LANGUAGES} for say in (label_of, about_option))
        assert all((label["en"], about["en"])), path
        assert all(re.search("[\u4e00-\u9fff]", said["zh"]) for said in (label, about)), path
        missing = [
            one for one in option.choices if one in re.findall(r"[\w-]+", about["en"])
        ]  # which the help explains
        assert all(one in about["zh"] for one in missing), path


@pytest.mark.parametrize(
    "scale", [BM25Retriever.scale, EmbeddingRetriever.scale, HybridRetriever(()).scale, "words found"]
)
def test_the_scale_of_a_score_is_told_in_chinese_too(scale):
    facts = {"rank": 1, "score": 0.5, "scale": scale, "tokens": 9, "left": 90}
    assert scale in sentence("retrieved", facts)
    assert not re.search("[a-z]", sentence("retrieved", facts, "zh"))


@pytest.mark.parametrize(
    ("counts", "said"),
    [((1, 2, 3), "1 a, 2 bs and 3 c"), ((0, 0, 1), "1 c"), ((2, 0, 0), "2 as"), ((0, 1, 1_000), "1 b and 1,000 c")],
)
def test_what_is_counted_agrees_and_nothing_is_left_out(counts, said):
    facts = dict(zip("abc", counts, strict=True))
    assert fill("{a:a|as|}, {b:b|bs|} and {c:c|c|}.", facts) == f"{said}."
    assert fill("{count:item|items}", {"count": "1"}) == "1 item"  # a number that is written out


@given(st.text("ab *_`[](){}#<>!|~$&:\\.-+1=@\n"))
def test_literal_text_loses_nothing(text):
    shown = re.sub(r"\\([^\w\s]|_)", r"\1", literal(text).replace(NOTHING, "")).replace("&nbsp;", " ")
    assert re.sub(r" *\n", "\n", shown) == re.sub(r" *\n", "\n", text)


@pytest.mark.parametrize("text", ["![x](http://evil/?q=1)", "[a](javascript:1)", ":red[x]", "$x$", "<img src=x>"])
def test_literal_text_makes_no_link_picture_or_formula(text):
    assert not re.search(r"(?<!\\)[\[\]$<:]", literal(text).replace(NOTHING, ""))


@pytest.mark.parametrize("name", ["en", "zh"])
def test_each_term_has_a_name_a_sentence_and_a_source(name: str):
    known = shown_words(name)
    shown = {key.split(".")[1] for key in known if key.startswith("term.") and key.count(".") == 2}
    assert shown == set(TERMS)
    for term in TERMS:
        assert all(known[key].strip() for key in (f"term.{term}", f"term.{term}.is", f"term.{term}.source"))
        assert known[f"term.{term}.is"].count(". ") <= 1  # a sentence, or two short ones
