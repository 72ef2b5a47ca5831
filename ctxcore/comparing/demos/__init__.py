"""Ready-made comparisons: each fault of the articles' code beside its repair, and one window beside another."""

from ctxcore.comparing.demos.compiler import COMPILER
from ctxcore.comparing.demos.demo import Demo
from ctxcore.comparing.demos.gssc import GSSC
from ctxcore.comparing.demos.layered import LAYERS
from ctxcore.comparing.demos.windows import WINDOWS

DEMOS = {demo.name: demo for demo in (*GSSC, *COMPILER, *LAYERS, *WINDOWS)}

__all__ = ["DEMOS", "Demo"]
