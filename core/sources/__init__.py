"""Governed documents in, passages out: load, clean, chunk, index."""
