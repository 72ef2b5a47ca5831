"""The least that Streamlit can do: a slider, and a text that says where it stands. What everything is held against."""

import streamlit as st

st.text(f"At {st.slider('Window', 1, 1_000, 500)}.")
