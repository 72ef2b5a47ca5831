"""Requests as they go over the wire: read out of the shape of any provider, for who counts or judges them."""

from ctxcore.wire.blocks import Block, Request, Turn
from ctxcore.wire.read import SHAPES, read_request, shape_of

__all__ = ["SHAPES", "Block", "Request", "Turn", "read_request", "shape_of"]
