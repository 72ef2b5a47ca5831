"""A link: to the view as it is set, to a place that the address says, or to something that is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

import streamlit as st

from ui.words import t
from ui.workspace import link, state
from ui.workspace.owner import owner
from ui.workspace.workspace import Workspace

MADE = "_link_made"  # of the session: of what, and the link


@dataclass(frozen=True)
class Link:
    """`page`: its address, "" the first one, None the one that is shown. `more`: what that page puts into it."""

    view: Workspace | None  # None: `more` says all
    page: str | None = None
    more: Mapping[str, str] = field(default_factory=dict)


def draw_link(to: Link) -> None:
    with st.container(key="share_link"):
        if to.view is None:
            _show(f"{_address(to)}?{urlencode(to.more)}", "share.by_address")
            return
        view = link.share(to.view, state.id_of_tab()), to.page, dict(to.more)
        of, made = st.session_state.get(MADE, (None, ""))
        if st.button(t("share.link"), icon=":material/link:", key="share.link", type="primary"):
            of, made = st.session_state[MADE] = (view, address_of(to, to.view))
        if of != view:  # another view than the one that the link is of
            return
        if made:
            _show(made, "share.by_state" if f"?{link.STATE}=" in made else "share.by_store")
        else:
            st.warning(t("share.no_store"), icon=":material/cloud_off:")


def address_of(to: Link, view: Workspace) -> str:
    """Small views stand in the link itself; "" where a larger one cannot be kept at the moment."""
    more = f"&{urlencode(to.more)}" if to.more else ""
    if (small := link.write(view)) is not None:
        return f"{_address(to)}?{link.STATE}={small}{more}"
    id = state.store().share(owner(), link.share(view, state.id_of_tab()))
    return f"{_address(to)}?{link.SHARE}={id}{more}" if id else ""


def _address(to: Link) -> str:
    """Only pages with an address of their own link to others: the last part of theirs is what goes."""
    here = str(st.context.url or "").partition("?")[0]
    return here if to.page is None else f"{here.rstrip('/').rpartition('/')[0]}/{to.page}"


def _show(address: str, how: str) -> None:
    st.code(address, language=None, wrap_lines=True)
    st.caption(t(how))
