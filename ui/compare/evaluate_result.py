"""What an evaluation shows: the proxy of both sides; then right answers, the test, what is honest to say about few."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from ctxcore.evaluating.evaluation import Answer, Plan
from ctxcore.evaluating.outcome import Outcome, Side, outcome, strata
from ctxcore.evaluating.proxy import coverage, proxied
from ctxcore.evaluating.statistics import least_flips, pairs_needed
from ctxcore.model.replies import ChatModel
from ui import tables
from ui.said import spoken
from ui.words import literal, number, t

Names = tuple[str, str]
YES, NO = "✓", "✗"


def draw_proxy(planned: Plan, names: Names) -> None:
    st.markdown(t("evaluate.proxy"), help=t("evaluate.proxy_help"))
    with st.container(key="evaluate_proxy"):
        for at, column in enumerate(st.columns(2, gap="small")):
            found = coverage([call for call in planned.calls if call.arm == at])
            with column, st.container(border=True):
                st.markdown(f"**{literal(names[at])}**")
                st.markdown(
                    t(
                        "evaluate.coverage",
                        kept=f"{100 * found.kept:.0f}",
                        expected=f"{100 * found.expected:.0f}",
                        tokens=number(found.tokens),
                    )
                )


def draw_outcome(answers: Sequence[Answer], model: ChatModel, names: Names) -> None:
    found = outcome(answers, model.name)
    if found.pairs:
        with st.container(key="evaluate_outcome"):
            for at, column in enumerate(st.columns(2, gap="small")):
                with column, st.container(border=True):
                    _side(found.sides[at], len(found.pairs), names[at])
            _verdict(found)
            _strata(found, model)


def _side(side: Side, pairs: int, name: str) -> None:
    st.markdown(f"**{literal(name)}**")
    shares = {each: f"{100 * getattr(side, each):.0f}" for each in ("share", "low", "high")}
    st.markdown(t("evaluate.right", right=side.right, of=pairs, **shares))
    usd = "–" if side.usd is None else f"{side.usd:.4f}"
    each = side.right_per_usd
    st.caption(
        t(
            "evaluate.spent",
            tokens=number(side.prompt_tokens + side.completion_tokens),
            seconds=f"{side.seconds:.1f}",
            usd=usd,
            rate="–" if each is None else number(round(each)),
        )
    )


def _verdict(found: Outcome) -> None:
    """The difference with its interval and test, and whether it says anything."""
    told = t(
        "evaluate.difference",
        points=f"{100 * found.difference:+.0f}",
        low=f"{100 * found.low:+.0f}",
        high=f"{100 * found.high:+.0f}",
        p=f"{found.p:.3f}",
        first=found.first_only,
        second=found.second_only,
        both=found.both,
        neither=found.neither,
    )
    st.markdown(told)
    if found.is_few:
        st.warning(t("evaluate.few", pairs=len(found.pairs), flips=least_flips()), icon=":material/science:")
    elif found.is_shown:
        st.success(t("evaluate.shown"), icon=":material/check:")
    else:
        st.info(t("evaluate.not_shown"), icon=":material/info:")
    discordant = (found.first_only + found.second_only) / len(found.pairs)
    if found.difference and not found.is_shown:
        needed = number(pairs_needed(discordant, abs(found.difference)))
        st.caption(t("evaluate.needed", pairs=needed, points=f"{100 * abs(found.difference):.0f}"))


def _strata(found: Outcome, model: ChatModel) -> None:
    for name, part in strata(found, model.name).items():
        st.caption(
            t(
                f"evaluate.stratum.{name}",
                pairs=len(part.pairs),
                first=part.sides[0].right,
                second=part.sides[1].right,
                p=f"{part.p:.3f}",
            )
        )


def draw_table(planned: Plan, answers: Sequence[Answer]) -> None:
    """Question by question: whether the answer is in the payload, what was said, and whether that is right."""
    import pandas as pd

    came = {(one.question.id, one.arm): one for one in answers}
    rows: dict[str, list[str]] = {}
    for call in sorted(planned.calls, key=lambda call: call.arm):
        question, there = call.question, proxied(call)
        row = rows.setdefault(question.id, [question.ask, " | ".join(question.expects)])
        one = came.get((question.id, call.arm))
        said = "" if one is None else f"{YES if one.right else NO} {one.text or spoken(one.error)}"
        row += [f"{100 * there.expected:.0f} %" if there.kept else NO, said]
    columns = [t("evaluate.ask"), t("evaluate.expect")]
    for at in "AB":
        columns += [t("evaluate.in_payload", side=at), t("evaluate.reply", side=at)]
    with st.container(key="evaluate_table"):
        tables.draw_table(pd.DataFrame(rows.values(), columns=columns), hide_index=True, key="evaluate.table")
