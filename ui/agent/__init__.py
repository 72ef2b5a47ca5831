"""The page Agent: a run step by step, live or scripted, what fills its window, what it cost."""
