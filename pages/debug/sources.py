"""What goes in? Every source of the scenario, to edit, with its tokens."""

from collections import Counter

import streamlit as st

from ctxcore.counting.models import model
from ctxcore.counting.tokens import counter_for
from ctxcore.gathering import gathered
from ui.library import bodies
from ui.library.keeping import draw_keep
from ui.library.prompts import draw_versions
from ui.one_of import one_of
from ui.sources import lists, prompt, taking_in
from ui.sources.memory import KINDS
from ui.sources.remembered import draw_remembered
from ui.sources.scenarios import scenario_of
from ui.words import number, t
from ui.workspace.state import workspace

RECORDS = ("documents", "tool_results", "notes", "memory", "profile")
SECTIONS = ("prompt", "conversation", "documents", "tool_results", "state", "notes", "memory", "profile", "import")

settings = workspace()
scenario = scenario_of(settings)
counter = counter_for(settings.model)
tokens = Counter[str]()
for item in gathered(scenario, model(settings.model), counter).items:
    tokens[item.message or item.id] += item.tokens


listed = {"conversation": lists.listed(scenario), **{kind: getattr(scenario, kind) for kind in RECORDS}}
names = {section: t(f"sources.section.{section}") for section in SECTIONS}
names |= {section: f"{names[section]} · {number(len(many))}" for section, many in listed.items() if many}

with st.container(horizontal=True, vertical_alignment="bottom"):
    st.title(t("page.sources"), anchor=False)
    st.space("stretch")
    exactness = t(f"exact.{counter.exactness}")
    total = t("sources.total", tokens=number(tokens.total()), encoding=counter.name, exactness=exactness)
    st.caption(total, width="content")
    draw_keep("scenario", scenario.name or t("page.sources"), lambda: bodies.scenario(scenario))
section = one_of(
    {name: names[name] for name in SECTIONS},
    "prompt",
    label=t("page.sources"),
    place="sources_section",
    key="sources.section",
)
taking_in.show_warnings(scenario)
if section == "prompt":
    draw_versions(scenario, settings.model)
    prompt.prompt(scenario, tokens)
elif section == "conversation":
    lists.conversation(scenario, tokens)
elif section == "state":
    prompt.state(scenario, tokens)
elif section == "import":
    taking_in.take_in(scenario)
    taking_in.export(scenario)
else:
    if section == "tool_results":
        prompt.tool_definitions(scenario, tokens)
    lists.records(scenario, section, tokens)
    if section in KINDS:
        draw_remembered(section, counter)
