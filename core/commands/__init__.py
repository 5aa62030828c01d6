"""The command line's verbs, one subject a module: each takes parsed arguments and an office."""
