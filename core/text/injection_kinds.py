"""What an instruction to a model tries to do, in the words a reviewer reads."""

from __future__ import annotations

OVERRIDES = "overrides what the model was told"
TASK = "puts another task in place of the one asked"
ROLE = "gives the model another role"
SYSTEM = "imitates a system message"
TURN = "imitates a turn of the conversation or a tool result"
ADDRESS = "speaks to a model by name"
DICTATES = "dictates what the model answers"
GARBLES = "makes the model's answer unreadable"
CODE = "puts code into what the model writes"
KEEPS = "keeps something from the user"
CARRIES = "carries data out"
REVEALS = "asks for what the model was told"
DECIDES = "settles a decision in advance"
ACTS = "orders an action in somebody's name"
REMEMBERS = "writes into the model's memory"
REFUSES = "makes the model refuse or stop"
PHISHES = "has the model ask for secrets or send the user elsewhere"
UNREADABLE = "carries what nobody can read"
OUT_OF_SIGHT = "gives an order out of sight"
STRAY = "a task or question that the rest of the text does not lead to"

OF_A_REQUEST = frozenset({ROLE, ADDRESS, DICTATES, GARBLES, CODE, TASK, REFUSES, ACTS})
"""Kinds that are ordinary where the whole text is one request to a model: no attack without a
document around it."""
