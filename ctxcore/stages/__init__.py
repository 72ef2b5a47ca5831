"""All stages by name. A new stage is one file, one line here, and one line in a system."""

from __future__ import annotations

from ctxcore.stage import Stage
from ctxcore.stages.assemble import Assemble
from ctxcore.stages.construct import Construct
from ctxcore.stages.conversation_compactor import ConversationCompactor
from ctxcore.stages.final_assembler import FinalAssembler
from ctxcore.stages.gather import Gather
from ctxcore.stages.guardrail import GuardrailStage
from ctxcore.stages.retrieval_injector import RetrievalInjector
from ctxcore.stages.select import Select
from ctxcore.stages.static_content_loader import StaticContentLoader
from ctxcore.stages.summarize import Summarize
from ctxcore.stages.tool_result_compactor import ToolResultCompactor
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
    "assemble": Assemble,
}
