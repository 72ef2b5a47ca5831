"""What those who visit a server may have it ask: endpoints that they type in. Who runs it decides."""

from __future__ import annotations

import os

import streamlit as st

from ctxcore.model.reach import ANYWHERE, Reach

ENDPOINTS = "CTXCORE_ENDPOINTS"  # hosts with commas; `any`; `none`; unset: on a server, none of its own network
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_server() -> bool:
    """Whether others than this machine's user can come: it listens beyond loopback."""
    return st.get_option("server.address") not in LOOPBACK


def may_type() -> bool:
    return _asked() != ["none"]


def reach() -> Reach:
    match _asked():
        case ["any"]:
            return ANYWHERE
        case []:
            return Reach(private=not is_server())
        case hosts:
            return Reach(tuple(hosts))  # what is named may lie anywhere


def _asked() -> list[str]:
    return [one.strip() for one in os.environ.get(ENDPOINTS, "").split(",") if one.strip()]
