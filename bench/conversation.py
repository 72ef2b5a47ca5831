"""A growing conversation to measure on: turns with tool calls, English with some Chinese, about 100 tokens each."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from typing import Any

Message = dict[str, Any]

SUBJECTS = (
    "the retry queue",
    "our billing export",
    "the second replica",
    "a nightly import",
    "the search index",
    "this dashboard",
    "the payment gateway",
    "an older client",
    "the session store",
    "the report of last week",
    "a customer in Oslo",
    "the migration script",
    "every third request",
    "the cache in front of it",
    "the mobile release",
    "the audit log",
)
VERBS = (
    "fails",
    "recovers",
    "was restarted",
    "returns stale rows",
    "doubles its latency",
    "loses the header",
    "is being rewritten",
    "needs an owner",
    "passes its checks again",
    "reports a wrong total",
    "waits for a lock",
    "was rolled back",
)
CIRCUMSTANCES = (
    "after the deployment of version {n}",
    "when more than {n} users are connected",
    "about {n} seconds after midnight",
    "although we raised the limit to {n}",
    "on host web-{n}",
    "because ticket #{n} is still open",
    "in {n} of 1,000 cases",
    "unless the flag build_{n} is set",
    "as the incident report {n} explains",
    "since the change in line {n}",
)
CHINESE = (
    "第{n}号服务器在凌晨重启之后，",
    "用户反馈的问题还没有解决。",
    "请把日志导出到表格里，",
    "我们需要在发布前检查第{n}项指标。",
    "数据库连接数超过了{n}个，",
    "缓存命中率明显下降，",
    "建议先回滚到上一个版本。",
    "会议纪要里写得很清楚：",
    "预计还需要{n}天完成迁移。",
)
SYSTEM = "You are the assistant of an operations team. Answer briefly, name the ticket, and say what is not known."
QUESTION = "Which host was restarted after the last deployment, and which ticket is still open?"
SENTENCE, CHINESE_SHARE = 25, 0.12  # tokens of an English sentence, about; share of sentences that are Chinese


def conversation(messages: int, seed: int, tokens: int = 100) -> list[Message]:
    """`messages` messages of about `tokens` tokens, a system text first and a question last. Another seed, other texts.

    A longer one with the same seed and tokens goes on where a shorter one ends.
    """
    rng = random.Random(seed)
    out: list[Message] = [{"role": "system", "content": f"{SYSTEM} (Team {seed}.)"}]
    turns = _turns(rng, tokens)
    while len(out) < messages - 1:
        out += next(turns)
    del out[messages - 1 :]
    if out[-1].get("tool_calls"):  # no call without its answer
        out[-1] = {"role": "assistant", "content": _text(rng, tokens)}
    return [*out, {"role": "user", "content": QUESTION}]


def _turns(rng: random.Random, tokens: int) -> Iterator[list[Message]]:
    """Question and answer; in every second turn a call and its result stand between them."""
    made = 0
    while True:
        made += 1
        yield [{"role": "user", "content": _text(rng, tokens)}]
        if made % 2:
            asked = {"query": _text(rng, tokens // 2), "limit": rng.randrange(100)}
            body = {"name": "search_logs", "arguments": json.dumps(asked, ensure_ascii=False)}
            call = {"id": f"call-{made}", "type": "function", "function": body}
            yield [{"role": "assistant", "content": None, "tool_calls": [call]}]
            yield [{"role": "tool", "tool_call_id": call["id"], "content": _text(rng, tokens * 2)}]
        yield [{"role": "assistant", "content": _text(rng, tokens)}]


def _text(rng: random.Random, tokens: int) -> str:
    """Sentences of half to one and a half times `tokens` in all."""
    return " ".join(_sentence(rng) for _ in range(max(1, round(tokens / SENTENCE * rng.uniform(0.5, 1.5)))))


def _sentence(rng: random.Random) -> str:
    number = rng.randrange(10_000)
    if rng.random() < CHINESE_SHARE:
        return "".join(rng.choice(CHINESE) for _ in range(2)).format(n=number)
    clauses = [f"{rng.choice(SUBJECTS)} {rng.choice(VERBS)}" for _ in range(2)]
    return f"{clauses[0].capitalize()} {rng.choice(CIRCUMSTANCES).format(n=number)}, and {clauses[1]}."


def texts(messages: Sequence[Message]) -> list[str]:
    """Every text that is tokenized: contents, and the names and arguments of calls."""
    out = [message["content"] for message in messages if message["content"]]
    for call in (call for message in messages for call in message.get("tool_calls", ())):
        out += [call["function"]["name"], call["function"]["arguments"]]
    return out
