"""What the second side of a comparison has otherwise: ready-made ones, then setting by setting; or a demonstration."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ctxcore import importing
from ctxcore.comparing.demos import DEMOS
from ctxcore.counting.models import MODELS
from ctxcore.errors import CtxError
from ctxcore.systems import SYSTEMS, VARIANTS
from ui.compare import sides
from ui.compare.side_stages import draw_side_stages
from ui.signs import sign_panel
from ui.sources import shipped
from ui.sources.scenarios import keep_scenario, open_demo
from ui.stages.kept import kept
from ui.words import language, literal, number, t
from ui.workspace import state
from ui.workspace.workspace import MAX_WINDOW, Workspace

OWN = ""  # option of the picker of demonstrations: one's own comparison
WINDOWS = (8_000, 128_000)


def pick_demo(now: Workspace) -> None:
    """The list of demonstrations; a picked one opens on both sides."""
    labels = {OWN: t("compare.own"), **{name: demo.title(language()) for name, demo in DEMOS.items()}}
    with st.container(key="compare_demo", width=460):
        chosen = st.selectbox(
            t("compare.demo"),
            list(labels),
            index=list(labels).index(now.demo if now.demo in labels else OWN),
            format_func=labels.__getitem__,
            key=state.key("demo"),
            label_visibility="collapsed",
        )
    if chosen != now.demo:
        if chosen:
            open_demo(chosen)
            state.notify("compare.demo_opened", title=literal(labels[chosen]))
        else:
            state.put(demo="")
        st.rerun()


def told_demo(now: Workspace) -> None:
    """What to look at, as long as both sides are what the demonstration set."""
    if now.demo not in DEMOS:
        return
    as_set = sides.as_demo(now, now.demo)
    text = literal(DEMOS[now.demo].see(language()))
    st.info(text if as_set == now else t("compare.demo_changed", text=text), icon=":material/visibility:")


def draw_ready(now: Workspace) -> None:
    """One click each: what people compare most."""
    other = "repaired" if now.variant == "article" else "article"
    ready: dict[str, dict[str, Any]] = {
        "raw": {"system": "raw"},
        other: {"variant": other},
        **{f"{size // 1000}k": {"window": size} for size in WINDOWS if size != now.window},
    }
    for name, given in ready.items():
        label = t(f"compare.ready.{name}") if name in ("raw", "article", "repaired") else t("compare.window", size=name)
        if st.button(label, key=f"compare.ready.{name}", type="tertiary", disabled=now.other == given):
            state.put(other=given)
            st.rerun()


def draw_second(now: Workspace) -> None:
    """System, variant and window at hand; the rest behind a button."""
    side = sides.second(now)
    left, middle, right, more = st.columns([3, 3, 3, 1], gap="small", vertical_alignment="bottom")
    with left, st.container(key="compare_system"):
        _pick("system", t("control.system"), list(SYSTEMS), side.system)
    with middle, st.container(key="compare_variant"):
        _pick("variant", t("control.variant"), list(VARIANTS), side.variant, {v: t(f"variant.{v}") for v in VARIANTS})
    with right, st.container(key="compare_window"):
        key = _key("window", str(side.window))
        window = st.number_input(t("control.window"), 100, MAX_WINDOW, side.window, step=1_000, key=key)
        _take("window", int(window), side.window)
    with more, st.container(key="compare_more"), sign_panel(":material/tune:", t("compare.more"), "compare.more"):
        _more(now, side)


def _more(now: Workspace, side: Workspace) -> None:
    models = list(dict.fromkeys([side.model, *(model.name for model in MODELS if model.is_known)]))
    _pick("model", t("control.model"), models, side.model)
    names = list(dict.fromkeys([side.scenario, *shipped.names()]))
    with st.container(key="compare_file"):
        _pick("scenario", t("compare.sources"), names, side.scenario)
    _file(now)
    _pipeline(side)
    draw_side_stages(side, _change)
    st.caption(t("compare.limits"))
    for limit in SYSTEMS[side.system].offered:
        with st.container(key=f"compare_limit_{limit.name}"):
            typed = side.limits.get(limit.name, "")
            key = _key(f"limit.{limit.name}", side.system, typed)
            value = st.text_input(limit.name, typed, placeholder=limit.typed, key=key)
        if value.strip() != typed:
            limits = {**side.limits, limit.name: value.strip()}
            _change(limits={name: text for name, text in limits.items() if text})
    if now.other and st.button(t("compare.reset"), icon=":material/restart_alt:", type="tertiary", key="compare.reset"):
        state.put(other={})
        st.rerun()


def _file(now: Workspace) -> None:
    """Another file for the second side."""
    given = st.file_uploader(t("compare.upload"), key=_key("file", str(now.other.get("revision", ""))))
    if given is None:
        return
    try:
        scenario = importing.opened(given.getvalue(), name=given.name).scenario
    except CtxError as error:
        st.error(literal(error.told))
        return
    _change(scenario=scenario.name or given.name, revision=keep_scenario(scenario))


def _pipeline(side: Workspace) -> None:
    """One of the kept pipelines for the second side."""
    known = kept()
    with st.container(key="compare_pipeline"):
        chosen = st.selectbox(
            t("pipeline.kept"),
            list(known),
            index=None,
            placeholder=t("pipeline.pick") if known else t("pipeline.none_kept"),
            disabled=not known,
            key=_key("pipeline", ",".join(side.stages), str(len(side.options))),
        )
    if chosen:
        one = known[chosen]
        given = {"system": one.system, "variant": one.variant, "options": dict(one.options)}
        _change(**given, **({"stages": list(one.stages)} if one.stages else {}))


def _pick(name: str, label: str, options: list[str], value: str, labels: dict[str, str] | None = None) -> None:
    shown = labels or {option: option for option in options}
    chosen = st.selectbox(
        label, options, index=options.index(value), format_func=shown.__getitem__, key=_key(name, value)
    )
    _take(name, chosen, value)


def _take(name: str, chosen: Any, value: Any) -> None:
    if chosen != value:
        _change(**{name: chosen})


def _change(**given: Any) -> None:
    there = dict(sides.difference(state.workspace()))
    gone = ("limits", "options", "stages") if "system" in given else ("revision",) if "scenario" in given else ()
    good, refused = sides.checked({**{name: value for name, value in there.items() if name not in gone}, **given})
    state.put(other=good)
    if refused:
        state.notify("compare.refused", names=literal(", ".join(refused)))
    st.rerun()


def _key(*names: str) -> str:
    return state.key("other", *names)


def name_of(side: Workspace) -> str:
    """As it stands above a column."""
    return f"{side.system} · {t(f'variant.{side.variant}')} · {number(side.window)}"
