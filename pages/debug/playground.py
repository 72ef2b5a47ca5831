"""What each stage does to the context."""

import streamlit as st

from ui.scenarios import scenario_of
from ui.state import workspace
from ui.words import literal, t

scenario = scenario_of(workspace())
st.title(t("page.playground"))
st.markdown(literal(scenario.name))
