"""How long the app takes in a real browser, beside a Streamlit app that does nothing, in the same run."""
