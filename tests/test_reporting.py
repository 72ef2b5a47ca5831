"""A run on paper: what it holds, how large it is, that what the guardrail hides is hidden, and that nothing acts."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcore.cli.main import main
from ctxcore.reporting import report as module
from ctxcore.reporting.ledger_markdown import ledger_markdown
from ctxcore.reporting.markup import tag
from ctxcore.reporting.report import report
from ctxcore.reporting.texts import LEAST, cut, size
from ctxcore.reporting.tiles import squarified
from tests.build import built, document, user, words

LANGUAGES = ("en", "zh")
EVIL = '</script><script>alert(1)</script><img src=x onerror=alert(1)>" onload="x'


def run(**more):
    return built(
        [user("Where?")], sources={"documents": [document("doc-01", words(900)), document("doc-02", EVIL)]}, **more
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_report_names_every_item_stage_and_limit(lang):
    trace = run(window=1000)
    page = report(trace, lang)
    named = [item.id for item in trace.inputs] + [s.name for s in trace.snapshots] + [x.name for x in trace.limits]
    assert [name for name in named if f">{name}<" not in page] == []
    assert f"{trace.totals.total:,}" in page


def test_what_a_user_wrote_is_text_and_no_markup():
    page = report(run())
    assert "&lt;img src=x onerror=alert(1)&gt;&quot; onload=&quot;x" in page
    assert "<img" not in page
    assert page.count("<script>") == page.count("</script>") == 1
    assert not re.search(r"<[^>]* (on\w+|style)=", page.partition("<script>")[0])


def test_the_policy_allows_the_one_script_and_style_and_no_address():
    head = report(run()).partition("</head>")[0]
    policy = re.search('Content-Security-Policy" content="([^"]*)"', head)[1]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_what_the_guardrail_hides_is_not_in_the_report():
    card = "4111 1111 1111 1111"
    trace = built([user(f"My card is {card}.")], options={"guardrail.enabled": "on"}, system="compiler")
    assert "[" in trace.messages[-1]["content"] or "<" in trace.messages[-1]["content"]
    assert card not in report(trace)


@given(st.dictionaries(st.text(max_size=4), st.text(max_size=600), max_size=8), st.integers(0, 4_000))
def test_texts_are_cut_to_fit_the_longest_first(texts, room):
    shown = cut(texts, room)
    assert all(texts[key].startswith(text) for key, text in shown.items())
    left = [key for key in texts if shown[key] != texts[key]]
    assert sum(size(text) for text in shown.values()) <= max(room, len(texts) * LEAST) + len(left) * LEAST
    if left:
        assert max(size(texts[k]) for k in texts if k not in left or k in left) == max(size(texts[k]) for k in left)


def test_a_thousand_long_messages_stay_under_three_megabytes():
    many = [user(f"message {n} " + words(600)) for n in range(1_000)]
    page = report(built(many, window=50_000))
    assert 2_500_000 < len(page.encode()) < 3_000_000
    assert ">turn-0999<" in page
    assert module.MOST_BYTES < 3_000_000


@given(st.lists(st.integers(0, 10_000), max_size=40))
def test_every_tile_has_the_area_of_its_tokens(sizes):
    placed = squarified(range(len(sizes)), sizes.__getitem__, (0, 0, 100, 50))
    assert sorted(at for at, _ in placed) == [at for at, n in enumerate(sizes) if n > 0]
    for at, (x, y, w, h) in placed:
        assert w * h == pytest.approx(5_000 * sizes[at] / sum(sizes), rel=1e-6)
        assert -1e-6 <= x <= x + w <= 100 + 1e-6
        assert -1e-6 <= y <= y + h <= 50 + 1e-6


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_ledger_as_markdown_has_a_row_for_every_decision_and_no_link(lang):
    trace = built([user("Where?")], sources={"documents": [document("[x](http://a.b)|`c`", words(3_000))]}, window=1000)
    text = ledger_markdown(trace, lang)
    told = [d for s in trace.snapshots for d in s.decisions if d.rule != "untouched"]
    assert len([line for line in text.splitlines() if re.match(r"\| (?!---|item|条目)", line)]) == len(told)
    assert "\\[x\\]\\(http" in text
    assert "http://" not in text


def test_the_command_line_writes_a_report(tmp_path, capsys):
    file = tmp_path / "chat.json"
    file.write_text(json.dumps({"messages": [{"role": "user", "content": "Hi"}]}))
    out = tmp_path / "out.html"
    assert main(["run", str(file), "--report", str(out), "--lang", "zh"]) == 0
    assert '<html lang="zh">' in out.read_text(encoding="utf-8")
    assert main(["run", str(file), "--report", str(tmp_path / "none" / "out.html")]) == 2
    assert "folder that exists" in capsys.readouterr().err


def test_every_word_of_a_report_is_there_in_both_languages_and_used():
    found = json.loads((files("ctxcore.words") / "report.json").read_text(encoding="utf-8"))
    assert all(set(told) == set(LANGUAGES) and all(told.values()) for told in found.values())
    modules = [file for file in files("ctxcore.reporting").iterdir() if file.name.endswith(".py")]
    code = "".join(file.read_text(encoding="utf-8") for file in modules)
    unused = [key for key in found if f'"{key}"' not in code and "." not in key]
    assert unused == []


def test_attributes_and_texts_are_escaped():
    assert tag("a", "<b>", data_x='">') == '<a data-x="&quot;&gt;">&lt;b&gt;</a>'
    assert tag("p", "a\x00\u202eb\ud800") == "<p>a\ufffd\ufffdb\ufffd</p>"
