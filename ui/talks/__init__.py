"""Talks: a run as a few screens, one idea each; told by a file, or made from any run, fault or scenario."""
