"""Prompts of model-backed stages, one file each."""
