"""The formats of others, one module each, in the order in which a file is tried."""

from __future__ import annotations

from ctxcore.importing.format import Format
from ctxcore.importing.formats.pi_agent import PI_AGENT

FOREIGN: tuple[Format, ...] = (PI_AGENT,)
