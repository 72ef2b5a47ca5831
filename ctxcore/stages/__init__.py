"""All stages by name. A new stage is one file, one line here, and one line in a system."""

from __future__ import annotations

from ctxcore.stage import Stage
from ctxcore.stages.assemble import Assemble
from ctxcore.stages.compress_observation import CompressObservation
from ctxcore.stages.construct import Construct
from ctxcore.stages.conversation_compactor import ConversationCompactor
from ctxcore.stages.degrade import Degrade
from ctxcore.stages.final_assembler import FinalAssembler
from ctxcore.stages.force_compact import ForceCompact
from ctxcore.stages.gather import Gather
from ctxcore.stages.guardrail import GuardrailStage
from ctxcore.stages.layer_layout import LayerLayout
from ctxcore.stages.layout_optimizer import LayoutOptimizer
from ctxcore.stages.recall import Recall
from ctxcore.stages.repair import Repair
from ctxcore.stages.retrieval_injector import RetrievalInjector
from ctxcore.stages.select import Select
from ctxcore.stages.static_content_loader import StaticContentLoader
from ctxcore.stages.summarize import Summarize
from ctxcore.stages.tool_result_compactor import ToolResultCompactor
from ctxcore.stages.trim_working import TrimWorking
from ctxcore.stages.user_profile_injector import UserProfileInjector

STAGES: dict[str, type[Stage]] = {
    "gather": Gather,
    "select": Select,
    "summarize": Summarize,
    "construct": Construct,
    "static-content-loader": StaticContentLoader,
    "conversation-compactor": ConversationCompactor,
    "tool-result-compactor": ToolResultCompactor,
    "user-profile-injector": UserProfileInjector,
    "retrieval-injector": RetrievalInjector,
    "guardrail": GuardrailStage,
    "final-assembler": FinalAssembler,
    "compress-observation": CompressObservation,
    "recall": Recall,
    "trim-working": TrimWorking,
    "degrade": Degrade,
    "force-compact": ForceCompact,
    "layer-layout": LayerLayout,
    "assemble": Assemble,
    "repair": Repair,
    "layout-optimizer": LayoutOptimizer,
}

# What any system may run as well: an option that names one puts it right behind the stage that loads.
OPTIONAL = ("guardrail", "user-profile-injector")
