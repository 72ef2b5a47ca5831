"""The command line: one module for the options, one for what each command does, one for human text."""
