"""The walk for a team."""

import streamlit as st

from ui.scenarios import scenario_of
from ui.state import workspace
from ui.words import literal, t

scenario = scenario_of(workspace())
st.title(t("page.present"))
st.markdown(literal(scenario.name))
