"""The agent's screen: the queue, one case, its evidence and its draft."""
