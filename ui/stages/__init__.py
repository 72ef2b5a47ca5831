"""The pipeline as the user sees it: editor, options, order, how far it has run, what a stage reports."""
