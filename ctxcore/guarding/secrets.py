"""Keys, tokens and passwords: formats that `detect-secrets` knows, newer ones, and what is called a password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from ctxcore.guarding.match import Match

# Detectors of detect-secrets, and a text without which they find nothing: most texts are passed at the cost of a look.
# Left out are those that guess from entropy, and those that need the quotes of program code.
_DETECTORS: dict[str, tuple[str, ...]] = {
    "aws.AWSKeyDetector": ("AKIA", "ASIA", "ABIA", "ACCA", "A3T", "aws", "AWS"),
    "azure_storage_key.AzureStorageKeyDetector": ("AccountKey=",),
    "discord.DiscordBotTokenDetector": (".",),
    "github_token.GitHubTokenDetector": ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    "gitlab_token.GitLabTokenDetector": ("gl", "GR1348941"),
    "jwt.JwtTokenDetector": ("eyJ",),
    "mailchimp.MailchimpDetector": ("-us",),
    "openai.OpenAIDetector": ("T3BlbkFJ",),
    "pypi_token.PypiTokenDetector": ("pypi-",),
    "sendgrid.SendGridDetector": ("SG.",),
    "slack.SlackDetector": ("xox", "hooks.slack"),
    "square_oauth.SquareOAuthDetector": ("sq0csp-",),
    "stripe.StripeDetector": ("k_live_",),
    "telegram_token.TelegramBotTokenDetector": (":",),
    "twilio.TwilioKeyDetector": ("AC", "SK"),
}
_OWN: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern, re.ASCII), hints)
    for pattern, hints in (
        (r"\bsk-(?=[A-Za-z_-]{0,40}\d)[A-Za-z0-9_-]{20,}", ("sk-",)),
        (r"\bgithub_pat_[A-Za-z0-9_]{30,}", ("github_pat_",)),
        (r"\bAIza[A-Za-z0-9_-]{35}", ("AIza",)),
        (r"\b(?:hf|npm)_[A-Za-z0-9]{30,}", ("hf_", "npm_")),
        (
            r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^-]{1,9000}(?:-----END [A-Z ]{0,40}-----)?",
            ("PRIVATE KEY",),
        ),
        (r"://[^:/?#@\s]{0,100}:([^@/\s]{3,200})@", ("://",)),
        (r"\bBearer +([A-Za-z0-9._~+/=-]{20,})", ("Bearer",)),
        (r"(?<!\w)-u +[\w.@-]{1,60}:(\S{4,100})", (" -u ",)),
    )
)
_NAMED = re.compile(
    r"(?:(?<![a-z])pass(?:w(?:or)?d|phrase|code)?|pwd|password|session(?:_?id)?|secret|token|api[_-]?key|access[_-]?key|(?:secret|private)[_-]?key)(?![a-z])"
    r"[\"']?(?:\s{0,3}[:=]\s{0,3}|\s+is\s+)[\"']?([^\s\"'，。；、,;()<>{}\[\]$]{6,200})"
    r"|(?:密码|口令|密钥|令牌|秘钥)[\"']?\s{0,3}(?:[:：=＝]|是|为)?\s{0,3}[\"']?([!-'*-+\--:=?-Z^-z|~]{6,200})",
    re.I,
)
_NAMES = ("pass", "pwd", "secret", "token", "key", "session", "密", "口令", "令牌", "秘钥")
_STANDS_IN = re.compile(r"(.)\1{4,}|x{4,}|^\*+$|\.{3}|example|your[_-]|os\.environ|process\.env", re.I)


def secrets(text: str) -> Iterator[Match]:
    for pattern, hints in (*_patterns(), *_OWN):
        if any(hint in text for hint in hints):
            yield from (Match("secret", *found.span(_value(found))) for found in pattern.finditer(text))
    lowered = text.lower()
    named = _NAMED.finditer(text) if any(name in lowered for name in _NAMES) else ()
    for found in named:
        group = 1 if found[1] else 2
        if _is_random(found[group]):
            yield Match("secret", *found.span(group))


def _value(found: re.Match[str]) -> int:
    """The group that is the value: the only one, where it stands behind other words. In a provider's token the only
    group is its prefix."""
    return 1 if found.re.groups == 1 and found.start(1) > found.start() else 0


def _is_random(value: str) -> bool:
    """Letters and digits, and no text that only stands where a secret would."""
    has_both = re.search(r"\d", value) and re.search(r"[A-Za-z]", value)
    return bool(has_both) and not _STANDS_IN.search(value)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    found = []
    for path, hints in _DETECTORS.items():
        module, name = path.split(".")
        detector = getattr(import_module(f"detect_secrets.plugins.{module}"), name)()
        found += [(pattern, hints) for pattern in detector.denylist]
    return tuple(found)
