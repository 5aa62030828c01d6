"""Prompts of model-backed stages, one file each, their loader, and the fence for untrusted text."""
