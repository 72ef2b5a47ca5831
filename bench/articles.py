"""What the two articles' code decides, written anew, with its way of counting: the ground to compare with.

Both hold a role and a text for each message: calls are lost, and with them what a result answers. A `None` is read as
an empty text, where article 2's code would stop with an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from bench.clock import cpu
from bench.conversation import Message

Count = Callable[[str], int]

# Stands for what a model would write.
SUMMARY = "The user and the assistant discussed failures, restarts and open tickets; no decision was made yet."


def select(messages: Sequence[Message], cap: int) -> list[Message]:
    """Article 1: turns from the newest on while a third of their characters fits `cap`; the first misfit ends it.

    System text and question are kept whatever they cost. The result is in the order of the conversation.
    """
    system, talk, question = messages[0], messages[1:-1], messages[-1]
    left, kept = cap, []
    for message in reversed(talk):
        size = len(f"[{message['role']}]: {message['content']}") // 3
        if size > left:
            break
        left -= size
        kept.append(_plain(message))
    return [_plain(system), *reversed(kept), _plain(question)]


def compact(
    messages: Sequence[Message], window: int, count: Count, share: float = 0.5, recent: int = 6
) -> list[Message]:
    """Article 2: a history over its share of the window becomes a model's summary and the newest messages.

    Every text is counted to know whether it is over. The summary is a fixed one: no model is measured.
    """
    system, history = messages[0], messages[1:]
    used = sum(count(message["content"] or "") for message in history)
    if used <= int(window * share) or len(history) <= recent:
        return [_plain(message) for message in messages]
    summary = {"role": "system", "content": f"[PRIOR CONVERSATION SUMMARY]\n{SUMMARY}"}
    return [_plain(system), summary, *(_plain(message) for message in history[-recent:])]


def pop_until_it_fits(messages: Sequence[Message], window: int, count: Count) -> list[Message]:
    """Article 2's last stage: while the printed list is over the window, the message after the system text goes.

    The whole list is printed and counted again for each.
    """
    left = [_plain(message) for message in messages]
    while len(left) > 2 and _printed_count(left, count) > window:
        del left[1]
    return left


def seconds_to_pop(messages: Sequence[Message], window: int, count: Count, samples: int = 3) -> float:
    """What that loop would take, from some of its rounds: the lists shrink evenly, and the cost with them."""
    left = [_plain(message) for message in messages]
    pops = round(len(left) * (1 - window / _printed_count(left, count)))
    taken = 0.0
    for at in range(samples):
        start = 1 + pops * (2 * at + 1) // (2 * samples)
        taken += cpu(partial(_printed_count, left[start:], count))
    return pops * taken / samples


def _printed_count(messages: Sequence[Message], count: Count) -> int:
    return count(str(messages))


def compile_context(messages: Sequence[Message], window: int, count: Count) -> list[Message]:
    """Article 2 from end to end, without documents and memory."""
    return pop_until_it_fits(compact(messages, window, count), window, count)


def _plain(message: Message) -> Message:
    return {"role": message["role"], "content": message["content"] or ""}
