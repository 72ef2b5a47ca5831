"""The ReAct agent of article 3: a fold of context builds over the steps of a task."""
