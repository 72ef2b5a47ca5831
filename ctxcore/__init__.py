"""Context engineering, stage by stage: build the payload of an LLM call, and know why each piece is in or out.

>>> from ctxcore import Scenario, build
>>> trace = build(Scenario.from_messages([{"role": "user", "content": "Hello"}]), system="gssc", window=8_000)
>>> trace.messages
[{'role': 'user', 'content': 'Hello'}]
"""

from ctxcore.budget import Budget, Limit
from ctxcore.build import build
from ctxcore.counting.count import Bill, count_request
from ctxcore.decision import Action, Decision, Problem
from ctxcore.diff import Diff, diff
from ctxcore.doors.compiler import ContextItem, ContextLayer, ContextLayerWithMemory
from ctxcore.doors.gssc import ContextBudget, GSSCPipeline
from ctxcore.doors.layered import ContextManager, run_agent
from ctxcore.errors import BudgetError, CtxError, InputError, LedgerError, StageError
from ctxcore.item import Item, Source
from ctxcore.linting.lint import lint
from ctxcore.running import Snapshot
from ctxcore.scenario import Record, Scenario
from ctxcore.services import Services
from ctxcore.settings import Edit, Settings
from ctxcore.stage import Stage
from ctxcore.systems import SYSTEMS, System
from ctxcore.trace import Trace
from ctxcore.words import sentence

__version__ = "0.1.0"

__all__ = [
    "SYSTEMS",
    "Action",
    "Bill",
    "Budget",
    "BudgetError",
    "ContextBudget",
    "ContextItem",
    "ContextLayer",
    "ContextLayerWithMemory",
    "ContextManager",
    "CtxError",
    "Decision",
    "Diff",
    "Edit",
    "GSSCPipeline",
    "InputError",
    "Item",
    "LedgerError",
    "Limit",
    "Problem",
    "Record",
    "Scenario",
    "Services",
    "Settings",
    "Snapshot",
    "Source",
    "Stage",
    "StageError",
    "System",
    "Trace",
    "build",
    "count_request",
    "diff",
    "lint",
    "run_agent",
    "sentence",
]
