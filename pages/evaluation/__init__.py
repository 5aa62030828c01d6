"""Evaluation: the golden set, run and read."""
