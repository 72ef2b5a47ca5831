"""What counts as a fact, by pattern. All are ASCII patterns: \\b and \\w of Python take hanzi for letters, so that
nothing would be found beside them; ranges of hanzi are written out."""

from __future__ import annotations

import re

HAN = "\u3400-\u4dbf\u4e00-\u9fff"
NUMERALS = "零〇一二两三四五六七八九十百千万亿"
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\\.?"
_COUNTED = "轮期个次天年月周倍成人名件条元块岁章节步点分秒层组项台辆"

# Repetitions are bounded, so that no text takes more than linear time. At one place the first kind that matches wins.
# `mark` is what our own compressors write, or an escape: no fact.
KINDS: tuple[tuple[str, str], ...] = (
    ("mark", r"(?<![^\n])\d+× |\[…\]|\\u[0-9a-fA-F]{4}|\"times\":\d+|\[left out: [^\]\n]{1,300}\]"),
    ("url", rf"https?://[^\s<>\"')\]}}，。；、{HAN}]+"),
    ("email", r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+\.[\w.-]*\w"),
    ("uuid", r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"),
    (
        "path",
        r"(?<![\w/.])(?:~|\.{1,2})?(?:/[\w.@+-]+){2,}/?|\b[A-Za-z]:\\[\w.\\-]+"
        r"|\b(?:[\w.-]{1,60}/){1,20}[\w-]{1,60}\.[a-z]{1,5}\b",
    ),
    ("ip", r"\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b"),
    (
        "date",
        r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?"
        r"|\d{2,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?|\d{1,2}月\d{1,2}日|\b\d{1,2}:\d{2}(?::\d{2})?\b"
        rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}}\b)?|\b\d{{1,2}} {_MONTH}(?: \d{{4}}\b)?"
        rf"|\b{_MONTH} \d{{4}}\b",
    ),
    ("phone", r"(?<![\w.])\+\d{1,3}[ -]?\d[\d -]{6,}\d|\b1[3-9]\d{9}\b|\b\d{3,4}-\d{7,8}\b|\b\d{3}-\d{3}-\d{4}\b"),
    ("hash", r"\b(?=[a-f]*\d)(?=\d*[a-f])(?=[0-9a-f]*\d[0-9a-f]*\d)[0-9a-f]{7,64}\b"),
    (
        "id",
        r"\bv?\d+(?:\.\d+){2,}(?:-[\w.]+)?\b|\b[A-Za-z]+(?:[-_.][A-Za-z0-9]+){0,6}[-_]?\d[\w]*(?:[-.][\w]+)*\b"
        r"|\b[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+\b|\b[a-z]+(?:[A-Z][a-z0-9]+)+\b|\b(?:[A-Z][a-z0-9]+){2,}\b"
        r"|\b[A-Za-z][\w.]{0,60}\(\)|\b[A-Z]{1,10}(?:-[A-Z]{1,10})+\b",
    ),
    (
        "num",
        r"(?:[$€£¥] ?)?(?:(?<![\d,])\d{1,3}(?:,\d{3})+(?!\d|,\d)|\d+)(?:\.\d+)?(?:[eE][+-]?\d+)?"
        r"(?: ?%| ?(?:million|billion|thousand|trillion)\b|[KMBk](?![A-Za-z0-9])| ?[百千]?[万亿]| ?千)?",
    ),
    ("zhnum", rf"第[{NUMERALS}]+[{_COUNTED}]?|[{NUMERALS}]{{2,}}[{_COUNTED}]?|[二两三四五六七八九十百千][{_COUNTED}]"),
    ("quoted", r"“[^”\n]{2,40}”|「[^」\n]{2,40}」|《[^》\n]{1,40}》|(?<![\w\"])\"[^\"\n{}:,]{2,40}\"(?![\w\":])"),
    ("acronym", r"\b[A-Z]{2,6}s?\b"),
    ("name", r"\b[A-Z][a-z]+(?:[ -](?:(?:of|de|van|von|the) )?[A-Z][a-z]+)*\b"),
)
FACT = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in KINDS), re.ASCII)

NUMERIC = frozenset(("num", "zhnum", "date", "ip", "phone"))  # an added one is invented
WEIGHTS = dict.fromkeys(("num", "zhnum", "date", "id", "path", "negation"), 3.0) | {"url": 2.0, "quoted": 1.5}

NEGATION = re.compile(
    r"\b(?:do|does|did|is|are|was|were|ca|could|should|must|wo|would|has|have|had|need)n['’]t\b|\bcannot\b|\bnot\b"
    r"|\bnever\b|\bwithout\b|\bno\b(?=\s+[a-z])"
    r"|不(?:[得要能可会应许准宜]|(?![仅但过同断少错如论管料禁久良足妨]))|没有?|(?<![从])未(?![来必])|无(?![论数限])[法需须权]?|禁止|切勿|请勿",
    re.ASCII | re.IGNORECASE,
)
FULL_WIDTH = {0xFF01 + at: 0x21 + at for at in range(0x5E)} | {0x3000: 0x20, ord("’"): ord("'")}
KEEP = {ord(mark): ord(mark) for mark in "，。；：！？（）"}  # punctuation of Chinese, not of numbers
FOLD = {code: to for code, to in FULL_WIDTH.items() if code not in KEEP}
