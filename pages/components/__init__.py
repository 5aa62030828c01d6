"""Pieces several pages draw with. ``untrusted`` is the only door for text from outside."""
