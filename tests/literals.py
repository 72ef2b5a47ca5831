"""Texts that would like to act, each as a text and as `literal` Markdown: `streamlit run tests/literals.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[1]))

from ui.words import badge, literal

TEXTS = (
    "<img src=x onerror=alert(1)> <b>bold</b> <script>alert(1)</script>",
    "![x](http://evil.invalid/?q=1) [a](javascript:alert(1)) <javascript:alert(1)>",
    "see http://evil.invalid/x, https://evil.invalid and HTTPS://EVIL.INVALID",
    "www.evil.com or a@evil.com, mailto:a@evil.com, xmpp:a@evil.com",
    ":material/home: :material_home: :streamlit: :MATERIAL/home:",
    "a :smile: b :+1: c :heart:",
    ":red[x] :blue-background[y] :small[z] ::x[y] :::note",
    "$x$ and $$y$$ and \\(z\\)",
    "**a** __b__ *c* _d_ ~~e~~ ==f== `g` ``h``",
    "a -> b <-> c <- d -- e >= f <= g ~= h",
    "-> at the start, at the end ->",
    "# not a heading\n## neither\n> no quote",
    "Title\n===\nother\n---",
    "- one\n+ two\n* three\n1. four\n2) five",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "x\n    indented\n\ttabbed",
    "a &amp; &#58;material/home&#58; &lt;b&gt;",
    "[^1] and [x]: http://evil.invalid\n\n[^1]: note",
    "```python\nprint(1)\n```\n~~~\nx\n~~~",
    "line\\\nbreak, C:\\new\\table",
    "- [ ] open\n- [x] done",
    "mailto:a@evil.com :heart: x :+1: a:b: c",
    "\n# h\n\n- one\n",
    "[x] ] [ y :small[z]",
)

for at, text in enumerate(TEXTS):
    with st.container(key=f"raw_{at}"):
        st.text(text)
    with st.container(key=f"markdown_{at}"):
        st.markdown(literal(text))
    with st.container(key=f"caption_{at}"):
        st.caption(literal(text))
    with st.container(key=f"coloured_{at}"):
        st.markdown(f":gray[{literal(text)}]")
    with st.container(key=f"badge_{at}"):
        st.markdown(badge(text, "gray"))
    with st.container(key=f"label_{at}"):
        st.button(literal(text), key=f"button_{at}")
st.text("All are shown.")
